"""Nugget files: what is read from each of them, and one sentence for everything that cannot be."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.cli import main
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import load_qrel_columns, load_run_columns, read_qrels, read_run, read_topics
from tests.support.refused_files import refused, written
from tests.support.strategies import quick

OKAY, VITAL = {"importance": "okay"}, {"importance": "vital"}
BANK: dict[str, Any] = {
    "qid": "58",
    "query": "tides",
    "nuggets": [
        {"text": "the moon pulls", "mapped_sub_narrative": '"causes"', "source": "original", **VITAL},
        {"text": "the sun pulls", "mapped_sub_narrative": "causes", "source": "post-edit", **OKAY},
        {"text": "mills turn", "mapped_sub_narrative": "uses", "source": "original", **OKAY},
    ],
}


def assigned(doc: str, *assignments: str, qid: str = "58") -> dict[str, Any]:
    """A line of nuggetizer's: a document and how it supports the nuggets of the bank."""
    nuggets = [
        {"text": nugget["text"], "importance": nugget["importance"], "assignment": assignment}
        for nugget, assignment in zip(BANK["nuggets"], assignments, strict=True)
    ]
    return {"text": "tides", "qid": qid, "candidate_text": "...", "docid": doc, "nuggets": nuggets}


ASSIGNED = [
    assigned("d1", "support", "not_support", "partial_support"),
    assigned("d2", "not_support", "support", "not_support"),
]
ROWS = [
    {
        "query_id": 76,
        "query_title": "tides",
        "query_text": "why?",
        "nuggets": [
            {
                "_id": "76_1",
                "text": "moon",
                "relevant_corpus_ids": ["a", "b"],
                "non_relevant_corpus_ids": ["c"],
            },
            {"_id": "76_10", "text": "sun", "relevant_corpus_ids": ["c"], "non_relevant_corpus_ids": []},
            {"_id": "76_2", "text": "wind", "relevant_corpus_ids": [], "non_relevant_corpus_ids": []},
        ],
    },
    {
        "query_id": "7",
        "nuggets": [
            {"_id": "7_0", "text": "mill", "relevant_corpus_ids": ["a"], "non_relevant_corpus_ids": ["b"]}
        ],
    },
]
QRELS_NUGGETS = {"76_1": {"a": 1, "b": 1, "c": 0}, "76_10": {"c": 1}, "76_2": {}, "7_0": {"a": 1, "b": 0}}
QUERY_TO_NUGGETS = {"76": ["76_1", "76_10", "76_2"], "7": ["7_0"]}
RESULTS = {"76": {"b": 0.5, "a": 0.9, "x y": 0.5}, "7": {"b": 2}}
NUGGET_BANK = {
    "query_id": "9",
    "title_query": "tides",
    "format_version": "v3",
    "nugget_bank": {
        "What pulls?": {
            "question": "What pulls?",
            "question_id": "f0",
            "answers": {
                "moon": {"answer": "moon", "references": [{"doc_id": "d1"}, {"doc_id": "d2"}]},
                "sun": {"answer": "sun", "references": ["d2"]},
            },
        },
        "What for?": {"question": "What for?", "sub_nuggets": [{"claim": "mills", "references": ["d3"]}]},
    },
    "claim_bank": [{"claim": "Twice a day", "references": ["d1"]}],
}
OLDER = {
    "What pulls?": ["OR", {"moon": ["d1", "d2"], "sun": ["d2"]}],
    "What for?": ["AND", {"mills": ["d3"]}],
}


def lines(entries: list[Any]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def changed(entry: Any, *path: Any, to: Any = None, without: bool = False) -> Any:
    """A copy of a JSON value with another value, or none, at a place."""
    copy = json.loads(json.dumps(entry))
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    if without:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return copy


# ------------------------------------------------------------------------------------------ nuggetizer


def test_assignments_are_grades(tmp_path: Path) -> None:
    frame = read_qrels(written(tmp_path, lines(ASSIGNED)))
    assert frame.to_numpy().tolist() == [
        ["58", "1", "d1", 2],
        ["58", "2", "d1", 0],
        ["58", "3", "d1", 1],
        ["58", "1", "d2", 0],
        ["58", "2", "d2", 2],
        ["58", "3", "d2", 0],
    ]


def test_sub_narratives_are_the_first_level(tmp_path: Path) -> None:
    bank = written(tmp_path, lines([BANK]), "bank.jsonl")
    (topic,) = read_topics(bank, "uniform")
    assert (topic.id, topic.title) == ("58", "tides")
    assert [(t.id, t.label, t.probability) for t in topic.intents] == [
        ("1", "causes", 0.5),
        ("2", "uses", 0.5),
    ]
    assert [(e.id, e.label, e.probability) for t in topic.intents for e in t.children] == [
        ("1", "the moon pulls", 0.5),
        ("2", "the sun pulls", 0.5),
        ("1", "mills turn", 1.0),
    ]
    frame = read_qrels(written(tmp_path, lines(ASSIGNED)), bank)
    assert frame[frame["grade"] > 0].to_numpy().tolist() == [
        ["58", "1", "1", "d1", 2],
        ["58", "2", "1", "d1", 1],
        ["58", "1", "2", "d2", 2],
    ]
    collection = dm.load_collection(tmp_path / "file.txt", read_topics(bank, "uniform"))
    pool = collection.pools["58"]
    assert pool.subtopic_grades is not None
    assert (pool.grades.tolist(), pool.subtopic_grades.tolist()) == (
        [[2, 2], [1, 0]],
        [[2, 0], [0, 2], [1, 0]],
    )
    scores = dm.evaluate(collection, dm.RankedList(pool.topic, ["d1", "d2"], pool), ["ERR-IS@2"])
    assert scores.score.tolist() == pytest.approx([(0.75 + 0.75 / 2) / 4 + 0.25 / 2])


def test_importance_counts_where_it_is_said(tmp_path: Path) -> None:
    bank = written(tmp_path, lines([BANK]), "bank.jsonl")
    assert read_topics(bank) == read_topics(bank, "uniform")
    (topic,) = read_topics(bank, "vital=2,okay=1")
    assert [t.probability for t in topic.intents] == [0.75, 0.25]
    assert [e.probability for t in topic.intents for e in t.children] == [2 / 3, 1 / 3, 1.0]
    (topic,) = read_topics(bank, " vital = 1 , okay = 0 ")
    assert [t.probability for t in topic.intents] == [1.0, 0.0]
    assert [e.probability for t in topic.intents for e in t.children] == [1.0, 0.0, 1.0]
    (topic,) = read_topics(bank, "flat")
    assert [(t.label, t.children) for t in topic.intents] == [("causes", ()), ("uses", ())]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("vital=2", "2 of 3 nuggets have no weight (2 'okay'; the first is 'the sun pulls' of topic 58)"),
        ("vital=0,okay=0", "has no nugget with a weight above 0"),
        ("normalise", "neither probabilities nor an order that probabilities='normalise' could use"),
    ],
)
def test_weights_that_do_not_fit(tmp_path: Path, weights: str, message: str) -> None:
    bank = written(tmp_path, lines([BANK]), "bank.jsonl")
    assert message in refused(lambda path: read_topics(path, weights), bank)


