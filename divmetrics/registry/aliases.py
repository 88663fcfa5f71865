"""Other spellings and other names of the metrics in a table.

In a name, case, hyphens and underscores do not matter, `alpha` may be a Greek letter, IA may stand first, and
`#` and `+` may be words, as in the names of ir_measures. Programs and papers have several names for subtopic
recall; each convention accepts them all and prints its own. Other terms of the field are used for suggestions
only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from divmetrics.errors import most_like

SUBTOPIC_RECALL = ("S-recall", "strec", "I-rec")  # in the conventions paper, ndeval and ntcireval
OTHER_NAMES = {
    "strec": SUBTOPIC_RECALL,  # ndeval
    "st-recall": SUBTOPIC_RECALL,  # ir_measures
    "subtopic-recall": SUBTOPIC_RECALL,
    "intent-recall": SUBTOPIC_RECALL,
    "i-recall": SUBTOPIC_RECALL,
    "coverage": SUBTOPIC_RECALL,  # FreshStack, of nuggets
    "nugget-coverage": SUBTOPIC_RECALL,
    **{  # the TREC RAG track's words, and the fields of nuggetizer's and pyterrier-nuggetizer's files
        other: (f"{letter}_strict",) if strict else (letter,)
        for letter, word in {"A": "all", "V": "vital", "W": "weighted"}.items()
        for strict, names in (
            (False, (word, f"{word}-score")),
            (True, (f"{word}-strict", f"strict-{word}", f"strict-{word}-score")),
        )
        for other in names
    },
    "weighted-coverage": ("W_strict",),
}
NAME_BEFORE_DETAILS = re.compile(r"(?:[a-z]+:)?(?P<name>[^():@]+)")
BLANKS = re.compile(r"[\s_\u2010-\u2015\u2212-]+")  # including typographic dashes
GREEK = {"\u03b1": "alpha", "\u03b2": "beta", "\u03b3": "gamma"}
SIGNS = {**GREEK, "\u0251": "alpha", "sharp": "#", "\u266f": "#", "plus": "+"}
MEANT = {"precision": "Prec", "p": "Prec", "map": "AP", "mrr": "RR", "recall": "freshstack:Recall"}
MEANT |= dict.fromkeys(("hit", "success"), "1-call") | {"omeasure": "O"}
MEANT |= dict.fromkeys(("andcg", "ndcgalpha"), "alpha-nDCG") | {"precisionia": "P-IA", "precia": "P-IA"}


def spellings(name: str, rows: Iterable[str]) -> list[str]:
    """Return the names in `rows`, or of intent-square forms X-IS, that differ from `name` in spelling only.

    Case, blanks, hyphens and underscores do not count, nor whether IA stands first, alpha is a Greek letter,
    or # and + are words.
    """
    key = _key(name)
    names = list(rows)
    return [candidate for candidate in dict.fromkeys([*names, *_squares(names)]) if _key(candidate) == key]


def resolve_alias(name: str, rows: Iterable[str]) -> str | None:
    """Return the name in `rows` that `name` means: the only one that it spells, or has as another name.

    None if it spells several, or has no meaning in `rows`. `name` is without cutoff and parameters.
    """
    names = list(rows)
    spelled = spellings(name, names)
    if spelled:
        return spelled[0] if len(spelled) == 1 else None
    return next((other for other in _others(name) if other in names), None)


def nearest(name: str, rows: Iterable[str]) -> str | None:
    """Return the name to suggest for `name`: one in `rows`, an intent-square form X-IS of one, or None.

    It is what `resolve_alias` returns, else the metric that a term of the field stands for, else the most
    similar name; None if none is similar. "recall" gives "freshstack:Recall", which need not be in `rows`.
    """
    names = list(rows)
    other = resolve_alias(name, names) or MEANT.get(_key(name))
    if other is not None and (other in names or ":" in other):
        return other
    return most_like(name, (*reversed(_squares(names)), *reversed(names)), _key)


def aliases_of(name: str) -> tuple[str, ...]:
    """Return the other names that are accepted for a metric, then the terms for which it is suggested."""
    return (
        *(other for other, names in OTHER_NAMES.items() if name in names),
        *(typed for typed, row in MEANT.items() if row == name),
    )


def hyphenate_aliases(text: str) -> str:
    """Return a text such as "subtopic recall@20" with hyphens in the name: "subtopic-recall@20".

    A text that begins with no other name of a metric is returned unchanged.
    """
    match = NAME_BEFORE_DETAILS.match(text)
    if match is None or not _others(match["name"]):
        return text
    return text[: match.start("name")] + BLANKS.sub("-", match["name"].strip()) + text[match.end("name") :]


def _others(name: str) -> tuple[str, ...]:
    key = _key(name)
    return next((names for other, names in OTHER_NAMES.items() if _key(other) == key), ())


def _squares(rows: Iterable[str]) -> list[str]:
    return [f"{row.removesuffix('-IA')}-IS" for row in rows]


def _key(name: str) -> str:
    """Return a key that is equal for all spellings of a name."""
    key = BLANKS.sub("", unicodedata.normalize("NFKC", name)).casefold()
    for sign, plain in SIGNS.items():
        key = key.replace(sign, plain)
    return f"{key[2:]}ia" if key.startswith("ia") and len(key) > 2 else key
