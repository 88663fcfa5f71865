"""Load runs: interpret the raw rows of rankings, from files or from memory."""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from divmetrics import _threads
from divmetrics._progress import progress_bar
from divmetrics.conventions.convention import ORDERS, RunOrder
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, quote
from divmetrics.core.checks import check_nonempty_text as checked_name
from divmetrics.core.runs import RankedList, Run
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import RunColumns, load_run_columns, runs_from_objects
from divmetrics.io.file_contents import file_stem
from divmetrics.io.file_warnings import warn_once
from divmetrics.io.run_mappings import RANKED, holds_lists, is_one_run, run_of_lists
from divmetrics.io.shared_ids import share_ids
from divmetrics.io.string_column import DictionaryColumn, StringColumn

if TYPE_CHECKING:
    from concurrent.futures import Future


@public
def load_runs(sources: Any, order: RunOrder = "score") -> list[Run]:
    """Load runs.

    Load runs together to save memory: an id that occurs in several files is stored once.

    Parameters
    ----------
    sources : path, DataFrame, mapping, tuples, Run, RankedList or a list of these
        The runs: a file as for `read_run`; a DataFrame (topic, doc, score[, rank, run]) of pandas or polars,
        its columns named as here, in ir_measures or in PyTerrier; the ranked ids of each topic, {topic:
        [document, ...]}; {topic: {document: score}}; tuples such as ir_measures.ScoredDoc; ranx.Run; several
        RankedLists of one name make one run. {name: run} gives each run a name; other runs without a name are
        called "run". A mapping to lists of texts is one run of ids, unless a text is an existing path:
        then all are files.
    order : {"score", "rank", "file"}
        The order of a run's documents: by score (ties by document id, descending), by rank, or as in the
        source. Without ranks, "rank" means "score"; ranked ids always keep their order.

    Returns
    -------
    list of Run
        The runs, in the order of the sources; those of RankedLists come last. If two files have the same tag,
        all runs are named after their files, by the shortest end of the path that differs (`ql/results` and
        `rm/results`).

    Raises
    ------
    DivmetricsError
        If a run cannot be read or is invalid, there is none, some texts of a mapping are existing paths and
        others are not, a file comes twice, two runs have one name and a source is no file, or `order` is none
        of its words.

    Warns
    -----
    DivmetricsWarning
        If runs are named after their files because two have the same tag, or a run needs another assumption.

    Examples
    --------
    >>> import divmetrics as dm
    >>> dm.load_runs({"q": ["d2", "d1"]})
    [<run run: 2 documents, 1 topics>]
    >>> dm.load_runs({"A": {"q": ["d2", "d1"]}, "B": {"q": {"d1": 2.5, "d2": 3.5}}})[1].list("q")
    ('d2', 'd1')
    """
    check_choice("order", order, ORDERS)
    return load_runs_with(sources, order, vocabulary=None, progress=False)


def load_runs_with(
    sources: Any,
    order: RunOrder,
    vocabulary: StringColumn | None,
    progress: bool,
    judged: Container[str] | None = None,
) -> list[Run]:
    """Load runs as `load_runs` does, with these options.

    vocabulary: the only document ids that runs from files and tables keep; None for all. progress: show a
    bar, on a terminal only. judged: the ids of the judged topics, which tell {topic: [document]} from {name:
    [path]}; None if they are not known.
    """
    if isinstance(sources, Mapping) and not is_one_run(sources, judged):
        with warn_once():
            return [_load_named_run(name, run, order, vocabulary, progress) for name, run in sources.items()]
    items = source_items(sources, judged)
    paths = [item for item in items if isinstance(item, (str, os.PathLike))]

    def sharing_ids(runs: Iterable[Run]) -> list[Run]:
        return _with_shared_ids(runs) if vocabulary is None else list(runs)

    with warn_once(), progress_bar(len(paths), "run", progress) as advance:

        def read_one(path: Any) -> Run:
            # Convert each file to a Run at once: ranks and scores of hundreds of files would fill the memory.
            run = _run(load_run_columns(path), order, vocabulary)
            advance(1)
            return run

        from_files = sharing_ids(_few_ahead(read_one, paths))
    run_of = dict(zip(map(id, paths), from_files, strict=True))
    loaded: list[tuple[Run, str | os.PathLike[str] | None]] = []
    lists: dict[str, dict[str, tuple[str, ...]]] = {}
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            loaded.append((run_of[id(item)], item))
        elif isinstance(item, Run):
            loaded.append((item, None))
        elif isinstance(item, RankedList):
            if item.topic.id in lists.setdefault(item.run, {}):
                raise DivmetricsError(
                    f"list {item.run!r} is given twice for topic {item.topic.id}; "
                    "give the second list another name with run="
                )
            lists[item.run][item.topic.id] = item.docs
        elif holds_lists(item):
            loaded.append((run_of_lists(item), None))
        else:
            in_memory = sharing_ids(_run(columns, order, vocabulary) for columns in runs_from_objects(item))
            loaded.extend((run, None) for run in in_memory)
    loaded.extend((Run.of(name, by_topic), None) for name, by_topic in lists.items())
    if not loaded:
        raise DivmetricsError("no runs were given; give at least one run file, table or list")
    names = _distinct_names([run.name for run, _ in loaded], [path for _, path in loaded])
    named = zip((run for run, _ in loaded), names, strict=True)
    return [run if run.name == name else replace(run, name=name) for run, name in named]


