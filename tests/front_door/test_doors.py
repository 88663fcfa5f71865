"""A file, a DataFrame, a dict, the command line and ir_measures decide alike."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics.conventions.convention import RunOrder
from tests.support.doors import Case, Door, through_every_door

JUDGED = [("1", "1", "a", 1), ("1", "2", "b", 1)]
RUN = [("1", "a", 9.0), ("1", "b", 8.0)]

CASES = [
    # Half of the users stop at a with probability 1/2, the others at b: (1/2 + 1/2 * 1/2) / 2.
    Case("tidy", JUDGED, RUN, scores={"1": 0.375}),
    Case("ids are whole numbers", [(1, 1, 10, 1), (1, 2, 11, 1)], [(1, 10, 9.0), (1, 11, 8.0)], scores=0.375),
    Case(
        "a topic of the run was not judged",
        JUDGED,
        [*RUN, ("2", "a", 9.0)],
        scores={"1": 0.375},
        facts=("1 topic(s) without judgments",),
    ),
    Case("a grade is not whole", [*JUDGED, ("1", "1", "c", 0.5)], RUN, facts=("0.5", "integer")),
    Case(
        "an intent has no probability",
        JUDGED,
        RUN,
        topics={"1": {"1": 1.0}},
        facts=("topic 1", "'2'", "not among its intents"),
    ),
]

FROM_0 = [("q", "0", "a", 1), ("q", "1", "a", 1), ("q", "0", "b", 1)]
INTENT_0 = [
    # a serves both intents; the best list has b next, which serves an intent for the second time.
    Case(
        "intents from 0",
        FROM_0,
        [("q", "a", 9.0)],
        "alpha-nDCG@10",
        scores={"q": 2 / (2 + 0.5 / math.log2(3))},
    ),
    Case(
        "intents from 0 as numbers",
        [(t, int(i), d, g) for t, i, d, g in FROM_0],
        [("q", "a", 9.0)],
        scores=0.5,
    ),
    Case("subtopic 0 of nonrelevant documents", [*JUDGED, ("1", "0", "c", 0)], RUN, scores=0.375),
    Case("subtopic 0 of spam", [*JUDGED, ("1", "0", "c", -2)], RUN, scores=0.375),
    Case(
        "a document of intent 0, which has no probability",
        [*JUDGED, ("1", "0", "c", 1)],
        RUN,
        topics={"1": {"1": 0.5, "2": 0.5}},
        facts=("topic 1", "'0'", "not among its intents (1, 2)"),
    ),
    Case(
        "a nonrelevant document of subtopic 0, which has no probability",
        [*JUDGED, ("1", "0", "c", 0)],
        RUN,
        topics={"1": {"1": 0.5, "2": 0.5}},
        scores=0.375,
    ),
]

NO_INTENTS = [("1", "0", "a", 1), ("1", "0", "b", 1)]
INTENT_0 += [
    Case(
        "no intent but 0, as in ad hoc judgments",
        NO_INTENTS,
        RUN,
        scores=0.5 + 0.5 / 4,
        facts=("every judgment is of intent 0", "one intent"),
    ),
    Case(
        "no intent but Q0, as in runs",
        [("1", "Q0", "a", 1), ("1", "Q0", "b", 1)],
        RUN,
        scores=0.5 + 0.5 / 4,
        facts=("every judgment is of intent Q0", "one intent"),
    ),
    Case("an ad hoc metric needs no intents", NO_INTENTS, RUN, "Prec@2", scores=1),
]

SWAPPED = [(topic, doc, intent, grade) for topic, intent, doc, grade in JUDGED]
NESTING = [
    Case(
        "documents as intents",
        SWAPPED,
        RUN,
        facts=("2 of them (a and b)", "{topic: {document: {intent: grade}}}"),
    ),
    Case(
        "documents as intents of some topics",
        [*SWAPPED, ("2", "1", "c", 1)],
        [*RUN, ("2", "c", 7.0)],
        scores={"1": 0, "2": 0.5},
        facts=("2 document(s) in its top 5 that were never judged",),
    ),
    Case(
        "a run without judged documents",
        JUDGED,
        [("1", "x", 9.0)],
        scores=0,
        facts=("1 document(s) in its top 5 that were never judged",),
    ),
]

IN_MEMORY: Sequence[Door] = ("frame", "dict", "ir_measures")
NAN = math.nan
IDS = [
    Case(
        "ids are floats, as pandas makes of whole numbers beside missing ones",
        [(1.0, 1.0, 10.0, 1), (1.0, 2.0, 11.0, 1)],
        [(1, 10, 9.0), (1, 11, 8.0)],
        scores=0.375,
        doors=IN_MEMORY,
    ),
    Case("ids are text and numbers", [("1", 1, "a", 1), (1, "1", "b", 1)], RUN, scores=0.5 + 0.5 / 4),
    Case(
        "blanks around ids",
        [(" 1", "1 ", "a", 1), ("1", "\t2", "b ", 1)],
        [("1 ", " a", 9.0), ("1", "b", 8.0)],
        scores=0.375,
    ),
    Case(
        "one id with and without blanks",
        [*JUDGED, ("1", "1", " a", 0)],
        RUN,
        facts=("document 'a' has grade 0 but grade 1",),
        doors=("file", "command line", "frame", "ir_measures"),
    ),
    Case("an id of blanks", [("1", "1", " ", 1)], RUN, facts=("doc is ' '", "whole number"), doors=IN_MEMORY),
    Case("no id", [("1", "1", "", 1)], RUN, facts=("doc is ''", "whole number"), doors=IN_MEMORY),
    Case("a missing id", [(None, "1", "a", 1), *JUDGED], RUN, facts=("topic is nan",), doors=IN_MEMORY),
    Case("an id with a fraction", [("1", "1", 1.5, 1)], RUN, facts=("doc is 1.5",), doors=IN_MEMORY),
    Case(
        "a float beside which others are the same",
        [("1", "1", 2.0**60, 1)],
        RUN,
        facts=("doc is",),
        doors=IN_MEMORY,
    ),
    Case("True is no id", [("1", "1", True, 1)], RUN, facts=("doc is True",), doors=IN_MEMORY),
    Case(
        "ids differ in case",
        [("1", "1", "A", 1), ("1", "2", "b", 1)],
        RUN,
        scores=0.125,
        facts=("1 document(s)",),
    ),
    Case(
        "ids with zeros before them", [("01", "1", "a", 1)], RUN, facts=("no topic in common", "'01'", "'1'")
    ),
    Case("intents with zeros before them", [("1", "01", "a", 1), ("1", "1", "b", 1)], RUN, scores=0.375),
    Case("the task in a topic's id", [("wt09-1", *row[1:]) for row in JUDGED], RUN, scores=0.375),
]
NUMBERS = [
    Case(
        "grades are True and False",
        [("1", "1", "a", True), ("1", "2", "b", False)],
        RUN,
        facts=("grade", "True"),
    ),
    Case(
        "a grade is True",
        [("1", "1", "a", True), ("1", "2", "b", 2)],
        RUN,
        facts=("grade", "True", "integer"),
    ),
    Case("a grade is missing", [("1", "1", "a", NAN), *JUDGED[1:]], RUN, facts=("grade", "nan", "integer")),
    Case(
        "a grade is infinite",
        [("1", "1", "a", math.inf), *JUDGED[1:]],
        RUN,
        facts=("grade", "inf", "integer"),
    ),
    Case("grades of numpy", [("1", "1", "a", np.uint8(1)), ("1", "2", "b", np.int64(1))], RUN, scores=0.375),
    Case("negative grades", [*JUDGED, ("1", "1", "b", -2)], RUN, scores=0.375),
    Case("grades as text", [("1", "1", "a", "1"), ("1", "2", "b", "1")], RUN, scores=0.375),
    Case(
        "nothing is relevant",
        [("1", "1", "a", -1), ("1", "2", "b", 0)],
        RUN,
        scores=0,
        facts=("1 topic(s) have no relevant document",),
    ),
    Case("scores are True and False", JUDGED, [("1", "a", True), ("1", "b", False)], facts=("score", "True")),
    Case("a score is missing", JUDGED, [("1", "a", NAN), *RUN[1:]], facts=("score", "nan", "finite")),
    Case("a score is infinite", JUDGED, [("1", "a", math.inf), *RUN[1:]], facts=("score", "inf", "finite")),
    Case("scores as text", JUDGED, [("1", "b", "10"), ("1", "a", "9")], scores=0.375),
    Case(
        "equal scores",
        JUDGED,
        [("1", "a", 1.0), ("1", "b", 1.0)],
        scores=0.375,
        facts=("2 document(s) with tied",),
    ),
]
TWICE: Sequence[Door] = ("file", "command line", "frame", "ir_measures")  # a dict has every key once
REPEATED = [
    Case(
        "a judgment twice",
        [*JUDGED, JUDGED[0]],
        RUN,
        scores=0.375,
        facts=("1 judgment(s) repeat",),
        doors=TWICE,
    ),
    Case("two grades", [*JUDGED, ("1", "1", "a", 0)], RUN, facts=("grade 0 but grade 1",), doors=TWICE),
    Case("a document twice", JUDGED, [*RUN, ("1", "a", 1.0)], facts=("'a'", "second time"), doors=TWICE),
]
PROBABILITIES = [
    Case(
        "an intent that no document was judged for",
        JUDGED,
        RUN,
        topics={"1": {"1": 0.5, "2": 0.25, "3": 0.25}},
        scores=0.5 * 0.5 + 0.25 * 0.25,
    ),
    Case("probabilities of other topics", JUDGED, RUN, topics={"9": {"1": 1.0}}, facts=("'1'", "'9'")),
    Case(
        "a probability below 0", JUDGED, RUN, topics={"1": {"1": 1.5, "2": -0.5}}, facts=("topic 1", "-0.5")
    ),
    Case("too little", JUDGED, RUN, topics={"1": {"1": 0.5, "2": 0.4}}, facts=("topic 1", "sum to 0.9")),
]
TEXTS = [
    Case(
        "a byte order mark",
        text="\ufeff" + "1 1 a 1\n1 2 b 1\n",
        run_text="\ufeff1 Q0 a 1 9 run\n",
        scores=0.25,
    ),
    Case(
        "blanks at the ends of lines",
        text=" 1\t1  a 1 \t\r\n1 2 b 1\v\n",
        run_text="1 Q0 a 1 9 run\t\n\n1 Q0 b 2 8 run",
        scores=0.375,
    ),
    Case(
        "a heading of another program",
        text="qid iter docno rel\n1 1 a 1\n",
        run_text="1 Q0 a 1 9 run\n",
        facts=("judgments:1", "'rel'", "integer"),
    ),
    Case(
        "a heading in a run",
        JUDGED,
        run_text="qid Q0 docno rank score tag\n",
        facts=("run: has a heading and nothing below it",),
    ),
]

RANKED = "1 Q0 b 1 8 run\n1 Q0 a 2 9 run\n2 Q0 a 0 9 run\n2 Q0 b 0 8 run\n2 Q0 c 0 7 run\n"
TABLE = pd.DataFrame(
    [line.split() for line in RANKED.splitlines()], columns=["topic", "Q0", "doc", "rank", "score", "run"]
)
ORDERS = [
    Case(
        "ranks that contradict the scores of topic 1",
        [*JUDGED, ("2", "1", "a", 1), ("2", "1", "b", 0)],
        metric="ERR-IA@2",
        run_text=RANKED,
        run_objects={
            "frame": TABLE,
            "ir_measures": TABLE.rename(columns={"topic": "query_id", "doc": "doc_id"}),
        },
        scores={"1": 0.375, "2": 0.5},
        facts=("1 topic(s) whose ranks contradict the scores", "by score"),
    ),
]

QRELS, LIST = "1 1 a 1\n1 2 b 1\n", "1 Q0 a 1 9 run\n1 Q0 b 2 8 run\n"
COMMENTS = [
    Case(
        "a comment of four words",
        text="# see topic 1\n" + QRELS,
        run_text=LIST,
        scores={"1": 0.375},
        facts=("1 line(s) begin with #", "judgments:1"),
    ),
    Case(
        "comments between blank lines",
        text="\n 1 1 a 1\r\n\n  # 1 2 a 1\r\n#\n1 2 b 1\n#",
        run_text=LIST,
        scores={"1": 0.375},
        facts=("3 line(s) begin with #", "judgments:4"),
    ),
    Case(
        "a comment above a heading",
        text="# made by hand\ntopic intent doc grade\n" + QRELS,
        run_text=LIST,
        scores={"1": 0.375},
        facts=("1 line(s) begin with #", "judgments:1"),
    ),
    Case(
        "a comment of six words in a run",
        text=QRELS,
        run_text="# qid Q0 docno rank score\n" + LIST,
        scores={"1": 0.375},
        facts=("1 line(s) begin with #", "run:1"),
    ),
    Case(
        "a comment below NTCIR's description, in which # begins no comment",
        text=QRELS,
        run_text="<SYSDESC>\n# words\n</SYSDESC>\n# one\n" + LIST,
        scores={"1": 0.375},
        facts=("1 line(s) begin with #", "run:4"),
    ),
    Case(
        "a comment in levels",
        text="# topic;intent;doc;level\n1;1;a;L1\n1;2;b;L1\n",
        run_text=LIST,
        scores={"1": 0.375},
        facts=("1 line(s) begin with #", "judgments:1"),
    ),
    Case(
        "a comment in probabilities",
        text=QRELS,
        run_text=LIST,
        topics_text="1 1 0.5\n# from the organisers\n1 2 0.5\n",
        scores={"1": 0.375},
        facts=("1 line(s) begin with #", "topics:2"),
    ),
    Case(
        "the line of a fault below comments",
        text="# one\n# two\n\n1 1 a 1\n1 1 b\n",
        run_text=LIST,
        facts=("judgments:5: has 3 columns",),
    ),
    Case(
        "nothing but comments", text="# one\n# two", run_text=LIST, facts=("judgments: is empty apart from",)
    ),
    Case(
        "ids with # in them",
        [("1", "#1", "a#1", 1), ("1", "#2", "b", 1)],
        [("1", "a#1", 9.0), ("1", "b", 8.0)],
        scores={"1": 0.375},
    ),
    *(
        Case(
            f"{name}, among ids with # in them",
            text=text,
            run_text=LIST,
            scores={"1": 0.375},
            facts=("1 line(s) begin with #", f"judgments:{line}"),
        )
        for name, text, line in (
            ("a comment behind blanks", "1 1 a 1\n1 2 b 1\n1 2 c#1 0\n \t# words\n", 4),
            ("a comment behind a tab at the beginning", "\t#words\n1 1 a 1\n1 2 b 1\n1 2 c#1 0\n", 1),
            ("a comment between carriage returns", "1 1 a 1\r1 2 c#1 0\r#words\r1 2 b 1\r", 3),
        )
    ),
    Case(
        "a DataFrame has no comments",
        [("#1", "1", "a", 1), ("#1", "2", "b", 1)],
        [("#1", "a", 9.0), ("#1", "b", 8.0)],
        scores={"#1": 0.375},
        doors=("frame", "dict", "ir_measures"),
    ),
]


EVERY = [*CASES, *INTENT_0, *NESTING, *IDS, *NUMBERS, *REPEATED, *PROBABILITIES, *TEXTS, *ORDERS, *COMMENTS]


@through_every_door(EVERY)
def test_the_doors_decide_alike(case: Case, door: Door, tmp_path: Path) -> None:
    case.check(door, tmp_path)


@pytest.mark.parametrize("ids", [("10", "11"), (10, 11), (10.0, 11.0)])
def test_a_run_without_ranks_goes_by_score(ids: tuple[object, object]) -> None:
    """Under every convention, also one that keeps the order of a file, whatever the types of ids."""
    first, second = ids
    judgments, run = {"1": {first: {"1": 1}, second: {"2": 0}}}, {"1": {first: 1.0, second: 2.0}}
    scores = dm.evaluate(judgments, run, "ERR-IA@1", convention="ntcireval")
    assert scores["score"].tolist() == [0]


@pytest.mark.parametrize("ids", [("10", "11"), (10, 11), (10.0, 11.0), ("10 ", " 11")])
def test_ids_of_one_list(ids: tuple[Any, Any]) -> None:
    first, second = ids
    judgments: Any = {first: {1.0: 1}, second: {"2": 1}}
    probabilities: Any = {1: 0.5, 2.0: 0.5}
    assert dm.score("ERR-IA@5", [first, second], judgments) == 0.375
    assert dm.score("ERR-IA@5", ["10", "11"], judgments, probabilities) == 0.375
    assert dm.evaluate({"1": judgments}, {"1": [first, second]}, "ERR-IA@5")["score"].tolist() == [0.375]


def test_documents_in_the_place_of_intents() -> None:
    by_intent = {"1": {"a": 1}, "2": {"b": 1}}
    with pytest.raises(dm.DivmetricsError, match=r"1 of them .a. .* {document: {intent: grade}}"):
        dm.score("ERR-IA@5", ["a", "x"], by_intent)
    for run in ({"q": ["b", "x"]}, iter([("q", "b", 2.0)])):
        with pytest.raises(dm.DivmetricsError, match=r"1 of them .b. .* {topic: {document: {intent"):
            dm.explain("ERR-IA@5", {"q": by_intent}, run, "q")


def test_an_order_that_is_chosen_needs_no_warning(tmp_path: Path) -> None:
    (tmp_path / "run").write_text(RANKED)
    judgments = {"1": {"a": {"1": 1}, "b": {"2": 1}}, "2": {"a": {"1": 1}, "b": {"1": 0}, "c": {"1": 0}}}
    expected: dict[RunOrder, str] = {"score": "a", "rank": "b"}
    for order, first in expected.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            dm.evaluate(judgments, tmp_path / "run", "P-IA@1", order=order)
        assert dm.load_runs(tmp_path / "run", order)[0].list("1")[0] == first
    with pytest.warns(dm.DivmetricsWarning, match="1 topic.* by rank"):
        dm.evaluate(judgments, tmp_path / "run", "P-IA@1", convention="ndeval")
