"""A walk down a page of blocks, as plain values like one down a list: what a block gives for its effort."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from divmetrics.core.metric import BaseMetric
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.render.tables import format_score
from divmetrics.research.aggregated import BlockPage, explain_page
from divmetrics_widgets.walking import DEEPEST

NOTHING = (  # what a page's readers do not have
    *("interest", "satisfied", "counted", "found", "ideal", "stops", "ideals", "best", "effort", "costs"),
)


def page_walk_to_json(metric: BaseMetric, page: BlockPage, about: Mapping[str, str]) -> dict[str, Any]:
    """What `explain_page` says, for every step; DivmetricsError for a metric that does not weigh effort."""
    told = explain_page(metric, page)
    ranks = min(len(told), DEEPEST)
    rows = told.to_dict("records")
    blocks = page.blocks[:ranks]
    places = {vertical.id: place for place, vertical in enumerate(page.query.verticals)}
    whole = list(accumulate((row["contribution"] for row in rows), initial=0.0))
    filled = [[0.0] * ranks for _ in places]
    grades = [[0] * len(places) for _ in blocks]
    for k, block in enumerate(blocks):
        filled[places[block.vertical]][k] = rows[k]["contribution"]
        grades[k][places[block.vertical]] = sum(item.grade for item in page.items(block))
    words = [f"Nothing has been read. The score is {format_score(0.0)} so far."]
    words += [_told(row, whole[row["block"]]) for row in rows[:ranks]]
    words[-1] += f" The baskets add up to {metric} = {format_score(whole[-1])}."
    efforts = [row["effort"] for row in rows[:ranks]]
    return {
        "metric": str(metric),
        "reader": describe_users(metric),
        "list": page.run,
        "title": f"query {page.query.id}",
        "ranks": ranks,
        "docs": [
            {"id": " ".join(block.items), "about": about.get(block.items[0], ""), "grades": of_block}
            for block, of_block in zip(blocks, grades, strict=True)
        ],
        "intents": [{"id": name, "label": "", "mark": place} for name, place in places.items()],
        "filled": filled,
        "costs": [0.0] * ranks,
        "baskets": [format_score(row["contribution"]) for row in rows[:ranks]],
        "running": [format_score(value) for value in whole[: ranks + 1]],
        "totals": whole[: ranks + 1],
        "score": format_score(whole[-1]),
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
                **{name: [] for name in NOTHING},
                "earned": [[row["contribution"] for row in rows[:ranks]]],
                "gains": [[row["gain"] for row in rows[:ranks]]],
                "labels": [[f"effort so far {value:.4g}" for value in accumulate(efforts, initial=0.0)]],
                "state": [f"{format_score(value)} so far" for value in whole[: ranks + 1]],
            }
        ],
        "closed": [],
        "gamma": None,
    }


def _told(row: Mapping[Any, Any], so_far: float) -> str:
    return (
        f"Block {row['block']}: {row['vertical']} ({row['items']}) gives a gain of {row['gain']:.4g} for an "
        f"effort of {row['effort']:.4g}, and both count {row['examined']:.4g} here; its basket holds "
        f"{format_score(row['contribution'])}. The score is {format_score(so_far)} so far."
    )
