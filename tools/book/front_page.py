"""The front page of the book, with a lab of two short lists: an extension of Sphinx.

The page is one file that brings its own styles and script, so that a first visit is one request. The library
scores every order of both lists when the book is made; the script only looks numbers and sentences up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from typing import Any

from docutils import nodes
from rcssmin import cssmin
from sphinx.application import Sphinx

import divmetrics as dm
from divmetrics.core.judgments import Grades
from divmetrics.core.tolerances import compare_scores
from divmetrics.notebook.appearance.marks import mark_drawings
from tools.chapters import Chapter, chapters
from tools.tracks import TRACKS, by_group, in_words

PAGE, TEMPLATE = "index", "front_page.html"
STATIC = Path(__file__).parent / "static"
TITLE = "Which of these two lists is better?"
SUMMARY = (
    "Some readers want a film, others a book. Move a page of a result list, and watch a metric change its "
    "mind: a course and a library on search diversity."
)
# The lessons whose question introduces their group, by group.
TEASERS = ("00", "02", "07", "09", "10", "14", "16", "24")

METRIC, SECOND_METRIC = dm.metric("ERR-IA@3"), dm.metric("S-recall@3")
TOPIC = dm.Topic("harry potter", (dm.Intent("film", 2 / 3), dm.Intent("book", 1 / 3)))
MARK = {"film": 2, "book": 1}  # as in the lessons' topic harry potter
NAMES = {"A": "the film list", "B": "the mixed list"}
LISTS: dict[str, dict[str, tuple[str, int]]] = {  # {list: {page: (intent, grade)}}
    "A": {
        "all eight films to stream": ("film", 2),
        "film cast and trivia": ("film", 2),
        "the film music": ("film", 1),
    },
    "B": {
        "read the first chapter": ("book", 2),
        "all eight films to stream": ("film", 2),
        "who is who in the books": ("book", 1),
    },
}
BEGIN = "012"
Order = tuple[int, ...]  # places of a list's pages as the page begins, best first


@dataclass(frozen=True)
class Scored:
    """An order of a list: its score, and the contribution of each page, by its place at the beginning."""

    score: float
    contributions: tuple[float, ...]


def scored() -> dict[str, dict[Order, Scored]]:
    """Score every order of both lists."""
    return {name: dict(_orders(pages)) for name, pages in LISTS.items()}


def _ranked(pages: Mapping[str, tuple[str, int]], order: Iterable[int]) -> dm.RankedList:
    titles = list(pages)
    judgments: Grades = {title: {intent: grade} for title, (intent, grade) in pages.items()}
    return dm.RankedList(TOPIC, [titles[place] for place in order], judgments)


def _orders(pages: Mapping[str, tuple[str, int]]) -> Iterator[tuple[Order, Scored]]:
    titles = list(pages)
    for order in permutations(range(len(titles))):
        listed = _ranked(pages, order)
        by_page = dm.explain(METRIC, listed).groupby("doc")["contribution"].sum()
        yield order, Scored(METRIC.score(listed), tuple(float(by_page[title]) for title in titles))


def verdict(orders: Mapping[str, Order], scores: Mapping[str, Mapping[Order, Scored]]) -> tuple[str, str]:
    """Return which list the metric prefers, and why."""
    of = {name: scores[name][order] for name, order in orders.items()}
    begins = {name: every[tuple(map(int, BEGIN))].score for name, every in scores.items()}
    prefers = compare_scores(of["A"].score, of["B"].score)
    if prefers == 0:
        return "ERR-IA prefers neither list.", "Both have the same score."
    better = "A" if prefers > 0 else "B"
    now = "" if prefers == compare_scores(begins["A"], begins["B"]) else "now "
    return f"ERR-IA {now}prefers {better}.", _reason(better, orders)


def _reason(better: str, orders: Mapping[str, Order]) -> str:
    """Say what decides: where the films begin, and that B alone has books."""
    rank = {name: _first_film(pages, orders[name]) for name, pages in LISTS.items()}
    if better == "A":
        return f"Most want a film: rank {rank['A']} in A, rank {rank['B']} in B."
    if rank["A"] == rank["B"]:
        return f"A film is at rank {rank['B']} in both; B has a book, too."
    return "A begins with a weak film; B has a book, too."


def _first_film(pages: Mapping[str, tuple[str, int]], order: Order) -> int:
    intents = [intent for intent, _ in pages.values()]
    return [intents[place] for place in order].index("film") + 1


def groups_served() -> dict[str, int]:
    """Return to how many intents S-recall finds a page in each list: no order of three rows changes it."""
    groups = {}
    for name, pages in LISTS.items():
        (score,) = {SECOND_METRIC.score(_ranked(pages, order)) for order in permutations(range(len(pages)))}
        groups[name] = round(score * len(MARK))
    return groups


def second_verdict() -> tuple[str, str]:
    """Return which list S-recall prefers, and why."""
    groups = groups_served()
    better, worse = sorted(groups, key=lambda name: -groups[name])
    return (
        f"S-recall prefers {better}",
        f"Groups served, in any order: {groups[better]} in {better}, {groups[worse]} in {worse}.",
    )


def states() -> dict[str, Any]:
    """Return what each order of each list shows, and the sentences on each pair of orders."""
    scores = scored()
    return {
        "lists": {
            name: {_key(order): _drawn(order, one) for order, one in every.items()}
            for name, every in scores.items()
        },
        "verdicts": {
            f"{_key(a)} {_key(b)}": verdict({"A": a, "B": b}, scores)
            for a, b in product(scores["A"], scores["B"])
        },
    }


def lab(every: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the template draws of the lab, and its states, from which the script redraws it."""
    lists, groups = [], groups_served()
    for name, pages in LISTS.items():
        drawn = every["lists"][name][BEGIN]
        rows = [
            {"place": place, "title": title, "intent": intent, "grade": grade}
            | dict(zip(("earned", "left", "width"), drawn["rows"][place], strict=True))
            for place, (title, (intent, grade)) in enumerate(pages.items())
        ]
        served = f"{groups[name]} of {len(MARK)}"
        lists.append(
            {"name": name, "about": NAMES[name], "score": drawn["score"], "groups": served, "rows": rows}
        )
    paths = mark_drawings()
    return {
        "lists": lists,
        "marks": {intent: paths[place][1] for intent, place in MARK.items()},
        "verdict": every["verdicts"][f"{BEGIN} {BEGIN}"],
        "second_verdict": second_verdict(),
        "states": json.dumps(every, separators=(",", ":")),
    }


