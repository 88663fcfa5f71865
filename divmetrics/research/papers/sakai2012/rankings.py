"""Section 5, Table 5: how alike metrics rank runs."""

from __future__ import annotations

from itertools import combinations

from divmetrics.research.papers.sakai2012.experiments import FIVE, GAMMAS, Experiment
from divmetrics.research.papers.verdicts import Claim

WITH_I_REC = ("I-rec", "D#-nDCG", "DIN#-nDCG", "P+Q#")
INSENSITIVE = 0.8  # tau of two values of gamma from which on the choice matters little


def _alike(experiment: Experiment) -> bool:
    """Test whether I-rec and metrics with I-rec rank runs more alike than any of them and alpha-nDCG do."""
    among = [experiment.tau(a, b) for a, b in combinations(WITH_I_REC, 2)]
    return min(among) > max(experiment.tau("alpha-nDCG", name) for name in WITH_I_REC)


def _identical(experiment: Experiment) -> bool:
    """Test whether DIN#-nDCG and P+Q# rank the runs identically."""
    return experiment.tau("DIN#-nDCG", "P+Q#") == 1


def _by_gamma(experiment: Experiment) -> dict[str, float]:
    """Return tau of D#-nDCG and D#-Q with gamma 0.5 and with another gamma, by the name of the other."""
    return {
        (other := f"{name}(gamma={gamma})"): experiment.tau(name, other)
        for name in ("D#-nDCG", "D#-Q")
        for gamma in GAMMAS
    }


def _taus(experiment: Experiment) -> str:
    return ", ".join(
        f"{a} with {b} {experiment.tau(a, b):.2f} / {experiment.tau_ap(a, b):.2f}"
        for a, b in combinations(FIVE, 2)
    )


CLAIMS = (
    Claim(
        "5, Table 5",
        "I-rec, D#-nDCG, DIN#-nDCG and P+Q# rank runs alike, and alpha-nDCG apart from them",
        lambda evidence: evidence.judge(_alike, lambda e: f"tau / symmetric tau_ap {_taus(e)}"),
    ),
    Claim(
        "5, Table 5",
        "DIN#-nDCG and P+Q# rank runs identically",
        lambda evidence: evidence.judge(_identical, lambda e: f"tau {e.tau('DIN#-nDCG', 'P+Q#'):.2f}"),
    ),
    Claim(
        "2.2 (of an earlier study)",
        "D#-nDCG and D#-Q depend little on gamma",
        lambda evidence: evidence.judge(
            lambda e: min(_by_gamma(e).values()) > INSENSITIVE,
            lambda e: "tau with gamma 0.5 " + ", ".join(f"{n} {t:.2f}" for n, t in _by_gamma(e).items()),
        ),
    ),
)
