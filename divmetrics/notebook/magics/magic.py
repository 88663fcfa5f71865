"""What a magic is: a function with the options and words that its line takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

ArgumentKind = Literal["", "list", "metric", "convention", "number", "text", "file", "new name", "new metric"]
Kind = Literal["line", "cell", "line_cell"]


@dataclass(frozen=True)
class Option:
    """`--convention NAME`: what follows says how it is read and completed; "" for a switch.

    An option is known to the magic by its flag without dashes. `many`: may be given several times.
    """

    flag: str
    takes: ArgumentKind = ""
    short: str = ""
    many: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """Every way to write it."""
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
    """`run(desk, line)` of a line magic, `run(desk, line, cell)` of a cell magic; its docstring is the help.

    words: what the words outside the options are, one after the other, the last one again and again. body:
    does the cell hold labels of intents ("labels"), or a metric ("words")? Both are for completion.
    """

    name: str
    run: Callable[..., object]
    kind: Kind = "line"
    options: tuple[Option, ...] = ()
    words: tuple[ArgumentKind, ...] = ()
    body: Literal["", "labels", "words"] = ""

    @property
    def sign(self) -> str:
        """The name as it is written."""
        return f"%%{self.name}" if self.kind == "cell" else f"%{self.name}"
