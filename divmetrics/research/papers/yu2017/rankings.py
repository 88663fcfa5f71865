"""Sections 5.2.1 and 5.2.2: whether metrics order the runs alike, over all topics and by type of topic."""

from __future__ import annotations

from functools import partial
from itertools import compress

import numpy as np

from divmetrics.core.tolerances import TIE_TOLERANCE, dense_ranks, is_best
from divmetrics.research.meta import kendall
from divmetrics.research.papers.imine import KINDS
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share
from divmetrics.research.papers.yu2017.evidence import CASCADE, NAMES, SAMPLE, SQUARE, Evidence

SHUFFLES = 1_000
SEED = 0


def rises(truth: np.ndarray, candidate: np.ndarray) -> int:
    """Count the steps at which `candidate` rises in falling order of `truth`.

    Both are scores of the same items, (item,); scores that differ only by rounding do not rise.
    """
    falling = np.argsort(-truth, kind="stable")
    return int((np.diff(dense_ranks(candidate)[falling]) > 0).sum())


def _rises_over(evidence: Evidence, code: str, truth: str, topics: np.ndarray) -> tuple[int, int]:
    """Return (rising steps, all steps) of the runs' means under the three intent-square metrics.

    Runs are in falling order of the metric `truth`; means are over `topics`, a mask (topic,).
    """
    mean = {name: evidence.values(code, name)[topics].mean(axis=0) for name in (truth, *SQUARE)}
    counts = [rises(mean[truth], mean[candidate]) for candidate in SQUARE]
    return sum(counts), len(SQUARE) * (len(mean[truth]) - 1)


def _best_english_run(evidence: Evidence) -> ClaimResult:
    """Test the position of run Sem13-D-E-1A on the curves of Fig. 3(c), runs ordered by ERR-IA@20."""
    run = evidence.tables["en"].runs.index(SAMPLE["en"])
    mean = {name: evidence.values("en", name).mean(axis=0) for name in ("ERR-IA", *SQUARE)}
    tops = ("S-recall-IS", "alpha-nDCG-IS")
    highest = all(is_best(mean[name])[run] for name in tops)
    falling = np.argsort(-mean["ERR-IA"], kind="stable")
    position = int(np.flatnonzero(falling == run)[0])
    left = mean["ERR-IS"][falling[max(0, position - 3) : position]]
    above = len(left) == 3 and bool((left < mean["ERR-IS"][run]).all())
    text = (
        f"place {position + 1} under ERR-IA; "
        + "; ".join(f"{name} {mean[name][run]:.4f}, maximum {mean[name].max():.4f}" for name in tops)
        + f"; ERR-IS {mean['ERR-IS'][run]:.4f}, left of it {', '.join(f'{x:.4f}' for x in left)}"
    )
    return ClaimResult(combine_outcomes([highest and above]), text)


def _more_in_english(evidence: Evidence, truth: str, kind: str | None = None) -> ClaimResult:
    """Test whether the curves rise at a larger share of steps for English than for Chinese runs."""
    outcomes, texts = [], []
    for label, topics in evidence.topic_choices():
        of_kind = {c: t & evidence.of_type(c, kind) if kind else t for c, t in topics.items()}
        counts = {code: _rises_over(evidence, code, truth, of_kind[code]) for code in ("en", "cn")}
        outcomes.append(counts["en"][0] / counts["en"][1] > counts["cn"][0] / counts["cn"][1])
        texts.append(f"{label}: " + ", ".join(f"{NAMES[code]} {share(*n)}" for code, n in counts.items()))
    return ClaimResult(combine_outcomes(outcomes), f"steps that rise, {'; '.join(texts)}")


