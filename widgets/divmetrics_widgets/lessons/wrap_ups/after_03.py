"""Answers to the wrap-up after lesson 03, each computed, with the reason."""

from __future__ import annotations

from dataclasses import replace

from divmetrics.parts import One
from divmetrics_widgets.lessons.counting import row_of
from divmetrics_widgets.lessons.wrap_ups import PAGES, READERS, Answer, preferred, score


def serves() -> Answer:
    """Compare the lists under S-recall@2."""
    return preferred("S-recall@2", "f1 f2", "b1 g1"), "Two of three intents against one."


def nobody() -> Answer:
    """Compare the shares of readers whom the lists serve."""
    served: dict[str, float] = {}
    for docs in ("f1 f2", "b1 g1"):
        served[docs] = sum(READERS[name] for name in {name for doc in docs.split() for name in PAGES[doc]})
    best = "neither" if len(set(served.values())) == 1 else max(served, key=served.__getitem__)
    why = "Each list serves half of the readers: S-recall counts intents, not readers."
    return best, why


def second() -> Answer:
    """Divide what `f1` earns at rank 1 by what `f2` earns below it."""
    first = score("ERR-IA@1", "f1")
    why = "Half of the readers are left, and rank 2 counts half."
    return round(first / (score("ERR-IA@2", "f1 f2") - first), 6), why


def order() -> Answer:
    """Find the metric that tells the two orders apart."""
    notice = [name for name in ("S-recall@2", "ERR-IA@2") if preferred(name, "f1 b1", "b1 f1") != "neither"]
    why = "The set of intents is the same."
    return "both" if len(notice) == 2 else notice[0] if notice else "none of them", why


def adds() -> Answer:
    """Subtract the S-recall@2 with and without `fb`."""
    added = score("S-recall@2", "f1 fb") - score("S-recall@1", "f1")
    return {0: "0", 1: "1/3", 2: "2/3"}.get(round(3 * added), "1/2"), "Only the book is new."


def one_part() -> Answer:
    """Compare the orders under ERR-IA with a flat weight."""
    flat = replace(row_of("ERR-IA"), name="ERR-IA without ranks", w=One())
    why = "Of the four parts only w told the ranks apart."
    return preferred(flat @ 2, "f1 b1", "b1 f1"), why


def mix() -> Answer:
    """Compare the pages for another mix of readers."""
    winner = preferred("ERR-IA@1", "f1", "b1", readers={"film": 0.3, "book": 0.5, "game": 0.2})
    return "yes" if winner == "b1" else "no", "Let 30 % want the film and 50 % the book."


def pair() -> Answer:
    """Compare one pair of lists under both metrics."""
    first, second = (preferred(name, "f1 f2", "b1 g1") for name in ("ERR-IA@2", "S-recall@2"))
    why = "The first two lists of this page."
    return "yes" if {first, second} == {"f1 f2", "b1 g1"} else "no", why
