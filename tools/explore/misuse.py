"""Wrong calls of everything public, and malformed cells with magics (`cells`).

Each call must end in a result, in one sentence of ours, or in Python's own message on missing, surplus or
unknown arguments. `findings(seed, tries)` yields the others: another exception, a warning, a number that is
not finite, a long wait; and a result for an invalid argument: a text or a set for an ordered sequence, or a
number outside 0..1 for a probability.
"""

from __future__ import annotations

import ast
import functools
import inspect
import io
import math
import random
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, fields, is_dataclass
from types import FrameType, MethodType
from typing import Any

import numpy as np
import pandas as pd

import divmetrics as dm
from divmetrics import aggregated, charts, datasets, meta
from tools.explore import Effort, SearchResult, malformed_cells

SECONDS = 60  # a call that takes longer hangs
CALLS, CELLS, MOST_FINDINGS = 2000, 300, 20  # for --times 1; and so many findings
PACKAGES = (aggregated, charts, datasets, meta)
# What is made by the library alone, and errors.
NOT_CALLED = {"DivmetricsError", "DivmetricsWarning", "View", "Metric", "ScoreTable", "Figure"}
WRONG: Sequence[Any] = (
    [2, -1], {"x": ["x", "x"]}, {"x": "xyz"}, {"x": {"x", "y"}}, "xyz", b"xyz", {"x", "y"}, None, True,
    -1, 0, 1.5, math.nan,
    math.inf, 10**400, "", "x", "no such file", b"bytes", object(), [],
    [None], ["x", "x"], [math.nan], {}, {"x": None}, {1, 2}, (1, "x"), pd.DataFrame(),
    pd.DataFrame({"run": [1]}), pd.DataFrame([[1, 2]], columns=["score", "score"]), np.zeros(0),
    np.full((2, 2), math.nan), len,
)  # fmt: skip
SEVERAL = {"Sequence", "Iterable", "tuple", "list"}
# Parameters that are probabilities. Not that of an Intent, which is a weight until a Topic has it.
PROBABILITIES = {"confidence", "level", "navigational", "p_values", "power", "uncovered", "unjudged"}
PROBABLE = {
    "divmetrics.research.meta.holm",
    "divmetrics.research.meta.sign_flip_test",
}  # which give probabilities
# Columns, and what gives intervals: nan where there is none, as their documentation says.
UNKNOWN = {"low", "high", "divmetrics.research.meta.preference_tau"}


@dataclass(frozen=True)
class Finding:
    """A call and what is wrong with its outcome."""

    call: str
    what: str

    def __str__(self) -> str:
        return f"{self.call}: {self.what}"


@functools.cache
def callables() -> dict[str, Callable[..., Any]]:
    """Return every public callable with parameters, by name."""
    by_name: dict[str, Callable[..., Any]] = {}
    for home in (dm, *PACKAGES):
        for name in home.__all__:
            thing = getattr(home, name)
            skipped = not callable(thing) or inspect.ismodule(thing) or name in NOT_CALLED
            if not skipped and inspect.signature(thing).parameters:
                by_name[f"{home.__name__}.{name}"] = thing
                if isinstance(getattr(thing, "of", None), MethodType):
                    by_name[f"{home.__name__}.{name}.of"] = thing.of
    return by_name