@pytest.mark.parametrize("weights", ["vital=", "vital=2,vital=1", "vital=-1", "=2", "vital=1e400", "a=1;b=2"])
def test_weights_that_cannot_be_read(tmp_path: Path, weights: str) -> None:
    bank = written(tmp_path, lines([BANK]))
    with pytest.raises(DivmetricsError, match="cannot be read; expected weights of importance such as"):
        read_topics(bank, weights)


def test_weights_of_what_has_no_importance(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 0.5\n1 2 0.5\n")
    assert "has no nuggets that probabilities='vital=2' could weigh" in refused(
        lambda p: read_topics(p, "vital=2"), path
    )
    rows = written(tmp_path, lines(ROWS))
    assert "(4 without importance; the first is " in refused(lambda p: read_topics(p, "vital=2"), rows)


def test_weights_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The judgments' own file may be the topics file: there its weights are said."""
    judged = str(written(tmp_path, lines(ASSIGNED), "nuggets.jsonl"))
    run = str(written(tmp_path, "58 Q0 d1 0 2 r\n58 Q0 d2 0 1 r\n", "run.txt"))
    options = ["evaluate", judged, run, "-m", "P-IA@1"]
    scores = []
    for weights in ([], ["--topics", judged, "--probabilities", "vital=2,okay=1"]):
        assert main([*options, *weights]) == 0
        out, err = capsys.readouterr()
        scores.append(float(out.strip().rsplit(",", 1)[1]))
        assert ("taken to be equally probable" in err) == (not weights)
    assert scores == pytest.approx([2 / 3, 3 / 4])
    assert main([*options, "--topics", judged, "--probabilities", "unifrom"]) == 2
    assert "did you mean 'uniform'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("letters", "strict_vital", "strict_all", "vital", "every"),
    [
        ("o2o0v2v1v0v2", 0.5, 0.5, 0.625, 0.5833333333333334),
        ("v1o2v2o2v2v0", 0.5, 0.6666666666666666, 0.625, 0.75),
        ("o2v2v1o2v0o0", 0.3333333333333333, 0.5, 0.5, 0.5833333333333334),
        ("v2v1v0v0v0v1", 0.16666666666666666, 0.16666666666666666, 0.3333333333333333, 0.3333333333333333),
    ],
)
def test_scores_of_the_package_nuggetizer(
    tmp_path: Path, letters: str, strict_vital: float, strict_all: float, vital: float, every: float
) -> None:
    """The scores of nuggetizer 0.0.5 (calculate_nugget_scores; random.Random(7)) are metrics of one document.

    vital counts vital nuggets only (okay=0); strict counts full support only (relevance level 2); a partial
    support is worth a half, as in RBP's linear gain.
    """
    words = {"v": VITAL, "o": OKAY}
    nuggets = [
        {"text": str(i), **words[letters[i]], "assignment": GRADES[int(letters[i + 1])]}
        for i in range(0, len(letters), 2)
    ]
    path = written(tmp_path, lines([{"qid": "q", "docid": "d", "nuggets": nuggets}]))
    run = dm.Run.of("r", {"q": ["d"]})

    def score(metric: str, weights: str, relevance_level: int = 1) -> float:
        topics = read_topics(path, weights)
        scores = dm.evaluate(path, run, [metric], topics=topics, relevance_level=relevance_level, scale=2)
        return float(scores.score[0])

    only_vital = "vital=1,okay=0"
    assert score("P-IA@1", only_vital, 2) == pytest.approx(strict_vital)
    assert score("Coverage@1", "uniform", 2) == pytest.approx(strict_all)
    assert 2 * score("RBP-IA(phi=0.5)@1", only_vital) == pytest.approx(vital)
    assert 2 * score("RBP-IA(phi=0.5)@1", "uniform") == pytest.approx(every)


