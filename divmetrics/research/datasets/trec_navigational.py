"""D#-nDCG against DIN#-nDCG on judgments of TREC Web 2009 and 2012, counted by Ef-P, without judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.calls import public
from divmetrics.research.datasets.stored_tables import read_exactly

if TYPE_CHECKING:
    import pandas as pd

NAVIGATIONAL = "trec.navigational.csv"
COUNTS = ("year", "seed", "documents", "shared_documents", "only_D", "only_DIN")


@public
def trec_navigational() -> pd.DataFrame:
    """Load how often D#-nDCG alone, and DIN#-nDCG alone, agrees with Ef-P where the two metrics disagree.

    The judgments and topics are real, the 20 runs made up. The topics have a navigational intent with a
    relevant document: 24 of TREC Web 2009 and 33 of TREC Web 2012.

    Returns
    -------
    DataFrame
        A row per choice. The columns year (2009 or 2012), grades ("binary", or for 2012 also "graded"),
        shared, probabilities ("uniform" or "nonuniform", as in `trec2012_scores`) and seed (0 to 5) are the
        choice. documents is the number of documents for navigational intents, and shared_documents the number
        of these that serve an informational intent, too. only_D and only_DIN are the numbers of pairs of
        lists on which only D#-nDCG, or only DIN#-nDCG, agrees with Ef-P.

    Notes
    -----
    shared is "as judged", or "all": then every document for a navigational intent was also made relevant to
    an informational intent of its topic, drawn at random. Cutoff 10, exponential gain.
    `python -m tools.trec_navigational FOLDER_2009 FOLDER_2012` computes the table from the track's files.

    References
    ----------
    sakai2012, section 5.4

    Examples
    --------
    >>> from divmetrics.research.datasets import trec_navigational
    >>> counts = trec_navigational().query("year == 2009 and shared == 'as judged'")
    >>> int(counts["only_D"].sum()), int(counts["only_DIN"].sum())
    (175, 757)
    """
    return read_exactly(NAVIGATIONAL).astype(dict.fromkeys(COUNTS, np.int64))
