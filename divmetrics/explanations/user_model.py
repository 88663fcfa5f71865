"""A metric's readers walk down a list: what every rank finds of them, leaves in its basket, and what stays.

Nothing is computed here that the parts of a metric do not say; what a rank's basket holds are contributions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from divmetrics.core.batch import Batch, batch_lists, none_relevant_above
from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric, Collapsed, Gamma, Metric, WeightedSum
from divmetrics.core.parts import Difference, One, Part, RelevantSoFar
from divmetrics.core.parts.normalisers import RankedIdeal
from divmetrics.explanations.contributions import Contributions
from divmetrics.explanations.part_descriptions import intermediate_values, row_picture
from divmetrics.explanations.terms import RowOnBatch, terms

if TYPE_CHECKING:
    import pandas as pd

# Columns of the table: where a row stands, two of its factors, and what its readers do.
WHERE = ("term", "intent", "rank", "doc")
TERM, DIVISOR = "weight of the term", "1/N"
SHARES = ("share of readers", "still reading", "satisfied")


@dataclass(frozen=True, eq=False)
class IdealTrack:
    """The ideal list that a track is held against: what it earns, (reader group, rank).

    docs: the list's documents, for each rank; none where every intent has a list of its own.
    """

    docs: tuple[str, ...]
    earned: np.ndarray


@dataclass(frozen=True, eq=False)
class Track:
    """One row of a metric, and the groups of readers that walk down the list by it.

    A group are the readers of an intent, of a second-level subtopic or, where intents are merged, all.
    picture: see `row_picture`. headings: the weights that it stands under. places: of each
    group's intent in the topic, None where merged; below: of its subtopic, None without. boxes: the group's
    first-level intent under an intent-square metric, else None. Numbers are (group, rank): `earned`,
    `factors`, which multiply to it, `beside`; `counted`, relevant documents so far; `gained` without the
    effort, `cost` the effort, where one is charged. start: each group's share of all readers. still: the
    share of the group whom a document at this rank finds interested, reach: who get so far; both have a rank
    more, the end. stops: where the group would stop of what it has seen down to this rank, 0 nowhere.
    """

    picture: str
    row: Metric
    headings: tuple[str, ...]
    measure: str
    names: tuple[str, ...]
    places: tuple[int | None, ...]
    below: tuple[int | None, ...]
    boxes: tuple[int | None, ...]
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
    def here(self) -> np.ndarray:
        """Who stands before each rank, as a share of all readers; the last column is the end."""
        return self.start[:, None] * self.examination_probability * self.reach

    @property
    def satisfied(self) -> np.ndarray:
        """Those of them who have lost interest in what comes below; of readers who leave, who leave here."""
        here = self.start[:, None] * self.reach[:, :-1]
        return here * (self.examination_probability[:, :-1] - self.examination_probability[:, 1:])

    @property
    def tired(self) -> np.ndarray:
        """Those of the others who do not go on to the next rank."""
        return (
            self.start[:, None]
            * self.examination_probability[:, 1:]
            * (self.reach[:, :-1] - self.reach[:, 1:])
        )


@dataclass(frozen=True, eq=False)
class Walk:
    """A metric's readers on one list, track by track.

    contributions: what `explain` gives; `baskets` and `running` are made of them. closed: (intent, rank and
    the end), is a navigational intent served already, where the metric asks? ends: of a metric with a gamma
    its score down to each rank with gamma 0 and with gamma 1, (2, rank).
    """

    metric: BaseMetric
    ranked: RankedList
    contributions: Contributions
    tracks: tuple[Track, ...]
    closed: np.ndarray | None
    ends: np.ndarray | None

    @classmethod
    def of(cls, metric: BaseMetric, ranked: RankedList) -> Walk:
        """DivmetricsError where the metric has no score for the list."""
        contributions = Contributions.of_list(metric, ranked)
        view = batch_lists([ranked])
        seen: Counter[tuple[int, int | None]] = Counter()
        alike: dict[tuple[int, int], list[Track]] = {}  # the same row in every first-level intent
        for term in terms(metric, view, ranked.topic.intents):
            for reading in term.readings():
                if len(reading.intents):
                    seen[id(reading.row), term.intent] += 1
                    key = id(reading.row), seen[id(reading.row), term.intent]
                    alike.setdefault(key, []).append(_track(reading, ranked))
        tracks = tuple(_joined(several) for several in alike.values())
        return cls(metric, ranked, contributions, tracks, _closed(metric, view), _ends(metric, view))

    @property
    def baskets(self) -> np.ndarray:
        """What each rank holds, (intent, rank): its contributions, by first-level intent."""
        return self.contributions.by_intent

    @property
    def running(self) -> np.ndarray:
        """The score down to each rank."""
        return np.cumsum(self.baskets.sum(axis=0))

    def frame(self) -> pd.DataFrame:
        """A row for each track, rank and group of readers: the factors, the contribution, who still reads."""
        import pandas as pd

        rows = [row for track in self.tracks for row in self._rows(track)]
        words = dict.fromkeys(word for track in self.tracks for word in track.factors)
        factors = sorted(words, key=lambda word: {TERM: 0, DIVISOR: 2}.get(word, 1))
        return pd.DataFrame(rows, columns=[*WHERE, *factors, "contribution", *SHARES])

    def _rows(self, track: Track) -> Iterator[dict[str, Any]]:
        for k in range(track.earned.shape[1]):
            for g, name in enumerate(track.names):
                where = " ".join([*track.headings, track.row.name]), name, k + 1, self.contributions.doc(k)
                shares = track.start[g], track.here[g, k], track.satisfied[g, k]
                yield {
                    **dict(zip(WHERE, where, strict=True)),
                    **{factor: values[g, k] for factor, values in track.factors.items()},
                    "contribution": track.earned[g, k],
                    **dict(zip(SHARES, shares, strict=True)),
                }


def _track(reading: RowOnBatch, ranked: RankedList) -> Track:
    """The track of one row; of an intent-square metric, within one first-level intent."""
    row, term, read, mine = reading.row, reading.term, reading.view, reading.intents
    whole = replace(row, stop=None).truncate(term.view)
    after = read.cut(read.depth + 1)
    weight = reading.whole(row.f(read))[:, :1] if read.depth else np.zeros((len(term.names), 1))
    total = weight[mine].sum()
    share = weight[mine, 0] / total if total else np.full(len(mine), 1 / len(mine))
    box = None if term.intent is None else ranked.topic.intents[term.intent]
    gain, effort = (row.M.first, row.M.second) if isinstance(row.M, Difference) else (row.M, None)
    count = len(mine)
    return Track(
        picture=row_picture(row),
        row=row,
        headings=tuple(heading for heading in term.headings if box is None or heading != term.of_intent),
        measure=term.measure,
        names=tuple(_name(reading, ranked, i) for i in mine.tolist()),
        places=tuple(None if term.merged else i if box is None else term.intent for i in mine.tolist()),
        below=tuple(
            i if box is not None and box.children and not term.merged else None for i in mine.tolist()
        ),
        boxes=(term.intent,) * count,
        start=share * (1.0 if box is None else box.probability),
        examination_probability=reading.whole(row.M.examination_probability(after), 1)[mine].astype(float),
        reach=reading.whole(_reach(row, after), 1)[mine],
        earned=reading.earned[mine],
        factors={word: values[mine] for word, values in _factors(reading).items()},
        beside={
            word: reading.whole(values)[mine] for word, values in intermediate_values(row.M, read).items()
        },
        counted=reading.whole(RelevantSoFar()(read))[mine],
        gains=reading.whole(read.linear)[mine],
        gained=reading.contributions_of(replace(row, M=gain), read)[mine],
        cost=None if effort is None else reading.contributions_of(replace(row, M=effort), read)[mine],
        stops=_stops(reading, whole),
        ideals=(_ideal(reading, ranked),) if isinstance(row.N, RankedIdeal) else (),
    )


def _factors(reading: RowOnBatch) -> dict[str, np.ndarray]:
    """Everything that multiplies to what was earned, (intent, rank), by a word for it."""
    term, N = reading.term, reading.divisor
    found = dict(reading.factors)
    if term.factor != 1 or term.intent is not None:
        found[TERM] = np.full(N.shape, term.factor)
    if not isinstance(reading.row.N, One):
        found[DIVISOR] = np.divide(1.0, N, out=np.zeros(N.shape), where=N != 0)
    return found


def _name(reading: RowOnBatch, ranked: RankedList, group: int) -> str:
    """The id of the group's intent, "intent/subtopic", or what it is all of."""
    term, intents = reading.term, ranked.topic.intents
    if term.intent is None:
        return "all intents" if term.merged and len(intents) > 1 else intents[group].id
    box = intents[term.intent]
    if not box.children:
        return box.id
    all_of_them = term.merged and len(box.children) > 1
    return f"{box.id}/all" if all_of_them else f"{box.id}/{box.children[group].id}"