def source_items(sources: Any, judged: Container[str] | None) -> list[Any]:
    """Return the `sources` of `load_runs` as a list with an item for each file, table or other object.

    judged: as in `load_runs_with`. Raises DivmetricsError if a mapping may be documents or paths.
    """
    many = isinstance(sources, Sequence) and not isinstance(sources, (str, bytes))
    return list(sources) if many and not is_one_run(sources, judged) else [sources]


def _with_shared_ids(runs: Iterable[Run]) -> list[Run]:
    """Return runs that share their ids: an id in several of them is stored once."""
    without: list[Run] = []

    def columns() -> Iterator[DictionaryColumn]:
        for run in runs:
            without.append(replace(run, docs=()))
            yield DictionaryColumn.of(run.docs)

    shared = share_ids(columns())
    return [replace(run, docs=docs) for run, docs in zip(without, shared, strict=True)]


def _load_named_run(
    name: str, source: Any, order: RunOrder, vocabulary: StringColumn | None, progress: bool
) -> Run:
    """Load the one run in `source` and name it; raise DivmetricsError if there are several."""
    if isinstance(source, Mapping):
        if not holds_lists(source) and not is_one_run(source, None):
            raise DivmetricsError(
                f"run {name!r} is {quote(source)}, expected {{topic: {{document: score}}}} or {RANKED}"
            )
        source = [source]  # lists under a topic are documents, not paths
    runs = load_runs_with(source, order, vocabulary, progress)
    if len(runs) != 1:
        raise DivmetricsError(f"{len(runs)} runs were given under the name {name!r}; give each its own name")
    return replace(runs[0], name=checked_name("the name of a run", name))


def _few_ahead(read: Callable[[Any], Run], paths: Sequence[Any]) -> Iterator[Run]:
    """Yield the results of `read`, in order, by as many threads and files ahead as there are processors."""
    if len(paths) < 2 or not _threads.can_start():
        yield from map(read, paths)
        return
    from concurrent.futures import ThreadPoolExecutor  # takes 7 ms, which one file does not need
    from contextvars import copy_context

    coming: deque[Future[Run]] = deque()
    threads_at_once = os.cpu_count() or 1
    with ThreadPoolExecutor(max_workers=threads_at_once) as pool:
        for path in paths:
            coming.append(pool.submit(copy_context().run, read, path))  # for `warn_once`
            if len(coming) > threads_at_once:
                yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()


def strings_and_codes(column: DictionaryColumn) -> tuple[list[str], np.ndarray]:
    """Return the distinct strings of a column, and the position of each row's string among them, int64."""
    return column.distinct.tolist(), column.codes.astype(np.int64)


