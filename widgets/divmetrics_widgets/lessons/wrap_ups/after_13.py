"""Answers to the wrap-up after lesson 13, each computed, with the reason."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from divmetrics_widgets.lessons.wrap_ups import Answer, preferred, score

pages = {"best": {"park": 2}, "copy": {"park": 2}, "blog": {"park": 1}}
pages |= {"film": {"film": 2}, "clip": {"film": 1}, "both": {"film": 1, "park": 1}, "none": {}}
web: dict[str, Any] = {"pages": pages, "readers": {"film": 0.5, "park": 0.5}, "navigational": "park"}


def merged() -> Answer:
    """Compare the global gains of three pages."""
    gain = {doc: round(score("D-nDCG@1", doc, **web), 9) for doc in ("best", "film", "both")}
    top = [doc for doc in gain if gain[doc] == max(gain.values())]
    why = "`both` adds two halves of grade 1, the others half of grade 2."
    return top[0] if len(top) == 1 else "all have the same", why


def repeats() -> Answer:
    """Compare the lists under D-nDCG@3."""
    why = "For the merged reader the copy is as good as the first: the whole ideal list."
    return preferred("D-nDCG@3", "best copy film", "best film clip", **web), why


def once() -> Answer:
    """Compare the lists under DIN-nDCG@3."""
    why = "The copy earns nothing once a page for the park stands above."
    return preferred("DIN-nDCG@3", "best copy film", "best film clip", **web), why


def reach() -> Answer:
    """Find the highest DIN-nDCG@3 of all lists."""
    highest = max(score("DIN-nDCG@3", " ".join(docs), **web) for docs in permutations(pages, 3))
    why = f"The best has {highest:.4f}: the ideal list is D's, with the copy in it."
    return "yes" if highest > 1 - 1e-9 else "no", why


def covers() -> Answer:
    """Compute D#-nDCG@2 of a list for one intent."""
    why = "Half of I-rec = 1/2 plus half of 1."
    return round(score("D#-nDCG@2", "best copy", **web), 6), why


def poor() -> Answer:
    """Compare the lists under D#-nDCG@2."""
    why = "A first page of an intent is paid 1/4 for I-rec alone, however poor it is."
    return ("yes" if preferred("D#-nDCG@2", "best copy", "best clip", **web) == "best clip" else "no", why)


def falls() -> Answer:
    """Compare the lists under P+Q@3."""
    better = preferred("P+Q@3", "blog film none", "blog film best", **web)
    why = "The park's readers now walk on to rank 3, and P+ counts what they read on the way."
    return ({"blog film none": "it falls", "blog film best": "it rises", "neither": "it stays"}[better], why)


def gamma() -> Answer:
    """Find the metric that equals D#-nDCG with gamma = 1."""
    same = {
        name
        for name in ("I-rec", "D-nDCG")
        if all(
            abs(score("D#-nDCG(gamma=1)@2", docs, **web) - score(f"{name}@2", docs, **web)) < 1e-9
            for docs in ("best copy", "best clip", "blog film")
        )
    }
    why = "gamma is the share of I-rec."
    return same.pop() if len(same) == 1 else "the mean of both", why
