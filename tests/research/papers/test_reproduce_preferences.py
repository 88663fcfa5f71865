"""The study of people's preferences on a collection small enough to be worked by hand."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import meta
from divmetrics.cli import main
from divmetrics.io.run_preferences import read_preferences
from divmetrics.research.papers import reproduce
from divmetrics.research.papers.imine import imine
from divmetrics.research.papers.preferences import Study, load_preference_data, study
from divmetrics.research.papers.preferences.claims import CLAIMS, answer
from divmetrics.research.papers.preferences.data import STRENGTHS, PreferenceData

pytestmark = pytest.mark.slow

HEADING = "left right topic judge1 judge2 judge3 status"
# S-recall: topic 0001 A 1, B 1/2, C 0; topic 0002 all 1/2. S-recall-IS: 0001 A 3/4, B 1/2, C 0; 0002 A 1/4, B
# and C 1/2. In 0003 only A answers.
ANSWERS = """
A B 0001  2  1 -1 S
A C 0001  4  4  3 S
B C 0001  1  0  0 S
A B 0002 -2 -2 -1 S
A C 0002  0  1 -1 S
B C 0002  1  1 -4 S
A C 0003  3  2  0 F
"""
LISTS = {
    "A": {"0001": "d1 d2", "0002": "d3", "0003": "d1"},
    "B": {"0001": "d1 d3", "0002": "d1 d3"},
    "C": {"0001": "n", "0002": "d2"},
}
SQUARE = "an intent-square metric agrees significantly better than its flat form"
FLAT = "on average, the flat form agrees significantly better"
JUDGMENTS = "t1 e1 d1 1|t2 e1 d2 2|t1 e2 d3 1"


def written(folder: Path) -> Path:
    """A folder with three topics, subtopics t1 with e1 and e2, t2 with e1; runs A, B and C."""

    def subtopic(name: str, share: float, *below: dict) -> dict:
        return {"id": name, "label": name, "probability": share, "sls": list(below)}

    fls = [
        subtopic("t1", 0.5, subtopic("e1", 0.25), subtopic("e2", 0.25)),
        subtopic("t2", 0.5, subtopic("e1", 0.5)),
    ]
    topics = [
        {"id": topic, "title": topic, "type": "broad", "excluded": None, "fls": fls}
        for topic in ("0001", "0002", "0003")
    ]
    (folder / "topics.json").write_text(json.dumps(topics))
    rows = [
        "\t".join([topic["id"], *judgment.split()]) for topic in topics for judgment in JUDGMENTS.split("|")
    ]
    (folder / "qrels.cn.tsv").write_text("\n".join(["topic\tfls\tsls\tdoc\tgrade", *rows]) + "\n")
    (folder / "runs" / "cn").mkdir(parents=True)
    for run, lists in LISTS.items():
        lines = [
            f"{topic} Q0 {doc} {rank} {-rank} {run}"
            for topic, docs in lists.items()
            for rank, doc in enumerate(docs.split(), 1)
        ]
        (folder / "runs" / "cn" / f"{run}.txt").write_text("\n".join(lines) + "\n")
    write(folder, HEADING, ANSWERS)
    return folder


def write(folder: Path, heading: str, answers: str) -> None:
    lines = ["\t".join(line.split()) for line in (heading + answers).splitlines()]
    (folder / "preferences.tsv").write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Study:
    with pytest.warns(dm.DivmetricsWarning, match="expected at least two topics; it is left out"):
        return study(written(tmp_path_factory.mktemp("imine")), trials=50)


def test_long_work_shows_a_bar_on_a_terminal(folder, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for progress in (True, False):
        monkeypatch.setattr("sys.stderr", Terminal())
        monkeypatch.setattr("divmetrics._progress.DELAY", 0)
        with pytest.warns(dm.DivmetricsWarning, match="left out"):
            study(folder, trials=50, progress=progress)
        assert ("setting" in sys.stderr.getvalue()) == progress


def test_counts_worked_by_hand(small):
    agreement = small.agreement.set_index(["setting", "metric"])
    left = agreement.xs("the left run", level="metric")
    columns = ["agree", "disagree", "ties", "pairs", "tau"]
    # 0002 A C is tied among the judges. The others: left, left, left; right, left.
    assert agreement.loc[("all pairs", "S-recall@10"), columns].tolist() == [3, 0, 2, 5, 0.6]
    assert agreement.loc[("all pairs", "S-recall-IS@10"), columns].tolist() == [4, 0, 1, 5, 0.8]
    assert left.loc["all pairs", columns].tolist() == [4, 1, 0, 5, 0.6]
    # A B: people prefer either once: 0. A C: once left, S-recall too: 1 of 1. B C: twice left, S-recall once
    # left, once tied: on average 1/2, on each of 2.
    assert agreement.loc[("all pairs", "S-recall@10"), "by_runs"] == (0 + 1 + 2 / 2) / 5
    assert left["by_runs"].equals(left["tau"])  # it knows nothing of topics
    # In 0003 C is not there, and A is better.
    assert agreement.loc[("with lists not there", "S-recall@10"), columns[:4]].tolist() == [4, 0, 2, 6]
    # The mean of 1, 1 and -4 prefers the right run.
    assert left.loc["sign of the mean answer", columns[:4]].tolist() == [3, 2, 0, 5]


def test_settings_worked_by_hand(small):
    pairs = small.agreement.groupby("setting", sort=False)["pairs"].first()
    assert pairs.to_dict() == {
        "all pairs": 5,
        "mean answer below 1": 3,  # 2/3, 1/3, -2/3; the stronger two are of one topic each, left out
        "2 of 3 judges for it": 2,
        "3 of 3 judges for it": 2,  # one judge alone: one topic, left out
        "without judge1": 2,  # tied are 1 -1, 0 0, 1 -1, 1 -4
        "without judge2": 4,  # tied are 2 -1, 1 -4
        "without judge3": 6,
        "sign of the mean answer": 5,
        "with lists not there": 6,
        "organisers' probabilities": 5,
    }
    left_out = small.agreement[small.agreement["metric"] == "the judge left out"].set_index("setting")
    assert left_out[["agree", "disagree", "ties"]].values.tolist() == [[2, 0, 0], [2, 1, 1], [2, 3, 1]]


def test_a_mean_answer_at_the_bound_belongs_to_the_stronger():
    sums = {"1": 2, "2": 3, "3": 5, "4": 6, "5": -3}  # of three answers
    answers = pd.DataFrame(
        [
            ("A", "B", topic, judge, total if judge == "judge1" else 0, "S")
            for topic, total in sums.items()
            for judge in ("judge1", "judge2", "judge3")
        ],
        columns=["left", "right", "topic", "judge", "preference", "status"],
    )
    empty = pd.DataFrame(columns=["run", "topic", "metric", "score"])
    settings = {
        s.name: s.preferences["topic"].tolist() for s in PreferenceData(answers, empty, empty).settings()
    }
    assert [settings[name] for name in STRENGTHS] == [["1"], ["2", "3", "5"], ["4"]]


def test_baseline_of_the_better_run_is_below_the_interval():
    """An interval that holds what the runs alone would earn shows nothing, whatever tau is."""
    embedded, (see,) = Study.embedded(), [claim.find for claim in CLAIMS if "which of two runs" in claim.says]
    for low, verdict in ((0.21, "holds"), (0.19, "does not hold")):
        changed = embedded.agreement.assign(tau=0.3, low=low, by_runs=0.2)
        assert see(Study(embedded.judges, changed, embedded.tests)).verdict == verdict


def test_tests_worked_by_hand(small):
    row = small.tests.query("setting == 'all pairs' and metric_b == 'S-recall-IS@10'").iloc[0]
    assert row[["pairs", "only_a", "only_b", "p_pairs", "p_topics"]].tolist() == [5, 0, 1, 1, 1]
    assert row["difference"] == pytest.approx(0.2)
    # Both drawn topics 0001: 0 of 6; one each: 1 of 5; both 0002: 2 of 4.
    assert row[["low", "high"]].tolist() == [0, 0.5]


def test_alpha_of_the_judges(small):
    sides = [[1, 1, 1, -1, 0, 1], [1, 1, 0, -1, 1, 1], [-1, 1, 0, -1, -1, -1]]
    assert small.judges["nominal"][0] == pytest.approx(meta.krippendorff_alpha(sides))
    assert small.judges["group"].tolist()[-3:] == ["A or B", "A or C", "B or C"]
    assert small.judges["units"].tolist() == [6, 6, 6, 6, 2, 2, 2]
    # Left, left, left, right, tied, left; without one as in the settings; A B, A C, B C.
    assert small.judges["left"].tolist() == [4, 1, 2, 5, 1, 1, 2]
    assert small.judges["right"].tolist() == [1, 1, 2, 1, 1, 0, 0]


@pytest.mark.filterwarnings("ignore::divmetrics.DivmetricsWarning")
def test_metrics_that_are_left_out_prefer_what_others_prefer(research_files):
    twins = {"D-RBP": "RBP-IA", "RBU": "iRBU-IA", "P+Q": "Q-IA", "DIN-nDCG": "D-nDCG", "DIN#-Q": "D#-Q"}
    names = [f"{name}@10" for name in (*twins, *twins.values())]
    folder = research_files / "data" / "imine"
    gold = meta.majority(load_preference_data(folder).main)
    for collection in (imine(folder, "cn"), imine(folder, "cn").uniform()):
        outcomes = meta.agreement_outcomes(dm.evaluate(collection, None, names), gold)
        for name, twin in twins.items():
            assert (outcomes[f"{name}@10"] == outcomes[f"{twin}@10"]).all()


def test_the_report_answers_from_the_tables():
    report = reproduce("preferences")
    verdicts = report.claims.set_index("claim")["verdict"]
    assert verdicts[SQUARE] == verdicts[FLAT] == "does not hold"
    assert "Answer: No difference between flat and intent-square metrics is shown." in str(report)
    assert report.rows["kind"].unique().tolist() == ["agreement", "difference", "claim"]


def test_the_verdicts_follow_the_tables():
    """The same study, had every intent-square form been far better, or far worse."""
    message = {claim.says: claim.find for claim in CLAIMS}
    embedded = Study.embedded()
    for sign, word in ((1, "better"), (-1, "worse")):
        tests = embedded.tests.assign(difference=0.5 * sign, p_topics=0.0001, holm=0.002)
        changed = Study(embedded.judges, embedded.agreement, tests)
        expected = ("holds", "does not hold")[::sign]
        assert (message[SQUARE](changed).verdict, message[FLAT](changed).verdict) == expected
        assert answer(changed).startswith(f"Some intent-square metrics agree with people {word} than")


def test_from_the_command_line(folder, capsys):
    assert main(["reproduce", "preferences", "--data", str(folder)]) == 0
    assert "S-recall@10          3-0-2  0.600  S-recall-IS@10       4-0-1  0.800" in capsys.readouterr().out
    assert main(["reproduce", "preferences", "--format", "csv"]) == 0
    assert "agreement,all pairs,S-recall@10,,94-40-93," in capsys.readouterr().out


@pytest.mark.parametrize(
    ("heading", "answers", "message"),
    [
        (HEADING.replace("topic", "query"), ANSWERS, "the heading has no column 'topic'"),
        ("left right topic status", "\nA B 0001 S", "the heading names no judge"),
        (HEADING.replace("judge2", "judge1"), ANSWERS, "the heading names 'judge1' twice"),
        (HEADING, "\nA B 0001 2 x 1 S", "judge2 'x' is not a finite number"),
        (HEADING, "\nA B 0001 2 1 S", "has 6 columns"),
        (HEADING, "", "has a heading and nothing below it"),
        ("left right topic judge1 status", "\nA B 0001 2 S", "there is one judge .'judge1'."),
        ("left right topic judge1 judge2", "\nA B 0001 2 1", "there is no column 'status'"),
        (HEADING, ANSWERS.replace("A C", "A D"), "run 'D' is not among the runs"),
        (HEADING, ANSWERS + "A B 0001 0 0 0 S", "runs 'A' and 'B' are compared twice on topic '0001'"),
        (HEADING, ANSWERS.replace("A C", "A A"), "run 'A' is compared with itself"),
        (HEADING, ANSWERS.replace(" S", " F"), "no answer has status S"),
        (HEADING, ANSWERS.replace("000", "100"), "no answer has status S and a topic with judgments"),
        (HEADING, "\nA B 0001 2 1 1 S", r"has 1 pair\(s\) of lists with a preference, of 1"),
        (HEADING, "\nA B 0001 2 -1 0 S", r"has 0 pair\(s\) of lists with a preference"),
    ],
)
def test_bad_input_raises_one_sentence(folder, heading, answers, message):
    write(folder, heading, answers)
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        study(folder, trials=50)
    assert "\n" not in str(caught.value)


def test_missing_file_is_named(folder):
    (folder / "preferences.tsv").unlink()
    with pytest.raises(dm.DivmetricsError, match=r"preferences.tsv.*does not exist"):
        study(folder)


def test_preferences_are_read_judge_by_judge(folder):
    answers = read_preferences(folder / "preferences.tsv")
    assert list(answers.columns) == ["left", "right", "topic", "status", "judge", "preference"]
    assert answers["judge"].tolist() == ["judge1"] * 7 + ["judge2"] * 7 + ["judge3"] * 7
    assert answers["preference"].tolist()[:7] == [2, 4, 1, -2, 0, 1, 3]
