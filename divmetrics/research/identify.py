"""Somebody reports a number: which metrics, conventions, cutoffs, parameters and ways to read files give it?

The search tries what exists and nothing else: the choices that programs and papers are known to make
differently, each parameter alone. So it ends, and every reading that it finds can be said in one line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from itertools import islice, product
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from divmetrics._progress import progress_bar
from divmetrics.conventions.convention import Convention, RunOrder, conventions
from divmetrics.conventions.printed_digits import as_printed
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection, Run
from divmetrics.core.metric import BaseMetric
from divmetrics.core.settings import settings
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.evaluation import compute_scores
from divmetrics.io.loading import load_collection, load_runs
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import metrics

if TYPE_CHECKING:
    import pandas as pd

CUTOFFS = (*range(1, 21), 30, 50, 100)
DEEP = (200, 500, 1000, None)  # with the parameters of the table only
STEPS = 10  # in which the range of a parameter is tried
NEAREST = 5  # readings that miss the number are shown
# What is said of the topics that a mean is over.
OVER = {
    "judged": "all judged topics",
    "both": "topics that are judged and answered",
    "answered": "all topics that the run answers, 0 where not judged",
    "relevant": "topics with a relevant document",
}
PRINTED = 4  # digits of NTCIREVAL


@dataclass(frozen=True)
class ScoringVariant:
    """One way to come to a number.

    metric: with its parameters and cutoff, as `metric` of divmetrics reads it. order: of the run's list.
    level: the lowest grade that counts. over: the topics of the mean, or the one topic. digits: of every
    topic's score before the mean, as NTCIREVAL prints them; None for as many as there are.
    """

    metric: str
    convention: str
    order: str
    level: int
    over: str
    digits: int | None
    score: float
    unusual: int = field(compare=False)  # choices other than those of the convention and its table

    def choices(self) -> dict[str, str]:
        """What was chosen, in words, by what it was chosen for."""
        return {
            "convention": self.convention,
            "metric": self.metric,
            "order": f"lists by {self.order}" if self.order != "file" else "lists as the file has them",
            "level": "every positive grade counts" if self.level == 1 else f"grades from {self.level} count",
            "over": f"topic {self.over}" if self.over not in OVER else f"mean over {OVER[self.over]}",
            "digits": "" if self.digits is None else f"each rounded to {self.digits} digits",
        }

    def __str__(self) -> str:
        said = self.choices()
        named = f"{said.pop('convention')}:{said.pop('metric')}"
        return f"{named} = {self.score:.6f}; {', '.join(filter(None, said.values()))}"

    def other_than(self, other: ScoringVariant) -> str:
        """In what this reading differs from another, in words."""
        mine, its = self.choices(), other.choices()
        return "; ".join(
            f"{mine[c] or 'not rounded before'}, not {its[c] or 'so'}" for c in mine if mine[c] != its[c]
        )


@dataclass(frozen=True)
class VariantSearchResult:
    """What a search for a reported number found.

    reported: the number as it was given. matches: the readings that give it in its digits, those first that
    choose least against their convention. nearest: the nearest that do not. tried: how many there were.
    """

    reported: str
    matches: tuple[ScoringVariant, ...]
    nearest: tuple[ScoringVariant, ...]
    tried: int

    def frame(self) -> pd.DataFrame:
        """Matches, then the nearest others: the choices, score, off (from the reported number), match."""
        import pandas as pd

        columns = ("metric", "convention", "order", "level", "over", "digits", "score")
        rows = [
            {name: getattr(reading, name) for name in columns}
            | {"off": reading.score - float(_digits(self.reported)[0]), "match": reading in self.matches}
            for reading in (*self.matches, *self.nearest)
        ]
        return pd.DataFrame(rows, columns=[*columns, "off", "match"])

    def __str__(self) -> str:
        count = len(self.matches)
        give = {0: "no reading gives", 1: "one reading gives"}.get(count, f"{count} readings give")
        lines = [f"{give} {self.reported} ({self.tried:,} tried)", *(f"  {match}" for match in self.matches)]
        if self.nearest:
            lines += ["", "the nearest others"]
        for miss in self.nearest:
            lines.append(f"  {miss}")
            if self.matches:
                lines.append(f"      {miss.other_than(_closest(miss, self.matches))}")
        return "\n".join(lines)


@public
def identify_score(
    qrels: Any,
    run: Any,
    reported: str | float,
    metric: str | None = None,
    topics: Any = None,
    *,
    topic: str | None = None,
    progress: bool = False,
) -> VariantSearchResult:
    """Which ways to measure a run give a number that somebody reported.

    Parameters
    ----------
    qrels, topics : as `evaluate` takes them
    run : one run, as `evaluate` takes it
    reported : the number, best as text, since "0.4150" says more than 0.415; "41.5%" is 0.415 in three digits
    metric : a name in any convention; with a cutoff, or with parameters, only these are tried. Without a
        name every metric is, with the parameters of its table
    topic : the number is this topic's score, not a mean

    Tried are all conventions; cutoffs of 1 to 20, 30, 50, 100, 200, 500, 1000 and none; the order of the list
    by score, rank or file; the topics that the mean is over; scores rounded to four digits before the mean.
    With a named metric also grades from 1 or from 2; each parameter alone at other values, at cutoffs to 100
    (but not the exact ideal, which takes long); and rounding on the way as NTCIREVAL does. Where choices make
    no difference the usual one stands for them.

    Raises
    ------
    DivmetricsError
        where the number cannot be read, there is not exactly one run, or no metric has the name.
    """
    wanted = _digits(reported)
    chosen = _metrics(metric)
    readings = list(_readings(qrels, run, chosen, topics, topic, metric is not None, progress))
    told: dict[tuple[str, str, float], ScoringVariant] = {}
    for reading in sorted(readings, key=lambda reading: reading.unusual):
        told.setdefault((reading.metric, reading.convention, reading.score), reading)
    matches = [reading for reading in told.values() if _gives(reading.score, wanted)]
    others = [r for r in told.values() if not _gives(r.score, wanted) and not r.digits]
    others.sort(key=lambda reading: (abs(reading.score - float(wanted[0])), reading.unusual))
    return VariantSearchResult(str(reported).strip(), tuple(matches), tuple(others[:NEAREST]), len(readings))


def _digits(reported: str | float) -> tuple[Decimal, int]:
    """The number and its digits after the point."""
    text = str(reported).strip()
    percent = text.endswith("%")
    try:
        number = Decimal(text.removesuffix("%").strip())
        if not number.is_finite():
            raise InvalidOperation
    except InvalidOperation:
        raise DivmetricsError(
            f"the reported number is {text!r}, expected a score such as 0.4153 or 41.53%"
        ) from None
    digits = max(-int(number.as_tuple().exponent), 0)
    return (number / 100, digits + 2) if percent else (number, digits)


def _gives(score: float, wanted: tuple[Decimal, int]) -> bool:
    """Is the score, rounded to these digits or cut off there, the number?"""
    number, digits = wanted
    scaled = score * 10.0**digits
    target = float(number * 10**digits)
    near = 1e-9 * max(1.0, abs(scaled))
    return abs(scaled - target) <= 0.5 + near or target <= scaled + near < target + 1


def _metrics(name: str | None) -> dict[str, list[BaseMetric]]:
    """By convention, what is tried there."""
    if name is None:
        return {
            convention: [
                m
                for row in metrics(convention)
                for m in _at(metric_named(row, convention), (*CUTOFFS, *DEEP))
            ]
            for convention in conventions()
        }
    found: dict[str, list[BaseMetric]] = {}
    for convention in conventions():
        try:
            row = metric_named(name, convention)
        except DivmetricsError:
            continue
        if row.convention != convention and row.convention in conventions():  # "ndeval:ERR-IA" says its own
            continue
        plain = _at(row, [row.cutoff] if row.cutoff else (*CUTOFFS, *DEEP))
        others = [] if row.given else _variants(row)
        cutoffs = [row.cutoff] if row.cutoff else CUTOFFS
        found[convention] = [*plain, *(m for variant in others for m in _at(variant, cutoffs))]
    if not found:
        known = dict.fromkeys(row for convention in conventions() for row in metrics(convention))
        raise DivmetricsError(
            f"no convention has a metric {name!r}{did_you_mean(re.split('[(@]', name)[0], known)}; leave it "
            "out to try all of them"
        )
    return found


def _at(row: BaseMetric, cutoffs: Iterable[int | None]) -> list[BaseMetric]:
    return [row if cutoff is None else row @ cutoff for cutoff in cutoffs]


def _variants(row: BaseMetric) -> list[BaseMetric]:
    """The row with each parameter alone at other values."""
    found = []
    for setting in settings(row):
        low, high = setting.setting.low, setting.setting.high
        if setting.setting.usual is not None:
            low, high, _ = setting.setting.usual
        # No program divides by the exact ideal, which takes long.
        values: Iterable[Any] = [word for word in setting.setting.words if word != "exact"]
        if not setting.setting.words and math.isfinite(low) and math.isfinite(high):
            values = (low + (high - low) * i / STEPS for i in range(STEPS + 1))
        for value in values:
            try:
                variant = row.with_parameters(**{setting.name: value})
            except DivmetricsError:  # an end that does not belong to the range
                continue
            if variant != row:
                found.append(variant)
    return found


def _readings(
    qrels: Any,
    run: Any,
    chosen: dict[str, list[BaseMetric]],
    topics: Any,
    topic: str | None,
    named: bool,
    progress: bool,
) -> Iterator[ScoringVariant]:
    lists = _lists(run if run is not None or not isinstance(qrels, Collection) else list(qrels.runs.values()))
    levels = (1,) if isinstance(qrels, Collection) or not named else (1, 2)
    judged: dict[tuple[int, bool], Collection] = {}
    with progress_bar(len(chosen) * len(levels), "convention", progress) as advance:
        for (name, metrics), level in product(chosen.items(), levels):
            table = conventions()[name]
            key = (level, table.whole_topic_counts)
            if key not in judged:
                more = {} if isinstance(qrels, Collection) else {"relevance_level": level}
                judged[key] = load_collection(qrels, topics, whole_topic_counts=key[1], **more)
            _check_topic(judged[key], topic)
            if level == 1 or any(pool.top_grade > 1 for pool in judged[key].pools.values()):
                for orders, listed in lists:
                    order = table.order if table.order in orders else orders[0]
                    given = judged[key].with_runs([listed])
                    imitate = named and name == "ntcireval"  # which takes three times as long as all else
                    yield from _of_lists(given, table, metrics, order, level, topic, imitate)
            advance(1)


def _check_topic(judged: Collection, topic: str | None) -> None:
    if topic is not None and topic not in judged.pools:
        raise DivmetricsError(
            f"topic {topic!r} has no judgments{did_you_mean(topic, judged.pools)}; name a judged topic"
        )


def _lists(run: Any) -> list[tuple[list[RunOrder], Run]]:
    """The run in every order that makes a difference, with all orders that make the same lists."""
    found: list[tuple[list[RunOrder], Run]] = []
    for order in get_args(RunOrder):
        runs = load_runs(run, order)
        if len(runs) != 1:
            raise DivmetricsError(f"{len(runs)} runs were given, expected the one whose number is reported")
        lists = {topic: runs[0].list(topic) for topic in runs[0].spans}
        for orders, known in found:
            if lists == {topic: known.list(topic) for topic in known.spans}:
                orders.append(order)
                break
        else:
            found.append(([order], runs[0]))
    return found


def _of_lists(
    collection: Collection,
    table: Convention,
    metrics: Sequence[BaseMetric],
    order: RunOrder,
    level: int,
    topic: str | None,
    imitate: bool,
) -> Iterator[ScoringVariant]:
    run = next(iter(collection.runs.values()))
    answered = np.array([t in run.spans for t in collection.pools])
    relevant = np.array([len(pool.relevant) > 0 for pool in collection.pools.values()])
    masks = {"judged": np.ones_like(answered), "both": answered, "relevant": relevant}
    for digits in (None, PRINTED) if imitate else (None,):
        for row, scores in _measured(collection, metrics, digits is not None):
            unusual = len(row.given) + (order != table.order) + 2 * (level != 1)
            name = str(row).removeprefix(f"{table.name}:")
            read = partial(ScoringVariant, name, table.name, order, level)
            if topic is not None:
                yield read(topic, digits, float(scores[list(collection.pools).index(topic)]), unusual)
                continue
            for over, mask in masks.items():
                if mask.any():
                    also = unusual + (over != table.mean_over)
                    yield read(over, digits, float(scores[mask].mean()), also)
                    yield read(over, PRINTED, float(np.round(scores[mask], PRINTED).mean()), also + 1)
            if len(run.spans) > answered.sum():
                yield read("answered", digits, float(scores[answered].sum()) / len(run.spans), unusual + 1)


def _measured(
    collection: Collection, metrics: Sequence[BaseMetric], printed: bool
) -> Iterator[tuple[BaseMetric, np.ndarray]]:
    """The metrics that these judgments allow, each with the topics' scores; printed: as NTCIREVAL prints."""

    @cache
    def allowed(variant: BaseMetric, whole: bool) -> bool:
        try:
            compute_scores(few, [variant if whole else variant @ 1])
        except DivmetricsError:  # it needs a cutoff, or a second level
            return False
        return True

    few = replace(collection, pools=dict(islice(collection.pools.items(), 1)))
    kept = [row for row in metrics if allowed(replace(row, cutoff=None), row.cutoff is None)]
    # Apart, since one that looks at whole lists makes all others that are measured with it wait.
    for whole in (False, True):
        some = [row for row in kept if (row.cutoff is None or row.cutoff > CUTOFFS[-1]) is whole]
        shown = [as_printed(row) for row in some] if printed else some
        if some:
            yield from zip(some, compute_scores(collection, shown)[0][0].T, strict=True)


def _closest(miss: ScoringVariant, matches: Iterable[ScoringVariant]) -> ScoringVariant:
    """The match from which a reading differs least."""
    mine = miss.choices()
    return min(matches, key=lambda match: sum(mine[c] != said for c, said in match.choices().items()))
