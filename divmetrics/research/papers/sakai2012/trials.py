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
VISIBLE = 0.01  # smallest difference of two ASLs that shows in a figure
SEEDS = (0, 1, 2)
REFERENCE_SEED = 3


def effect_of_trials(experiment: Experiment, test: str) -> pd.DataFrame:
    """Compare ASLs under D#-nDCG of B trials with those of 100,000 trials: the numbers behind Fig. 7.

    Returns one row per B and seed: trials, seed, distance (the largest difference of the ASLs of a pair) and
    other_side (the number of pairs that are significant with one B only).
    """
    run = tukey_hsd if test == "HSD" else paired_bootstrap

    def asl(trials: int, seed: int) -> np.ndarray:
        return run(experiment.scores, "D#-nDCG", trials=trials, seed=seed, workers=1)["asl"].to_numpy()

    reference = asl(REFERENCE, REFERENCE_SEED)
    rows = []
    for trials in FIGURE_7:
        for seed in SEEDS:
            values = asl(trials, seed)
            other_side = int(((values < LEVEL) != (reference < LEVEL)).sum())
            rows.append((trials, seed, np.abs(values - reference).max(), other_side))
    return pd.DataFrame(rows, columns=["trials", "seed", "distance", "other_side"])


def enough_trials(evidence: Evidence, test: str, trials: int, most: float) -> ClaimResult:
    """Test whether ASLs of B trials are within `most` of those of 100,000, on the first setting of a source.

    If `most` is 0, test whether the same pairs are significant instead.
    """
    outcomes, texts = [], []
    first = {experiment.source: experiment for experiment in reversed(evidence.experiments)}
    for experiment in reversed(first.values()):
        table = effect_of_trials(experiment, test)
        chosen = table[table["trials"] == trials]
        outcomes += list(chosen["distance"] <= most if most else chosen["other_side"] == 0)
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


CLAIMS = (
    Claim(
        "5, Fig. 7(b)",
        f"the ASL curve of HSD with B = {HSD_TRIALS:,} trials cannot be told from those with more",
        partial(enough_trials, test="HSD", trials=HSD_TRIALS, most=VISIBLE),
    ),
    Claim(
        "5, Fig. 7(a)",
        f"B = {BOOTSTRAP_TRIALS:,} trials are enough for the bootstrap test: the same pairs are significant",
        partial(enough_trials, test="bootstrap", trials=BOOTSTRAP_TRIALS, most=0),
    ),
)
