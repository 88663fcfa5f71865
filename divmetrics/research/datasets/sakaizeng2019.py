"""All tables of Sakai & Zeng (2019), and their thirty measures on the runs of NTCIR-11 IMine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.research.datasets.imine import LANGUAGES
from divmetrics.research.datasets.stored_tables import read_exactly, read_table, tidy_scores

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


def sakaizeng2019_rankings() -> pd.DataFrame:
    """Load the printed tau between the rankings of fifteen systems by two measures at cutoff 10.

    Returns
    -------
    DataFrame
        51 rows with the columns panel ("a" ad hoc measures, "b" parts of D#-measures, "c" IA measures and
        RBU), one, other (the measures), tau, low, high (95% interval).

    References
    ----------
    sakaizeng2019, Table 1

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_rankings
    >>> sakaizeng2019_rankings().head(1)
      panel  one other    tau    low   high
    0     a  EBR   ERR  0.886  0.767  0.946
    """
    return read_table("sakaizeng2019.table1.csv")


def sakaizeng2019_unanimity() -> pd.DataFrame:
    """Load the printed unanimity of each of thirty measures at cutoff 10 with the other ones.

    Returns
    -------
    DataFrame
        30 rows with the columns metric, unanimity; in the table's order, highest first. "D#-RBP", which is
        printed without a parameter, is taken to be D#-RBP(phi=0.99): the table has the one with 0.85, too.

    References
    ----------
    sakaizeng2019, Table 2

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_unanimity
    >>> sakaizeng2019_unanimity().head(1)
              metric  unanimity
    0  RBP(phi=0.99)     0.0378
    """
    return read_table("sakaizeng2019.table2.csv")


def sakaizeng2019_power() -> pd.DataFrame:
    """Load the printed discriminative power of thirty measures at cutoff 10.

    Returns
    -------
    DataFrame
        30 rows with the columns metric, significant (of 105 pairs of runs, those that differ significantly at
        0.05 by a randomised Tukey HSD test), percent (of 105), delta (smallest significant difference); in
        the table's order, highest first.

    References
    ----------
    sakaizeng2019, Table 3

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_power
    >>> sakaizeng2019_power().head(1)
                 metric  significant  percent  delta
    0  D#-RBP(phi=0.85)           50     47.6   0.05
    """
    return read_table("sakaizeng2019.table3.csv")


def sakaizeng2019_agreement() -> pd.DataFrame:
    """Load the printed agreement of thirty measures at cutoff 10 with the majority of fifteen judges.

    Tables 5 (relevance: which list is more relevant to the query?) and 6 (diversity: which one is likely to
    satisfy more users?); in the tables' order, best first.

    Returns
    -------
    DataFrame
        120 rows with the columns question, pairs_of, metric, agree, disagree (numbers of pairs of lists,
        without ties), tau ((agree - disagree) / (agree + disagree)), low, high (95% interval). pairs_of is
        "all", for the 1115 pairs of lists (relevance) or 1119 pairs (diversity), or "high agreement", for the
        894 or 897 of these pairs on which at least nine judges agree. Metrics have this library's names; phi
        is the paper's parameter p of RBP, iRBU and RBU.

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
    return read_table("sakaizeng2019.csv")


