"""Predict and Found: asked before, remembered, compared after."""

from __future__ import annotations

import re
from html import escape
from typing import Any
from urllib.parse import quote

import pandas as pd
import pytest
import traitlets

from divmetrics import DivmetricsError
from divmetrics.notebook.charts import ranked_list
from divmetrics.research.datasets import harry_potter
from divmetrics_widgets import Check, Predict
from divmetrics_widgets.tool import WidgetBase

CLOSED = "The answer is closed: predict first, or print it."


def choice(key: str, **more: Any) -> Predict:
    return Predict("Which list?", ["A", "B", "both"], key=key, **more)


def test_without_a_prediction_the_answer_is_closed_and_nothing_fails() -> None:
    for prediction, value in (
        (choice("none yet"), "B"),
        (Predict("How many?", number=True), 5),
        (Predict("Which rule?"), "it looks ahead"),
    ):
        outcome = prediction.found(value, "For a reason.")
        assert str(outcome) == f"Answer: {value}. For a reason."
        assert outcome.right is None
        bundle = outcome._repr_mimebundle_()
        assert bundle is not None
        assert bundle[0]["text/plain"] == repr(outcome) == CLOSED
        html = outcome.static_html()
        inside = re.fullmatch(r"<details><summary[^>]*>show me the answer</summary>(.*)</details>", html)
        assert inside
        assert inside[1] == f"<p><b>Answer: {value}.</b> For a reason.</p>"


def test_what_shows_the_result_is_closed_with_the_answer() -> None:
    table = pd.DataFrame({"wins": [2]}, ["list <B>"])
    figure = ranked_list(harry_potter().list("A", "0083"))
    prediction = choice("with its table")
    outcome = prediction.found("B", "It wins.", show=[table, figure, "two\n  wins < three"])
    image = f'<img src="data:image/svg+xml,{quote(figure.svg)}" alt="{escape(figure.description)}">'
    forms = f"{table.to_html(notebook=True)}{image}<pre>two\n  wins &lt; three</pre>"
    inside = f"<p><b>Answer: B.</b> It wins.</p>{forms}"
    html = outcome.static_html()
    assert html.startswith("<details><summary")
    assert html.partition("</summary>")[2] == f"{inside}</details>"
    assert "list &lt;B&gt;" in html
    bundle = outcome._repr_mimebundle_()
    assert bundle is not None
    assert bundle[0]["text/plain"] == CLOSED
    prediction.answer = "B"
    assert outcome.static_html() == inside.replace("Answer: B.", "You said B. The answer: B. Right.")
    assert repr(outcome).split("\n\n") == [
        "You said B. The answer: B. Right. It wins.",
        repr(table),
        figure.description,
        "two\n  wins < three",
    ]
    assert choice("one thing").found("A", show=table)._shown == table.to_html(notebook=True)


class Shown:
    """What shows itself in so many forms, as matplotlib's figures and others' tables do."""

    def __init__(self, data: dict[str, str] | None, metadata: dict[str, Any] | None = None) -> None:
        self.data, self.metadata = data, metadata

    def _repr_mimebundle_(self) -> Any:
        return self.data if self.metadata is None else (self.data, self.metadata)


@pytest.mark.parametrize(
    ("thing", "html"),
    [
        ("", ""),
        (Check(5, 5, "It is."), "<p><b>right</b>: It is.</p>"),
        (Shown({"text/html": "<i>x</i>", "image/png": "AA==", "text/plain": "x"}), "<i>x</i>"),
        (
            Shown({"image/png": "AA==", "text/plain": 'a "dot"'}, {"image/png": {"width": 9}}),
            '<img src="data:image/png;base64,AA==" alt="a &quot;dot&quot;" width="9">',
        ),
        (Shown({"text/plain": "x < y"}), "<pre>x &lt; y</pre>"),
    ],
)
def test_what_can_be_shown_with_an_answer(thing: object, html: str) -> None:
    assert choice("shown").found("A", show=thing)._shown == html


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (
            pd.Series([1]),
            "is Series, which shows itself neither way; expected a text, or what has _repr_html_",
        ),
        (None, "is NoneType, which shows"),
        (pd.DataFrame, "is type, which shows"),
        (Shown(None), "is Shown, which shows"),
    ],
)
def test_what_cannot_be_shown_with_an_answer(thing: object, message: str) -> None:
    with pytest.raises(DivmetricsError, match=message):
        choice("not shown").found("A", show=["the rest", thing])


def test_a_widget_cannot_be_shown_with_an_answer() -> None:
    with pytest.raises(DivmetricsError, match="is Predict, a widget, which needs a cell of its own"):
        choice("no widget").found("A", show=choice("a widget"))