def _reach(row: Metric, view: Batch) -> np.ndarray:
    return row.w.examination_probability(view) if isinstance(row.w, Part) else np.ones((1, 1, 1, 1))


def _stops(reading: RowOnBatch, whole: Batch) -> np.ndarray | None:
    """The row's own stop, asked of every beginning of the list, (group, rank)."""
    stop, topic = reading.row.stop, reading.term.topic
    if stop is None:
        return None
    found = [np.broadcast_to(stop(whole.cut(k + 1)), whole.linear.shape[:3]) for k in range(whole.depth)]
    return (
        np.array([of_rank[topic, 0] for of_rank in found])
        .reshape(whole.depth, whole.linear.shape[2])
        .T[reading.intents]
    )


def _ideal(reading: RowOnBatch, ranked: RankedList) -> IdealTrack:
    row, term = reading.row, reading.term
    ideal: Any = row.N
    pool = reading.view.judged
    best, order = ideal.best(pool, row), ideal.order(pool, row)
    docs: tuple[str, ...] = ()
    if order is not None:
        known = [ranked.judgments.docs[place] for place in ranked.judgments.relevant.tolist()]
        docs = tuple(known[place] for place in order[term.topic].tolist() if place >= 0)
    earned = reading.contributions_of(replace(row, M=ideal.utility(row)), best)
    return IdealTrack(docs, earned[reading.intents][:, : len(docs) or None])


