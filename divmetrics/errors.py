"""The one exception and the one warning that divmetrics raises on purpose."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class DivmetricsError(ValueError):
    """Bad input, said in one sentence: what, where, what was expected, what to do.

    The command line prints the same sentence on stderr and exits with status 2.
    """


class DivmetricsWarning(UserWarning):
    """Input that could be used, with a count of what was assumed or left out."""


LONGEST_SLIP = 200  # letters; to compare a word with others takes the square of its length


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint such as `` (did you mean 'ERR-IA'?)``, or nothing when no known name is close."""
    if len(name) > LONGEST_SLIP:
        return ""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    written = name.casefold()
    close = difflib.get_close_matches(written, by_folded, n=5, cutoff=0.6)
    if not close:
        return ""
    # Letters that have changed places are the likeliest slip: ERR-AI means ERR-IA, not ERR-IS.
    likeliest = min(close, key=lambda candidate: sorted(candidate) != sorted(written))
    return f" (did you mean {by_folded[likeliest]!r}?)"


def some(names: Sequence[str]) -> str:
    """The first few names, and a sign that there are more."""
    return ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")


def brief(text: str, most: int = 60) -> str:
    """As much of a word as a sentence can carry."""
    return text if len(text) <= most else f"{text[:most]}..."