def test_failed_assignments_are_not_judged(tmp_path: Path) -> None:
    path = written(tmp_path, lines([*ASSIGNED, assigned("d3", "failed", "support", "failed")]))
    with pytest.warns(DivmetricsWarning, match=r"2 of 9 assignment\(s\) .* are left out, as if not judged"):
        frame = read_qrels(path)
    assert frame[frame["doc"] == "d3"].to_numpy().tolist() == [["58", "2", "d3", 2]]


def test_equal_texts_are_told_by_their_place(tmp_path: Path) -> None:
    """A model may write a nugget twice; the second of a line is the second of the topic."""
    twice = [changed(entry, "nuggets", 1, "text", to="the moon pulls") for entry in ASSIGNED]
    frame = read_qrels(written(tmp_path, lines(twice)))
    assert frame["intent"].tolist() == ["1", "2", "3"] * 2
    bank = changed(BANK, "nuggets", 1, "text", to="the moon pulls")
    with_topics = read_qrels(tmp_path / "file.txt", written(tmp_path, lines([bank]), "bank.jsonl"))
    assert with_topics["subtopic"].tolist() == ["1", "2", "1"] * 2


def test_a_judgment_twice(tmp_path: Path) -> None:
    with pytest.warns(DivmetricsWarning, match=r"3 judgment\(s\) repeat an earlier one"):
        assert len(read_qrels(written(tmp_path, lines([ASSIGNED[0], ASSIGNED[0]])))) == 3


BAD_ASSIGNMENTS: dict[str, tuple[str, str]] = {
    "broken": ('{"qid": "58", "nuggets": [}', ":1: is not JSON (Expecting value)"),
    "broken below": (lines(ASSIGNED) + "{", ":3: is not JSON ("),
    "a word below": (lines(ASSIGNED) + "\nnothing", ":4: is not JSON (Expecting value)"),
    "a number below": (lines(ASSIGNED) + "5", ":3: 5 is not a JSON object"),
    "a name twice": (
        lines(ASSIGNED) + '{"qid": "1", "qid": "2", "docid": "d", "nuggets": []}',
        ":3: is not JSON ('qid' is given twice in one object)",
    ),
    "not UTF-8": (lines(ASSIGNED) + "\udcff", ":3: is not UTF-8"),
    "a deep one": (lines(ASSIGNED) + '{"qid":' + "[" * 100_000, ":3: is not JSON ("),
    "a list without end": ("[" + json.dumps(ASSIGNED[0]), ":1: is not JSON (a list breaks off)"),
    "more than a list": (json.dumps(ASSIGNED) + "{}", ":1: is not JSON (one list, closed at the end)"),
    "an empty list": ("[{}]", ": is JSON of a form that is not known here"),
    "no qid": (lines([changed(ASSIGNED[0], "qid", without=True)]), ":1: has no qid"),
    "an empty qid": (lines([changed(ASSIGNED[0], "qid", to=" ")]), ":1: has an empty qid"),
    "a fraction as qid": (
        lines([changed(ASSIGNED[0], "qid", to=1.5)]),
        ":1: has 1.5 as qid, which is not a text",
    ),
    "an empty docid": (lines([changed(ASSIGNED[0], "docid", to="")]), ":1: has an empty docid"),
    "nuggets as text": (lines([changed(ASSIGNED[0], "nuggets", to="a")]), ":1: has 'a' as nuggets"),
    "a nugget as text": (
        lines([changed(ASSIGNED[0], "nuggets", 1, to="moon")]),
        ":1: has 'moon' as nugget 2, which is not an object",
    ),
    "no text": (
        lines([changed(ASSIGNED[0], "nuggets", 1, "text", without=True)]),
        ":1: nugget 2 has no text",
    ),
    "half a character": (
        lines([changed(ASSIGNED[0], "nuggets", 1, "text", to="\ud800")]),
        ":1: nugget 2 has half a character in text",
    ),
    "no assignment": (
        lines([ASSIGNED[0], changed(ASSIGNED[1], "nuggets", 0, "assignment", without=True)]),
        ":2: nugget 1 has no assignment",
    ),
    "two assignments": (
        lines([assigned("d1", *["support"] * 3), assigned("d1", *["not_support"] * 3)]),
        ":2: topic 58, intent 1, document 'd1' has grade 0 but grade 2 at ",
    ),
    "a bank": (lines([BANK]), ":1: has nuggets but no docid: no document is judged"),
    "a pool": (
        lines([{"query": {"qid": "58", "text": "tides"}, "candidates": [{"docid": "d1"}]}]),
        ":1: holds documents to which no nuggets are assigned yet",
    ),
    "some sub-narratives": (
        lines([{**BANK, "docid": "d", "nuggets": [BANK["nuggets"][0], {"text": "x"}]}]),
        ":1: nugget 2 has no mapped_sub_narrative, but others of its topic do",
    ),
}


