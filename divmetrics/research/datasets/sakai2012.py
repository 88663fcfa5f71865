"""Figure 1 of Sakai (2012), one informational intent i and one navigational intent j, and Tables 1 to 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.collection import Collection
from divmetrics.core.topics import Intent, Topic
from divmetrics.research.datasets.label_text import read_labels
from divmetrics.research.datasets.stored_tables import read_table

if TYPE_CHECKING:
    import pandas as pd

TOPIC = "figure1"
RUN = "Figure 1"


@public
def sakai2012(j_at_rank_2: int = 1) -> Collection:
    """Load the list of Sakai (2012), Fig. 1: documents d1-d5 at ranks 1-5, grades 0-3 (the paper's L0-L3).

    From the figure and the text (sections 3.1, 3.2 and 4.2): rank 1 is L1 for i; rank 2 is L3 for i and L1
    for j, the first relevant document for j; rank 3 is not relevant; rank 4 is L3 for j, the first of the
    highest grade (the preferred rank of P+), and for DIN-measures not relevant, since j was covered at rank
    2; rank 5 is relevant to i.

    Ours, since the figure itself is not legible in our copy: the grade at rank 5 (L2), equal intent
    probabilities, and that only these five documents are judged. The paper's statements on the list depend on
    none of them: Ef-P is 3/5 (it prints 3/5 = 0.8, an error), and P+Q equals Q-IA as long as j has no other
    relevant document.

    Parameters
    ----------
    j_at_rank_2 : int
        The grade of rank 2 for j, 0 to 3. With 3, a case that the paper also discusses, the user who wants j
        stops at rank 2 and P+Q falls below Q-IA (again as long as j has no other relevant document).

    Returns
    -------
    Collection
        One topic, "figure1", with the run "Figure 1".

    Raises
    ------
    DivmetricsError
        If the grade is out of this range.

    References
    ----------
    sakai2012, Fig. 1

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2012
    >>> sakai2012()
    <collection: 1 topics, 1 runs, top grade Y = 3>
    """
    check_whole("j_at_rank_2", j_at_rank_2, 0, most=3)
    topic = Topic(TOPIC, (Intent("i", 0.5, "informational"), Intent("j", 0.5, "navigational")))
    labels = ("i:1", f"i:3 j:{j_at_rank_2}", "", "j:3", "i:2")
    judgments = {f"d{rank}": read_labels(text) for rank, text in enumerate(labels, 1)}
    return Collection.of([topic], {TOPIC: judgments}, {RUN: {TOPIC: tuple(judgments)}}, scale=3)


def sakai2012_tables() -> pd.DataFrame:
    """Load the numbers of Tables 1 to 6 of Sakai (2012) that are legible in our copy, as printed.

    Returns
    -------
    DataFrame
        The columns table (1 to 6); part ("" in Table 1, the probabilities "uniform" or "nonuniform" in Tables
        2 to 5, and in Table 6 the gold standard "I-rec", "Ef-P" or "both", "" for disagreements); metric_a,
        metric_b (both "" in Table 1, metric_b "" in Tables 2 and 3); quantity; printed (text). In Table 1 the
        quantity is what is counted. Tables 2 (bootstrap test) and 3 (randomised Tukey HSD) have "significant
        pairs (%)" and "required difference"; Table 4 counts the significant pairs of "only a", "both", "only
        b"; Table 5 has "tau", "tau_ap"; Table 6 has "disagreements", and "agrees a", "agrees b", the share on
        which a metric agrees with the gold standard.

    Notes
    -----
    Our copy is a scan, in which a digit may be misread. The numbers of I-rec and P+Q# in Tables 2 and 3,
    those of Table 4 and Table 5's cell of DIN#-nDCG and P+Q# are the ones that the text of section 5 repeats.

    References
    ----------
    sakai2012, Tables 1 to 6

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2012_tables
    >>> printed = sakai2012_tables()
    >>> printed[printed["table"] == 5].head(2)
        table     part metric_a    metric_b quantity printed
    39      5  uniform    I-rec  alpha-nDCG      tau     .74
    40      5  uniform    I-rec  alpha-nDCG   tau_ap     .80
    """
    return read_table("sakai2012.csv", dtype=str, keep_default_na=False).astype({"table": int})
