"""Trace a metric's users down a list: who examines each rank, who is satisfied, and its contribution.

All numbers come from the parts of the metric; the basket of a rank holds its contributions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from divmetrics.core.batch import Batch, batch_lists, none_relevant_above
from divmetrics.core.metric import BaseMetric, Collapsed, Gamma, Metric, WeightedSum
from divmetrics.core.parts import Difference, One, Part, PreferredRank, RelevantSoFar
from divmetrics.core.parts.normalisers import RankedIdeal
from divmetrics.core.runs import RankedList
from divmetrics.explanations.contributions import Contributions
from divmetrics.explanations.part_descriptions import intermediate_values, row_picture
from divmetrics.explanations.terms import RowOnBatch, terms

if TYPE_CHECKING:
    import pandas as pd

# Columns of the table: the position of a row, two of its factors, and the shares of its users.
WHERE = ("term", "intent", "rank", "doc")
TERM, DIVISOR = "weight of the term", "1/N"
SHARES = ("share of readers", "still reading", "satisfied")


@dataclass(frozen=True, eq=False)
class IdealTrack:
    """The ideal list that a track is divided by, with its contributions `earned`, (user group, rank).

    `docs` are the documents of the list, rank by rank; empty if every intent has its own ideal list.
    """

    docs: tuple[str, ...]
    earned: np.ndarray


@dataclass(frozen=True, eq=False)
class Track:
    """One row of a metric, and the groups of users that walk down the list by it.

    A group holds the users of an intent, of a second-level subtopic or, if intents are merged, all users.

    picture : see `row_picture`
    headings : the weights above the row, outermost first
    names, measure : the id of each group's intent; the name of its gains
    places : index of each group's intent in the topic, None if merged
    parent_intents : index of each group's first-level intent under an intent-square metric, else None
    start : each group's share of all users

    The arrays have the shape (group, rank); the first two have one rank more, the end of the list.

    examination_probability, reach : shares of the group still interested, and not stopped, at the rank
    earned : contributions; `factors` multiply to them, `beside` holds further values of the utility
    counted, gains : relevant documents down to the rank; gain of the document
    gained, cost : contributions without the effort; the effort, or None if none is charged
    stops : the rank at which the group would stop if the list ended at this rank; 0 for none
    """

    picture: str
    row: Metric
    headings: tuple[str, ...]
    measure: str
    names: tuple[str, ...]
    places: tuple[int | None, ...]
    parent_intents: tuple[int | None, ...]
    start: np.ndarray
    examination_probability: np.ndarray
    reach: np.ndarray
    earned: np.ndarray
    factors: dict[str, np.ndarray]
    beside: dict[str, np.ndarray]
    counted: np.ndarray
    gains: np.ndarray
    gained: np.ndarray
    cost: np.ndarray | None
    stops: np.ndarray | None
    ideals: tuple[IdealTrack, ...]

    @property
    def users_at_rank(self) -> np.ndarray:
        """The share of all users that examine each rank; the last column is the end of the list."""
        return self.start[:, None] * self.examination_probability * self.reach

    @property
    def users_satisfied(self) -> np.ndarray:
        """The share of all users that examine each rank and lose interest there."""
        here = self.start[:, None] * self.reach[:, :-1]
        return here * (self.examination_probability[:, :-1] - self.examination_probability[:, 1:])

    @property
    def users_leaving(self) -> np.ndarray:
        """The share of all users that are still interested at each rank but do not go on to the next one."""
        return (
            self.start[:, None]
            * self.examination_probability[:, 1:]
            * (self.reach[:, :-1] - self.reach[:, 1:])
        )


@dataclass(frozen=True, eq=False)
class Walk:
    """A metric's users on one list, track by track.

    `contributions` are the same as in `explain`. `closed`, (intent, rank and the end), marks navigational
    intents already served, for metrics that depend on them, else None. `ends`, (2, rank), is the score down
    to each rank for gamma 0 and gamma 1, for metrics with gamma, else None.
    """

    metric: BaseMetric
    ranked: RankedList
    contributions: Contributions
    tracks: tuple[Track, ...]
    closed: np.ndarray | None
    ends: np.ndarray | None

    @classmethod
    def of(cls, metric: BaseMetric, ranked: RankedList) -> Walk:
        """Trace the users of a metric on a list. Raises DivmetricsError if its score is not finite."""
        contributions = Contributions.of_list(metric, ranked)
        batch = batch_lists([ranked])
        repeats: Counter[tuple[int, int | None]] = Counter()
        alike: dict[tuple[int, int], list[Track]] = {}  # by row, its tracks in all first-level intents
        for term in terms(metric, batch, ranked.topic.intents):
            for reading in term.rows_on_batch():
                if len(reading.intents):
                    repeats[id(reading.row), term.intent] += 1
                    key = id(reading.row), repeats[id(reading.row), term.intent]
                    alike.setdefault(key, []).append(_track(reading, ranked))
        joined = tuple(_join_tracks(tracks) for tracks in alike.values())
        return cls(metric, ranked, contributions, joined, _served(metric, batch), _gamma_ends(metric, batch))

    @property
    def baskets(self) -> np.ndarray:
        """The contributions of each rank by first-level intent, (intent, rank)."""
        return self.contributions.by_intent

    @property
    def cumulative_score(self) -> np.ndarray:
        """The score down to each rank, (rank,)."""
        return np.cumsum(self.baskets.sum(axis=0))

    def frame(self) -> pd.DataFrame:
        """Return one row per track, rank and user group, with the columns of `explain(factors=True)`."""
        import pandas as pd

        rows = [row for track in self.tracks for row in self._rows(track)]
        names = dict.fromkeys(name for track in self.tracks for name in track.factors)
        factors = sorted(names, key=lambda name: {TERM: 0, DIVISOR: 2}.get(name, 1))
        return pd.DataFrame(rows, columns=[*WHERE, *factors, "contribution", *SHARES])

    def _rows(self, track: Track) -> Iterator[dict[str, Any]]:
        for k in range(track.earned.shape[1]):
            for g, name in enumerate(track.names):
                where = " ".join([*track.headings, track.row.name]), name, k + 1, self.contributions.doc(k)
                shares = track.start[g], track.users_at_rank[g, k], track.users_satisfied[g, k]
                yield {
                    **dict(zip(WHERE, where, strict=True)),
                    **{factor: values[g, k] for factor, values in track.factors.items()},
                    "contribution": track.earned[g, k],
                    **dict(zip(SHARES, shares, strict=True)),
                }


def _track(reading: RowOnBatch, ranked: RankedList) -> Track:
    """Return the track of one row; under an intent-square metric, within one first-level intent."""
    row, term, batch, groups = reading.row, reading.term, reading.view, reading.intents
    whole = replace(row, stop=None).truncate(term.batch)
    after = batch.cut(batch.depth + 1)
    weight = reading.broadcast(row.f(batch))[:, :1] if batch.depth else np.zeros((len(term.names), 1))
    total = weight[groups].sum()
    share = weight[groups, 0] / total if total else np.full(len(groups), 1 / len(groups))
    box = None if term.intent is None else ranked.topic.intents[term.intent]
    interested = reading.broadcast(row.M.examination_probability(after), 1)[groups]
    gain, effort = (row.M.first, row.M.second) if isinstance(row.M, Difference) else (row.M, None)
    return Track(
        picture=row_picture(row),
        row=row,
        headings=tuple(heading for heading in term.headings if box is None or heading != term.of_intent),
        measure=term.measure,
        names=tuple(_name(reading, ranked, i) for i in groups.tolist()),
        places=tuple(None if term.merged else i if box is None else term.intent for i in groups.tolist()),
        parent_intents=(term.intent,) * len(groups),
        start=share * (1.0 if box is None else box.probability),
        examination_probability=interested.astype(float),
        reach=reading.broadcast(_reach(row, after), 1)[groups],
        earned=reading.earned[groups],
        factors={name: values[groups] for name, values in _factors(reading).items()},
        beside={name: reading.broadcast(v)[groups] for name, v in intermediate_values(row.M, batch).items()},
        counted=reading.broadcast(RelevantSoFar()(batch))[groups],
        gains=reading.broadcast(batch.linear)[groups],
        gained=reading.contributions_of(replace(row, M=gain), batch)[groups],
        cost=None if effort is None else reading.contributions_of(replace(row, M=effort), batch)[groups],
        stops=_stops(reading, whole),
        ideals=(_ideal(reading, ranked),) if isinstance(row.N, RankedIdeal) else (),
    )


def _factors(reading: RowOnBatch) -> dict[str, np.ndarray]:
    """Return {name: factor} of the contributions, each (intent, rank)."""
    term, N = reading.term, reading.divisor
    factors = dict(reading.factors)
    if term.factor != 1 or term.intent is not None:
        factors[TERM] = np.full(N.shape, term.factor)
    if not isinstance(reading.row.N, One):
        factors[DIVISOR] = np.divide(1.0, N, out=np.zeros(N.shape), where=N != 0)
    return factors


def _name(reading: RowOnBatch, ranked: RankedList, group: int) -> str:
    """Return the name of a group: an intent id, "intent/subtopic", "intent/all" or "all intents"."""
    term, intents = reading.term, ranked.topic.intents
    if term.intent is None:
        return "all intents" if term.merged and len(intents) > 1 else intents[group].id
    box = intents[term.intent]
    if not box.children:
        return box.id
    all_of_them = term.merged and len(box.children) > 1
    return f"{box.id}/all" if all_of_them else f"{box.id}/{box.children[group].id}"


def _reach(row: Metric, batch: Batch) -> np.ndarray:
    return row.w.examination_probability(batch) if isinstance(row.w, Part) else np.ones((1, 1, 1, 1))


def _stops(reading: RowOnBatch, whole: Batch) -> np.ndarray | None:
    """Return the rank at which each group stops on every prefix of the list, (group, rank).

    None where no stop depends on the list: that of S-recall at l_min follows from the topic.
    """
    stop, topic = reading.row.stop, reading.term.topic
    if not isinstance(stop, PreferredRank):
        return None
    ranks = [np.broadcast_to(stop(whole.cut(k + 1)), whole.linear.shape[:3]) for k in range(whole.depth)]
    return (
        np.array([at_rank[topic, 0] for at_rank in ranks])
        .reshape(whole.depth, whole.linear.shape[2])
        .T[reading.intents]
    )


def _ideal(reading: RowOnBatch, ranked: RankedList) -> IdealTrack:
    row, term = reading.row, reading.term
    ideal: Any = row.N
    ideal_pool = reading.view.judged
    best, order = ideal.best(ideal_pool, row), ideal.order(ideal_pool, row)
    docs: tuple[str, ...] = ()
    if order is not None:
        relevant = [ranked.judgments.docs[position] for position in ranked.judgments.relevant.tolist()]
        docs = tuple(relevant[position] for position in order[term.topic].tolist() if position >= 0)
    earned = reading.contributions_of(replace(row, M=ideal.utility(row)), best)
    return IdealTrack(docs, earned[reading.intents][:, : len(docs) or None])


def _join_tracks(tracks: list[Track]) -> Track:
    """Return one track with the groups of the tracks of one row in several first-level intents."""
    if len(tracks) == 1:
        return tracks[0]
    joined: dict[str, Any] = {}
    for field in fields(Track):
        values = [getattr(track, field.name) for track in tracks]
        match values[0]:
            case np.ndarray():
                joined[field.name] = np.concatenate(values)
            case dict():
                joined[field.name] = {name: np.concatenate([v[name] for v in values]) for name in values[0]}
            case tuple() if field.name != "headings":
                joined[field.name] = sum(values, ())
    return replace(tracks[0], **joined)


def _gamma_ends(metric: BaseMetric, batch: Batch) -> np.ndarray | None:
    """Return the score down to each rank for gamma 0 and gamma 1, (2, rank); None if there is no gamma."""
    if not isinstance(metric, WeightedSum) or len(metric.terms) != 2:
        return None
    (weight, first), (other, second) = metric.terms
    if not (isinstance(weight, Gamma) and isinstance(other, Gamma) and other.complement > weight.complement):
        return None
    parts = [term.contributions(batch)[0, 0].sum(axis=0) for term in (second, first)]
    out = np.zeros((2, max(map(len, parts))))
    for row, part in zip(out, parts, strict=True):
        row[: len(part)] = part
    return np.cumsum(out, axis=1)


def _served(metric: BaseMetric, batch: Batch) -> np.ndarray | None:
    """Return whether navigational intents are served above each rank, (intent, rank and the end).

    None unless the metric is a DIN metric.
    """
    if metric.needs_subtopics or not any(
        isinstance(m, Collapsed) and m.collapse == "DIN" for m in metric.metrics()
    ):
        return None
    after = batch.cut(batch.depth + 1)
    served: np.ndarray = (batch.navigational[:, None, :, None] & ~none_relevant_above(after.relevant))[0, 0]
    return served