@pytest.mark.parametrize("case", BAD_ASSIGNMENTS)
def test_bad_assignments(tmp_path: Path, case: str) -> None:
    content, message = BAD_ASSIGNMENTS[case]
    path = written(tmp_path, content.encode(errors="surrogateescape"))
    assert refused(load_qrel_columns, path).startswith(message)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (changed(BANK, "nuggets", 0, "text", to="the moon pulls!"), "(did you mean 'the moon pulls!'?)"),
        (changed(BANK, "qid", to="59"), "which is not among the topics given"),
    ],
)
def test_assignments_of_other_nuggets(tmp_path: Path, other: Any, message: str) -> None:
    bank = written(tmp_path, lines([other]), "bank.jsonl")
    sentence = refused(lambda path: load_qrel_columns(path, bank), written(tmp_path, lines(ASSIGNED)))
    assert sentence.startswith(":1: nugget 1 ('the moon pulls') is not a nugget of topic 58")
    assert message in sentence


def test_a_bank_gives_a_topic_once(tmp_path: Path) -> None:
    sentence = refused(read_topics, written(tmp_path, lines([BANK, BANK])))
    assert sentence.startswith(":2: topic 58 is given again (first at ")


# ------------------------------------------------------------------------------------------ FreshStack


def test_freshstack_rows(tmp_path: Path) -> None:
    path = written(tmp_path, lines(ROWS))
    collection = dm.load_collection(path)
    assert [topic.id for topic in collection.topics] == ["76", "7"]
    pool = collection.pools["76"]
    assert (pool.docs, pool.grades.tolist()) == (("a", "b", "c"), [[1, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert [(t.id, t.label, t.probability) for t in pool.topic.intents] == [
        ("76_1", "moon", 1 / 3),
        ("76_10", "sun", 1 / 3),
        ("76_2", "wind", 1 / 3),
    ]
    assert pool.topic.title == "tides"
    assert read_topics(path) == collection.topics
    assert same(dm.load_collection(written(tmp_path, json.dumps(ROWS, indent=2), "rows.json")), collection)


def test_freshstack_dictionaries(tmp_path: Path) -> None:
    """A query's nuggets are its own, also where its id begins another's: 7 and 76, 76_1 and 76_10."""
    rows = dm.load_collection(written(tmp_path, lines(ROWS), "rows.jsonl"))
    nuggets = written(tmp_path, json.dumps(QRELS_NUGGETS), "qrels_nuggets.json")
    assert same(dm.load_collection(nuggets), rows)
    queries = written(tmp_path, json.dumps(QUERY_TO_NUGGETS), "query_to_nuggets.json")
    assert same(dm.load_collection(nuggets, queries), rows)
    run = written(tmp_path, json.dumps({"76": {"b": 0.5, "a": 0.9}, "7": {"b": 2}}), "mine.json")
    scores = dm.evaluate(nuggets, run, ["S-recall@20"])
    assert scores.score.tolist() == pytest.approx([1 / 3, 0.0])


def same(one: dm.Collection, other: dm.Collection) -> bool:
    """Whether two collections judge the same documents for the same intents."""
    return list(one.pools) == list(other.pools) and all(
        a.docs == b.docs
        and np.array_equal(a.grades, b.grades)
        and [(t.id, t.probability) for t in a.topic.intents]
        == [(t.id, t.probability) for t in b.topic.intents]
        and (a.subtopic_grades is None) == (b.subtopic_grades is None)
        and (a.subtopic_grades is None or np.array_equal(a.subtopic_grades, b.subtopic_grades))
        for a, b in zip(one.pools.values(), other.pools.values(), strict=True)
    )


def test_results_are_a_run(tmp_path: Path) -> None:
    frame = read_run(written(tmp_path, json.dumps(RESULTS), "mine.json"))
    assert frame.to_numpy().tolist() == [
        ["mine", "76", "b", 2, 0.5],
        ["mine", "76", "a", 1, 0.9],
        ["mine", "76", "x y", 3, 0.5],
        ["mine", "7", "b", 1, 2.0],
    ]


def test_ranks_that_are_all_0(tmp_path: Path) -> None:
    """FreshStack's package writes rank 0 on every line; the file's order then decides, or the score."""
    run = written(tmp_path, "76 Q0 c 0 3.5 r\n76 Q0 a 0 2.5 r\n76 Q0 b 0 1.5 r\n")
    for order in ("rank", "score", "file"):
        assert dm.load_runs(run, order)[0].list("76") == ("c", "a", "b")


def nugget(row: int, number: int, key: str, **change: Any) -> str:
    return lines([changed(ROWS[row], "nuggets", number, key, **change)])


BAD_FRESHSTACK: dict[str, tuple[str, str]] = {
    "no nuggets": (lines([{"query_id": "1", "nuggets": None}]), ":1: has no nuggets"),
    "an empty query_id": (lines([changed(ROWS[0], "query_id", to="")]), ":1: has an empty query_id"),
    "no query_id below": (
        lines([ROWS[0], changed(ROWS[1], "query_id", without=True)]),
        ":2: has no query_id",
    ),
    "no _id": (nugget(0, 0, "_id", without=True), ":1: nugget 1 has no _id"),
    "true as _id": (nugget(0, 0, "_id", to=True), ":1: nugget 1 has True as _id, which is not a text"),
    "text as a number": (nugget(0, 0, "text", to=5), ":1: nugget 1 has 5 as text, which is not a text"),
    "one list missing": (
        nugget(0, 1, "non_relevant_corpus_ids", without=True),
        ":1: nugget 2 has no non_relevant_corpus_ids",
    ),
    "a list as text": (
        nugget(0, 1, "relevant_corpus_ids", to="abc"),
        ":1: nugget 2 has 'abc' as relevant_corpus_ids, which is not a list",
    ),
    "a document as object": (
        nugget(0, 1, "relevant_corpus_ids", to=["a", {}]),
        ":1: nugget 2 has {} as entry 2 of relevant_corpus_ids, which is not a text",
    ),
    "an empty document": (
        nugget(0, 1, "relevant_corpus_ids", to=[""]),
        ":1: nugget 2 has an empty entry 1 of relevant_corpus_ids",
    ),
    "both relevant and not": (
        nugget(0, 0, "non_relevant_corpus_ids", to=["a"]),
        ":1: topic 76, intent 76_1, document 'a' has grade 0 but grade 1 at ",
    ),
    "nobody judged": (
        lines([{"query_id": "1", "nuggets": []}]),
        ": judges no document for any nugget",
    ),
    "ids that name no query": (
        json.dumps({"76": {"a": 1}}),
        ": judgments: no judgment names its subtopic",
    ),
    "scores": (json.dumps({"76_1": {"a": 0.5}}), ":1: nugget '76_1' judges document 'a' with 0.5"),
    "a truth": (json.dumps({"76_1": {"a": True}}), ":1: nugget '76_1' judges document 'a' with True"),
    "65 bits": (json.dumps({"76_1": {"a": 2**63}}), ":1: nugget '76_1' has the grade"),
    "no documents": (json.dumps({"76_1": {}}), ":1: judges no document for any nugget"),
    "an empty document below": (json.dumps({"76_1": {"": 1}}), ":1: nugget '76_1' has an empty id"),
    "two objects": (
        lines([QRELS_NUGGETS, QRELS_NUGGETS]),
        ":2: is a second object; expected FreshStack's qrels_nuggets",
    ),
    "queries only": (json.dumps(QUERY_TO_NUGGETS), ": lists documents or nuggets, but no judgments"),
    "a nugget twice": ('{"76_1": {"a": 1}, "76_1": {"b": 1}}', ":1: is not JSON ('76_1' is given twice"),
    "IMine's topics": ('[{"id": 1, "fls": []}]', ": holds topics, not judgments"),
    "another form": ('{"76": 1}', ": is JSON of a form that is not known here"),
}


@pytest.mark.parametrize("case", BAD_FRESHSTACK)
def test_bad_freshstack(tmp_path: Path, case: str) -> None:
    content, message = BAD_FRESHSTACK[case]
    assert refused(load_qrel_columns, written(tmp_path, content)).startswith(message)


def test_grades_of_freshstack_may_be_whole_floats(tmp_path: Path) -> None:
    (pool,) = dm.load_collection(written(tmp_path, '{"76_1": {"a": 1.0, "b": 0.0}}')).pools.values()
    assert (pool.docs, pool.grades.tolist()) == (("a", "b"), [[1, 0]])


def test_freshstack_topics_that_do_not_fit(tmp_path: Path) -> None:
    nuggets = written(tmp_path, json.dumps(QRELS_NUGGETS), "qrels_nuggets.json")
    queries = written(tmp_path, json.dumps({"76": ["76_1", "76_2"]}))
    assert refused(lambda path: load_qrel_columns(path, queries), nuggets).startswith(
        ":1: nugget '76_10' belongs to none of the topics given"
    )
    both = written(tmp_path, json.dumps({"7": ["7_0", "76_1"], "76": ["76_1"]}))
    assert "gives nugget '76_1' to query 7 and to query 76" in refused(read_topics, both)
    twice = written(tmp_path, json.dumps({"7": ["7_0", "7_0"]}))
    with pytest.raises(DivmetricsError, match="intent '7_0' appears twice"):
        read_topics(twice)
    assert "topic 7 has no nuggets" in refused(read_topics, written(tmp_path, '{"7": [], "8": ["8_1"]}'))


BAD_RESULTS: dict[str, tuple[str, str]] = {
    "a text as score": ('{"1": {"a": "high"}}', ":1: query '1' gives document 'a' the score 'high'"),
    "not a number": ('{"1": {"a": NaN}}', ":1: query '1' gives document 'a' the score nan"),
    "infinite": ('{"1": {"a": -Infinity}}', ":1: query '1' gives document 'a' the score -inf"),
    "a truth": ('{"1": {"a": true}}', ":1: query '1' gives document 'a' the score True"),
    "too large": ('{"1": {"a": 1' + "0" * 400 + "}}", ":1: query '1' gives document 'a' the score 1000"),
    "no documents": ('{"1": {}}', ":1: lists no document"),
    "a document twice": ('{"1": {"a": 1, "a": 2}}', ":1: is not JSON ('a' is given twice in one object)"),
    "an empty topic": ('{"": {"a": 1}}', ":1: has an empty id"),
    "rows": (lines(ROWS), ": is JSON of a form that is not known here"),
    "broken": ('{"1": {"a": 1}', ":1: is not JSON ("),
}


@pytest.mark.parametrize("case", BAD_RESULTS)
def test_bad_results(tmp_path: Path, case: str) -> None:
    content, message = BAD_RESULTS[case]
    assert refused(load_run_columns, written(tmp_path, content)).startswith(message)


# ---------------------------------------------------------------------------------------- nugget banks


def test_nugget_banks(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(NUGGET_BANK, indent=2))
    collection = dm.load_collection(path)
    pool = collection.pools["9"]
    assert [(t.id, t.label) for t in pool.topic.intents] == [
        ("1", "What pulls?"),
        ("2", "What for?"),
        ("3", "Twice a day"),
    ]
    assert [(e.id, e.label) for e in pool.topic.intents[1].children] == [("1", "mills")]
    assert (pool.docs, pool.grades.tolist()) == (("d1", "d2", "d3"), [[1, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert pool.subtopic_grades is not None
    assert pool.subtopic_grades.tolist() == [[0, 0, 1]]
    assert read_topics(path) == collection.topics
    assert same(dm.load_collection(path, path), collection)


def test_nugget_banks_of_several_topics(tmp_path: Path) -> None:
    submitted = {
        "metadata": {"team_id": "t", "topic_id": "10", "run_id": "r"},
        "nugget_bank": [
            {
                "question": "Q?",
                "aggregator_type": "AND",
                "answers": [{"answer": "a", "references": ["d1", "d2"]}],
            },
            {"question": "R?", "aggregator_type": "OR", "answers": None},
        ],
    }
    collection = dm.load_collection(written(tmp_path, lines([NUGGET_BANK, submitted])))
    assert list(collection.pools) == ["9", "10"]
    assert collection.pools["10"].grades.tolist() == [[1, 1], [0, 0]]


def test_nuggets_that_need_several_answers_are_counted(tmp_path: Path) -> None:
    both = [{"answer": name, "references": [doc]} for name, doc in (("a", "d1"), ("b", "d2"))]
    questions = [
        {"question": mode, "aggregator_type": mode, "answers": answers}
        for mode, answers in (("AND", both), ("OR", both), ("AND", both[:1]))
    ]
    new = written(tmp_path, json.dumps({"query_id": "1", "nugget_bank": questions}), "bank.json")
    answers = {"a": ["d1"], "b": ["d2"]}
    old = written(tmp_path, json.dumps({"x": ["AND", answers], "y": ["OR", answers]}), "nuggets_1.json")
    for path in (new, old):
        with pytest.warns(DivmetricsWarning, match=r"1 nugget\(s\) need all of their answers"):
            dm.load_collection(path)


def test_nugget_banks_in_files_by_topic(tmp_path: Path) -> None:
    collection = dm.load_collection(written(tmp_path, json.dumps(OLDER, indent=4), "nuggets_9a.json"))
    assert collection.pools["9a"].grades.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert [t.label for t in collection.topics[0].intents] == list(OLDER)


def test_nugget_banks_in_a_folder(tmp_path: Path) -> None:
    written(tmp_path, json.dumps(OLDER), "nuggets_8.json")
    written(tmp_path, gzip.compress(json.dumps(NUGGET_BANK).encode()), "9.json.gz")
    written(tmp_path, "what these are", "README.md")
    collection = dm.load_collection(tmp_path)
    assert sorted(collection.pools) == ["8", "9"]
    assert read_topics(tmp_path) == collection.topics
    assert len(read_qrels(tmp_path)) == 7
    stray = written(tmp_path, lines(ROWS), "other.jsonl")
    with pytest.raises(DivmetricsError, match=r"other\.jsonl: is not a nugget bank, but is in the folder"):
        load_qrel_columns(tmp_path)
    stray.unlink()
    written(tmp_path, json.dumps(OLDER), "nuggets_9.json")
    assert ": topic 9 is given again (first at " in refused(read_topics, tmp_path)
    for name in ("nuggets_8.json", "nuggets_9.json", "9.json.gz"):
        (tmp_path / name).unlink()
    assert refused(load_qrel_columns, tmp_path).startswith(": is a directory")


def bank(*path: Any, **change: Any) -> str:
    return json.dumps(changed(NUGGET_BANK, *path, **change))


FIRST = ("nugget_bank", "What pulls?")
BAD_BANKS: dict[str, tuple[str, str]] = {
    "no topic": (bank("query_id", without=True), ":1: has no query_id"),
    "metadata without topic": (
        json.dumps({"metadata": {}, "nugget_bank": []}),
        ":1: metadata has no topic_id",
    ),
    "metadata as text": (
        json.dumps({"metadata": "9", "nugget_bank": []}),
        ":1: has '9' as metadata, which is not an object",
    ),
    "an empty topic": (bank("query_id", to=" "), ":1: has an empty query_id"),
    "questions as text": (bank("nugget_bank", to="Q?"), ":1: has 'Q?' as nugget_bank, which is not a list"),
    "a question as text": (
        bank(*FIRST, to="Q?"),
        ":1: has 'Q?' as nugget_bank 1, which is not an object",
    ),
    "no question": (bank(*FIRST, "question", without=True), ":1: nugget_bank 1 has no question"),
    "an empty question": (bank(*FIRST, "question", to=""), ":1: nugget_bank 1 has an empty question"),
    "an empty claim": (bank("claim_bank", 0, "claim", to=" "), ":1: claim_bank 1 has an empty claim"),
    "a claim as number": (bank("claim_bank", 0, "claim", to=7), ":1: claim_bank 1 has 7 as claim"),
    "answers as number": (bank(*FIRST, "answers", to=7), ":1: nugget_bank 1 has 7 as answers"),
    "an answer as text": (
        bank(*FIRST, "answers", "sun", to="sun"),
        ":1: nugget_bank 1 has 'sun' as answers 2, which is not an object",
    ),
    "references as text": (
        bank(*FIRST, "answers", "sun", "references", to="d1"),
        ":1: nugget_bank 1, answers 2 has 'd1' as references, which is not a list",
    ),
    "a reference without document": (
        bank(*FIRST, "answers", "moon", "references", 1, to={}),
        ":1: nugget_bank 1, answers 1, reference 2 has no doc_id",
    ),
    "an empty reference": (
        bank("claim_bank", 0, "references", to=["d1", ""]),
        ":1: claim_bank 1 has an empty reference 2",
    ),
    "a fraction as reference": (
        bank("claim_bank", 0, "references", to=[0.5]),
        ":1: claim_bank 1 has 0.5 as reference 1, which is not a text",
    ),
    "a third level": (
        bank("nugget_bank", "What for?", "sub_nuggets", 0, "sub_nuggets", to=[{"claim": "x"}]),
        ":1: nugget_bank 2, sub_nuggets 1 has sub_nuggets of its own, a third level",
    ),
    "a sub-nugget as text": (
        bank("nugget_bank", "What for?", "sub_nuggets", to=["x"]),
        ":1: nugget_bank 2 has 'x' as sub_nuggets 1, which is not an object",
    ),
    "importance as list": (bank(*FIRST, "importance", to=[1]), ":1: nugget_bank 1 has [1] as importance"),
    "no references": (
        json.dumps({"query_id": "9", "nugget_bank": [{"question": "Q?"}]}),
        ": has nuggets that refer to no document",
    ),
    "a file without topic": (json.dumps(OLDER), ": does not say in its name which topic it is for"),
}


@pytest.mark.parametrize("case", BAD_BANKS)
def test_bad_nugget_banks(tmp_path: Path, case: str) -> None:
    content, message = BAD_BANKS[case]
    assert refused(load_qrel_columns, written(tmp_path, content)).startswith(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"Q?": ["OR", {"a": "d1"}]}, ":1: nugget 1 has 'd1' as a, which is not a list"),
        ({"Q?": ["OR", {"a": [[]]}]}, ":1: nugget 1 has [] as entry 1 of a, which is not a text"),
        ({"Q?": ["OR", {}]}, ": has nuggets that refer to no document"),
        ({"Q?": ["OR", {"a": ["d"]}], "R?": ["OR", []]}, ": is JSON of a form that is not known here"),
    ],
)
def test_bad_nugget_banks_by_topic(tmp_path: Path, content: Any, message: str) -> None:
    path = written(tmp_path, json.dumps(content), "nuggets_9.json")
    assert refused(load_qrel_columns, path).startswith(message)


# ---------------------------------------------------------------------------------- whatever is written

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
    lambda t: not t.isspace()
)
GRADES = {2: "support", 1: "partial_support", 0: "not_support"}
Judged = dict[str, dict[str, list[int]]]  # topic -> document -> grade for each nugget


@st.composite
def collections(draw: st.DrawFn, top: int) -> tuple[dict[str, list[str]], Judged]:
    """{topic: texts of nuggets} and the judgments, every document judged for every nugget of its topic."""
    ids = TEXTS.filter(lambda t: not t.lower().startswith("wt"))
    nuggets = draw(st.dictionaries(ids, st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=3))
    judged = {
        topic: draw(
            st.dictionaries(
                TEXTS,
                st.lists(st.integers(0, top), min_size=len(texts), max_size=len(texts)),
                min_size=1,
                max_size=4,
            )
        )
        for topic, texts in nuggets.items()
    }
    return nuggets, judged


def expected(nuggets: dict[str, list[str]], judged: Judged, name: Callable[[str, int], str]) -> dm.Collection:
    """The same collection from plain Python; name: a nugget's id."""
    topics = [
        dm.Topic(topic, tuple(dm.Intent(name(topic, i), 1 / len(texts)) for i in range(len(texts))))
        for topic, texts in nuggets.items()
    ]
    grades: dict[str, Any] = {
        topic: {doc: {name(topic, i): g for i, g in enumerate(labels)} for doc, labels in docs.items()}
        for topic, docs in judged.items()
    }
    return dm.Collection.of(topics, grades)


def assignment(topic: str, texts: list[str], doc: str, judged: Judged) -> dict[str, Any]:
    """A line of nuggetizer's."""
    pairs = zip(texts, judged[topic][doc], strict=True)
    nuggets = [{"text": text, "assignment": GRADES[grade]} for text, grade in pairs]
    return {"qid": topic, "docid": doc, "nuggets": nuggets}


def counted(_: str, i: int) -> str:
    return str(i + 1)


@given(collections(2))
@quick(50)
def test_whatever_nuggetizer_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[dict[str, list[str]], Judged]
) -> None:
    nuggets, judged = drawn
    entries = [
        assignment(topic, texts, doc, judged) for topic, texts in nuggets.items() for doc in judged[topic]
    ]
    path = written(tmp_path_factory.mktemp("files"), lines(entries))
    assert same(dm.load_collection(path), expected(nuggets, judged, counted))


@given(collections(2), st.data())
@quick(50)
def test_whatever_trec_rag_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[dict[str, list[str]], Judged], data: st.DataObject
) -> None:
    """Sub-narratives above the nuggets: a document's grade for one is its best for a nugget below."""
    nuggets, judged = drawn
    entries, topics, grades = [], [], {}
    for topic, texts in nuggets.items():
        texts = [f"{text}{i}" for i, text in enumerate(texts)]  # without sub-narratives, places count by text
        group = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(texts), max_size=len(texts)))
        above = list(dict.fromkeys(group))
        place = [(str(above.index(g) + 1), str(group[: i + 1].count(g))) for i, g in enumerate(group)]
        bank = [{"text": t, "mapped_sub_narrative": f'"{g}"'} for t, g in zip(texts, group, strict=True)]
        entries.append({"qid": topic, "nuggets": bank})
        topics.append(
            dm.Topic(
                topic,
                tuple(
                    dm.Intent(
                        str(number),
                        1 / len(above),
                        children=tuple(
                            dm.Intent(str(n + 1), 1 / group.count(g)) for n in range(group.count(g))
                        ),
                    )
                    for number, g in enumerate(above, 1)
                ),
            )
        )
        grades[topic] = {doc: dict(zip(place, labels, strict=True)) for doc, labels in judged[topic].items()}
        nuggets[topic] = texts
    folder = tmp_path_factory.mktemp("files")
    path = written(folder, lines(entries), "bank.jsonl")
    assigned_to = [
        assignment(topic, texts, doc, judged) for topic, texts in nuggets.items() for doc in judged[topic]
    ]
    read = dm.load_collection(written(folder, lines(assigned_to)), path)
    assert same(read, dm.Collection.of(topics, grades))


