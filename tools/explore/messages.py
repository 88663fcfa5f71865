"""Messages that no front end should send, to every widget; a good edit must work after them.

The same holds after invalid values were set in Python.

A finding is a traceback, a refused message that changed the state, an invalid state or one that cannot be
sent, an overlong sentence, or a good edit that no longer works.
"""

from __future__ import annotations

import copy
import json
import logging
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from traitlets import TraitError

from divmetrics import DivmetricsError, RankedList, datasets
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import shorten
from divmetrics_widgets import (
    ContributionsView,
    DisagreementFinder,
    HierarchyLab,
    MetricComposer,
    Predict,
    PreferenceJudge,
    RankedListLab,
    ReaderWalk,
)
from divmetrics_widgets.bench import EditableLists
from divmetrics_widgets.page_checks import check_page
from divmetrics_widgets.tool import WidgetBase
from tools.explore import Effort, SearchResult

MESSAGES = 1000
PRINTED = 10  # findings
STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3, 2**63, -(2**70), 10**400, 0.5, -0.0, 1e308),
    *(float("nan"), float("inf"), "", " ", "A", "film", "d1", "\ud800", "\x00", "\u202e", "__proto__"),
    *("</script>", "9" * 5000, "1e99999999", "ERR-IA@5", "ERR-IA@" + "9" * 5000, "RBU(e=1e400)@5", "none"),
    *("topic 1\nscale " + "9" * 50, "topic 1\nintent a 1e99999999", "x" * 1_000_001),
    *([], [[]], [None], ["A"], [1, 2], ["d1", "d1"], ["film", 1], ["film", 2**70], [float("nan")]),
    *({}, {"A": []}, {"A": ["d1"], "B": ["d1"]}, {"": None}, {"side": "A"}, {"side": "A", "doc": 3}),
    *({"preset": 3}, {"find": 1}),
)


def _nested() -> Any:
    deep: Any = "x"
    for _ in range(200):
        deep = [deep]
    return deep


@dataclass(frozen=True)
class Subject:
    """A widget, a good edit of it, and a check that the edit took effect."""

    make: Callable[[], WidgetBase]
    good: Callable[[Any], None]
    worked: Callable[[Any], bool]


def _reverse(lab: Any) -> None:
    lists = lab.page.lists
    lab.expected = {**lists, "A": lists["A"][::-1]}
    lab.set_state({"_edit": {"name": "good", "on": lab._shown["name"], "lists": lab.expected}})


def _reversed(lab: Any) -> bool:
    accepted = not lab._problem and lab._results["of"] == "good"
    return bool(accepted and lab.page.lists == lab.expected and json.dumps(lab._results, allow_nan=False))


def _contributions() -> ContributionsView:
    return ContributionsView("ERR-IA@5", datasets.harry_potter().list("A", "0083"), metrics=["ERR-IS@5"])


CHOICE = {
    **{"m1": "S-recall@2", "m2": "D-nDCG@2", "pool": "harry potter", "length": 2, "find": "edits"},
    **{"budget": 50_000, "seed": 0},
}
EDITS: tuple[dict[str, Any], ...] = (
    {"start": "NRBP"},
    {"stop": True},
    {"cutoff": 7},
    {"column": "M", "part": 3},
    {"column": "N", "part": 1},
    {"column": "w", "parameter": "beta", "value": 0.5},
)
# Of those that hear messages beside their traits.
CUSTOM: dict[str, tuple[Any, ...]] = {
    "RankedListLab": ({"preset": "synthetic"},),
    "DisagreementFinder": ({"open": True, "token": 1}, {"find": CHOICE, "token": 2}),
    "MetricComposer": tuple({"token": "t", "edits": [edit]} for edit in EDITS),
}

