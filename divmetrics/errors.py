"""The exception and the warning of divmetrics, and functions that word their sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

# Control characters (ESC among them), line ends, marks that reverse the direction of writing, and surrogates,
# which stand for bytes of file names that are not UTF-8.
UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return the text with control characters escaped: `\x1b` for ESC, `\n` for a line feed.

    Marks that reverse the direction of writing and surrogates are escaped, too.
    """
    return UNPRINTABLE.sub(lambda match: repr(match[0])[1:-1], text)


def printable_lines(text: str) -> str:
    """Return the text with control characters escaped as in `printable`, but line feeds kept."""
    return "\n".join(map(printable, text.split("\n")))


class DivmetricsError(ValueError):
    """Bad input, described in one sentence: fault, place, expected value, remedy.

    It is a ValueError. The command line prints the sentence on stderr and exits with status 2. Control
    characters are escaped, since names in a sentence come from files.

    Parameters
    ----------
    message : str
        The sentence; control characters in it are escaped.

    Examples
    --------
    >>> import divmetrics as dm
    >>> dm.metric("ERR-AI@20")
    Traceback (most recent call last):
    divmetrics.errors.DivmetricsError: there is no metric 'ERR-AI' in ...
    """

    names_argument = False  # whether `core.calls.public` raised it, for an argument of a failed call

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


class DivmetricsWarning(Warning):
    """Input that could be used with an assumption, described in one sentence with counts.

    Not a UserWarning, because pandas temporarily silences these in all threads, and sometimes permanently.

    Parameters
    ----------
    message : str
        The sentence; control characters are escaped.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("ignore", DivmetricsWarning)
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


LONGEST_SLIP = 200  # characters; comparing words takes time quadratic in their length


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the hint ` (did you mean 'ERR-IA'?)`, blank included, with the closest of `names`.

    Case does not count; "" if none is close.
    """
    meant = most_like(name, names, str.casefold)
    return "" if meant is None else f" (did you mean {meant!r}?)"


def most_like(name: str, names: Iterable[str], key: Callable[[str], str]) -> str | None:
    """Return the one of `names` that is closest to `name`; None if none is close or `name` is very long.

    `key` returns the text by which names are compared; of names with equal texts, the last one is returned.
    """
    if len(name) > LONGEST_SLIP:
        return None
    import difflib  # only for names that are wrong

    by_key = {key(candidate): candidate for candidate in names}
    text = key(name)
    close = difflib.get_close_matches(text, by_key, n=5, cutoff=0.6)
    # Transposed letters are the most likely typo: ERR-AI means ERR-IA, not ERR-IS.
    likeliest = min(close, key=lambda candidate: sorted(candidate) != sorted(text), default=None)
    return None if likeliest is None else by_key[likeliest]


def join_words(words: Sequence[str], last: str = "and", limit: int | None = None) -> str:
    """Join words as in `A`, `A and B` or `A, B and C`; `last` replaces "and". No words give "".

    With more words than `limit`, only the first `limit` ones are listed: `A, B and 4 more`.
    """
    if limit is not None and len(words) > limit:
        words = [*words[:limit], f"{len(words) - limit} more"]
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def some(names: Sequence[str]) -> str:
    """Return the first five names as text, with the number of further ones: `A, B, C, D, E and 4 more`."""
    return join_words(names, limit=5)


def start_and_end(sentence: str, part: int = 400) -> str:
    """Return a sentence; if it is longer than twice `part`, its first and last `part` characters and dots."""
    return sentence if len(sentence) <= 2 * part else f"{sentence[:part]} ... {sentence[-part:]}"


def shorten(text: str, most: int = 60) -> str:
    """Return the text, or its beginning and three dots if it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3].rstrip()}..."
