"""Lesson 25: the texts about mercury and their similarities, a slider, and the checks of its exercises."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
from ipywidgets import FloatSlider  # type: ignore[import-untyped]

from divmetrics.core.runs import RankedList
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import mercury, mercury_documents
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.slips import compare

POOL, TEXTS = mercury().pools["mercury"], mercury_documents()
DOCS, TITLES = list(TEXTS), {doc: title for doc, (title, _) in TEXTS.items()}
P = {intent.id: intent.probability for intent in POOL.topic.intents}
NAMES = ["S-recall@5", "alpha-nDCG@5", "ERR-IA@5", "D-nDCG@5", "D#-nDCG@5"]
GUESSES = {
    "planet": "planet sun orbit",
    "metal": "liquid metal",
    "god": "roman god messenger",
    "singer": "singer queen band",
}
SMALL = "a an the of in is are was and or to its it at by with for that all this on from any"

Diversifier = Callable[[float], Sequence[str]]


class Slider(FloatSlider):
    """A slider that leaves its value where there is no kernel."""

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        text = f"{self.description} = {self.value:.1f}"
        live = super()._repr_mimebundle_(**options) or {}
        return {**live, "text/plain": text, "text/html": f"<p>{escape(text)}</p>"}


# -- similarity of texts: cosines of TF-IDF weights ---------------------------------------------------------


def words(text: str) -> list[str]:
    """Return the words in lower case, without the plural's s, without small words."""
    found = [word for word in re.findall("[a-z]+", text.lower()) if word not in SMALL.split()]
    return [word[:-1] if word.endswith("s") and len(word) > 3 else word for word in found]


_COUNTED = {doc: words(" ".join(text)) for doc, text in TEXTS.items()}
_VOCABULARY = sorted(set().union(*_COUNTED.values()))
_INVERSE = np.log([1 + len(DOCS) / sum(word in each for each in _COUNTED.values()) for word in _VOCABULARY])


def _vector(found: Sequence[str]) -> np.ndarray:
    weights = np.array([found.count(word) for word in _VOCABULARY]) * _INVERSE
    return np.asarray(weights / max(float(np.linalg.norm(weights)), 1e-12))


_SPACE = {doc: _vector(each) for doc, each in _COUNTED.items()}


def _similarity(text: str, doc: str) -> float:
    """Return the cosine of a text and a document."""
    return float(_vector(words(text)) @ _SPACE[doc])


RELEVANCE = {doc: _similarity("mercury", doc) for doc in DOCS}
ALIKE = {(a, b): float(_SPACE[a] @ _SPACE[b]) for a in DOCS for b in DOCS}
FIT = {intent: {doc: _similarity(guess, doc) for doc in DOCS} for intent, guess in GUESSES.items()}
R = {i: {doc: (2 ** POOL.labels(doc).get(i, 0) - 1) / 4 for doc in DOCS} for i in P}
A = RankedList(POOL.topic, sorted(DOCS, key=lambda doc: -RELEVANCE[doc])[:8], POOL)


def score(name: str, docs: Sequence[str]) -> float:
    """Return the score of a list of these documents."""
    return float(metric(name).score(A.reordered(list(docs))))


def most_alike(docs: Sequence[str], depth: int = 5) -> float:
    """Return the largest similarity of two of the first documents."""
    top = docs[:depth]
    return max(ALIKE[a, b] for n, a in enumerate(top) for b in top[:n])


def table(lists: Mapping[str, Sequence[str]], names: Sequence[str] = NAMES) -> pd.DataFrame:
    """Return the scores of lists, and their first five documents."""
    scores = {how: [score(name, docs) for name in names] for how, docs in lists.items()}
    rows = pd.DataFrame.from_dict(scores, "index", columns=list(names)).map("{:.3f}".format)
    return rows.assign(**{"first five": [" ".join(docs[:5]) for docs in lists.values()]})


def lead(name: str, one: Sequence[str], other: Sequence[str]) -> float:
    """Return by how much a metric prefers the first list."""
    return score(name, one) - score(name, other)


def against_weight(make: Diversifier, names: Sequence[str] = NAMES) -> pd.DataFrame:
    """Return the scores of a diversifier's lists for each weight of diversity."""
    rows = [(name, lam, score(name, make(lam))) for name in names for lam in np.linspace(0, 1, 11)]
    return pd.DataFrame(rows, columns=["metric", "weight of diversity", "score"])


def never_falls(make: Diversifier, name: str) -> bool:
    """Return whether more weight of diversity never lowers a score."""
    scores = against_weight(make, [name])["score"].to_numpy()
    return bool((np.diff(scores) > -1e-9).all())


def with_other_beliefs(make: Callable[..., Sequence[str]], names: Sequence[str] = NAMES) -> pd.DataFrame:
    """Give the probabilities to other intents, in all 23 ways; count for each metric what diversity does.

    `some`: the ways in which a weight above 0 is better than 0. `full`: those in which no weight is better
    than 1.
    """
    beliefs = [dict(zip(P, order, strict=True)) for order in permutations(P.values())]
    lists = [[make(lam, p=belief) for lam in np.linspace(0, 1, 11)] for belief in beliefs if belief != P]
    rows = {}
    for name in names:
        scores = np.array([[score(name, docs) for docs in each] for each in lists])
        best = scores.max(axis=1)
        rows[name] = (int((best > scores[:, 0] + 1e-9).sum()), int((best < scores[:, -1] + 1e-9).sum()))
    return pd.DataFrame(rows, ["some", "full"]).T


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Negative: MMR would rather take a text about nothing."


@Check.number(-1, 1, decimals=4)
def second_step(answer: float) -> bool | str:
    """Check the value of m2 to MMR after m1."""
    gain, loss = RELEVANCE["m2"] / 2, ALIKE["m2", "m1"] / 2
    slips = {
        gain + loss: "similarity counts against a document",
        2 * (gain - loss): "both parts have weight one half",
    }
    return compare(answer, gain - loss, slips, within=2e-3, near=2e-3)


# Exercise 2
WHY_2 = "The best page goes first, and m15 saves a rank."
above_greedy = Check.lists(
    A,
    {"yours": 5},
    Check.rule("yours", "S-recall@5", "=", 1, "I-rec is only {left}: some intent is missing"),
    Check.rule("yours", "D#-nDCG@5", ">", 0.92, "all intents, but D#-nDCG@5 is {left}"),
)