SUBJECTS: dict[str, Subject] = {
    "RankedListLab": Subject(RankedListLab, _reverse, _reversed),
    "HierarchyLab": Subject(HierarchyLab, _reverse, _reversed),
    "MetricComposer": Subject(
        MetricComposer,
        lambda w: w._handle_custom_msg({"token": "good", "edits": [{"cutoff": 3}]}, []),
        lambda w: w.metric.cutoff == 3 and w._shown["answered"] == "good" and not w._problem,
    ),
    "DisagreementFinder": Subject(
        lambda: DisagreementFinder(length=2, budget=500),
        lambda w: w._handle_custom_msg({"find": dict(CHOICE), "token": w._asked + 1}, []),
        lambda w: w._choice["m1"] == "S-recall@2" and not w._problem,
    ),
    "ContributionsView": Subject(
        _contributions,
        lambda w: w.set_state({"_chosen": "ERR-IA@5", "selected": ["book", 2]}),
        lambda w: w.selected == ["book", 2] and str(w.metric) == "ERR-IA@5",
    ),
    "ReaderWalk": Subject(
        lambda: ReaderWalk("ERR-IA@5", datasets.harry_potter().list("A", "0083"), metrics=["ERR-IS@3"]),
        lambda w: w.set_state({"_chosen": "ERR-IA@5", "rank": 2}),
        lambda w: w.rank == 2 and str(w.metric) == "ERR-IA@5",
    ),
    "PreferenceJudge": Subject(
        PreferenceJudge,
        lambda w: w.set_state({"answers": ["left", "same"] * 10, "_ends": w._ends + 1}),
        lambda w: w.answers == ["left", "same"] * 10 and len(w._found) == 2,
    ),
    "Predict": Subject(
        lambda: Predict("Which?", ["this", "that"], key="explored"),
        lambda w: w.set_state({"answer": "that"}),
        lambda w: w.answer == "that",
    ),
    "Found": Subject(
        lambda: Predict("How many?", number=True, key="explored too").found(3.0),
        lambda w: w.set_state({}),
        lambda w: w.right is None,
    ),
}


