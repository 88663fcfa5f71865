"""A convention: a table of rows by name, and the defaults for files that belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, get_args

from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.errors import DivmetricsError, did_you_mean

RunOrder = Literal["score", "rank", "file"]
ORDERS = get_args(RunOrder)
MeanOver = Literal["judged", "both"]


@dataclass(frozen=True)
class Convention:
    """The metrics of a program, or of the papers, with the defaults for reading and averaging runs.

    The arguments are not checked.

    Parameters
    ----------
    name : str
        The name, which stands before the colon in `ndeval:ERR-IA@20`.
    rows : Mapping of str to BaseMetric
        The metrics of ranked lists, without cutoffs, by name.
    order : {'score', 'rank', 'file'}
        The default order of a run's list: by "score", with ties by document id descending; by the "rank"
        column; or as in the "file".
    mean_over : {'judged', 'both'}
        The topics that are scored by default: all "judged" topics (a missing list counts as an empty one), or
        the topics in "both" judgments and run.
    about : str
        A description of the metrics, for users.
    of_nuggets : bool
        Whether the metrics are for nuggets (pieces of information that an answer needs) only.
    page_rows : Mapping of str to Metric
        The metrics of pages of blocks (aggregated search) by name; by default none.

    Examples
    --------
    >>> convention("ndeval").order
    'rank'
    """

    name: str
    rows: Mapping[str, BaseMetric]
    order: RunOrder
    mean_over: MeanOver
    about: str
    of_nuggets: bool = False
    page_rows: Mapping[str, Metric] = field(default_factory=dict)

    @property
    def every_row(self) -> Mapping[str, BaseMetric]:
        """The metrics of ranked lists, then those of pages of blocks, by name: a new dict."""
        return {**self.rows, **self.page_rows}


@cache
def conventions() -> Mapping[str, Convention]:
    """Return {name: convention} of all conventions, "paper" first; the one mapping must not be changed."""
    from divmetrics.conventions import (
        adhoc,
        aggregated,
        freshstack,
        ndeval,
        ntcireval,
        nugget_coverage,
        nuggetizer,
        paper,
    )

    # fmt: off
    # ruff: noqa: E501  (a convention's settings are one line)
    tables = (
        Convention("paper", _by_name((*paper.ROWS, *adhoc.ROWS)), "score", "judged",
        about="the metrics as their papers define them; grades kept, every intent of the topic counted",
        page_rows={row.name: row for row in aggregated.ROWS}),
        Convention("ndeval", _by_name(ndeval.ROWS), "rank", "both",
        about="the TREC Web track's program; binary grades, intents with a relevant document, all alike"),
        Convention("ntcireval", _by_name(ntcireval.ROWS), "file", "judged",
        about="NTCIREVAL; graded gains, stopping with g/(h+1), intents with a relevant document in I-rec"),
        Convention("nuggetizer", _by_name(nuggetizer.ROWS), "score", "both", of_nuggets=True,
        about="answers by nuggets in the TREC RAG track; the topics that a run answers"),
        Convention("freshstack", _by_name(freshstack.ROWS), "score", "judged", of_nuggets=True,
        about="the package freshstack; alpha-nDCG as in ndeval, Coverage of all nuggets, Recall of documents"),
        Convention("crux", _by_name(nugget_coverage.CRUX), "score", "both", of_nuggets=True,
        about="the program crux; nuggets with a grade of at least 3 of 5"),
        Convention("rubric", _by_name(nugget_coverage.RUBRIC), "score", "judged", of_nuggets=True,
        about="the RUBRIC judge of TREC Auto-Judge; nuggets with a grade of at least 3 of 5"),
        Convention("webis", _by_name(nugget_coverage.WEBIS), "score", "judged", of_nuggets=True,
        about="the judge auto_nuggetizer of TREC Auto-Judge; partial support counts as support"),
    )
    # fmt: on
    return {convention.name: convention for convention in tables}


def _by_name(rows: Iterable[BaseMetric]) -> dict[str, BaseMetric]:
    return {row.name: row for row in rows}


@public
def convention(name: str) -> Convention:
    """Return a convention.

    Parameters
    ----------
    name : str
        "paper", "ndeval", "ntcireval", "nuggetizer", "freshstack", "crux", "rubric" or "webis", spelt exactly
        so.

    Returns
    -------
    Convention
        Its metrics, and its defaults for reading and averaging runs.

    Raises
    ------
    DivmetricsError
        If no convention has this name.

    Examples
    --------
    >>> convention("paper").rows["NRBP"].source
    'clarke2009'
    """
    tables = conventions()
    if name not in tables:
        raise DivmetricsError(
            f"there is no convention {name!r}{did_you_mean(name, tables)}; known: {', '.join(tables)}"
        )
    return tables[name]
