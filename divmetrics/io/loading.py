"""Load a Collection: interpret the raw rows of judgments, from files or from memory, and add runs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from divmetrics._progress import progress_bar
from divmetrics.conventions.convention import Convention, RunOrder
from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole, is_number, quote
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.topics import Intent, Level, Topic, by_id, subtopic_index
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean, some
from divmetrics.io import JudgmentColumns, load_judgments_and_topics, qrels_from_objects, read_topics
from divmetrics.io.page_sources import named_paths, with_answers
from divmetrics.io.run_loading import load_runs_with, source_items, strings_and_codes
from divmetrics.io.run_mappings import checked_id
from divmetrics.io.shared_ids import in_one_dictionary
from divmetrics.io.string_column import DictionaryColumn, StringColumn
from divmetrics.io.validate import id_text
from divmetrics.io.validate import topic_id as plain_topic_id

RANKING = "of the ranking"  # the topic id of a ranking without a topic; messages read "topic of the ranking"
# TREC's subtopic 0: the whole topic if it is the only subtopic, and no intent if all of its documents are
# nonrelevant (2009). Where a document is relevant to it, it is an intent like any other, as in ndeval.
WHOLE_TOPIC = "0"


@public
def load_collection(
    qrels: Any, topics: Any = None, *, scale: int | None = None, relevance_level: int = 1
) -> Collection:
    """Load judgments and topics, without runs (but with those of nuggets assigned to answers).

    Parameters
    ----------
    qrels : path, DataFrame, mapping, tuples or Collection
        The judgments: a file as for `read_qrels`; a DataFrame (topic, intent[, subtopic], doc, grade) of
        pandas or polars, its columns named as here, in ir_measures or in PyTerrier; {topic: {document:
        {intent: grade}}}; tuples such as ir_measures.Qrel. A Collection is returned as it is.
    topics : path, DataFrame, Topics or mapping, optional
        The intents with their probabilities, as a file for `read_topics`, a DataFrame (topic, intent,
        probability[, kind]), Topics or {topic: {intent: probability}}. By default the intents in the
        judgments, by ascending id, equally probable and without second-level subtopics, even if these are
        judged; in a file of nuggets, all its nuggets.
    scale : int, optional
        The top grade Y that assessors could give; by default the highest grade in the judgments.
    relevance_level : int
        Grades below it count as 0; negative grades always do. Other grades stay.

    Returns
    -------
    Collection
        The judged topics, in the order of the judgments. It has runs only if answers are judged: the run of
        each answer.

    Raises
    ------
    DivmetricsError
        If judgments or topics cannot be read or are invalid, a judged topic or intent is missing in
        `topics`, a grade is above `scale`, `scale` or `relevance_level` is no whole number of at least 1, or
        an option comes with a Collection.

    Warns
    -----
    DivmetricsWarning
        If topics of `topics` have no judgments and are left out, or the input needs another assumption.

    Examples
    --------
    >>> import divmetrics as dm
    >>> qrels = {"q": {"d1": {"film": 1}, "d2": {"book": 2}}}
    >>> dm.load_collection(qrels, {"q": {"film": 0.7, "book": 0.3}})
    <collection: 1 topics, 0 runs, top grade Y = 2>
    """
    return _load_collection(qrels, topics, scale, relevance_level, ad_hoc=False)


def _load_collection(
    qrels: Any, topics: Any, scale: int | None, relevance_level: int, ad_hoc: bool
) -> Collection:
    """Load a collection as `load_collection` does; ad_hoc: accept judgments without intents."""
    if isinstance(qrels, Collection):
        if topics is not None or scale is not None or relevance_level != 1:
            raise DivmetricsError(
                "judgments came as a Collection, which already has its topics and scale; "
                "leave out topics, scale and relevance_level"
            )
        return qrels
    relevance_level = check_whole("the relevance level", relevance_level, 1)
    if scale is not None:
        scale = check_whole("the scale", scale, 1, "the top grade, a whole number of at least 1")
    described = topics_by_id(topics)
    paths = [] if isinstance(qrels, Mapping) else [path for _, path in named_paths(qrels)]
    if paths:
        callers = tuple(described.values()) if described else None
        columns, file_topics = load_judgments_and_topics(paths[0], callers, ad_hoc=ad_hoc, further=paths[1:])
        described = described or by_id(file_topics)
    else:
        columns = qrels_from_objects(qrels, ad_hoc=ad_hoc)
    grade = np.where(columns.grade < relevance_level, 0, columns.grade)
    pools = _pools(columns, grade, described)
    runs = [Run.of(name, by_topic) for name, by_topic in columns.own_runs.items()]
    return Collection.on_one_scale(pools, scale).with_runs(runs)


def load_for_convention(
    convention: Convention,
    qrels: Any,
    runs: Any,
    topics: Any = None,
    *,
    order: RunOrder | None = None,
    scale: int | None = None,
    relevance_level: int = 1,
    ad_hoc: bool = False,
    for_display: bool = True,
    progress: bool = False,
) -> Collection:
    """Load judged topics with runs, by a convention's defaults.

    Parameters
    ----------
    convention : Convention
        The convention that gives the default of `order`.
    qrels, topics, scale, relevance_level
        As in `load_collection`.
    runs
        As in `load_runs`; None for the runs in `qrels`: those of a Collection, or of judged answers.
    order : {"score", "rank", "file"}, optional
        As in `load_runs`; by default that of the convention.
    ad_hoc : bool
        Whether judgments without intents are accepted, for metrics that use none.
    for_display : bool
        Whether to keep the ids of all documents. If False, runs from files keep those of judged documents
        only, which takes less memory.
    progress : bool
        Whether to show a progress bar, on a terminal only.

    Returns
    -------
    Collection
        The judged topics with the runs, which may be none if `runs` is None.

    Raises
    ------
    DivmetricsError
        In the cases of `load_collection` and `load_runs`, or if the documents of the runs are among the
        intents of the judgments, not among their documents.
    """
    qrels, runs = with_answers(qrels, runs)
    with progress_bar(1, "judgment file", progress):
        collection = _load_collection(qrels, topics, scale, relevance_level, ad_hoc)
    if runs is None:
        return _with_checked_nesting(collection)
    vocabulary, judged = None, collection.pools
    if not for_display and not all(
        isinstance(item, (Run, RankedList)) for item in source_items(runs, judged)
    ):
        collection, vocabulary = _with_one_dictionary(collection)
    loaded = load_runs_with(runs, order or convention.order, vocabulary, progress, judged)
    answered_by = [] if isinstance(qrels, Collection) else list(collection.runs)
    return _with_checked_nesting(collection.with_runs(loaded), answered_by)


def load_ranked_list(
    qrels: Any,
    run: Any,
    topic: Any,
    topics: Any = None,
    convention: str = "paper",
    *,
    order: RunOrder | None = None,
    scale: int | None = None,
    relevance_level: int = 1,
    level: Level | None = 1,
) -> RankedList:
    """Load the list of one run for one topic, as `evaluate` loads it.

    Parameters
    ----------
    qrels, topics, scale, relevance_level
        As in `load_collection`.
    run
        One run, as in `load_runs`, or the name of a run that `qrels` holds; None for the only run there.
    topic : str or int
        The id of the topic.
    convention : str
        The convention that gives the default of `order`.
    order : {"score", "rank", "file"}, optional
        As in `load_runs`.
    level : {1, 2} or None
        As in `Judgments.on_level`.

    Returns
    -------
    RankedList
        The list with the topic's judgments, on this level.

    Raises
    ------
    DivmetricsError
        If there are no or several runs, the topic is not judged or not answered, or in the cases of
        `load_collection`, `load_runs` and `Judgments.on_level`.
    """
    table = convention_named(convention)
    collection = load_for_convention(table, qrels, None, topics, scale=scale, relevance_level=relevance_level)
    named = run is None or (isinstance(run, str) and run in collection.runs)
    if not named:
        collection = load_for_convention(table, collection, run, order=order)
    names = [run] if named and run is not None else list(collection.runs)
    if len(names) != 1:
        there = f" ({some(names)})" if names else ""
        raise DivmetricsError(f"{len(names)} runs were given{there}; explain one run at a time")
    of_topic = plain_topic_id(checked_id("the topic", topic))
    for source, by_topic, problem, remedy in (
        (qrels, collection.pools, "has no judgments", "name a judged topic"),
        (run, collection.runs[names[0]].spans, "is not answered", "name a topic that the run has"),
    ):
        if of_topic not in by_topic:
            where = f"{source}: " if isinstance(source, (str, os.PathLike)) and not named else ""
            raise DivmetricsError(
                f"{where}topic {of_topic!r} {problem}{did_you_mean(of_topic, by_topic)}; {remedy}"
            )
    return collection.on_level(level).list(names[0], of_topic)


def _with_one_dictionary(collection: Collection) -> tuple[Collection, StringColumn]:
    """Encode the judged documents of all topics with shared distinct ids; return these ids, too.

    The ids of intents are among them, for `_with_checked_nesting`.
    """
    pools = collection.pools
    docs = in_one_dictionary([DictionaryColumn.of(judgments.docs) for judgments in pools.values()])
    if not docs:
        return collection, StringColumn.of([])
    intents = StringColumn.of({intent.id: None for topic in collection.topics for intent in topic.intents})
    judged = docs[0].distinct
    also_docs = judged.positions_in(intents)
    other = np.ones(len(intents), dtype=bool)
    other[also_docs[also_docs >= 0]] = False
    others = intents.take(np.flatnonzero(other))
    distinct = StringColumn.joined([judged, others])
    encoded = {
        t: replace(judgments, docs=DictionaryColumn(distinct, own.codes))
        for (t, judgments), own in zip(pools.items(), docs, strict=True)
    }
    return replace(collection, pools=encoded), distinct


def _with_checked_nesting(collection: Collection, answered_by: Sequence[str] = ()) -> Collection:
    """Return the collection; raise DivmetricsError if its runs list no judged document, but intents.

    answered_by: the runs of the answers that are judged; then the runs must list one of these answers.
    """
    runs = list(collection.runs.values())
    mistaken: dict[str, None] = {}
    for topic, of_runs in zip(collection.pools, collection.positions(runs, collection.pools), strict=True):
        if any((positions >= 0).any() for positions in of_runs):
            return collection
        intents = [intent.id for intent in collection.pools[topic].topic.intents]
        lists = [run.docs[slice(*run.spans.get(topic, (0, 0)))] for run in runs]
        for positions in DictionaryColumn.of(intents).positions_of(lists):
            mistaken |= dict.fromkeys(intents[i] for i in positions[positions >= 0].tolist())
    if mistaken:
        raise _swapped_nesting("{topic: {document: {intent: grade}}}", list(mistaken))
    if answered_by:
        raise DivmetricsError(
            f"judgments: are of answers (by {some(answered_by)}), and no document of the runs is judged; "
            "leave the runs out to score the answers, or give judgments of documents"
        )
    return collection


def _swapped_nesting(expected: str, docs: list[str]) -> DivmetricsError:
    """Return the error for judgments in which documents of the runs, `docs`, are named as intents."""
    return DivmetricsError(
        f"judgments: no document of the runs is judged, but {len(docs)} of them ({some(docs)}) are named as "
        f"intents; expected {expected}, or a table with the columns topic, intent, doc, grade; exchange "
        "documents and intents"
    )


def judged_list(
    ranking: Iterable[Any],
    judgments: Mapping[Any, Mapping[Any, int]],
    probabilities: Mapping[Any, float] | None,
    scale: int | None,
) -> RankedList:
    """Return the arguments of `divmetrics.score` as a RankedList, with ids as text; they are described there.

    Its topic has the id "of the ranking". Raises DivmetricsError in the cases of `divmetrics.score`, or if
    the documents of the ranking are among the intents of the judgments instead of their documents.
    """
    grades: dict[str, dict[str | tuple[str, str], int]] = {}
    for doc, labels in judgments.items():
        own = checked_id("judgments: the id of a document", doc)
        if not isinstance(labels, Mapping):
            raise DivmetricsError(
                f"judgments, document {own!r}: has {quote(labels)}, expected {{intent: grade}}"
            )
        grades[own] = {checked_id(f"judgments, document {own!r}: an intent", i): g for i, g in labels.items()}
    if not any(grades.values()) and probabilities is None:
        raise DivmetricsError(
            "the judgments name no intent; give {document: {intent: grade}} with at least one"
        )
    present = dict.fromkeys(
        intent
        for labels in grades.values()
        for intent, grade in labels.items()
        if intent != WHOLE_TOPIC or not is_number(grade) or grade > 0
    )
    if probabilities is not None and not isinstance(probabilities, Mapping):
        raise DivmetricsError(
            f"probabilities is {quote(probabilities)}, expected {{intent: probability}}; give such a mapping"
        )
    described = {} if probabilities is None else topics_by_id({RANKING: probabilities})
    topic = _topic(RANKING, [str(intent) for intent in present], described, "judgments")
    if WHOLE_TOPIC not in {intent.id for intent in topic.intents}:
        grades = {
            doc: {i: g for i, g in labels.items() if i != WHOLE_TOPIC} for doc, labels in grades.items()
        }
    if scale is not None:
        scale = check_whole("the scale", scale, 1, "the top grade, a whole number of at least 1")
    docs: Any = ranking  # RankedList raises DivmetricsError for an unordered ranking
    if not isinstance(ranking, (str, bytes, set, frozenset)):
        docs = [id_text(doc) or doc for doc in ranking]
    ranked = RankedList(topic, docs, Judgments.of(topic, grades, scale), "of ids")
    mistaken = [doc for doc in ranked.docs if doc in present]
    if mistaken and not any(doc in grades for doc in ranked.docs):
        raise _swapped_nesting("{document: {intent: grade}}", mistaken)
    return ranked


def topics_by_id(topics: Any) -> dict[str, Topic]:
    """Return {id: topic} of all that `read_topics` takes, in its order; {} for None.

    Raises DivmetricsError as `read_topics`, or if two topics share an id.
    """
    return {} if topics is None else by_id(read_topics(topics))


def _pools(columns: JudgmentColumns, grade: np.ndarray, described: dict[str, Topic]) -> dict[str, Judgments]:
    topic_ids, topic_of = strings_and_codes(columns.topic)
    intent_ids, intent_of = strings_and_codes(columns.intent)
    doc_ids, doc_of = columns.doc.distinct, columns.doc.codes
    leaf_ids, leaf_of = (None, None) if columns.subtopic is None else strings_and_codes(columns.subtopic)
    # In few bytes each: grades of all pairs of intent and document are stored, judged or not.
    grade = grade.astype(np.min_scalar_type(-1 - int(grade.max(initial=0))))
    alphabetical = doc_ids.alphabetical()
    rank_of_id = np.empty_like(alphabetical)
    rank_of_id[alphabetical] = np.arange(len(alphabetical))
    by_topic = np.argsort(topic_of, kind="stable")
    bounds = np.searchsorted(topic_of[by_topic], np.arange(len(topic_ids) + 1))
    if described and not any(topic in described for topic in topic_ids):
        raise DivmetricsError(
            f"{columns.source}: none of its {len(topic_ids)} topics (first {topic_ids[0]!r}) is among "
            f"the topics (first {next(iter(described))!r}); give the topics of the same collection"
        )
    pools: dict[str, Judgments] = {}
    whole_topic = intent_ids.index(WHOLE_TOPIC) if WHOLE_TOPIC in intent_ids else None
    for t, topic_id in enumerate(topic_ids):
        rows = by_topic[bounds[t] : bounds[t + 1]]
        codes = intent_of[rows]
        named = codes if whole_topic is None else codes[(codes != whole_topic) | (grade[rows] > 0)]
        present = [intent_ids[c] for c in dict.fromkeys(named.tolist())]
        topic = _topic(topic_id, present, described, columns.source)
        row_of_intent = {intent.id: i for i, intent in enumerate(topic.intents)}
        own, which = np.unique(codes, return_inverse=True)
        intent_row = np.array([row_of_intent.get(intent_ids[c], -1) for c in own.tolist()])[which]
        judged, column = np.unique(rank_of_id[doc_of[rows]], return_inverse=True)
        grades = np.zeros((len(topic.intents), len(judged)), dtype=grade.dtype)
        counted = intent_row >= 0
        np.maximum.at(grades, (intent_row[counted], column[counted]), grade[rows][counted])
        leaf_grades = None
        if leaf_ids is not None and leaf_of is not None:
            leaves = subtopic_index(topic)
            leaf_grades = np.zeros((len(leaves), len(judged)), dtype=grade.dtype)
            for r, c in zip(rows.tolist(), column.tolist(), strict=True):
                pair = (intent_ids[intent_of[r]], leaf_ids[leaf_of[r]])
                if pair in leaves:
                    leaf_grades[leaves[pair], c] = max(leaf_grades[leaves[pair], c], grade[r])
                elif pair[1] and any(intent.children for intent in topic.intents):
                    raise DivmetricsError(
                        f"{columns.source}: topic {topic_id} has judgments for subtopic {pair[1]!r} of "
                        f"intent {pair[0]!r}, which is not in the topics; give the topics they belong to"
                    )
            if not leaves:
                leaf_grades = None
        docs = DictionaryColumn(doc_ids, alphabetical[judged])
        pools[topic_id] = Judgments(topic, docs, grades, leaf_grades)
    if unjudged := [topic for topic in described if topic not in pools]:
        what = f"{len(unjudged)} topic(s) of the topics file have no judgments and are left out"
        warnings.warn(f"{what} ({some(unjudged)})", DivmetricsWarning, stacklevel=4)
    return pools


def _topic(topic_id: str, present: list[str], described: dict[str, Topic], source: str) -> Topic:
    """Return a described topic, or one with the intents in its judgments (none: the whole topic)."""
    if not described:
        return _as_judged(topic_id, present or [WHOLE_TOPIC])
    if topic_id not in described:
        raise DivmetricsError(
            f"{source}: topic {topic_id} is judged but not among the topics"
            f"{did_you_mean(topic_id, described)}; give the topics these "
            "judgments belong to, or judgments of these topics only"
        )
    topic = described[topic_id]
    if not topic.intents:
        return Topic(topic_id, (Intent(WHOLE_TOPIC, 1.0),), topic.title, topic.description, topic.type)
    ids = {intent.id for intent in topic.intents}
    unknown = next((i for i in present if i not in ids), None)
    if unknown is not None:
        raise DivmetricsError(
            f"{source}: topic {topic_id} has judgments for intent {unknown!r}, which is not "
            f"among its intents ({', '.join(intent.id for intent in topic.intents)}); give the topics and "
            "probabilities that belong to the judgments"
        )
    return topic


def _as_judged(topic_id: str, judged: list[str]) -> Topic:
    """Return a topic whose intents are the judged ones, equally probable, numbers in numeric order."""
    return Topic(topic_id, _equal_intents(tuple(judged)))


@lru_cache(maxsize=64)  # many topics number their intents alike
def _equal_intents(judged: tuple[str, ...]) -> tuple[Intent, ...]:
    ordered = sorted(judged, key=_numbers_first)
    return tuple(Intent(i, 1 / len(ordered)) for i in ordered)


def _numbers_first(intent: str) -> tuple[bool, int, str, str]:
    """Return a sort key: numbers by their size, of any length, then all other ids."""
    if not (intent.isascii() and intent.isdigit()):  # isdigit() is true for a superscript two
        return True, 0, "", intent
    digits = intent.lstrip("0")
    return False, len(digits), digits, intent
