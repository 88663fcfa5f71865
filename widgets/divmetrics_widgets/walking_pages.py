"""A walk down an aggregated page as JSON for the browser: the gain and the effort of each block."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from divmetrics.aggregated import BlockPage, explain_page
from divmetrics.core.metric import BaseMetric
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.render.tables import format_score
from divmetrics_widgets.walking import DEEPEST

EMPTY = (  # keys of a track that a page leaves empty
    *("interest", "satisfied", "counted", "found", "ideal", "stops"),
    *("ratio", "ideals", "best", "effort", "costs"),
)


def page_walk_to_json(metric: BaseMetric, page: BlockPage, about: Mapping[str, str]) -> dict[str, Any]:
    """Convert `explain_page` to plain values. Raises DivmetricsError for a metric without effort."""
    table = explain_page(metric, page)
    ranks = min(len(table), DEEPEST)
    rows = table.to_dict("records")
    blocks = page.blocks[:ranks]
    places = {vertical.id: place for place, vertical in enumerate(page.query.verticals)}
    running = list(accumulate((row["contribution"] for row in rows), initial=0.0))
    filled = [[0.0] * ranks for _ in places]
    grades = [[0] * len(places) for _ in blocks]
    for k, block in enumerate(blocks):
        filled[places[block.vertical]][k] = rows[k]["contribution"]
        grades[k][places[block.vertical]] = sum(item.grade for item in page.items(block))
    words = [f"Nothing has been read. The score is {format_score(0.0)} so far."]
    words += [_describe_block(row, running[row["block"]]) for row in rows[:ranks]]
    words[-1] += f" The baskets add up to {metric} = {format_score(running[-1])}."
    efforts = [row["effort"] for row in rows[:ranks]]
    return {
        "metric": str(metric),
        "reader": describe_users(metric),
        "list": page.run,
        "title": f"query {page.query.id}",
        "ranks": ranks,
        "docs": [
            {"id": " ".join(block.items), "about": about.get(block.items[0], ""), "grades": block_grades}
            for block, block_grades in zip(blocks, grades, strict=True)
        ],
        "intents": [{"id": name, "label": "", "mark": place} for name, place in places.items()],
        "filled": filled,
        "costs": [0.0] * ranks,
        "baskets": [format_score(row["contribution"]) for row in rows[:ranks]],
        "running": [format_score(value) for value in running[: ranks + 1]],
        "totals": running[: ranks + 1],
        "score": format_score(running[-1]),
        "words": words,
        "rule": "",
        "worth": [format_score(row["examined"]) for row in rows[:ranks]],
        "tracks": [
            {
                "picture": "blocks",
                "heading": "",
                "groups": [{"name": "page", "short": "the page", "place": None, "box": None, "start": 1.0}],
                "blocks": [
                    [places[block.vertical], row["effort"]] for block, row in zip(blocks, rows, strict=False)
                ],
                "here": [[1.0, *(row["examined"] for row in rows[:ranks])]],
                **{name: [] for name in EMPTY},
                "earned": [[row["contribution"] for row in rows[:ranks]]],
                "gains": [[row["gain"] for row in rows[:ranks]]],
                "labels": [[f"effort so far {value:.4g}" for value in accumulate(efforts, initial=0.0)]],
                "state": [f"{format_score(value)} so far" for value in running[: ranks + 1]],
            }
        ],
        "closed": [],
        "gamma": None,
    }


def _describe_block(row: Mapping[Any, Any], so_far: float) -> str:
    return (
        f"Block {row['block']}: {row['vertical']} ({row['items']}) gives a gain of {row['gain']:.4g} for an "
        f"effort of {row['effort']:.4g}, and both count {row['examined']:.4g} here; its basket holds "
        f"{format_score(row['contribution'])}. The score is {format_score(so_far)} so far."
    )
