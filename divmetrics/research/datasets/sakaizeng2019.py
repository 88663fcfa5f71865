"""Tables 4, 5 and 6 of Sakai & Zeng (2019) on fifteen judges and thirty measures."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# Table 4: with all fifteen judges, then without judge 1, 2, ... 15.
ALPHA = {
    "relevance": (
        *(0.406, 0.402, 0.399, 0.393, 0.399, 0.406, 0.429, 0.403),
        *(0.420, 0.418, 0.394, 0.407, 0.400, 0.405, 0.422, 0.401),
    ),
    "diversity": (
        *(0.356, 0.357, 0.348, 0.360, 0.345, 0.362, 0.375, 0.354),
        *(0.380, 0.354, 0.344, 0.357, 0.342, 0.358, 0.365, 0.347),
    ),
}


def sakaizeng2019_agreement() -> pd.DataFrame:
    """Load the printed agreement of thirty measures at cutoff 10 with the majority of fifteen judges.

    Tables 5 (relevance: which list is more relevant to the query?) and 6 (diversity: which one is likely to
    satisfy more users?); in the tables' order, best first.

    Returns
    -------
    DataFrame
        120 rows with the columns question, pairs_of ("all" 1115 or 1119 pairs of lists; "high agreement", the
        894 or 897 on which at least nine judges agree), metric, agree, disagree, tau, low, high (95%
        interval). Ties are excluded. Metrics have this library's names (phi is the parameter p that the paper
        has for RBP, iRBU and RBU).

    References
    ----------
    sakaizeng2019, Tables 5 and 6

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_agreement
    >>> sakaizeng2019_agreement()[["metric", "agree", "disagree", "tau"]].head(1)
               metric  agree  disagree    tau
    0  iRBU(phi=0.99)    952       163  0.708
    """
    import pandas as pd

    with files("divmetrics.research.datasets").joinpath("sakaizeng2019.csv").open("rb") as file:
        return pd.read_csv(file)


def sakaizeng2019_alpha() -> pd.DataFrame:
    """Load Krippendorff's alpha of fifteen judges on 1,127 pairs of lists, and without each judge.

    Returns
    -------
    DataFrame
        The columns question, left_out (number of the judge; 0 for none), alpha.

    References
    ----------
    sakaizeng2019, Table 4

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_alpha
    >>> sakaizeng2019_alpha().head(1)
        question  left_out  alpha
    0  relevance         0  0.406
    """
    import pandas as pd

    rows = [(q, judge, alpha) for q, alphas in ALPHA.items() for judge, alpha in enumerate(alphas)]
    return pd.DataFrame(rows, columns=["question", "left_out", "alpha"])
