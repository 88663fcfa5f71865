"""Calls from outside that fail because of what was given, told in one sentence.

`public` marks what people call. A call that goes well costs nothing more. Where one fails with an error of
Python's own, the arguments are held against their annotations, and the first that does not fit is named;
where all fit, the error is a defect of ours and stays as it is.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from divmetrics.checks import is_number, is_whole, shown
from divmetrics.errors import DivmetricsError

Public = TypeVar("Public", bound=Callable[..., Any])

FAILURES = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
PLAIN: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "int": ("a whole number", is_whole),
    "float": ("a finite number", is_number),
    "str": ("text", lambda value: isinstance(value, str)),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "Path": ("a path as text or a Path", lambda value: isinstance(value, (str, os.PathLike))),
}
SEVERAL = ("Sequence", "Iterable", "tuple", "list")


def public(thing: Public) -> Public:
    """A function or a class whose wrong calls are told in a sentence."""
    if isinstance(thing, type):
        thing.__init__ = _guarded(thing.__init__, thing.__name__)  # type: ignore[misc]
        return thing
    return _guarded(thing, thing.__name__)


def _guarded(function: Any, name: str) -> Any:
    @functools.wraps(function)
    def guarded(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except DivmetricsError:
            raise
        except FAILURES:
            said = misfit(function, arguments, options)
            if said is None:
                raise
            raise DivmetricsError(f"{name}: {said}") from None

    return guarded


def misfit(
    function: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> str | None:
    """What is wrong with the first argument that does not fit its annotation; None where all fit."""
    try:
        given = inspect.signature(function).bind(*arguments, **options).arguments
    except TypeError:  # too many arguments, or an unknown name: Python says it well
        return None
    for name, value in given.items():
        annotation = function.__annotations__.get(name)
        if not isinstance(annotation, str):
            continue
        expected = ast.parse(annotation, mode="eval").body
        if not _fits(value, expected):
            return f"{name} is {shown(value)}, expected {_words(expected)}"
        columns = getattr(value, "columns", None)
        if columns is not None and not columns.is_unique:
            return f"{name} has the column {columns[columns.duplicated()][0]!r} twice; give each its own name"
    return None


def _fits(value: Any, expected: ast.expr) -> bool:
    """Does a value fit an annotation? What the annotation leaves open fits."""
    match expected:
        case ast.BinOp(left=left, right=right):
            return _fits(value, left) or _fits(value, right)
        case ast.Constant(value=None):
            return value is None
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            return isinstance(value, str) and value in ast.literal_eval(choices)
        case ast.Subscript(value=ast.Name(id=name), slice=inside) if name in SEVERAL:
            several = isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))
            of = inside.elts[0] if isinstance(inside, ast.Tuple) else inside
            # What can be gone through once only is left alone.
            return several and (iter(value) is value or all(_fits(item, of) for item in value))
        case ast.Subscript(value=ast.Name(id="Mapping")):
            return isinstance(value, Mapping)
        case ast.Name(id=name) if name in PLAIN:
            return PLAIN[name][1](value)
        case ast.Name(id=name) | ast.Attribute(attr=name) if name[0].isupper() or name == "ndarray":
            return name in OPEN or any(name == kind.__name__ for kind in type(value).__mro__)
    return True


OPEN = ("Any", "Grades", "Kind", "Level", "Ties", "Method", "Missing", "Kendall", "Spread", "Scheme", "Order")


def _words(expected: ast.expr) -> str:
    match expected:
        case ast.BinOp(left=left, right=right):
            return f"{_words(left)} or {_words(right)}"
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            return f"one of {', '.join(ast.literal_eval(choices))}"
        case ast.Subscript(value=ast.Name(id=name), slice=inside) if name in SEVERAL:
            of = inside.elts[0] if isinstance(inside, ast.Tuple) else inside
            return f"several, each {_words(of)}"
        case ast.Name(id=name) if name in PLAIN:
            return PLAIN[name][0]
    name = ast.unparse(expected).rpartition("pd.")[2].rpartition("np.")[2]
    return f"a {name}" if name[0].isupper() and name != "None" else name
