"""Topics 21, 28 and 38 of Sakai et al. (2010), section 4.3: two runs on which three metrics disagree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.collection import Collection
from divmetrics.core.topics import Intent, Topic
from divmetrics.errors import DivmetricsError
from divmetrics.research.datasets.label_text import read_labels

RUNS = ("MSDiv2", "MSRAACSF")
DEPTH = 10


@dataclass(frozen=True)
class PrintedTopic:
    """One topic with n intents and the top 10 of both runs.

    The intents are i1 to in. `labels` holds {rank from 1: text such as "i1:1 i3:1"} per run; the document at
    a rank that it lacks is relevant to no intent. `shared` holds the pairs of ranks, in the first and in the
    second run, of a common document; `unretrieved` the number of relevant documents per intent that neither
    run retrieved.
    """

    topic: str
    n: int
    labels: tuple[Mapping[int, str], Mapping[int, str]]
    shared: tuple[tuple[int, int], ...] = ()
    unretrieved: Mapping[str, int] = field(default_factory=dict)

    def intents(self) -> tuple[Intent, ...]:
        """Return the intents with p(i_j|q) = 2^(n-j+1) / (2^(n+1) - 2)."""
        total = 2 ** (self.n + 1) - 2
        return tuple(Intent(f"i{j}", 2 ** (self.n - j + 1) / total) for j in range(1, self.n + 1))

    def list(self, run: int) -> dict[str, str]:
        """Return {document: labels} of one run, best first."""
        names = {ranks[run]: f"shared{number}" for number, ranks in enumerate(self.shared, 1)}
        return {
            names.get(rank, f"{RUNS[run]}-{rank}"): self.labels[run].get(rank, "")
            for rank in range(1, DEPTH + 1)
        }

    def judgments(self) -> dict[str, dict[str | tuple[str, str], int]]:
        """Return {document: {intent: grade}} of all judged documents, also of those not retrieved."""
        labels = [f"{intent}:1" for intent, count in self.unretrieved.items() for _ in range(count)]
        others = {f"unretrieved{number}": label for number, label in enumerate(labels, 1)}
        return {doc: read_labels(text) for doc, text in (self.list(0) | self.list(1) | others).items()}


TOPIC_28 = PrintedTopic(
    "28",
    n=5,
    labels=({3: "i4:1", 5: "i4:1", 8: "i5:1", 9: "i2:1"}, {1: "i4:1", 8: "i4:1", 9: "i2:1", 10: "i4:1"}),
    shared=((1, 3), (2, 2), (4, 5)),
    unretrieved={"i4": 5, "i2": 8},
)
TOPIC_38 = PrintedTopic(
    "38",
    n=3,
    labels=(dict.fromkeys(range(1, 7), "i1:1"), {2: "i1:1", 3: "i1:1 i3:1", 4: "i1:1", 5: "i1:1"}),
    shared=((1, 2),),
)


def sakai2010() -> Collection:
    """Load topics 21, 28 and 38 of TREC Web 2009 (binary) with the top 10 of runs MSDiv2 and MSRAACSF.

    From Sakai et al. (2010), section 4.3, for all three: the number n of intents and their probabilities
    p(i_j|q) = 2^(n-j+1) / (2^(n+1) - 2); the labels of each list, in order; the ranks with a common document
    (named `shared1`, ...; `MSDiv2-3` is that run's own document at rank 3).

    The ranks of the labels are missing in our copy of the paper. Topic by topic:

    * 21: MSDiv2 has one relevant document, for i1; MSRAACSF two, both for i5. For all ranks and numbers of
      relevant documents D#-nDCG and nDCG-IA prefer MSDiv2, as printed; alpha-nDCG prefers MSRAACSF, as
      printed, for most ranks. Ranks 3, and 3 and 4, are ours; `sakai2010_topic21` takes any.
    * 28: MSDiv2 has i4, i4, i5, i2; MSRAACSF i4, i4, i2, i4. The ranks are ours, and so are the relevant
      documents that neither run retrieved (`unretrieved1`, ...): they make 10 for i4, 10 for i2, one for i5,
      and give all preferences as printed (nDCG-IA's by 0.00001: the paper has a tie).
    * 38: MSDiv2 has i1 six times; MSRAACSF i1, then i1 and i3, then i1 twice. Ranks 1-6 and 2-5 are, among
      all contiguous blocks, closest to a tie under alpha-nDCG with MSRAACSF ahead, as printed.

    Except in topic 28 the judged documents are those that the two runs retrieved. Preferences under
    alpha-nDCG and D-nDCG do not depend on the other judgments; scores do, and differ from the paper's. Every
    listed document is judged; one without labels is not relevant. Evaluate at cutoff 10.

    Returns
    -------
    Collection
        Three topics with two runs.

    References
    ----------
    sakai2010, section 4.3

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2010
    >>> sakai2010()
    <collection: 3 topics, 2 runs, top grade Y = 1>
    """
    return _collection([_topic_21(3, (3, 4), {}), TOPIC_28, TOPIC_38])


@public
def sakai2010_topic21(
    i1: int, i5: tuple[int, int], unretrieved: Mapping[str, int] | None = None
) -> Collection:
    """Load topic 21 of `sakai2010` with relevant documents at given ranks; our copy lacks the true ranks.

    Parameters
    ----------
    i1 : int
        The rank (1-10) of MSDiv2's only relevant document.
    i5 : (int, int)
        The ranks (1-10) of MSRAACSF's two relevant documents.
    unretrieved : mapping of str to int, optional
        Number of relevant documents per intent, i1 to i5, that neither run retrieved, such as {"i1": 4,
        "i5": 2}; by default, none.

    Returns
    -------
    Collection
        One topic with two runs.

    Raises
    ------
    DivmetricsError
        If a rank is out of range, `i5` does not have two different ranks, or `unretrieved` has another intent
        or a number below 0.

    References
    ----------
    sakai2010, section 4.3

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2010_topic21
    >>> sakai2010_topic21(2, (3, 5)).list("MSRAACSF", "21").docs[2]
    'MSRAACSF-3'
    """
    for rank in (i1, *i5):
        if rank not in range(1, DEPTH + 1):
            raise DivmetricsError(f"topic 21: rank {rank!r} is not in the top {DEPTH}; give 1 to {DEPTH}")
    if len(set(i5)) != 2:
        raise DivmetricsError(f"topic 21: i5 is {i5!r}, expected two different ranks")
    for intent, count in (unretrieved or {}).items():
        check_whole(f"topic 21: the number of unretrieved documents of {intent!r}", count, 0)
    return _collection([_topic_21(i1, i5, unretrieved or {})])


def _topic_21(i1: int, i5: tuple[int, int], unretrieved: Mapping[str, int]) -> PrintedTopic:
    return PrintedTopic("21", n=5, labels=({i1: "i1:1"}, dict.fromkeys(i5, "i5:1")), unretrieved=unretrieved)


def _collection(cases: list[PrintedTopic]) -> Collection:
    return Collection.of(
        [Topic(case.topic, case.intents()) for case in cases],
        {case.topic: case.judgments() for case in cases},
        {name: {case.topic: tuple(case.list(run)) for case in cases} for run, name in enumerate(RUNS)},
        scale=1,
    )
