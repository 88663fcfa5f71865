"""A walk down a list as JSON for the browser: numbers and texts for every step.

ReaderWalk and the lab share it. The numbers are those of `divmetrics.explanations.user_model`; all texts are
made here, so that they have one format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divmetrics.core.metric import BaseMetric, WeightedSum
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent
from divmetrics.explanations.user_model import Track, Walk
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.notebook.textformat.marks import assign_marks
from divmetrics.notebook.user_model_words import describe_basket, describe_walk, format_user_share
from divmetrics.render.tables import format_score

SPACE = "\u00a0"  # does not break
DEEPEST = 20  # ranks with a step each; those below are summarised


def walk_to_json(metric: BaseMetric, ranked: RankedList, about: Mapping[str, str]) -> dict[str, Any]:
    """Convert a walk to plain values. Raises DivmetricsError if the metric has no score for the list."""
    walk = Walk.of(metric, ranked)
    ranks = min(walk.baskets.shape[1], DEEPEST)
    baskets = walk.baskets[:, :ranks]
    intents, marks = ranked.topic.intents, assign_marks(ranked.topic.intents)
    grades = dict(zip(ranked.judgments.docs, ranked.judgments.grades.T, strict=True))
    nothing = np.zeros(len(intents), dtype=int)
    filled, costs = _filled(walk, ranks)
    tracks = [_track(track, ranks, intents) for track in walk.tracks]
    for track, heading in zip(tracks, _headings(walk), strict=True):
        track["heading"] = heading
    return {
        "metric": str(metric),
        "reader": describe_users(metric),
        "list": ranked.run,
        "title": ranked.topic.title or ranked.topic.id,
        "ranks": ranks,
        "docs": [
            {
                "id": walk.contributions.doc(k),
                "about": about.get(walk.contributions.doc(k), ""),
                "grades": grades.get(walk.contributions.doc(k), nothing).tolist(),
            }
            for k in range(ranks)
        ],
        "intents": [{"id": intent.id, "label": intent.label, "mark": marks[intent.id]} for intent in intents],
        "filled": filled.tolist(),
        "costs": costs.tolist(),
        "baskets": [format_score(value) for value in baskets.sum(axis=0).tolist()],
        "running": [format_score(value) for value in [0.0, *walk.cumulative_score[:ranks].tolist()]],
        "totals": [0.0, *walk.cumulative_score[:ranks].tolist()],
        "score": format_score(walk.contributions.score),
        "words": describe_walk(walk, ranks),
        "rule": describe_basket(walk, ranks),
        "worth": _worth(walk, ranks),
        "tracks": tracks,
        "closed": [] if walk.closed is None else _padded(walk.closed, ranks + 1).tolist(),
        "gamma": _gamma(walk, ranks),
    }


def _filled(walk: Walk, ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the contents of each basket before costs, (intent, rank), and the costs, (rank,)."""
    filled, costs = walk.baskets[:, :ranks].copy(), np.zeros(ranks)
    for track in walk.tracks:
        if track.cost is not None:
            for place, values in zip(track.places, track.cost[:, :ranks], strict=True):
                if place is not None:
                    filled[place, : len(values)] += values
                    costs[: len(values)] += values
    return filled, costs


def _gamma(walk: Walk, ranks: int) -> dict[str, Any] | None:
    """Return the running scores with gamma 0 and gamma 1, their names, and the metric's gamma."""
    if walk.ends is None or not isinstance(walk.metric, WeightedSum):
        return None
    (weight, first), (_, second) = walk.metric.terms
    ends = np.concatenate([np.zeros((2, 1)), walk.ends[:, :ranks]], axis=1)
    return {"ends": ends.tolist(), "names": [second.name, first.name], "at": weight()}


def _padded(values: np.ndarray, ranks: int) -> np.ndarray:
    """Pad values to `ranks` ranks by repeating the last state."""
    short = max(ranks - values.shape[-1], 0)
    return np.pad(values[..., :ranks], [(0, 0), (0, short)], mode="edge")


def _stepped(values: np.ndarray, ranks: int) -> list[list[float]]:
    """Return the state after each step, from step 0 on."""
    before = np.zeros((len(values), 1), dtype=values.dtype)
    stepped: list[list[float]] = _padded(np.concatenate([before, values], axis=1), ranks + 1).tolist()
    return stepped


def _earned(values: np.ndarray, ranks: int) -> np.ndarray:
    """Pad values to `ranks` ranks with zeros."""
    return np.pad(values[..., :ranks], [(0, 0), (0, max(ranks - values.shape[-1], 0))])


