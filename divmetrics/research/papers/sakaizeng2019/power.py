"""Section 5.3, Table 3: how many pairs of runs differ significantly; section 6: what that tells of people."""

from __future__ import annotations

from divmetrics.optional import import_optional
from divmetrics.research.papers.sakaizeng2019.differences import LEVEL
from divmetrics.research.papers.sakaizeng2019.evidence import Evidence
from divmetrics.research.papers.sakaizeng2019.measures import (
    AD_HOC,
    COMPONENTS,
    DIVERSITY,
    I_REC,
    IA,
    IRBU,
    PREC,
    SHARP,
    D,
)
from divmetrics.research.papers.sakaizeng2019.original import QUESTIONS
from divmetrics.research.papers.sakaizeng2019.sources import on_both
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes

RBP = ("RBP(phi=0.99)", "RBP(phi=0.85)")
STRONG = (*RBP, *IRBU, "nDCG", "Q")
WEAK = ("EBR", "ERR", PREC)


def _counts(evidence: Evidence, source: str) -> dict[str, int]:
    return {str(name): int(count) for name, count in evidence.powers[source]["significant"].items()}


def _ad_hoc(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether EBR, ERR and Prec each separate fewer pairs than RBP, iRBU, nDCG and Q."""
    counts = _counts(evidence, source)
    strong = [counts[name] for name in STRONG]
    weak = ", ".join(f"{name} {counts[name]}" for name in WEAK)
    return [counts[name] < min(strong) for name in WEAK], (
        f"significant pairs: RBP, iRBU, nDCG and Q {min(strong)} to {max(strong)}, {weak}"
    )


def _above(
    counts: dict[str, int], some: tuple[str, ...], others: tuple[str, ...], kinds: str
) -> tuple[list[bool], str]:
    """Compare each of `some` with its counterpart among the `others`; `kinds` names both, as "D#:IA"."""
    pairs = list(zip(some, others, strict=True))
    each = ", ".join(
        f"{name} {counts[a]}:{counts[b]}" for name, (a, b) in zip(COMPONENTS, pairs, strict=True)
    )
    return [counts[a] > counts[b] for a, b in pairs], f"significant pairs, {kinds}: {each}"


def _above_d(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether each D#-measure separates more pairs than its D-measure."""
    return _above(_counts(evidence, source), SHARP, D, "D#:D")


def _above_intent_recall(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether each D#-measure separates more pairs than I-rec, its other part."""
    return _above(_counts(evidence, source), SHARP, (I_REC,) * len(SHARP), "D#:I-rec")


def _above_ia(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether each D#-measure separates more pairs than the IA measure of the same kind."""
    return _above(_counts(evidence, source), SHARP, IA, "D#:IA")


def _above_all(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether each D#-measure separates more pairs than every other diversity measure."""
    counts = _counts(evidence, source)
    others = {name: counts[name] for name in DIVERSITY if name not in SHARP}
    most = max(others, key=lambda name: others[name])
    own = ", ".join(f"{name} {counts[name]}" for name in SHARP)
    return [
        counts[name] > others[most] for name in SHARP
    ], f"{own}; best of the others, {most} {others[most]}"


def _small_differences(evidence: Evidence, source: str) -> tuple[list[bool], str]:
    """Test whether RBP's smallest significant differences are below those of all other ad hoc measures."""
    delta = evidence.powers[source]["delta"]
    others = [delta[name] for name in AD_HOC if name not in RBP]
    own = ", ".join(f"{name} {delta[name]:.3f}" for name in RBP)
    return [delta[name] < min(others) for name in RBP], f"{own}, the others from {min(others):.3f} on"


def _offline(evidence: Evidence) -> ClaimResult:
    """Test whether neither unanimity nor discriminative power is correlated with agreement."""
    stats = import_optional("scipy.stats", "a test of tau")
    columns = {
        "unanimity": evidence.unanimity.set_index("metric")["unanimity"],
        "discriminative power": evidence.power.set_index("metric")["significant"],
    }
    outcomes, texts = [], []
    for question in QUESTIONS:
        agree = evidence.agreed(question)["agree"]
        for name, values in columns.items():
            tau, p = stats.kendalltau(agree, values.loc[agree.index])
            outcomes.append(bool(p > LEVEL))
            texts.append(f"{name} and {question}, tau {tau:.2f} (p {p:.1g})")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


CLAIMS: tuple[Claim, ...] = (
    *on_both(
        "5.3, Table 3",
        "RBP, iRBU, nDCG and Q separate similar numbers of pairs of runs, EBR fewer, ERR and Prec far fewer",
        _ad_hoc,
    ),
    *on_both("5.3, Table 3", "every D#-measure separates more pairs of runs than its D-measure", _above_d),
    *on_both(
        "5.3, Table 3", "a D#-measure separates more pairs of runs than its part I-rec", _above_intent_recall
    ),
    *on_both("5.3, Table 3", "IA measures separate fewer pairs of runs than D#-measures", _above_ia),
    *on_both(
        "5.3, note 7",
        "RBP's smallest significant differences are below those of the other ad hoc measures",
        _small_differences,
    ),
    *on_both("6", "D#-measures are more stable than the other diversity measures", _above_all),
    Claim("6", "offline experiments do not show which measures agree with people", _offline),
)
