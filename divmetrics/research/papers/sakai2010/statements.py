"""Whether the paper's printed numbers and statements fit each other."""

from __future__ import annotations

from divmetrics.research.papers.sakai2010.evidence import Evidence
from divmetrics.research.papers.sakai2010.printed import FAMILIES, combined
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share


def taus_fit(evidence: Evidence) -> ClaimResult:
    """Test whether 25 rankings without ties can have all printed taus, and their tau_ap.

    A tau is 1 - 2 s / 300 for s pairs of runs in another order. Of three rankings, no s exceeds the sum of
    the other two, and the sum of all three is even, since each s has the parity of a permutation.
    """
    printed = evidence.printed
    rows = printed.correlations
    whole = [f"{1 - 2 * printed.swaps(tau) / printed.pairs:.3f}" == f"{tau:.3f}" for tau in rows["tau"]]
    by_pair = rows.groupby(rows[["metric", "baseline"]].apply(sorted, axis=1).map(tuple))["tau"]
    repeated = by_pair.nunique()[by_pair.size() > 1] == 1
    sides = [c <= a + b for a, b, c in printed.triangles]
    even = [sum(triangle) % 2 == 0 for triangle in printed.triangles]
    within = [
        low - 5e-4 <= tau_ap <= high + 5e-4
        for tau, tau_ap in zip(rows["tau"], rows["tau_ap"], strict=True)
        for low, high in [tau_ap_range(printed.swaps(tau), printed.pairs)]
    ]
    text = (
        f"{share(sum(whole), len(whole))} printed taus are a whole number of pairs; "
        f"{share(int(repeated.sum()), len(repeated))} of those printed twice are the same; of three rankings "
        f"with printed taus, {share(sum(sides), len(sides))} obey the triangle inequality and "
        f"{share(sum(even), len(even))} have an even number of pairs in all; "
        f"{share(sum(within), len(within))} tau_ap are within what the tau allows"
    )
    fit = all((*whole, *repeated, *sides, *even, *within))
    return ClaimResult("holds" if fit else "contradicts itself", text)


def gammas_fit(evidence: Evidence) -> ClaimResult:
    """Test whether the pairs of runs that change order add up along gamma.

    A mean is linear in gamma, so two runs change order at most once between gamma 0 and 1.
    """
    printed = evidence.printed

    def swaps(family: str, a: float, b: float) -> int:
        return printed.swaps(printed.tau(combined(family, a), combined(family, b)))

    to_ends = {family: (swaps(family, 0, 0.5), swaps(family, 1, 0.5)) for family in FAMILIES}
    whole = swaps("nDCG", 0, 1)
    inner = [
        swaps(family, gamma, 0.5) <= to_end
        for family, ends in to_ends.items()
        for gamma, to_end in zip((0.2, 0.8), ends, strict=True)
    ]
    below, above = to_ends["nDCG"]
    text = (
        f"Idiv-nDCG: {below} pairs change order between gamma 0 and 0.5, {above} between 0.5 and 1, {whole} "
        f"in all (footnote 8); {share(sum(inner), len(inner))} steps to gamma 0.2 or 0.8 are no larger than "
        f"that to the end; so the tau of I-recall and div-Q, not printed, is "
        f"{1 - 2 * sum(to_ends['Q']) / printed.pairs:.3f}"
    )
    fit = below + above == whole and all(inner)
    return ClaimResult("holds" if fit else "contradicts itself", text)


def best_runs_fit(evidence: Evidence) -> ClaimResult:
    """Test whether no metric has two best runs in different passages."""
    passages = evidence.printed.best_runs
    texts, fit = [], True
    for metric in dict.fromkeys(name for best in passages.values() for name in best):
        runs = {passage: best[metric] for passage, best in passages.items() if metric in best}
        if len(set(runs.values())) > 1:
            fit = False
            texts.append(f"{metric}: {', '.join(f'{run} by {passage}' for passage, run in runs.items())}")
    return ClaimResult(
        "holds" if fit else "contradicts itself", "; ".join(texts) or "no metric has two best runs"
    )


def disagreements_fit(evidence: Evidence) -> ClaimResult:
    """Test whether the numbers of topics on which metrics disagree fit each other, without ties and with.

    Where three metrics do not all prefer the same run and none ties, exactly two of the three pairs of
    metrics disagree; with a tie fewer do.
    """
    printed = evidence.printed
    topics = printed.topics - printed.agreements
    pairs = sum(printed.disagreements.values())
    without, tied = pairs == 2 * topics, pairs <= 2 * topics
    counts, possible = (
        ", ".join(map(str, printed.disagreements.values())),
        "possible" if tied else "impossible",
    )
    text = (
        f"on {topics} topics the three metrics do not agree, so without ties {2 * topics} disagreements of "
        f"two metrics are expected; printed are {counts}, in all {pairs}, which is {possible} with ties"
    )
    return ClaimResult(combine_outcomes([without, tied]), text)


def tau_ap_range(swaps: int, pairs: int) -> tuple[float, float]:
    """Return the lowest and the highest tau_ap of rankings with `swaps` of all `pairs` in another order.

    Rank i of n has 0 to i - 1 runs above it that belong below, in any combination; each costs
    2 / ((n - 1) (i - 1)).
    """
    n = round((1 + (1 + 8 * pairs) ** 0.5) / 2)
    ends = []
    for ranks in (range(2, n + 1), range(n, 1, -1)):
        left, cost = swaps, 0.0
        for i in ranks:
            wrong = min(left, i - 1)
            left -= wrong
            cost += wrong / (i - 1)
        ends.append(1 - 2 * cost / (n - 1))
    return ends[0], ends[1]


CLAIMS = (
    Claim("4.2, Tables 2-4, footnote 8", "the printed rank correlations fit each other (implied)", taus_fit),
    Claim("4.2, Table 4, footnote 8", "the correlations between gammas fit each other (implied)", gammas_fit),
    Claim(
        "4.2, Figs. 1 and 2", "the best run by Idiv-nDCG with gamma 0.2 is also the best by alpha-nDCG",
        best_runs_fit,
    ),
    Claim("4.3, Fig. 3", "the numbers of topics on which metrics disagree fit each other (implied)",
          disagreements_fit),
)  # fmt: skip
