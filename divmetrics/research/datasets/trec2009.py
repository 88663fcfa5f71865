"""The lists that metrics reward most on topics of TREC Web 2009, counted by intent, without judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.calls import public
from divmetrics.research.datasets.stored_tables import read_exactly

if TYPE_CHECKING:
    import pandas as pd

METRICS = (
    "P-IA", "AP-IA", "AP-IA(of=min)", "AP-IA(of=R)", "nDCG-IA", "Q-IA", "RBP-IA(phi=0.5)", "RBP-IA",
    "ERR-IA", "EBR-IA", "D-nDCG", "D#-nDCG", "alpha-nDCG",
)  # fmt: skip
CUTOFFS = (5, 10, 20)
TOP_GRADES = (1, 2, 4)  # judgments are binary; ERR's R(1) is 1/2, 1/4 or 1/16 with these top grades
BEST_LISTS = ("probabilities", "cutoff", "top", "search", "topic", "intent", "judged")


@public
def trec2009_best_lists() -> pd.DataFrame:
    """Load the number of documents for each intent in the list that each metric rewards most.

    The lists are for 48 of the 50 topics of the TREC 2009 Web track, those with at least two intents that
    have relevant documents.

    Returns
    -------
    DataFrame
        A row per choice, topic, intent and metric. The columns probabilities, cutoff, top and search are the
        choice; judged is the number of judged documents relevant to the intent, and pages the number of these
        documents in the list that the metric rewards most. The other columns are topic, intent and metric
        (without its cutoff: P-IA, AP-IA, also with of=min and of=R, nDCG-IA, Q-IA, RBP-IA, also with phi 0.5,
        ERR-IA, EBR-IA, D-nDCG, D#-nDCG, alpha-nDCG).

    Notes
    -----
    probabilities is "uniform" or "nonuniform", as in `trec2012_scores`. top is the top grade of the scale.
    The judgments are binary, so ERR-IA's R(1) is 1/2 if it is 1, 1/4 if it is 2, and 1/16 if it is 4 (only
    for cutoff 10 and "greedy"). search is "greedy" (each rank gets the document that raises the score most,
    of ties the first judged), "greedy, last of ties", or "exchanged" (the greedy list, improved by exchanging
    documents as long as the score rises; only for cutoff 10 and top grade 1).
    `python -m tools.trec2009_best_lists FOLDER` computes the table from the track's judgments.

    References
    ----------
    sakai2010, section 4.1

    Examples
    --------
    >>> from divmetrics.research.datasets import trec2009_best_lists
    >>> lists = trec2009_best_lists()
    >>> usual = lists.query("search == 'greedy' and cutoff == 10 and top == 1 and metric == 'nDCG-IA'")
    >>> of_metric = usual[usual["probabilities"] == "nonuniform"]
    >>> int((of_metric["pages"] == 0).sum()), len(of_metric)
    (41, 197)
    """
    wide = read_exactly("trec2009.best_lists.csv.gz")
    wide = wide.astype(dict.fromkeys(("cutoff", "top", "judged", *METRICS), np.int64))
    return wide.melt(list(BEST_LISTS), var_name="metric", value_name="pages")
