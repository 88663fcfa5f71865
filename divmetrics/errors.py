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


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint such as `` (did you mean 'ERR-IA'?)``, or nothing when no known name is close."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return f" (did you mean {by_folded[close[0]]!r}?)" if close else ""


def some(names: Sequence[str]) -> str:
    """The first few names, and a sign that there are more."""
    return ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")
