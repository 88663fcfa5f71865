"""Which metrics of another mix of readers follow from those of one, tried on the library's own numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import divmetrics as dm
from divmetrics import datasets
from divmetrics.explanations.contributions import Contributions
from divmetrics.notebook.offline.intent_weights import IdealList, IntentMixtures
from divmetrics.registry.parse import metric

SIDES = "A", "C"


def mixes() -> IntentMixtures:
    lists = [datasets.harry_potter().list(side, "0083") for side in SIDES]
    mixtures = IntentMixtures.of(lists[0].judgments, [ranked.docs for ranked in lists])
    assert mixtures is not None
    return mixtures


@pytest.mark.parametrize(
    ("name", "followed"),
    [
        ("ERR-IA@5", [True]),
        ("ERR-IS@5", [True]),
        ("nDCG-IA@5", [True]),
        ("S-recall@5", [False]),
        ("alpha-nDCG@5", [False]),
        ("D-nDCG@5", [IdealList]),
        ("D#-nDCG@5", [False, IdealList]),
        ("D-Q@5", None),  # its blended ratio asks for more of the ideal list than its sum
        ("D-ERR@5", None),
    ],
)
def test_how_each_row_depends_on_the_mix(name: str, followed: list[Any] | None) -> None:
    dependence = mixes().followed(metric(name))
    assert (dependence and [how if isinstance(how, bool) else type(how) for how in dependence]) == followed


def test_a_score_of_another_mix_is_that_of_the_ratios() -> None:
    a = datasets.harry_potter().list("A", "0083")
    shares = 0.1, 0.2, 0.3, 0.4, 0.0
    topic = replace(
        a.topic,
        intents=tuple(replace(t, probability=p) for t, p in zip(a.topic.intents, shares, strict=True)),
    )
    other = dm.RankedList(topic, a.docs, replace(a.judgments, topic=topic), "A")
    by_intent = Contributions.of_list(metric("ERR-IA@5"), a).by_intent.sum(axis=1)
    ratios = np.array(shares) / [t.probability for t in a.topic.intents]
    assert metric("ERR-IA@5").score(other) == pytest.approx(float(by_intent @ ratios))


def test_an_intent_without_readers_is_no_measure_of_others() -> None:
    a = datasets.harry_potter().list("A", "0083")
    first, second, *others = a.topic.intents
    none = replace(first, probability=0.0)
    both = replace(second, probability=first.probability + second.probability)
    pool = replace(a.judgments, topic=replace(a.topic, intents=(none, both, *others)))
    assert IntentMixtures.of(pool, [a.docs]) is None
