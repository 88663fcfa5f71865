"""Section 5.4: discriminative power under randomised Tukey HSD."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from divmetrics.research.meta import tukey_hsd
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share
from divmetrics.research.papers.yu2017.evidence import CUTOFF, METRICS, NAMES, Evidence

TRIALS = 5_000  # the paper's B
SEEDS = (0, 1, 2, 3, 4)
LEVELS = (0.01, 0.05, 0.10)
METRICS_AT_CUTOFF = [f"{name}@{CUTOFF}" for name in METRICS]
SUBSETS = 20  # random subsets of runs or topics
SUBSET_TRIALS = 1_000


@lru_cache(maxsize=16)  # used by several claims
def significant(evidence: Evidence, code: str, seed: int) -> dict[float, dict[str, int]]:
    """Count the significant pairs of runs of a language: {level: {metric: number of pairs}}."""
    pairs = tukey_hsd(evidence.scores[code], METRICS_AT_CUTOFF, trials=TRIALS, seed=seed, workers=1)
    asl = {name: pairs.loc[pairs["metric"] == f"{name}@{CUTOFF}", "asl"] for name in METRICS}
    return {level: {name: int((values < level).sum()) for name, values in asl.items()} for level in LEVELS}


def compare_power(
    evidence: Evidence, codes: Iterable[str], more: Sequence[str], fewer: Sequence[str], strictly: bool
) -> ClaimResult:
    """Test whether each metric of `more` has at least as many significant pairs as each of `fewer`.

    Both hold names of `METRICS`, without the cutoff, which is 20; `codes` holds "en" or "cn". A case is a
    seed, a level (0.01, 0.05 or 0.10) and a language; with `strictly`, the metric must have more pairs. The
    claim holds, is fragile or does not hold if all, some or none of the cases agree.
    """
    outcomes, texts = [], []
    for code in codes:
        results = [(level, significant(evidence, code, seed)[level]) for seed in SEEDS for level in LEVELS]
        for _, n in results:
            least, most = min(n[name] for name in more), max(n[name] for name in fewer)
            outcomes.append(least > most if strictly else least >= most)
        for level in LEVELS:
            counts = {
                name: [n[name] for result_level, n in results if result_level == level]
                for name in (*more, *fewer)
            }
            each = ", ".join(f"{name} {_range(of_seeds)}" for name, of_seeds in counts.items())
            texts.append(f"{NAMES[code]} at {level} {each}")
    head = f"{share(sum(outcomes), len(outcomes))} cases; significant pairs over {len(SEEDS)} seeds"
    return ClaimResult(combine_outcomes(outcomes), f"{head}: {'; '.join(texts)}")


def _skewed_by_few_pairs(evidence: Evidence) -> ClaimResult:
    """Test whether the Chinese ASL curves are as skewed as curves of so few pairs are.

    A skewed curve rises in one step: under each metric, the largest step between neighbouring pairs is
    compared with that of 20 random choices of as many English runs.
    """
    random, outcomes, texts = np.random.default_rng(SEEDS[0]), [], []
    english, runs = evidence.scores["en"], np.array(evidence.tables["en"].runs)
    subsets = [random.choice(runs, len(evidence.tables["cn"].runs), replace=False) for _ in range(SUBSETS)]
    chinese = _largest_steps(evidence.scores["cn"])
    others = pd.DataFrame([_largest_steps(english[english["run"].isin(subset)]) for subset in subsets])
    for name in METRICS:
        outcomes.append(bool(chinese[name] <= others[name].max()))
        low, high = others[name].min(), others[name].max()
        texts.append(f"{name} {chinese[name]:.2f} (English {low:.2f} to {high:.2f})")
    return ClaimResult(
        combine_outcomes(outcomes), f"largest step in ASL between neighbouring pairs: {', '.join(texts)}"
    )


def _without_empty_lists(evidence: Evidence, code: str) -> ClaimResult:
    """Test whether topics that every run answers give as many significant pairs as random topics."""
    scores, topics = evidence.scores[code], np.array(evidence.tables[code].topics)
    answered = topics[evidence.answered[code]]
    random = np.random.default_rng(SEEDS[0])
    subsets = [random.choice(topics, len(answered), replace=False) for _ in range(SUBSETS)]
    on_all = _count(scores)
    on_answered = _count(scores[scores["topic"].isin(answered)])
    others = pd.DataFrame([_count(scores[scores["topic"].isin(subset)]) for subset in subsets])
    outcomes, texts = [], []
    for name in METRICS:
        low, high = others[name].min(), others[name].max()
        outcomes.append(bool(on_answered[name] >= low))
        texts.append(f"{name} {on_answered[name]} (random {low} to {high}, all topics {on_all[name]})")
    head = f"significant pairs at 0.05 on the {len(answered)} topics that every run answers"
    return ClaimResult(combine_outcomes(outcomes), f"{head}: {', '.join(texts)}")


def _asl(scores: pd.DataFrame) -> dict[str, np.ndarray]:
    pairs = tukey_hsd(scores, METRICS_AT_CUTOFF, trials=SUBSET_TRIALS, seed=SEEDS[0], workers=1)
    return {name: np.sort(pairs.loc[pairs["metric"] == f"{name}@{CUTOFF}", "asl"]) for name in METRICS}


def _largest_steps(scores: pd.DataFrame) -> dict[str, float]:
    return {name: float(np.diff(curve).max()) for name, curve in _asl(scores).items()}


def _count(scores: pd.DataFrame) -> dict[str, int]:
    return {name: int((curve < 0.05).sum()) for name, curve in _asl(scores).items()}


def _range(counts: list[int]) -> str:
    return f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)}-{max(counts)}"


NOVELTY, OTHERS = ("alpha-nDCG", "alpha-nDCG-IS"), ("ERR-IA", "S-recall-IS", "ERR-IS")
EMPTY = "pairs of runs differ because of what their lists hold, not because of empty lists (implied)"

CLAIMS = (
    *(
        Claim(
            f"5.4, Fig. 9({panel})",
            f"{NAMES[code]}: no metric tells more pairs of runs apart than alpha-nDCG and alpha-nDCG-IS",
            partial(compare_power, codes=(code,), more=NOVELTY, fewer=OTHERS, strictly=False),
        )
        for panel, code in (("a", "cn"), ("b", "en"))
    ),
    Claim(
        "5.4, Fig. 9(b)", "English: alpha-nDCG-IS tells more pairs apart than alpha-nDCG",
        partial(compare_power, codes=("en",), more=("alpha-nDCG-IS",), fewer=("alpha-nDCG",), strictly=True),
    ),
    *(
        Claim(
            f"5.4, Fig. 9({panel})",
            f"{NAMES[code]}: {name} tells fewer pairs apart than S-recall-IS",
            partial(compare_power, codes=(code,), more=("S-recall-IS",), fewer=(name,), strictly=True),
        )
        for panel, code in (("a", "cn"), ("b", "en"))
        for name in ("ERR-IA", "ERR-IS")
    ),
    Claim(
        "5.4, Fig. 9", "ERR-IS tells fewer pairs apart than ERR-IA",
        partial(compare_power, codes=("cn", "en"), more=("ERR-IA",), fewer=("ERR-IS",), strictly=True),
    ),
    Claim(
        "5.4, Fig. 9(a)", "the Chinese curves are skewed because there are few pairs of runs",
        _skewed_by_few_pairs,
    ),
    *(
        Claim("5.4, Fig. 9", f"{NAMES[code]}: {EMPTY}", partial(_without_empty_lists, code=code))
        for code in ("cn", "en")
    ),
)  # fmt: skip
