"""Answers to the wrap-up after lesson 09, each computed, with the reason."""

from __future__ import annotations

from itertools import permutations
from math import e

import divmetrics as dm
from divmetrics_widgets.lessons.wrap_ups import Answer

pages = {"1 fg": {"f": 1, "g": 1}, "2 fb": {"f": 1, "b": 1}, "3 gh": {"g": 1, "h": 1}}


def score(metric: str, *docs: str) -> float:
    """Score a list of these pages."""
    return dm.score(metric, docs, pages)


def third() -> Answer:
    """Compute the novelty gain below two pages."""
    alpha, above = 0.5, 2
    return f"1/{round(1 / (1 - alpha) ** above)}", "Two pages stand above it: (1 - 0.5)^2."


def zero() -> Answer:
    """Compare the gains below two pages with alpha = 0."""
    gains = [
        score("alpha-DCG(alpha=0)@2", a, "2 fb") - score("alpha-DCG(alpha=0)@1", a) for a in ("1 fg", "3 gh")
    ]
    why = "Then repetition costs nothing: pages are only counted."
    return "yes" if gains[0] < gains[1] - 1e-9 else "no", why


def all_of_it() -> Answer:
    """Count the intents that gain with alpha = 1."""
    gain = score("alpha-DCG(alpha=1)@2", "1 fg", "2 fb") - score("alpha-DCG(alpha=1)@1", "1 fg")
    alone = score("alpha-DCG(alpha=1)@2", "3 gh", "2 fb") - score("alpha-DCG(alpha=1)@1", "3 gh")
    why = "Only b is new; as in S-recall, a second page for f adds nothing."
    return round(2 * gain / alone), why


def greedy() -> Answer:
    """Compare a score by the greedy ideal list with 1."""
    value = score("alpha-nDCG@2", "2 fb", "3 gh")
    why = f"It is {value:.4f}: greedy took a page that repeats either of the others."
    return "above 1" if value > 1 else "below 1" if value < 1 else "1", why


def exact() -> Answer:
    """Compute a score by the exact ideal list."""
    why = "No list of two can be better."
    return round(score("alpha-nDCG(ideal=exact)@2", "2 fb", "3 gh"), 6), why


def same_order() -> Answer:
    """Compare the orders of all lists under both ideal lists."""
    lists = list(permutations(pages, 2))
    orders = [
        sorted(lists, key=lambda docs: round(score(name, *docs), 9))
        for name in ("alpha-nDCG@2", "alpha-nDCG(ideal=exact)@2")
    ]
    why = "Both divide all lists of the query by one number. Over several queries it can."
    return "no" if orders[0] == orders[1] else "yes", why


def endless() -> Answer:
    """Find the best NRBP of the three pages."""
    best = max(score("NRBP", *docs) for docs in permutations(pages))
    why = f"The best has {best:.4f}: NRBP divides by an endless list in which every page serves every intent."
    return "yes" if best >= 1 else "no", why


def at_least() -> Answer:
    """Compute 1 - 1/e."""
    why = (
        "1 - 1/e, since the gain of a set has diminishing returns. The bound is for sets: "
        "ranks with discounts are another problem."
    )
    return f"{100 * (1 - 1 / e):.0f} %", why
