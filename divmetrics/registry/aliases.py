"""Names that others have for a metric of the tables, in whatever spelling people type them.

Subtopic recall has one name in every program and paper; each convention knows all of them and prints its own.
What is only written with underscores, as in ir_measures, is known as well. Letters of the wrong size are a
slip, which the refusal of the name corrects, as it does with words of the field that are no name here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from divmetrics.errors import most_like

SUBTOPIC_RECALL = ("S-recall", "strec", "I-rec")  # in the conventions paper, ndeval and ntcireval
OTHER_NAMES = {
    "strec": SUBTOPIC_RECALL,  # ndeval
    "strecall": SUBTOPIC_RECALL,  # ir_measures
    "st-recall": SUBTOPIC_RECALL,
    "subtopic-recall": SUBTOPIC_RECALL,
    "intent-recall": SUBTOPIC_RECALL,
    "coverage": SUBTOPIC_RECALL,  # FreshStack, of nuggets
    "nugget-coverage": SUBTOPIC_RECALL,
}
NAME_BEFORE_DETAILS = re.compile(r"(?:[a-z]+:)?(?P<name>[^():@]+)")
BLANKS = re.compile(r"[\s_-]+")
MEANT = {"precision": "Prec", "p": "Prec", "map": "AP", "mrr": "RR", "recall": "S-recall"}


def resolve_alias(name: str, rows: Container[str]) -> str | None:
    """The name in these rows that somebody means by this other name; None where there is none."""
    hyphened = name.replace("_", "-")
    return next((known for known in (hyphened, *_others(name)) if known in rows), None)


def nearest(name: str, rows: Iterable[str]) -> str | None:
    """The name in these rows, or the intent-square form of one, that looks most like what somebody typed.

    Large and small letters, blanks and hyphens do not count. None where nothing is near.
    """
    known = list(rows)
    other = resolve_alias(name, known) or MEANT.get(_key(name))
    if other in known:
        return other
    squares = [f"{row.removesuffix('-IA')}-IS" for row in known]
    return most_like(name, (*reversed(squares), *reversed(known)), _key)


def aliases_of(name: str) -> tuple[str, ...]:
    """What others call this metric of the tables, and what people type who mean it."""
    return (
        *(other for other, known in OTHER_NAMES.items() if name in known),
        *(typed for typed, known in MEANT.items() if known == name),
    )


def hyphenate_aliases(text: str) -> str:
    """The same with hyphens for the blanks in one of those names: `subtopic recall@20`."""
    found = NAME_BEFORE_DETAILS.match(text)
    if found is None or not _others(found["name"]):
        return text
    return text[: found.start("name")] + BLANKS.sub("-", found["name"].strip()) + text[found.end("name") :]


def _others(name: str) -> tuple[str, ...]:
    return OTHER_NAMES.get(BLANKS.sub("-", name.strip()).lower(), ())


def _key(name: str) -> str:
    return BLANKS.sub("", name).casefold()
