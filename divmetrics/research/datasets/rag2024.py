"""Nugget scores of three systems on topics of the TREC 2024 RAG track; answers are not included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.core.calls import public
from divmetrics.research.datasets.stored_tables import read_exactly, tidy_scores

if TYPE_CHECKING:
    import pandas as pd


@public
def rag2024_scores() -> pd.DataFrame:
    """Load the nugget scores of three systems on 301 topics of the TREC 2024 RAG track.

    Returns
    -------
    DataFrame
        The columns run, topic, metric, score, as from `divmetrics.evaluate`; scores in full precision. The
        metrics are All, Vital and Weighted, "nuggetizer:A", "nuggetizer:V" and "nuggetizer:W", and their
        strict forms, "nuggetizer:A_strict", "nuggetizer:V_strict" and "nuggetizer:W_strict".

    Notes
    -----
    The answers are baselines: Command R+, GPT-4o and Llama 3.1 (70B) write from up to 20 passages. Language
    models wrote the nuggets, 20 for a topic on average, and assigned them; both are those of the repository
    NamaWho/pyterrier-nuggetizer (Apache licence 2.0), not the track's official assessments.
    `python -m tools.rag2024_scores FOLDER` computes these scores from its assignments.

    References
    ----------
    pradeep2025

    Examples
    --------
    >>> from divmetrics.research.datasets import rag2024_scores
    >>> scores = rag2024_scores()
    >>> scores[scores["metric"] == "nuggetizer:A"].groupby("run")["score"].mean().round(4).to_dict()
    {'Command R+': 0.3855, 'GPT-4o': 0.365, 'Llama 3.1': 0.3651}
    """
    return tidy_scores(read_exactly("rag2024.csv.gz"))
