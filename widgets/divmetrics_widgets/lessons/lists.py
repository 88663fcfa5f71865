"""The lists of the lessons: the pages judged for harry potter, and lists written as dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations

from divmetrics.core import batch_lists
from divmetrics.core.batch import Batch
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.research.datasets import harry_potter, harry_potter_documents

POTTER = harry_potter().pools["0083"]
TITLES = harry_potter_documents()
MARKS = {"book": "triangle", "film": "square"}


def potter(docs: str, name: str = "A") -> RankedList:
    """Return a list of pages for harry potter, named by its content."""
    return RankedList(POTTER.topic, docs.split(), POTTER, run=name)


def ranked(docs: Sequence[str], grades: Grades, wants: Mapping[str, float], name: str = "A") -> RankedList:
    """Return a list as widgets take it, from documents, {document: {intent: grade}} and {intent: p}."""
    intents = tuple(Intent(intent, p, mark=MARKS.get(intent, "")) for intent, p in wants.items())
    topic = Topic("potter", intents)
    return RankedList(topic, list(docs), Judgments.of(topic, grades), run=name)


def lists_of(pool: Judgments, length: int) -> Batch:
    """Return all lists of so many of the pages of a pool, in the order of `permutations`."""
    return batch_lists([RankedList(pool.topic, docs, pool) for docs in permutations(pool.docs, length)])


@cache
def every_list(length: int) -> Batch:
    """Return all lists of so many of the 18 pages for harry potter, in the order of `permutations`."""
    return lists_of(POTTER, length)
