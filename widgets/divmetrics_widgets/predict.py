"""Predict: a question before a result; Found: the result beside the prediction, hidden until there is one."""

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

_remembered: dict[str, Any] = {}  # {key: answer}, so that running a cell again does not lose the answer


class Predict(WidgetBase):
    """A question that is asked before a result is displayed; the kernel remembers the answer.

    Parameters
    ----------
    question : str
        One sentence; text between backticks is displayed as code.
    choices : iterable, optional
        The possible answers, at least two. Without them the answer is a text, or a number if `number`.
    number : bool
        Whether the answer is a number; False by default.
    unit : str
        The unit of that number, displayed after it; "" by default.
    key : str, optional
        The key under which the answer is remembered; by default the question.

    Raises
    ------
    DivmetricsError
        If the question is empty, there is one choice only, `choices` and `number` are both set, or `unit` is
        set without `number`.

    Notes
    -----
    `answer` is the choice or text (a str), the number (a float), or None. It may be set and observed. `found`
    compares it with a result that the next cell computes.

    Examples
    --------
    >>> prediction = Predict("Does list B score more?", ["yes", "no"])
    >>> prediction.answer = "yes"
    >>> print(prediction.found("no"))
    You said yes. The answer: no. Not quite.
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
        self._set_place(f"{self._key} {kind} {' '.join(possible)}")
        if self._fits(_remembered.get(self._key)):
            self.answer = _remembered[self._key]

    @traitlets.validate("answer")
    def _validate_answer(self, proposal: Any) -> Any:
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
            self._validate_answer({"value": written["answer"]})

    @traitlets.observe("answer")
    def _remember(self, change: Any) -> None:
        _remembered[self._key] = change["new"]

    def found(self, value: Any, why: str = "", *, tolerance: float = 0.0, show: Any = ()) -> Found:
        """Compare a result with the prediction; the result stays hidden until the reader answers.

        The comparison follows every later answer.

        Parameters
        ----------
        value : object
            One of the choices, a number or a text. It is displayed as it is: round it first.
        why : str
            The reason, one sentence; "" by default.
        tolerance : float
            The largest error of a predicted number that counts as right; 0 by default.
        show : object or list of objects
            Results to display with the answer: a DataFrame, a figure, a text, or any object with
            `_repr_html_` or `_repr_mimebundle_`. By default nothing more is displayed.

        Returns
        -------
        Found
            The comparison; its `right` is True, False, or None without a prediction and for texts.

        Raises
        ------
        DivmetricsError
            If no prediction could equal `value`, `tolerance` is negative or no number, or `show` cannot be
            displayed there, such as a widget.
        """
        return Found(self, value, why, tolerance=tolerance, show=show)

    def _fits(self, answer: Any) -> bool:
        if self._kind == "number":
            return checks.is_number(answer)
        return isinstance(answer, str) and (self._kind == "text" or answer in self._choices)

    def _expected(self) -> str:
        return {"choice": " or ".join(self._choices), "number": "a number", "text": "a text"}[self._kind]

    def __repr__(self) -> str:
        return f"Predict. {self._question} {self._format_answers()}"

    def _format_answers(self) -> str:
        """Format the possible answers, or the answer."""
        if self._kind == "choice":
            return "   ".join(f"{'●' if choice == self.answer else '○'} {choice}" for choice in self._choices)
        text = "____" if self.answer is None else _format_answer(self.answer)
        return f"{text} {self._unit}".strip()

    def static_html(self) -> str:
        ways = code_to_html(self._format_answers()).replace("   ", " &nbsp; ")
        return f"<p><b>Predict.</b> {code_to_html(self._question)}<br>{ways}</p>"


class Found(WidgetBase):
    """A result beside its prediction; made by `Predict.found`.

    Without a prediction the result and everything in `show` are folded away, and the repr hides them; `print`
    and `str` reveal them. `right` is True, False, or None: without a prediction, and for texts, which the
    reader compares.
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
        prediction = self._prediction.answer
        open_ended = prediction is None or self._prediction._kind == "text"
        self.right = None if open_ended else same(prediction, self._value, self._tolerance)
        with self.hold_sync():  # send both traits in one message
            self._predicted = prediction is not None
            self._words = self._sentence(
                None if prediction is None else _format_answer(prediction), self._verdict(prediction)
            )

    def _sentence(self, prediction: str | None, verdict: str) -> str:
        """Return the sentence about a formatted prediction, or about none."""
        unit = self._prediction._unit and f" {self._prediction._unit}"
        result = f"{_format_answer(self._value)}{unit}."
        if prediction is None:
            return f"Answer: {result}"
        return f"You said {prediction}{unit}. The answer: {result} {verdict}".strip()

    def _verdict(self, prediction: Any) -> str:
        if prediction is None or self._prediction._kind == "text":
            return ""
        right = same(prediction, self._value, self._tolerance)
        if isinstance(prediction, str) or same(prediction, self._value):
            return "Right." if right else "Not quite."
        return _off(right, _format_answer(abs(prediction - self._value)))

    def _tables(self) -> dict[str, Any]:
        """Return the sentence for each answer; that for a number has the placeholders {given} and {off}."""
        kind, choices = self._prediction._kind, self._prediction._choices
        sentences: dict[str, str] = {"none": self._sentence(None, ""), "text": self._sentence("{given}", "")}
        if kind == "choice":
            sentences |= {
                f"choice {choice}": self._sentence(choice, self._verdict(choice)) for choice in choices
            }
        if kind == "number":
            sentences |= {
                "same": self._sentence("{given}", "Right."),
                "near": self._sentence("{given}", _off(True, "{off}")),
                "far": self._sentence("{given}", _off(False, "{off}")),
            }
        value = float(self._value) if kind == "number" else None
        within = float(self._tolerance) + TIE_TOLERANCE
        return {
            "of": self._prediction.model_id,
            "value": value,
            "within": within,
            "relative": CROSS_CHECK_TOLERANCE,
            "told": sentences,
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


def _format_answer(value: Any) -> str:
    """Format a number with at most six digits; return a text as it is."""
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
