"""A few lines of Python that compute one value: what they read, and how they are run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from divmetrics.errors import DivmetricsError

VALUE = "the value"  # no name that could be written
FILE = "<written>"


@dataclass(frozen=True)
class Source:
    """Statements and, in the last line, an expression; `reads` are the names that it does not set itself."""

    text: str
    reads: frozenset[str]
    expression: ast.expr
    helpers: tuple[ast.stmt, ...]
    code: CodeType

    def run(self, names: Mapping[str, Any]) -> Any:
        """The value of the last line, given what the names stand for."""
        space = {"__builtins__": {}, **names}
        with np.errstate(all="ignore"):  # what is no number is found in the value
            exec(self.code, space)
        return space[VALUE]


@lru_cache(maxsize=1000)
def read_source(text: str) -> Source:
    """The text in one spelling (spaces, brackets), parsed; DivmetricsError where it is no such Python."""
    try:
        tree = ast.parse(text.strip())
    except SyntaxError as error:
        raise DivmetricsError(f"{text!r} cannot be read: {error.msg}") from None
    tree = ast.parse("\n".join(map(ast.unparse, tree.body)))  # so that lines are those of this spelling
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        raise DivmetricsError(f"{text!r} does not end in an expression, which gives the value")
    helpers = tuple(tree.body[:-1])
    kept = ast.copy_location(ast.Assign([ast.Name(VALUE, ast.Store())], last.value), last)
    whole = ast.fix_missing_locations(ast.Module([*helpers, kept], []))
    code = compile(whole, FILE, "exec")
    return Source("\n".join(map(ast.unparse, tree.body)), frozenset(reads(tree)), last.value, helpers, code)


def reads(*nodes: ast.AST) -> set[str]:
    """Names that are read and not set."""
    return loads(*nodes) - sets(*nodes)


def loads(*nodes: ast.AST) -> set[str]:
    """Names that are read, those that are set as well included."""
    return {n.id for n in _names(*nodes) if isinstance(n.ctx, ast.Load)}


def sets(*nodes: ast.AST) -> set[str]:
    """Names that are set, those of arguments and functions included."""
    walked = [n for node in nodes for n in ast.walk(node)]
    found = {n.id for n in walked if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    found |= {n.name for n in walked if isinstance(n, ast.FunctionDef)}
    return found | {n.arg for n in walked if isinstance(n, ast.arg)}


def changes(*nodes: ast.AST) -> set[str]:
    """Names that are set, or whose values are changed in place, as x is in `x[..., k] = 1`."""
    found = sets(*nodes)
    for node in ast.walk(ast.Tuple(list(nodes))):  # type: ignore[arg-type]  # any nodes, to walk them all
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            inner: ast.expr = node
            while isinstance(inner, (ast.Subscript, ast.Attribute)):
                inner = inner.value
            found |= {inner.id} if isinstance(inner, ast.Name) else set()
    return found


def _names(*nodes: ast.AST) -> Iterator[ast.Name]:
    return (n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name))


def failure_line(error: BaseException) -> int:
    """The line of a source, from 1, at which running it has failed."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
