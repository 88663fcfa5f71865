"""Scores of the runs submitted to NTCIR-11 IMine: what `divmetrics` computed, without the judgments."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice

if TYPE_CHECKING:
    import pandas as pd

LANGUAGES = ("en", "cn")


@public
def imine_scores(language: str = "en") -> pd.DataFrame:
    """Scores of all runs submitted to NTCIR-11 IMine, the data of Yu et al. (2017).

    language: "en" (15 runs, 32 topics) or "cn" (10 runs, 30 topics). Returns the columns run, topic, metric,
    score, as `divmetrics.evaluate` does and as every function of `divmetrics.research.meta` takes them; scores in full
    precision.

    At cutoffs 10 and 20, 21 metrics and the intent-square form of each: S-recall, P-IA, AP-IA, ERR-IA,
    nDCG-IA, Q-IA, RBP-IA, EBR-IA, iRBU-IA, alpha-nDCG, NRBP, and D- and D#- with nDCG, Q, ERR, EBR and RBP;
    and the gold standards I-rec (the same as S-recall) and Ef-P. At 5, 15, 25, 30, 35 and 40 the five metrics
    of the paper: ERR-IA, alpha-nDCG, S-recall-IS, ERR-IS, alpha-nDCG-IS.

    As the paper computed: convention "paper", equally probable subtopics on both levels, grades 0-2. A topic
    that a run does not answer scores 0 (see `imine_lengths`). The collection knows no navigational intents,
    so DIN- and P+Q would only repeat D- and Q-IA. Judgments and runs are the organisers' and not here;
    `python -m tools.imine_scores FOLDER` computes all this from them.
    """
    wide = _wide(language).drop(columns=["type", "documents"])
    return wide.melt(["run", "topic"], var_name="metric", value_name="score")


@public
def imine_types(language: str = "en") -> dict[str, str]:
    """The type of each topic of `imine_scores`, "ambiguous" or "broad"; half of the topics are of each."""
    wide = _wide(language)
    return dict(zip(wide["topic"], wide["type"], strict=True))


@public
def imine_lengths(language: str = "en") -> pd.DataFrame:
    """How many documents each run of `imine_scores` returned for each topic; 0: it did not answer.

    Returns run, topic, documents.
    """
    return _wide(language)[["run", "topic", "documents"]]


def _wide(language: str) -> pd.DataFrame:
    """A row per run and topic, a column per metric, as the file has them."""
    import pandas as pd

    check_choice("language", language, LANGUAGES)
    with files("divmetrics.research.datasets").joinpath(f"imine.{language}.csv.gz").open("rb") as file:
        # As text first: pandas' own reading of numbers may be off by the last bit, which can break a tie.
        wide = pd.read_csv(file, dtype=str, compression="gzip")
    kinds = dict.fromkeys(wide.columns.drop(["run", "topic", "type"]), np.float64)
    return wide.astype({**kinds, "documents": np.int64})
