"""Section 5, Fig. 7: how many trials the tests need."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from divmetrics.research.meta import paired_bootstrap, tukey_hsd
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import (
    BOOTSTRAP_TRIALS,
    HSD_TRIALS,
    LEVEL,
    Experiment,
)
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes

REFERENCE = 100_000  # trials, as many as of the randomisation test that the paper cites
FIGURE_7 = (100, 500, 1_000, 5_000, 10_000)  # trials
MORE = FIGURE_7[-1]
VISIBLE = 0.01  # smallest difference of two ASLs that shows in a figure
ALMOST = 0.9  # share of the places of two curves that almost completely overlap
SEEDS = (0, 1, 2)
REFERENCE_SEED = 3


def _effect_of_trials(experiment: Experiment, test: str) -> pd.DataFrame:
    """Compare ASLs under D#-nDCG of B trials with those of 100,000 trials: the numbers behind Fig. 7.

    Returns one row per B and seed: trials, seed, distance (the largest difference of the ASLs of a pair) and
    other_side (the number of pairs that are significant with one B only).
    """
    reference = _asl(experiment, test, REFERENCE, REFERENCE_SEED)
    rows = []
    for trials in FIGURE_7:
        for seed in SEEDS:
            values = _asl(experiment, test, trials, seed)
            other_side = int(((values < LEVEL) != (reference < LEVEL)).sum())
            rows.append((trials, seed, np.abs(values - reference).max(), other_side))
    return pd.DataFrame(rows, columns=["trials", "seed", "distance", "other_side"])


def curves_overlap(evidence: Evidence, trials: int, more: int) -> ClaimResult:
    """Test whether the ASL curves of HSD with two numbers of trials almost completely overlap.

    A curve is the sorted ASLs of all pairs of runs; on the first setting of each source.
    """
    outcomes, texts = [], []
    for experiment in _first_settings(evidence):
        distances = []
        for seed in SEEDS:
            fewer, longer = (
                np.sort(_asl(experiment, "HSD", *drawn))
                for drawn in ((trials, seed), (more, seed + len(SEEDS)))
            )
            distances.append(np.abs(fewer - longer))
        close = [float((distance <= VISIBLE).mean()) for distance in distances]
        outcomes += [each >= ALMOST for each in close]
        texts.append(
            f"{experiment.source} ({experiment.setting}) {' / '.join(f'{each:.0%}' for each in close)}, "
            f"largest distance {max(distance.max() for distance in distances):.4f}"
        )
    head = f"places at which both curves are at most {VISIBLE} apart, with {len(SEEDS)} seeds"
    return ClaimResult(
        combine_outcomes(outcomes), f"{head}: {'; '.join(texts)}", elsewhere=evidence.elsewhere
    )


def enough_trials(evidence: Evidence, trials: int) -> ClaimResult:
    """Test whether the bootstrap finds the same significant pairs with B as with 100,000 trials.

    The first setting of each source is tested.
    """
    outcomes, texts = [], []
    for experiment in _first_settings(evidence):
        table = _effect_of_trials(experiment, "bootstrap")
        chosen = table[table["trials"] == trials]
        outcomes += list(chosen["other_side"] == 0)
        worst = ", ".join(f"{b:,}: {d:.4f}" for b, d in table.groupby("trials")["distance"].max().items())
        texts.append(
            f"{experiment.source} ({experiment.setting}) {worst}, and with {trials:,} trials "
            f"{int(chosen['other_side'].sum())} of {len(experiment.table.pairs[0]) * len(SEEDS)} ASLs are on "
            f"the other side of {LEVEL}"
        )
    head = f"largest difference from the ASL of {REFERENCE:,} trials, by B, over {len(SEEDS)} seeds"
    return ClaimResult(
        combine_outcomes(outcomes), f"{head}: {'; '.join(texts)}", elsewhere=evidence.elsewhere
    )


def _first_settings(evidence: Evidence) -> list[Experiment]:
    """Return the first experiment of each source."""
    first: dict[str, Experiment] = {}
    for experiment in evidence.experiments:
        first.setdefault(experiment.source, experiment)
    return list(first.values())


def _asl(experiment: Experiment, test: str, trials: int, seed: int) -> np.ndarray:
    """Return the ASL of each pair of runs under D#-nDCG, (pair,)."""
    run = tukey_hsd if test == "HSD" else paired_bootstrap
    return run(experiment.scores, "D#-nDCG", trials=trials, seed=seed, workers=1)["asl"].to_numpy()


CLAIMS = (
    Claim(
        "5, Fig. 7(b)",
        f"the ASL curves of HSD with B = {HSD_TRIALS:,} and with {MORE:,} trials almost completely overlap",
        partial(curves_overlap, trials=HSD_TRIALS, more=MORE),
    ),
    Claim(
        "5, Fig. 7(a)",
        f"B = {BOOTSTRAP_TRIALS:,} trials are enough for the bootstrap test: the same pairs are significant",
        partial(enough_trials, trials=BOOTSTRAP_TRIALS),
    ),
)