def test_a_choice_is_right_or_not_quite() -> None:
    prediction = choice("a choice")
    outcome = prediction.found("B")
    prediction.answer = "A"
    assert repr(outcome) == "You said A. The answer: B. Not quite."
    assert outcome.right is False
    prediction.answer = "B"
    assert repr(outcome) == "You said B. The answer: B. Right."
    assert outcome.right is True
    assert outcome.static_html() == "<p><b>You said B. The answer: B. Right.</b> </p>"
    prediction.answer = None
    assert str(outcome) == "Answer: B."
    assert repr(outcome) == CLOSED


@pytest.mark.parametrize(
    ("prediction_text", "tolerance", "right", "verdict"),
    [
        (5, 0, True, "Right."),
        (4, 0, False, "Off by 1."),
        (4, 1, True, "Right, off by 1."),
        (6.5, 1, False, "Off by 1.5."),
    ],
)
def test_a_number_may_be_off_by_the_tolerance(
    prediction_text: float, tolerance: float, right: bool, verdict: str
) -> None:
    prediction = Predict("How many?", number=True, unit="list", key="numbers")
    prediction.answer = prediction_text
    outcome = prediction.found(5, tolerance=tolerance)
    assert repr(outcome) == f"You said {prediction_text} list. The answer: 5 list. {verdict}"
    assert outcome.right is right


def test_tolerance_allows_for_rounding_errors() -> None:
    prediction = Predict("What share?", number=True, key="floats")
    prediction.answer = 0.3
    assert prediction.found(0.1 + 0.2).right
    assert prediction.found(0.2, tolerance=0.1).right
    assert not prediction.found(0.3001).right


def test_a_text_is_left_to_the_reader() -> None:
    prediction = Predict("Which rule?", key="a text")
    prediction.answer = "none"
    outcome = prediction.found("it looks ahead")
    assert repr(outcome) == "You said none. The answer: it looks ahead."
    assert outcome.right is None


def test_a_cell_that_is_run_again_keeps_the_answer() -> None:
    first = choice("kept")
    first.answer = "both"
    assert choice("kept").answer == "both"
    assert choice("another").answer is None
    assert Predict("Which?", ["X", "Y"], key="kept").answer is None  # no longer one of the choices
    first.answer = None
    assert choice("kept").answer is None


def test_the_question_is_the_key() -> None:
    Predict("Is this asked twice?", ["yes", "no"]).answer = "yes"
    assert Predict("Is this asked twice?", ["yes", "no"]).answer == "yes"


def test_it_can_be_observed() -> None:
    prediction, seen = choice("observed"), []
    prediction.observe(lambda change: seen.append(change["new"]), "answer")
    prediction.answer = "A"
    prediction.answer = ""
    assert seen == ["A", None]


def test_without_a_kernel_the_question_with_its_choices_and_the_answer_are_seen() -> None:
    prediction = Predict("Is `d1` <b>first</b>?", ["yes", "no"], key="static")
    assert prediction.static_html() == (
        "<p><b>Predict.</b> Is <code>d1</code> &lt;b&gt;first&lt;/b&gt;?<br>○ yes &nbsp; ○ no</p>"
    )
    assert "<p><b>Answer: no.</b> <code>d2</code> is.</p>" in prediction.found("no", "`d2` is.").static_html()
    question = Predict("How many?", number=True, unit="lists", key="static number")
    assert question.static_text() == "Predict. How many? ____ lists"
    for widget in (prediction, prediction.found("no")):
        assert isinstance(widget, WidgetBase)
        bundle = widget._repr_mimebundle_()
        assert bundle is not None
        assert bundle[0]["text/html"] == widget.static_html()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"question": " "}, "expected a sentence"),
        ({"question": "q", "choices": ["A"]}, "expected at least two, all different"),
        ({"question": "q", "choices": "AB"}, "expected at least two, all different"),
        ({"question": "q", "choices": ["A", "A"]}, "expected at least two, all different"),
        ({"question": "q", "choices": ["A", "B"], "number": True}, "not both"),
        ({"question": "q", "unit": "lists"}, "add number=True"),
    ],
)
def test_invalid_questions_are_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(DivmetricsError, match=message):
        Predict(**arguments)


def test_invalid_answers_are_rejected() -> None:
    prediction, number = choice("bad"), Predict("How many?", number=True, key="bad number")
    with pytest.raises(DivmetricsError, match="the prediction is 'C', expected A or B or both"):
        prediction.answer = "C"
    for bad in ("5", float("nan"), True):
        with pytest.raises(DivmetricsError, match="expected a number"):
            number.answer = bad
    with pytest.raises(DivmetricsError, match="what was found is 'C', expected A or B or both"):
        prediction.found("C")
    with pytest.raises(DivmetricsError, match="what was found is nan, expected a number"):
        number.found(float("nan"))
    with pytest.raises(DivmetricsError, match="tolerance is -1"):
        number.found(5, tolerance=-1)
    assert prediction.answer is None
    assert number.answer is None
    with pytest.raises(traitlets.TraitError):
        number.found(5).right = "yes"
