"""One sentence for a call that failed because of its arguments.

`public` marks every public function that takes arguments, and the classes of data that users make: judgments,
runs, pages. Nothing is inspected while calls succeed. When one fails with an exception of Python's own, its
arguments are compared with their annotations, and the first that does not fit is named in a DivmetricsError.
If all fit, the library has a defect, and the exception is raised unchanged. Wrong arguments that would not
make a call fail are checked where they are used (`checks`).
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from divmetrics.core.checks import UNORDERED, is_number, is_whole, quote
from divmetrics.errors import DivmetricsError, did_you_mean

Public = TypeVar("Public", bound=Callable[..., Any])

FAILURES = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
# By annotation: its description in messages, and a check if isinstance is not enough.
PLAIN: Mapping[Any, tuple[str, Callable[[Any], bool]]] = {
    int: ("a whole number below 2^63", lambda value: is_whole(value) and abs(value) < 2**63),
    float: ("a finite number", is_number),
    str: ("text", lambda value: isinstance(value, str)),
    bool: ("True or False", lambda value: isinstance(value, bool)),
    NoneType: ("None", lambda value: value is None),
    str | os.PathLike[str]: ("a path as text or a Path", lambda value: isinstance(value, (str, os.PathLike))),
}
TYPES_OF_METRICS = {"BaseMetric", "Metric", "MetricRow"}
# By parameter: other names that users try for it, and how to pass the argument.
EXPECTED_NAMES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "topics": (
        ("intents", "probabilities", "intent_probabilities", "weights", "subtopics"),
        "intents and their probabilities are given as topics=, a path, Topics, or a dict such as "
        "{'7': {'film': 0.6, 'book': 0.4}}",
    ),
}


def public(thing: Public) -> Public:
    """Decorate a function, or a class, so that a failed call names the argument that does not fit.

    If a call raises TypeError, ValueError, AttributeError, LookupError or ArithmeticError, and an argument
    does not fit its annotation, the call raises a DivmetricsError that names this argument instead. All
    other exceptions pass unchanged. Of a class, the constructor and the public methods are decorated, but no
    static methods and properties; the class itself is changed and returned.
    """
    if isinstance(thing, type):
        thing.__init__ = _guarded(thing.__init__, thing.__name__)  # type: ignore[misc]
        for name, member in tuple(vars(thing).items()):
            full_name = f"{thing.__name__}.{name}"
            if isinstance(member, classmethod) and not name.startswith("_"):
                setattr(thing, name, classmethod(_guarded(member.__func__, full_name)))
            elif inspect.isfunction(member) and not name.startswith("_"):
                setattr(thing, name, _guarded(member, full_name))
        return thing
    return _guarded(thing, thing.__name__)


def _guarded(function: Any, name: str) -> Any:
    @functools.wraps(function)
    def guarded(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except (DivmetricsError, *FAILURES) as error:
            # A decorated function inside this one may have named its own argument: name that of this one.
            if isinstance(error, DivmetricsError) and not error.names_argument:
                raise
            mistake = _describe_mistake(function, arguments, options)
            if mistake is None:
                raise
            wrong_argument = DivmetricsError(f"{name}: {mistake}")
            wrong_argument.names_argument = True
            raise wrong_argument from None

    return guarded


def _describe_mistake(
    function: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> str | None:
    """Describe the first argument that does not fit its annotation; return None if all fit."""
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*arguments, **options).arguments
    except TypeError:  # Python's own message is good for arguments that are missing or too many
        return _unknown_keyword(signature.parameters, options)
    for name, value in bound.items():
        annotation = signature.parameters[name].annotation
        if annotation is inspect.Parameter.empty:
            continue
        try:  # annotations are text, since their modules postpone evaluation
            expected = eval(annotation, inspect.unwrap(function).__globals__)
        except NameError:  # imported for type checkers alone
            continue
        if not _fits(value, expected):
            return f"{name} is {quote(value)}, expected {_words(expected)}{_advice(value, expected)}"
        columns: Any = getattr(value, "columns", None)  # of a DataFrame; a metric has a method of this name
        if hasattr(columns, "is_unique") and not columns.is_unique:
            return f"{name} has the column {columns[columns.duplicated()][0]!r} twice; give each its own name"
    return None


def _advice(value: Any, expected: Any) -> str:
    """Return what to do about a common mistake, after a semicolon, or ""."""
    if isinstance(value, UNORDERED):
        return "; a set has no order"
    named_by_text = isinstance(value, str) and getattr(expected, "__name__", "") in TYPES_OF_METRICS
    return f"; divmetrics.metric({quote(value)}) is the metric of this name" if named_by_text else ""


def _unknown_keyword(parameters: Mapping[str, inspect.Parameter], options: Mapping[str, Any]) -> str | None:
    """Suggest the parameter that the first unknown keyword means; return None if all keywords are known."""
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return None
    keyword = next((name for name in options if name not in parameters), None)
    if keyword is None:
        return None
    for parameter, (other_names, advice) in EXPECTED_NAMES.items():
        if parameter in parameters and keyword in other_names:
            return f"no argument is called {keyword!r}; {advice}"
    names = [name for name in parameters if name != "self"]
    hint = did_you_mean(keyword, names)
    return f"no argument is called {keyword!r}{hint}; expected one of {', '.join(names)}"


def _fits(value: Any, expected: Any) -> bool:
    """Return whether a value fits an annotation; every value fits an annotation that is not a class."""
    kind, inner = get_origin(expected) or expected, get_args(expected)
    if expected in PLAIN:
        return PLAIN[expected][1](value)
    if kind in (Union, UnionType):
        return any(_fits(value, each) for each in inner)
    if kind is Literal:
        return isinstance(value, str) and value in inner
    if kind is Any or not isinstance(kind, type):
        return True
    if not issubclass(kind, Iterable) or not inner:
        return isinstance(value, kind)
    if issubclass(kind, Mapping):
        return isinstance(value, Mapping) and all(_fits(each, inner[1]) for each in value.values())
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping, *UNORDERED)):
        return False
    return iter(value) is value or all(_fits(each, inner[0]) for each in value)  # an iterator is left alone


def _words(expected: Any) -> str:
    kind, inner = get_origin(expected) or expected, get_args(expected)
    if expected in PLAIN:
        return PLAIN[expected][0]
    if kind in (Union, UnionType):
        return " or ".join(map(_words, inner))
    if kind is Literal:
        return f"one of {', '.join(inner)}"
    if inner and issubclass(kind, Mapping):
        return f"a Mapping to {_words(inner[1])}"
    if inner and issubclass(kind, Iterable):
        return f"several, each {_words(inner[0])}"
    return f"a {getattr(kind, '__name__', kind)}"
