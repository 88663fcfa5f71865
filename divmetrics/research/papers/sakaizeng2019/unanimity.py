"""Section 5.2, Table 2: which measures agree with all others at once."""

from __future__ import annotations

from math import ceil

import pandas as pd

from divmetrics.core.tolerances import dense_ranks
from divmetrics.research.papers.sakaizeng2019.evidence import PRINTED, ROUNDED, Evidence
from divmetrics.research.papers.sakaizeng2019.measures import DIVERSITY, I_REC, PREC, RBU
from divmetrics.research.papers.sakaizeng2019.sources import on_both, on_imine
from divmetrics.research.papers.verdicts import Claim

TRIPLETS = 10_500  # 100 topics, 105 pairs of runs
RBP = tuple(f"{form}(phi={phi})" for phi in ("0.99", "0.85") for form in ("RBP", "D-RBP", "D#-RBP", "RBP-IA"))
SMALL = RBP[:4]  # phi = 0.99
APART = ("ERR", I_REC, PREC)


def _below(values: pd.Series) -> dict[str, int]:
    """Return for each measure the number of measures with a lower value; equal ones do not count."""
    ranks = dense_ranks(values.to_numpy())
    return {str(name): int((ranks < rank).sum()) for name, rank in zip(values.index, ranks, strict=True)}


def _counts(below: dict[str, int], names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {below[name]}" for name in names)


def _rbp(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether each RBP-based measure has a higher unanimity than half of the others."""
    values = evidence.unanimities[source]
    below = _below(values)
    text = f"number of the {len(values) - 1} others below: {_counts(below, RBP)}"
    if source == PRINTED:
        text += f"; {RBP[0]} must be tied on at least {least_ties(values[RBP[0]])} of {TRIPLETS} triplets"
    return [below[name] > (len(values) - 1) / 2 for name in RBP], text


def least_ties(unanimity: float) -> int:
    """Return the least number of triplets on which a measure with this printed unanimity is tied.

    The others agree at least where all thirty do, so |U({M})|/N is at most 2^-unanimity, and a tie counts
    one half in |U({M})|.
    """
    return max(ceil(2 * (1 - 2**-unanimity) * TRIPLETS), 0)


def _negative(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether unanimity is negative for ERR, I-rec and Prec."""
    values = evidence.unanimities[source]
    return [values[name] < 0 for name in APART], ", ".join(f"{name} {values[name]:.4f}" for name in APART)


def mediocre(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether each RBU has a higher unanimity than at most half of the others."""
    return _mediocre(evidence.unanimities[source])


def _mediocre_among_diversity(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test the same among the 21 diversity measures alone."""
    return _mediocre(evidence.diversity_unanimities[source])


def _mediocre(values: pd.Series) -> tuple[list[bool], str]:
    below = _below(values)
    outcomes = [below[name] <= (len(values) - 1) / 2 for name in RBU]
    return outcomes, f"number of the {len(values) - 1} others below: {_counts(below, RBU)}"


def _depends_on_set(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether 21 measures have another order by unanimity if the nine ad hoc measures are left out."""
    names = list(DIVERSITY)
    among_all = _below(evidence.unanimities[source].loc[names])
    among_some = _below(evidence.diversity_unanimities[source].loc[names])
    changes = sum(among_all[name] != among_some[name] for name in names)
    return [changes > 0], f"{changes} of {len(names)} diversity measures change place among each other"


def _not_rounding(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether RBP-based measures with phi = 0.99 stay where they are if scores are rounded."""
    exact, rounded = (
        _below(values[source]) for values in (evidence.unanimities, evidence.rounded_unanimities)
    )
    moves = ", ".join(f"{name} {exact[name]} and {rounded[name]}" for name in SMALL)
    return [rounded[name] <= exact[name] for name in SMALL], (
        f"number of the others below, with exact scores and with scores of {ROUNDED} decimals: {moves}"
    )


CLAIMS: tuple[Claim, ...] = (
    *on_both("5.2, Table 2", "RBP-based measures have a high unanimity", _rbp),
    *on_both("5.2, Table 2", "ERR, I-rec and Prec have a negative unanimity", _negative),
    *on_both("5.2, Table 2", "RBU has a mediocre unanimity among the thirty measures", mediocre),
    on_imine("5.2", "RBU is unremarkable among the 21 diversity measures, too", _mediocre_among_diversity),
    on_imine(
        "5.2",
        "unanimity depends on the set of measures (all thirty, or the diversity measures alone)",
        _depends_on_set,
    ),
    on_imine(
        "5.2",
        "RBP-based measures lead because they agree with the others, not because small scores tie "
        "when they are rounded",
        _not_rounding,
    ),
)
