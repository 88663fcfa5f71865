"""What `flip` finds: the edit, what the metrics say before and after it; or that there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import compare_scores
from divmetrics.render.tables import (
    Cell,
    TableRow,
    format_score,
    html_notes,
    html_table,
    html_title,
    text_table,
)
from divmetrics.research.counterfactual.edits import Edit
from divmetrics.research.counterfactual.inputs import Page


@dataclass(frozen=True)
class SearchedEdits:
    """How many pages were compared, and whether these were all of their sizes."""

    pages: int
    complete: bool


@dataclass(frozen=True, repr=False)
class Flip:
    """The smallest edit that was found: `edits` in their order, the lists `before` and `after`."""

    metric: BaseMetric
    keep: tuple[BaseMetric, ...]
    before: Page
    edits: tuple[Edit, ...]
    after: Page
    searched: SearchedEdits

    def __bool__(self) -> bool:
        return True

    @property
    def exact(self) -> bool:
        """Is it proved that no edit of fewer moves and grades does it?"""
        return self.searched.complete

    @cached_property
    def scores(self) -> dict[BaseMetric, tuple[tuple[float, float], tuple[float, float]]]:
        """For each metric the scores of A and B before, and after."""
        return {
            metric: ((metric.score(a), metric.score(b)), (metric.score(c), metric.score(d)))
            for (a, b), (c, d) in [(self.before, self.after)]
            for metric in (self.metric, *self.keep)
        }

    @property
    def words(self) -> str:
        """What to do, what it flips, and what is known of smaller edits."""
        done = " and ".join(map(str, self.edits))
        was, now = self.scores[self.metric]
        flipped = (
            f"{done[0].upper()}{done[1:]}: {self.metric} then prefers {_told(now)} instead of {_told(was)}."
        )
        kept = [f"{metric} {_stays(self.scores[metric][1])}." for metric in self.keep]
        return " ".join((flipped, *kept, self.how))

    @property
    def how(self) -> str:
        """What is known of smaller edits."""
        pages = f"{self.searched.pages:,} pages"
        if self.exact:
            return f"Exact: all {pages} with no more edits were compared."
        return f"Searched: {pages} were compared, but not all with no more edits; a smaller edit may exist."

    def __repr__(self) -> str:
        return f"{self.words}\n\n{text_table(*self._table())}"

    def _repr_html_(self) -> str:
        title = html_title(f"The smallest edit that flips {self.metric}")
        return f"{title}{html_table(*self._table())}{html_notes([self.words])}"

    def _table(self) -> tuple[TableRow, list[TableRow]]:
        heads = ("A before", "B before", "A after", "B after")
        rows: list[TableRow] = [
            (Cell(f"{metric}"), *(Cell(format_score(x), right=True) for page in pages for x in page))
            for metric, pages in self.scores.items()
        ]
        return (Cell("metric"), *(Cell(head, right=True) for head in heads)), rows


@dataclass(frozen=True, repr=False)
class NoFlip:
    """No edit with that many moves and grades or fewer was found. Counts as false, a Flip as true."""

    metric: BaseMetric
    keep: tuple[BaseMetric, ...]
    before: Page
    most_edits: int
    grades: bool
    searched: SearchedEdits

    def __bool__(self) -> bool:
        return False

    @property
    def exact(self) -> bool:
        """Is it proved that there is none?"""
        return self.searched.complete

    def __repr__(self) -> str:
        some = "moves or new grades" if self.grades else "moves"
        single = "move or new grade" if self.grades else "move"
        what = f"edit of at most {self.most_edits} {some}" if self.most_edits > 1 else f"single {single}"
        kept = f" and leaves {' and '.join(map(str, self.keep))}" if self.keep else ""
        flips = f"{what} flips {self.metric}{kept}"
        pages = f"{self.searched.pages:,} pages were compared"
        if self.exact:
            return f"No {flips}: all {pages}."
        return f"No {flips}, as far as is known: {pages}. That proves nothing; try a larger budget."


def _told(scores: tuple[float, float]) -> str:
    a, b = scores
    higher, lower = ("A", "B") if a > b else ("B", "A")
    return f"{higher} ({format_score(max(scores))} against {format_score(min(scores))} for {lower})"


def _stays(scores: tuple[float, float]) -> str:
    if not compare_scores(*scores):
        return f"still prefers neither ({format_score(scores[0])} both)"
    return f"still prefers {_told(scores)}"