@given(collections(1), st.booleans())
@quick(50)
def test_whatever_freshstack_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[dict[str, list[str]], Judged], indented: bool
) -> None:
    nuggets, judged = drawn
    folder = tmp_path_factory.mktemp("files")

    def name(topic: str, i: int) -> str:
        return f"{topic}_{i}"

    def of_grade(topic: str, i: int, grade: int) -> list[str]:
        return [doc for doc, grades in judged[topic].items() if grades[i] == grade]

    rows = [
        {
            "query_id": topic,
            "nuggets": [
                {
                    "_id": name(topic, i),
                    "text": text,
                    "relevant_corpus_ids": of_grade(topic, i, 1),
                    "non_relevant_corpus_ids": of_grade(topic, i, 0),
                }
                for i, text in enumerate(texts)
            ],
        }
        for topic, texts in nuggets.items()
    ]
    wanted = expected(nuggets, judged, name)
    text = json.dumps(rows, indent=1, ensure_ascii=False) if indented else lines(rows)
    assert same(dm.load_collection(written(folder, text)), wanted)
    by_nugget = {
        name(topic, i): {doc: grades[i] for doc, grades in judged[topic].items()}
        for topic, texts in nuggets.items()
        for i in range(len(texts))
    }
    queries = {topic: [name(topic, i) for i in range(len(texts))] for topic, texts in nuggets.items()}
    path = written(folder, json.dumps(by_nugget))
    assert same(dm.load_collection(path, written(folder, json.dumps(queries), "queries.json")), wanted)
    if all("\n" not in topic for topic in nuggets):
        assert same(dm.load_collection(path), wanted)


