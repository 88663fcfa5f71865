"""Identify a reported score: the metrics, conventions, cutoffs, parameters and file orders that result in it.

The search tries the choices that programs and papers are known to make differently, each parameter alone, so
it is finite and each match can be described in one line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np

from divmetrics._progress import progress_bar
from divmetrics.conventions.convention import ORDERS, Convention, RunOrder, conventions
from divmetrics.conventions.printed_digits import as_printed
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import Run
from divmetrics.core.settings import settings
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.evaluation import compute_scores
from divmetrics.io.loading import load_collection
from divmetrics.io.run_loading import load_runs
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import metrics

if TYPE_CHECKING:
    import pandas as pd

CUTOFFS = (*range(1, 21), 30, 50, 100)
DEEP = (200, 500, 1000, None)  # cutoffs tried only with the parameters of the convention
STEPS = 10  # equal steps between the least and the greatest parameter value tried
NEAREST = 5  # variants with other scores in the result
# The topics of a mean, in words.
OVER = {
    "judged": "all judged topics",
    "both": "topics that are judged and answered",
    "answered": "all topics that the run answers, 0 where not judged",
    "relevant": "topics with a relevant document",
}
PRINTED = 4  # decimals that NTCIREVAL prints


@dataclass(frozen=True)
class ScoringVariant:
    """One way to compute a score.

    `metric` is its name with parameters and cutoff, as `divmetrics.metric` parses it, and `convention` the
    name of the convention that computes it. `order` is the order of the run's lists ("score", "rank" or
    "file") and `level` the lowest relevant grade. `over` is "judged", "both", "answered" or "relevant" (the
    topics of the mean, see `OVER`), or the id of the one topic. `digits` is the number of decimals to which
    each topic's score is rounded before the mean, or None without rounding. `score` is the result. `unusual`
    counts the choices that differ from those of the convention.
    """

    metric: str
    convention: str
    order: str
    level: int
    over: str
    digits: int | None
    score: float
    unusual: int = field(compare=False)

    def choices(self) -> dict[str, str]:
        """Return {choice: words} for convention, metric, order, level, over, digits ("": no rounding)."""
        return {
            "convention": self.convention,
            "metric": self.metric,
            "order": f"lists by {self.order}" if self.order != "file" else "lists as the file has them",
            "level": "every positive grade counts" if self.level == 1 else f"grades from {self.level} count",
            "over": f"topic {self.over}" if self.over not in OVER else f"mean over {OVER[self.over]}",
            "digits": "" if self.digits is None else f"each rounded to {self.digits} digits",
        }

    def __str__(self) -> str:
        choices = self.choices()
        name = f"{choices.pop('convention')}:{choices.pop('metric')}"
        return f"{name} = {self.score:.6f}; {', '.join(filter(None, choices.values()))}"

    def other_than(self, other: ScoringVariant) -> str:
        """Return the choices in which this variant differs from another in words; "" if there are none."""
        own, others = self.choices(), other.choices()
        return "; ".join(
            f"{own[c] or 'not rounded before'}, not {others[c] or 'so'}" for c in own if own[c] != others[c]
        )


@dataclass(frozen=True)
class VariantSearchResult:
    """The variants that result in a reported number.

    `reported` is the number as text. `matches` are the variants whose score, rounded or truncated to the
    decimals of the number, equals it, the most usual choices first. `nearest` are up to five other variants,
    the nearest score first, without rounding of each topic's score. `tried` is the number of variants tried.
    """

    reported: str
    matches: tuple[ScoringVariant, ...]
    nearest: tuple[ScoringVariant, ...]
    tried: int

    def frame(self) -> pd.DataFrame:
        """Return a row per variant of `matches`, then of `nearest`.

        Returns
        -------
        DataFrame
            The columns metric, convention, order, level, over, digits and score are the fields of
            `ScoringVariant`; off is the score minus the reported number, and match whether they are equal to
            its decimals.
        """
        import pandas as pd

        columns = ("metric", "convention", "order", "level", "over", "digits", "score")
        rows = [
            {name: getattr(variant, name) for name in columns}
            | {
                "off": variant.score - float(_parse_reported(self.reported)[0]),
                "match": variant in self.matches,
            }
            for variant in (*self.matches, *self.nearest)
        ]
        return pd.DataFrame(rows, columns=[*columns, "off", "match"])

    def __str__(self) -> str:
        count = len(self.matches)
        title = {0: "no reading gives", 1: "one reading gives"}.get(count, f"{count} readings give")
        lines = [f"{title} {self.reported} ({self.tried:,} tried)", *(f"  {match}" for match in self.matches)]
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
    """Find the ways to score a run that result in a reported number.

    The search tries all conventions, the cutoffs 1 to 20, 30, 50, 100, 200, 500, 1000 and none, lists ordered
    by score, rank or file, means over different topics, and scores rounded to four digits before the mean.
    With `metric`, it also tries the relevance levels 1 and 2, other values of each parameter alone at cutoffs
    to 100 (without the slow exact ideal), and rounding of intermediate results as in NTCIREVAL. If choices
    make no difference to the score of a metric in a convention, only the usual choice is reported.

    Parameters
    ----------
    qrels, run : path, DataFrame, mapping, tuples, Collection or Run
        Judgments and one run, as in `divmetrics.evaluate`. The run may be None if `qrels` is a Collection
        with one run.
    reported : str or float
        The number, best as text, since "0.4150" has more digits than 0.415; "41.5%" is 0.415 with three
        digits.
    metric : str, optional
        Name of a metric in any convention; its cutoff and parameters, if any, are the only ones tried. By
        default, all metrics are tried with the parameters of their conventions.
    topics : path, DataFrame, Topics or mapping, optional
        Intents and their probabilities, as in `divmetrics.evaluate`.
    topic : str, optional
        Topic whose score was reported; by default, the number is a mean over topics.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    VariantSearchResult
        `matches`, empty if no variant gives the number, and the `nearest` other variants. Its text is a list
        of both, its `frame()` a table.

    Raises
    ------
    DivmetricsError
        If the number cannot be parsed, there is not exactly one run, no convention has a metric of this name,
        the topic has no judgments, or the files cannot be read.

    Examples
    --------
    >>> import divmetrics as dm
    >>> yu = dm.datasets.yu2017()
    >>> score = dm.evaluate(yu, None, "ERR-IA@5").score.mean()
    >>> result = identify_score(yu, None, f"{score:.4f}", "ERR-IA@5")
    >>> result.matches[0].metric, result.matches[0].convention
    ('ERR-IA@5', 'paper')
    """
    target = _parse_reported(reported)
    candidates = _metrics(metric)
    variants = list(_scoring_variants(qrels, run, candidates, topics, topic, metric is not None, progress))
    distinct: dict[tuple[str, str, float], ScoringVariant] = {}
    for variant in sorted(variants, key=lambda variant: variant.unusual):
        distinct.setdefault((variant.metric, variant.convention, variant.score), variant)
    matches = [v for v in distinct.values() if _matches_reported(v.score, target)]
    others = [v for v in distinct.values() if not _matches_reported(v.score, target) and not v.digits]
    others.sort(key=lambda variant: (abs(variant.score - float(target[0])), variant.unusual))
    return VariantSearchResult(str(reported).strip(), tuple(matches), tuple(others[:NEAREST]), len(variants))


def _parse_reported(reported: str | float) -> tuple[Decimal, int]:
    """Return (number, decimals): the reported number and how many digits follow its decimal point.

    A percentage is divided by 100. Raises DivmetricsError if the text is not a number.
    """
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


def _matches_reported(score: float, reported: tuple[Decimal, int]) -> bool:
    """Return whether the score, rounded or truncated, gives the reported (number, decimals)."""
    number, digits = reported
    scaled = score * 10.0**digits
    target = float(number * 10**digits)
    near = 1e-9 * max(1.0, abs(scaled))
    return abs(scaled - target) <= 0.5 + near or target <= scaled + near < target + 1


def _metrics(name: str | None) -> dict[str, list[BaseMetric]]:
    """Return {convention: metrics to try}; raises DivmetricsError if no convention has a metric `name`."""
    if name is None:
        return {
            convention: [
                m
                for row in metrics(convention, of="lists")
                for m in _at(metric_named(row, convention), (*CUTOFFS, *DEEP))
            ]
            for convention, table in conventions().items()
            if not table.of_nuggets  # theirs are tried by name only
        }
    candidates: dict[str, list[BaseMetric]] = {}
    for convention in conventions():
        try:
            row = metric_named(name, convention)
        except DivmetricsError:
            continue
        if row.convention != convention and row.convention in conventions():  # "ndeval:ERR-IA" has its own
            continue
        plain = _at(row, [row.cutoff] if row.cutoff else (*CUTOFFS, *DEEP))
        others = [] if row.explicit_parameters else _parameter_variants(row)
        cutoffs = [row.cutoff] if row.cutoff else CUTOFFS
        candidates[convention] = [*plain, *(m for variant in others for m in _at(variant, cutoffs))]
    if not candidates:
        names = dict.fromkeys(row for convention in conventions() for row in metrics(convention))
        raise DivmetricsError(
            f"no convention has a metric {name!r}{did_you_mean(re.split('[(@]', name)[0], names)}; leave it "
            "out to try all of them"
        )
    return candidates


def _at(row: BaseMetric, cutoffs: Iterable[int | None]) -> list[BaseMetric]:
    """Return the metric at each cutoff; for a cutoff of None, the metric itself."""
    return [row if cutoff is None else row @ cutoff for cutoff in cutoffs]


def _parameter_variants(row: BaseMetric) -> list[BaseMetric]:
    """Return variants of the metric that each change one parameter to another value."""
    variants = []
    for setting in settings(row):
        low, high = setting.setting.low, setting.setting.high
        if setting.setting.usual is not None:
            low, high, _ = setting.setting.usual
        # No program divides by the exact ideal, which is slow.
        values: Iterable[Any] = [word for word in setting.setting.words if word != "exact"]
        if not setting.setting.words and math.isfinite(low) and math.isfinite(high):
            values = (low + (high - low) * i / STEPS for i in range(STEPS + 1))
        for value in values:
            try:
                variant = row.with_parameters(**{setting.name: value})
            except DivmetricsError:  # an open end of the range
                continue
            if variant != row:
                variants.append(variant)
    return variants


def _scoring_variants(
    qrels: Any,
    run: Any,
    candidates: dict[str, list[BaseMetric]],
    topics: Any,
    topic: str | None,
    named: bool,
    progress: bool,
) -> Iterator[ScoringVariant]:
    """Yield the scored variants of `candidates`, {convention: metrics}; `named` if the user named a metric.

    Raises DivmetricsError if `topic` has no judgments or there is not exactly one run.
    """
    lists = _lists(run if run is not None or not isinstance(qrels, Collection) else list(qrels.runs.values()))
    levels = (1,) if isinstance(qrels, Collection) or not named else (1, 2)
    judged: dict[int, Collection] = {}
    with progress_bar(len(candidates) * len(levels), "convention", progress) as advance:
        for (name, metrics), level in product(candidates.items(), levels):
            table = conventions()[name]
            if level not in judged:
                more = {} if isinstance(qrels, Collection) else {"relevance_level": level}
                judged[level] = load_collection(qrels, topics, **more)
            _check_topic(judged[level], topic)
            if level == 1 or any(judgments.top_grade > 1 for judgments in judged[level].pools.values()):
                for orders, ordered in lists:
                    order = table.order if table.order in orders else orders[0]
                    collection = judged[level].with_runs([ordered])
                    imitate = named and name == "ntcireval"  # takes three times as long as all others
                    yield from _of_lists(collection, table, metrics, order, level, topic, imitate)
            advance(1)


def _check_topic(judged: Collection, topic: str | None) -> None:
    """Raise DivmetricsError if the topic has no judgments."""
    if topic is not None and topic not in judged.pools:
        raise DivmetricsError(
            f"topic {topic!r} has no judgments{did_you_mean(topic, judged.pools)}; name a judged topic"
        )


def _lists(run: Any) -> list[tuple[list[RunOrder], Run]]:
    """Return (orders, run) once per distinct set of lists; all these orders result in the same lists.

    Raises DivmetricsError if there is not exactly one run.
    """
    distinct: list[tuple[list[RunOrder], Run]] = []
    for order in ORDERS:
        runs = load_runs(run, order)
        if len(runs) != 1:
            raise DivmetricsError(f"{len(runs)} runs were given, expected the one whose number is reported")
        lists = {topic: runs[0].list(topic) for topic in runs[0].spans}
        for orders, other in distinct:
            if lists == {topic: other.list(topic) for topic in other.spans}:
                orders.append(order)
                break
        else:
            distinct.append(([order], runs[0]))
    return distinct


def _of_lists(
    collection: Collection,
    table: Convention,
    metrics: Sequence[BaseMetric],
    order: RunOrder,
    level: int,
    topic: str | None,
    imitate: bool,
) -> Iterator[ScoringVariant]:
    """Yield the variants of one run's lists, in `order`, under the convention `table`.

    `imitate` adds variants that round intermediate results as NTCIREVAL does.
    """
    run = next(iter(collection.runs.values()))
    answered = np.array([t in run.spans for t in collection.pools])
    relevant = np.array([len(judgments.relevant) > 0 for judgments in collection.pools.values()])
    masks = {"judged": np.ones_like(answered), "both": answered, "relevant": relevant}
    for digits in (None, PRINTED) if imitate else (None,):
        for row, scores in _measured(collection, metrics, digits is not None):
            unusual = len(row.explicit_parameters) + (order != table.order) + 2 * (level != 1)
            name = str(row).removeprefix(f"{table.name}:")
            variant = partial(ScoringVariant, name, table.name, order, level)
            if topic is not None:
                yield variant(topic, digits, float(scores[list(collection.pools).index(topic)]), unusual)
                continue
            for over, mask in masks.items():
                if mask.any():
                    count = unusual + (over != table.mean_over)
                    yield variant(over, digits, float(scores[mask].mean()), count)
                    yield variant(over, PRINTED, float(np.round(scores[mask], PRINTED).mean()), count + 1)
            if len(run.spans) > answered.sum():
                yield variant("answered", digits, float(scores[answered].sum()) / len(run.spans), unusual + 1)


def _measured(
    collection: Collection, metrics: Sequence[BaseMetric], printed: bool
) -> Iterator[tuple[BaseMetric, np.ndarray]]:
    """Yield (metric, scores per topic) of each metric that the judgments allow.

    `printed` rounds intermediate results as NTCIREVAL does.
    """

    @cache
    def allowed(variant: BaseMetric, whole: bool) -> bool:
        try:
            compute_scores(few, [variant if whole else variant @ 1])
        except DivmetricsError:  # it needs a cutoff, or a second level
            return False
        return True

    few = replace(collection, pools=dict(islice(collection.pools.items(), 1)))
    usable = [row for row in metrics if allowed(replace(row, cutoff=None), row.cutoff is None)]
    # Separately, since a metric that reads whole lists slows down all others in the same call.
    for whole in (False, True):
        some = [row for row in usable if (row.cutoff is None or row.cutoff > CUTOFFS[-1]) is whole]
        scored = [as_printed(row) for row in some] if printed else some
        if some:
            yield from zip(some, compute_scores(collection, scored)[0][0].T, strict=True)


def _closest(miss: ScoringVariant, matches: Iterable[ScoringVariant]) -> ScoringVariant:
    """Return the match with the fewest different choices."""
    own = miss.choices()
    return min(matches, key=lambda match: sum(own[c] != text for c, text in match.choices().items()))
