"""Assignment 4: the key, the pairs that decide, and what metrics that are none earn."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from course.grading import data_draws, judge, ps4, ps4_cases, ps4_copies, ps4_pairs
from course.grading.assignment import WrongAnswer, data_module
from course.grading.course_files import HOME, Course, Release
from course.grading.leaks import leaks
from course.grading.ps4_cases import cases
from course.grading.release import generate
from course.grading.sandbox import RunResult
from divmetrics import meta
from divmetrics_widgets import handing_in

PS4 = ps4.ASSIGNMENT


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS4, 2)


@pytest.fixture(scope="module")
def mine(release: Release) -> Any:
    return release.data.of("a")


class Kernel:
    """What the cells of a copy hand in, without a kernel: answers, and results of the function on cases."""

    def __init__(self, release: Release, mine: Any, answers: dict[str, str]) -> None:
        self.ran = RunResult()
        self.told: list[str] = []
        names = {"dm": dm, "pd": pd, "np": np, "meta": meta, "ps4_data": release.data, "mine": mine}
        with pytest.MonkeyPatch.context() as patch:
            for cell in release.notebook.cells:
                question = cell.id.removesuffix("_answer")
                if cell.id.endswith("_answer"):
                    exec(answers[question], names)
                elif cell.id in release.points and cell.cell_type == "code":
                    message: list[dict[str, Any]] = []
                    patch.setattr(handing_in, "display", _keep(message, self.told))
                    with contextlib.suppress(Exception):  # a cell that fails ends no notebook
                        exec(cell.source, {**names, "hand_in": handing_in.hand_in})
                    self.ran.handed[cell.id] = json.loads(json.dumps(message))
        self.ran.called["q2"] = [self._called(case) for case in cases(mine).lists]

    @staticmethod
    def _called(case: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"value": handing_in.written(handing_in.FUNCTIONS["q2"](json.loads(json.dumps(case))))}
        except Exception as error:
            return {"error": type(error).__name__}

    def verdicts(self, release: Release, mine: Any) -> dict[str, judge.QuestionVerdict]:
        return {each.question: each for each in judge.judge(PS4, mine, self.ran, release.points)}


def _keep(message: list[dict[str, Any]], told: list[str]) -> Any:
    def display(data: dict[str, Any], raw: bool) -> None:
        told.append(data["text/plain"])
        if handing_in.MIME in data:
            message.append(data[handing_in.MIME])

    return display


ALL = dict.fromkeys(["q1", "q2", "q3", "q4", "q5"], 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("student", ["a", "b"])
@pytest.mark.parametrize("way", PS4.solutions)
def test_every_way_earns_all_points(release: Release, student: str, way: str) -> None:
    mine = release.data.of(student)
    copy = Kernel(release, mine, dict(PS4.solutions[way]))
    verdicts = copy.verdicts(release, mine)
    assert {name: verdict.points / verdict.of for name, verdict in verdicts.items()} == ALL
    told = " ".join(copy.told)
    assert "Look again" not in told
    assert "On the example it returns 0." in told or "On the example it returns 1." in told


@pytest.mark.slow
@pytest.mark.parametrize("name", ps4_copies.UNLAWFUL)
def test_a_law_that_is_broken_costs_its_share(release: Release, mine: Any, name: str) -> None:
    lines, broken, message = ps4_copies.UNLAWFUL[name]
    M, w, f = ps4_pairs.parts(mine.need)
    copy = Kernel(release, mine, ps4_copies.with_metric(lines.format(M=M, w=w, f=f)))
    verdict = copy.verdicts(release, mine)["q2"]
    assert verdict.points == pytest.approx(2 * (5 - broken) / 5)
    assert message in verdict.reason


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(ps4_copies.NO_METRIC) - {"sleeping", "ending the kernel"}))
def test_what_is_no_metric_earns_nothing(
    release: Release, mine: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(release.data, "scorer", release.data.scorer)  # one of them puts another in its place
    code, message = ps4_copies.NO_METRIC[name]
    by_hand = {**ps4_copies.BY_HAND, "q4": "power = ...", "q5": "counts = ..."}
    answers = {**by_hand, "q2": f"{by_hand['q2']}\n{code}"}
    copy = Kernel(release, mine, answers)
    verdicts = copy.verdicts(release, mine)
    assert {verdict.points for question, verdict in verdicts.items() if question != "q1"} == {0.0}
    assert message in verdicts["q2"].reason
    assert not {case for each in cases(mine).lists for case in each["docs"] if case in verdicts["q2"].reason}


def test_the_table_of_rules_says_where_law_2_fails(release: Release, mine: Any) -> None:
    """A number that no list of five exceeds is enough, though longer lists would exceed it."""
    rules = release.data.rules
    M, w, f = "relevant", "where(rank <= 3, 1, 0.25)", "1 / intents"
    for N, verdict in (
        ("1", "law 2 fails"),
        ("3.5", "kept"),
        ("ideal", "kept"),
        ("0.5 * cutoff", "law 2 fails"),
    ):
        found = rules(ps4_pairs.text(M, w, f, N)).loc["law 2: scores are between 0 and 1"]
        assert found["verdict"] == verdict, N
    assert "noted" not in set(rules(ps4_pairs.text(M, w, f))["verdict"])
    assert list(rules(lambda ranking: 0.1 * len(ranking.docs))["verdict"]) == ["kept"]
    broken = rules(ps4_pairs.text(M, "1 if rank <= 3 else 0.25", f))
    assert broken["what was found"].iloc[0].endswith("write where(condition, x, y), and & for 'and'")
    assert rules(...) is None


@pytest.mark.parametrize("written", [True, False])
def test_a_metric_is_scored_on_the_systems_however_it_is_written(
    release: Release, mine: Any, written: bool
) -> None:
    parts = ps4.as_written(mine)
    metric = release.data.metric(parts)
    found = release.data.scores(mine, parts if written else metric.score)
    pd.testing.assert_frame_equal(
        found.sort_values(["run", "topic"], ignore_index=True),
        dm.evaluate(mine.collection, None, [metric]).sort_values(["run", "topic"], ignore_index=True),
        check_dtype=False,
    )
    for pair in mine.pairs:
        for ranking in pair:
            case = json.loads(json.dumps(release.data.case(ranking)))
            assert release.data.scorer(parts)(case) == pytest.approx(metric.score(ranking))


def test_unscorable_metrics_are_reported_below_the_answer(
    mine: Any, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: told.append(data["text/plain"]))
    names = {"ps4_data": release.data, "mine": mine, "hand_in": handing_in.hand_in}
    cells = {cell.id: cell.source for cell in release.notebook.cells}
    for question, code, remark in (
        (
            "q2",
            "parts = 'M = first\\nw = 1 if rank < 3 else 0\\nf = 1'",
            "On the example it ends in ExpressionError",
        ),
        ("q4", "power = {'sig': 1, 'required': 0.1}", "Missing: significant. Not asked for: sig."),
        ("q5", "counts = {'I-rec@5': {'mine': 1}}", "The rows asked for are I-rec@5, Ef-P@5, the columns"),
    ):
        exec(f"{code}\n{cells[question]}", names)
        assert remark in told[-1]


def test_every_wrong_metric_is_wrong_on_a_hidden_pair(release: Release) -> None:
    for number in release.data.DRAWS:
        mine = release.data.drawn(number)
        wrong = ps4_pairs.wrong(mine.need)
        assert len(wrong) >= 16
        assert max(ps4_copies.hidden_share(mine, lines) for lines in wrong.values()) < 1
        for lines in ps4_pairs.honest(mine.need):
            assert ps4_copies.hidden_share(mine, lines) == 1


def test_draws_that_do_not_decide_are_left_out(release: Release) -> None:
    source = data_module(HOME / "source" / "ps4" / "ps4_data.py")
    left_out = [n for n in range(max(release.data.DRAWS)) if n not in release.data.DRAWS]
    assert not any(data_draws.separates_all(PS4, source.drawn(n)) for n in left_out)


@pytest.mark.parametrize("number", [67, 246, 596])
def test_a_draw_on_which_a_greedy_ideal_is_beaten_is_left_out(number: int) -> None:
    """The hidden pairs keep the laws there, and one of the systems' lists scores above 1."""
    mine = data_module(HOME / "source" / "ps4" / "ps4_data.py").drawn(number)
    metric, asked = ps4.named(ps4.as_written(mine)), cases(mine)
    best = max(asked.rankings, key=metric.score)
    assert metric.score(best) > 1
    assert asked.rankings.index(best) in asked.systems.values()
    assert not ps4.sound(mine)


