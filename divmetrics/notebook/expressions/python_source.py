"""Parse and run a few lines of Python that compute one value."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from divmetrics.errors import DivmetricsError

VALUE = "the value"  # no valid identifier, so it cannot clash
FILE = "<written>"


@dataclass(frozen=True)
class Source:
    """Statements and a final expression; `reads` are the names that it reads and does not set."""

    text: str
    reads: frozenset[str]
    expression: ast.expr
    helpers: tuple[ast.stmt, ...]
    code: CodeType

    def run(self, names: Mapping[str, Any]) -> Any:
        """Return the value of the final expression, with `names` in scope."""
        space = {"__builtins__": {"__import__": _import_numpy}, **names}
        with np.errstate(all="ignore"):  # callers check the value for nan and infinity
            exec(self.code, space)
        return space[VALUE]


def _import_numpy(name: str, *args: Any) -> ModuleType:
    """Import a module of numpy, as methods of arrays do when they are called first; refuse any other."""
    if name.partition(".")[0] != "numpy":
        raise ImportError(f"{name} cannot be imported here, only numpy can")
    return __import__(name, *args)


@lru_cache(maxsize=1000)
def read_source(text: str) -> Source:
    """Parse and normalise the text; raise DivmetricsError if it is invalid or ends in no expression."""
    try:
        tree = ast.parse(text.strip())
    except SyntaxError as error:
        raise DivmetricsError(f"{text!r} cannot be read: {error.msg}") from None
    tree = ast.parse(
        "\n".join(map(ast.unparse, tree.body))
    )  # so that line numbers are those of the normalised text
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        raise DivmetricsError(f"{text!r} does not end in an expression, which gives the value")
    helpers = tuple(tree.body[:-1])
    assignment = ast.copy_location(ast.Assign([ast.Name(VALUE, ast.Store())], last.value), last)
    whole = ast.fix_missing_locations(ast.Module([*helpers, assignment], []))
    code = compile(whole, FILE, "exec")
    return Source("\n".join(map(ast.unparse, tree.body)), frozenset(reads(tree)), last.value, helpers, code)


def reads(*nodes: ast.AST) -> set[str]:
    """Return the names that the nodes read and do not set."""
    return loads(*nodes) - sets(*nodes)


def loads(*nodes: ast.AST) -> set[str]:
    """Return the names that the nodes read, including those that they set as well."""
    return {n.id for n in _names(*nodes) if isinstance(n.ctx, ast.Load)}


def sets(*nodes: ast.AST) -> set[str]:
    """Return the names that the nodes set, including arguments and functions."""
    walked = [n for node in nodes for n in ast.walk(node)]
    names = {n.id for n in walked if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.name for n in walked if isinstance(n, ast.FunctionDef)}
    return names | {n.arg for n in walked if isinstance(n, ast.arg)}


def changes(*nodes: ast.AST) -> set[str]:
    """Return the names that the nodes set or change in place, as `x[..., k] = 1` changes x."""
    names = sets(*nodes)
    for node in ast.walk(ast.Tuple(list(nodes))):  # type: ignore[arg-type]  # any nodes, to walk them all
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            inner: ast.expr = node
            while isinstance(inner, (ast.Subscript, ast.Attribute)):
                inner = inner.value
            names |= {inner.id} if isinstance(inner, ast.Name) else set()
    return names


def _names(*nodes: ast.AST) -> Iterator[ast.Name]:
    return (n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name))


def failure_line(error: BaseException) -> int:
    """Return the line of the source, from 1, at which running it failed; 1 if the error is not its own."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
