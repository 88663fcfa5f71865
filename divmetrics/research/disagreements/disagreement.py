"""What `disagree` finds: two lists with their scores and both metrics' reasons, or that there are none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from divmetrics.core.collection import Judgments, RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.render.tables import Cell, TableRow, html_notes, html_table, html_title, text_table
from divmetrics.research.disagreements.best_pairs import count_edits
from divmetrics.research.disagreements.reasons import why

SearchGoal = Literal["margin", "edits"]
SHOWN_IN_FULL = 10**7  # larger numbers of lists are told by their power of ten


@dataclass(frozen=True)
class SearchedLists:
    """What was compared: `lists` of the `total` lists of `length` judged documents of a topic.

    exact: all of them, so that the answer is proved; otherwise `seed` is that of the search. Lists with the
    same grades at every rank count as one.
    """

    pool: Judgments
    length: int
    lists: int
    total: int
    exact: bool
    seed: int

    @property
    def what(self) -> str:
        """Lists of what."""
        topic, judged = self.pool.topic, len(self.pool.docs)
        title = f" ({topic.title})" if topic.title else ""
        return f"lists of {self.length} of the {judged} judged documents of topic {topic.id}{title}"

    def __str__(self) -> str:
        if self.exact and self.lists == 1:
            return "their grades are all the same"
        if self.exact:
            return f"all {self.lists:,} lists that differ in their grades were compared"
        power = len(str(self.total)) - 1
        total = f"{self.total:,}" if self.total < SHOWN_IN_FULL else f"more than 10^{power}"
        return f"{self.lists:,} of {total} lists that differ in their grades were compared (seed {self.seed})"


@dataclass(frozen=True, repr=False)
class Agreement:
    """No two lists with both margins at least `margin` are known. Counts as false, a Disagreement as true.

    largest: the largest smaller margin of all pairs that were compared, 0 where none disagrees.
    """

    metrics: tuple[BaseMetric, BaseMetric]
    margin: float
    largest: float
    searched: SearchedLists

    def __bool__(self) -> bool:
        return False

    @property
    def exact(self) -> bool:
        """Is it proved that there is no such pair?"""
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
    """Two lists of one topic: the first metric prefers `a`, the second `b`.

    find: what the pair was chosen for, of those with both margins at least `least` (see `disagree`).
    """

    metrics: tuple[BaseMetric, BaseMetric]
    a: RankedList
    b: RankedList
    find: SearchGoal
    least: float
    searched: SearchedLists

    @property
    def exact(self) -> bool:
        """Were all lists compared, so that no other pair is better?"""
        return self.searched.exact

    @cached_property
    def scores(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """For each metric the scores of a and of b."""
        m1, m2 = self.metrics
        return (m1.score(self.a), m1.score(self.b)), (m2.score(self.a), m2.score(self.b))

    @property
    def margins(self) -> tuple[float, float]:
        """By how much the first metric prefers a to b, and the second b to a; both above 0."""
        (a1, b1), (a2, b2) = self.scores
        return a1 - b1, b2 - a2

    @property
    def edits(self) -> int:
        """The fewest edits that turn a into b: two documents swapped, or one replaced by another."""
        return count_edits(self.a, self.b)

    @property
    def how(self) -> str:
        """How the pair was found, and what is known of other pairs."""
        if self.find == "edits" and self.edits > 1:
            other = "no such lists are nearer to each other" if self.exact else "others may be nearer"
        else:
            other = "no two disagree more" if self.exact else "others may disagree more"
            if self.find == "edits":
                other = f"of those one edit apart, {other}"
        return f"{'Exact' if self.exact else 'Searched'}: {self.searched}; {other}."

    @property
    def reasons(self) -> tuple[str, str]:
        """A sentence for each metric: which intents earn more in the list that it prefers, and where."""
        return why(self.metrics[0], self.a, self.b), why(self.metrics[1], self.b, self.a)

    @property
    def words(self) -> str:
        """The reasons, and how the pair was found."""
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
        """The two lists side by side, and the scores; the first row of each is its head."""
        lists: list[TableRow] = [(Cell("rank", right=True), Cell("A"), Cell("B"))]
        for rank, docs in enumerate(zip(self.a.docs, self.b.docs, strict=True), 1):
            labelled = (Cell(_labelled(self.searched.pool, doc)) for doc in docs)
            lists.append((Cell(f"{rank}", right=True), *labelled))
        heads = ("A", "B", "A − B")
        scores: list[TableRow] = [(Cell("metric"), *(Cell(head, right=True) for head in heads))]
        for metric, (a, b) in zip(self.metrics, self.scores, strict=True):
            numbers = (f"{a:.4f}", f"{b:.4f}", f"{a - b:+.4f}".replace("-", "−"))
            scores.append((Cell(f"{metric}"), *(Cell(text, right=True) for text in numbers)))
        return lists, scores


def _labelled(pool: Judgments, doc: str) -> str:
    grades = " ".join(f"{intent}:{grade}" for intent, grade in pool.labels(doc).items())
    return f"{doc}  {grades or '-'}"
