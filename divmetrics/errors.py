"""The one exception and the one warning that divmetrics raises on purpose."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence

# Control characters (ESC among them), whatever ends a line, what turns the direction of writing, and halves
# of characters: bytes of file names that are not UTF-8 come as those.
UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""The text on one line that a terminal only shows: `\x1b` for ESC, `\n` for a line feed."""
    return UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


def printable_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(printable, text.split("\n")))


class DivmetricsError(ValueError):
    """Bad input, said in one sentence: what, where, what was expected, what to do.

    The command line prints the same sentence on stderr and exits with status 2. What a terminal would not
    show but obey is escaped, since names in a sentence come from files.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


class DivmetricsWarning(Warning):
    """Input that could be used, with a count of what was assumed or left out; escaped like an error.

    No UserWarning: pandas silences those for moments, in all threads, and at times for good.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


LONGEST_SLIP = 200  # letters; to compare a word with others takes the square of its length


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint such as `` (did you mean 'ERR-IA'?)``, or nothing when no known name is close."""
    meant = most_like(name, known, str.casefold)
    return "" if meant is None else f" (did you mean {meant!r}?)"


def most_like(name: str, known: Iterable[str], key: Callable[[str], str]) -> str | None:
    """The known name that looks most like what somebody wrote; None where none is close.

    key: what of a name counts; of names that are alike there, the last one known.
    """
    if len(name) > LONGEST_SLIP:
        return None
    by_key = {key(candidate): candidate for candidate in known}
    written = key(name)
    close = difflib.get_close_matches(written, by_key, n=5, cutoff=0.6)
    # Letters that have changed places are the likeliest slip: ERR-AI means ERR-IA, not ERR-IS.
    likeliest = min(close, key=lambda candidate: sorted(candidate) != sorted(written), default=None)
    return None if likeliest is None else by_key[likeliest]


def join_words(words: Sequence[str], last: str = "and", limit: int | None = None) -> str:
    """Join words as a sentence lists them: `A`, `A and B`, `A, B and C`; with a limit, `A, B and 4 more`."""
    if limit is not None and len(words) > limit:
        words = [*words[:limit], f"{len(words) - limit} more"]
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def some(names: Sequence[str]) -> str:
    """Return the first five names, and how many more there are."""
    return join_words(names, limit=5)


def start_and_end(sentence: str, part: int = 400) -> str:
    """A sentence; of one that is longer than anybody would read, so many letters of its start and its end."""
    return sentence if len(sentence) <= 2 * part else f"{sentence[:part]} ... {sentence[-part:]}"


def brief(text: str, most: int = 60) -> str:
    """Shorten a text to at most `most` characters, the three dots at its end included."""
    return text if len(text) <= most else f"{text[: most - 3].rstrip()}..."
