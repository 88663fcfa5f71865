"""Wrong calls from outside, told in one sentence.

`public` marks what people call. Where a call fails with an error of Python's own, the arguments are held
against their annotations, and the first that does not fit is named; where all fit, the error is a defect of
ours and stays as it is. To a name that no argument has, the answer is the one that was meant. Where a call
goes well, they are held against their annotations, too, but nobody looks into what holds several: that costs
some microseconds, and nothing is answered by accident.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

from divmetrics.core.checks import is_number, is_whole, quote
from divmetrics.errors import DivmetricsError, did_you_mean

Public = TypeVar("Public", bound=Callable[..., Any])

FAILURES = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
PLAIN: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "int": ("a whole number below 2^63", lambda value: is_whole(value) and abs(value) < 2**63),
    "float": ("a finite number", is_number),
    "str": ("text", lambda value: isinstance(value, str)),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "Path": ("a path as text or a Path", lambda value: isinstance(value, (str, os.PathLike))),
}
SEVERAL = ("Sequence", "Iterable", "tuple", "list")
SETS = (set, frozenset)  # which go through what they hold in another order each time
# What belongs into an argument, by the other names under which people give it.
INSTEAD: Mapping[str, tuple[tuple[str, ...], str]] = {
    "topics": (
        ("intents", "probabilities", "intent_probabilities", "weights", "subtopics"),
        "intents and their probabilities are given as topics=, a path or Topics such as "
        "divmetrics.Topic('7', (divmetrics.Intent('film', 0.6), divmetrics.Intent('book', 0.4)))",
    ),
}


def public(thing: Public) -> Public:
    """A function, or a class with its class methods, whose wrong calls are told in a sentence."""
    if isinstance(thing, type):
        thing.__init__ = _guarded(thing.__init__, thing.__name__)  # type: ignore[misc]
        for name, made_by in tuple(vars(thing).items()):
            if isinstance(made_by, classmethod) and not name.startswith("_"):
                setattr(thing, name, classmethod(_guarded(made_by.__func__, f"{thing.__name__}.{name}")))
        return thing
    return _guarded(thing, thing.__name__)


def _guarded(function: Any, name: str) -> Any:
    @functools.wraps(function)
    def guarded(*arguments: Any, **options: Any) -> Any:
        try:
            result = function(*arguments, **options)
        except DivmetricsError:
            raise
        except FAILURES:
            said = misfit(function, arguments, options)
            if said is None:
                raise
            raise DivmetricsError(f"{name}: {said}") from None
        said = misfit(function, arguments, options, inside=False)
        if said is not None:
            raise DivmetricsError(f"{name}: {said}")
        return result

    return guarded


def misfit(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    options: Mapping[str, Any],
    inside: bool = True,
) -> str | None:
    """What is wrong with the first argument that does not fit its annotation; None where all fit.

    inside: look at each of several, too.
    """
    signature, annotations, names = _expected(function)
    given: Mapping[str, Any]
    if names and not inside:  # a call that went well has its arguments in order
        given = {**dict(zip(names, arguments, strict=False)), **options}
    else:
        try:
            given = signature.bind(*arguments, **options).arguments
        except TypeError:  # too many arguments, or too few: Python says it well
            return unknown(signature, options)
    for name, value in given.items():
        expected = annotations.get(name)
        if expected is None:
            continue
        if not _fits(value, expected, function.__globals__, inside):
            unordered = "; a set has no order" if isinstance(value, SETS) else ""
            return f"{name} is {quote(value)}, expected {_words(expected, function.__globals__)}{unordered}"
        columns = getattr(value, "columns", None)
        if inside and columns is not None and not columns.is_unique:
            return f"{name} has the column {columns[columns.duplicated()][0]!r} twice; give each its own name"
    return None


def unknown(signature: inspect.Signature, options: Mapping[str, Any]) -> str | None:
    """Of the first name that no argument has, which one was meant; None where all are known."""
    parameters = signature.parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return None
    name = next((name for name in options if name not in parameters), None)
    if name is None:
        return None
    for argument, (others, words) in INSTEAD.items():
        if argument in parameters and name in others:
            return f"no argument is called {name!r}; {words}"
    known = [name for name in parameters if name != "self"]
    return f"no argument is called {name!r}{did_you_mean(name, known)}; expected one of {', '.join(known)}"


@functools.cache
def _expected(function: Any) -> tuple[inspect.Signature, dict[str, ast.expr], tuple[str, ...]]:
    """How a function is called, the annotations of its arguments, and their names (none: any may come)."""
    signature = inspect.signature(function)
    parameters = signature.parameters.values()
    several = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)
    written = {name: text for name, text in function.__annotations__.items() if isinstance(text, str)}
    return (
        signature,
        {name: ast.parse(text, mode="eval").body for name, text in written.items()},
        () if several else tuple(signature.parameters),
    )


def _fits(value: Any, expected: ast.expr, known: Mapping[str, Any], deep: bool) -> bool:
    """Does a value fit an annotation? What the annotation leaves open fits. known: names where it stands."""
    match expected:
        case ast.BinOp(left=left, right=right):
            return _fits(value, left, known, deep) or _fits(value, right, known, deep)
        case ast.Constant(value=None):
            return value is None
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            return isinstance(value, str) and value in ast.literal_eval(choices)
        case ast.Subscript(value=ast.Name(id=name), slice=inside) if name in SEVERAL:
            if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping, *SETS)):
                return False
            # What can be gone through once only is left alone.
            closed = not deep or iter(value) is value
            return closed or all(_fits(x, _first(inside), known, deep) for x in value)
        case ast.Subscript(value=ast.Name(id="Mapping"), slice=ast.Tuple(elts=[_, inside])):
            return isinstance(value, Mapping) and all(_fits(x, inside, known, deep) for x in value.values())
        case ast.Name(id=name) if name in PLAIN:
            return PLAIN[name][1](value)
        case ast.Name(id=name) if get_origin(known.get(name)) is Literal:
            return isinstance(value, str) and value in get_args(known[name])
        case ast.Name(id=name) if get_origin(known.get(name)) is Mapping:
            return _fits_mapping(value, known[name])
        case ast.Name(id=name) if name != "Any" and isinstance(known.get(name), type):
            return isinstance(value, known[name])
        case ast.Attribute(attr=name):  # pd.DataFrame, np.ndarray; pandas may not be imported
            # A list that went through is one of which an array was made.
            made_of = not deep and isinstance(value, (list, tuple))
            return made_of or any(name == kind.__name__ for kind in type(value).__mro__)
    return True


def _fits_mapping(value: Any, alias: Any) -> bool:
    """Is it a mapping, and what it holds, too, where that is to be one?"""
    inside = get_args(alias)[1]
    return isinstance(value, Mapping) and (
        get_origin(inside) is not Mapping or all(_fits_mapping(each, inside) for each in value.values())
    )


def _first(inside: ast.expr) -> ast.expr:
    """int of tuple[int, ...]."""
    return inside.elts[0] if isinstance(inside, ast.Tuple) else inside


def _words(expected: ast.expr, known: Mapping[str, Any]) -> str:
    match expected:
        case ast.BinOp(left=left, right=right):
            return f"{_words(left, known)} or {_words(right, known)}"
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            return f"one of {', '.join(ast.literal_eval(choices))}"
        case ast.Subscript(value=ast.Name(id=name), slice=inside) if name in SEVERAL:
            return f"several, each {_words(_first(inside), known)}"
        case ast.Name(id=name) if name in PLAIN:
            return PLAIN[name][0]
        case ast.Name(id=name) if get_origin(known.get(name)) is Literal:
            return f"one of {', '.join(get_args(known[name]))}"
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return f"a {name}"
    return ast.unparse(expected)