@given(collections(1))
@quick(50)
def test_whatever_a_bank_refers_to_is_read(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[dict[str, list[str]], Judged]
) -> None:
    nuggets, judged = drawn
    for docs in judged.values():  # a bank has no document that is not relevant
        docs["one"] = [1] * len(next(iter(docs.values())))
        for doc in [doc for doc, grades in docs.items() if not any(grades)]:
            del docs[doc]
    banks = [
        {
            "query_id": topic,
            "nugget_bank": [
                {
                    "question": text,
                    "answers": [
                        {"answer": "?", "references": [doc]} for doc, g in judged[topic].items() if g[i]
                    ],
                }
                for i, text in enumerate(texts)
            ],
        }
        for topic, texts in nuggets.items()
    ]
    path = written(tmp_path_factory.mktemp("files"), lines(banks))
    assert same(dm.load_collection(path), expected(nuggets, judged, counted))


JUNK = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1.5,
        2**70,
        float("nan"),
        "",
        " ",
        "x",
        "1",
        "wt09-1",
        "a\nb",
        "\ud800",
        [],
        {},
        [[]],
        [{}],
    ]
) | st.just({"a": 1})
FILES: dict[str, Any] = {
    "assignments": ASSIGNED,
    "rows": ROWS,
    "qrels_nuggets": QRELS_NUGGETS,
    "query_to_nuggets": QUERY_TO_NUGGETS,
    "results": RESULTS,
    "bank": NUGGET_BANK,
    "older": OLDER,
}


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value but its top."""
    steps = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [inner for step in steps for inner in ((*place, step), *places(value[step], (*place, step)))]


@given(st.sampled_from(sorted(FILES)), st.data())
@quick(150)
def test_whatever_stands_anywhere_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, file: str, data: st.DataObject
) -> None:
    """In one sentence, by each of the readers; never with another exception."""
    value = FILES[file]
    place = data.draw(st.sampled_from(places(value)))
    value = changed(value, *place, to=data.draw(JUNK), without=data.draw(st.booleans()))
    path = written(tmp_path_factory.mktemp("files"), json.dumps(value), "nuggets_9.json")
    readers: tuple[Callable[[Path], object], ...] = (
        load_qrel_columns,
        load_run_columns,
        dm.load_collection,
        read_topics,
        lambda path: read_topics(path, "vital=2,okay=1"),
        lambda path: dm.load_collection(path, path),
    )
    refusals = []
    for read in readers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DivmetricsWarning)
            try:
                read(path)
            except DivmetricsError as error:
                refusals.append(str(error))
    assert not [sentence for sentence in refusals if "\n" in sentence or "; " not in sentence]
