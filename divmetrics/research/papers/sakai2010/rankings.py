"""Section 4.2: how alike metrics rank runs (Tables 2-4, Fig. 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise

from divmetrics.core.tolerances import compare_scores
from divmetrics.research.papers.sakai2010.evidence import Evidence, format_values
from divmetrics.research.papers.sakai2010.printed import (
    ALPHA,
    BOLD,
    DIV_NDCG,
    FAMILIES,
    GAMMAS,
    I_REC,
    IA,
    Printed,
    combined,
)
from divmetrics.research.papers.verdicts import Claim, ClaimResult, share

# A row of Tables 2-4: pairs of metrics by ascending gamma.
Pairs = Sequence[tuple[str, str]]


def against(family: str, baseline: str) -> Pairs:
    """Return Idiv-nDCG or Idiv-Q with each gamma, and a baseline."""
    return [(combined(family, gamma), baseline) for gamma in GAMMAS]


def _other_gammas(family: str) -> Pairs:
    """Return Idiv-nDCG or Idiv-Q with each other gamma, and with gamma 0.5."""
    half = combined(family, 0.5)
    return [(name, half) for name, _ in against(family, half) if name != half]


BOTH_FAMILIES: Pairs = [(combined("nDCG", gamma), combined("Q", gamma)) for gamma in GAMMAS]


def similar(evidence: Evidence, pairs: Pairs, *, different: bool) -> ClaimResult:
    """Test whether the tau of each pair is one that the paper calls similar, and below 1 if `different`."""
    printed, least = [evidence.printed.tau(*pair) for pair in pairs], _least_similar(evidence.printed)

    def holds(tau: float) -> bool:
        return compare_scores(tau, least) >= 0 and not (different and compare_scores(tau, 1) == 0)

    taus = [evidence.taus(*pair) for pair in pairs]
    outcomes = [holds(tau) for each in taus for values in each.values() for tau in values]
    joined = _joined(taus)
    of_all = [tau for values in joined.values() for tau in values]
    identical = sum(compare_scores(tau, 1) == 0 for tau in of_all)
    high = share(sum(compare_scores(tau, least) >= 0 for tau in of_all), len(of_all))
    text = (
        f"{high} taus are at least {least:.3f}, the lowest that the paper calls similar"
        f"{f'; {identical} are 1, so without differences' if different else ''}; printed {min(printed):.2f} "
        f"to {max(printed):.2f}, {format_values(joined)}"
    )
    return evidence.judge(outcomes, text, printed=all(map(holds, printed)))


def monotone(evidence: Evidence, pairs: Pairs) -> ClaimResult:
    """Test whether tau never falls from one pair to the next."""
    printed = [evidence.printed.tau(*pair) for pair in pairs]
    taus = [evidence.taus(*pair) for pair in pairs]
    texts, outcomes = [f"printed {_row(printed)}"], []
    for source in taus[0]:
        for row in zip(*(each[source] for each in taus), strict=True):
            outcomes.append(_never_falls(row))
            texts.append(f"{source} {_row(row)}")
    return evidence.judge(
        outcomes,
        f"tau never falls along gamma in {share(sum(outcomes), len(outcomes))} tables: {'; '.join(texts)}",
        printed=_never_falls(printed),
    )


def highly_correlated(evidence: Evidence) -> ClaimResult:
    """Test whether the printed tau of I-recall and div-nDCG is high by two standards of the paper."""
    printed = evidence.printed
    tau, least = printed.tau(I_REC, DIV_NDCG), _least_similar(printed)
    alike, bold = tau >= least, tau > BOLD
    text = (
        f"tau {tau:.3f}: {'at least' if alike else 'below'} {least:.3f}, the lowest that the paper calls "
        f"similar with differences, {'and' if alike == bold else 'but'} "
        f"{'above' if bold else 'not above'} {BOLD}, beyond which its tables print bold; "
        f"{format_values(evidence.taus(I_REC, DIV_NDCG))}"
    )
    return ClaimResult("cannot be decided" if alike != bold else "holds" if alike else "does not hold", text)


def _least_similar(printed: Printed) -> float:
    """Return the lowest printed tau between a combined metric and alpha-nDCG or nDCG-IA, called similar."""
    rows = printed.correlations
    similar = rows["table"].isin(["Table 2", "Table 3"]) & rows["baseline"].isin([ALPHA, IA])
    return float(rows.loc[similar, "tau"].min())


def _never_falls(row: Sequence[float]) -> bool:
    return all(compare_scores(a, b) <= 0 for a, b in pairwise(row))


def _row(taus: Sequence[float]) -> str:
    return " ".join(f"{tau:.2f}" for tau in taus)


def _joined(taus: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, list[float]]:
    return {source: [tau for each in taus for tau in each[source]] for source in taus[0]}


NAMES = {"nDCG": "Idiv-nDCG", "Q": "Idiv-Q"}

CLAIMS = (
    *(
        Claim(
            f"4.2, Table {table}",
            f"{NAMES[family]} ranks runs like {name}, with differences, for every gamma",
            partial(similar, pairs=against(family, baseline), different=True),
        )
        for table, family in zip((2, 3), FAMILIES, strict=True)
        for name, baseline in (("alpha-nDCG", ALPHA), ("nDCG-IA", IA))
    ),
    Claim(
        "4.2, Table 2",
        "the smaller gamma, the more Idiv-nDCG ranks like nDCG-IA",
        partial(monotone, pairs=against("nDCG", IA)[::-1]),
    ),
    Claim(
        "4.2, Table 2",
        "the larger gamma, the more Idiv-nDCG ranks like Idiv-Q",
        partial(monotone, pairs=BOTH_FAMILIES),
    ),
    *(
        Claim(
            "4.2, Table 4",
            f"gamma hardly changes how {NAMES[family]} ranks runs",
            partial(similar, pairs=_other_gammas(family), different=False),
        )
        for family in FAMILIES
    ),
    Claim("4.2, Fig. 1, footnote 8", "I-recall and div-nDCG are highly correlated", highly_correlated),
)