def _run(columns: RunColumns, order: RunOrder, vocabulary: StringColumn | None) -> Run:
    """Return the Run of columns, in the order `order`.

    vocabulary: the only document ids to keep, or None for all.
    """
    topic_ids, topic_of_row = strings_and_codes(columns.topic)
    topic_of = topic_of_row
    docs = columns.doc.encode() if vocabulary is None else columns.doc.encode_as(vocabulary)
    ties = 0
    if order == "rank" and columns.rank is None:
        order = "score"
    key = {"file": None, "rank": columns.rank, "score": -columns.score}[order]
    if not _is_in_order(topic_of, key, strictly=order == "score"):
        rows = np.argsort(topic_of, kind="stable") if key is None else np.lexsort((key, topic_of))
        if order == "score":
            rows, ties = _break_ties(rows, topic_of, columns)
        topic_of, docs = topic_of[rows], docs.take(rows)
    bounds = np.searchsorted(topic_of, np.arange(len(topic_ids) + 1)).tolist()
    spans = {t: (bounds[i], bounds[i + 1]) for i, t in enumerate(topic_ids)}
    return Run(columns.tag, docs, spans, ties, _contradictions(topic_of_row, columns))


def _is_in_order(topic_of: np.ndarray, key: np.ndarray | None, strictly: bool) -> bool:
    """Return whether rows are grouped by topic, with rising `key` (None: any) inside a topic.

    strictly: `key` must have no ties, either.
    """
    same_topic = topic_of[1:] == topic_of[:-1]
    if (topic_of[1:] < topic_of[:-1]).any():
        return False
    if key is None:
        return True
    rising = key[1:] > key[:-1] if strictly else key[1:] >= key[:-1]
    return bool((rising | ~same_topic).all())


def _contradictions(topic_of: np.ndarray, columns: RunColumns) -> int:
    """Return the number of topics in which a document has a higher score and a worse rank than another."""
    rank, score = columns.rank, columns.score
    if rank is None or all(_is_in_order(topic_of, key, strictly=False) for key in (rank, -score)):
        return 0
    rows = np.lexsort((rank, -score, topic_of))
    topics, falls = topic_of[rows], (np.diff(score[rows]) < 0) & (np.diff(rank[rows]) < 0)
    return len(np.unique(topics[1:][falls & (np.diff(topics) == 0)]))


def _break_ties(rows: np.ndarray, topic_of: np.ndarray, columns: RunColumns) -> tuple[np.ndarray, int]:
    """Sort the documents of equal scores by descending id, as trec_eval does.

    rows: the rows by topic and score. Returns the rows in their new order, and the number of tied documents.
    """
    same = (np.diff(topic_of[rows]) == 0) & (np.diff(columns.score[rows]) == 0)
    tied = np.concatenate([same, [False]]) | np.concatenate([[False], same])
    places = np.flatnonzero(tied)
    if not len(places):
        return rows, 0
    group = np.cumsum(np.concatenate([[True], ~same]))[places]
    docs = np.array(columns.doc.take(rows[places]).tolist(), dtype=object)
    descending = np.argsort(docs, kind="stable")[::-1]
    within = descending[np.argsort(group[descending], kind="stable")]
    ordered = rows.copy()
    ordered[places] = rows[places][within]
    return ordered, len(places)


def _distinct_names(tags: list[str], paths: list[str | os.PathLike[str] | None]) -> list[str]:
    """Return the tags if they differ, or else names after the files; `paths` has None for other sources."""
    if len(set(tags)) == len(tags):
        return tags
    again = next(tag for tag in tags if tags.count(tag) > 1)
    files = [path for path in paths if path is not None]
    if len(files) < len(paths):
        raise DivmetricsError(f"two runs are called {again!r}; give runs that are not files different names")
    message = f"the tag {again!r} stands in more than one run file, so all runs are named after their files"
    names = _shortest_names(files)
    warnings.warn(message, DivmetricsWarning, stacklevel=5)
    return names


def _shortest_names(paths: list[str | os.PathLike[str]]) -> list[str]:
    """Return the shortest end of each path that no other has, without the suffixes if they are not needed.

    Raises DivmetricsError if two paths are the same.
    """
    whole = [os.path.abspath(path) for path in paths]
    twice = next((path for path, full in zip(paths, whole, strict=True) if whole.count(full) > 1), None)
    if twice is not None:
        raise DivmetricsError(f"the run file {str(twice)!r} was given twice; give each run once")
    full_parts = [tuple(full.split(os.sep)) for full in whole]
    without = [(*parts[:-1], file_stem(parts[-1])) for parts in full_parts]
    ends = without if len(set(without)) == len(without) else full_parts
    return [
        next(
            "/".join(parts[-n:])
            for n in range(1, len(parts) + 1)
            if sum(other[-n:] == parts[-n:] for other in ends) == 1
        )
        for parts in ends
    ]
