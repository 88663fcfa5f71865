"""Pairs of lists for a judge: checked, as JSON without labels, and ten default pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from divmetrics import datasets
from divmetrics.core.collection import Collection
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import LabState

Pair = tuple[RankedList, RankedList]


def check_pairs(pairs: Collection | Iterable[Pair]) -> list[Pair]:
    """Return the pairs; of a Collection, all pairs of its runs on each topic."""
    if isinstance(pairs, Collection):
        pairs = [pair for topic in pairs.topics for pair in combinations(pairs.lists(topic.id), 2)]
    checked = list(pairs)
    if not checked:
        raise DivmetricsError("there is no pair of lists; give at least one, as (a, b)")
    for number, pair in enumerate(checked, 1):
        if not isinstance(pair, tuple | list) or [type(x) for x in pair] != [RankedList, RankedList]:
            raise DivmetricsError(f"pair {number} is {pair!r}, expected two RankedLists, as in (a, b)")
        if pair[0].run == pair[1].run:
            raise DivmetricsError(
                f"the two lists of pair {number} are both called {pair[0].run!r}; give one another name, as "
                "in a.reordered([...], run='B')"
            )
    return [(a, b) for a, b in checked]


def pair_to_json(
    left: RankedList, right: RankedList, about: Mapping[str, str], labels: bool
) -> dict[str, Any]:
    """Convert a pair of lists to plain values.

    The values are the title, the intents [label, probability], and for each side rows [id, about, labels],
    in which the labels are empty unless `labels` is true.
    """
    page = LabState.of(left, right, about=about)
    grades = {doc["id"]: doc["grades"] for doc in page.docs}
    for ranked in (left, right):
        if not labels and not any(about.get(doc) for doc in ranked.docs):
            raise DivmetricsError(
                f"list {ranked.run} of topic {ranked.topic.id} has no document with a description, so there "
                "is nothing to judge by; give about={document: a few words}, or labels=True"
            )
    return {
        "title": page.topic["title"] or page.topic["id"],
        "intents": [[t["label"] or t["id"], t["probability"]] for t in page.topic["intents"]],
        "sides": [
            [[doc, about.get(doc, ""), _format_labels(grades[doc]) if labels else ""] for doc in ranked.docs]
            for ranked in (left, right)
        ],
    }


def _format_labels(grades: Mapping[str, int] | None) -> str:
    if grades is None:
        return "never judged"
    return ", ".join(f"{key} {grade}" for key, grade in grades.items()) or "not relevant"


def harry_potter_pairs(rng: np.random.Generator, count: int = 10, length: int = 5) -> Iterator[Pair]:
    """Draw pairs of lists from the judged documents of "harry potter", from narrow to broad ones.

    Each list draws one to five intents at random; their documents come first, in random order.
    """
    ranked = datasets.harry_potter().list("A", "0083")
    for number in range(1, count + 1):
        drawn: list[tuple[str, ...]] = []
        while len(drawn) < 2:
            docs = _draw_list(ranked, rng)[:length]
            if set(docs) not in map(set, drawn):
                drawn.append(docs)
        yield ranked.reordered(drawn[0], f"{number}a"), ranked.reordered(drawn[1], f"{number}b")


def _draw_list(ranked: RankedList, rng: np.random.Generator) -> tuple[str, ...]:
    judgments = ranked.judgments
    intents = rng.permutation(len(judgments.topic.intents))[
        : rng.integers(1, len(judgments.topic.intents) + 1)
    ]
    order = rng.permutation(len(judgments.docs))
    relevant = judgments.grades[intents][:, order].any(axis=0)
    return tuple(judgments.docs[place] for place in [*order[relevant], *order[~relevant]])