def right_arguments() -> dict[str, Any]:
    """Return a fitting value for every name of a required parameter."""
    collection = dm.datasets.harry_potter()
    topic = collection.topics[0]
    ranked = next(collection.lists(topic.id))
    metrics = ["ERR-IA@5", "P-IA@5", "I-rec@5"]
    scores = dm.evaluate(dm.datasets.yu2017(), None, metrics)
    query = dm.datasets.aggregated_search(1)[0]
    pages = dm.datasets.simulated_pages([query])
    return {
        "qrels": collection, "runs": None, "metrics": metrics, "metric": "ERR-IA@5", "m1": "ERR-IA@3",
        "m2": "alpha-nDCG@3", "topic": topic, "topics": [topic], "length": 3, "ranked_list": ranked,
        "scores": scores, "name": "ERR-IA",
        "sources": dm.Run.of("r", {topic.id: ["a"]}), "order": None, "gold": "I-rec@5", "query": query,
        "page": pages[0], "pages": pages, "queries": [query], "collection": collection, "a": [1.0, 2.0, 3.0],
        "b": [1.0, 3.0, 2.0], "truth": [1.0, 2.0, 3.0], "walked": [3.0, 1.0, 2.0], "orders": [[0, 1, 2]],
        "tau": 0.5, "n": 10, "agree": 5, "disagree": 2, "differences": [1, -2, 3], "p_values": [0.1, 0.02],
        "error": 0.1, "answers": [[1.0, 2.0], [1.0, 1.0]], "id": "x", "probability": 1.0, "docs": ("d",),
        "intents": (dm.Intent("i", 1.0),), "judgments": {"d": {topic.intents[0].id: 1}},
        "grades": np.zeros((3, 1), int),
        "spans": {"t": (0, 1)}, "pools": collection.pools, "lists": ranked,
    }  # fmt: skip


def wrong_call(
    function: Callable[..., Any], fitting: dict[str, Any], name: str, value: Any
) -> dict[str, Any] | None:
    """Return arguments that fit but for one; None if a required one is not known."""
    arguments = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.name == name:
            arguments[name] = value
        elif parameter.name in fitting and parameter.default is parameter.empty:
            arguments[parameter.name] = fitting[parameter.name]
    return arguments


def tried(label: str, parameter: str, arguments: dict[str, Any], call: str) -> Finding | None:
    """Return what is wrong with the way in which a call ends."""
    function = callables()[label]
    quiet = io.StringIO()
    try:
        with warnings.catch_warnings(), _limited(), redirect_stdout(quiet), redirect_stderr(quiet):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", dm.DivmetricsWarning)
            result = function(**arguments)
    except dm.DivmetricsError as error:
        return Finding(call, f"says it in several lines: {error}") if "\n" in str(error) else None
    except TypeError as error:
        about = ("required positional", "positional argument", "required keyword")
        return None if any(words in str(error) for words in about) else Finding(call, f"TypeError: {error}")
    except Exception as error:
        return Finding(call, f"{type(error).__name__}: {error}")
    wrong = unfit(function, parameter, arguments[parameter]) if parameter in arguments else ""
    if wrong:
        wrong = f"answered, although it got {wrong}"
    elif label not in UNKNOWN:
        wrong = unsound(result, probable=label in PROBABLE)
    return Finding(call, wrong) if wrong else None


def unfit(function: Callable[..., Any], parameter: str, value: Any) -> str:
    """Return why this value must not give a result in that place; else empty."""
    wrong = [number for number in numbers(value) if not 0 <= number <= 1]
    if parameter in PROBABILITIES and wrong:
        return f"{_short(wrong[0])} for a probability"
    annotation = inspect.signature(function).parameters[parameter].annotation
    return _misplaced(ast.parse(annotation, mode="eval").body, value)


def _misplaced(annotation: ast.expr, value: Any) -> str:
    """Return why a text or a set cannot stand for an ordered sequence, also within a mapping; else empty."""
    alternatives = [annotation]
    while isinstance(alternatives[0], ast.BinOp):
        alternatives[:1] = [alternatives[0].left, alternatives[0].right]
    several = False
    for each in alternatives:
        if isinstance(each, ast.Name) and each.id in ("Any", "str") and isinstance(value, str):
            return ""
        if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name):
            several |= each.value.id in SEVERAL
            if each.value.id == "Mapping" and isinstance(value, dict) and isinstance(each.slice, ast.Tuple):
                inside = each.slice.elts[1]
                return next(filter(None, (_misplaced(inside, held) for held in value.values())), "")
    if several and isinstance(value, (str, bytes)):
        return "text for several"
    return "a set, which has no order" if several and isinstance(value, (set, frozenset)) else ""


