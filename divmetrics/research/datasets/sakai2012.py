"""Figure 1 of Sakai (2012): one informational intent i, one navigational intent j, five ranks."""

from __future__ import annotations

from divmetrics.core.calls import public
from divmetrics.core.collection import Collection, Intent, Topic
from divmetrics.research.datasets.label_text import read_labels

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
        The grade of rank 2 for j. With 3, a case that the paper also discusses, the user who wants j stops at
        rank 2 and P+Q falls below Q-IA (again as long as j has no other relevant document).

    Returns
    -------
    Collection
        One topic, "figure1", with the run "Figure 1".

    References
    ----------
    sakai2012, Fig. 1

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2012
    >>> sakai2012()
    <collection: 1 topics, 1 runs, top grade Y = 3>
    """
    topic = Topic(TOPIC, (Intent("i", 0.5, "informational"), Intent("j", 0.5, "navigational")))
    labels = ("i:1", f"i:3 j:{j_at_rank_2}", "", "j:3", "i:2")
    judgments = {f"d{rank}": read_labels(text) for rank, text in enumerate(labels, 1)}
    return Collection.of([topic], {TOPIC: judgments}, {RUN: {TOPIC: tuple(judgments)}}, scale=3)