def _joined(several: list[Track]) -> Track:
    """The tracks of one row in every first-level intent as one."""
    first, *others = several
    if not others:
        return first

    changed: dict[str, Any] = {}
    for field in fields(Track):
        mine = [getattr(track, field.name) for track in several]
        match mine[0]:
            case np.ndarray():
                changed[field.name] = np.concatenate(mine)
            case dict():
                changed[field.name] = {
                    word: np.concatenate([each[word] for each in mine]) for word in mine[0]
                }
            case tuple() if field.name != "headings":
                changed[field.name] = sum(mine, ())
    return replace(first, **changed)


def _ends(metric: BaseMetric, view: Batch) -> np.ndarray | None:
    if not isinstance(metric, WeightedSum) or len(metric.terms) != 2:
        return None
    (weight, first), (other, second) = metric.terms
    if not (isinstance(weight, Gamma) and isinstance(other, Gamma) and other.complement > weight.complement):
        return None
    parts = [term.contributions(view)[0, 0].sum(axis=0) for term in (second, first)]
    out = np.zeros((2, max(map(len, parts))))
    for row, part in zip(out, parts, strict=True):
        row[: len(part)] = part
    return np.cumsum(out, axis=1)


def _closed(metric: BaseMetric, view: Batch) -> np.ndarray | None:
    """Where intents are merged a row does not see which of them a navigational reader has left."""
    if metric.needs_subtopics or not any(
        isinstance(m, Collapsed) and m.collapse == "DIN" for m in metric.metrics()
    ):
        return None
    after = view.cut(view.depth + 1)
    closed: np.ndarray = (view.navigational[:, None, :, None] & ~none_relevant_above(after.relevant))[0, 0]
    return closed
