"""Estimate the width of texts, to lay out a picture before it is drawn, and cut texts to fit."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

# Widths of Arial's letters, which Liberation Sans shares, in thousandths of the font size.
_WIDTHS = {
    222: "ijl'", 278: " !,./:;I[\\]ft|·", 333: '()-`r{}"', 389: "*", 500: "Jckszvxy^", 584: "+<=>~−≈≥±",
    611: "FTZ", 667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1000: "…—",
    1015: "@",
}  # fmt: skip
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHER = 556  # digits and most small letters
BOLD = 1.08


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimate the width in pixels of one line of text in letters of `size` pixels."""
    em = sum(
        1000 if unicodedata.east_asian_width(letter) in "WF" else _WIDTH_OF.get(letter, _OTHER)
        for letter in text
    )
    return em / 1000 * size * (BOLD if bold else 1)


def shorten(text: str, width: float, size: float, keep: str = "start") -> str:
    """Return the text, or what fits of its start or end (`keep`) with an ellipsis, within `width` pixels.

    `size` is that of the letters in pixels.
    """
    if text_width(text, size) <= width:
        return text
    for length in range(len(text) - 1, 0, -1):
        short = f"{text[:length].rstrip()}…" if keep == "start" else f"…{text[-length:]}"
        if text_width(short, size) <= width:
            return short
    return "…"


def wrap(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Break a text into lines no wider than `width`; a wider word gets its own line, shortened."""
    lines: list[str] = []
    for word in text.split():
        word = shorten(word, width / (BOLD if bold else 1), size)
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def number_format(values: Sequence[float], width: float, size: float) -> tuple[Callable[[float], str], int]:
    """Return a formatter for numbers that fit `width` pixels, and its number of decimals.

    Numbers have four decimals; in narrow cells they lose the leading 0, then the fourth decimal.
    """

    def format_number(value: float, decimals: int, leading: bool, minus: str) -> str:
        if not value:
            return "0"
        text = f"{abs(value):.{decimals}f}"
        if not float(text):
            return "≈0"
        if not leading and text.startswith("0."):
            text = text[1:]
        return f"{minus}{text}" if value < 0 else text

    for style in ((4, True, "−"), (4, False, "−"), (3, False, "−"), (3, False, "-")):
        if all(text_width(format_number(value, *style), size) <= width for value in values):
            break
    return lambda value: format_number(value, *style), style[0]
