"""Results of `flip`: the smallest edit with the scores before and after it, or that there is none."""

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
from divmetrics.research.counterfactual.inputs import ListPair


@dataclass(frozen=True)
class SearchedEdits:
    """The number of pages compared, and whether these are all pages that so few edits can make."""

    pages: int
    complete: bool


@dataclass(frozen=True, repr=False)
class Flip:
    """The smallest edit found of two lists that flips the preference of a metric. True in a boolean context.

    If `exact` is True, no smaller edit flips it.

    Parameters
    ----------
    metric : BaseMetric
        The metric whose preference flips.
    keep : tuple of BaseMetric
        The metrics whose preferences stay.
    before : tuple of two RankedList
        Lists A and B before the edits.
    edits : tuple of Move or Regrade
        The edits in the order in which they are applied.
    after : tuple of two RankedList
        Lists A and B after the edits.
    searched : SearchedEdits
        The number of pages (pairs of lists after an edit) compared, and whether the search was complete.

    Examples
    --------
    >>> import divmetrics as dm
    >>> from divmetrics.research.datasets import harry_potter
    >>> lists = [harry_potter().list(run, "0083") for run in ("A", "C")]
    >>> result = dm.flip("ERR-IA@5", *lists, edits=1)
    >>> print(*result.edits)
    move d14 in B up from rank 4 to rank 1
    >>> result.exact
    True
    """

    metric: BaseMetric
    keep: tuple[BaseMetric, ...]
    before: ListPair
    edits: tuple[Edit, ...]
    after: ListPair
    searched: SearchedEdits

    def __bool__(self) -> bool:
        return True

    @property
    def exact(self) -> bool:
        """Whether it is proved that no fewer moves and new grades of listed documents flip the metric.

        Only edits count that leave the preferences of `keep` as they were.
        """
        return self.searched.complete

    @cached_property
    def scores(self) -> dict[BaseMetric, tuple[tuple[float, float], tuple[float, float]]]:
        """The scores of A and B, {metric: ((A before, B before), (A after, B after))}."""

        def score_both(metric: BaseMetric, lists: ListPair) -> tuple[float, float]:
            return metric.score(lists[0], level=1), metric.score(lists[1], level=1)

        return {
            metric: (score_both(metric, self.before), score_both(metric, self.after))
            for metric in (self.metric, *self.keep)
        }

    @property
    def words(self) -> str:
        """Sentences on the edit, the flipped and kept preferences, and on whether it is minimal."""
        edits = " and ".join(map(str, self.edits))
        old, new = self.scores[self.metric]
        prefers = f"{self.metric} then prefers {_preference_text(new)} instead of {_preference_text(old)}"
        flipped = f"{edits[0].upper()}{edits[1:]}: {prefers}."
        unchanged = [f"{metric} {_unchanged_text(self.scores[metric][1])}." for metric in self.keep]
        return " ".join((flipped, *unchanged, self.how))

    @property
    def how(self) -> str:
        """A sentence on the number of pages compared, and whether a smaller edit may exist."""
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
    """The result of `flip` if it finds no edit that flips the metric. False in a boolean context.

    Parameters
    ----------
    metric : BaseMetric
        The metric whose preference should flip.
    keep : tuple of BaseMetric
        The metrics whose preferences should stay.
    before : tuple of two RankedList
        Lists A and B.
    most_edits : int
        The largest number of moves and new grades tried.
    grades : bool
        Whether grades could change.
    searched : SearchedEdits
        The number of pages (pairs of lists after an edit) compared, and whether the search was complete.

    Examples
    --------
    >>> import divmetrics as dm
    >>> from divmetrics.research.datasets import harry_potter
    >>> lists = [harry_potter().list(run, "0083") for run in ("A", "D")]
    >>> dm.flip("ERR-IA@5", *lists, edits=1)
    No single move flips ERR-IA@5: all 98 pages were compared.
    """

    metric: BaseMetric
    keep: tuple[BaseMetric, ...]
    before: ListPair
    most_edits: int
    grades: bool
    searched: SearchedEdits

    def __bool__(self) -> bool:
        return False

    @property
    def exact(self) -> bool:
        """Whether it is proved that no edit within the limits flips the metric and meets `keep`.

        An edit moves a listed document or changes its grade, see `flip`.
        """
        return self.searched.complete

    def __repr__(self) -> str:
        several = "moves or new grades of listed documents" if self.grades else "moves"
        single = "move or new grade of a listed document" if self.grades else "move"
        what = f"edit of at most {self.most_edits} {several}" if self.most_edits > 1 else f"single {single}"
        unchanged = f" and leaves {' and '.join(map(str, self.keep))}" if self.keep else ""
        flips = f"{what} flips {self.metric}{unchanged}"
        pages = f"{self.searched.pages:,} pages were compared"
        if self.exact:
            return f"No {flips}: all {pages}."
        return f"No {flips}, as far as is known: {pages}. That proves nothing; try a larger budget."


def _preference_text(scores: tuple[float, float]) -> str:
    a, b = scores
    higher, lower = ("A", "B") if a > b else ("B", "A")
    return f"{higher} ({format_score(max(scores))} against {format_score(min(scores))} for {lower})"


def _unchanged_text(scores: tuple[float, float]) -> str:
    if not compare_scores(*scores):
        return f"still prefers neither ({format_score(scores[0])} both)"
    return f"still prefers {_preference_text(scores)}"
