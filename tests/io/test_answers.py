"""Nuggets assigned to answers, labels that a language model made up, and answers and pools as runs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

import divmetrics as dm
from divmetrics.cli import main
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import read_qrels, read_run, read_topics
from tests.support.refused_files import refused, written

pytestmark = pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")

SCORES = ["A", "A_strict", "V", "V_strict", "W", "W_strict"]
STORED = ["all_score", "strict_all_score", "vital_score", "strict_vital_score"]
STORED += ["weighted_score", "strict_weighted_score"]
Nuggets = Sequence[tuple[str, str]]


def answer(topic: str, nuggets: Nuggets, run: str = "R", **more: str) -> dict[str, Any]:
    """Return a line of nuggetizer's: an answer with (importance, assignment) of its nuggets."""
    members = [
        {"text": f"nugget {n}", "importance": importance, "assignment": assignment}
        for n, (importance, assignment) in enumerate(nuggets)
    ]
    return {"query": "q", "qid": topic, "answer_text": "...", "run_id": run, "nuggets": members, **more}


def lines(entries: Sequence[Any]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def scores(path: Path, names: Sequence[str] = SCORES) -> tuple[dict[str, list[float]], str]:
    """Return {metric: its scores by topic} of the only run of a file of answers, and all warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = dm.evaluate(path, None, [f"nuggetizer:{name}" for name in names])
    by_metric = {name: frame[frame.metric == f"nuggetizer:{name}"].score.tolist() for name in names}
    return by_metric, "\n".join(str(warning.message) for warning in caught)


MIXED = [("vital", "support"), ("vital", "partial_support"), ("okay", "support"), ("okay", "failed")]


def test_the_scores_of_nuggetizer_and_pyterrier_nuggetizer(tmp_path: Path) -> None:
    """The numbers come from nuggetizer 0.0.5 (A and V) and pyterrier-nuggetizer 2b835803 (W)."""
    by_metric, messages = scores(written(tmp_path, lines([answer("1", MIXED)]), "a.jsonl"))
    golden = dict(zip(SCORES, [0.625, 0.5, 0.75, 0.5, 2 / 3, 0.5], strict=True))
    assert {name: values[0] for name, values in by_metric.items()} == pytest.approx(golden, abs=1e-15)
    assert "1 of 4 assignment(s) failed" in messages


EMPTY = [0.0] * 6
EDGES: dict[str, tuple[Nuggets, list[float]]] = {
    "no vital nugget": ([("okay", "support"), ("okay", "not_support")], [0.5, 0.5, 0, 0, 0.5, 0.5]),
    "no nuggets": ([], EMPTY),
    "one failed": ([("vital", "support"), ("vital", "failed")], [0.5] * 6),
    "all failed": ([("vital", "failed"), ("vital", "failed")], EMPTY),
    "words of a model": (
        [("vital", "support"), ("vital", "established"), ("vital", "Support"), ("vital", " support ")],
        [0.25] * 6,
    ),
    "an empty label": ([("vital", "support"), ("vital", "")], [0.5] * 6),
    "no importance": (
        [("vital", "support"), ("failed", "support"), ("", "not_support"), ("x", "partial_support")],
        [0.625, 0.5, 1, 1, 1, 1],
    ),
}


@pytest.mark.parametrize("case", EDGES)
def test_edges_are_scored_as_in_the_tools(tmp_path: Path, case: str) -> None:
    nuggets, expected = EDGES[case]
    path = written(tmp_path, lines([answer("1", [("vital", "support")]), answer("2", nuggets)]), "a.jsonl")
    by_metric, messages = scores(path)
    assert [by_metric[name][0] for name in SCORES] == [1.0] * 6
    assert [by_metric[name][1] for name in SCORES] == pytest.approx(expected, abs=1e-15)
    wrong = [label for _, label in nuggets if label not in ("support", "partial_support", "not_support")]
    assert (f"{len(wrong)} of {1 + len(nuggets)} assignment(s)" in messages) == bool(wrong)
    unknown = [label for label, _ in nuggets if label not in ("vital", "okay")]
    assert (f"{len(unknown)} of {1 + len(nuggets)} nuggets are neither vital nor okay" in messages) == bool(
        unknown
    )


def test_a_label_that_is_null_is_none(tmp_path: Path) -> None:
    text = lines([answer("1", [("vital", "support"), ("vital", "failed")])]).replace('"failed"', "null")
    by_metric, messages = scores(written(tmp_path, text, "a.jsonl"))
    assert set(map(tuple, by_metric.values())) == {(0.5,)}
    assert "1 of 2 assignment(s) failed or are no label (1 'null')" in messages


def test_a_run_of_documents_beside_judged_answers(tmp_path: Path) -> None:
    path = written(tmp_path, lines([answer("1", MIXED)]), "a.jsonl")
    with pytest.raises(DivmetricsError, match=r"are of answers \(by R\).*leave the runs out"):
        dm.evaluate(path, {"1": ["d1", "d2"]}, "nuggetizer:A")
    assert dm.evaluate(path, {"1": ["R"]}, "nuggetizer:A").score.tolist() == [0.625]


def test_a_topic_that_a_run_lacks_is_not_in_its_mean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = [("vital", "support"), ("vital", "not_support")]
    entries = [answer("1", half), answer("2", [("vital", "support")] * 2), answer("1", half, run="S")]
    path = written(tmp_path, lines(entries), "a.jsonl")
    assert main(["evaluate", str(path), "-m", "nuggetizer:Vital Strict", "--mean"]) == 0
    out, err = capsys.readouterr()
    rows = [line.split(",") for line in out.splitlines()]
    assert [(run, topic, float(score)) for run, topic, _, score in rows[1:]] == [
        ("R", "1", 0.5),
        ("R", "2", 1.0),
        ("S", "1", 0.5),
        ("R", "all", 0.75),
        ("S", "all", 0.5),
    ]
    assert "run 'S' does not answer 1 judged topic(s), which are left out" in err


def test_an_answer_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, lines([answer("1", MIXED), answer("1", MIXED, run="S")]), "a.jsonl")
    assert main(["explain", str(path), "S", "--topic", "1", "-m", "nuggetizer:V"]) == 0
    assert capsys.readouterr().out.startswith("nuggetizer:V of list S for topic 1 (q) = 0.7500")
    assert main(["explain", str(path), "--topic", "1", "-m", "nuggetizer:V"]) == 2
    assert "2 runs were given (R and S)" in capsys.readouterr().err


def test_runs_with_other_nuggets_are_said(tmp_path: Path) -> None:
    entries = [answer("1", MIXED[:1]), answer("1", MIXED[:2], run="S")]
    with pytest.warns(DivmetricsWarning, match=r"different nuggets for 1 topic\(s\) \(1\)"):
        frame = read_qrels(written(tmp_path, lines(entries), "a.jsonl"))
    assert frame.to_numpy().tolist() == [["1", "1", "R", 2], ["1", "1", "S", 2], ["1", "2", "S", 1]]


def test_an_envelope_is_opened(tmp_path: Path) -> None:
    envelope = {
        "schema_version": "castorini.cli.v1",
        "artifacts": [{"name": "assign-result", "data": [answer("1", MIXED)]}],
    }
    plain = scores(written(tmp_path, lines([answer("1", MIXED)]), "plain.jsonl"))[0]
    assert scores(written(tmp_path, json.dumps(envelope, indent=1), "a.json"))[0] == plain
    single = {**envelope, "artifacts": [{"name": "assign-result", "value": answer("1", MIXED)}]}
    assert scores(written(tmp_path, json.dumps(single), "b.json"))[0] == plain


def judged(doc: str, *labels: str) -> dict[str, Any]:
    entry = answer("7", list(zip(("vital", "okay"), labels, strict=True)), docid=doc)
    del entry["run_id"], entry["answer_text"]
    return entry


def test_labels_that_a_model_made_up(tmp_path: Path) -> None:
    """Left out like a failed assignment, and all of them counted in one sentence."""
    entries = [judged("d1", "support", "not_support"), judged("d2", "not_applicable", "questionable")]
    path = written(tmp_path, lines(entries), "a.jsonl")
    with pytest.warns(DivmetricsWarning) as caught:
        frame = dm.evaluate(path, {"7": ["d1", "d2"]}, ["Coverage@2", "nuggetizer:A@2"])
    assert frame.score.tolist() == [0.5, 0.5]
    messages = [str(warning.message) for warning in caught if "assignment" in str(warning.message)]
    assert len(messages) == 1
    assert all(word in messages[0] for word in ("2 of 4", "'not_applicable'", "'questionable'"))


def test_a_topic_of_documents_that_failed_stays_in_the_mean(tmp_path: Path) -> None:
    failed = {**judged("d1", "failed", "failed"), "qid": "8"}
    path = written(tmp_path, lines([judged("d1", "support", "not_support"), failed]), "a.jsonl")
    with pytest.warns(DivmetricsWarning, match="2 of 4"):
        frame = dm.evaluate(path, {"7": ["d1"], "8": ["d1"]}, "Coverage@2")
    assert frame.score.tolist() == [0.5, 0.0]


def test_an_importance_without_a_weight_weighs_nothing(tmp_path: Path) -> None:
    bank = written(tmp_path, lines([answer("1", [("vital", ""), ("okay", ""), ("", ""), ("x", "")])]))
    with pytest.warns(DivmetricsWarning, match=r"2 of 4 nuggets .*\(1 'unknown' and 1 'x'\)"):
        (topic,) = read_topics(bank, "vital=2,okay=1")
    assert [intent.probability for intent in topic.intents] == pytest.approx([2 / 3, 1 / 3, 0, 0])
    assert "1 of 4 nuggets have no weight (1 'okay'" in refused(
        lambda path: read_topics(path, "vital=1"), bank
    )


def test_nuggets_without_a_weight_are_counted_together(tmp_path: Path) -> None:
    weighted: Nuggets = [("vital", ""), ("okay", "")]
    bare = answer("2", [("okay", ""), ("okay", "")])
    bare["nuggets"] = [{"text": nugget["text"]} for nugget in bare["nuggets"]] + [{"text": "third"}]
    bank = written(tmp_path, lines([answer("1", weighted), bare]))
    sentence = refused(lambda path: read_topics(path, "vital=1"), bank)
    assert "4 of 5 nuggets have no weight (3 without importance and 1 'okay'; the first is" in sentence
    assert "fill the importance in and give the others a weight, too, or leave the weights out" in sentence


def test_query_id_names_the_topic_as_qid_does(tmp_path: Path) -> None:
    """Not FreshStack's rows: their nuggets have ids, and neither labels nor documents stand beside them."""
    renamed = answer("1", MIXED)
    renamed["query_id"] = renamed.pop("qid")
    path = written(tmp_path, lines([renamed]))
    assert scores(path) == scores(written(tmp_path, lines([answer("1", MIXED)]), path.name))
    of_document = {"query_id": "1", "docid": "d", "nuggets": renamed["nuggets"]}
    assert read_qrels(written(tmp_path, lines([of_document]))).doc.tolist() == ["d"] * 3
    bank = {"query_id": "1", "nuggets": [{"text": "x", "importance": "vital"}]}
    (topic,) = read_topics(written(tmp_path, lines([bank])))
    assert [intent.importance for intent in topic.intents] == ["vital"]


@pytest.fixture
def two_files(tmp_path: Path) -> list[Path]:
    """Return files of two runs, whose nuggets stand in different orders."""
    first = written(tmp_path, lines([answer("1", MIXED, "R"), answer("2", MIXED, "R")]), "r.jsonl")
    other = [answer("1", [("vital", "support"), *MIXED[1:]], "S"), answer("2", [], "S")]
    other[0]["nuggets"].reverse()
    return [first, written(tmp_path, lines(other), "s.jsonl")]


def test_several_files_of_answers_are_scored_as_one_file(
    tmp_path: Path, two_files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    together = written(tmp_path, "".join(path.read_text() for path in two_files), "all.jsonl")
    expected = dm.evaluate(together, None, "nuggetizer:W").values.tolist()
    assert {run for run, *_ in expected} == {"R", "S"}
    first, second = two_files
    for qrels, runs in ((two_files, None), (first, second), (first, [second]), ((first,), (str(second),))):
        assert dm.evaluate(qrels, runs, "nuggetizer:W").values.tolist() == expected
    assert main(["evaluate", str(first), str(second), "-m", "nuggetizer:W"]) == 0
    printed = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    assert [[*ids, float(score)] for *ids, score in printed] == expected


def test_several_files_of_which_one_holds_no_answers(tmp_path: Path, two_files: list[Path]) -> None:
    lines_of_trec = written(tmp_path, "1 1 d 1\n", "qrels")
    sentence = refused(lambda path: dm.evaluate([two_files[0], path], None, "nuggetizer:W"), lines_of_trec)
    assert sentence.startswith(": is one of several files of judgments; expected one, or nuggetizer's")


def test_a_call_without_runs_scores_the_answers(two_files: list[Path]) -> None:
    assert dm.evaluate(two_files[0], metrics=["nuggetizer:A"])["run"].tolist() == ["R", "R"]
    with pytest.raises(DivmetricsError, match="no runs were given"):
        dm.evaluate({"q": {"d": {"1": 1}}}, metrics=["ERR-IA"])
    with pytest.raises(DivmetricsError, match="no metric was asked for"):
        dm.evaluate(two_files[0])


@pytest.mark.parametrize("level", [1, 2])
def test_a_level_that_changes_nothing(
    two_files: list[Path], level: Literal[1, 2], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.warns(DivmetricsWarning, match=f"level={level} has no effect: no topic has subtopics on two"):
        dm.evaluate(two_files[0], None, "nuggetizer:V", level=level)
    assert main(["evaluate", str(two_files[0]), "-m", "nuggetizer:V_strict", "--level", str(level)]) == 0
    printed = capsys.readouterr().err
    assert f"warning: --level {level} has no effect" in printed
    assert f"as in nuggetizer:V_strict(level={level})" in printed


def groups(*sizes: int) -> list[dict[str, Any]]:
    """Return a bank of vital nuggets (the first of each group) and okay ones in sub-narratives."""
    members = [
        {
            "text": f"{g}.{n}",
            "importance": "vital" if n == 0 else "okay",
            "mapped_sub_narrative": f"group {g}",
        }
        for g, size in enumerate(sizes)
        for n in range(size)
    ]
    return [{"qid": "7", "query": "q", "nuggets": members}]


def without_groups(bank: list[dict[str, Any]], supported: set[str]) -> dict[str, Any]:
    labels = {True: "support", False: "not_support"}
    own = [
        {"text": n["text"], "importance": n["importance"], "assignment": labels[n["text"] in supported]}
        for n in bank[0]["nuggets"]
    ]
    return {"qid": "7", "query": "q", "docid": "d", "nuggets": own}


@pytest.mark.parametrize("metric", ["Coverage@5", "alpha-nDCG@5", "ERR-IA@5", "nuggetizer:V", "D#-nDCG@5"])
def test_metrics_measure_nuggets_also_in_groups(tmp_path: Path, metric: str) -> None:
    """7 of 11 nuggets are found, and each of the three groups."""
    bank = groups(2, 4, 5)
    covered = {"0.0", "1.0", "1.1", "1.2", "2.1", "2.2", "2.3"}
    topics = written(tmp_path, lines(bank), "bank.jsonl")
    qrels = written(tmp_path, lines([without_groups(bank, covered)]), "a.jsonl")
    run = {"7": ["d"]}

    def score(**more: Any) -> float:
        return float(dm.evaluate(qrels, run, metric, **more).score[0])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = score()
    with pytest.warns(DivmetricsWarning, match="measured over 11 nuggets, not over the 3 groups"):
        assert score(topics=topics) == pytest.approx(plain, abs=1e-12)
    if metric == "Coverage@5":
        assert plain == pytest.approx(7 / 11)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert score(topics=topics, level=1) == 1.0
        assert not any("nuggets" in str(warning.message) for warning in caught)
        words = dm.explain_in_words(metric, qrels, run, "7", topics=topics)
        assert words.startswith(
            "Coverage@5 of list run for topic 7 (q) = 0.6364".replace("Coverage", "S-recall")
        )


def test_the_intent_square_form_keeps_both_levels(tmp_path: Path) -> None:
    bank = groups(2, 4)
    topics = written(tmp_path, lines(bank), "bank.jsonl")
    qrels = written(tmp_path, lines([without_groups(bank, {"0.0", "1.0"})]), "a.jsonl")
    frame = dm.evaluate(qrels, {"7": ["d"]}, ["S-recall-IS@5", "S-recall@5"], topics=topics)
    assert frame.score.tolist() == pytest.approx([(1 / 2 + 1 / 4) / 2, 2 / 6])


def test_level_2_of_other_topics() -> None:
    """With level=2, second-level subtopics are the intents, each with p(t|q) p(e|t,q)."""
    below = (dm.Intent("a", 0.25), dm.Intent("b", 0.75))
    topic = dm.Topic("q", (dm.Intent("film", 0.6, children=below), dm.Intent("book", 0.4)))
    judgments = {"d": {("film", "b"): 1}, "e": {"book": 1}}
    collection = dm.Collection.of([topic], {"q": judgments}, {"r": {"q": ["d", "e"]}})
    first = dm.evaluate(collection, None, "P-IA@1").score[0]
    second = dm.evaluate(collection, None, "P-IA@1", level=2).score[0]
    assert (first, second) == pytest.approx((0.6, 0.45))
    with pytest.raises(DivmetricsError, match="level is 3, expected"):
        dm.evaluate(collection, None, "P-IA@1", level=3)  # type: ignore[arg-type]
    with pytest.raises(DivmetricsError, match="level is 0, expected"):
        dm.explain("P-IA@1", collection, "r", "q", level=0)  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", ["Coverage@5", "alpha-nDCG@5"])
def test_weights_that_a_metric_ignores_are_said(tmp_path: Path, metric: str) -> None:
    entries = [judged("d1", "support", "not_support")]
    path = written(tmp_path, lines(entries), "a.jsonl")
    topics = read_topics(path, "vital=2,okay=1")
    with pytest.warns(DivmetricsWarning, match="weights of importance are ignored; nuggetizer:W_strict"):
        dm.evaluate(path, {"7": ["d1"]}, metric, topics=topics)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # these weigh, or need not
        frame = dm.evaluate(path, {"7": ["d1"]}, ["nuggetizer:W_strict(level=1)", "P-IA@1"], topics=topics)
        dm.evaluate(path, {"7": ["d1"]}, metric, topics=read_topics(path, "uniform"))
    assert frame.score.tolist() == pytest.approx([2 / 3, 2 / 3])


@pytest.mark.parametrize(
    ("metric", "score", "way_out"),
    [
        ("nuggetizer:V_strict", 0, "nuggetizer:V_strict(level=1)"),
        ("crux:Cov@5", 0, "crux:Cov(level=1)"),
        ("nuggetizer:A", 0.5, "nuggetizer:A(full=1)"),
    ],
)
def test_grades_below_the_level_of_a_metric(metric: str, score: float, way_out: str) -> None:
    """Binary judgments reach neither grade 2 (support) nor the 3 of crux: said, with the setting."""
    judgments, run = {"1": {"a": {"1": 1}, "b": {"2": 1}}}, {"1": ["a", "b"]}
    with pytest.warns(DivmetricsWarning) as caught:
        assert dm.evaluate(judgments, run, metric).score.tolist() == [score]
    (warning,) = caught
    assert "the highest grade is 1" in str(warning.message)
    assert way_out in str(warning.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dm.evaluate(judgments, run, way_out).score.tolist() == [1]


ANSWERS = {
    "2024": {"run_id": "R", "topic_id": "1", "references": ["d2", "d1"], "answer": [{"text": "..."}]},
    "2025": {"metadata": {"run_id": "R", "narrative_id": 1}, "references": ["d2", "d1"], "answer": []},
    "reports": {"metadata": {"run_id": "R", "topic_id": "1"}, "responses": [], "references": ["d2", "d1"]},
}


@pytest.mark.parametrize("form", ANSWERS)
def test_references_of_answers_are_a_run(tmp_path: Path, form: str) -> None:
    frame = read_run(written(tmp_path, lines([ANSWERS[form]]), "a.jsonl"))
    assert frame[["run", "topic", "doc", "rank"]].to_numpy().tolist() == [
        ["R", "1", "d2", 1],
        ["R", "1", "d1", 2],
    ]


def test_candidates_are_a_run(tmp_path: Path) -> None:
    entry = {"query": {"qid": "1", "text": "q"}, "candidates": [{"docid": "d2"}, {"docid": "d1"}]}
    frame = read_run(written(tmp_path, lines([entry]), "pool.jsonl"))
    assert frame[["run", "topic", "doc"]].to_numpy().tolist() == [["pool", "1", "d2"], ["pool", "1", "d1"]]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([answer("1", MIXED)], ":1: assigns nuggets, which are judgments"),
        ([ANSWERS["2024"], {**ANSWERS["2024"], "run_id": "S"}], ":2: belongs to run 'S', others of the file"),
        ([{**ANSWERS["2024"], "references": []}], ": lists no document"),
        ([{**ANSWERS["2024"], "references": ["d", "d"]}], ", topic 1: "),
        ([{"query": "q", "candidates": [{"docid": "d"}]}], ":1: has 'q' as query"),
    ],
)
def test_runs_that_are_refused(tmp_path: Path, entries: list[Any], message: str) -> None:
    assert refused(read_run, written(tmp_path, lines(entries), "a.jsonl")).startswith(message)


@pytest.mark.parametrize("run", ["command-r-plus", "gpt4o", "l31_70b_instruct"])
def test_the_stored_scores_of_pyterrier_nuggetizer(research_files: Path, run: str) -> None:
    """301 answers to TREC RAG 2024 topics with six scores each, and their means, from files as they are.

    The folders data/assignments and data/metrics of NamaWho/pyterrier-nuggetizer (2b835803).
    """
    folder = research_files / "data" / "pyterrier-nuggetizer"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    by_metric, _ = scores(folder / "assignments" / f"baseline_rag24.test_{run}_top20.jsonl")
    name = f"baseline_rag24.test_{run.replace('gpt4o', 'gpt_4o')}_top20.jsonl"
    stored = [json.loads(line) for line in (folder / "metrics" / name).read_text("utf-8").splitlines()]
    assert len(stored) == 302
    for ours, theirs in zip(SCORES, STORED, strict=True):
        own = by_metric[ours]
        assert [*own, sum(own) / len(own)] == pytest.approx([row[theirs] for row in stored], abs=1e-9)