def _drawn(order: Order, one: Scored) -> dict[str, Any]:
    """Return the score as text, and of each page the contribution as text and its block in percent."""
    rows: dict[int, tuple[str, float, float]] = {}
    left = 0.0
    for place in order:
        width = one.contributions[place]
        rows[place] = (f"{width:.4f}".removeprefix("0"), _percent(left), _percent(width))
        left += width
    return {"score": f"{one.score:.4f}", "rows": [rows[place] for place in sorted(rows)]}


def _key(order: Order) -> str:
    return "".join(map(str, order))


def _percent(share: float) -> float:
    return round(100 * share, 2)


def parts(contents: Sequence[Chapter]) -> list[dict[str, Any]]:
    """Return the groups of lessons: name, question and lessons."""
    question = {chapter.number: chapter.lesson.question for chapter in contents}
    return [
        {"name": name, "question": question[teaser], "lessons": members}
        for (name, members), teaser in zip(by_group(contents).items(), TEASERS, strict=True)
    ]


def context() -> dict[str, Any]:
    """Return what the template shows besides what Sphinx gives every page."""
    contents = chapters()
    by_number = {chapter.number: chapter for chapter in contents}
    return {
        "question": TITLE,
        "lab": lab(states()),
        "parts": parts(contents),
        "appendices": [chapter for chapter in contents if not chapter.is_lesson],
        "lessons": sum(chapter.is_lesson for chapter in contents),
        "first": contents[0],
        "paths": [
            {
                "lessons": len(track.lessons),
                "time": in_words(sum(by_number[n].minutes for n in track.lessons)),
            }
            for track in TRACKS[:2]
        ],
        "styles": cssmin("".join(_static(name) for name in ("tokens.css", "front_page.css"))),
        "script": _static("front_page.js"),
    }


def _page(
    app: Sphinx, page: str, template: str, context_of_page: dict[str, Any], tree: nodes.document | None
) -> str | None:
    if page != PAGE:
        return None
    context_of_page.update(context())
    return TEMPLATE


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
