"""Answers to the wrap-up after lesson 07, each computed, with the reason."""

from __future__ import annotations

import divmetrics as dm
from divmetrics_widgets.lessons.wrap_ups import PAGES, Answer, preferred, score


def gain(metric: str, above: str) -> float:
    """Return what `f2` adds to the score of a list below the page `above`."""
    return score(f"{metric}@2", f"{above} f2") - score(f"{metric}@2", above)


def richer() -> Answer:
    """Find the metric that pays less for repetition."""
    (name,) = [name for name in ("P-IA", "AP-IA", "ERR-IA") if gain(name, "b1") > gain(name, "f1") + 1e-9]
    return name, "Below `f1`, half of the film readers have stopped."


def less() -> Answer:
    """Find the metric that pays more for repetition."""
    (name,) = [name for name in ("P-IA", "AP-IA", "ERR-IA") if gain(name, "b1") < gain(name, "f1") - 1e-9]
    return name, "Below `f1` it is the second of two relevant pages, below `b1` the first."


def ceiling() -> Answer:
    """Find the best page under nDCG-IA@1."""
    why = "`fb` is the ideal page of the film and the book, but not of the game."
    return max(score("nDCG-IA@1", doc) for doc in PAGES), why


def rare() -> Answer:
    """Compare a book page with the only game page."""
    why = "The only page for the game is its whole ideal list, so it earns all of 0.2; `b1` earns 0.3 / 2.13."
    return preferred("nDCG-IA@3", "b1", "g1"), why


def tenth() -> Answer:
    """Divide the first contribution by the tenth."""
    ten = {f"d{n}": {"film": 1} for n in range(10)}
    at = [score(f"ERR-IA@{k}", " ".join(ten), {"film": 1.0}, ten) for k in (1, 9, 10)]
    why = "(1/2)^9 of the readers are left, and rank 10 counts a tenth."
    return f"1/{round(at[0] / (at[2] - at[1]))}", why


def bound() -> Answer:
    """Find the highest score of a list of book pages."""
    seven = ["P-IA", "AP-IA", "nDCG-IA", "Q-IA", "RBP-IA", "ERR-IA", "EBR-IA"]
    why = "An intent earns at most its probability."
    return max(score(f"{name}@2", "b1 b2") for name in seven), why


def everybody() -> Answer:
    """Find the metric that prefers the list for everybody."""
    prefer = [
        n for n in ("P-IA@3", "RBP-IA@3", "ERR-IA@3") if preferred(n, "f1 f2 f3", "f1 b1 g1") == "f1 b1 g1"
    ]
    why = "Only for ERR-IA is a second film page worth less than the first."
    return "all of them" if len(prefer) == 3 else prefer[0], why


def parts() -> Answer:
    """Find the part that holds the cascade."""
    row = dm.metric("ERR-IA")
    (part,) = [part for part in "NfwM" if "Cascade" in repr(getattr(row, part))]
    why = "The cascade multiplies the shares whom nothing above has satisfied; RBP's readers leave through w."
    return part, why
