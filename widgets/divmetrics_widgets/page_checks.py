"""What a browser, or somebody in Python, may put on the page of a lab: checked, before it stands there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, get_args

from divmetrics.core.collection import IntentKind, RankedList
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
    """DivmetricsError for what can be no page; one whose probabilities do not sum to 1 can."""
    for part, reads in _PARTS.items():
        reads(getattr(page, part), f"the page, {part}")
    check_names(page)


def check_names(page: LabState) -> None:
    """DivmetricsError where lists and labels name what is not on the page."""
    known, keys, top = {doc["id"] for doc in page.docs}, page.keys, page.topic["scale"]
    for side, listed in page.lists.items():
        for named in listed:
            if named not in known:
                raise refused(named, f"a document of list {side}", "one that is on the page")
    for doc in page.docs:
        for key, grade in (doc["grades"] or {}).items():
            if key not in keys:
                raise refused(key, f"a label of document {doc['id']!r}", f"one of {', '.join(keys)}")
            if grade > top:
                expected = f"at most {top}, the top of the scale"
                raise refused(grade, f"the grade of document {doc['id']!r} for {key}", expected)


def listed_docs(docs: Any, what: str) -> list[str]:
    """The documents of a list that is given in Python: a RankedList, or their ids, best first."""
    if isinstance(docs, RankedList):
        return list(docs.docs)
    if isinstance(docs, str | Mapping | Set) or not isinstance(docs, Iterable):
        raise refused(docs, what, "a list of documents, best first")
    return list(several(name)(list(docs), what))
