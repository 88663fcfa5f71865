"""Predict: a question before a result; Found: the answer beside what was found, closed until then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import traitlets

from divmetrics.core import checks
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE, TIE_TOLERANCE
from divmetrics.errors import DivmetricsError
from divmetrics_widgets.check import code_to_html, same
from divmetrics_widgets.closed import closed
from divmetrics_widgets.messages import number, optional, text, union
from divmetrics_widgets.stills import static_html_of
from divmetrics_widgets.tool import Module, WidgetBase

_remembered: dict[str, Any] = {}  # answers by key, so that a cell that is run again keeps its reader's


class Predict(WidgetBase):
    """A question asked before a result is shown; the answer is kept while the kernel runs.

    Parameters
    ----------
    question : one sentence; what stands between backticks is shown as code
    choices : the possible answers, at least two. Without them the answer is text, or a number
    number : the answer is a number
    unit : of that number, shown behind it
    key : what the answer is remembered under; by default the question

    `answer` is the choice or text (a str), the number (a float), or None. It may be set and observed. `found`
    compares it with what the next cell computes. Raises DivmetricsError for a question that cannot be asked
    and for an answer that is none of the choices, or no number.
    """

    _esm = Module("predict.js", ("predict.css",))
    _question = traitlets.Unicode("").tag(sync=True)
    _choices: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _kind = traitlets.Unicode("").tag(sync=True)
    _unit = traitlets.Unicode("").tag(sync=True)
    answer = traitlets.Any(None, allow_none=True).tag(
        sync=True, echo_update=False, reads=optional(union(number, text, expected="a number or a text"))
    )

    def __init__(
        self,
        question: str,
        choices: Iterable[object] = (),
        *,
        number: bool = False,
        unit: str = "",
        key: str | None = None,
    ) -> None:
        possible = [choices] if isinstance(choices, str) else [str(choice) for choice in choices]
        _check(question, possible, number, unit)
        kind = "choice" if possible else "number" if number else "text"
        self._key = question if key is None else key
        super().__init__(_question=question, _choices=possible, _kind=kind, _unit=unit)
        self._stand(f"{self._key} {kind} {' '.join(possible)}")
        if self._fits(_remembered.get(self._key)):
            self.answer = _remembered[self._key]

    @traitlets.validate("answer")
    def _checked(self, proposal: Any) -> Any:
        answer = proposal["value"]
        if answer is None or answer == "":
            return None
        if not self._fits(answer):
            raise DivmetricsError(
                f"the prediction is {answer!r}, expected {self._expected()}, or None to take it back"
            )
        return float(answer) if self._kind == "number" else answer

    def _check_written(self, written: dict[str, Any]) -> None:
        if "answer" in written:
            self._checked({"value": written["answer"]})

    @traitlets.observe("answer")
    def _remember(self, change: Any) -> None:
        _remembered[self._key] = change["new"]

    def found(self, value: Any, why: str = "", *, tolerance: float = 0.0, show: Any = ()) -> Found:
        """What came out, beside the prediction; closed until the reader answers, and it follows each answer.

        value is one of the choices, a number (a prediction off by `tolerance` is right) or a text, and is
        shown as it is given: round it first. why is the reason, in a sentence. show is what lets the result
        be seen, and is closed with it: a DataFrame, a figure, a text, whatever has `_repr_html_` or
        `_repr_mimebundle_`, or a list of these. Raises DivmetricsError for a value that no prediction could
        meet, and for what cannot be shown there, widgets among it.
        """
        return Found(self, value, why, tolerance=tolerance, show=show)

    def _fits(self, answer: Any) -> bool:
        if self._kind == "number":
            return checks.is_number(answer)
        return isinstance(answer, str) and (self._kind == "text" or answer in self._choices)

    def _expected(self) -> str:
        return {"choice": " or ".join(self._choices), "number": "a number", "text": "a text"}[self._kind]

    def __repr__(self) -> str:
        return f"Predict. {self._question} {self._ways()}"

    def _ways(self) -> str:
        """How it can be answered, or was."""
        if self._kind == "choice":
            return "   ".join(f"{'●' if choice == self.answer else '○'} {choice}" for choice in self._choices)
        given = "____" if self.answer is None else said(self.answer)
        return f"{given} {self._unit}".strip()

    def static_html(self) -> str:
        ways = code_to_html(self._ways()).replace("   ", " &nbsp; ")
        return f"<p><b>Predict.</b> {code_to_html(self._question)}<br>{ways}</p>"


class Found(WidgetBase):
    """What came out, beside what was predicted; made by `Predict.found`.

    Without a prediction it is shown closed, with all that lets the result be seen, and its repr keeps it
    back; `print` and `str` say it.

    `right` is True, False, or None: without a prediction, and for texts, which the reader compares.
    """

    _esm = Module("found.js", ("predict.css",))
    right = traitlets.Bool(None, allow_none=True)
    _words = traitlets.Unicode("").tag(sync=True)
    _why = traitlets.Unicode("").tag(sync=True)
    _shown = traitlets.Unicode("").tag(sync=True)
    _predicted = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, prediction: Predict, value: Any, why: str = "", *, tolerance: float = 0.0, show: Any = ()
    ) -> None:
        checks.check_number("tolerance", tolerance, 0)
        self._value = str(value) if prediction._kind != "number" else value
        if not prediction._fits(self._value):
            raise DivmetricsError(f"what was found is {value!r}, expected {prediction._expected()}")
        self._tolerance = tolerance
        stills = [static_html_of(thing) for thing in (show if isinstance(show, list | tuple) else [show])]
        self._texts = [text for _, text in stills]
        super().__init__(_why=why, _shown="".join(html for html, _ in stills))
        self._prediction = prediction
        self._compare()
        prediction.observe(lambda _: self._compare(), "answer")

    def _compare(self) -> None:
        given = self._prediction.answer
        open_ended = given is None or self._prediction._kind == "text"
        self.right = None if open_ended else same(given, self._value, self._tolerance)
        with self.hold_sync():  # both in one message
            self._predicted = given is not None
            self._words = self._told(None if given is None else said(given), self._verdict(given))

    def _told(self, given: str | None, verdict: str) -> str:
        """What is said of a prediction; None for none."""
        unit = self._prediction._unit and f" {self._prediction._unit}"
        answer = f"{said(self._value)}{unit}."
        if given is None:
            return f"Answer: {answer}"
        return f"You said {given}{unit}. The answer: {answer} {verdict}".strip()

    def _verdict(self, given: Any) -> str:
        if given is None or self._prediction._kind == "text":
            return ""
        right = same(given, self._value, self._tolerance)
        if isinstance(given, str) or same(given, self._value):
            return "Right." if right else "Not quite."
        return _off(right, said(abs(given - self._value)))

    def _tables(self) -> dict[str, Any]:
        """What is said of each answer; of a number with its texts left open, as {given} and {off}."""
        kind, choices = self._prediction._kind, self._prediction._choices
        told: dict[str, str] = {"none": self._told(None, ""), "text": self._told("{given}", "")}
        if kind == "choice":
            told |= {f"choice {choice}": self._told(choice, self._verdict(choice)) for choice in choices}
        if kind == "number":
            told |= {
                "same": self._told("{given}", "Right."),
                "near": self._told("{given}", _off(True, "{off}")),
                "far": self._told("{given}", _off(False, "{off}")),
            }
        value = float(self._value) if kind == "number" else None
        within = float(self._tolerance) + TIE_TOLERANCE
        return {
            "of": self._prediction.model_id,
            "value": value,
            "within": within,
            "relative": CROSS_CHECK_TOLERANCE,
            "told": told,
        }

    def __str__(self) -> str:
        return "\n\n".join([f"{self._words} {self._why}".strip(), *self._texts])

    def __repr__(self) -> str:
        return str(self) if self._predicted else "The answer is closed: predict first, or print it."

    def static_html(self) -> str:
        answer = f"<p><b>{code_to_html(self._words)}</b> {code_to_html(self._why)}</p>{self._shown}"
        return answer if self._predicted else closed("show me the answer", answer)


def _off(right: bool, by: str) -> str:
    return f"{'Right, off' if right else 'Off'} by {by}."


def said(value: Any) -> str:
    """A number in at most six digits; a text as it is."""
    return f"{value:.6g}" if checks.is_number(value) else str(value)


def _check(question: Any, choices: list[str], number: bool, unit: str) -> None:
    if not isinstance(question, str) or not question.strip():
        raise DivmetricsError(f"the question is {question!r}, expected a sentence")
    if choices and number:
        raise DivmetricsError("a prediction has choices or is a number, not both: leave one of them out")
    if unit and not number:
        raise DivmetricsError(f"the unit is {unit!r}, but the answer is no number: add number=True")
    if len(choices) == 1 or len(set(choices)) < len(choices):
        raise DivmetricsError(f"the choices are {choices}, expected at least two, all different")
