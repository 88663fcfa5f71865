"""Score runs: judgments, runs and metrics in, a tidy table or one number out."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from divmetrics import _threads
from divmetrics._progress import progress_bar
from divmetrics._scoring_checks import (
    UNJUDGED,
    check_topics,
    unanswered_sentence,
    warn_by_run,
    warn_of_assumptions,
    warn_of_idle_level,
    warn_of_low_grades,
    warn_of_nuggets,
)
from divmetrics.conventions.convention import ORDERS, Convention, MeanOver, RunOrder, conventions
from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core import checks
from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric, Value, is_ad_hoc
from divmetrics.core.parts import GAINS
from divmetrics.core.runs import Run
from divmetrics.core.topics import Level, first_duplicate, warn_unnormalised
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io.loading import WHOLE_TOPIC, judged_list, load_for_convention
from divmetrics.io.page_sources import holds_pages
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import with_defaults

if TYPE_CHECKING:
    import pandas as pd

CELLS = 1_000_000  # cells (topic, run, intent, rank) that a thread processes at once; limits the memory
MEANS = get_args(MeanOver)


@dataclass(frozen=True)
class Options:
    """How runs are scored: the keywords of `evaluate`, where each is documented, with the same defaults.

    Raises DivmetricsError if `order`, `mean_over`, `gain` or `level` is none of its values.
    """

    order: RunOrder | None = None
    mean_over: MeanOver | None = None
    scale: int | None = None
    gain: str | None = None
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    relevance_level: int = 1
    as_printed: bool = False
    progress: bool = False
    level: Level | None = None

    def __post_init__(self) -> None:
        for name, option, choices in (
            ("order", self.order, ORDERS),
            ("mean_over", self.mean_over, MEANS),
            ("gain", self.gain, tuple(GAINS)),
        ):
            if option is not None:
                checks.check_choice(name, option, choices)
        if self.level is not None:
            checks.check_whole("level", self.level, 1, most=2)

    @property
    def parameters(self) -> dict[str, Value | None]:
        """{"gain", "alpha", "beta", "gamma": the option's value}; None leaves a parameter as it is."""
        return {"gain": self.gain, "alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}


DEFAULTS = Options()


@dataclass(frozen=True)
class Scores:
    """The scores of one evaluation; `values` has the axes (run, topic, metric).

    The names on these axes are `runs`, `topics` and `metrics`. `values` has a number for every run and topic;
    `scored`, bool (run, topic), says which are scores that count. Also bool (run, topic), `answered` says
    whether the run answers the topic. `unjudged` has, for each run, the topics without judgments that it
    answers.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    metrics: tuple[str, ...]
    values: np.ndarray
    scored: np.ndarray
    answered: np.ndarray
    unjudged: tuple[tuple[str, ...], ...]

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Yield (run, topic, metric, score) of the scores that count, run by run and topic by topic."""
        for r, t in zip(*np.nonzero(self.scored), strict=True):
            run, topic = self.runs[r], self.topics[t]
            for label, value in zip(self.metrics, self.values[r, t].tolist(), strict=True):
                yield run, topic, label, value

    def means(self) -> np.ndarray:
        """Return the means over the topics that count for the run, (run, metric); 0 if there are none."""
        counted = self.scored[:, :, None]
        return np.sum(self.values, axis=1, where=counted) / np.maximum(counted.sum(axis=1), 1)

    def mean_frame(self) -> pd.DataFrame:
        """Return `means()` as a DataFrame: a row for each run, by its name, and a column for each metric."""
        import pandas as pd

        runs, metrics = pd.Index(self.runs, name="run"), pd.Index(self.metrics, name="metric")
        return pd.DataFrame(self.means(), runs, metrics)

    def frame(self) -> pd.DataFrame:
        """Return `rows()` as a DataFrame with the columns run, topic, metric and score."""
        import pandas as pd

        scored = np.repeat(self.scored.ravel(), len(self.metrics))
        lists = len(self.runs) * len(self.topics)
        return pd.DataFrame(
            {
                "run": np.repeat(self.runs, len(self.topics) * len(self.metrics))[scored],
                "topic": np.tile(np.repeat(self.topics, len(self.metrics)), len(self.runs))[scored],
                "metric": np.tile(self.metrics, lists)[scored],
                "score": self.values.ravel()[scored],
            }
        )


@public
def evaluate(
    qrels: Any,
    runs: Any = None,
    metrics: str | BaseMetric | Iterable[str | BaseMetric] = (),
    topics: Any = None,
    convention: str = "paper",
    *,
    order: RunOrder | None = None,
    mean_over: MeanOver | None = None,
    scale: int | None = None,
    gain: str | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    relevance_level: int = 1,
    as_printed: bool = False,
    progress: bool = False,
    mean: bool = False,
    level: Level | None = None,
) -> pd.DataFrame:
    """Score runs under metrics, topic by topic.

    Parameters
    ----------
    qrels : path, DataFrame, mapping, tuples or Collection
        The judgments: a file as for `read_qrels`; a DataFrame (topic, intent[, subtopic], doc, grade);
        {topic: {document: {intent: grade}}}; tuples such as ir_measures.Qrel. Several files of nuggetizer's
        assignments may be passed as a list. For pages, judgments by vertical: what `read_queries` reads, or
        its result.
    runs : path, DataFrame, mapping, tuples, Run, RankedList or a list of these, optional
        The runs: a TREC file; a DataFrame (run, topic, doc, rank, score); the ranked ids of each topic,
        {topic: [document, ...]}; {topic: {document: score}}; tuples such as ir_measures.ScoredDoc; ranx.Run.
        {name: run} gives each run a name. By default the runs of the Collection `qrels`, or of its file of
        answers; other files of answers may then be passed here, too. Or pages of blocks: files that
        `read_pages` reads.
    metrics : str, Metric or several
        At least one metric, such as "ERR-IA@20", each once; for pages also the names of `aggregated.GOLD`,
        such as "prec_v".
    topics : path, DataFrame, Topics or mapping, optional
        The intents with their probabilities, as a file, a DataFrame (topic, intent, probability[, kind]),
        Topics or {topic: {intent: probability}}. By default the intents in the judgments, equally
        probable and (nuggets apart) without second-level subtopics. For pages, the orientations of
        `read_queries`.
    convention : {"paper", "ndeval", "ntcireval", "nuggetizer", "freshstack", ...}
        The convention of names without prefix, and the defaults of `order` and `mean_over`.
    order : {"score", "rank", "file"}, optional
        The order of a run's documents: by score (ties by document id, descending), by rank, or as in the
        source; by default that of the convention ("paper": by score). Ranked ids keep their order.
    mean_over : {"judged", "both"}, optional
        The topics that are scored: all judged topics (a run that does not answer a topic is scored there as
        an empty list), or only the judged topics that the run answers. By default as in the convention
        ("paper": "judged"), or that of the metrics if all belong to one convention of nuggets.
    scale : int, optional
        The top grade Y; by default the highest grade in the judgments. If assessors could give more, set it:
        there is no warning, and ERR-IA and all other metrics with R(g) = (2^g - 1)/2^Y change with Y.
    gain : {"linear", "exponential"}, optional
        The gain of a grade, for every metric that has this parameter, unless its name sets it.
    alpha, beta, gamma : float, optional
        Values for every metric that has the parameter, unless its name sets it; checked by these metrics.
    relevance_level : int
        Grades below it count as 0, not relevant; other grades stay.
    as_printed : bool
        Round intermediate results as NTCIREVAL does, for its printed digits; only with the convention
        "ntcireval".
    progress : bool
        Show a progress bar, on a terminal only.
    mean : bool
        Return the means over topics instead of the scores.
    level : {1, 2}, optional
        Whether the first- or the second-level subtopics are the intents; intent-square metrics (X-IS) read
        both levels. By default the first level, but for nuggets in groups the second, which are the nuggets.
        Of judgments that are no nuggets, the second level is read from `topics` only.

    Returns
    -------
    DataFrame
        The columns run, topic, metric, score: one row per score, runs in their order, topics in the order of
        the judgments, metrics named as in the call. With `mean`, a table of means, with the runs as its index
        and the metrics as its columns, equal to `divmetrics evaluate --mean`.

    Raises
    ------
    DivmetricsError
        If a file cannot be read, judgments, runs or topics are invalid or do not fit together, no metric or
        run is given, a metric or an option is invalid, a metric needs a cutoff, second-level subtopics or
        weights that sum to 1 and has none, a score is not finite, or `topics`, `scale` or `relevance_level`
        comes with a Collection.

    Warns
    -----
    DivmetricsWarning
        If the input can be used with an assumption, with counts: missing and unjudged topics, documents
        never judged, ties, ranks that contradict the scores (unless `order` is set), options without effect.

    Examples
    --------
    >>> import divmetrics as dm
    >>> qrels = {"q": {"d1": {"film": 1}, "d2": {"book": 1}}}
    >>> runs = {"A": {"q": ["d1", "d2"]}, "B": {"q": ["d2"]}}
    >>> dm.evaluate(qrels, runs, "ERR-IA@5")
      run topic    metric  score
    0   A     q  ERR-IA@5  0.375
    1   B     q  ERR-IA@5  0.250
    >>> dm.evaluate(qrels, runs, ["ERR-IA@5", "S-recall@5"], mean=True)  # doctest: +NORMALIZE_WHITESPACE
    metric  ERR-IA@5  S-recall@5
    run
    A          0.375         1.0
    B          0.250         0.5
    """
    options = Options(
        order, mean_over, scale, gain, alpha, beta, gamma, relevance_level, as_printed, progress, level
    )
    scores = score_runs(qrels, runs, metrics, topics, convention, options)
    return scores.mean_frame() if mean else scores.frame()


@public
def score(
    metric: str | BaseMetric,
    ranking: Sequence[str],
    judgments: Mapping[str, Mapping[str, int]],
    probabilities: Mapping[str, float] | None = None,
    *,
    scale: int | None = None,
) -> float:
    """Score one ranked list.

    Parameters
    ----------
    metric : str or BaseMetric
        The metric, such as "ERR-IA@20".
    ranking : sequence of str or {document: score}
        The ids of the documents, best first, each once; it may be empty. Documents without judgments count as
        not relevant. A mapping is ordered by score.
    judgments : mapping
        {document: {intent: grade}}: whole numbers; negative grades and missing ones count as 0.
    probabilities : mapping, optional
        {intent: probability} of all intents, also of those to which no document is relevant; without it, the
        judged intents are equally probable.
    scale : int, optional
        The top grade Y that assessors could give; by default the highest grade in the judgments.

    Returns
    -------
    float
        The score that `evaluate` gives a run with this list and these judgments for one topic.

    Raises
    ------
    DivmetricsError
        If there is no such metric, it needs a cutoff or second-level subtopics, a document stands twice in
        the ranking, which must have an order, a judged intent has no probability, the probabilities do not
        sum to 1 (within 0.001), a grade is not a whole number or above `scale`, or there is no intent.

    Examples
    --------
    >>> import divmetrics as dm
    >>> judgments = {"d1": {"film": 1}, "d2": {"book": 1}}
    >>> dm.score("ERR-IA@5", ["d1", "d3", "d2"], judgments)
    0.3333333333333333
    >>> round(dm.score("ERR-IA@5", ["d1", "d3", "d2"], judgments, {"film": 0.7, "book": 0.3}), 6)
    0.4
    """
    chosen = metric_named(metric)
    ranked = judged_list(ranking, judgments, probabilities, scale)
    warn_unnormalised([ranked.topic])
    run = Run.of(ranked.run, {ranked.topic.id: ranked.docs})
    collection = Collection({ranked.topic.id: ranked.judgments}, {run.name: run})
    return float(compute_scores(collection, [chosen])[0].item())


def score_runs(
    qrels: Any,
    runs: Any,
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
    topics: Any = None,
    convention: str = "paper",
    options: Options = DEFAULTS,
) -> Scores:
    """Score runs as `evaluate` does, with its arguments and warnings, and return all scores as arrays.

    Raises DivmetricsError in the same cases.
    """
    table = convention_named(convention)
    if holds_pages(runs):
        return _score_pages(qrels, runs, metrics, topics, convention, options)
    labels, chosen = resolve_metrics(metrics, convention, options.parameters)
    if options.as_printed:
        if convention != "ntcireval":
            raise DivmetricsError('as_printed imitates NTCIREVAL; it needs convention="ntcireval"')
        from divmetrics.conventions.printed_digits import as_printed  # takes 4 ms, which few need

        chosen = [as_printed(m) for m in chosen]
    ad_hoc = all(map(is_ad_hoc, chosen))
    collection = load_for_convention(
        table,
        qrels,
        runs,
        topics,
        order=options.order,
        scale=options.scale,
        relevance_level=options.relevance_level,
        ad_hoc=ad_hoc,
        for_display=False,
        progress=options.progress,
    )
    check_topics(collection)
    warn_unnormalised(collection.topics)
    by_label = dict(zip(labels, chosen, strict=True))
    warn_of_idle_level(collection.topics, by_label, options.level)
    warn_of_nuggets(collection.topics, by_label, options.level)
    warn_of_low_grades(collection, by_label)
    values, depth = compute_scores(collection, chosen, options.progress, options.level)
    over_answered = (options.mean_over or _mean_over(chosen, table)) == "both"
    intents = {intent.id for topic in collection.topics for intent in topic.intents}
    if len(intents) == 1 and intents <= {WHOLE_TOPIC, "Q0"} and not ad_hoc:
        what = f"every judgment is of intent {intents.pop()}"
        what = f"{what}, as where none names its subtopic (iteration in ir_measures)"
        message = f"{what}: each topic has that one intent, and no score measures diversity"
        warnings.warn(message, DivmetricsWarning, stacklevel=3)
    warn_of_assumptions(collection, depth, over_answered, order=None if options.order else table.order)
    answered = np.array([[t in run.spans for t in collection.pools] for run in collection.runs.values()])
    return Scores(
        tuple(collection.runs),
        tuple(collection.pools),
        tuple(labels),
        values,
        scored=answered if over_answered else np.ones_like(answered),
        answered=answered,
        unjudged=tuple(
            tuple(t for t in run.spans if t not in collection.pools) for run in collection.runs.values()
        ),
    )


def _score_pages(
    judgments: Any,
    pages: Any,
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
    orientations: Any,
    convention: str,
    options: Options,
) -> Scores:
    """Score the pages of files; a judged topic without a page has an empty one."""
    from divmetrics.aggregated import BlockPage
    from divmetrics.aggregated.scores import compute_page_scores, is_gold
    from divmetrics.io.page_loading import load_pages, load_queries

    ignored = {"order": options.order, "level": options.level, "as_printed": options.as_printed or None}
    for name, value in ignored.items():
        if value is not None:
            raise DivmetricsError(f"{name} is for ranked lists, and these are pages of blocks; leave it out")
    labels, requested = _requested(metrics)
    others = [metric for metric in requested if not is_gold(metric)]
    chosen = iter(resolve_metrics(others, convention, options.parameters)[1] if others else ())
    resolved = [metric if is_gold(metric) else next(chosen) for metric in requested]
    queries = load_queries(judgments, orientations, options.scale, options.relevance_level)
    by_run, unjudged = load_pages(pages, queries)
    every = [
        of_run.get(query.id) or BlockPage(query, (), run)
        for run, of_run in by_run.items()
        for query in queries
    ]
    answered = np.array([[query.id in of_run for query in queries] for of_run in by_run.values()])
    values = compute_page_scores(every, resolved) * answered[:, :, None]
    over_answered = (options.mean_over or convention_named(convention).mean_over) == "both"
    empty = ([page.blocks for page in of_run.values()].count(()) for of_run in by_run.values())
    counted: dict[str, Iterable[int]] = {
        unanswered_sentence(over_answered): (~answered).sum(axis=1).tolist(),
        UNJUDGED: map(len, unjudged.values()),
        "has {n} page(s) without blocks, which score 0 under AS_ metrics": empty,
    }
    warn_by_run(list(by_run), counted)
    return Scores(
        tuple(by_run),
        tuple(query.id for query in queries),
        tuple(labels),
        values,
        scored=answered if over_answered else np.ones_like(answered),
        answered=answered,
        unjudged=tuple(unjudged.values()),
    )


def resolve_metrics(
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
    convention: str,
    options: Mapping[str, Value | None],
) -> tuple[list[str], list[BaseMetric]]:
    """Return the names of metrics as they were written, and the metrics with the parameters in `options`.

    metrics: one or several, or names in `convention`, each once. options: {parameter: value, or None to leave
    it as it is}; a parameter that the name sets keeps its value. Warns (DivmetricsWarning) of an option that
    no metric takes. Raises DivmetricsError if there is no metric, one is asked for twice, or a name or a
    value is invalid.
    """
    labels, requested = _requested(metrics)
    defaults = {name: value for name, value in options.items() if value is not None}
    chosen = [metric_named(m, convention) for m in requested]
    for name, value in defaults.items():
        if not any(name in m.parameters() and name not in dict(m.explicit_parameters) for m in chosen):
            message = f"{name}={value} has no effect: every metric asked for lacks it or sets it itself"
            warnings.warn(message, DivmetricsWarning, stacklevel=4)
    return labels, [with_defaults(m, defaults) for m in chosen]


def _requested(
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
) -> tuple[list[str], list[str | BaseMetric]]:
    """Return the names of metrics, and the metrics; raise DivmetricsError for none, or a repeated one."""
    if isinstance(metrics, (str, BaseMetric)):
        metrics = [metrics]
    checks.check_ordered("metrics", metrics, "a metric or several in an order")
    requested = list(metrics)
    if not requested:
        raise DivmetricsError("no metric was asked for; name at least one, such as 'ERR-IA@20'")
    labels = [str(m) for m in requested]
    twice = first_duplicate(labels)
    if twice is not None:
        raise DivmetricsError(f"metric {twice!r} is asked for twice; ask once")
    return labels, requested


def compute_scores(
    collection: Collection, metrics: Sequence[BaseMetric], progress: bool = False, level: Level | None = None
) -> tuple[np.ndarray, int | None]:
    """Compute the scores of all runs of a collection, in parallel threads.

    Parameters
    ----------
    collection : Collection
        The judgments and the runs.
    metrics : sequence of BaseMetric
        The metrics.
    progress : bool
        Whether to show a progress bar, on a terminal only.
    level : {1, 2}, optional
        As in `evaluate`: whether first- or second-level subtopics are the intents.

    Returns
    -------
    tuple of (numpy.ndarray, int or None)
        The scores, (run, topic, metric), in the orders of the collection and of `metrics`; and the largest
        cutoff, None if a metric has none and reads whole lists.

    Raises
    ------
    DivmetricsError
        In the cases of `BaseMetric.scores`, or if `level` is 2 and a topic is judged on the first level only.
    """
    measured = collection.on_level(level)
    square = [place for place, metric in enumerate(metrics) if metric.needs_subtopics]
    if measured is collection or len(square) == len(metrics):
        return _compute_scores(collection, metrics, progress)
    flat = [place for place in range(len(metrics)) if place not in square]
    values = np.zeros((len(collection.runs), len(collection.pools), len(metrics)))
    for source, places in ((measured, flat), (collection, square)):
        if places:
            values[..., places], _ = _compute_scores(source, [metrics[place] for place in places], progress)
    return values, _deepest([m.cutoff for m in metrics])


def _compute_scores(
    collection: Collection, metrics: Sequence[BaseMetric], progress: bool
) -> tuple[np.ndarray, int | None]:
    cutoffs = [m.cutoff for m in metrics]
    depth = _deepest(cutoffs)
    leaves = any(m.needs_subtopics for m in metrics)
    topics, runs = list(collection.pools), list(collection.runs)
    out = np.zeros((len(runs), len(topics), len(metrics)))
    # Deepest first: the ideal list of a large cutoff contains those of smaller cutoffs.
    plan = sorted(range(len(metrics)), key=lambda m: -(cutoffs[m] or np.inf))
    sparse = [m for m in plan if metrics[m].ignores_nonrelevant]
    dense = [m for m in plan if m not in sparse]
    deepest = _deepest([cutoffs[m] for m in dense])

    def work(block: list[int], groups: list[list[int]], advance: Callable[[int], object]) -> None:
        pool: Batch | None = None
        for group in groups:
            chosen = [topics[t] for t in block], [runs[r] for r in group]
            for ms, deep, only_relevant in ((sparse, None, True), (dense, deepest, False)):
                if ms:
                    batch = make_batch(collection, *chosen, deep, leaves, pool, only_relevant)
                    pool = batch.pool
                for m in ms:
                    out[np.ix_(group, block, [m])] = metrics[m].scores(batch).T[:, :, None]
            advance(len(block) * len(group))

    blocks = list(_blocks(collection, deepest if dense else 0, bool(sparse), leaves))
    # For its side effect, before threads share the runs: even an empty slice makes each run cache where its
    # distinct ids are.
    next(collection.positions(list(collection.runs.values()), topics[:1], 0))
    with progress_bar(len(topics) * len(runs), "list", progress) as advance:
        if len(blocks) == 1 or not _threads.can_start():
            for topics_of, runs_of in blocks:
                work(topics_of, runs_of, advance)
            return out, depth
        from concurrent.futures import ThreadPoolExecutor  # takes 7 ms, which small jobs do not need

        # numpy releases the interpreter lock while it computes, so threads run in parallel.
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
            # If one block fails or is stopped, `map` starts no other.
            list(threads.map(lambda block: work(block[0], block[1], advance), blocks))
    return out, depth


def _deepest(cutoffs: Iterable[int | None]) -> int | None:
    """Return the largest cutoff; None, for whole lists, if one of them is None."""
    depths = [cutoff or np.inf for cutoff in cutoffs]
    return None if np.inf in depths else int(max(depths, default=0))


def _blocks(
    collection: Collection, depth: int | None, only_relevant: bool, leaves: bool
) -> Iterable[tuple[list[int], list[list[int]]]]:
    """Yield blocks of topics to be scored together, each with its runs in groups.

    depth: of the lists that are read with all documents (None: whole lists, 0: none). only_relevant: whether
    lists are also read with only their relevant documents, down to the end.
    leaves: whether second-level subtopics are read, too.
    """
    runs = list(collection.runs.values())
    widths, depths, pools = [], [], []
    for topic, judgments in collection.pools.items():
        grades = judgments.subtopic_grades
        below = 0 if grades is None or not leaves else len(grades)
        widths.append(max(len(judgments.topic.intents), below, 1))
        spans = (run.spans.get(topic, (0, 0)) for run in runs)
        longest = max((stop - start for start, stop in spans), default=1)
        # The positions of a long list's documents are stored once for all intents.
        pools.append(len(judgments.relevant))
        relevant = min(longest, pools[-1]) + longest // widths[-1] if only_relevant else 0
        depths.append(max(longest if depth is None else depth, relevant, 1))
    start = 0
    while start < len(widths):
        stop = start + 1
        while (
            stop < len(widths)
            and _cells(widths, depths, start, stop + 1) * len(runs) <= CELLS
            and _cells(widths, pools, start, stop + 1) <= CELLS
        ):
            stop += 1
        size = max(1, CELLS // _cells(widths, depths, start, stop))
        groups = [list(range(r, min(r + size, len(runs)))) for r in range(0, len(runs), size)]
        yield list(range(start, stop)), groups
        start = stop


def _cells(widths: Sequence[int], depths: Sequence[int], start: int, stop: int) -> int:
    return (stop - start) * max(widths[start:stop]) * max(depths[start:stop])


def _mean_over(metrics: Sequence[BaseMetric], table: Convention) -> MeanOver:
    """Return the topics of the mean: those of the metrics' convention if all belong to one of nuggets."""
    (own, *others) = {m.convention for m in metrics}
    tables = conventions()
    if table.name == "paper" and not others and own in tables and tables[own].of_nuggets:
        return tables[own].mean_over
    return table.mean_over
