"""What every part has in common, and the part that fits three columns: 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.setting import Settable, Setting, declared
from divmetrics.core.protocols import MetricRow

P = TypeVar("P", bound="Part")


class Part(Settable):
    """What every part has: plain text and LaTeX for the formula it stands for, and settings that it declares.

    A part with a `word` is one of several that a name may choose from (`gain=exponential`); `parameter` is
    the name of the choice, `choice` says what is chosen. `reader` is what it says of those who read the list,
    in a clause; "" where that is nothing.

    only_relevant: does its value at a document stay the same where documents that are relevant to no intent
    are left out, and all others stand at their ranks? Long lists are then measured without them.
    """

    word: ClassVar[str] = ""
    parameter: ClassVar[str] = ""
    choice: ClassVar[Setting | None] = None
    text: ClassVar[str] = ""
    latex: ClassVar[str] = ""
    needs_cutoff: ClassVar[bool] = False
    ignores_nonrelevant: ClassVar[bool] = False
    user_model: ClassVar[str] = ""

    def examination_probability(self, view: Batch) -> np.ndarray:
        """The share of readers whom a document at this rank still reaches, as far as this part says: all.

        Broadcasts to (topic, run, intent, rank); at rank k what stands above has been read.
        """
        return np.ones((1, 1, 1, 1))

    def __init_subclass__(cls) -> None:
        """Its documentation ends with its settings."""
        super().__init_subclass__()
        told = [_told(name, getattr(cls, name, ""), setting) for name, setting in declared(cls).items()]
        chosen = {
            name: value for name, value in vars(cls).items() if isinstance(value, Part) and value.choice
        }
        told += [_told(name, part.word, part.choice) for name, part in chosen.items() if part.choice]
        if cls.__dict__.get("__doc__") and told:
            cls.__doc__ = "\n".join([(cls.__doc__ or "").rstrip(), "", "    Settings:", *told])

    def free(self) -> Mapping[str, float]:
        """Numbers that a metric's name may set and that are no fields of the part (a written one's)."""
        return {}

    def with_free(self, given: Mapping[str, Any]) -> Self:
        """The same part with others of these numbers."""
        raise NotImplementedError


def set_formula(text: str, latex: str) -> Callable[[type[P]], type[P]]:
    """A decorator of a part's class: the formula that it stands for, where no setting changes it."""

    def said(kind: type[P]) -> type[P]:
        kind.text, kind.latex = text, latex
        return kind

    return said


def describe_by_kind(informational: str, navigational: str) -> str:
    """What readers of both kinds of intents do: clauses said of both once, and then of each its own."""
    inf, nav = informational.split("; "), navigational.split("; ")
    said = [clause for clause in inf if clause in nav]
    for kind, own, other in (("informational", inf, nav), ("navigational", nav, inf)):
        if only := [clause for clause in own if clause not in other]:
            said.append(f"for {kind} intents, {' and '.join(only)}")
    return "; ".join(said)


def plain_formula(part: object) -> str:
    """The formula of a part in plain text; its code where it has none, as a part of one's own may."""
    return getattr(part, "text", "") or repr(part)


def _told(name: str, default: object, setting: Setting) -> str:
    """A setting in the documentation of its part."""
    return f"      {name} = {default} ({setting.allowed}): {setting.says}"


@set_formula("1", "1")
@dataclass(frozen=True)
class One(Part):
    """1, in any of the columns N, f and w."""

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, view: Batch, row: MetricRow | None = None) -> np.ndarray:
        return np.ones((1, 1, 1, 1))
