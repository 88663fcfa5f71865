"""The printed numbers of Zhou et al. (2013): ours where others determine them, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb

from divmetrics.research.papers.verdicts import ReproducedNumber
from divmetrics.research.papers.zhou2013.evidence import Evidence
from divmetrics.research.papers.zhou2013.printed import LOST

SETTING = "a setting, used as printed"
NOT_PUBLIC = "the paper's collections and pages are not public"
REJECTED = "a threshold that the paper rejects without a result"
NOT_IN_COPY = "missing in the copy of the paper used here"

# Where each number is printed, and why it cannot be computed; empty if it follows from others.
SOURCES: Mapping[str, tuple[str, str]] = {
    "majority": ("3.3", SETTING),
    "noisy threshold, %": ("3.3", REJECTED),
    "stringent threshold, %": ("3.3", REJECTED),
    "engines": ("4.1", NOT_PUBLIC),
    "web blocks": ("4.2", SETTING),
    "vertical blocks": ("4.2", SETTING),
    "items in a vertical block": ("4.2", SETTING),
    "vertical selections": ("4.2", SETTING),
    "item selections": ("4.2", SETTING),
    "presentations": ("4.2", SETTING),
    "systems": ("4.2", ""),
    "pairs of systems": ("4.2, 5.2", ""),
    "alpha": ("5.1", SETTING),
    "level": ("5.1", SETTING),
    "topics of VertWeb11": ("5.1", NOT_PUBLIC),
    "topics of FedWeb13": ("5.1", NOT_PUBLIC),
    "pairs under mean-prec": ("5.1, Table 4", NOT_PUBLIC),
    "share under mean-prec, %": ("5.1, Table 4", ""),
    "required difference under mean-prec": ("5.1, Table 4", NOT_PUBLIC),
    "pairs of pages": ("5.2", ""),
    "disagreements": ("5.2, Table 5(a)", NOT_PUBLIC),
    "alpha-nDCG by prec_v": ("5.2, Table 5(a)", NOT_PUBLIC),
    "IA-nDCG by prec_v": ("5.2, Table 5(a)", NOT_PUBLIC),
}


def compared(evidence: Evidence) -> list[ReproducedNumber]:
    """Compute the numbers that follow from other printed numbers, in the order of the paper."""
    ours = dict(_follow(evidence.printed))
    numbers = []
    for name, (where, why) in SOURCES.items():
        own, convention = ours.get(name, (None, ""))
        printed = f"{evidence.printed[name]:g}"
        numbers.append(ReproducedNumber(where, name, printed, own, convention, why))
    lost = [ReproducedNumber(where, what, "lost", None, "", NOT_IN_COPY) for where, what in LOST.items()]
    return [*numbers, *lost]


def _follow(p: Mapping[str, float]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield (name, (value, numbers it follows from)) of each number that other printed numbers determine."""
    systems = p["vertical selections"] * p["item selections"] * p["presentations"]
    yield "systems", (f"{systems:g}", "from the numbers of selections and presentations")
    yield "pairs of systems", (f"{comb(round(p['systems']), 2)}", "from the number of systems")
    share = 100 * p["pairs under mean-prec"] / p["pairs of systems"]
    yield "share under mean-prec, %", (f"{share:.1f}", "from the numbers of significant and of all pairs")
    pages = p["topics of FedWeb13"] * p["pairs of systems"]
    yield "pairs of pages", (f"{pages:g}", "from the numbers of topics and of pairs of systems")
