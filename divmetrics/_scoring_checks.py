"""Check a collection before it is scored, and warn of what its scores rest on."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from divmetrics.conventions.convention import RunOrder, conventions
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric, parts_of
from divmetrics.core.parts import AtLeast, Credit, Importance, Probability
from divmetrics.core.topics import Level, Topic
from divmetrics.errors import DivmetricsError, DivmetricsWarning, join_words, some
from divmetrics.io.nuggets import IMPORTANCES, count_labels

UNJUDGED = "answers {n} topic(s) without judgments, which are left out"


def warn_of_idle_level(
    topics: Sequence[Topic], metrics: Mapping[str, BaseMetric], level: Level | None
) -> None:
    """Warn if a `level` was chosen (not None), and no topic has subtopics on two levels.

    metrics: {name as in the call: metric}, for a hint. All warnings here are DivmetricsWarnings.
    """
    if level is None or any(topic.in_groups for topic in topics):
        return
    message = f"level={level} has no effect: no topic has subtopics on two levels"
    if graded := [metric for metric in metrics.values() if "level" in metric.parameters()]:
        example = f"{graded[0].convention}:{graded[0].name}(level={level})"
        message = f"{message}; the lowest grade that counts is set in a metric's name, as in {example}"
    warnings.warn(message, DivmetricsWarning, stacklevel=4)


def warn_of_nuggets(topics: Sequence[Topic], metrics: Mapping[str, BaseMetric], level: Level | None) -> None:
    """Warn of what metrics of nuggets measure, and of how they count importance.

    At most one warning each says that nuggets in groups are measured without the groups (`level` None), that
    labels of importance are not known, that probabilities were not set, and that metrics ignore importance.
    metrics: {name as in the call: metric}.
    """
    of_nuggets = [topic for topic in topics if topic.nuggets and topic.intents]
    groups = [intent for topic in of_nuggets for intent in topic.intents if intent.children]
    leaves = [leaf for topic in of_nuggets for t in topic.intents for leaf in t.children or [t]]
    labels = Counter(leaf.importance for leaf in leaves)
    unknown = Counter({label: n for label, n in labels.items() if label not in ("", *IMPORTANCES)})
    kinds = join_words([f"{n} {label.strip() or 'unlabelled'}" for label, n in labels.most_common()], limit=5)
    of_groups = groups and level == 1
    origin = of_nuggets[0].nuggets if len(labels) > 1 and not of_groups else "uniform"
    for_nuggets = {name for name, table in conventions().items() if table.of_nuggets}

    def warn(chosen: Callable[[BaseMetric], bool], sentence: str) -> None:
        if names := [label for label, metric in metrics.items() if chosen(metric)]:
            message = f"{join_words(names, limit=5)}: {sentence}"
            warnings.warn(message, DivmetricsWarning, stacklevel=5)

    if groups and level is None:
        warn(
            lambda m: not m.needs_subtopics,
            f"measured over {len(leaves)} nuggets, not over the {len(groups)} groups that they are in; "
            "level=1 measures the groups",
        )
    if unknown:
        warn(
            lambda m: m.uses(Importance),
            f"{unknown.total()} of {len(leaves)} nuggets are neither vital nor okay "
            f"({count_labels(unknown)}); they count in nuggetizer:A and A_strict only",
        )
    if origin == "unset":
        warn(
            lambda m: m.uses(Probability),
            f"{kinds} nuggets are taken to be equally probable; other weights can be given where the file is "
            "read as topics, as in probabilities='vital=2,okay=1' (or 'uniform')",
        )
    if origin != "uniform":
        warn(
            lambda m: not m.uses(Probability) and m.convention not in for_nuggets,
            f"{kinds} nuggets count alike, and weights of importance are ignored; "
            "nuggetizer:W_strict(level=1) is coverage weighted by importance",
        )


def warn_of_low_grades(collection: Collection, metrics: Mapping[str, BaseMetric]) -> None:
    """Warn of metrics that count grades from a level on (AtLeast, Credit) if no grade reaches it.

    Nothing is said if no document is relevant at all. metrics: {name as in the call: metric}.
    """
    top = max(judgments.top_grade for judgments in collection.pools.values())
    for kind, setting, effect in (
        (AtLeast, "level", "no judgment has a grade that counts, so every score is 0"),
        (Credit, "full", "no judgment has a grade that earns full credit, so every document earns a part"),
    ):
        names = {
            label: metric
            for label, metric in metrics.items()
            for part in parts_of(metric)
            if isinstance(part, kind) and 0 < top < getattr(part, setting)
        }
        if names:
            first = next(iter(names.values()))
            example = f"{first.convention}:{first.name}({setting}={top})"
            message = (
                f"{join_words([*names], limit=5)}: {effect} (the highest grade is {top}); if the grades are "
                f"on another scale, set the lowest such grade, as in {example}"
            )
            warnings.warn(message, DivmetricsWarning, stacklevel=4)


def check_topics(collection: Collection) -> None:
    """Raise DivmetricsError if a collection has no topic or no run, or a run answers no judged topic."""
    if not collection.pools:
        raise DivmetricsError("the judgments hold no topic; give judgments with at least one")
    if not collection.runs:
        raise DivmetricsError("no runs were given, and the collection holds none; give at least one")
    for run in collection.runs.values():
        if not any(topic in collection.pools for topic in run.spans):
            judged, answered = next(iter(collection.pools)), next(iter(run.spans), None)
            nugget_of = {intent.id: topic.id for topic in collection.topics for intent in topic.intents}
            nugget = next((t for t in run.spans if t.startswith(f"{nugget_of.get(t)}_")), None)
            if nugget is not None:
                raise DivmetricsError(
                    f"run {run.name!r} answers {nugget!r}, but the judgments were read as FreshStack's "
                    f"qrels_nuggets, in which it is a nugget of topic {nugget_of[nugget]!r}; give them as "
                    "{topic: {document: {intent: grade}}} or as lines `topic intent document grade`, with "
                    "intent 0 if there are none"
                )
            raise DivmetricsError(
                f"run {run.name!r} has no topic in common with the judgments (judged: {judged!r} ..., "
                f"the run: {answered!r} ...); give a run and judgments of the same topics"
            )


def warn_of_assumptions(
    collection: Collection, depth: int | None, over_answered: bool, order: RunOrder | None
) -> None:
    """Warn of what was assumed, with one warning for each kind of assumption.

    These are topics without relevant documents, without a list or without judgments, documents never judged
    in the first `depth` ranks (None: in all), tied scores, and ranks that contradict scores. over_answered:
    whether a run is scored on the topics that it answers only. order: the order by default, or None if the
    caller chose one; contradictions then need no warning.
    """
    barren = [topic for topic, judgments in collection.pools.items() if not len(judgments.relevant)]
    if barren:
        warnings.warn(
            f"{len(barren)} topic(s) have no relevant document, so every run scores 0 there ({some(barren)})",
            DivmetricsWarning,
            stacklevel=4,
        )
    judged, top = list(collection.pools), "" if depth is None else f" in its top {depth}"
    runs = list(collection.runs.values())
    unjudged = np.zeros(len(runs), dtype=np.int64)
    for of_topic in collection.positions(runs, judged, depth):
        unjudged += [np.count_nonzero(positions < 0) for positions in of_topic]
    counted: dict[str, Iterable[int]] = {
        unanswered_sentence(over_answered): (sum(t not in run.spans for t in judged) for run in runs),
        UNJUDGED: (sum(t not in collection.pools for t in run.spans) for run in runs),
        f"has {{n}} document(s){top} that were never judged and count as not relevant": unjudged.tolist(),
        "has {n} document(s) with tied scores, which are ordered by descending document id": (
            run.ties for run in runs
        ),
    }
    if order in ("score", "rank"):
        what = f"has {{n}} topic(s) whose ranks contradict the scores, ordered by {order} (option order)"
        counted[what] = (run.contradictions for run in runs)
    warn_by_run([run.name for run in runs], counted)


def unanswered_sentence(over_answered: bool) -> str:
    """Return the end of a sentence on judged topics that a run does not answer, with {n} for their number.

    over_answered: whether such topics are left out, or score 0.
    """
    return f"does not answer {{n}} judged topic(s), which {'are left out' if over_answered else 'score 0'}"


def warn_by_run(runs: Sequence[str], counted: Mapping[str, Iterable[int]]) -> None:
    """Warn once of each kind of assumption that occurs, with the first run that has it and the total.

    runs: the names of the runs. counted: {a clause such as "has {n} ...": the number n of each run}.
    """
    for what, of_runs in counted.items():
        counts = {run: n for run, n in zip(runs, of_runs, strict=True) if n}
        if counts:
            first, n = next(iter(counts.items()))
            more = f"; likewise {len(counts) - 1} other run(s), {sum(counts.values())} in all"
            message = f"run {first!r} {what.format(n=n)}{more if len(counts) > 1 else ''}"
            warnings.warn(message, DivmetricsWarning, stacklevel=5)
