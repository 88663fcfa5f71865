r"""Read a folder of TREC's Federated Web Search track: graded results of engines, and the engines' verticals.

The formats are those of 2013 and 2014. Files are recognised by their first line, whatever their names:

- results, FW13-QRELS-RM.txt: `topic 0 FW13-e001-7001-01 grade`, the engine, topic and rank being in the id;
- engines, official-resources-FW13-categorization.tsv: `e001 <TAB> name <TAB> address <TAB> vertical`;
- duplicates, duplicates.txt: `0 <TAB> FW13-e055-7070-02 <TAB> FW13-e055-7070-03 ...` (without the number in
  2014);
- topics, FW13-topics.txt: `7001:text`.

Other files are ignored. Grades are printed as gains there, 2^level - 1 (0, 1, 3, 7); the levels 0 to 3 (none,
relevant, highly relevant, key) are the grades here. "General" is general web.

Nobody asked users which verticals they want. Without orientations of yours, that of a vertical is the largest
graded precision of its engines, by which FedWeb 2014 judged engines (README-RS.txt): the sum of the weights
0, .158, .546 and 1 of its ten results, divided by 10.

Duplicates are treated as in FedWeb 2014 (README-RM.txt): the first on a page keeps its grade, and the others
are not relevant. FW13-remove-duplicates.py, which the track released in 2013, keeps the first in the file of
judgments instead, whatever a run displays first.
"""

from __future__ import annotations

import os
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping

from divmetrics.aggregated import WEB, Item, Query, Vertical
from divmetrics.core.checks import quote
from divmetrics.errors import DivmetricsWarning, some
from divmetrics.io import trec
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.formats import InputFile, fedweb_files
from divmetrics.io.page_files import Orientations, check_shares, located, shares_of

FOLDER = "TREC FedWeb's judged results, engines with their verticals, and duplicates, in one folder"
ITEM = re.compile(r"(?:FW[0-9]{2}-)?(e[0-9]+)-[^-\s]+-[0-9]+")
ENGINE = re.compile(r"(?:FW[0-9]{2}-)?(e[0-9]+)")
ENGINES = "TREC FedWeb's engines (engine, name, address and vertical, between tabs)"
GENERAL = ("general", "fw14-v001")
WEIGHTS = (0.0, 0.158, 0.546, 1.0, 1.0)  # of none, relevant, highly relevant, key, navigational
RESULTS = 10  # of an engine for a topic
SCALE = 3


def queries(file: InputFile, orientations: Orientations | None) -> list[Query]:
    """Read the folder of a FedWeb track: a query for each judged topic, in the order of the judgments.

    orientations: {topic: {vertical: share of users}}, in which a vertical that is left out has the share 0,
    or None for graded precisions of engines, with a warning. Warns, too, if the folder has no file of
    duplicates, or an engine has several categories. Raises DivmetricsError if the file of engines is missing,
    a line is invalid, or a topic or vertical of the orientations does not fit the judgments.
    """
    files = fedweb_files(file)
    vertical_of = _verticals(files["engines"].contents) if "engines" in files else {}
    if not vertical_of:
        what = "has no file of engines"
        raise format_error(os.fspath(file.path), what, FOLDER, "add the file of engines and their verticals")
    content = _contents(files["duplicates"].contents) if "duplicates" in files else {}
    titles = _titles(files["topics"].contents) if "topics" in files else {}
    judged = files["judgments"]
    columns = trec.judgments(judged, None)
    precision: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    items: dict[str, dict[str, list[Item]]] = defaultdict(lambda: {WEB: []})
    for topic, item, gain in zip(columns.topic, columns.doc, columns.grade.tolist(), strict=True):
        engine = _engine(item, vertical_of, judged.contents)
        level = _level(item, gain, judged.contents)
        precision[topic][engine] += WEIGHTS[level] / RESULTS
        of_topic = items[topic]
        of_topic.setdefault(vertical_of[engine], []).append(Item(item, level, content=content.get(item, "")))
    _warn(file, "duplicates" in files, orientations is None)
    made = []
    for topic, of_topic in items.items():
        with located(judged.path):
            shares = (
                _best_precision(precision[topic], vertical_of)
                if orientations is None
                else shares_of(topic, orientations)
            )
        check_shares(os.fspath(judged.path), topic, shares, of_topic)
        made.append(_query(topic, of_topic, {WEB: 1.0, **shares}, titles, judged.path))
    return made


def _query(
    topic: str,
    items: Mapping[str, list[Item]],
    shares: Mapping[str, float],
    titles: Mapping[str, str],
    path: str | os.PathLike[str],
) -> Query:
    top = max(item.grade for listed in items.values() for item in listed)
    with located(path):
        verticals = (Vertical(name, shares.get(name, 0.0), listed) for name, listed in items.items())
        return Query(topic, tuple(verticals), scale=max(top, SCALE), title=titles.get(topic, ""))


