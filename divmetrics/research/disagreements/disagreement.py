"""Results of `disagree`: two lists with their scores and both metrics' reasons, or that there are none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.render.tables import Cell, TableRow, html_notes, html_table, html_title, text_table
from divmetrics.research.disagreements.best_pairs import count_edits
from divmetrics.research.disagreements.reasons import explain_preference

SearchGoal = Literal["margin", "edits"]
FULL_DIGITS_BELOW = 10**7  # larger numbers of lists are printed as a power of ten


@dataclass(frozen=True)
class SearchedLists:
    """The lists that a search compared. Lists with the same grades at every rank count as one.

    Parameters
    ----------
    judgments : Judgments
        The judged documents of the topic.
    length : int
        Documents per list.
    lists, total : int
        The numbers of lists compared and of all lists.
    exact : bool
        Whether all lists were compared, which proves the result.
    seed : int
        The seed of the search; without effect if it was exact.

    Examples
    --------
    >>> import divmetrics as dm
    >>> found = dm.disagree("ERR-IA@2", "S-recall@2", dm.datasets.harry_potter(), 2)
    >>> found.searched.exact
    True
    """

    judgments: Judgments
    length: int
    lists: int
    total: int
    exact: bool
    seed: int

    @property
    def what(self) -> str:
        """The lists in words: their length, documents and topic."""
        topic, judged = self.judgments.topic, len(self.judgments.docs)
        title = f" ({topic.title})" if topic.title else ""
        return f"lists of {self.length} of the {judged} judged documents of topic {topic.id}{title}"

    def __str__(self) -> str:
        if self.exact and self.lists == 1:
            return "their grades are all the same"
        if self.exact:
            return f"all {self.lists:,} lists that differ in their grades were compared"
        power = len(str(self.total)) - 1
        total = f"{self.total:,}" if self.total < FULL_DIGITS_BELOW else f"more than 10^{power}"
        return f"{self.lists:,} of {total} lists that differ in their grades were compared (seed {self.seed})"


@dataclass(frozen=True, repr=False)
class Agreement:
    """The result of `disagree` if it finds no two lists with both margins at least `margin`. False as a bool.

    Parameters
    ----------
    metrics : tuple of two BaseMetric
        The metrics compared.
    margin : float
        The smallest margin that counted. The margins of lists A and B are m1(A) - m1(B) and m2(B) - m2(A).
    largest : float
        The largest value, over all pairs compared, of the smaller of the two margins; 0 if no pair disagrees.
    searched : SearchedLists
        The lists compared.

    Examples
    --------
    >>> import divmetrics as dm
    >>> bool(dm.disagree("S-recall@2", "I-rec@2", dm.datasets.harry_potter(), 2))
    False
    """

    metrics: tuple[BaseMetric, BaseMetric]
    margin: float
    largest: float
    searched: SearchedLists

    def __bool__(self) -> bool:
        return False

    @property
    def exact(self) -> bool:
        """Whether it is proved that no pair of lists has both margins at least `margin`."""
        return self.searched.exact

    def __repr__(self) -> str:
        m1, m2 = self.metrics
        disagree = f"disagree by {self.margin:g} or more" if self.largest else "disagree"
        nearest = f"; the largest smaller margin is {self.largest:.4g}" if self.largest else ""
        if self.exact:
            return f"{m1} and {m2} {disagree} on no two {self.searched.what}: {self.searched}{nearest}."
        return (
            f"No two {self.searched.what} were found on which {m1} and {m2} {disagree}: {self.searched}"
            f"{nearest}. That proves nothing; try another seed or a larger budget."
        )


@dataclass(frozen=True, repr=False)
class Disagreement:
    """Two lists of one topic: the first of `metrics` prefers `a`, the second prefers `b`.

    Parameters
    ----------
    metrics : tuple of two BaseMetric
        The metrics compared.
    a, b : RankedList
        The two lists.
    find : {"margin", "edits"}
        The criterion that selected the pair (see `disagree`).
    least : float
        The smallest margin that counted.
    searched : SearchedLists
        The lists compared.

    Examples
    --------
    >>> import divmetrics as dm
    >>> pair = dm.disagree("ERR-IA@2", "S-recall@2", dm.datasets.harry_potter(), 2)
    >>> min(pair.margins) > 0
    True
    """

    metrics: tuple[BaseMetric, BaseMetric]
    a: RankedList
    b: RankedList
    find: SearchGoal
    least: float
    searched: SearchedLists

    @property
    def exact(self) -> bool:
        """Whether all lists were compared, so that no other pair is better."""
        return self.searched.exact

    @cached_property
    def scores(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """((m1(a), m1(b)), (m2(a), m2(b))), the scores under both metrics."""
        of_1, of_2 = ((m.score(self.a, level=1), m.score(self.b, level=1)) for m in self.metrics)
        return of_1, of_2

    @property
    def margins(self) -> tuple[float, float]:
        """The margins: m1(a) - m1(b) and m2(b) - m2(a), both above 0."""
        (a1, b1), (a2, b2) = self.scores
        return a1 - b1, b2 - a2

    @property
    def edits(self) -> int:
        """The fewest edits that turn a into b; an edit swaps two documents or replaces one."""
        return count_edits(self.a, self.b)

    @property
    def how(self) -> str:
        """A sentence on how the pair was selected, and whether a better one may exist."""
        if self.find == "edits" and self.edits > 1:
            other = "no such lists are nearer to each other" if self.exact else "others may be nearer"
        else:
            other = "no two disagree more" if self.exact else "others may disagree more"
            if self.find == "edits":
                other = f"of those one edit apart, {other}"
        return f"{'Exact' if self.exact else 'Searched'}: {self.searched}; {other}."

    @property
    def reasons(self) -> tuple[str, str]:
        """A sentence per metric: the intents that earn more in the list it prefers, and at which rank."""
        return explain_preference(self.metrics[0], self.a, self.b), explain_preference(
            self.metrics[1], self.b, self.a
        )

    @property
    def words(self) -> str:
        """The sentences of `reasons` and `how`."""
        return " ".join((*self.reasons, self.how))

    def __repr__(self) -> str:
        tables = (text_table(head, rows) for head, *rows in self._tables())
        return "\n\n".join((self._title(), *tables, "\n".join((*self.reasons, self.how))))

    def _repr_html_(self) -> str:
        tables = (html_table(head, rows) for head, *rows in self._tables())
        return f"{html_title(self._title())}{''.join(tables)}{html_notes((*self.reasons, self.how))}"

    def _title(self) -> str:
        m1, m2 = self.metrics
        apart = "1 edit" if self.edits == 1 else f"{self.edits} edits"
        return f"{m1} prefers A, {m2} prefers B: two {self.searched.what}, {apart} apart"

    def _tables(self) -> tuple[list[TableRow], list[TableRow]]:
        """Return the two lists side by side, and the scores; the first row of each table is its header."""
        lists: list[TableRow] = [(Cell("rank", right=True), Cell("A"), Cell("B"))]
        for rank, docs in enumerate(zip(self.a.docs, self.b.docs, strict=True), 1):
            labelled = (Cell(_doc_with_grades(self.searched.judgments, doc)) for doc in docs)
            lists.append((Cell(f"{rank}", right=True), *labelled))
        heads = ("A", "B", "A − B")
        scores: list[TableRow] = [(Cell("metric"), *(Cell(head, right=True) for head in heads))]
        for metric, (a, b) in zip(self.metrics, self.scores, strict=True):
            numbers = (f"{a:.4f}", f"{b:.4f}", f"{a - b:+.4f}".replace("-", "−"))
            scores.append((Cell(f"{metric}"), *(Cell(text, right=True) for text in numbers)))
        return lists, scores


def _doc_with_grades(judgments: Judgments, doc: str) -> str:
    grades = " ".join(f"{intent}:{grade}" for intent, grade in judgments.labels(doc).items())
    return f"{doc}  {grades or '-'}"
