"""Lines of a cell, a file or a lab's text, which name themselves in errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.tokens import WordError, tokens

UNJUDGED = "?"  # in place of labels


@dataclass(frozen=True)
class Line:
    """A line with its number, from 1, of the file `source`, or of a cell or other text if that is "".

    `of` is appended to the number in errors, such as " of the lab's text".
    """

    number: int
    text: str
    source: str = ""
    of: str = ""

    def wrong(self, what: str) -> DivmetricsError:
        """Return (do not raise) the error `what` about this line, which it quotes."""
        where = f"{self.source}, line" if self.source else "line"
        return DivmetricsError(f"{where} {self.number}{self.of} ({self.text.strip()[:60]!r}): {what}")


def read_lines(lines: Iterable[Line], read: Callable[[Line, list[str]], object], comment: str = "") -> None:
    """Call `read` with every line and its words; raise DivmetricsError with the line for a WordError."""
    for line in lines:
        try:
            read(line, tokens(line.text, comment))
        except WordError as error:
            raise line.wrong(str(error)) from None
