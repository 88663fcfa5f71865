"""A file, a DataFrame, a dict, the command line and ir_measures decide alike."""

from __future__ import annotations

import math
from pathlib import Path

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
    Case(
        "a DataFrame has no comments",
        [("#1", "1", "a", 1), ("#1", "2", "b", 1)],
        [("#1", "a", 9.0), ("#1", "b", 8.0)],
        scores={"#1": 0.375},
        doors=("frame", "dict", "ir_measures"),
    ),
]


@through_every_door([*CASES, *INTENT_0, *NESTING, *COMMENTS])
def test_the_doors_decide_alike(case: Case, door: Door, tmp_path: Path) -> None:
    case.check(door, tmp_path)
