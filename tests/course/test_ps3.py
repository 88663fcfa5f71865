"""Assignment 3: its key against both solutions, its draws, its claims, and its files."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import divmetrics as dm
from course.grading import data_draws, judge, ps3
from course.grading.course_files import HOME, Course, Release
from course.grading.known_submissions import literal
from course.grading.leaks import leaks
from course.grading.release import generate
from course.grading.sandbox import RunResult
from course.grading.tolerances import RANDOMISED_ANSWER_TOLERANCE
from divmetrics_widgets import handing_in

PS3 = ps3.ASSIGNMENT
SOURCE = HOME / "source" / "ps3" / "ps3_data.py"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS3, 2)


@pytest.fixture(scope="module", params=[0, 1])
def mine(release: Release, request: pytest.FixtureRequest) -> Any:
    wanted = release.data.DRAWS[request.param]
    students = (f"s{n}" for n in range(100))
    return next(data for data in map(release.data.of, students) if data.number == wanted)


def verdict(question: str, mine: Any, value: Any) -> tuple[bool, str]:
    ran = RunResult(handed={question: [{"question": question, "value": value}]})
    return judge._verdict(PS3.question(question), mine, ran)


@pytest.mark.filterwarnings("ignore::divmetrics.DivmetricsWarning")
@pytest.mark.parametrize("way", PS3.solutions)
def test_the_key_agrees_with_every_solution(
    release: Release, mine: Any, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them reads the files in loops and shuffles with another seed."""
    monkeypatch.chdir(tmp_path)
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: said.append(data))
    mine.write()
    names: dict[str, Any] = {"dm": dm, "pd": pd, "mine": mine, "hand_in": handing_in.hand_in}
    names["ps3_data"] = release.data
    locked = {cell.id: cell.source for cell in release.notebook.cells}
    for question in PS3.questions:
        exec(PS3.solutions[way][question.name], names)
        exec(locked[question.name], names)
        handed_in = said[-1][handing_in.MIME]["value"]
        assert verdict(question.name, mine, json.loads(json.dumps(handed_in))) == (True, "Right.")
        assert "Look again" not in said[-1]["text/plain"]


def test_wrong_answers_differ_by_ten_tolerances(release: Release) -> None:
    assert len([wrong for question in PS3.questions for wrong in question.wrong]) >= 10
    for number in release.data.DRAWS:
        assert data_draws.separates_all(PS3, release.data.drawn(number))


def test_every_slip_can_be_written_into_a_cell(mine: Any) -> None:
    for question in PS3.questions:
        for wrong in question.wrong:
            value = wrong.value(mine)
            assert ast.literal_eval(literal(value, ())) == value


