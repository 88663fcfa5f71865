"""Read pages of blocks, and judgments by vertical, as JSON: a single object, a list of objects or JSON lines.

A page of one run for one topic; `run` may be left out, and is then the name of the file:

    {"topic": "7", "run": "A", "blocks": [
        {"vertical": "web", "items": ["w1"]},
        {"vertical": "image", "items": ["i1", "i2"]}]}

The judgments of one topic; `orientation` is the share of users who prefer the vertical to general web ("web",
for which it is left out), `effort` that of reading an item of the vertical (1 if it is left out):

    {"topic": "7", "verticals": [
        {"vertical": "web", "items": {"w1": 2, "w2": 0}},
        {"vertical": "image", "orientation": 0.8, "effort": 0.5, "items": {"i1": 2, "i2": 1}}]}

It may also have a "title", the top grade ("scale": 2), the "layout" of the ideal page ({"web": 10,
"verticals": 3, "items": 3}) and "duplicates", lists of items that show the same ([["w1", "i2"]]).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from divmetrics.aggregated import WEB, Block, Item, PageLayout, Query, Vertical
from divmetrics.core.checks import is_whole, quote
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.io.json_records import Record, records
from divmetrics.io.validate import topic_id

if TYPE_CHECKING:
    from divmetrics.io.formats import InputFile

PAGES = 'pages of blocks as JSON ({"topic", "run", "blocks": [{"vertical", "items": [item, ...]}]})'
QUERIES = (
    'judgments by vertical as JSON ({"topic", "verticals": [{"vertical", "orientation", "items": '
    "{item: grade}}]})"
)
TOPIC_KEYS = ("topic", "title", "scale", "layout", "verticals", "duplicates")
LAYOUT_KEYS = ("web", "verticals", "items")

Orientations = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class PageRecord:
    """A page in a file: file and line (`where`), ids of topic and run ("" without one), and blocks."""

    where: str
    topic: str
    run: str
    blocks: tuple[Block, ...]


def pages(file: InputFile) -> Iterator[PageRecord]:
    """Yield the pages of a JSON file; raise DivmetricsError, naming the line, if one is invalid."""
    for record in records(file.contents, PAGES):
        _check_keys(record, ("topic", "run", "blocks"))
        topic = topic_id(record.id("topic"))
        run = record.id("run") if record.has("run") else ""
        yield PageRecord(record.where, topic, run, tuple(map(_block, record.records("blocks", "block"))))


def _block(record: Record) -> Block:
    _check_keys(record, ("vertical", "items"))
    items = record.ids("items")
    if not items:
        raise record.error("has no items", "name the items that it shows, or remove the block")
    return Block(record.id("vertical"), items)


def queries(file: InputFile, orientations: Orientations | None) -> list[Query]:
    """Read the judgments of every topic in a JSON file, in its order.

    orientations: {topic: {vertical: share of users}}, which replaces that of the file, or None; a vertical
    that it leaves out has the share 0. Raises DivmetricsError, naming the line, if a topic is invalid or
    judged twice, `orientations` lacks it or does not fit it, or without them a vertical has no orientation.
    """
    queries: dict[str, tuple[str, Query]] = {}
    for record in records(file.contents, QUERIES):
        query = _query(record, orientations)
        if query.id in queries:
            first = queries[query.id][0]
            raise record.error(f"judges topic {query.id} again (first at {first})", "remove one of the two")
        queries[query.id] = record.where, query
    return [query for _, query in queries.values()]


def _query(record: Record, orientations: Orientations | None) -> Query:
    _check_keys(record, TOPIC_KEYS)
    topic = topic_id(record.id("topic"))
    content = _contents(record)
    with located(record.where):
        shares = None if orientations is None else shares_of(topic, orientations)
    verticals = [_vertical(each, shares, content) for each in record.records("verticals", "vertical")]
    judged = {item.id for vertical in verticals for item in vertical.items}
    stray = next((item for item in content if item not in judged), None)
    if stray is not None:
        raise record.error(f"names {quote(stray)} among the duplicates, which no vertical has")
    check_shares(record.where, topic, shares or {}, [vertical.id for vertical in verticals])
    layout = PageLayout()
    with located(record.where):
        if record.has("layout"):
            sizes = record.record(record.fields["layout"], "layout")
            _check_keys(sizes, LAYOUT_KEYS)
            layout = PageLayout(**sizes.fields)
        title, scale = record.first_text("title"), record.fields.get("scale")
        return Query(topic, tuple(verticals), layout, scale, title)


def _vertical(record: Record, shares: Mapping[str, float] | None, content: Mapping[str, str]) -> Vertical:
    _check_keys(record, ("vertical", "orientation", "effort", "items"))
    name = record.id("vertical")
    if shares is not None:
        orientation = shares.get(name, 1.0 if name == WEB else 0.0)
    else:
        orientation = 1.0 if name == WEB and not record.has("orientation") else record.number("orientation")
    effort = record.number("effort") if record.has("effort") else 1.0
    grades = record.record(record.fields.get("items"), "items")
    items = []
    for item, grade in grades.fields.items():
        if not is_whole(grade):
            raise grades.error(f"gives {quote(item)} the grade {quote(grade)}, which is not a whole number")
        with located(record.where):
            items.append(Item(record.check_text(item, "item"), max(grade, 0), effort, content.get(item, "")))
    with located(record.where):
        return Vertical(name, orientation, items)


def _contents(record: Record) -> dict[str, str]:
    """Return {item: the first of its duplicates}."""
    if not record.has("duplicates"):
        return {}
    content: dict[str, str] = {}
    for number, listed in enumerate(record.values("duplicates"), 1):
        name = f"set {number}"
        items = Record(record.where, {"duplicates": listed}, record.expected, name).ids("duplicates")
        twice = next((item for item in items if item in content or items.count(item) > 1), None)
        if twice is not None:
            raise record.error(f"names {quote(twice)} twice among the duplicates", "name it once")
        content |= dict.fromkeys(items, items[0])
    return content


def shares_of(topic: str, orientations: Orientations) -> Mapping[str, float]:
    """Return {vertical: share} of a topic; raise DivmetricsError if `orientations` lack the topic."""
    if topic not in orientations:
        raise DivmetricsError(
            f"there are no orientations for topic {topic!r}{did_you_mean(topic, orientations)}; give the "
            "share of users who want each of its verticals, or leave out its judgments"
        )
    return orientations[topic]


def check_shares(where: str, topic: str, shares: Iterable[str], verticals: Iterable[str]) -> None:
    """Raise DivmetricsError if a vertical in `shares` is neither one of `verticals` nor general web.

    where: the beginning of the message, such as file and line; topic: the id of the topic in it.
    """
    names = list(verticals)
    stray = next((vertical for vertical in shares if vertical not in (*names, WEB)), None)
    if stray is not None:
        raise DivmetricsError(
            f"{where}: topic {topic} has an orientation for vertical {quote(stray)}, of which no item is "
            f"judged{did_you_mean(stray, names)}; its verticals are {', '.join(names)}: correct the name, or "
            "leave the vertical out"
        )


def _check_keys(record: Record, names: Iterable[str]) -> None:
    """Raise DivmetricsError for a misspelt field, which would otherwise be ignored."""
    stray = next((key for key in record.fields if key not in names), None)
    if stray is not None:
        what = f"has a field {quote(stray)}{did_you_mean(stray, names)}"
        raise record.error(what, f"remove or rename it (the fields are {', '.join(names)})")


@contextlib.contextmanager
def located(where: str | os.PathLike[str]) -> Iterator[None]:
    """Put `where` and a colon before the message of a DivmetricsError raised in a `with` statement."""
    try:
        yield
    except DivmetricsError as error:
        raise DivmetricsError(f"{os.fspath(where)}: {error}") from None
