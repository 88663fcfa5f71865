"""5.2.1 and 5.2.2: do the metrics order the runs alike, over all topics and by type of topic?"""

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


def rises(truth: np.ndarray, walked: np.ndarray) -> int:
    """Steps at which the walked scores rise where the truth's fall from best to worst, (item,) each."""
    falling = np.argsort(-truth, kind="stable")
    return int((np.diff(dense_ranks(walked)[falling]) > 0).sum())


def rises_over(evidence: Evidence, code: str, truth: str, topics: np.ndarray) -> tuple[int, int]:
    """In the runs' means under the three intent-square metrics: how many steps rise, of how many."""
    mean = {name: evidence.values(code, name)[topics].mean(axis=0) for name in (truth, *SQUARE)}
    found = [rises(mean[truth], mean[walked]) for walked in SQUARE]
    return sum(found), len(SQUARE) * (len(mean[truth]) - 1)


def best_english_run(evidence: Evidence) -> ClaimResult:
    """Fig. 3(c) as drawn: the run Sem13-D-E-1A on the curves, runs ordered by ERR-IA@20."""
    run = evidence.tables["en"].runs.index(SAMPLE["en"])
    mean = {name: evidence.values("en", name).mean(axis=0) for name in ("ERR-IA", *SQUARE)}
    tops = ("S-recall-IS", "alpha-nDCG-IS")
    highest = all(is_best(mean[name])[run] for name in tops)
    falling = np.argsort(-mean["ERR-IA"], kind="stable")
    place = int(np.flatnonzero(falling == run)[0])
    left = mean["ERR-IS"][falling[max(0, place - 3) : place]]
    above = len(left) == 3 and bool((left < mean["ERR-IS"][run]).all())
    said = (
        f"place {place + 1} under ERR-IA; "
        + "; ".join(f"{name} {mean[name][run]:.4f}, maximum {mean[name].max():.4f}" for name in tops)
        + f"; ERR-IS {mean['ERR-IS'][run]:.4f}, left of it {', '.join(f'{x:.4f}' for x in left)}"
    )
    return ClaimResult(combine_outcomes([highest and above]), said)


def more_in_english(evidence: Evidence, truth: str, kind: str | None = None) -> ClaimResult:
    """Do the curves rise at a larger share of steps for English than for Chinese runs?"""
    outcomes, said = [], []
    for reading, topics in evidence.readings():
        of_kind = {c: t & evidence.of_type(c, kind) if kind else t for c, t in topics.items()}
        found = {code: rises_over(evidence, code, truth, of_kind[code]) for code in ("en", "cn")}
        outcomes.append(found["en"][0] / found["en"][1] > found["cn"][0] / found["cn"][1])
        said.append(f"{reading}: " + ", ".join(f"{NAMES[code]} {share(*n)}" for code, n in found.items()))
    return ClaimResult(combine_outcomes(outcomes), f"steps that rise, {'; '.join(said)}")


def top_run_agrees(evidence: Evidence) -> ClaimResult:
    """Is THUSAM-D-C-1A first under alpha-nDCG@20 and under every intent-square metric?"""
    outcomes, said = [], []
    runs = evidence.tables["cn"].runs
    for reading, topics in evidence.readings():
        first = {}
        for name in ("alpha-nDCG", *SQUARE):
            mean = evidence.values("cn", name)[topics["cn"]].mean(axis=0)
            first[name] = list(compress(runs, is_best(mean)))
        outcomes.append(all(SAMPLE["cn"] in names for names in first.values()))
        named = (f"{name} {' and '.join(names)}" for name, names in first.items())
        said.append(f"{reading}: {', '.join(named)}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(said))


def every_panel_disagrees(evidence: Evidence) -> ClaimResult:
    """Figs. 4 and 5: does some intent-square curve rise in each of the eight panels?"""
    outcomes, said = [], []
    for reading, topics in evidence.readings():
        panels = [
            rises_over(evidence, code, truth, topics[code] & evidence.of_type(code, kind))[0]
            for code in ("en", "cn")
            for kind in KINDS
            for truth in CASCADE
        ]
        outcomes.append(all(panels))
        said.append(f"{reading}: rising steps per panel {' '.join(map(str, panels))}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(said))


def alike_for_both_types(evidence: Evidence) -> ClaimResult:
    """Mean tau of intent-square and cascade metrics on ambiguous and on broad topics: do they differ?

    Types are shuffled among topics to see how large a difference is by chance alone.
    """
    random, outcomes, said = np.random.default_rng(SEED), [], []
    for code in ("en", "cn"):
        kinds = evidence.of_type(code, "ambiguous")
        taus = [_mean_tau(evidence, code, evidence.of_type(code, kind)) for kind in KINDS]
        shuffled = [random.permutation(kinds) for _ in range(SHUFFLES)]
        gaps = np.array([_mean_tau(evidence, code, s) - _mean_tau(evidence, code, ~s) for s in shuffled])
        p = (1 + (np.abs(gaps) >= abs(taus[0] - taus[1]) - TIE_TOLERANCE).sum()) / (1 + SHUFFLES)
        outcomes.append(bool(p >= 0.05))
        each = ", ".join(f"{tau:.3f} on {kind} topics" for tau, kind in zip(taus, KINDS, strict=True))
        said.append(f"{NAMES[code]} {each} (p = {p:.2f})")
    return ClaimResult(combine_outcomes(outcomes), f"mean tau, {'; '.join(said)}")


def _mean_tau(evidence: Evidence, code: str, topics: np.ndarray) -> float:
    mean = {name: evidence.values(code, name)[topics].mean(axis=0) for name in (*CASCADE, *SQUARE)}
    return float(np.mean([kendall(mean[a], mean[b], method="tau") for a in CASCADE for b in SQUARE]))


CLAIMS = (
    *(
        Claim(
            f"5.2.1, Fig. 3{panels}",
            f"the curves against {truth} rise at few places for Chinese runs, at many for English ones",
            partial(more_in_english, truth=truth),
        )
        for panels, truth in (("(a), (c)", "ERR-IA"), ("(b), (d)", "alpha-nDCG"))
    ),
    Claim(
        "5.2.1, Fig. 3(c)",
        f"{SAMPLE['en']} is best under S-recall-IS and alpha-nDCG-IS, and its ERR-IS is above that of the "
        "three runs to its left",
        best_english_run,
    ),
    Claim(
        "5.2.2, Figs. 4-5",
        "on queries of either type, the intent-square metrics disagree with ERR-IA and alpha-nDCG",
        every_panel_disagrees,
    ),
    Claim(
        "5.2.2, Figs. 4-5",
        "they do so alike on both types (implied; no difference is found)",
        alike_for_both_types,
    ),
    *(
        Claim(
            f"5.2.2, Fig. {figure}{panels}",
            f"on {kind} queries, curves against {truth} rise more often for English runs than for Chinese",
            partial(more_in_english, truth=truth, kind=kind),
        )
        for kind, panels in (("ambiguous", "(a), (c)"), ("broad", "(b), (d)"))
        for figure, truth in ((4, "ERR-IA"), (5, "alpha-nDCG"))
    ),
    Claim(
        "5.2.3, Fig. 3",
        f"the intent-square metrics agree with alpha-nDCG that {SAMPLE['cn']} is the best Chinese run",
        top_run_agrees,
    ),
)
