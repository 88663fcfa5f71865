"""Describe a magic: a function with the options and words of its line, and its error."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from divmetrics.errors import DivmetricsError

ArgumentKind = Literal["", "list", "metric", "convention", "number", "text", "file", "new name", "new metric"]
Kind = Literal["line", "cell", "line_cell"]


@dataclass(frozen=True)
class Option:
    """An option such as `--convention NAME`; `takes` is the kind of its value, "" for a switch.

    The magic knows an option by its flag without dashes. `many`: the option may be repeated.
    """

    flag: str
    takes: ArgumentKind = ""
    short: str = ""
    many: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """The spellings of the option."""
        return tuple(filter(None, (self.flag, self.short)))

    @property
    def name(self) -> str:
        """The flag without its dashes."""
        return self.flag.lstrip("-")


METRICS = Option("--metric", "metric", short="-m", many=True)
METRIC = Option("--metric", "metric", short="-m")
CONVENTION = Option("--convention", "convention")


@dataclass(frozen=True)
class Magic:
    """A magic: `run(session, line)`, for a cell magic `run(session, line, cell)`; its docstring is the help.

    `words` are the kinds of the words outside the options, in order; the last one repeats. `body` is the
    content of the cell, labels of intents ("labels") or a metric ("words"). Both serve completion.
    """

    name: str
    run: Callable[..., object]
    kind: Kind = "line"
    options: tuple[Option, ...] = ()
    words: tuple[ArgumentKind, ...] = ()
    body: Literal["", "labels", "words"] = ""

    @property
    def sign(self) -> str:
        """The name with its percent signs."""
        return f"%%{self.name}" if self.kind == "cell" else f"%{self.name}"


WIDTH = 78  # characters; a notebook breaks longer lines inside words


class MagicError(DivmetricsError):
    """Stop the cell as any exception does ("Run All" ends here), but without a traceback."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython displays instead of a traceback."""
        return textwrap.wrap(str(self), WIDTH, break_long_words=False, break_on_hyphens=False)
