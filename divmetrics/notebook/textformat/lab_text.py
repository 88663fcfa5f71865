"""Write a lab's state as readable text, and parse it. (The browser writes it too: front/notation.js.)

    topic 0083 "harry potter"
    scale 2
    intent film 0.75 informational "harry potter film"
      subtopic watch 0.4 "film_watch"
    intent book 0.25 navigational square
    doc d1 film/watch:2 book:1 "streaming service"
    doc d2
    doc d3 ?
    A d1 d2
    B d2 d3
    metrics ERR-IA@5 D#-nDCG@5

A document without labels is judged and not relevant; one with ? is unjudged. An intent names its mark if it
is not the default mark of its position, as when an intent above it was removed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import get_args

from divmetrics.core.topics import IntentKind
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.notebook.textformat.lab_state import SIDES, JsonObject, LabState, copy_marks
from divmetrics.notebook.textformat.marks import SHAPES
from divmetrics.notebook.textformat.source_lines import UNJUDGED, Line, read_lines
from divmetrics.notebook.textformat.tokens import (
    WordError,
    labels,
    plain,
    probability,
    scale,
    split_trailing_text,
)

KINDS = get_args(IntentKind)


def write_page(page: LabState) -> str:
    """Return the state as text, from which `read_page` restores every number exactly."""
    topic = page.topic
    lines = [
        ["topic", _word(topic["id"]), _quoted(topic["title"])],
        ["scale", str(topic["scale"]), str(topic["adhoc"]) if topic["adhoc"] > 1 else ""],
    ]
    for t in topic["intents"]:
        looks = [t["kind"], t.get("mark", ""), _quoted(t["label"])]
        lines.append(["intent", _word(t["id"]), _number(t["probability"]), *looks])
        for e in t["children"]:
            lines.append(["  subtopic", _word(e["id"]), _number(e["probability"]), _quoted(e["label"])])
    for doc in page.docs:
        grades = doc["grades"]
        judged = [UNJUDGED] if grades is None else [_word(f"{key}:{g}") for key, g in grades.items()]
        # After a quoted label an empty text is written, so that the label is not parsed as the text.
        about = _quoted(doc["about"]) or ('""' if judged and judged[-1].startswith('"') else "")
        lines.append(["doc", _word(doc["id"]), *judged, about])
    lines += [[side, *map(_word, page.lists[side])] for side in SIDES]
    lines.append(["metrics", *map(_word, page.metrics)])
    return "\n".join(" ".join(filter(None, line)) for line in lines)


def read_page(text: str) -> LabState:
    """Parse the text of `write_page`; raises DivmetricsError, which names the line if one alone is wrong."""
    reader = _Reader()
    lines = [Line(n, line, of=" of the lab's text") for n, line in enumerate(text.splitlines(), 1)]
    read_lines((line for line in lines if line.text.strip()), reader.line)
    return reader.page()


class _Reader:
    def __init__(self) -> None:
        self.topic: JsonObject = {}
        self.scale: tuple[int, int] | None = None
        self.intents: list[JsonObject] = []
        self.docs: dict[str, JsonObject] = {}
        self.lists: dict[str, list[str]] = {}
        self.metrics: list[str] = []

    def line(self, _: Line, words: list[str]) -> None:
        """Parse one line by its first word; raise WordError if the word is unknown."""
        readers: dict[str, Callable[[list[str]], None]] = {
            "topic": self._topic,
            "scale": self._scale,
            "intent": self._intent,
            "subtopic": self._subtopic,
            "doc": self._doc,
            **{side: partial(self._list, side) for side in SIDES},
            "metrics": lambda names: self.metrics.extend(map(plain, names)),
        }
        keyword, *rest = words
        if keyword not in readers:
            expected = f"{did_you_mean(keyword, readers)}; expected {', '.join(readers)}"
            raise WordError(f"it begins with {keyword!r}{expected}")
        readers[keyword](rest)

    def page(self) -> LabState:
        """Return the state; documents only in lists are unjudged.

        Raises DivmetricsError if the text has no topic with intents, or describes invalid judgments.
        """
        if not self.topic or not self.intents:
            raise DivmetricsError(
                "the lab's text has no topic with intents; expected lines such as 'topic 1 \"jaguar\"' and "
                "'intent car 0.5'"
            )
        top = max((g for doc in self.docs.values() for g in (doc["grades"] or {}).values()), default=1)
        scale, adhoc = self.scale or (max(top, 1), 1)
        topic = {**self.topic, "scale": scale, "adhoc": adhoc, "intents": self.intents}
        for side in SIDES:
            for doc in self.lists.setdefault(side, []):
                self.docs.setdefault(doc, {"id": doc, "about": "", "grades": None})
        docs = [self.docs[doc] for doc in sorted(self.docs)]
        page = LabState(topic, docs, {side: self.lists[side] for side in SIDES}, self.metrics)
        judgments = page.judgments()  # raises for invalid names, grades and probabilities
        return replace(page, topic=copy_marks(topic, judgments.topic))

    def _topic(self, rest: list[str]) -> None:
        if self.topic:
            raise WordError("a second topic; a lab has one")
        words, title = split_trailing_text(rest)
        if len(words) != 1:
            raise WordError("expected the topic's id and its title, as in 'topic 1 \"jaguar\"'")
        self.topic = {"id": words[0], "title": title}

    def _scale(self, rest: list[str]) -> None:
        if self.scale:
            raise WordError("a second scale; a topic has one")
        self.scale = scale(rest)

    def _intent(self, rest: list[str]) -> None:
        words, name = split_trailing_text(rest)
        mark = {"mark": words.pop()} if len(words) > 2 and words[-1] in SHAPES else {}
        kind = words.pop() if len(words) == 3 else KINDS[0]
        if len(words) != 2 or kind not in KINDS:
            raise WordError(
                f"expected a name, a probability, perhaps {' or '.join(KINDS)}, and perhaps its mark in "
                f"pictures ({', '.join(SHAPES)})"
            )
        self._add(self.intents, {**_with_probability(words, name), "kind": kind, "children": [], **mark})

    def _subtopic(self, rest: list[str]) -> None:
        words, name = split_trailing_text(rest)
        if not self.intents or len(words) != 2:
            raise WordError("expected, below an intent, a name and a probability within that intent")
        self._add(self.intents[-1]["children"], _with_probability(words, name))

    @staticmethod
    def _add(siblings: list[JsonObject], added: JsonObject) -> None:
        if any(sibling["id"] == added["id"] for sibling in siblings):
            raise WordError(f"{added['id']!r} is given twice; names must differ")
        siblings.append(added)

    def _doc(self, rest: list[str]) -> None:
        words, about = split_trailing_text(rest)
        if not words:
            raise WordError("expected a document's name and its labels, as in 'doc d1 film:2 book:1'")
        doc, *judged = words
        if doc in self.docs:
            raise WordError(f"document {doc!r} has a line already; give it one")
        grades = None if judged == [UNJUDGED] else labels(judged)
        self.docs[doc] = {"id": doc, "about": about, "grades": grades}

    def _list(self, side: str, docs: list[str]) -> None:
        if side in self.lists:
            raise WordError(f"list {side} has a line already; give it one")
        names = list(map(plain, docs))
        twice = next((doc for doc in names if names.count(doc) > 1), None)
        if twice:
            raise WordError(f"document {twice!r} stands in the list twice; a document may appear once")
        self.lists[side] = names


def _with_probability(words: list[str], name: str) -> JsonObject:
    return {"id": words[0], "label": name, "probability": probability(words[1])}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text else ""


@lru_cache(maxsize=4096)
def _word(text: str) -> str:
    """Quote a word only if it needs quotation marks."""
    return text if re.fullmatch(r'[^\s"]+', text) else json.dumps(text, ensure_ascii=False)


@lru_cache(maxsize=4096)
def _number(value: float) -> str:
    """Return the shortest text that parses to the same number: 1/3 instead of 0.3333333333333333."""
    simple = Fraction(value).limit_denominator(99)
    if float(simple) == value and len(str(simple)) < len(repr(value)):
        return str(simple)
    return repr(value)
