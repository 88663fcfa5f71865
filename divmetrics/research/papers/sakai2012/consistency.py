"""Claims that the printed numbers decide: what they imply, and where they exclude each other."""

from __future__ import annotations

from collections.abc import Sequence

from divmetrics.research.meta.concordance import sign_test
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import DISCUSSED, LEVEL, RUNS
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes

PAIRS = RUNS * (RUNS - 1) // 2
SIGN_TEST = "sign test as if pairs of lists were independent"
ALPHA, D, DIN, PQ = DISCUSSED


def discordant_pairs(printed: str) -> range:
    """Return the numbers of pairs of runs in another order whose tau rounds to the printed one.

    A tau without decimals is exact.
    """
    decimals = len(printed.partition(".")[2]) or 9
    fitting = [
        count for count in range(PAIRS + 1) if round(1 - 2 * count / PAIRS, decimals) == float(printed)
    ]
    return range(fitting[0], fitting[-1] + 1) if fitting else range(0)


def nearest_discordant(printed: str) -> int:
    """Return the number of pairs of runs in another order whose tau is closest to the printed one."""
    return round((1 - float(printed)) / 2 * PAIRS)


def _identical_rankings(evidence: Evidence) -> ClaimResult:
    """Test whether the printed tau of DIN#-nDCG and P+Q#, 1, is possible beside the taus with D#-nDCG.

    The numbers of discordant pairs are distances, so that of two rankings is at least the difference of
    their distances to a third.
    """
    of_din, of_pq, between = (_discordant(evidence, a, b) for a, b in ((D, DIN), (D, PQ), (DIN, PQ)))
    least = max(of_pq[0] - of_din[-1], of_din[0] - of_pq[-1], 0)
    text = (
        f"tau with D#-nDCG means {_range(of_din)} of {PAIRS} pairs in another order for DIN#-nDCG and "
        f"{_range(of_pq)} for P+Q#, so DIN#-nDCG and P+Q# order at least {least} differently, a tau of "
        f"at most {1 - 2 * least / PAIRS:.3f}; printed {_printed_tau(evidence, DIN, PQ)}"
    )
    return ClaimResult("contradicts itself" if least > between[-1] else "holds", text)


def _top_weighted_cell(evidence: Evidence) -> ClaimResult:
    """Test whether tau_ap of alpha-nDCG can be as far apart for D#-nDCG and DIN#-nDCG as printed.

    One swap of neighbours at ranks k and k + 1 changes tau_ap in the direction that walks the list of
    alpha-nDCG by at most 2/(n - 1), in the other one by at most 2/(n - 1) times 2/k. Between the two rankings
    themselves it costs 2/(n - 1) / k, which gives the least k.
    """
    one_swap = _discordant(evidence, D, DIN) == range(1, 2)
    unit = 2 / (RUNS - 1)
    cost = 1 - (
        float(_cell(evidence, D, DIN, "tau_ap")) - 0.005
    )  # the largest that rounds to the printed one
    if not one_swap or cost <= 0:
        return ClaimResult("cannot be decided", "D#-nDCG and DIN#-nDCG are not one swap apart")
    k = next(k for k in range(1, RUNS) if unit / k <= cost)
    most = unit * (1 + min(2 / k, 1)) / 2
    of_d, of_din = (_cell(evidence, ALPHA, name, "tau_ap") for name in (D, DIN))
    least = abs(float(of_d) - float(of_din)) - 0.01
    text = (
        f"D#-nDCG and DIN#-nDCG are one swap apart, at rank {k} or below (tau_ap "
        f"{_cell(evidence, D, DIN, 'tau_ap')}), which changes tau_ap with alpha-nDCG by at most {most:.3f}; "
        f"printed {of_d} and {of_din}, at least {least:.3f} apart"
    )
    return ClaimResult("contradicts itself" if least > most else "holds", text)


def _relevant_documents(evidence: Evidence) -> ClaimResult:
    """Test whether the printed counts of relevant documents give the printed mean of intents per document."""
    informational, navigational, documents = (
        int(evidence.count(name))
        for name in (
            "relevant to informational intents",
            "relevant to navigational intents",
            "relevant documents",
        )
    )
    mean = evidence.count("mean of intents per document")
    both = f"{(informational + navigational) / documents:.2f}"
    text = (
        f"{informational:,} and {navigational} over {documents:,} documents make {both} per document; "
        f"Table 1 prints {mean}, and {informational:,} alone makes {informational / documents:.2f}"
    )
    return ClaimResult("holds" if both == mean else "contradicts itself", text)


