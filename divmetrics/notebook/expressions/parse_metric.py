"""Parse a metric from a few lines of text: M, and optionally w, f and N.

    M = relevant * (1 - alpha) ** seen_before
    w = 1 / log2(rank + 1)
    N = ideal
    alpha = 0.5

By default f is the intent's probability, and w and N are 1. A named number is a parameter. Other lines are
helpers, part of every column that reads them. The last line may be M's expression alone.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from divmetrics.core.calls import public
from divmetrics.core.metric import Metric
from divmetrics.core.parts import One, Part, Probability
from divmetrics.errors import DivmetricsError, did_you_mean, shorten
from divmetrics.notebook.expressions.expression_parts import (
    EXPRESSION_TYPES,
    refuse_word,
    unknown_name_message,
)
from divmetrics.notebook.expressions.python_source import changes, loads, read_source, reads, sets
from divmetrics.notebook.expressions.vocabulary import FUNCTIONS, OVER_INTENTS, PARTS, PLAIN, meanings
from divmetrics.registry.valid_names import check_metric_name

COLUMNS = ("M", "w", "f", "N")
DEFAULTS: Mapping[str, Part] = {"w": One(), "f": Probability(), "N": One()}
BOUNDED = "bounded"
REFUSED: Mapping[type[ast.AST], str] = {
    ast.Import: "nothing can be imported here, so that the metric is all in its text",
    ast.ImportFrom: "nothing can be imported here, so that the metric is all in its text",
    ast.ClassDef: "a class has no place here; write functions and expressions",
    ast.Global: "names are the cell's own; leave this out",
    ast.Nonlocal: "names are the cell's own; leave this out",
    ast.AnnAssign: "write the name alone, as in alpha = 0.5",
}


@dataclass(frozen=True)
class MetricDraft:
    """A parsed metric that has not been checked yet.

    `bounded`: the text claims that scores are between 0 and 1. `places`: {written part: pairs of a line of
    the part's source and the line of the text that it comes from}.
    """

    metric: Metric
    bounded: bool
    text: str
    first_line: int
    places: Mapping[str, Sequence[tuple[int, int]]]

    def where(self, column: str, line: int = 0) -> str:
        """Return the quoted line of the text that `line` of the source of `column` comes from, or "".

        By default, the line is the last of the source, which gives the column its value.
        """
        standing = [at for first, at in self.places.get(column, ()) if not line or first <= line]
        return _quoted(self.text, standing[-1], self.first_line) if standing else ""


@public
def write_metric(name: str, text: str, first_line: int = 1) -> MetricDraft:
    """Parse a metric from the text of a cell of %%metric.

    Parameters
    ----------
    name : str
        The metric's name.
    text : str
        "M = ...", and a line for each other part that differs from its default (1 for w and N, the
        probability of the intent for f), as "w = ..."; further lines set parameters ("alpha = 0.5") and names
        for pieces. `meanings` lists what each part may read.
    first_line : int
        The line number that error messages use for the first line of the text; 1 by default.

    Returns
    -------
    MetricDraft
        The metric (`metric`), not registered and not checked yet (see `check_rules`), and the lines of the
        text that its parts come from.

    Raises
    ------
    DivmetricsError
        If the name is invalid or a metric of divmetrics has it, or the text is invalid or has no M. The
        message names the line that is wrong, if there is one.

    Examples
    --------
    >>> from divmetrics.notebook.expressions import write_metric
    >>> draft = write_metric("halved", "M = relevant / 2")
    >>> draft.metric.M
    WrittenUtility('relevant / 2')
    """
    check_metric_name(name)
    try:
        return _Reader(textwrap.dedent(text), first_line).draft(name)
    except (RecursionError, MemoryError):  # both from Python's parser, as deep as it goes
        raise DivmetricsError(
            f"the metric {name!r} is nested too deeply to be read; name its pieces on lines of their own"
        ) from None


def _quoted(text: str, line: int, first_line: int) -> str:
    """Return the number and the content of a line of `text`, such as "line 2 (M = relevant)".

    `line` counts from 1; the number counts from `first_line`. An empty line, or one that the text does not
    have, is named by its number alone.
    """
    lines = text.splitlines()
    excerpt = shorten(lines[line - 1].strip()) if 0 < line <= len(lines) else ""
    return f"line {line + first_line - 1} ({excerpt})" if excerpt else f"line {line + first_line - 1}"


class _Reader:
    def __init__(self, text: str, first_line: int) -> None:
        self.text, self.first_line = text, first_line
        try:
            self.body = ast.parse(text).body
        except SyntaxError as error:
            self.wrong(error.lineno or 1, f"this is not valid Python: {error.msg}")
        except UnicodeEncodeError as error:
            line = text.count("\n", 0, error.start) + 1
            self.wrong(line, "half of a character stands there; write it whole")
        for statement in self.body:
            if isinstance(statement, ast.Return):
                self.wrong(statement.lineno, "nothing is returned; name M, as in M = relevant")
            for node in ast.walk(statement):
                if type(node) in REFUSED:
                    self.wrong(getattr(node, "lineno", statement.lineno), REFUSED[type(node)])
        self.bounded = False
        self.statements = self._named()
        self.parameters = self._numbers()
        self._check_words()

    def wrong(self, line: int, what: str) -> NoReturn:
        raise DivmetricsError(f"{_quoted(self.text, line, self.first_line)}: {what}")

    def draft(self, name: str) -> MetricDraft:
        parts: dict[str, Any] = dict(DEFAULTS)
        places: dict[str, list[tuple[int, int]]] = {}
        used: set[int] = set()
        for column in COLUMNS:
            statements = self._slice(column)
            if statements:
                used |= {id(statement) for statement in statements}
                parts[column] = self._part(column, statements)
                places[column] = _places(statements)
        self._check_used(used, parts)
        return MetricDraft(Metric(name, **parts), self.bounded, self.text, self.first_line, places)

    def _named(self) -> list[ast.stmt]:
        """Return the statements that assign a name; a final expression is assigned to M.

        Raises DivmetricsError for any other expression, and if nothing is assigned to M.
        """
        named: list[ast.stmt] = []
        for place, statement in enumerate(self.body):
            if isinstance(statement, ast.Expr):
                if isinstance(statement.value, ast.Name) and statement.value.id == BOUNDED:
                    self.bounded = True
                    continue
                if place < len(self.body) - 1 or "M" in sets(*self.body):
                    code = ast.unparse(statement)
                    message = f"{code!r} is computed and lost; name it, as in worth = {code}"
                    self.wrong(statement.lineno, message)
                m = ast.Assign([ast.Name("M", ast.Store())], statement.value, lineno=statement.lineno)
                statement = ast.copy_location(m, statement)
            if not isinstance(statement, ast.Pass):
                named.append(statement)
        if "M" not in sets(*named):
            raise DivmetricsError(
                "there is no M, which says what a document adds; write it, as in "
                "M = relevant * (1 - alpha) ** seen_before"
            )
        return named

    def _numbers(self) -> dict[str, tuple[float, int]]:
        """Return parameters, {name: (number, line)}: names assigned a number once and never changed."""
        numbers: dict[str, tuple[float, int]] = {}
        remaining: list[ast.stmt] = []
        for statement in self.statements:
            name, value = _number(statement)
            others = (other for other in self.statements if other is not statement)
            if value is None or name in COLUMNS or name in changes(*others):
                remaining.append(statement)
            else:
                numbers[name] = value, statement.lineno
        self.statements = remaining
        return numbers

    def _check_words(self) -> None:
        """Raise DivmetricsError if an own name is a word of the vocabulary."""
        for name, (_, line) in self.parameters.items():
            self._refused(name, line)
        for statement in self.statements:
            for name in sorted(sets(statement) - set(COLUMNS)):
                self._refused(name, statement.lineno)

    def _refused(self, name: str, line: int) -> None:
        try:
            refuse_word(name)
        except DivmetricsError as error:
            self.wrong(line, str(error))

    def _slice(self, column: str) -> list[ast.stmt]:
        """Return the statements that a column needs, in order; the last one gives its value."""
        needed, statements = {column}, []
        for statement in reversed(self.statements):
            changed = changes(statement)
            if changed & needed:
                statements.append(statement)
                needed |= loads(statement)
                other = (loads(statement) & set(COLUMNS)) - {column} - changed
                if other:
                    read = sorted(other)[0]
                    self.wrong(
                        statement.lineno,
                        f"{column} reads {read}; columns do not read one another, they are multiplied",
                    )
        return statements[::-1]

    def _part(self, column: str, statements: Sequence[ast.stmt]) -> Any:
        self._check_read(column, statements)
        source = "\n".join(_lines(statements, column))
        if source in PARTS[column]:
            return PARTS[column][source]
        used = read_source(source).reads
        numbers = {name: value for name, (value, _) in self.parameters.items() if name in used}
        return EXPRESSION_TYPES[column](source, **numbers)

    def _check_read(self, column: str, statements: Sequence[ast.stmt]) -> None:
        """Raise DivmetricsError if a name is neither a word nor a parameter nor assigned above."""
        vocabulary = {*meanings(column), *FUNCTIONS, OVER_INTENTS, *PLAIN, *self.parameters}
        above: set[str] = set()
        for statement in statements:
            own = sets(statement)
            # A loop or a function can read what it sets; `x = ...` cannot read x.
            readable = {*vocabulary, *above, *(() if isinstance(statement, ast.Assign) else own)}
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    name = node.id
                    if name in readable:
                        continue
                    if name in sets(*self.statements) and name not in COLUMNS:
                        self.wrong(node.lineno, f"{name!r} is read before it is set")
                    self.wrong(node.lineno, unknown_name_message(column, name, [*self.parameters, *above]))
            above |= own

    def _check_used(self, used: set[int], parts: Mapping[str, Any]) -> None:
        """Raise DivmetricsError for a parameter or a statement that no column reads."""
        free = {name for part in parts.values() for name in part.free_parameters()}
        for name, (_, line) in self.parameters.items():
            if name not in free:
                hint = did_you_mean(name, reads(*self.statements))
                self.wrong(line, f"no column reads {name!r}{hint}; leave it out, or read it")
        for statement in self.statements:
            if id(statement) not in used:
                names = ", ".join(sorted(changes(statement))) or "this"
                self.wrong(statement.lineno, f"no column reads {names}; leave it out, or read it in M")


def _number(statement: ast.stmt) -> tuple[str, float | None]:
    """Return (name, number) of `name = number`, where the number may be written as 1/3.

    Returns (name, None) or ("", None) for any other statement.
    """
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            plain = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
            if all(isinstance(node, plain) for node in ast.walk(value)):
                try:
                    number = eval(compile(ast.Expression(value), "<number>", "eval"), {"__builtins__": {}})
                except (ArithmeticError, TypeError, ValueError):
                    return name, None
                if isinstance(number, (int, float)) and not isinstance(number, bool):
                    return name, number
    return "", None


def _lines(statements: Sequence[ast.stmt], column: str) -> Iterable[str]:
    """Yield the lines of a column's source: its helpers, and its value last."""
    *helpers, last = statements
    yield from map(ast.unparse, helpers)
    match last:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
            name == column and column not in sets(*helpers) and column not in reads(value)
        ):
            yield ast.unparse(value)
        case _:
            yield ast.unparse(last)
            yield column


def _places(statements: Sequence[ast.stmt]) -> list[tuple[int, int]]:
    """Return (line of the column's source, line of the text) for each statement."""
    places, line = [], 1
    for statement in statements:
        places.append((line, statement.lineno))
        line += ast.unparse(statement).count("\n") + 1
    return places
