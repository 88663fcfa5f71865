"""Read topics in memory: a mapping to the probabilities of intents, or a table of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from divmetrics.core.checks import is_number, quote
from divmetrics.core.topics import Topic
from divmetrics.io.file_contents import format_error
from divmetrics.io.run_mappings import checked_id
from divmetrics.io.topic_hierarchy import topics_of_rows
from divmetrics.io.validate import topic_id

SOURCE = "topics"
EXPECTED = (
    "divmetrics.Topic objects, a path, probabilities {topic: {intent: probability}}, or a DataFrame (topic, "
    "intent, probability[, kind])"
)


def topics(source: Any, probabilities: str | None) -> tuple[Topic, ...]:
    """Return topics in memory as Topics, in their order.

    source: {topic: {intent: probability}}, a table (topic, intent, probability[, kind]) of pandas or polars,
    a Topic, several, or {id: Topic}. probabilities: as in `read_topics`; None for Topics, which are returned
    as they are. Raises DivmetricsError if a topic or probability is invalid, or `source` is something else.
    """
    if isinstance(source, Topic):
        source = (source,)
    if isinstance(source, Mapping):
        if not all(isinstance(topic, Topic) for topic in source.values()):
            return topics_of_rows(SOURCE, _rows(source), probabilities)
        source = source.values()
    elif hasattr(source, "columns"):
        from divmetrics.io import dataframes, in_memory

        table = in_memory.as_table(source)
        if table is not None:
            return topics_of_rows(SOURCE, dataframes.intent_rows(table), probabilities)
    topics = tuple(source) if isinstance(source, Iterable) else (source,)
    wrong = [topic for topic in topics if not isinstance(topic, Topic)]
    if wrong:
        raise format_error(SOURCE, f"holds {quote(wrong[0])}", EXPECTED, "convert it")
    if probabilities is not None:
        what, expected = "holds Topic objects, whose probabilities are final", "a path, mapping or DataFrame"
        remedy = "leave out the choice, or use Topic.uniform() or Topic.nonuniform()"
        raise format_error(SOURCE, what, expected, remedy)
    return topics


def _rows(mapping: Mapping[Any, Any]) -> Iterator[tuple[str, str, str, float, str]]:
    seen: set[str] = set()
    for topic, intents in mapping.items():
        name = topic_id(checked_id("the id of a topic", topic))
        if name in seen:
            what, expected = f"topic {name} is given again", "every topic once"
            raise format_error(SOURCE, what, expected, "remove one of the two")
        seen.add(name)
        if not isinstance(intents, Mapping):
            raise format_error(SOURCE, f"holds {quote(intents)}", EXPECTED, "convert it")
        if not intents:
            what = f"topic {name} has no intent"
            raise format_error(SOURCE, what, "{intent: probability}", "fill it in, or leave the topic out")
        for intent, probability in intents.items():
            own = checked_id(f"topic {name}: the id of an intent", intent)
            if not is_number(probability):
                what = f"intent {own} of topic {name} has the probability {quote(probability)}"
                raise format_error(SOURCE, what, "a finite number of at least 0", "correct it")
            yield SOURCE, name, own, float(probability), ""
