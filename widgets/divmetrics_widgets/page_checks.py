"""Checks of the content of a lab's page, from the browser or from Python, before it is displayed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, get_args

from divmetrics.core.runs import RankedList
from divmetrics.core.topics import IntentKind
from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics.notebook.textformat.marks import SHAPES
from divmetrics.notebook.textformat.tokens import MOST
from divmetrics_widgets.messages import (
    name,
    number,
    one_of,
    optional,
    record,
    refused,
    several,
    table,
    text,
    union,
    whole,
)

_INTENT: dict[str, Any] = {"id": name, "label": text, "probability": number}
_CHILDREN = several(record(**_INTENT), key="id")
_LOOKS: dict[str, Any] = {"kind": one_of(get_args(IntentKind)), "mark": one_of(SHAPES)}
_INTENTS = several(record(("mark",), **_INTENT, **_LOOKS, children=_CHILDREN), least=1, key="id")
TOPIC = record(id=name, title=text, scale=whole(1, MOST), adhoc=whole(1, MOST), intents=_INTENTS)
_LABELS = table(name, whole(0, MOST))
DOCS = several(record(id=name, about=text, grades=optional(_LABELS)), key="id")
LIST = several(name, once=True)
LISTS = record(may=("B",), A=LIST, B=LIST)
METRICS = several(name)
_PARTS: dict[str, Any] = {"topic": TOPIC, "docs": DOCS, "lists": LISTS, "metrics": METRICS, "example": text}
EDIT = union(record(), record(_PARTS, name=name, on=name, **_PARTS), expected="an edit of the page")
HAND = union(record(), record(side=text, doc=text), expected="the side and the id of a document")
GRADES = record(of=name, doc=name, grades=several(_LABELS))


def check_page(page: LabState) -> None:
    """Raise DivmetricsError if a page is invalid; probabilities need not sum to 1."""
    for part, reads in _PARTS.items():
        reads(getattr(page, part), f"the page, {part}")
    check_names(page)


def check_names(page: LabState) -> None:
    """Raise DivmetricsError if lists or labels name documents, intents or grades that the page lacks."""
    page_docs, keys, top = {doc["id"] for doc in page.docs}, page.keys, page.topic["scale"]
    for side, listed in page.lists.items():
        for doc_id in listed:
            if doc_id not in page_docs:
                raise refused(doc_id, f"a document of list {side}", "one that is on the page")
    for doc in page.docs:
        for key, grade in (doc["grades"] or {}).items():
            if key not in keys:
                raise refused(key, f"a label of document {doc['id']!r}", f"one of {', '.join(keys)}")
            if grade > top:
                expected = f"at most {top}, the top of the scale"
                raise refused(grade, f"the grade of document {doc['id']!r} for {key}", expected)


def listed_docs(docs: Any, what: str) -> list[str]:
    """Return the document ids of a list from Python: a RankedList, or ids, best first."""
    if isinstance(docs, RankedList):
        return list(docs.docs)
    if isinstance(docs, str | Mapping | Set) or not isinstance(docs, Iterable):
        raise refused(docs, what, "a list of documents, best first")
    return list(several(name)(list(docs), what))
