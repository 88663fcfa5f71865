"""Section 5.1, Table 1: which measures rank the runs alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import comb, sqrt

import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.errors import DivmetricsError
from divmetrics.research.papers.sakaizeng2019.evidence import Evidence, pair_values
from divmetrics.research.papers.sakaizeng2019.measures import I_REC, PREC, RBU
from divmetrics.research.papers.sakaizeng2019.sources import on_both
from divmetrics.research.papers.verdicts import Claim, ClaimResult, as_printed

AD_HOC = ("EBR", "ERR", "nDCG", PREC, "Q", "RBP(phi=0.99)", "iRBU(phi=0.99)")
PARTS = ("D-EBR", "D-ERR", "D-nDCG", "D-Q", "D-RBP(phi=0.99)")
ALIKE = ("EBR-IA", "ERR-IA", RBU[0])  # their readers stop where they are satisfied
BLENDED = ("Q-IA", "RBP-IA(phi=0.99)")
OTHER = ("nDCG-IA", *BLENDED)
MOST_TIED = 7  # pairs of systems that `fewest_ties` tries for each measure

Taus = Mapping[frozenset[str], float]


def between(taus: Taus, some: Iterable[str], others: Iterable[str]) -> list[float]:
    """Return the tau of each of `some` with each of the `others`, itself excepted, each pair once."""
    others = list(others)
    pairs = dict.fromkeys(frozenset((one, other)) for one in some for other in others if one != other)
    return [taus[pair] for pair in pairs]


def _span(values: Iterable[float]) -> str:
    values = list(values)
    return f"{min(values):.3f} to {max(values):.3f}"


def _precision(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether Prec has a smaller tau with each ad hoc measure than any two others have."""
    taus, rest = evidence.taus[source], [name for name in AD_HOC if name != PREC]
    own, among = between(taus, [PREC], rest), between(taus, rest, rest)
    return [tau < min(among) for tau in own], f"tau with Prec {_span(own)}, among the others {_span(among)}"