def test_draws_that_depend_on_the_seed_are_rejected(mine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ps3.clear(mine)
    pairs = ps3.tukey(mine, ps3.TRIALS)
    middle = pairs["asl"].sort_values().index[3]
    unclear = pairs.assign(asl=pairs["asl"].mask(pairs.index == middle, 0.06))
    monkeypatch.setattr(ps3, "tukey", lambda mine, trials: unclear)
    assert not ps3.clear(mine)


def test_draws_where_condensed_lists_reverse_the_lead_are_rejected(release: Release, mine: Any) -> None:
    assert ps3.one_story(mine)
    other_way = release.data.drawn(2)  # an unjudged document wins ties at rank 1
    assert ps3.lead("condensed")(other_way) > ps3.lead(ps3.HOUSE)(other_way)
    assert not ps3.one_story(other_way)
    assert not ps3.sound(other_way)


def test_the_data_of_a_number_stay_as_they_are(release: Release) -> None:
    """Whoever has handed in is graded with the data that were given out."""
    found = [(each.texts, each.reported, each.other, each.new) for each in map(release.data.drawn, range(3))]
    digests = [hashlib.sha256(repr(each).encode()).hexdigest()[:16] for each in found]
    assert digests == ["56563c3e1846c7e5", "bd898f2e73a87a8d", "4b2539aa05e8698b"]


def test_the_compared_runs_are_real_and_drawn(release: Release, mine: Any) -> None:
    stored = dm.datasets.imine_scores("en").query("metric == 'ERR-IA@10'")
    stored = stored.set_index(["run", "topic"])["score"]
    own = mine.scores.set_index(["run", "topic"])["score"]
    assert own.equals(stored[own.index])
    assert (set(mine.real), set(mine.topics)) == tuple(map(set, own.index.levels))
    assert len(own) == len(mine.real) * len(mine.topics) == 4 * 25
    drawn = [release.data.drawn(number) for number in range(40)]
    assert len({data.real for data in drawn}) > 35
    assert len({data.topics for data in drawn}) == 40


def test_the_words_of_the_table_are_those_of_the_key(release: Release) -> None:
    assert set(release.data.WORDS) == set(ps3.WORDS)
    (table,) = (cell.source for cell in release.notebook.cells if cell.id == "ask_causes")
    assert re.findall(r'(?m)^\| `"(\w+)"` \|', table) == list(release.data.WORDS)


def test_another_seed_is_within_the_tolerance_and_gives_the_same_verdict(mine: Any) -> None:
    right = PS3.question("q11").right(mine)
    for seed in (1, 2, 3):
        found = ps3.meta.tukey_hsd(mine.scores, trials=20_000, seed=seed, workers=1)
        p = ps3.by_pair(mine, found)
        assert max(abs(p[pair] - right[pair]) for pair in right) < RANDOMISED_ANSWER_TOLERANCE
        assert [value < ps3.LEVEL for value in p.values()] == [value < ps3.LEVEL for value in right.values()]


def test_what_is_reported_has_one_cause(mine: Any) -> None:
    """Every other choice gives another number, and `which` finds those that it knows."""
    words = [ps3.word(mine, at) for at in range(3)]
    assert len(set(words)) == 3
    assert {"order", "mean"} < set(words)
    for at, (claim, (metric, choice, before)) in enumerate(zip(mine.claims, ps3.secrets(mine), strict=True)):
        numbers = (claim.second, claim.first) if before else (claim.first, claim.second)
        found = {name: ps3.mean(mine, mine.reported, metric, name) for name in (ps3.HOUSE, choice)}
        assert [round(value, 4) for value in found.values()] == list(numbers)
        assert ps3.one_cause(mine, at, mine.reported)
        assert ps3.one_cause(mine, at, mine.other)


def test_the_files_are_as_the_notebook_says(mine: Any, tmp_path: Path) -> None:
    mine.write(tmp_path)
    with pytest.warns(dm.DivmetricsWarning) as said:
        dm.evaluate(tmp_path / mine.judgments, tmp_path / mine.runs[mine.reported], "ERR-IA@10")
    messages = " ".join(str(each.message) for each in said)
    assert "does not answer 2 judged topic(s)" in messages
    assert "never judged" in messages
    assert "tied scores" in messages
    by_score, by_rank, by_line = (
        dm.load_runs(tmp_path / mine.runs[mine.reported], order)[0].docs
        for order in ("score", "rank", "file")
    )
    assert by_score != by_rank != by_line != by_score


def test_half_of_the_points_are_for_arguments(release: Release) -> None:
    points = release.points
    written = {each.name: sum(share for share, _ in each.rubric) for each in PS3.written}
    assert {name: points[name] for name in written} == written
    assert sum(written.values()) == sum(points[question.name] for question in PS3.questions) == 7.5


def test_no_cause_and_no_key_is_released(release: Release) -> None:
    assert leaks(release.folder, PS3) == []
    text = (release.folder / "ps3_data.py").read_text(encoding="utf-8")
    imported = set(re.findall(r"\bdivmetrics\w*(?:\.\w+)*", text))
    assert imported == {"divmetrics", "divmetrics_widgets.own_data"}
    assert set(re.findall(r"\bdm\.\w+(?:\.\w+)*", text)) == {"dm.datasets.imine_scores"}  # it scores nothing
    code = text.partition('"""')[2].partition('"""')[2]  # and tells nothing of what is odd in the files
    assert not re.findall(r"\b(?:odd|silent|weak|knows|strange|unanswered|re-ranked|nobody did)\b", code)
    assert set(release.data.GIVEN) == set(release.data.DRAWS)


@pytest.mark.parametrize("question", PS3.questions, ids=lambda question: question.name)
def test_no_answer_crashes_the_judge(mine: Any, question: Any) -> None:
    for value in ({"table": 3}, [[0.5]], {"function": True}, "0.5", 10**400, {"values": [[1]]}):
        right, reason = verdict(question.name, mine, value)
        assert not right
        assert reason.startswith("Not right")
