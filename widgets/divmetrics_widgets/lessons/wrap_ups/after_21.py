"""Answers to the wrap-up after lesson 21, each computed, with the reason."""

from __future__ import annotations

import divmetrics as dm
from divmetrics import meta
from divmetrics_widgets.lessons.wrap_ups import Answer, preferred, score

FIRST, SECOND = [5, 4, 3, 2, 1], [4, 5, 3, 2, 1]  # scores of five runs; the two best are exchanged


def name() -> Answer:
    """Compare the lists under ndeval's ERR-IA@2."""
    why = "ndeval counts every intent alike, whatever its probability."
    return preferred("ndeval:ERR-IA@2", "f1 f2", "b1 g1"), why


def grade_1() -> Answer:
    """Compute NTCIREVAL's satisfaction by a poor page."""
    pages = {"poor": {"film": 1}, "good": {"film": 3}}
    why = "It is g/(h + 1), and h is the highest grade of the topic: 1/4. The paper's (2^g - 1)/2^Y is 1/8."
    return score("ntcireval:ERR-IA@1", "poor", {"film": 1.0}, pages), why


def swap() -> Answer:
    """Compute tau for one swapped pair."""
    why = "One of ten pairs is swapped: 9/10 - 1/10."
    return round(float(meta.kendall(FIRST, SECOND)), 6), why


def top() -> Answer:
    """Compare tau_ap with tau."""
    ap, tau = (float(f(SECOND, FIRST)) for f in (meta.tau_ap, meta.kendall))
    why = f"It is {ap:.2f}: a swap at the top weighs most."
    return "lower than tau" if ap < tau else "higher" if ap > tau else "as high", why


def luck() -> Answer:
    """Count the pairs, and multiply by the level."""
    pairs = 15 * 14 // 2
    why = "0.05 times 105: that is what corrections for many tests are for."
    return str(round(0.05 * pairs)), why


def holm_first() -> Answer:
    """Compare the pairs that two corrections find."""
    scores = dm.datasets.imine_scores("en")
    significant = {}
    for correction in ("bonferroni", "holm"):
        tested = meta.paired_t_test(scores, "D#-nDCG@10", correction=correction)
        significant[correction] = set(tested.index[tested["asl"] < 0.05])
    more = significant["holm"] >= significant["bonferroni"]
    why = (
        f"{len(significant['holm'])} against {len(significant['bonferroni'])} here; whatever Bonferroni "
        "finds, Holm finds, too."
    )
    return "Holm, or both the same" if more else "Bonferroni", why


def gold() -> Answer:
    """Compare the concordances with I-rec."""
    one = meta.concordance(dm.datasets.imine_scores(), "I-rec@10", ["D-nDCG@10", "D#-nDCG@10"]).iloc[0]
    why = "I-rec is half of D#-nDCG: it wins by algebra."
    return "D-nDCG" if one["concordance_a"] > one["concordance_b"] else "D#-nDCG", why


def axiom() -> Answer:
    """Compare two orders under S-recall@2."""
    b_first = preferred("S-recall@2", "f1 none", "none f1")
    why = "It sees the set of pages down to the cutoff, and no order."
    return {"f1 none": "keeps it", "none f1": "breaks it", "neither": "is blind to it"}[b_first], why