def _err(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether ERR has a smaller tau with each ad hoc measure but Prec than any two others have."""
    taus, rest = evidence.taus[source], [name for name in AD_HOC if name not in (PREC, "ERR")]
    own, among = between(taus, ["ERR"], rest), between(taus, rest, rest)
    return [tau < min(among) for tau in own], f"tau with ERR {_span(own)}, among the others {_span(among)}"


def _intent_recall(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether every D-measure has its smallest tau with I-rec."""
    taus = evidence.taus[source]
    own = {name: between(taus, [name], [I_REC])[0] for name in PARTS}
    outcomes = [own[name] < min(between(taus, [name], PARTS)) for name in PARTS]
    among = between(taus, PARTS, PARTS)
    return outcomes, f"tau with I-rec {_span(own.values())}, between D-measures {_span(among)}"


def _d_err(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether D-ERR has a smaller tau with each D-measure than any two others have."""
    taus, rest = evidence.taus[source], [name for name in PARTS if name != "D-ERR"]
    own, among = between(taus, ["D-ERR"], rest), between(taus, rest, rest)
    return [tau < min(among) for tau in own], f"tau with D-ERR {_span(own)}, among the others {_span(among)}"


def _stopping(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether each two of RBU, EBR-IA and ERR-IA are more alike than any is with another measure."""
    taus = evidence.taus[source]
    own, others = between(taus, ALIKE, ALIKE), between(taus, ALIKE, OTHER)
    pairs = zip(combinations(ALIKE, 2), own, strict=True)
    each = ", ".join(f"{one} and {other} {tau:.3f}" for (one, other), tau in pairs)
    return [tau > max(others) for tau in own], f"{each}; with other measures at most {max(others):.3f}"


def _blended(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether Q-IA and RBP-IA are more alike than either is with any other measure of Table 1(c)."""
    taus = evidence.taus[source]
    own, others = between(taus, BLENDED[:1], BLENDED[1:])[0], between(taus, BLENDED, (*ALIKE, "nDCG-IA"))
    return [own > max(others)], f"tau {own:.3f}; with other measures at most {max(others):.3f}"


def _coefficient(evidence: Evidence) -> ClaimResult:
    """Count the printed taus that are whole numbers over 105, and those that tau-b with few ties allows."""
    taus = evidence.rankings["tau"]
    whole = sum(_possible(tau, 0, 0) for tau in taus)
    solutions = [fewest_ties(panel) for _, panel in evidence.rankings.groupby("panel")]
    tied = {name: count for solution in solutions for name, count in (solution or [{}])[0].items() if count}
    explained = len(taus) if all(solutions) else whole
    counts = ", ".join(f"{name} {count}" for name, count in tied.items())
    return ClaimResult(
        as_printed(whole, explained, len(taus)),
        f"{whole} of {len(taus)} printed values are whole numbers over 105; tau-b allows {explained} of them "
        f"if few pairs of systems are tied (the fewest: {counts or 'none'})",
    )


@public
def fewest_ties(panel: pd.DataFrame, most: int = MOST_TIED) -> list[dict[str, int]]:
    """Return the fewest tied pairs of systems that make every tau of a panel of Table 1 possible as tau-b.

    Parameters
    ----------
    panel : DataFrame
        The rows of `sakaizeng2019_rankings` of one panel: columns one, other, tau for every two measures.
    most : int
        The largest number of tied pairs to try for a measure, of the 105 pairs of systems; 7 by default.

    Returns
    -------
    list of dict of str to int
        {measure: number of tied pairs}, for every solution with the smallest sum; empty if no numbers make
        all tau possible.

    Raises
    ------
    DivmetricsError
        If a column is missing, there is not one tau for every two measures, or `most` is no integer of at
        least 0.

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_rankings
    >>> from divmetrics.research.papers.sakaizeng2019 import fewest_ties
    >>> fewest_ties(sakaizeng2019_rankings().query("panel == 'a'"))[0]["Prec"]
    7
    """
    check_whole("most", most, 0)
    columns = ["one", "other", "tau"]
    if panel.empty or not {*columns} <= {*panel.columns}:
        raise DivmetricsError(f"the panel has no row or no column {', '.join(columns)}; give rows of Table 1")
    names = list(dict.fromkeys([*panel["one"], *panel["other"]]))
    tau = pair_values(panel["one"], panel["other"], panel["tau"])
    if not len(panel) == len(tau) == comb(len(names), 2):
        raise DivmetricsError("the panel does not have one tau for every two measures; give all its rows")
    partial: list[tuple[int, ...]] = [()]
    for k, name in enumerate(names):
        by_place = [(j, tau[frozenset((names[j], name))]) for j in range(k)]
        partial = [
            (*ties, own)
            for ties in partial
            for own in range(most + 1)
            if all(_possible(value, ties[j], own) for j, value in by_place)
        ]
    least = min(map(sum, partial), default=0)
    return [dict(zip(names, ties, strict=True)) for ties in partial if sum(ties) == least]


def _possible(tau: float, a: int, b: int) -> bool:
    """Return whether tau-b of 15 systems, with `a` and `b` tied pairs, can be printed as `tau`."""
    size = sqrt((105 - a) * (105 - b))
    return f"{round(tau * size) / size:.3f}" == f"{tau:.3f}"


CLAIMS = (
    *on_both("5.1, Table 1(a)", "Prec ranks the runs differently from the other ad hoc measures", _precision),
    *on_both(
        "5.1, Table 1(a)",
        "ERR ranks the runs a little differently; the other ad hoc measures except Prec agree",
        _err,
    ),
    *on_both("5.1, Table 1(b)", "I-rec ranks the runs differently from the D-measures", _intent_recall),
    *on_both(
        "5.1, Table 1(b)", "D-ERR ranks the runs a little differently from the other D-measures", _d_err
    ),
    *on_both(
        "5.1, Table 1(c)",
        "RBU, EBR-IA and ERR-IA, which share the stopping probability, are alike",
        _stopping,
    ),
    *on_both("5.1, Table 1(c)", "Q-IA and RBP-IA are remarkably alike", _blended),
    Claim("5.1, Table 1", "the coefficient is Kendall's tau (nothing is said of tied systems)", _coefficient),
)