def test_the_pairs_that_are_shown_are_told_and_the_rival_is_wrong_on_one(mine: Any) -> None:
    rival = dm.metric(mine.rival)
    assert sorted(rival.score(a) < rival.score(b) for a, b in mine.pairs) == [False, False, True]
    for lines in ps4_pairs.honest(mine.need):
        assert all(ps4_pairs.named(lines).score(a) > ps4_pairs.named(lines).score(b) for a, b in mine.pairs)


def test_cases_do_not_reveal_their_purpose(mine: Any) -> None:
    asked = cases(mine)
    assert {case["topic"] for case in asked.lists} == {"t"}
    assert {len(doc) for case in asked.lists for doc in case["docs"]} == {4}
    assert len(asked.hidden) == 5
    for kind in (asked.better, asked.earlier, asked.longer, asked.empty):
        assert len(kind) >= 4


def test_a_number_of_pairs_near_the_level_may_be_counted_or_not(release: Release, mine: Any) -> None:
    frame = ps4.reference(mine)
    found = [frame.set_index(["run", "topic"])["score"][key] for key in cases(mine).systems]
    results: list[Any] = [{"value": 0.0} for _ in cases(mine).lists]
    for place, score in zip(cases(mine).systems.values(), found, strict=True):
        results[place] = {"value": score}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ps4, "scores", lambda mine, value, results: [each["value"] for each in results])
        pairs = ps4.every_pair(frame)
        sizes = sorted(pairs["difference"].abs(), reverse=True)
        for count, required in enumerate(sizes, 1):
            share, _ = ps4.is_power(mine, [float(count), required], results)
            near = ((pairs["asl"] < 0.03).sum(), (pairs["asl"] < 0.07).sum())
            assert (share == 1) == (near[0] <= count <= near[1])
        assert ps4.is_power(mine, [float(len(sizes)), sizes[0]], results)[0] == 0