def _top_run_agrees(evidence: Evidence) -> ClaimResult:
    """Test whether THUSAM-D-C-1A is first under alpha-nDCG@20 and every intent-square metric."""
    outcomes, texts = [], []
    runs = evidence.tables["cn"].runs
    for label, topics in evidence.topic_choices():
        first = {}
        for name in ("alpha-nDCG", *SQUARE):
            mean = evidence.values("cn", name)[topics["cn"]].mean(axis=0)
            first[name] = list(compress(runs, is_best(mean)))
        outcomes.append(all(SAMPLE["cn"] in names for names in first.values()))
        named = (f"{name} {' and '.join(names)}" for name, names in first.items())
        texts.append(f"{label}: {', '.join(named)}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _every_panel_disagrees(evidence: Evidence) -> ClaimResult:
    """Test whether some intent-square curve rises in each of the eight panels of Figs. 4 and 5."""
    outcomes, texts = [], []
    for label, topics in evidence.topic_choices():
        panels = [
            _rises_over(evidence, code, truth, topics[code] & evidence.of_type(code, kind))[0]
            for code in ("en", "cn")
            for kind in KINDS
            for truth in CASCADE
        ]
        outcomes.append(all(panels))
        texts.append(f"{label}: rising steps per panel {' '.join(map(str, panels))}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _alike_for_both_types(evidence: Evidence) -> ClaimResult:
    """Test whether the mean tau of intent-square and cascade metrics differs by type of topic.

    Types are permuted among topics to estimate differences by chance.
    """
    random, outcomes, texts = np.random.default_rng(SEED), [], []
    for code in ("en", "cn"):
        kinds = evidence.of_type(code, "ambiguous")
        taus = [_mean_tau(evidence, code, evidence.of_type(code, kind)) for kind in KINDS]
        shuffled = [random.permutation(kinds) for _ in range(SHUFFLES)]
        gaps = np.array([_mean_tau(evidence, code, s) - _mean_tau(evidence, code, ~s) for s in shuffled])
        p = (1 + (np.abs(gaps) >= abs(taus[0] - taus[1]) - TIE_TOLERANCE).sum()) / (1 + SHUFFLES)
        outcomes.append(bool(p >= 0.05))
        each = ", ".join(f"{tau:.3f} on {kind} topics" for tau, kind in zip(taus, KINDS, strict=True))
        texts.append(f"{NAMES[code]} {each} (p = {p:.2f})")
    return ClaimResult(combine_outcomes(outcomes), f"mean tau, {'; '.join(texts)}")


def _mean_tau(evidence: Evidence, code: str, topics: np.ndarray) -> float:
    mean = {name: evidence.values(code, name)[topics].mean(axis=0) for name in (*CASCADE, *SQUARE)}
    return float(np.mean([kendall(mean[a], mean[b], method="tau") for a in CASCADE for b in SQUARE]))


CLAIMS = (
    *(
        Claim(
            f"5.2.1, Fig. 3{panels}",
            f"in the order of {truth}, curves rise at few places for Chinese runs, at many for English ones",
            partial(_more_in_english, truth=truth),
        )
        for panels, truth in (("(a), (c)", "ERR-IA"), ("(b), (d)", "alpha-nDCG"))
    ),
    Claim(
        "5.2.1, Fig. 3(c)",
        f"{SAMPLE['en']} is best under S-recall-IS and alpha-nDCG-IS, and its ERR-IS is above that of the "
        "three runs to its left",
        _best_english_run,
    ),
    Claim(
        "5.2.2, Figs. 4-5",
        "on queries of either type, the intent-square metrics disagree with ERR-IA and alpha-nDCG",
        _every_panel_disagrees,
    ),
    Claim(
        "5.2.2, Figs. 4-5",
        "the intent-square metrics disagree with them as much on one type as on the other (implied)",
        _alike_for_both_types,
    ),
    *(
        Claim(
            f"5.2.2, Fig. {figure}{panels}",
            f"on {kind} queries, in the order of {truth}, curves rise more often for English than for "
            "Chinese runs",
            partial(_more_in_english, truth=truth, kind=kind),
        )
        for kind, panels in (("ambiguous", "(a), (c)"), ("broad", "(b), (d)"))
        for figure, truth in ((4, "ERR-IA"), (5, "alpha-nDCG"))
    ),
    Claim(
        "5.2.3, Fig. 3",
        f"the intent-square metrics agree with alpha-nDCG that {SAMPLE['cn']} is the best Chinese run",
        _top_run_agrees,
    ),
)