def _track(track: Track, ranks: int, intents: Sequence[Intent]) -> dict[str, Any]:
    remaining = _padded(track.users_at_rank, ranks + 1)
    result: dict[str, Any] = {
        "picture": track.picture,
        "groups": [
            {
                "name": name,
                "short": name if box is None else name.removeprefix(f"{intents[box].id}/"),
                "place": place,
                "box": box,
                "start": start,
            }
            for name, place, box, start in zip(
                track.names, track.places, track.parent_intents, track.start.tolist(), strict=True
            )
        ],
        "here": remaining.tolist(),
        "interest": _padded(track.examination_probability, ranks + 1).tolist(),
        "satisfied": _earned(track.users_satisfied, ranks).tolist(),
        "earned": _earned(track.earned, ranks).tolist(),
        "counted": _stepped(track.counted, ranks),
        "found": [],
        "ideal": [],
        "stops": [],
        "ratio": [],
        "gains": _earned(track.gains, ranks).tolist(),
        "ideals": [_earned(ideal.earned, ranks).tolist() for ideal in track.ideals],
        "best": [],
        "effort": [] if track.cost is None else _sums(track.cost, ranks),
    }
    result["costs"] = [format_score(value) for value in result["effort"]]
    for name, values in track.beside.items():
        result[name] = _stepped(values, ranks)
    if track.stops is not None:
        result["stops"] = _stepped(track.stops, ranks)
    ratio = track.factors.get("blended ratio")
    if ratio is not None:
        result["ratio"] = np.transpose(_stepped(ratio, ranks)).tolist()
    if len(track.ideals) == 1 and track.ideals[0].docs:
        (ideal,) = track.ideals
        totals = ideal.earned.sum(axis=0)
        result["best"] = [
            {"doc": doc, "value": value, "text": format_score(value)}
            for doc, value in zip(ideal.docs, totals.tolist(), strict=True)
        ][:ranks]
    result["labels"] = [[_label(track, g, step) for step in range(ranks + 1)] for g in range(len(remaining))]
    result["state"] = [_state(track, step) for step in range(ranks + 1)]
    return result


def _sums(values: np.ndarray, ranks: int) -> list[float]:
    """Return the cumulative sum at each step."""
    total = np.concatenate([[0.0], np.cumsum(values.sum(axis=0))])
    return [float(total[min(step, len(total) - 1)]) for step in range(ranks + 1)]


def _worth(walk: Walk, ranks: int) -> list[str]:
    """Return the discount of each rank, w(k), if exactly one row has one."""
    discounts = [track.factors["discount"] for track in walk.tracks if "discount" in track.factors]
    if len(discounts) != 1 or not len(discounts[0]):
        return []
    return [format_score(value) for value in _padded(discounts[0][:1], ranks)[0].tolist()]


def _headings(walk: Walk) -> list[str]:
    """Return the heading of each track; empty for the only track of a plain row."""
    headings = [" ".join(heading.rstrip(":") for heading in track.headings) for track in walk.tracks]
    if len(walk.tracks) == 1:
        return headings
    return [
        heading if heading and headings.count(heading) == 1 else f"{heading}: {track.row.name}".lstrip(": ")
        for heading, track in zip(headings, walk.tracks, strict=True)
    ]


def _label(track: Track, g: int, step: int) -> str:
    """Return the label of a group after `step` ranks."""
    step = min(step, track.earned.shape[1])
    remaining, so_far = track.users_at_rank[g, step], track.earned[g, :step].sum()
    match track.picture:
        case "leave":
            return f"{format_user_share(remaining)} of {format_user_share(track.start[g])} here"
        case "fade":
            return f"interest {track.examination_probability[g, step]:.4g}"
        case "doors":
            opened = step and not track.examination_probability[g, step]
            return f"open, {format_score(so_far)}" if opened else "closed"
        case "piles":
            best = _best(track, g)
            closed = "" if track.examination_probability[g, step] else ", closed"
            ideal = "" if best is None else f", ideal{SPACE}{format_score(best)}"
            return f"{format_score(so_far)}{ideal}{closed}"
        case "stop":
            at = int(track.stops[g, step - 1]) if step and track.stops is not None else 0
            return f"stops at rank {at}" if at else "has not stopped"
    count = int(track.counted[g, step - 1]) if step else 0
    ratio = track.factors.get("blended ratio")
    beside = f", ratio{SPACE}{ratio[g, step - 1]:.4g}" if ratio is not None and step else ""
    return f"{count} found{beside}"


def _best(track: Track, g: int) -> float | None:
    """Return the total of the group's ideal list, or None if there is none."""
    if not track.ideals:
        return None
    earned = np.concatenate([ideal.earned.sum(axis=1) for ideal in track.ideals])
    return float(earned[g])


def _state(track: Track, step: int) -> str:
    """Return the label of all groups together after `step` ranks."""
    step = min(step, track.earned.shape[1])
    match track.picture:
        case "leave" | "fade":
            remaining = format_user_share(track.users_at_rank[:, step].sum())
            part = f"{remaining} of {format_user_share(track.start.sum())}"
            return f"{part} readers read on" if track.picture == "leave" else f"interest left: {part}"
        case "doors":
            opened = int((track.examination_probability[:, step] == 0).sum()) if step else 0
            return f"{opened} of {len(track.names)} doors open"
    return f"{format_score(track.earned[:, :step].sum())} so far"
