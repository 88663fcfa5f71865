"""Parts written as text: for metrics of one's own, as frozen and comparable as the library's parts.

    WrittenUtility("relevant * (1 - alpha) ** seen_before", alpha=0.5)

The last line of the text is the value, lines above it define names. The vocabulary is in
`divmetrics.notebook.expressions.vocabulary`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.calls import public
from divmetrics.core.checks import check_number
from divmetrics.core.parts.gains import Gain, Linear
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.utility import Utility
from divmetrics.core.protocols import MetricRow
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.explanations.part_descriptions import description_of
from divmetrics.notebook.expressions.latex import in_one, to_latex
from divmetrics.notebook.expressions.python_source import Source, failure_line, read_source, sets
from divmetrics.notebook.expressions.vocabulary import (
    FUNCTIONS,
    GRADES,
    OVER_INTENTS,
    PLAIN,
    WORDS,
    functions,
    homes,
    meanings,
    values,
)

SIGNS = {name: word.latex for name, word in WORDS["M"].items()}
SIGNS |= {"ideal": r"\text{ideal}", "cutoff": "l", "judged_relevant": "R_i"}
FOLLOW_GAIN = frozenset({"gain", "gain_before", "ideal_gain", "top_gain"})
# Syntax that treats each intent separately, and operators that read whole arrays nevertheless.
ARITHMETIC = (
    *(ast.Name, ast.expr_context, ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop),
    *(ast.Compare, ast.cmpop, ast.Call, ast.Assign),
)
ACROSS_VALUES = (ast.MatMult, ast.In, ast.NotIn)
TAKEN = ("source", "settings", "gain", "name", "cutoff", "given", "convention", "ideal", "text", "latex")


class ExpressionError(DivmetricsError):
    """The error that the value of a part written as an expression cannot be computed or used.

    It is a DivmetricsError with the attributes `column` and `line`.

    Parameters
    ----------
    column : str
        The column of the part: "N", "f", "w" or "M".
    line : int
        The line of the part's source, from 1.
    message : str
        What is wrong.

    Examples
    --------
    >>> from divmetrics.parts import ExpressionError
    >>> ExpressionError("M", 1, "M fails").column
    'M'
    """

    def __init__(self, column: str, line: int, message: str) -> None:
        super().__init__(message)
        self.column, self.line = column, line


@dataclass(frozen=True, init=False, repr=False)
class Expression(Part):
    """The common base of written parts: the normalised source, and numbers that a metric's name may set.

    `gain` is the gain map that the word `gain` reads. Raises DivmetricsError for a source that cannot be
    parsed or reads a word that its column lacks, and for a number that the source does not read.
    """

    source: str
    settings: tuple[tuple[str, float], ...]
    gain: Gain | None
    column: ClassVar[str]

    def __init__(
        self,
        source: str,
        settings: tuple[tuple[str, float], ...] = (),
        gain: Gain | None = None,
        **numbers: float,
    ) -> None:
        numbers_by_name = {**dict(settings), **numbers}
        read = read_source(source)
        _check_names(self.column, read, numbers_by_name)
        follows = bool(read.reads & FOLLOW_GAIN)
        object.__setattr__(self, "source", read.text)
        object.__setattr__(self, "settings", tuple(sorted(numbers_by_name.items())))
        object.__setattr__(self, "gain", (gain or Linear()) if follows else None)
        self.__post_init__()

    def __repr__(self) -> str:
        pieces = [repr(self.source), *(f"{name}={value!r}" for name, value in self.settings)]
        if self.gain not in (None, Linear()):
            pieces.append(f"gain={self.gain!r}")
        return f"{type(self).__name__}({', '.join(pieces)})"

    def free_parameters(self) -> Mapping[str, float]:
        return dict(self.settings)

    def with_free_parameters(self, numbers: Mapping[str, Any]) -> Self:
        return type(self)(self.source, gain=self.gain, **{**dict(self.settings), **numbers})

    @property
    def text(self) -> str:
        whole = self._in_one()
        if whole is None:
            return f"{self.column} as written"
        loose = not isinstance(whole, (ast.Name, ast.Constant, ast.Call))
        loose = loose and not (isinstance(whole, ast.BinOp) and isinstance(whole.op, (ast.Mult, ast.Pow)))
        return f"({ast.unparse(whole)})" if loose else ast.unparse(whole)

    @property
    def latex(self) -> str:
        whole = self._in_one()
        if whole is None:
            return rf"\text{{{self.column} as written}}"
        return to_latex(whole, {**SIGNS, "gain": description_of(self.gain or Linear()).latex})

    def _in_one(self) -> ast.expr | None:
        read = read_source(self.source)
        return in_one(read.expression, read.helpers)

    def _run(self, batch: Batch, row: MetricRow | None, source: str | None = None) -> Any:
        """Return the value of the source (or of its factor `source`) on a batch.

        Raises ExpressionError if it fails.
        """
        read = read_source(source or self.source)
        names = values(self.column, read.reads, batch, self.gain or Linear(), row)
        try:
            return read.run({**names, **dict(self.settings)})
        except Exception as error:
            message = f"{self.column} fails: {_failure_message(error)}"
            raise ExpressionError(self.column, failure_line(error), message) from error

    def _checked(self, value: Any, shape: tuple[int, ...]) -> np.ndarray:
        """Return the value as floats of this shape, or raise ExpressionError."""

        def wrong(problem: str) -> ExpressionError:
            last = read_source(self.source).text.count("\n") + 1
            return ExpressionError(self.column, last, f"{self.column} {problem}")

        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise wrong(f"gives a {type(value).__name__}, expected numbers") from None
        try:
            full = np.broadcast_to(array, shape)
        except ValueError:
            raise wrong(
                f"gives an array of the shape {array.shape}, which does not fit {shape} "
                "(topic, run, intent, rank); keep the axes, as in so_far(x) or over_intents(x)"
            ) from None
        if not np.isfinite(full).all():
            at = np.argwhere(~np.isfinite(full))[0]
            where = f" at rank {at[3] + 1}" if shape[3] > 1 else ""
            raise wrong(
                f"is {full[tuple(at)]}{where}, expected a finite number; "
                "where(condition, x, y) can put another value there"
            )
        return full


@public
@dataclass(frozen=True, init=False, repr=False)
class WrittenUtility(Expression, Utility):
    """The utility M, written as an expression.

    Parameters
    ----------
    source : str
        An expression in Python's syntax, of the words of `divmetrics.notebook.expressions.meanings("M")`
        and of `functions()`. Lines above it may define names. Its value broadcasts to (topic, run, intent,
        rank).
    settings : tuple of (str, float)
        The values of other names that the source reads, as (name, value); a metric's name may set them.
    gain : Gain, optional
        The gain map behind the word `gain`; Linear() by default, and ignored if the source reads no gain.
    **numbers : float
        The same as `settings`, as keywords; a name in both has the value of the keyword.

    Raises
    ------
    DivmetricsError
        If the expression cannot be parsed, reads a name that has no value, or does not read one of the
        numbers, or an argument has the wrong type. Scoring raises ExpressionError if the value is not finite
        or cannot be computed.

    Examples
    --------
    >>> from divmetrics.parts import WrittenUtility
    >>> WrittenUtility("relevant * (1 - alpha) ** seen_before", alpha=0.5)
    WrittenUtility('relevant * (1 - alpha) ** seen_before', alpha=0.5)
    """

    column: ClassVar[str] = "M"

    @property
    def by_intent(self) -> bool:
        """Whether the utility for an intent depends on the grades for this intent alone.

        True for plain arithmetic; loops, indices and functions of the source may read other intents.
        """
        read = read_source(self.source)
        nodes = [node for tree in (*read.helpers, read.expression) for node in ast.walk(tree)]
        return all(isinstance(n, ARITHMETIC) and not isinstance(n, ACROSS_VALUES) for n in nodes) and not (
            read.reads & {OVER_INTENTS, *PLAIN}
        )

    @property
    def reads(self) -> tuple[str, ...]:
        words = (WORDS["M"][name] for name in read_source(self.source).reads if name in WORDS["M"])
        used = {array for word in words for array in word.reads}
        return tuple(array for array in GRADES if array in used) or ("relevant",)

    def __call__(self, batch: Batch) -> np.ndarray:
        if not batch.linear.size:
            return np.zeros(batch.linear.shape)
        return self._checked(self._run(batch, None), batch.linear.shape)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        read = read_source(self.source)
        factors = list(map(ast.unparse, _factors(read.expression)))
        if read.helpers or len(set(factors)) < len(factors):
            return {"M": self(batch)}
        return {f: np.broadcast_to(self._run(batch, None, f), batch.linear.shape) for f in factors}


@public
@dataclass(frozen=True, init=False, repr=False)
class WrittenDiscount(Expression):
    """The discount w, written as an expression.

    Parameters
    ----------
    source : str
        An expression in Python's syntax, of the words of `divmetrics.notebook.expressions.meanings("w")`
        and of `functions()`. Lines above it may define names. Its value broadcasts to (topic, run, intent,
        rank).
    settings : tuple of (str, float)
        The values of other names that the source reads, as (name, value); a metric's name may set them.
    gain : Gain, optional
        The gain map behind the word `gain`; Linear() by default, and ignored if the source reads no gain.
    **numbers : float
        The same as `settings`, as keywords; a name in both has the value of the keyword.

    Raises
    ------
    DivmetricsError
        If the expression cannot be parsed, reads a name that has no value, or does not read one of the
        numbers, or an argument has the wrong type. Scoring raises ExpressionError if the value is not finite
        or cannot be computed.

    Examples
    --------
    >>> from divmetrics.parts import WrittenDiscount
    >>> WrittenDiscount("patience ** (rank - 1)", patience=0.8)
    WrittenDiscount('patience ** (rank - 1)', patience=0.8)
    """

    column: ClassVar[str] = "w"

    def __call__(self, batch: Batch) -> np.ndarray:
        if not batch.depth:
            return np.zeros(0)
        return self._checked(self._run(batch, None), (1, 1, 1, batch.depth))[0, 0, 0]


@public
@dataclass(frozen=True, init=False, repr=False)
class WrittenWeight(Expression):
    """The intent weight f, written as an expression.

    Parameters
    ----------
    source : str
        An expression in Python's syntax, of the words of `divmetrics.notebook.expressions.meanings("f")`
        and of `functions()`. Lines above it may define names. Its value broadcasts to (topic, run, intent,
        rank).
    settings : tuple of (str, float)
        The values of other names that the source reads, as (name, value); a metric's name may set them.
    gain : Gain, optional
        The gain map behind the word `gain`; Linear() by default, and ignored if the source reads no gain.
    **numbers : float
        The same as `settings`, as keywords; a name in both has the value of the keyword.

    Raises
    ------
    DivmetricsError
        If the expression cannot be parsed, reads a name that has no value, or does not read one of the
        numbers, or an argument has the wrong type. Scoring raises ExpressionError if the value is not finite
        or cannot be computed.

    Examples
    --------
    >>> from divmetrics.parts import WrittenWeight
    >>> WrittenWeight("probability ** 2")
    WrittenWeight('probability ** 2')
    """

    column: ClassVar[str] = "f"

    def __call__(self, batch: Batch) -> np.ndarray:
        topics, _, intents, _ = batch.linear.shape
        return self._checked(self._run(batch, None), (topics, 1, intents, 1))


@public
@dataclass(frozen=True, init=False, repr=False)
class WrittenNormaliser(Expression):
    """The normaliser N, written as an expression.

    Parameters
    ----------
    source : str
        An expression in Python's syntax, of the words of `divmetrics.notebook.expressions.meanings("N")`
        and of `functions()`. Lines above it may define names. Its value broadcasts to (topic, run, intent,
        rank).
    settings : tuple of (str, float)
        The values of other names that the source reads, as (name, value); a metric's name may set them.
    gain : Gain, optional
        The gain map behind the word `gain`; Linear() by default, and ignored if the source reads no gain.
    **numbers : float
        The same as `settings`, as keywords; a name in both has the value of the keyword.

    Raises
    ------
    DivmetricsError
        If the expression cannot be parsed, reads a name that has no value, or does not read one of the
        numbers, or an argument has the wrong type. Scoring raises ExpressionError if the value is not finite
        or cannot be computed.

    Examples
    --------
    >>> from divmetrics.parts import WrittenNormaliser
    >>> WrittenNormaliser("intents * cutoff")
    WrittenNormaliser('intents * cutoff')
    """

    column: ClassVar[str] = "N"

    @property
    def needs_cutoff(self) -> bool:
        return "cutoff" in read_source(self.source).reads

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        topics, runs, intents, _ = batch.linear.shape
        return self._checked(self._run(batch, row), (topics, runs, intents, 1))


EXPRESSION_TYPES: Mapping[str, Callable[..., Expression]] = {
    part.column: part for part in (WrittenUtility, WrittenDiscount, WrittenWeight, WrittenNormaliser)
}


def unknown_name_message(column: str, name: str, others: Iterable[str]) -> str:
    """Return the error message for a `name` that `column` reads but lacks; `others` are names it sets."""
    elsewhere = homes(name)
    if elsewhere:
        return f"{column} reads {name!r}, which is for {' and '.join(elsewhere)} only: {HOME[column]}"
    names = [*meanings(column), *functions(), *others]
    hint = did_you_mean(name, names)
    readable = f"{', '.join(meanings(column))}, and numbers and lines of its own"
    return f"there is no {name!r} in {column}{hint or f'; it may read {readable}'}"


HOME = {
    "M": "M is what the list is worth, document by document",
    "w": "w depends on the rank alone",
    "f": "f depends on the topic's intents alone",
    "N": "N divides by an ideal list, by counts or by constants",
}


def refuse_word(name: str) -> None:
    """Raise DivmetricsError for a name that has a meaning in any column, or is reserved."""
    if homes(name) or name in FUNCTIONS or name in (OVER_INTENTS, *PLAIN):
        meant = next((meanings(c)[name] for c in homes(name)), functions().get(name, "a function of Python"))
        raise DivmetricsError(f"{name!r} has a meaning here ({meant}); take another name")
    if name in TAKEN:
        raise DivmetricsError(f"{name!r} cannot be a name of one's own; take another")


def _check_names(column: str, read: Source, numbers: Mapping[str, Any]) -> None:
    """Raise DivmetricsError for an unused number, a reserved name, or an unknown word."""
    for name, value in numbers.items():
        check_number(name, value)
        refuse_word(name)
        if name not in read.reads:
            raise DivmetricsError(f"{name}={value!r} is given, but {column} = {read.text!r} does not read it")
    for name in sets(*read.helpers):
        refuse_word(name)
    names = {*meanings(column), *FUNCTIONS, OVER_INTENTS, *PLAIN, *numbers}
    unknown = next((name for name in sorted(read.reads) if name not in names), None)
    if unknown is not None:
        raise DivmetricsError(unknown_name_message(column, unknown, numbers))


def _factors(expression: ast.expr) -> list[ast.expr]:
    """Return x, y and z of x * y * z."""
    match expression:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return [*_factors(left), right]
    return [expression]


def _failure_message(error: Exception) -> str:
    """Word an exception of the source in one line."""
    message = str(error).splitlines()[0] if str(error) else ""
    if "truth value of an array" in message:
        return "a condition over ranks has no single yes or no; write where(condition, x, y), and & for 'and'"
    if "read-only" in message:
        return "a quantity cannot be changed; change a copy, as in x = 1 * grade"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
