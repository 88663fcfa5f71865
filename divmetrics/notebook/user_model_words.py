"""Describe a walk down a list: a sentence before the first rank, and one for each rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from divmetrics.core.tolerances import compare_scores, score_preferences
from divmetrics.errors import join_words
from divmetrics.explanations.user_model import Track, Walk
from divmetrics.render.tables import format_score


def describe_walk(walk: Walk, ranks: int) -> list[str]:
    """Describe a walk down a list: a text before rank 1, and one for each of the first `ranks` ranks.

    The last one ends in the score.
    """
    running = [0.0, *walk.cumulative_score.tolist()]
    sentences = [f"{_begin(walk)} The score is {format_score(0.0)} so far."]
    for k in range(ranks):
        basket = f"its basket holds {format_score(walk.baskets[:, k].sum())}"
        sentences.append(
            f"Rank {k + 1}: {_rank(walk, k)}; {basket}. The score is {format_score(running[k + 1])} so far."
        )
    whole = f"{walk.metric} = {format_score(walk.contributions.score)}"
    below = len(walk.cumulative_score) - ranks
    rest = f" The {below} ranks below add {format_score(running[-1] - running[ranks])}." if below > 0 else ""
    sentences[-1] += f"{rest} The baskets add up to {whole}."
    return sentences


def describe_basket(walk: Walk, ranks: int) -> str:
    """Describe the share of users each grade satisfies and the resulting basket; "" if it is not simple."""
    if len(walk.tracks) != 1 or walk.tracks[0].picture != "leave" or walk.tracks[0].cost is not None:
        return ""
    (track,) = walk.tracks
    worth = track.factors.get("discount")
    if worth is None or None in track.places or set(track.parent_intents) != {None}:
        return ""
    ranks = min(ranks, track.users_satisfied.shape[1])
    left, here = track.users_satisfied[:, :ranks], track.users_at_rank[:, :ranks]
    held = walk.baskets[:, :ranks].sum(axis=0)
    if score_preferences((left * worth[:, :ranks]).sum(axis=0), held).any():
        return ""
    chances: dict[float, float] = {}
    for g, k in zip(*np.nonzero(left), strict=True):
        chance = chances.setdefault(float(track.gains[g, k]), left[g, k] / here[g, k])
        if compare_scores(chance, left[g, k] / here[g, k]):
            return ""
    if not chances:
        return ""
    (best, chance), *others = sorted(chances.items(), reverse=True)
    clauses = [f"a document of grade {best:g} satisfies {format_user_share(chance)} %"]
    clauses += [f"one of grade {grade:g} satisfies {format_user_share(chance)} %" for grade, chance in others]
    return (
        f"Of the readers still here who want it, {', '.join(clauses)}. "
        "A basket holds the share of the hundred who are satisfied there, times what the rank is worth."
    )


def format_user_share(share: float) -> str:
    """Format a share of all users, 0 to 1, as a number per hundred with four significant digits."""
    return f"{100 * share:.4g}"


def _begin(walk: Walk) -> str:
    track = walk.tracks[0]
    if track.picture not in ("leave", "fade") or len(walk.tracks) > 1:
        return "Nothing has been read."
    wants = [
        f"{format_user_share(share)} want {name}"
        for name, share in zip(track.names, track.start, strict=True)
        if share
    ]
    if track.places[0] is None and len(walk.ranked.topic.intents) > 1:
        return "A hundred readers stand above the list; all intents are one to them."
    return f"A hundred readers stand above the list: {join_words(wants)}."


def _rank(walk: Walk, k: int) -> str:
    doc = walk.contributions.doc(k)
    tracks = [track for track in walk.tracks if k < track.earned.shape[1]]
    if doc:
        actions = [_DESCRIBE[track.picture](track, k) for track in tracks]
        return f"{doc} {join_words([action for action in actions if action]) or 'changes nothing'}"
    costs = [format_score(track.cost[:, k].sum()) for track in tracks if track.cost is not None]
    return f"the list has ended{f', and the rank costs {join_words(costs)}' if costs else ''}"


def _leave(track: Track, k: int) -> str:
    here, left, tired = (
        x[:, k].sum() for x in (track.users_at_rank, track.users_satisfied, track.users_leaving)
    )
    if (track.examination_probability == 1).all():
        sentence = f"is read by {format_user_share(here)} of a hundred readers"
    else:
        many = format_user_share(left) if left else "none"
        sentence = f"satisfies {many} of the {format_user_share(here)} readers still here"
    sentence += f" ({format_user_share(tired)} more go no further)" if tired else ""
    return sentence + (
        f"; reading it costs {format_score(track.cost[:, k].sum())}" if track.cost is not None else ""
    )


def _served(track: Track, k: int) -> list[int]:
    """Return the indices of the groups to which the document at rank `k`, counted from 0, is relevant."""
    before = track.counted[:, k - 1] if k else np.zeros(len(track.names))
    served: list[int] = np.flatnonzero(track.counted[:, k] > before).tolist()
    return served


def _fade(track: Track, k: int) -> str:
    served = [
        f"{track.names[g]} at an interest of {track.examination_probability[g, k]:.4g}"
        for g in _served(track, k)
    ]
    return f"serves {join_words(served)}" if served else ""


def _doors(track: Track, k: int) -> str:
    opened = [
        track.names[g]
        for g in np.flatnonzero(
            track.examination_probability[:, k] > track.examination_probability[:, k + 1]
        ).tolist()
    ]
    is_open = int((track.examination_probability[:, k + 1] == 0).sum())
    total = len(track.names)
    doors = "door" if len(opened) == 1 else "doors"
    return f"opens the {doors} of {join_words(opened)} ({is_open} of {total} are open)" if opened else ""


def _counters(track: Track, k: int) -> str:
    ratio = track.factors.get("blended ratio")
    served = []
    for g in _served(track, k):
        beside = f", with a blended ratio of {ratio[g, k]:.4g}" if ratio is not None else ""
        served.append(f"{track.names[g]} ({track.counted[g, k]:.0f} so far{beside})")
    return f"is relevant to {join_words(served)}" if served else ""


def _piles(track: Track, k: int) -> str:
    grades = []
    for g in np.flatnonzero(track.gains[:, k]).tolist():
        closed = "" if track.examination_probability[g, k] else ", which is closed"
        grades.append(f"{track.names[g]} ({track.measure} {track.gains[g, k]:.4g}{closed})")
    return f"adds to {join_words(grades)}" if grades else ""


def _stop(track: Track, k: int) -> str:
    stops = track.stops if track.stops is not None else np.zeros(track.earned.shape)
    jumped = [track.names[g] for g in np.flatnonzero(stops[:, k] == k + 1).tolist()]
    return f"moves the stop line of {join_words(jumped)} to rank {k + 1}" if jumped else ""


_DESCRIBE: Mapping[str, Callable[[Track, int], str]] = {
    "leave": _leave,
    "fade": _fade,
    "doors": _doors,
    "counters": _counters,
    "piles": _piles,
    "stop": _stop,
}
