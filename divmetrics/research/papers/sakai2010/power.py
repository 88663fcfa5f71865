"""Section 4.4: discriminative power under the paired bootstrap test (Table 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from divmetrics.research.meta import discriminative_power
from divmetrics.research.papers.sakai2010.evidence import COMPARED, LEVEL, Evidence, format_values
from divmetrics.research.papers.sakai2010.printed import (
    ALPHA,
    DIV_NDCG,
    DIV_Q,
    I_REC,
    IA,
    IDIV_NDCG,
    IDIV_Q,
)
from divmetrics.research.papers.verdicts import Claim, ClaimResult, share


def counts(evidence: Evidence) -> dict[str, list[dict[str, int]]]:
    """Return {source: {metric: number of significant pairs of runs} for each table of tests}."""
    by_source = {}
    for source, tables in evidence.tests.items():
        powers = [discriminative_power(table, LEVEL) for table in tables]
        by_source[source] = [dict(zip(p["metric"], p["significant"], strict=True)) for p in powers]
    return by_source


def compare_power(evidence: Evidence, metric: str, others: Sequence[str], *, strictly: bool) -> ClaimResult:
    """Test whether a metric has at least as many significant pairs as each of the others, or more."""

    def holds(of: dict[str, int]) -> bool:
        most = max(of[other] for other in others)
        return of[metric] > most if strictly else of[metric] >= most

    counts_by_source = counts(evidence)
    outcomes = [holds(of) for each in counts_by_source.values() for of in each]
    texts = []
    for name in (metric, *others):
        by_source = {source: [of[name] for of in each] for source, each in counts_by_source.items()}
        texts.append(f"{name}: printed {evidence.printed.significant(name)}, {format_values(by_source, 0)}")
    printed = {name: evidence.printed.significant(name) for name in (metric, *others)}
    return evidence.judge(
        outcomes,
        f"{share(sum(outcomes), len(outcomes))} cases; significant pairs of {'; '.join(texts)}",
        printed=holds(printed),
    )


def usually_significant(evidence: Evidence) -> ClaimResult:
    """Test whether most differences of at least the required one are significant, metric by metric.

    The required difference is the largest borderline difference of all pairs of runs.
    """
    outcomes, texts = [], []
    for source, tables in evidence.tests.items():
        shares, required = [], []
        for table in tables:
            needed = discriminative_power(table, LEVEL).set_index("metric")["required_difference"]
            for metric, pairs in table.groupby("metric", sort=False):
                large = pairs[pairs["difference"].abs() >= needed[metric]]
                required.append(float(needed[metric]))
                if len(large):
                    shares.append(float((large["asl"] < LEVEL).mean()))
        outcomes += [of_large > 0.5 for of_large in shares]
        texts.append(f"{format_values({source: shares})} (required {format_values({'': required}).strip()})")
    needed = evidence.printed.power["required_difference"]
    return evidence.judge(
        outcomes,
        f"share of significant pairs among those with such a difference, over {len(COMPARED)} metrics: "
        f"{'; '.join(texts)}; the printed differences required are {needed.min():.2f} to {needed.max():.2f}",
    )


OTHERS = {metric: tuple(other for other in COMPARED if other != metric) for metric in COMPARED}

CLAIMS = (
    Claim(
        "4.4, Table 5", "Idiv-Q is the most discriminative metric",
        partial(compare_power, metric=IDIV_Q, others=OTHERS[IDIV_Q], strictly=True),
    ),
    Claim(
        "4.4, Table 5", "Idiv-Q is more discriminative than I-recall and div-Q",
        partial(compare_power, metric=IDIV_Q, others=(I_REC, DIV_Q), strictly=True),
    ),
    Claim(
        "4.4, Table 5", "Idiv-nDCG is more discriminative than I-recall and div-nDCG",
        partial(compare_power, metric=IDIV_NDCG, others=(I_REC, DIV_NDCG), strictly=True),
    ),
    *(
        Claim(
            "4.4, Table 5", f"{name} is {says}",
            partial(compare_power, metric=metric, others=(other,), strictly=strictly),
        )
        for name, metric in (("Idiv-Q", IDIV_Q), ("Idiv-nDCG", IDIV_NDCG))
        for says, other, strictly in (
            ("at least as discriminative as alpha-nDCG", ALPHA, False),
            ("possibly more discriminative than nDCG-IA", IA, True),
        )
    ),
    Claim(
        "4.4, Table 5", "a difference of at least the required one is usually significant",
        usually_significant,
    ),
)  # fmt: skip
