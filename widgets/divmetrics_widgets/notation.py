"""A page as text that can be read, mailed and pasted back. (The browser writes it too: front/notation.js.)

    topic 0083 "harry potter"
    scale 2
    intent film 0.75 informational "harry potter film"
      subtopic watch 0.4 "film_watch"
    intent book 0.25
    doc d1 film/watch:2 book:1 "streaming service"
    doc d2
    doc d3 ?
    A d1 d2
    B d2 d3
    metrics ERR-IA@5 D#-nDCG@5

A document without labels is judged and not relevant; one with ? was never judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, get_args

from divmetrics.core.collection import Kind
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.sheet.page import SIDES, Page
from divmetrics.sheet.words import Unreadable, label, plain, probability, scale, tokens, with_text

KINDS = get_args(Kind)
WORDS = ("topic", "scale", "intent", "subtopic", "doc", *SIDES, "metrics")


def write(page: Page) -> str:
    """The page as text; `read` gives the same page back, to the last digit."""
    topic = page.topic
    lines = [
        _line("topic", _word(topic["id"]), _quoted(topic["title"])),
        _line("scale", str(topic["scale"]), str(topic["adhoc"]) if topic["adhoc"] > 1 else ""),
    ]
    for t in topic["intents"]:
        lines.append(
            _line("intent", _word(t["id"]), _number(t["probability"]), t["kind"], _quoted(t["label"]))
        )
        lines += [
            "  " + _line("subtopic", _word(e["id"]), _number(e["probability"]), _quoted(e["label"]))
            for e in t["children"]
        ]
    for doc in page.docs:
        judged = (
            ["?"] if doc["grades"] is None else [_word(f"{key}:{g}") for key, g in doc["grades"].items()]
        )
        # Where a quoted label comes last, even an empty text keeps it from being read as the text.
        about = _quoted(doc["about"]) or ('""' if judged and judged[-1].startswith('"') else "")
        lines.append(_line("doc", _word(doc["id"]), *judged, about))
    lines += [_line(side, *map(_word, page.lists[side])) for side in SIDES]
    lines.append(_line("metrics", *map(_word, page.metrics)))
    return "\n".join(lines)


def read(text: str) -> Page:
    """The page that `write` wrote; DivmetricsError names the line and what was expected there."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            reader.line(number, line)
    return reader.page()


class _Reader:
    def __init__(self) -> None:
        self.topic: dict[str, Any] = {}
        self.scale: tuple[int, int] | None = None
        self.intents: list[dict[str, Any]] = []
        self.docs: dict[str, dict[str, Any]] = {}
        self.lists: dict[str, list[str]] = {}
        self.metrics: list[str] = []
        self.where = ""

    def line(self, number: int, line: str) -> None:
        self.where = f"line {number} of the lab's text ({line.strip()[:60]!r})"
        try:
            self._words(*tokens(line))
        except Unreadable as error:
            raise self.wrong(str(error)) from None

    def _words(self, word: str, *rest: str) -> None:
        readers: dict[str, Callable[[list[str]], None]] = {
            "topic": self._topic,
            "scale": self._scale,
            "intent": self._intent,
            "subtopic": self._subtopic,
            "doc": self._doc,
            "metrics": lambda names: self.metrics.extend(map(plain, names)),
            **{side: partial(self._list, side) for side in SIDES},
        }
        if word not in readers:
            raise self.wrong(
                f"it begins with {word!r}{did_you_mean(word, WORDS)}; expected {', '.join(WORDS)}"
            )
        readers[word](list(rest))

    def wrong(self, what: str) -> DivmetricsError:
        return DivmetricsError(f"{self.where}: {what}")

    def page(self) -> Page:
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
        page = Page(topic, docs, {side: self.lists[side] for side in SIDES}, self.metrics)
        page.pool()  # says what is wrong with names, grades and probabilities
        return page

    def _topic(self, rest: list[str]) -> None:
        if self.topic:
            raise self.wrong("a second topic; a lab has one")
        words, title = with_text(rest)
        if len(words) != 1:
            raise self.wrong('expected the topic\'s id and its title, as in \'topic 1 "jaguar"\'')
        self.topic = {"id": words[0], "title": title}

    def _scale(self, rest: list[str]) -> None:
        self.scale = scale(rest)

    def _intent(self, rest: list[str]) -> None:
        words, name = with_text(rest)
        kind = words.pop() if len(words) == 3 else KINDS[0]
        if len(words) != 2 or kind not in KINDS:
            raise self.wrong(f"expected a name, a probability and perhaps {' or '.join(KINDS)}")
        chance = probability(words[1])
        self.intents.append(
            {"id": words[0], "label": name, "probability": chance, "kind": kind, "children": []}
        )

    def _subtopic(self, rest: list[str]) -> None:
        words, name = with_text(rest)
        if not self.intents or len(words) != 2:
            raise self.wrong("expected, below an intent, a name and a probability within that intent")
        chance = probability(words[1])
        self.intents[-1]["children"].append({"id": words[0], "label": name, "probability": chance})

    def _doc(self, rest: list[str]) -> None:
        words, about = with_text(rest)
        if not words:
            raise self.wrong("expected a document's name and its labels, as in 'doc d1 film:2 book:1'")
        doc, labels = words[0], words[1:]
        if doc in self.docs:
            raise self.wrong(f"document {doc!r} has a line already; give it one")
        grades = None if labels == ["?"] else dict(map(label, labels))
        self.docs[doc] = {"id": doc, "about": about, "grades": grades}

    def _list(self, side: str, docs: list[str]) -> None:
        if side in self.lists:
            raise self.wrong(f"list {side} has a line already; give it one")
        names = list(map(plain, docs))
        twice = next((doc for doc in names if names.count(doc) > 1), None)
        if twice:
            raise self.wrong(f"document {twice!r} stands in the list twice; a document may appear once")
        self.lists[side] = names


def _line(*words: str) -> str:
    return " ".join(filter(None, words))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text else ""


@lru_cache(maxsize=4096)
def _word(text: str) -> str:
    """Quoted only where it has to be."""
    return text if re.fullmatch(r'[^\s"]+', text) else json.dumps(text, ensure_ascii=False)


@lru_cache(maxsize=4096)
def _number(value: float) -> str:
    """The shortest text that reads back as the very same number: 1/3 rather than 0.3333333333333333."""
    simple = Fraction(value).limit_denominator(99)
    if float(simple) == value and len(str(simple)) < len(repr(value)):
        return str(simple)
    return repr(value)