def sakaizeng2019_alpha() -> pd.DataFrame:
    """Load Krippendorff's alpha of all fifteen judges on 1,127 pairs of lists, and of all but each judge.

    Returns
    -------
    DataFrame
        The columns question ("relevance" or "diversity"), left_out (number of the judge; 0 for none), alpha.

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


@public
def sakaizeng2019_imine_scores(language: str = "en") -> pd.DataFrame:
    """Load the scores of the runs submitted to NTCIR-11 IMine under the thirty measures at cutoff 10.

    The paper's own runs, of NTCIR-9 INTENT-1, are not public; these repeat its experiments elsewhere.

    Parameters
    ----------
    language : "en" or "cn"
        English (15 runs, 32 topics) or Chinese (10 runs, 30 topics).

    Returns
    -------
    DataFrame
        The columns run, topic, metric (with its cutoff), score, as from `divmetrics.evaluate`; scores with
        eight decimals.

    Raises
    ------
    DivmetricsError
        If the language is unknown.

    Notes
    -----
    The measures are those of `sakaizeng2019_unanimity`. Computed as in the paper: exponential gains, the
    organisers' probabilities, ad hoc grades from the sums of the intents' grades. Two lists tie under eight
    decimals exactly where they tie in full precision. Judgments and runs are the organisers' and not
    included; `python -m tools.sakaizeng2019_on_imine FOLDER` computes these scores from them.

    References
    ----------
    sakaizeng2019, sections 3 and 4

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_imine_scores
    >>> sakaizeng2019_imine_scores("en").head(1).round(3)
                run topic   metric  score
    0  Sem13-D-E-1A  0051  nDCG@10  0.531
    """
    check_choice("language", language, LANGUAGES)
    return tidy_scores(read_exactly(f"sakaizeng2019.imine.{language}.csv.gz"))


def sakaizeng2019_imine_agreement() -> pd.DataFrame:
    """Load the agreement of the thirty measures with people on pairs of Chinese IMine lists.

    The people are the three judges of `imine_agreement`; the lists are scored as in
    `sakaizeng2019_imine_scores`.

    Returns
    -------
    DataFrame
        The columns pairs_of ("all", or "differing": the pairs whose Prec and I-rec both differ by more than
        0.1, as the paper chose its pairs), metric; agree, disagree, ties (of the pairs on which a majority of
        the judges prefers a list, the numbers on which the metric prefers the same list, the other one, and
        neither); rate (the mean share of judges who decide as the metric does, see `meta.agreement_rate`),
        rated (number of pairs of lists for the rate).

    Notes
    -----
    The judges' answers are not ours and not included; `python -m tools.sakaizeng2019_on_imine FOLDER`
    computes the table from them.

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_imine_agreement
    >>> sakaizeng2019_imine_agreement()[["pairs_of", "metric", "agree", "disagree", "ties"]].head(1)
      pairs_of   metric  agree  disagree  ties
    0      all  nDCG@10    131        77    19
    """
    return read_table("sakaizeng2019.imine.agreement.csv")


def sakaizeng2019_imine_tests() -> pd.DataFrame:
    """Load tests of D#- against IA measures on the preferences of `sakaizeng2019_imine_agreement`.

    Returns
    -------
    DataFrame
        The column pairs_of (as in `sakaizeng2019_imine_agreement`), and those of
        `divmetrics.research.meta.agreement_tests`: metric_a, metric_b, pairs, only_a, only_b, p_pairs,
        difference, low, high, p_topics, holm, detectable.

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_imine_tests
    >>> sakaizeng2019_imine_tests()[["metric_a", "metric_b", "only_a", "only_b"]].head(1)
         metric_a    metric_b  only_a  only_b
    0  nDCG-IA@10  D#-nDCG@10       7       9
    """
    return read_table("sakaizeng2019.imine.tests.csv")


def sakaizeng2019_imine_utilities() -> pd.DataFrame:
    """Load the agreement with people of eight ad hoc measures, each a stopping probability times a utility.

    The pairs of lists are all those of `sakaizeng2019_imine_agreement` with a majority; cutoff 10.

    Returns
    -------
    DataFrame
        The columns stopping ("uniform" over relevant documents, or "ERR"), utility ("p^r" with p = 0.99,
        "RR" 1/r, "Prec", "BR" blended ratio), agree, disagree, ties. AP has the stopping probability
        "uniform" and the utility "Prec", Q "uniform" and "BR"; ERR, EBR and iRBU have the stopping
        probability "ERR" and the utilities "RR", "BR" and "p^r".

    References
    ----------
    sakaizeng2019, Eq. 1 to 6

    Examples
    --------
    >>> from divmetrics.research.datasets import sakaizeng2019_imine_utilities
    >>> sakaizeng2019_imine_utilities().head(1)
      stopping utility  agree  disagree  ties
    0  uniform     p^r    135        72    20
    """
    return read_table("sakaizeng2019.imine.utilities.csv")
