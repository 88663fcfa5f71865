"""Load pages of blocks and the queries that they answer: judgments by vertical, and orientations."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from divmetrics.aggregated import BlockPage, Item, Query, Vertical
from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole, quote
from divmetrics.errors import DivmetricsError, DivmetricsWarning, some
from divmetrics.io import JudgmentColumns, load_qrel_columns, qrels_from_objects
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import file_stem, format_error, open_contents
from divmetrics.io.formats import InputFile, find_format
from divmetrics.io.page_files import (
    PAGES,
    QUERIES,
    Orientations,
    PageRecord,
    check_shares,
    located,
    shares_of,
)
from divmetrics.io.page_sources import named_paths
from divmetrics.io.validate import topic_id

ORIENTATIONS = LineFormat("orientations", {"topic": "text", "vertical": "text", "orientation": "number"})
SHARE = "a number from 0 to 1, the share of users who want the vertical"
WHOLE_TOPIC = "0"


@public
def read_queries(judgments: Any, orientations: Any = None) -> list[Query]:
    r"""Read the judgments of topics by vertical, for pages of blocks.

    Parameters
    ----------
    judgments : path, DataFrame, mapping or tuples
        JSON, an object for each topic: `{"topic": "7", "verticals": [{"vertical": "web", "items": {"w1": 2}},
        {"vertical": "image", "orientation": 0.8, "effort": 0.5, "items": {"i1": 1}}]}`, perhaps with "scale",
        "layout", "title" and "duplicates". A folder of TREC FedWeb: judged results, engines with their
        verticals, duplicates, topics. Or judgments as in `read_qrels`, whose intents are the verticals.
    orientations : path or mapping, optional
        The share of users who prefer a vertical to general web: lines `topic vertical share`, or {topic:
        {vertical: share}}; a vertical without one has 0. Needed for judgments as in `read_qrels`. They
        replace those of JSON, and the graded precision of engines that stands for them in TREC FedWeb.

    Returns
    -------
    list of Query
        The queries, in the order of the judgments.

    Raises
    ------
    DivmetricsError
        If a file cannot be read or is invalid, with file and line; if verticals or orientations are missing,
        or a vertical that has an orientation is not judged; or if an item is judged in two verticals.

    Notes
    -----
    General web is the vertical "web". Unless JSON has a layout, the ideal page is that of Zhou et al. (2013):
    ten web blocks and up to three vertical blocks of three items.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "qrels")
    >>> _ = path.write_text("7 web w1 2\n7 image i1 1\n")
    >>> read_queries(path, {"7": {"image": 0.8}})
    [<query 7: web 1, image 0.8; grades 0-2>]
    """
    shares = _orientations(orientations)
    if not isinstance(judgments, (str, Path)):
        return _by_vertical(qrels_from_objects(judgments), shares)
    file = InputFile(judgments, QUERIES)
    form = find_format("queries", file)
    if form is None:
        return _by_vertical(load_qrel_columns(judgments), shares)
    queries: list[Query] = form.parser.queries(file, shares)
    return queries


@public
def read_pages(pages: Any, queries: Sequence[Query]) -> list[BlockPage]:
    r"""Read pages of blocks.

    Parameters
    ----------
    pages : path, list of paths or mapping of str to path
        JSON, an object for each page: `{"topic": "7", "run": "A", "blocks": [{"vertical": "web", "items":
        ["w1"]}, {"vertical": "image", "items": ["i1", "i2"]}]}`. A file holds
        one object, a list of objects, or one object per line. A page without "run" belongs to a run that is
        named after its file; {run: path} gives the only run of a file another name.
    queries : sequence of Query
        The queries, from `read_queries`.

    Returns
    -------
    list of BlockPage
        The pages, run by run, each in file order. Pages of other topics are left out, with a warning.

    Raises
    ------
    DivmetricsError
        If a file cannot be read, a page is invalid or has an item that its query lacks, a run has two pages
        for a topic or none for any query, a file with pages of several runs is given one name, or there are
        no queries.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> _ = (folder / "qrels").write_text("7 web w1 2\n7 image i1 1\n")
    >>> page = '{"topic": "7", "blocks": [{"vertical": "image", "items": ["i1"]}]}'
    >>> _ = (folder / "A.json").write_text(page)
    >>> queries = read_queries(folder / "qrels", {"7": {"image": 0.8}})
    >>> read_pages(folder / "A.json", queries)
    [<page A of query 7: image[1]>]
    """
    by_run, unjudged = load_pages(pages, queries)
    for run, topics in unjudged.items():
        if topics:
            what = f"run {run!r} answers {len(topics)} topic(s) without judgments, which are left out"
            warnings.warn(f"{what} ({some(topics)})", DivmetricsWarning, stacklevel=2)
    return [page for of_run in by_run.values() for page in of_run.values()]


def load_queries(
    judgments: Any, orientations: Any, scale: int | None = None, relevance_level: int = 1
) -> list[Query]:
    """Return the queries for pages of blocks.

    Parameters
    ----------
    judgments
        A Query, a list of them, or what `read_queries` reads.
    orientations
        As in `read_queries`; None for Query objects, which have theirs.
    scale : int, optional
        The top grade of all queries; by default each keeps its own.
    relevance_level : int
        Grades below it become 0.

    Returns
    -------
    list of Query
        The queries, in their order.

    Raises
    ------
    DivmetricsError
        If `relevance_level` is no whole number of at least 1, orientations come with Query objects, a grade
        is above `scale`, or in the cases of `read_queries`.
    """
    check_whole("the relevance level", relevance_level, 1)
    if isinstance(judgments, Query):
        judgments = [judgments]
    if isinstance(judgments, (list, tuple)) and judgments and isinstance(judgments[0], Query):
        if orientations is not None:
            raise DivmetricsError("queries have their orientations; leave out the topics")
        queries = list(judgments)
    else:
        queries = read_queries(judgments, orientations)
    if relevance_level > 1:
        queries = [_without_low_grades(query, relevance_level) for query in queries]
    return queries if scale is None else [replace(query, scale=scale) for query in queries]


def load_pages(
    sources: Any, queries: Sequence[Query]
) -> tuple[dict[str, dict[str, BlockPage]], dict[str, tuple[str, ...]]]:
    """Return the pages, {run: {topic: page}}, and {run: topics without judgments that it answers}.

    sources: as `pages` in `read_pages`. Raises DivmetricsError if a file cannot be read, a page is invalid,
    or a run has two pages for a topic or none for any query.
    """
    by_id = {query.id: query for query in queries}
    if not by_id:
        raise DivmetricsError("there are no queries; give at least one, from read_queries")
    by_run: dict[str, dict[str, BlockPage]] = {}
    unjudged: dict[str, list[str]] = {}
    first: dict[tuple[str, str], str] = {}
    for run, record in _records(sources):
        pages = by_run.setdefault(run, {})
        others = unjudged.setdefault(run, [])
        before = first.get((run, record.topic))
        if before is not None:
            what = f"is another page of run {run!r} for topic {record.topic} (first at {before})"
            remedy = "remove one of the two, or name their runs"
            raise format_error(record.where, what, "one page of a run for each topic", remedy)
        first[run, record.topic] = record.where
        if record.topic in by_id:
            with located(record.where):
                pages[record.topic] = BlockPage(by_id[record.topic], record.blocks, run)
        else:
            others.append(record.topic)
    for run, pages in by_run.items():
        if not pages:
            there, judged = unjudged[run][0], next(iter(by_id))
            raise DivmetricsError(
                f"run {run!r} has no page for a judged topic (judged: {judged!r} ..., the run: {there!r} "
                "...); give pages and judgments of the same topics"
            )
    return by_run, {run: tuple(topics) for run, topics in unjudged.items()}


def _records(sources: Any) -> Iterator[tuple[str, PageRecord]]:
    """Yield (run, page) for every page in the files."""
    paths = list(named_paths(sources))
    if not paths:
        raise DivmetricsError(f"pages are {quote(sources)}, expected the path of {PAGES}, or several")
    for name, path in paths:
        file = InputFile(path, PAGES)
        form = find_format("pages", file)
        if form is None:
            what = "does not begin with a page of blocks"
            raise format_error(os.fspath(path), what, PAGES, "check that it is the file meant")
        records = list(form.parser.pages(file))
        runs = list(dict.fromkeys(record.run for record in records))
        if name is not None and len(runs) > 1:
            raise DivmetricsError(
                f"{os.fspath(path)} has pages of {len(runs)} runs ({some(runs)}), which are given one name, "
                f"{name!r}; leave out the name"
            )
        yield from ((name or record.run or file_stem(path), record) for record in records)


def _orientations(source: Any) -> Orientations | None:
    """Return {topic: {vertical: share}} of a mapping or a file; None for None."""
    if source is None:
        return None
    if isinstance(source, Mapping) and all(isinstance(shares, Mapping) for shares in source.values()):
        return {topic_id(str(topic)): shares for topic, shares in source.items()}
    if not isinstance(source, (str, Path)):
        raise DivmetricsError(
            f"the orientations are {quote(source)}, expected {{topic: {{vertical: share}}}} or the path of "
            f"{ORIENTATIONS.description}"
        )
    contents = open_contents(source, ORIENTATIONS.description)
    columns = read_columns(contents, ORIENTATIONS)
    shares: dict[str, dict[str, float]] = {}
    rows = zip(*(columns[name].tolist() for name in ORIENTATIONS.columns), strict=True)
    for row, (topic, vertical, share) in enumerate(rows):
        of_topic = shares.setdefault(topic_id(topic), {})
        what = ""
        if not 0 <= share <= 1:
            what = f"vertical {quote(vertical)} has the orientation {share:g}"
        elif vertical in of_topic:
            what = f"vertical {quote(vertical)} of topic {topic} has a second orientation"
        if what:
            raise format_error(contents.line(row), what, f"{SHARE}, once", "correct or remove the line")
        of_topic[vertical] = share
    return shares


def _by_vertical(columns: JudgmentColumns, orientations: Orientations | None) -> list[Query]:
    """Return the queries of judgments whose intents are verticals."""
    where = columns.source
    if set(columns.intent.distinct.tolist()) == {WHOLE_TOPIC}:
        raise DivmetricsError(
            f"{where}: the judgments do not name the vertical of an item (the second column is 0); give "
            f"lines `topic vertical item grade`, {QUERIES}, or the folder of TREC FedWeb"
        )
    if orientations is None:
        raise DivmetricsError(
            f"{where}: the judgments do not say how many users want a vertical; give the topics as lines "
            "`topic vertical share`, with shares from 0 to 1"
        )
    items: dict[str, dict[str, list[Item]]] = {}
    owner: dict[tuple[str, str], str] = {}
    rows = zip(columns.topic, columns.intent, columns.doc, columns.grade.tolist(), strict=True)
    for topic, vertical, item, grade in rows:
        if owner.setdefault((topic, item), vertical) != vertical:
            raise DivmetricsError(
                f"{where}: item {quote(item)} of topic {topic} is judged for the verticals "
                f"{owner[topic, item]!r} and {vertical!r}; expected each item in one; keep one of them"
            )
        with located(where):
            items.setdefault(topic, {}).setdefault(vertical, []).append(Item(item, max(grade, 0)))
    return [_query(where, topic, of_topic, orientations) for topic, of_topic in items.items()]


def _query(where: str, topic: str, items: Mapping[str, Iterable[Item]], orientations: Orientations) -> Query:
    with located(where):
        shares = {"web": 1.0, **shares_of(topic, orientations)}
        verticals = tuple(Vertical(name, shares.get(name, 0.0), listed) for name, listed in items.items())
        query = Query(topic, verticals)
    check_shares(where, topic, shares, items)
    return query


def _without_low_grades(query: Query, relevance_level: int) -> Query:
    def lowered(item: Item) -> Item:
        return item if item.grade >= relevance_level else replace(item, grade=0)

    verticals = tuple(Vertical(v.id, v.orientation, map(lowered, v.items)) for v in query.verticals)
    return replace(query, verticals=verticals)
