"""Parse the bodies of %%intents and %%serp line by line; every error names its line."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import get_args

from divmetrics.core.tolerances import sums_to_one
from divmetrics.core.topics import Intent, IntentKind
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.notebook.textformat.marks import SHAPES, Shape
from divmetrics.notebook.textformat.source_lines import UNJUDGED, Line, read_lines
from divmetrics.notebook.textformat.tokens import (
    WordError,
    label,
    labels,
    probability,
    scale,
    split_trailing_text,
    tokens,
)

KINDS: dict[str, IntentKind] = {short: kind for kind in get_args(IntentKind) for short in (kind, kind[:3])}
FIRST_LINE = 2  # number of the first line of a cell's body; line 1 is the magic's
COMMENT = "#"


def _lines(text: str, first: int = FIRST_LINE, source: str = "") -> list[Line]:
    """Return the lines that are neither empty nor a comment.

    `first` is the number of the first line, `source` the path of a file, or "" for a cell.
    """
    every = enumerate(textwrap.dedent(text.expandtabs(4)).splitlines(), first)
    return [Line(n, line, source) for n, line in every if line.strip() and line.strip()[0] != COMMENT]


@dataclass
class Intents:
    """The content of a cell of %%intents; `scale`: the highest grade and the highest pseudo ad hoc grade."""

    intents: tuple[Intent, ...] = ()
    scale: tuple[int, int] | None = None
    equal: bool = False  # the cell has no probabilities


@dataclass
class _Draft:
    """An intent as a line describes it; p is None if the line has no probability."""

    line: Line
    id: str
    p: float | None
    kind: IntentKind
    label: str
    mark: Shape | None = None
    children: list[_Draft] = field(default_factory=list)


def read_intents(text: str) -> Intents:
    """Parse the intents of a cell; raises DivmetricsError, which names the line and the expected text."""
    parsed = Intents()
    drafts: list[_Draft] = []
    read_lines(_lines(text), partial(_intent_line, drafts, parsed), COMMENT)
    if not drafts:
        raise DivmetricsError(
            "the cell holds no intent; write one per line, with its probability, as in 'film 0.6'"
        )
    parsed.equal = all(draft.p is None for draft in drafts)
    parsed.intents = tuple(_with_probabilities(drafts, "the probabilities of the intents"))
    return parsed


def _intent_line(drafts: list[_Draft], parsed: Intents, line: Line, pieces: list[str]) -> None:
    if pieces[0] == "scale":
        if parsed.scale:
            raise WordError("a second scale; a topic has one")
        parsed.scale = scale(pieces[1:])
        return
    words, name = split_trailing_text(pieces)
    below = line.text[0] == " "
    if words[0] in ("intent", "subtopic") and len(words) > 2:  # the spelling of a lab's text
        words.pop(0)
    mark = next((shape for shape in SHAPES if len(words) > 1 and shape == words[-1]), None)
    if mark:
        words.pop()
    kind: IntentKind | None = KINDS.get(words[-1]) if len(words) > 1 else None
    if kind:
        words.pop()
    if len(words) > 2:
        names = [*KINDS, *SHAPES]
        wrong = words[2] if len(words) == 3 else " ".join(words[2:])
        raise WordError(
            f"{wrong!r} is not expected{did_you_mean(words[2], names)}; write a name, a probability, perhaps "
            "inf or nav, perhaps its mark in pictures, and perhaps a text in quotation marks, as in "
            "'film 0.6 nav \"the film\"' or 'film 0.6 square'"
        )
    p = probability(words[1]) if len(words) == 2 else None
    if p is not None and p < 0:
        raise WordError(f"the probability is {words[1]!r}, expected a number from 0 to 1")
    parent, slash, child = words[0].partition("/")
    draft = _Draft(line, child if slash else words[0], p, kind or "informational", name, mark)
    if not slash and not below:
        siblings = drafts
    else:
        if below and not drafts:
            raise WordError("an indented line is a subtopic of the intent above; there is none above")
        above = next((d for d in drafts if d.id == parent), None) if slash else drafts[-1]
        if above is None:
            names = [d.id for d in drafts]
            raise WordError(f"there is no intent {parent!r} above{did_you_mean(parent, names)}")
        if kind or mark:
            raise WordError(
                "a second-level subtopic has no kind and no mark; inf and nav, and shapes, belong to intents"
            )
        siblings = above.children
    if any(d.id == draft.id for d in siblings):
        raise WordError(f"{words[0]!r} is given twice; names must differ")
    siblings.append(draft)


def _with_probabilities(drafts: Sequence[_Draft], what: str) -> Iterator[Intent]:
    """Yield intents with their explicit probabilities, which sum to 1, or with equal ones if none has any.

    Raises DivmetricsError otherwise; `what` is the noun for these intents in its message.
    """
    probabilities = [draft.p for draft in drafts if draft.p is not None]
    if probabilities and len(probabilities) < len(drafts):
        without = next(draft for draft in drafts if draft.p is None)
        raise without.line.wrong(
            f"{without.id!r} has no probability, but others have; give one to all, or to none"
        )
    if probabilities and not sums_to_one(math.fsum(probabilities)):
        first, last = drafts[0].line.number, drafts[-1].line.number
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        sum_ = " + ".join(f"{p:g}" for p in probabilities)
        raise DivmetricsError(
            f"{where} ({', '.join(d.id for d in drafts)}): {what} sum to {math.fsum(probabilities):.6g} "
            f"({sum_}), expected 1; change one, or leave all out for equal ones"
        )
    for draft in drafts:
        below = tuple(_with_probabilities(draft.children, f"the probabilities below {draft.id!r}"))
        p = 1 / len(drafts) if draft.p is None else draft.p
        yield Intent(draft.id, p, draft.kind, draft.label, below, draft.mark)


@dataclass(frozen=True)
class ListEntry:
    """A document of a list with its labels, such as {"film": 2, "film/cast": 1}, or None without labels.

    `unjudged`: the line has a question mark. A document without labels has those of another list of the
    topic; if no list labels it, it is judged and not relevant, or with `unjudged_by_default` (runs of
    systems) unjudged.
    """

    line: Line
    doc: str
    labels: dict[str, int] | None = None
    unjudged: bool = False
    unjudged_by_default: bool = False
    about: str = ""

    @property
    def wording(self) -> str:
        """The judgment as a cell writes it: labels, "?" for unjudged, or "not relevant"."""
        if self.unjudged:
            return UNJUDGED
        return " ".join(f"{key}:{grade}" for key, grade in (self.labels or {}).items()) or "not relevant"


def read_entries(text: str, first: int = FIRST_LINE, source: str = "") -> tuple[ListEntry, ...]:
    """Parse the documents of a cell or a file, best first.

    `first` is the number of the first line, `source` the path of a file. Raises DivmetricsError, which names
    the line, if a line is invalid or there is no document.
    """
    entries: dict[str, ListEntry] = {}
    read_lines(_lines(text, first, source), partial(_document_line, entries), COMMENT)
    if not entries:
        raise DivmetricsError(
            f"{source or 'the cell'} holds no document; write one per line, with its labels, as in "
            "'d1 film:2 book'"
        )
    return tuple(entries.values())


def _document_line(entries: dict[str, ListEntry], line: Line, pieces: list[str]) -> None:
    words, about = split_trailing_text(pieces)
    doc, *judged = words
    if doc in entries:
        raise WordError(
            f"document {doc!r} is in line {entries[doc].line.number} already; a list has a document once"
        )
    entry = ListEntry(line, doc, about=about)
    if judged == [UNJUDGED]:
        entries[doc] = replace(entry, unjudged=True)
        return
    if UNJUDGED in judged:
        raise WordError("? says that the document was never judged, so it stands alone, without labels")
    entries[doc] = replace(entry, labels=labels(judged, alone=1)) if judged else entry


def readable_labels(cell: str) -> list[str]:
    """Return every valid label key (intent or intent/subtopic) of a cell; errors in it do not matter."""
    keys: dict[str, None] = {}
    for line in _lines(cell):
        try:
            words, _ = split_trailing_text(tokens(line.text, COMMENT))
            keys |= {label(word, alone=1)[0]: None for word in words[1:] if word != UNJUDGED}
        except WordError:
            continue
    return list(keys)