def _informational_range(evidence: Evidence) -> ClaimResult:
    """Test whether every topic can have an informational intent, as the printed range says."""
    of_all, informational, of_navigational = (
        int(evidence.count(f"fewest {kind}intents of a topic"))
        for kind in ("", "informational ", "navigational ")
    )
    left = of_all - of_navigational
    text = (
        f"a topic with the fewest intents ({of_all}) has at least {of_navigational} navigational, so at most "
        f"{left} informational ones; the printed range begins at {informational}"
    )
    return ClaimResult("contradicts itself" if left < informational else "holds", text)


def _beyond_chance(evidence: Evidence) -> ClaimResult:
    """Test for every cell of Table 6(b) whether the printed counts differ by more than chance.

    With one gold standard, a metric is right alone where the other one is wrong.
    """
    outcomes, texts = [], []
    for a, b in ((ALPHA, D), (ALPHA, DIN), (ALPHA, PQ), (D, DIN), (D, PQ), (DIN, PQ)):
        of = int(evidence.cell(6, "", a, b, "disagreements"))
        right_a, right_b = (_count(evidence, a, b, side, of) for side in ("a", "b"))
        alone_a, alone_b = of - right_b, of - right_a
        p = sign_test(alone_a, alone_b)
        outcomes.append(p < LEVEL)
        texts.append(f"{a} {alone_a}, {b} {alone_b} (p = {p:.2g})")
    return ClaimResult(
        combine_outcomes(outcomes), f"sole agreements with Ef-P, {SIGN_TEST}: {'; '.join(texts)}"
    )


def _pq_beats_alpha(evidence: Evidence) -> ClaimResult:
    """Test whether the printed counts show by more than chance that P+Q# beats alpha-nDCG by Ef-P."""
    of = int(evidence.cell(6, "", ALPHA, PQ, "disagreements"))
    right = [_count(evidence, ALPHA, PQ, side, of) for side in ("a", "b")]
    p = sign_test(of - right[0], of - right[1])
    text = f"P+Q# agrees with Ef-P on {right[1]} and alpha-nDCG on {right[0]} of {of} pairs, "
    text = f"{text}p = {p:.2g} ({SIGN_TEST})"
    if p >= LEVEL:
        return ClaimResult("cannot be decided", text)
    return ClaimResult("holds" if right[1] > right[0] else "does not hold", text)


def nearest_count(share: float, of: int) -> int:
    """Return the whole number whose share of `of` is closest to a printed share, 0 to 1."""
    return round(share * of)


def _count(evidence: Evidence, a: str, b: str, side: str, of: int) -> int:
    return nearest_count(float(evidence.cell(6, "Ef-P", a, b, f"agrees {side}")), of)


def _cell(evidence: Evidence, a: str, b: str, quantity: str) -> str:
    return evidence.cell(5, "uniform", a, b, quantity)


def _printed_tau(evidence: Evidence, a: str, b: str) -> str:
    return _cell(evidence, a, b, "tau")


def _discordant(evidence: Evidence, a: str, b: str) -> range:
    return discordant_pairs(_printed_tau(evidence, a, b))


def _range(counts: Sequence[int]) -> str:
    return f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


CLAIMS = (
    Claim(
        "5 against Table 1",
        "the two counts of relevant documents are those of informational and of navigational intents",
        _relevant_documents,
    ),
    Claim("Table 1", "every topic has an informational intent", _informational_range),
    Claim("5, Table 5", "DIN#-nDCG and P+Q# rank the paper's runs identically", _identical_rankings),
    Claim(
        "Table 5",
        "by tau_ap, alpha-nDCG ranks runs much more like DIN#-nDCG than like D#-nDCG",
        _top_weighted_cell,
    ),
    Claim(
        "5.4, Table 6(b)", "beyond the paper's lists, P+Q# beats alpha-nDCG by Ef-P",
        _pq_beats_alpha,
    ),
    Claim(
        "5.4, Table 6(b)", "the metrics differ in agreement with Ef-P by more than chance", _beyond_chance
    ),
)  # fmt: skip
