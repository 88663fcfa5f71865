"""Parts written as text: a metric of one's own, as frozen and as comparable as the library's.

    Written("relevant * (1 - alpha) ** seen_before", alpha=0.5)

The last line of the text is the value, lines above it help. `divmetrics.notebook.expressions.vocabulary` has the words.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from divmetrics.core.batch import Batch
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
# What an expression for each intent by itself is made of, and what of it looks through whole arrays.
ARITHMETIC = (
    *(ast.Name, ast.expr_context, ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop),
    *(ast.Compare, ast.cmpop, ast.Call, ast.Assign),
)
ACROSS_VALUES = (ast.MatMult, ast.In, ast.NotIn)
TAKEN = ("source", "settings", "gain", "name", "cutoff", "given", "convention", "ideal", "text", "latex")


class ExpressionError(DivmetricsError):
    """A written part that gives no usable value; `column` and `line` (of its text, from 1) say where."""

    def __init__(self, column: str, line: int, said: str) -> None:
        super().__init__(said)
        self.column, self.line = column, line


@dataclass(frozen=True, init=False, repr=False)
class Expression(Part):
    """What written parts have in common: the text in one spelling, and numbers that a metric's name may set.

    gain: the map that `gain` stands for, where the text reads it. Raises DivmetricsError for a text that
    cannot be read, reads what its column has not, or does not read a number that is given.
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
        given = {**dict(settings), **numbers}
        read = read_source(source)
        _check_names(self.column, read, given)
        follows = bool(read.reads & FOLLOW_GAIN)
        object.__setattr__(self, "source", read.text)
        object.__setattr__(self, "settings", tuple(sorted(given.items())))
        object.__setattr__(self, "gain", (gain or Linear()) if follows else None)

    def __repr__(self) -> str:
        pieces = [repr(self.source), *(f"{name}={value!r}" for name, value in self.settings)]
        if self.gain not in (None, Linear()):
            pieces.append(f"gain={self.gain!r}")
        return f"{type(self).__name__}({', '.join(pieces)})"

    def free(self) -> Mapping[str, float]:
        return dict(self.settings)

    def with_free(self, given: Mapping[str, Any]) -> Self:
        return type(self)(self.source, gain=self.gain, **{**dict(self.settings), **given})

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

    def _run(self, view: Batch, row: MetricRow | None, source: str | None = None) -> Any:
        read = read_source(source or self.source)
        names = values(self.column, read.reads, view, self.gain or Linear(), row)
        try:
            return read.run({**names, **dict(self.settings)})
        except Exception as error:
            said = f"{self.column} fails: {_told(error)}"
            raise ExpressionError(self.column, failure_line(error), said) from error

    def _checked(self, found: Any, shape: tuple[int, ...]) -> np.ndarray:
        """As floats of this shape, or why that cannot be."""

        def wrong(said: str) -> ExpressionError:
            last = read_source(self.source).text.count("\n") + 1
            return ExpressionError(self.column, last, f"{self.column} {said}")

        try:
            array = np.asarray(found, dtype=float)
        except (TypeError, ValueError):
            raise wrong(f"gives a {type(found).__name__}, expected numbers") from None
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


@dataclass(frozen=True, init=False, repr=False)
class WrittenUtility(Expression, Utility):
    """M as an expression that a user wrote."""

    column: ClassVar[str] = "M"

    @property
    def by_intent(self) -> bool:
        """Is it arithmetic alone? A loop, an index or a function of one's own may look at other intents."""
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

    def __call__(self, view: Batch) -> np.ndarray:
        if not view.linear.size:
            return np.zeros(view.linear.shape)
        return self._checked(self._run(view, None), view.linear.shape)

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        read = read_source(self.source)
        factors = list(map(ast.unparse, _factors(read.expression)))
        if read.helpers or len(set(factors)) < len(factors):
            return {"M": self(view)}
        return {f: np.broadcast_to(self._run(view, None, f), view.linear.shape) for f in factors}


@dataclass(frozen=True, init=False, repr=False)
class WrittenDiscount(Expression):
    """w as an expression that a user wrote."""

    column: ClassVar[str] = "w"

    def __call__(self, view: Batch) -> np.ndarray:
        if not view.depth:
            return np.zeros(0)
        return self._checked(self._run(view, None), (1, 1, 1, view.depth))[0, 0, 0]


@dataclass(frozen=True, init=False, repr=False)
class WrittenWeight(Expression):
    """f as an expression that a user wrote."""

    column: ClassVar[str] = "f"

    def __call__(self, view: Batch) -> np.ndarray:
        topics, _, intents, _ = view.linear.shape
        return self._checked(self._run(view, None), (topics, 1, intents, 1))


@dataclass(frozen=True, init=False, repr=False)
class WrittenNormaliser(Expression):
    """N as an expression that a user wrote."""

    column: ClassVar[str] = "N"

    @property
    def needs_cutoff(self) -> bool:
        return "cutoff" in read_source(self.source).reads

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        topics, runs, intents, _ = view.linear.shape
        return self._checked(self._run(view, row), (topics, runs, intents, 1))


EXPRESSION_TYPES: Mapping[str, Callable[..., Expression]] = {
    part.column: part for part in (WrittenUtility, WrittenDiscount, WrittenWeight, WrittenNormaliser)
}


def unknown_name_message(column: str, name: str, others: Iterable[str]) -> str:
    """What to say of a name that a column has not."""
    elsewhere = homes(name)
    if elsewhere:
        return f"{column} reads {name!r}, which is for {' and '.join(elsewhere)} only: {HOME[column]}"
    known = [*meanings(column), *functions(), *others]
    hint = did_you_mean(name, known)
    readable = f"{', '.join(meanings(column))}, and numbers and lines of its own"
    return f"there is no {name!r} in {column}{hint or f'; it may read {readable}'}"


HOME = {
    "M": "M is what the list is worth, document by document",
    "w": "w depends on the rank alone",
    "f": "f depends on the topic's intents alone",
    "N": "N divides by an ideal list, by counts or by constants",
}


def refuse_word(name: str) -> None:
    """An error for a name of one's own that means something already."""
    if homes(name) or name in FUNCTIONS or name in (OVER_INTENTS, *PLAIN):
        meant = next((meanings(c)[name] for c in homes(name)), functions().get(name, "a function of Python"))
        raise DivmetricsError(f"{name!r} has a meaning here ({meant}); take another name")
    if name in TAKEN:
        raise DivmetricsError(f"{name!r} cannot be a name of one's own; take another")


def _check_names(column: str, read: Source, given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        check_number(name, value)
        refuse_word(name)
        if name not in read.reads:
            raise DivmetricsError(f"{name}={value!r} is given, but {column} = {read.text!r} does not read it")
    for name in sets(*read.helpers):
        refuse_word(name)
    known = {*meanings(column), *FUNCTIONS, OVER_INTENTS, *PLAIN, *given}
    unknown = next((name for name in sorted(read.reads) if name not in known), None)
    if unknown is not None:
        raise DivmetricsError(unknown_name_message(column, unknown, given))


def _factors(expression: ast.expr) -> list[ast.expr]:
    """x, y and z of x * y * z."""
    match expression:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return [*_factors(left), right]
    return [expression]


def _told(error: Exception) -> str:
    said = str(error).splitlines()[0] if str(error) else ""
    if "truth value of an array" in said:
        return "a condition over ranks has no single yes or no; write where(condition, x, y), and & for 'and'"
    if "read-only" in said:
        return "a quantity cannot be changed; change a copy, as in x = 1 * grade"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