def numbers(value: Any) -> Iterator[float]:
    """Yield every number in a value and its containers, without those that may be unknown."""
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        yield value  # type: ignore[misc]  # a number of numpy is one
    elif isinstance(value, np.ndarray):
        yield from numbers(value.ravel().tolist())
    elif isinstance(value, pd.DataFrame):
        for place, name in enumerate(value.columns):
            yield from () if name in UNKNOWN else numbers(value.iloc[:, place].to_numpy())
    elif isinstance(value, pd.Series):
        yield from numbers(value.to_numpy())
    elif isinstance(value, (Mapping, list, tuple, set)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from numbers(each)
    elif is_dataclass(value) and not isinstance(value, type):
        # Its fields, not what it remembers: a setting remembers its open range.
        yield from numbers([getattr(value, field.name) for field in fields(value)])


def unsound(result: Any, probable: bool = False) -> str:
    """Return why a value is no result: its repr fails, a number is not finite, or a document repeats."""
    try:
        repr(result)
    except Exception as error:
        return f"gives what cannot be shown: {type(error).__name__}: {error}"
    for number in numbers(result):
        if not abs(number) < math.inf or (probable and not 0 <= number <= 1):
            return f"gives {number}" if number is result else f"gives {number} in {_short(result)}"
    several = result.runs.values() if isinstance(result, dm.Collection) else [result]
    for run in several:
        lists = [run.list(topic) for topic in run.spans] if isinstance(run, dm.Run) else []
        lists += [run.docs] if isinstance(run, dm.RankedList) else []
        if any(len(set(map(repr, docs))) < len(docs) for docs in lists):
            return f"gives a run with the lists {lists}"
        if any(not isinstance(doc, str) for docs in lists for doc in docs):
            return f"gives a list with what is no id: {lists}"
    return ""


@contextmanager
def _limited() -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"no end after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def every_call(fitting: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Return every (name, parameter, wrong value), with fitting values as a set, too."""
    calls = []
    for label, function in callables().items():
        for parameter in inspect.signature(function).parameters:
            right = fitting.get(parameter)
            try:
                unordered = [set(right)] if isinstance(right, (list, tuple)) else []
            except TypeError:  # what cannot be held by a set
                unordered = []
            calls += [(label, parameter, value) for value in (*WRONG, *unordered)]
    return calls


def findings(seed: int, tries: int) -> Iterator[Finding]:
    """Yield findings among `count` random wrong calls, or among all if there are fewer."""
    fitting = right_arguments()
    calls = every_call(fitting)
    for label, parameter, value in random.Random(seed).sample(calls, min(tries, len(calls))):
        arguments = wrong_call(callables()[label], fitting, parameter, value)
        finding = arguments is not None and tried(
            label, parameter, arguments, f"{label}({parameter}={_short(value)})"
        )
        if finding:
            yield finding


def explore(effort: Effort) -> Iterator[SearchResult]:
    """Yield a SearchResult for calls and for cells, drawn by the effort's seed, with the first findings."""
    searches = {
        "wrong calls of what is public": (
            findings,
            min(CALLS * effort.times, len(every_call(right_arguments()))),
        ),
        "cells with magics": (malformed_cells.findings, CELLS * effort.times),
    }
    for what, (search, tries) in searches.items():
        if effort.only in what:
            started = time.perf_counter()
            sentences = list(map(str, search(effort.seed, tries)))
            failure = (
                "" if not sentences else "\n".join([f"{len(sentences)} findings", *sentences[:MOST_FINDINGS]])
            )
            yield SearchResult(what, tries, time.perf_counter() - started, failure)


def _short(value: Any) -> str:
    try:
        return " ".join(repr(value).split())[:60]
    except ValueError:  # thousands of digits
        return type(value).__name__
