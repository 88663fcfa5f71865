"""Section 5.3: rank correlation of the intent-square metrics with ERR-IA and alpha-nDCG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, permutations, product

import numpy as np

from divmetrics.optional import import_optional
from divmetrics.research.meta import tau_ap, tau_ap_of_orders
from divmetrics.research.meta.ap_correlation import Ties
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share
from divmetrics.research.papers.yu2017.evidence import CASCADE, CUTOFFS, NAMES, PAIRS, SQUARE, Evidence
from divmetrics.research.papers.yu2017.numbers import TABLE_5, count_matches, table_5
from divmetrics.research.papers.yu2017.queries import ALIKE

TIES: tuple[Ties, ...] = ("stable", "averaged")
LEVEL = 0.05
ORDERS = 1_000  # random orders of the runs
SEED = 0


def _choices(evidence: Evidence) -> Iterator[tuple[str, Ties, dict[str, np.ndarray]]]:
    """Yield (description, ties, {language: mask of topics}) for each choice that the paper leaves open.

    The choices are the order of tied runs, and whether topics with empty lists count.
    """
    tie_text = {"stable": "ties as in the paper's program", "averaged": "ties averaged"}
    for label, topics in evidence.topic_choices():
        for ties in TIES:
            yield f"{label}, {tie_text[ties]}", ties, topics


def _average(
    evidence: Evidence,
    code: str,
    truth: str,
    candidate: str,
    ties: Ties,
    topics: np.ndarray,
    cutoff: int = 20,
) -> float:
    """Compute tau_ap averaged over topics: a cell of Table 5 or a point of Fig. 8."""
    return float(evidence.per_topic(code, truth, candidate, cutoff, ties)[topics].mean())


def _ties(evidence: Evidence) -> ClaimResult:
    """Test whether Table 5 depends on the order of tied runs."""
    random = np.random.default_rng(SEED)
    as_is, rounded = count_matches(table_5(evidence)), 0
    reproduced = np.ones(ORDERS, dtype=bool)
    low_high: dict[str, list[str]] = {candidate: [] for candidate in SQUARE}
    for code, row in TABLE_5.items():
        runs = len(evidence.tables[code].runs)
        orders = random.permuted(np.tile(np.arange(runs), (ORDERS, 1)), axis=1)
        for (truth, candidate), printed in zip(PAIRS, row, strict=True):
            rows = zip(evidence.values(code, truth), evidence.values(code, candidate), strict=True)
            means = np.mean([tau_ap_of_orders(a, b, orders, tie=0) for a, b in rows], axis=0)
            reproduced &= np.abs(means - float(printed)) < 5e-5
            rounded += f"{evidence.per_topic(code, truth, candidate).mean():.4f}" == printed
            low_high[candidate].append(f"{printed} [{means.min():.3f}, {means.max():.3f}]")
    text = (
        f"in the order of the paper's program {as_is} of 12 numbers come out, {rounded} if a difference in "
        f"the last bit is a tie; {share(int(reproduced.sum()), ORDERS)} random orders of the runs give all; "
        "printed number and range: "
    )
    text += "; ".join(f"{candidate} {', '.join(ranges)}" for candidate, ranges in low_high.items())
    return ClaimResult(combine_outcomes([as_is == 12, *reproduced]), text)


def _cascade_closer(evidence: Evidence, code: str) -> ClaimResult:
    """Test whether ERR-IA and alpha-nDCG are closer to each other than to any intent-square metric."""
    outcomes, texts = [], []
    for choice, ties, topics in _choices(evidence):
        closer, parts = True, []
        for truth, other in (CASCADE, CASCADE[::-1]):
            each = _average(evidence, code, truth, other, ties, topics[code])
            square = [_average(evidence, code, truth, candidate, ties, topics[code]) for candidate in SQUARE]
            closer &= each > max(square)
            parts.append(f"against {truth}: {other} {each:.4f}, best intent-square {max(square):.4f}")
        outcomes.append(closer)
        texts.append(f"{choice}: {', '.join(parts)}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _subtopic_recall_lowest(evidence: Evidence) -> ClaimResult:
    """Test whether S-recall-IS is the farthest of the three from ERR-IA and alpha-nDCG."""
    outcomes, gaps = [], []
    for (_, ties, topics), code, truth in product(_choices(evidence), ("en", "cn"), CASCADE):
        recall, *others = (_average(evidence, code, truth, name, ties, topics[code]) for name in SQUARE)
        outcomes.append(recall < min(others))
        gaps.append(min(others) - recall)
    text = f"below both others in {share(sum(outcomes), len(outcomes))} cases, by {_span(gaps)}"
    return ClaimResult(combine_outcomes(outcomes), text)


def _lower_in_english(evidence: Evidence) -> ClaimResult:
    """Test whether every cell of Table 5 is lower for English than for Chinese."""
    outcomes, texts = [], []
    for choice, ties, topics in _choices(evidence):
        english, chinese = (
            np.array([_average(evidence, code, a, b, ties, topics[code]) for a, b in PAIRS])
            for code in ("en", "cn")
        )
        lower = int((english < chinese).sum())
        outcomes.append(lower == len(PAIRS))
        texts.append(f"{choice}: {lower} of {len(PAIRS)} lower, by {_span(chinese - english)}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _falls_with_cutoff(evidence: Evidence, code: str) -> ClaimResult:
    """Test whether S-recall-IS is farther off at the last cutoff than at the first (Fig. 8, Wilcoxon's test).

    Against both ERR-IA and alpha-nDCG; topic by topic.
    """
    stats = import_optional("scipy.stats", "Wilcoxon's test")

    outcomes, texts = [], []
    first, last = CUTOFFS[0], CUTOFFS[-1]
    for choice, ties, topics in _choices(evidence):
        falls, parts = True, []
        for truth in CASCADE:
            taus = (evidence.per_topic(code, truth, "S-recall-IS", k, ties) for k in (first, last))
            a, b = (tau[topics[code]] for tau in taus)
            p = float(stats.wilcoxon(a, b).pvalue) if (a != b).any() else 1.0
            p_text = f"p = {p:.4f}" if p >= 1e-4 else "p < 0.0001"
            falls &= bool(a.mean() > b.mean() and p < LEVEL)
            parts.append(f"against {truth} {a.mean():.3f} to {b.mean():.3f} ({p_text})")
        outcomes.append(falls)
        texts.append(f"{choice}: {', '.join(parts)}")
    return ClaimResult(combine_outcomes(outcomes), f"from cutoff {first} to {last}, {'; '.join(texts)}")


def _span(values: Sequence[float] | np.ndarray) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"


def _low_per_query(evidence: Evidence) -> ClaimResult:
    """Test whether the averages of Table 5 are at most 0.8, and compute other pairs for comparison."""
    outcomes = [
        _average(evidence, code, a, b, ties, topics[code]) <= ALIKE
        for _, ties, topics in _choices(evidence)
        for code in ("en", "cn")
        for a, b in PAIRS
    ]
    texts = [f"{sum(outcomes)} of {len(outcomes)} averages are at most {ALIKE}"]
    for code in ("en", "cn"):
        truth, shallow = (evidence.values(code, "ERR-IA", cutoff) for cutoff in (20, 10))
        deeper = np.mean([tau_ap(a, b, "averaged") for a, b in zip(truth, shallow, strict=True)])
        other = evidence.per_topic(code, *CASCADE, ties="averaged").mean()
        texts.append(
            f"{NAMES[code]}, for comparison: ERR-IA@10 against ERR-IA@20 {deeper:.3f}, alpha-nDCG against "
            f"ERR-IA {other:.3f}"
        )
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _changes_system_rankings(evidence: Evidence) -> ClaimResult:
    """Test tau_ap of the runs' means, which rank systems, in place of the average over topics."""
    outcomes, texts = [], []
    for label, topics in evidence.topic_choices():
        for code in ("en", "cn"):
            cells = []
            for truth, candidate in PAIRS:
                means = (
                    evidence.values(code, name)[topics[code]].mean(axis=0) for name in (truth, candidate)
                )
                cells.append(tau_ap(*means, order=evidence.order(code)))
            outcomes += [cell <= ALIKE for cell in cells]
            texts.append(f"{label}, {NAMES[code]}: {' '.join(f'{cell:.3f}' for cell in cells)}")
    head = f"tau_ap of means is at most {ALIKE} in {sum(outcomes)} of {len(outcomes)} cases"
    return ClaimResult(combine_outcomes(outcomes), f"{head} (pairs as in Table 5): {'; '.join(texts)}")


def _alike_among_square(evidence: Evidence) -> ClaimResult:
    """Test whether the intent-square metrics rank the runs of a query alike, average tau_ap above 0.8."""
    outcomes, texts = [], []
    for choice, ties, topics in _choices(evidence):
        for code in ("en", "cn"):
            mask = topics[code]
            cells = {(a, b): _average(evidence, code, a, b, ties, mask) for a, b in permutations(SQUARE, 2)}
            flat = [_average(evidence, code, a, b, ties, mask) for a, b in PAIRS]
            outcomes += [cell > ALIKE for cell in cells.values()]
            each = ", ".join(
                f"{a} and {b} {cells[a, b]:.3f}/{cells[b, a]:.3f}" for a, b in combinations(SQUARE, 2)
            )
            texts.append(f"{choice}, {NAMES[code]}: {each} (cells of Table 5: {_span(flat)})")
    head = f"average tau_ap is above {ALIKE} in {share(sum(outcomes), len(outcomes))} cases"
    return ClaimResult(combine_outcomes(outcomes), f"{head}; either metric as truth, {'; '.join(texts)}")


CLAIMS = (
    Claim("5.3, Table 5", "the scores determine average tau_ap (implied: nothing is said of ties)", _ties),
    *(
        Claim(
            f"5.3, Fig. 7{panels}",
            f"{NAMES[code]}: ERR-IA and alpha-nDCG are closer to each other than to the intent-square "
            "metrics",
            partial(_cascade_closer, code=code),
        )
        for panels, code in (("(a), (b)", "cn"), ("(c), (d)", "en"))
    ),
    Claim("5.3, Table 5", "S-recall-IS is the farthest from ERR-IA and alpha-nDCG", _subtopic_recall_lowest),
    Claim("5.3, Table 5", "correlations are lower for English than for Chinese runs", _lower_in_english),
    *(
        Claim(
            "5.3, Fig. 8", f"{NAMES[code]}: tau_ap of S-recall-IS falls significantly as the cutoff grows",
            partial(_falls_with_cutoff, code=code),
        )
        for code in ("en", "cn")
    ),
    Claim(
        "5.3, Table 5",
        "query by query, the intent-square metrics correlate little with ERR-IA and alpha-nDCG",
        _low_per_query,
    ),
    Claim(
        "5.3, Summary", "second-level subtopics substantially change the ranking of systems",
        _changes_system_rankings,
    ),
    Claim(
        "5.3", "the intent-square metrics rank the runs of a query alike (an open question of the paper)",
        _alike_among_square,
    ),
)  # fmt: skip