def _best_precision(precision: Mapping[str, float], vertical_of: Mapping[str, str]) -> dict[str, float]:
    """Return the largest graded precision of the engines of each vertical but general web."""
    best: dict[str, float] = {}
    for engine, value in precision.items():
        vertical = vertical_of[engine]
        if vertical != WEB:
            best[vertical] = max(best.get(vertical, 0.0), min(value, 1.0))
    return best


def _engine(item: str, vertical_of: dict[str, str], contents: Contents) -> str:
    """Return the engine of an item; raise DivmetricsError, naming the line, if it has no vertical."""
    match = ITEM.fullmatch(item)
    if match is None:
        what, remedy = f"{quote(item)} is not the id of a result", "correct it"
    elif match[1] not in vertical_of:
        what = f"{quote(item)} is a result of engine {match[1]}, which the file of engines does not have"
        remedy = "add the engine and its vertical there, or remove its results"
    else:
        return match[1]
    raise format_error(_line_of(item, contents), what, "ids such as FW13-e001-7001-01", remedy)


def _level(item: str, gain: int, contents: Contents) -> int:
    """Return the level of a gain; raise DivmetricsError, naming the line, if it is none of TREC FedWeb's."""
    level = max(gain, 0).bit_length()
    if max(gain, 0) != 2**level - 1 or level >= len(WEIGHTS):
        what = f"{quote(item)} has the grade {gain}"
        expected = "a gain of TREC FedWeb, 0, 1, 3, 7 or 15"
        raise format_error(_line_of(item, contents), what, expected, "take those of the track")
    return level


def _line_of(item: str, contents: Contents) -> str:
    return contents.at_byte(max(contents.data.find(item.encode()), 0))


def _lines(contents: Contents) -> Iterator[tuple[str, list[str]]]:
    """Yield (file:line, fields between tabs) of every line that is not blank."""
    for number, line in enumerate(contents.text().split("\n"), contents.first_line):
        if line.strip():
            yield f"{contents.source}:{number}", [field.strip() for field in line.split("\t")]


def _verticals(contents: Contents) -> dict[str, str]:
    """Return {engine: vertical}; an engine in several categories counts in the first, with a warning."""
    vertical_of: dict[str, str] = {}
    several = []
    for row, (where, fields) in enumerate(_lines(contents)):
        match = ENGINE.fullmatch(fields[0])
        if match is None and row == 0:  # the heading of 2014
            continue
        if match is None or len(fields) < 2 or not fields[-1]:
            what = f"has no engine or no vertical ({quote(' '.join(fields))})"
            raise format_error(where, what, ENGINES, "correct it")
        first, *others = (name.strip() for name in fields[-1].split(","))
        if others:
            several.append(match[1])
        name = WEB if first.casefold() in GENERAL else first
        if vertical_of.setdefault(match[1], name) != name:
            what = f"puts engine {match[1]} into {quote(name)}, after {quote(vertical_of[match[1]])}"
            raise format_error(where, what, "one line for each engine", "remove one of the two")
    if several:
        warnings.warn(
            f"{contents.source}: {len(several)} engine(s) have several categories, of which the first counts "
            f"({some(several)})",
            DivmetricsWarning,
            stacklevel=2,
        )
    return vertical_of


def _contents(contents: Contents) -> dict[str, str]:
    """Return {item: the first of its duplicates}; a number may stand before the items."""
    content: dict[str, str] = {}
    for where, fields in _lines(contents):
        items = [field for field in fields if field]
        items = items[1:] if items[0].isdigit() else items
        wrong = next((item for item in items if ITEM.fullmatch(item) is None), None)
        twice = next((item for item in items if item in content), None)
        if wrong is not None or twice is not None:
            what = f"{quote(twice)} is in two sets of duplicates"
            if wrong is not None:
                what = f"{quote(wrong)} is not the id of a result"
            expected = "a set of ids such as FW13-e001-7001-01, between tabs"
            raise format_error(where, what, expected, "correct it")
        content |= dict.fromkeys(items, items[0])
    return content


def _titles(contents: Contents) -> dict[str, str]:
    """Return {topic: text}."""
    titles = {}
    for where, fields in _lines(contents):
        topic, colon, text = " ".join(fields).partition(":")
        if not colon or not topic.strip():
            raise format_error(where, "has no topic before a colon", "a line such as 7001:text", "correct it")
        titles[topic.strip()] = text.strip()
    return titles


def _warn(file: InputFile, has_duplicates: bool, estimated: bool) -> None:
    if not has_duplicates:
        warnings.warn(
            f"{os.fspath(file.path)}: there is no file of duplicates, so a page that stands on a result page "
            "twice counts twice",
            DivmetricsWarning,
            stacklevel=3,
        )
    if estimated:
        warnings.warn(
            f"{os.fspath(file.path)}: there are no orientations, so that of a vertical is the largest graded "
            "precision of its engines: it knows what results are worth, not what users want; give the shares "
            "of users as topics if you have them",
            DivmetricsWarning,
            stacklevel=3,
        )