def test_a_slip_that_other_random_numbers_could_give_rejects_the_draw(
    mine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = ps4.pairs_of_reference(mine)
    assert ps4.fits(ps4.power_of_reference(mine), pairs)
    for wrong in ps4.POWER_SLIPS:
        assert not ps4.fits(wrong.value(mine), pairs), wrong.name
    assert ps4.sound(mine)
    wide = WrongAnswer("near", ps4.power_of_reference, "")
    monkeypatch.setattr(ps4, "POWER_SLIPS", (wide,))
    assert not ps4.sound(mine)


def test_half_of_the_points_are_for_arguments(release: Release) -> None:
    points = release.points
    written = {each.name: sum(share for share, _ in each.rubric) for each in PS4.written}
    assert {name: points[name] for name in written} == written
    assert sum(written.values()) == sum(points[question.name] for question in PS4.questions) == 10


def test_release_contains_no_answer_key(release: Release) -> None:
    assert leaks(release.folder, PS4) == []
    for file in Path(release.folder).iterdir():
        text = file.read_text(encoding="utf-8")
        for part in (ps4_pairs.PAGES, ps4_pairs.RANKS, ps4_pairs.READERS):
            assert not [each for each in part.values() if len(each) > 12 and each in text]


def test_the_same_score_may_differ_by_rounding_only() -> None:
    assert ps4_cases.alike(0.1 + 0.2, 0.3)
    assert not ps4_cases.alike(0.3, 0.3001)
