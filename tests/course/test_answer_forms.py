"""hand_in, which students run before they hand in, and the judge agree on every form of an answer."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from course.grading import judge
from course.grading.assignment import Question
from course.grading.sandbox import RunResult
from divmetrics_widgets import handing_in

DOCS, INTENTS = ["d1", "d2"], ["x", "y", "z"]
TABLE = pd.DataFrame([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], DOCS, INTENTS)
LONG = TABLE.stack().rename_axis(["doc", "intent"]).rename("contribution").reset_index()
PIVOT = LONG.pivot(index="doc", columns="intent", values="contribution")
BY_RANK = LONG.assign(rank=[1, 1, 1, 2, 2, 2]).pivot(index="rank", columns="intent", values="contribution")
SUMS = LONG.pivot_table(index="doc", columns="intent", values="contribution", aggfunc="sum", margins=True)
PAIRS = [("elm", "oak"), ("elm", "fir")]
VALUES = {"A": 0.5, "B": 0.25}

# By form: what the question asks for, what is right, and answers that hold it.
READABLE: dict[str, tuple[Any, Any, list[Any]]] = {
    "number": (None, 0.5, [
        0.5, [0.5], [[0.5]], (0.5,), {0.5}, np.array([[0.5]]), np.float16(0.5), Fraction(1, 2),
        Decimal("0.5"), pd.Series([0.5]), {"x": 0.5}, pd.DataFrame([[0.5]]), [{"x": [0.5]}],
        "0.5", " 0,5", "0.50", "50 %", "50,0%", "1/2", "5e-1", np.str_("0.5"),
    ]),
    "text": (["d14", "d15"], "d15", [
        "d15", " D15 ", "d15\n", np.str_("d15"), ["d15"], np.array(["d15"]), {"d15"},
    ]),
    "list": (["d1", "d2", "d3"], DOCS, [
        DOCS, tuple(DOCS), np.array(DOCS), pd.Series(DOCS), pd.Index(DOCS), iter(DOCS), [" D1", "d2 "],
        [DOCS],
    ]),
    "values": (["A", "B"], VALUES, [
        VALUES, pd.Series(VALUES), [0.5, 0.25], np.array([0.5, 0.25]), pd.Series([0.5, 0.25]),
        VALUES.values(), {0: 0.5, 1: 0.25}, pd.DataFrame({"v": VALUES}),
        pd.DataFrame({"v": VALUES}).reset_index(), {"A": Fraction(1, 2), "B": Decimal("0.25")},
        (x for x in (0.5, 0.25)), pd.DataFrame({"v": VALUES}).T, pd.DataFrame([VALUES]), [[0.5, 0.25]],
        [[0.5], [0.25]], {"A": "0.5", "B": "25 %"}, pd.DataFrame({"v": VALUES}).astype(str).reset_index(),
    ]),
    "pairs": (PAIRS, dict.fromkeys(PAIRS, 0.5), [
        dict.fromkeys(PAIRS, 0.5), pd.Series(0.5, pd.MultiIndex.from_tuples(PAIRS)), [0.5, 0.5],
        {"elm and oak": 0.5, "elm and fir": 0.5},
    ]),
    "table": ((DOCS, INTENTS), {(d, i): TABLE.loc[d, i] for d in DOCS for i in INTENTS}, [
        TABLE, TABLE.T, TABLE.to_dict(), TABLE.T.to_dict(), TABLE.to_numpy(), TABLE.to_numpy().T,
        TABLE.to_numpy().tolist(), TABLE.reset_index(), TABLE.T.reset_index(), pd.DataFrame(TABLE.to_numpy()),
        pd.DataFrame(TABLE.to_numpy().T), TABLE.reset_index(drop=True), TABLE.stack(),
        TABLE.stack().to_dict(), TABLE.assign(sum=1), SUMS, LONG, LONG.assign(rank=1), PIVOT,
        PIVOT.reset_index(), BY_RANK, BY_RANK.reset_index(), TABLE.map(Fraction),
        {d: list(TABLE.loc[d]) for d in DOCS}, {i: list(TABLE[i]) for i in INTENTS},
        {d: TABLE.loc[d] for d in DOCS}, TABLE.astype(str), TABLE.map("{:.3f}".format).reset_index(),
        TABLE.map(lambda x: f"{x:.2f}".replace(".", ",")), TABLE.style.format("{:.1f}"),
        LONG.set_index(["doc", "intent"])["contribution"],
    ]),
}  # fmt: skip
UNREADABLE: dict[str, list[Any]] = {
    "number": ["a half", "1,000.5", "1/0", "0.5 or 0.6", True, np.nan, [], [0.5, 0.5], VALUES,
               pd.DataFrame([[0.5, 0.5]]), 0.5 + 0j, lambda: 0.5],
    "text": [15, ["d15", "d14"], {"d15": 0.3}, "d15."],
    "list": ["d1, d2", [DOCS, DOCS], pd.DataFrame({"doc": DOCS}), {"d1": 1, "d2": 2}, ["d1"], ["d1", "d1"],
             [1, 2]],
    "values": [{"a": 0.5, "b": 0.25}, {**VALUES, "C": 1}, {"A": 0.5}, {"A": "half", "B": 0.25}, [0.5],
               VALUES.items(), {1: 0.5, 2: 0.25}, {"A": [0.5], "B": [0.25]}],
    "pairs": [{("oak", "elm"): 0.5, ("fir", "elm"): 0.5}, {"elm": {"oak": 0.5, "fir": 0.5}}, [0.5]],
    "table": [TABLE.drop(columns="z"), TABLE.map("about {}".format), TABLE.rename(index=str.upper),
              TABLE.to_dict("split"), LONG[1:], LONG.assign(contribution="some"), TABLE.stack()[1:],
              TABLE.to_numpy().ravel(), 0.5, {"d1": [0.1, 0.2], "d2": [0.4, 0.5]},
              TABLE.to_dict("records"), {}],
}  # fmt: skip


def opinions(form: str, answer: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, bool]:
    """Return whether hand_in takes an answer without a remark, and whether the judge reads it as right."""
    asked, right, _ = READABLE[form]
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: shown.append(data))
    length = len(right) if form == "list" else None
    handing_in.hand_in("q", answer, "values" if form == "pairs" else form, asked, length=length)
    record = json.loads(json.dumps(shown[0][handing_in.MIME]))
    names = {"values": (asked,), "pairs": (asked,), "table": asked}.get(form)
    question = Question("q", lambda data: right, names=(lambda data: names) if names else None)
    share, _ = judge._verdict(question, None, RunResult(handed={"q": [record]}))
    return "value" in record and "Look again" not in shown[0]["text/plain"], bool(share)


@pytest.mark.parametrize(
    ("form", "number"), [(form, n) for form, (*_, answers) in READABLE.items() for n in range(len(answers))]
)
def test_untidy_forms_of_a_right_answer_are_read(
    monkeypatch: pytest.MonkeyPatch, form: str, number: int
) -> None:
    assert opinions(form, READABLE[form][2][number], monkeypatch) == (True, True)


@pytest.mark.parametrize(
    ("form", "number"), [(form, n) for form, answers in UNREADABLE.items() for n in range(len(answers))]
)
def test_what_the_judge_cannot_read_hand_in_says_first(
    monkeypatch: pytest.MonkeyPatch, form: str, number: int
) -> None:
    assert opinions(form, UNREADABLE[form][number], monkeypatch) == (False, False)