class _Heard(logging.Handler):
    """A record of what ipywidgets logs instead of raising."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else ""
        self.records.append(f"{type(error).__name__}: {error!s:.200}" if error else record.getMessage())


def _twisted(value: Any, rng: random.Random) -> Any:
    """Replace a random part of a value by something else."""
    if rng.random() < 0.3 or not isinstance(value, dict | list) or not value:
        return _nested() if rng.random() < 0.02 else copy.deepcopy(rng.choice(STRANGE))
    twisted: Any = copy.copy(value)
    key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
    chance = rng.random()
    if chance < 0.15:
        del twisted[key]
    elif chance < 0.25 and isinstance(value, list):
        twisted.append(copy.deepcopy(twisted[key]))
    elif chance < 0.3 and isinstance(value, dict):
        twisted[rng.choice(["", "x", "__proto__", "id", "\ud800"])] = twisted[key]
    else:
        twisted[key] = _twisted(value[key], rng)
    return twisted


def _messages(widget: Any, rng: random.Random) -> dict[str, Any]:
    """Draw the content of one message, as it comes through the comm."""
    name = type(widget).__name__
    if rng.random() < 0.4 or name == "MetricComposer":
        return {"method": "custom", "content": _twisted(rng.choice(CUSTOM.get(name, ({"x": 1},))), rng)}
    keys = list(_standing(widget)) or ["_esm"]
    others = ["_results", "_problem", "_picture", "_found", "_names", "_esm", "layout", "comm", "nonsense"]
    chosen = rng.sample(keys, min(len(keys), rng.randint(1, 3)))
    state = {key: _twisted(_fit(widget, key), rng) for key in chosen}
    state |= {key: rng.choice(STRANGE) for key in rng.sample(others, rng.choice([0, 0, 0, 1]))}
    return {"method": "update", "state": state if rng.random() < 0.98 else rng.choice(STRANGE)}


def _fit(widget: Any, key: str) -> Any:
    """Draw a value for this trait; for an edit all parts of the page."""
    if key == "_edit" and isinstance(widget, EditableLists):
        page = copy.deepcopy(vars(widget.page))
        return {"name": "x", "on": widget._shown["name"], **page}
    return copy.deepcopy(getattr(widget, key))


def _standing(widget: Any) -> dict[str, Any]:
    """Return the state that the browser may have changed; the rest of the state follows from it."""
    names = [name for name in widget.keys if widget.trait_metadata(name, "reads")]
    return {name: copy.deepcopy(getattr(widget, name)) for name in names}


def _settable(widget: Any) -> list[str]:
    """Return what can be set in Python: public traits that the browser writes, too, and properties."""
    kind = type(widget)
    setters = [name for name in dir(kind) if getattr(getattr(kind, name), "fset", None) is not None]
    traits = [name for name in widget.keys if widget.trait_metadata(name, "reads")]
    ours = [name for name in setters if getattr(kind, name).fset.__module__.startswith("divmetrics")]
    return sorted(name for name in {*traits, *ours} if not name.startswith("_"))


def _plain(value: Any) -> Any:
    """Return a value in the form in which Python code sets it: a list's documents, a metric's name."""
    if isinstance(value, RankedList):
        return list(value.docs)
    return str(value) if isinstance(value, BaseMetric) else copy.deepcopy(value)


def _set(widget: Any, name: str, value: Any, heard: _Heard) -> None:
    """Set a value; it may be refused by our error or, for a wrong type, by that of traitlets."""
    try:
        setattr(widget, name, value)
    except (DivmetricsError, TraitError):
        pass
    except Exception as error:
        heard.records.append(f"{type(error).__name__}: {error!s:.200}")


def broken(widget: Any, settable: list[str]) -> str:
    """Return why the present state cannot be shown or read; empty if it can."""
    try:
        if isinstance(widget, EditableLists):
            check_page(widget.page)
        for name in settable:
            with suppress(DivmetricsError):  # the browser may have asked for a metric that is not known
                getattr(widget, name)
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.200}"
    return ""


def explore(effort: Effort) -> Iterator[SearchResult]:
    """Yield a SearchResult for each widget, with 1,000 messages times the effort."""
    for name in SUBJECTS:
        if effort.only in name:
            began = perf_counter()
            failures = list(findings(name, effort.seed, MESSAGES * effort.times))
            seconds = perf_counter() - began
            yield SearchResult(
                f"messages to {name}", MESSAGES * effort.times, seconds, "\n".join(failures[:PRINTED])
            )


def findings(name: str, seed: int, tries: int) -> Iterator[str]:
    """Yield a sentence for each drawn message after which the widget misbehaves."""
    rng, heard = random.Random(f"{name} {seed}"), _Heard()
    alive: dict[str, Any] = {}
    for number in range(tries):
        yield from (f"message {number}, {sentence}" for sentence in _tried(name, rng, heard, alive))


def _tried(name: str, rng: random.Random, heard: _Heard, alive: dict[str, Any]) -> Iterator[str]:
    """Send one message to a widget that has had others before, at times a good edit."""
    subject = SUBJECTS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        widget = alive.get(name) or alive.setdefault(name, subject.make())
        settable = _settable(widget)
        by_hand = bool(settable) and rng.random() < 0.1
        what = rng.choice(settable) if by_hand else ""
        held = None
        with suppress(DivmetricsError):  # it may be of what the browser asked for, which need not be known
            held = getattr(widget, what) if by_hand else None
        message = _twisted(_plain(held), rng) if by_hand else _messages(widget, rng)
        before = _standing(widget)
        text = f"{what} = {message!a}" if by_hand else ascii(message)
        text = f"{name}: {shorten(text, 400)}"
        widget.log.addHandler(heard)
        heard.records.clear()
        try:
            widget._problem = ""
            if by_hand:
                _set(widget, what, message, heard)
            else:
                widget._handle_msg({"content": {"data": message}, "buffers": []})
            for record in heard.records:
                yield f"{text}: {record}"
            if by_hand and (wrong := broken(widget, settable)):
                yield f"{text}: afterwards {wrong}"
                alive.pop(name)
                return
            if widget._problem.count("\n") or len(widget._problem) > 1000:
                yield f"{text}: the sentence is {len(widget._problem)} letters long"
            try:
                json.dumps(widget.get_state(), default=str, ensure_ascii=False, allow_nan=False).encode()
            except ValueError as error:
                yield f"{text}: cannot be sent back, {error}"
            if "the widget keeps what it had" in widget._problem and _standing(widget) != before:
                yield f"{text}: refused, but it left a trace"
            if heard.records or by_hand or rng.random() < 0.1:
                heard.records.clear()
                if name in ("RankedListLab", "HierarchyLab"):  # what may be edited into a page without scores
                    widget._show(subject.make().page)
                subject.good(widget)
                if heard.records or widget._problem or not subject.worked(widget):
                    yield f"{text}: a good edit fails afterwards: {heard.records or widget._problem}"
                    del alive[name]
        finally:
            widget.log.removeHandler(heard)
