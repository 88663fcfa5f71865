"""The bodies of %%intents and %%serp, line by line, with the line's place in every error."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import get_args

from divmetrics.core.collection import Intent, IntentKind
from divmetrics.core.tolerances import sums_to_one
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
FIRST_LINE = 2  # of a cell's body: the first line is the magic's
COMMENT = "#"


def lines(text: str, first: int = FIRST_LINE, source: str = "") -> list[Line]:
    """The lines that hold more than a comment."""
    every = enumerate(textwrap.dedent(text.expandtabs(4)).splitlines(), first)
    return [Line(n, line, source) for n, line in every if line.strip() and line.strip()[0] != COMMENT]


@dataclass
class Intents:
    """What the cell of %%intents says; scale: the tops of the grades and of the pseudo ad hoc grades."""

    intents: tuple[Intent, ...] = ()
    scale: tuple[int, int] | None = None
    equal: bool = False  # no probability was given


@dataclass
class _Draft:
    """An intent as it stands in a line, p None where the line gives none."""

    line: Line
    id: str
    p: float | None
    kind: IntentKind
    label: str
    mark: Shape | None = None
    children: list[_Draft] = field(default_factory=list)


def read_intents(text: str) -> Intents:
    """The intents of a cell; DivmetricsError names the line and what was expected there."""
    found = Intents()
    drafts: list[_Draft] = []
    read_lines(lines(text), partial(_intent_line, drafts, found), COMMENT)
    if not drafts:
        raise DivmetricsError(
            "the cell holds no intent; write one per line, with its probability, as in 'film 0.6'"
        )
    found.equal = all(draft.p is None for draft in drafts)
    found.intents = tuple(_weighed(drafts, "the probabilities of the intents"))
    return found


def _intent_line(drafts: list[_Draft], found: Intents, line: Line, written: list[str]) -> None:
    if written[0] == "scale":
        if found.scale:
            raise WordError("a second scale; a topic has one")
        found.scale = scale(written[1:])
        return
    words, name = split_trailing_text(written)
    below = line.text[0] == " "
    if words[0] in ("intent", "subtopic") and len(words) > 2:  # as in the text of a lab
        words.pop(0)
    mark = next((shape for shape in SHAPES if len(words) > 1 and shape == words[-1]), None)
    if mark:
        words.pop()
    kind: IntentKind | None = KINDS.get(words[-1]) if len(words) > 1 else None
    if kind:
        words.pop()
    if len(words) > 2:
        known = [*KINDS, *SHAPES]
        wrong = words[2] if len(words) == 3 else " ".join(words[2:])
        raise WordError(
            f"{wrong!r} is not expected{did_you_mean(words[2], known)}; write a name, a probability, perhaps "
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
            known = [d.id for d in drafts]
            raise WordError(f"there is no intent {parent!r} above{did_you_mean(parent, known)}")
        if kind or mark:
            raise WordError(
                "a second-level subtopic has no kind and no mark; inf and nav, and shapes, belong to intents"
            )
        siblings = above.children
    if any(d.id == draft.id for d in siblings):
        raise WordError(f"{words[0]!r} is given twice; names must differ")
    siblings.append(draft)


def _weighed(drafts: Sequence[_Draft], what: str) -> Iterator[Intent]:
    """Intents with probabilities: all given, and summing to 1, or none and so all alike."""
    given = [draft.p for draft in drafts if draft.p is not None]
    if given and len(given) < len(drafts):
        without = next(draft for draft in drafts if draft.p is None)
        raise without.line.wrong(
            f"{without.id!r} has no probability, but others have; give one to all, or to none"
        )
    if given and not sums_to_one(math.fsum(given)):
        first, last = drafts[0].line.number, drafts[-1].line.number
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        sum_ = " + ".join(f"{p:g}" for p in given)
        raise DivmetricsError(
            f"{where} ({', '.join(d.id for d in drafts)}): {what} sum to {math.fsum(given):.6g} ({sum_}), "
            "expected 1; change one, or leave all out for equal ones"
        )
    for draft in drafts:
        below = tuple(_weighed(draft.children, f"the probabilities below {draft.id!r}"))
        p = 1 / len(drafts) if draft.p is None else draft.p
        yield Intent(draft.id, p, draft.kind, draft.label, below, draft.mark)


@dataclass(frozen=True)
class ListEntry:
    """A document of a list: labels {"film": 2, "film/cast": 1}, or None where they were left out.

    unjudged: the line has a question mark. A document named alone has the labels it has in another list of
    the topic; in none, it is judged and not relevant. silent: in none, it was never judged (runs of systems).
    """

    line: Line
    doc: str
    labels: dict[str, int] | None = None
    unjudged: bool = False
    unjudged_by_default: bool = False
    about: str = ""

    @property
    def told(self) -> str:
        """The judgment as it is written."""
        if self.unjudged:
            return UNJUDGED
        return " ".join(f"{key}:{grade}" for key, grade in (self.labels or {}).items()) or "not relevant"


def read_entries(text: str, first: int = FIRST_LINE, source: str = "") -> tuple[ListEntry, ...]:
    """The documents of a cell or a file, best first."""
    found: dict[str, ListEntry] = {}
    read_lines(lines(text, first, source), partial(_document_line, found), COMMENT)
    if not found:
        raise DivmetricsError(
            f"{source or 'the cell'} holds no document; write one per line, with its labels, as in "
            "'d1 film:2 book'"
        )
    return tuple(found.values())


def _document_line(found: dict[str, ListEntry], line: Line, written: list[str]) -> None:
    words, about = split_trailing_text(written)
    doc, *judged = words
    if doc in found:
        raise WordError(
            f"document {doc!r} is in line {found[doc].line.number} already; a list has a document once"
        )
    entry = ListEntry(line, doc, about=about)
    if judged == [UNJUDGED]:
        found[doc] = replace(entry, unjudged=True)
        return
    if UNJUDGED in judged:
        raise WordError("? says that the document was never judged, so it stands alone, without labels")
    found[doc] = replace(entry, labels=labels(judged, alone=1)) if judged else entry


def readable_labels(cell: str) -> list[str]:
    """Every label of a cell that can be read, whatever else is wrong there."""
    found: dict[str, None] = {}
    for line in lines(cell):
        try:
            words, _ = split_trailing_text(tokens(line.text, COMMENT))
            found |= {label(word, alone=1)[0]: None for word in words[1:] if word != UNJUDGED}
        except WordError:
            continue
    return list(found)
