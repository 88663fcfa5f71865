"""Answers to the wrap-up after lesson 15, each computed, with the reason."""

from __future__ import annotations

import divmetrics as dm
from divmetrics_widgets.lessons.wrap_ups import Answer, Grades, preferred, score

film = dm.Intent("film", 0.5, children=(dm.Intent("watch", 0.5), dm.Intent("cast", 0.5)))
book = dm.Intent("book", 0.5, children=(dm.Intent("buy", 1.0),))
aspects: Grades = {
    "trailer": {("film", "watch"): 1},
    "cinema": {("film", "watch"): 1},
    "actors": {("film", "cast"): 1},
    "shop": {("book", "buy"): 1},
}


def two_levels(metric: str, docs: str) -> float:
    """Score a list of these pages, which is written with blanks between the ids."""
    topic = dm.Topic("wizards", (film, book))
    return dm.metric(metric).score(dm.RankedList(topic, docs.split(), aspects))


def flat() -> Answer:
    """Compare the lists under ERR-IA@2."""
    one, other = (two_levels("ERR-IA@2", docs) for docs in ("trailer cinema", "trailer actors"))
    why = "For the film as a whole both lists have two pages of grade 1."
    return "no" if one == other else "yes", why


def deep() -> Answer:
    """Compare the lists under ERR-IS@2."""
    at = {docs: two_levels("ERR-IS@2", docs) for docs in ("trailer cinema", "trailer actors")}
    return max(at, key=at.__getitem__), "Readers who want the cast have found nothing at rank 1."


def law() -> Answer:
    """Compute ERR-IS@1 of one page."""
    value = two_levels("ERR-IS@1", "actors")
    why = "Half of all readers want the film, half of these the cast, and half of those are satisfied."
    return f"1/{round(1 / value)}", why


def no_memory() -> Answer:
    """Compare the lists under P-IS@2."""
    one, other = (two_levels("P-IS@2", docs) for docs in ("trailer cinema", "trailer actors"))
    why = "Its M has no memory: a second level alone does not show repetition."
    return "no" if one == other else "yes", why


def patient() -> Answer:
    """Compare how much two metrics lose by an exchange."""
    loss = {
        name: round(1 - score(name, "b1 f1") / score(name, "f1 b1"), 9) for name in ("ERR-IA@2", "iRBU-IA@2")
    }
    worst = "both the same" if len(set(loss.values())) == 1 else max(loss, key=loss.__getitem__)
    why = (
        f"{100 * loss['ERR-IA@2']:.1f} % against {100 * loss['iRBU-IA@2']:.2f} %: with a "
        "patience of 0.99, rank 2 is nearly as good as rank 1."
    )
    return worst, why


def at_most() -> Answer:
    """Compute the loss of a list whose only good page moves down."""
    above, below = (score("iRBU-IA(phi=0.5)@2", docs) for docs in ("f1 none", "none f1"))
    why = "At cutoff l no order can cost more than 1 - phi^(l - 1) of the score, here a half."
    return round(100 * (1 - below / above), 6), why


def effort() -> Answer:
    """Compare preferences of RBU with and without effort."""
    pairs = [(one, other) for one in ("f1 b1", "f1 f2", "g1 fb") for other in ("b1 g1", "f3 fb")]
    same = [preferred("RBU@2", *pair) == preferred("RBU(e=0)@2", *pair) for pair in pairs]
    why = "All lists of one cutoff are charged the same; it compares cutoffs."
    return "no" if all(same) else "yes", why


def worth() -> Answer:
    """Compare ERR-IA and iRBU-IA with a sum by hand."""
    pages = {"f1": {"film": 1}, "f2": {"film": 1}}
    by_hand = 1 / 2 * 1 + 1 / 4 * 1 / 2  # half stop at rank 1, a quarter at rank 2
    off = {
        name: abs(score(f"{name}-IA@2", "f1 f2", {"film": 1.0}, pages) - by_hand) for name in ("ERR", "iRBU")
    }
    return min(off, key=off.__getitem__), "iRBU takes phi^k in its place."
