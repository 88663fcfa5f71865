"""Determine whether a mapping is the lists of one run, the scores of one run, or several runs by name."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from divmetrics.core.checks import is_number, quote
from divmetrics.core.runs import Run
from divmetrics.errors import DivmetricsError
from divmetrics.io.validate import AN_ID, id_text, topic_id

RANKED = "the ranked documents of a topic, {topic: [document, ...]}"
NAMED = "a run file by its name, {name: [path]}"


def is_one_run(source: Mapping[Any, Any] | Sequence[Any], judged: Container[str] | None) -> bool:
    """Return whether a mapping or sequence is one run: {topic: [doc]}, {topic: {doc: score}} or tuples.

    Else it is several runs, or runs by name. judged: the ids of the judged topics, which tell {topic: [doc]}
    from {name: [path]}, or None if they are not known. Raises DivmetricsError if both are possible.
    """
    if not isinstance(source, Mapping):
        return bool(source) and isinstance(source[0], tuple)
    if holds_lists(source):
        return _are_documents(source, judged)
    return all(isinstance(docs, Mapping) and not _holds_containers(docs.values()) for docs in source.values())


def holds_lists(source: Any) -> bool:
    """Return whether a value is a mapping, not empty, to lists of text and numbers: of ids or paths."""
    return (
        isinstance(source, Mapping)
        and bool(source)
        and all(
            isinstance(listed, (list, tuple)) and all(isinstance(x, str) or is_number(x) for x in listed)
            for listed in source.values()
        )
    )


def run_of_lists(lists: Mapping[Any, Sequence[Any]]) -> Run:
    """Return the run, called "run", of {topic: [doc, ...]}, best document first; ids may be whole numbers.

    Raises DivmetricsError if an id is invalid, a list has a document twice, or two topics have one id as
    text.
    """
    from divmetrics.io.dataframes import ONE_RUN  # the module imports pandas

    ranked: dict[str, list[str]] = {}
    for topic, docs in lists.items():
        of_topic = topic_id(checked_id("the id of a topic", topic))
        if of_topic in ranked:
            raise DivmetricsError(f"the run has two lists for topic {of_topic!r}; give one list per topic")
        ranked[of_topic] = [
            checked_id(f"topic {of_topic}: the document at rank {k}", d) for k, d in enumerate(docs, 1)
        ]
    return Run.of(ONE_RUN, ranked)


def checked_id(what: str, value: Any) -> str:
    """Return an id as `id_text` does; raise DivmetricsError, which calls the value `what`, if it is no id."""
    text = id_text(value)
    if text is None:
        raise DivmetricsError(f"{what} is {quote(value)}, expected {AN_ID}; correct it")
    return text


def _are_documents(source: Mapping[Any, Sequence[Any]], judged: Container[str] | None) -> bool:
    """Return whether lists of texts hold documents, not paths; raise DivmetricsError if both are possible."""
    of_judged = judged is not None and any(topic_id(str(key)) in judged for key in source)
    # A mapping to paths has one path for each name.
    may_be_paths = all(len(listed) == 1 and os.path.exists(str(listed[0])) for listed in source.values())
    if of_judged or may_be_paths:
        if of_judged and may_be_paths:
            raise _either(source)
        return of_judged
    if not any(os.path.exists(text) for text in _texts(source)):
        return True
    if judged is None:
        raise _either(source)
    return False


def _texts(source: Mapping[Any, Sequence[Any]]) -> Iterator[str]:
    return (x for listed in source.values() for x in listed if isinstance(x, str))


def _either(source: Mapping[Any, Sequence[Any]]) -> DivmetricsError:
    key = next(iter(source))
    path = next(text for text in _texts(source) if os.path.exists(text))
    return DivmetricsError(
        f"{quote({key: source[key]})} may be {RANKED}, or, since {quote(path)} is an existing path, {NAMED}; "
        "give {run name: {topic: [document, ...]}} for documents, or {name: path} for a file"
    )


def _holds_containers(values: Iterable[Any]) -> bool:
    return any(isinstance(value, (Mapping, list, tuple)) for value in values)
