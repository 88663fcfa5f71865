"""A file, a DataFrame, a dict, the command line and ir_measures decide alike."""

from __future__ import annotations

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


@through_every_door(CASES)
def test_the_doors_decide_alike(case: Case, door: Door, tmp_path: Path) -> None:
    case.check(door, tmp_path)
