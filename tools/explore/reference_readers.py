"""A second, simple reader of every file format without the library, to compare it with.

Invalid files raise `RefusedFile`. The naive metrics of the tests score what is read.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import zlib
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

AMBIGUOUS = ("", "")  # a label that two subtopics have
Labels = dict[
    tuple[str, str], dict[tuple[str, str], int]
]  # (topic, document) -> {(intent, subtopic or ""): grade}


class RefusedFile(Exception):
    """Raised for an invalid file, which the program must refuse, too."""


@dataclass
class Intent:
    """An intent in the reference's form."""

    id: str
    probability: float
    kind: str = "informational"
    children: list[Intent] = field(default_factory=list)


@dataclass
class Topic:
    """A topic in the reference's form."""

    id: str
    intents: list[Intent]
    bare: bool = False  # neither subtopics nor the type of topics that have none


def text_of(data: bytes) -> bytes:
    """Return the text of a file, decompressed and without a byte order mark."""
    if data.startswith(b"\x1f\x8b"):
        if data[3:4] >= b"\x20":
            raise RefusedFile("gz with flags that mean nothing yet")  # which Python's own module passes over
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            raise RefusedFile("gz") from None
    if data.startswith(
        (b"\xff\xfe", b"\xfe\xff", b"PK\3\4", b"BZh91AY&SY", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")
    ):
        raise RefusedFile("not UTF-8")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data or not data.strip():
        raise RefusedFile("binary or empty")
    return data


def rows_of(data: bytes, widths: tuple[int, ...]) -> list[list[str]]:
    rows: list[list[str]] = []
    for line in re.split(rb"\r\n|\r|\n", data):
        fields = line.split()
        if fields:
            if len(fields) not in widths or len(fields) != len(rows[0] if rows else fields):
                raise RefusedFile("width")
            try:
                rows.append([one.decode() for one in fields])
            except UnicodeDecodeError:
                raise RefusedFile("not UTF-8") from None
    if not rows:
        raise RefusedFile("no rows")
    return rows


def whole(text: str) -> int:
    digits = text.lstrip("+-").lstrip("0") or "0"
    if not re.fullmatch("[+-]?[0-9]+", text) or len(digits) > 19:
        raise RefusedFile("no integer")
    value = -int(digits) if text.startswith("-") else int(digits)
    if not -(2**63) <= value < 2**63:
        raise RefusedFile("too large")
    return value


def number(text: str) -> float:
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        raise RefusedFile("no number")
    value = float(text)
    if math.isinf(value):
        raise RefusedFile("too large")
    return value


def plain_topic(text: str) -> str:
    match = re.fullmatch("[wW][tT][0-9]{2}-([0-9]+)", text)
    return (match[1].lstrip("0") or "0") if match else text


def judgments(
    raw: bytes, topics: list[Topic] | None, by_label: dict[tuple[str, str], tuple[str, str]]
) -> Labels:
    data = text_of(raw)
    if data.lstrip().startswith(b"<"):
        return imine_judgments(data, by_label)
    first = re.split(rb"[\r\n]", data.replace(b";", b" ").strip(), maxsplit=1)[0].split()
    if re.fullmatch(rb"L[0-9]{1,18}", first[-1]):
        rows = rows_of(data.replace(b";", b" "), (4,))
        if not all(re.fullmatch("L[0-9]{1,18}", row[3]) for row in rows):
            raise RefusedFile("level")
        rows = [[t, i, "", d, level[1:]] for t, i, d, level in rows]
    else:
        heading = re.split(rb"\r\n|\r|\n", data, maxsplit=1)
        names = heading[0].split()
        if names in ([b"topic", b"intent", b"doc", b"grade"],):
            rows = rows_of(heading[1] if len(heading) > 1 else b"", (4,))
        elif names in (
            [b"topic", b"fls", b"sls", b"doc", b"grade"],
            [b"topic", b"intent", b"subtopic", b"doc", b"grade"],
        ):
            rows = rows_of(heading[1] if len(heading) > 1 else b"", (5,))
        else:
            rows = rows_of(data, (4,))
        rows = [row if len(row) == 5 else [row[0], row[1], "", *row[2:]] for row in rows]
    return collected([(t, i, s, d, whole(g)) for t, i, s, d, g in rows])


def collected(rows: list[tuple[str, str, str, str, int]]) -> Labels:
    labels_of: Labels = {}
    for topic, intent, subtopic, doc, grade in rows:
        labels = labels_of.setdefault((plain_topic(topic), doc), {})
        if labels.setdefault((intent, subtopic), grade) != grade:
            raise RefusedFile("two grades")
    return labels_of


def imine_judgments(data: bytes, by_label: dict[tuple[str, str], tuple[str, str]]) -> Labels:
    rows = []
    if AMBIGUOUS in by_label.values():
        raise RefusedFile("one label for two")
    for doc in tree(data).findall("relevance/doc"):
        if "sls" in doc.attrib:
            key = doc.get("queryid", ""), doc.get("sls", "")
            grade = whole(doc.get("relevance", "")) - 1
            if not doc.get("docid") or key not in by_label:
                raise RefusedFile("label")
            rows.append((key[0], *by_label[key], doc.get("docid", ""), grade))
    if not rows:
        raise RefusedFile("nothing judged")
    return collected(rows)


def run(raw: bytes) -> tuple[str, dict[str, list[tuple[str, int, float]]]]:
    """Return the tag, and {topic: [(document, rank, score)]} in the order of the file."""
    data = text_of(raw)
    if data.lstrip().startswith(b"<SYSDESC>"):
        end = data.find(b"</SYSDESC>")
        data = data[end + 10 :] if end >= 0 else re.split(rb"\r\n|\r|\n", data, maxsplit=1)[-1]
    elif data.lstrip().startswith(b"<"):
        raise RefusedFile("XML")
    lists: dict[str, list[tuple[str, int, float]]] = {}
    rows = rows_of(data, (6,))
    for topic, _, doc, rank, score, tag in rows:
        listed = lists.setdefault(plain_topic(topic), [])
        if tag != rows[0][5] or any(doc == other for other, _, _ in listed):
            raise RefusedFile("tag or document")
        listed.append((doc, whole(rank), number(score)))
    return rows[0][5], lists


def ordered(listed: list[tuple[str, int, float]], order: str) -> list[str]:
    if order == "score":
        listed = sorted(sorted(listed, key=lambda one: one[0], reverse=True), key=lambda one: -one[2])
    elif order == "rank":
        listed = sorted(listed, key=lambda one: one[1])
    return [doc for doc, _, _ in listed]


def preferences(raw: bytes) -> list[tuple[str, ...]]:
    """Return rows of left, right, topic, judge, preference, as text."""
    heading, *rest = re.split(rb"\r\n|\r|\n", text_of(raw), maxsplit=1)
    names = heading.decode(errors="replace").split()
    judges = [name for name in names if name.startswith("judge")]
    if not judges or len(set(names)) < len(names) or not {"left", "right", "topic"} <= set(names):
        raise RefusedFile("heading")
    answers: list[tuple[str, ...]] = []
    for row in rows_of(rest[0] if rest else b"", (len(names),)):
        of = dict(zip(names, row, strict=True))
        answers += [(of["left"], of["right"], of["topic"], judge, str(number(of[judge]))) for judge in judges]
    return answers


def topics(raw: bytes, choice: str | None) -> tuple[list[Topic], dict[tuple[str, str], tuple[str, str]]]:
    """Return topics, and {(topic, second-level label): (intent, subtopic)} of those with two levels."""
    data = text_of(raw)
    labels: dict[tuple[str, str], tuple[str, str]] = {}
    if data.lstrip().startswith((b"[", b"{")):
        read = json_topics(data, choice, labels)
    elif data.lstrip().startswith(b"<"):
        root = tree(data)
        if root.find("topic/fls") is not None:
            read = [
                two_levels(topic.get("id", ""), xml_levels(topic, "fls"), choice, labels)
                for topic in root.findall("topic")
            ]
        elif root.find("topic[@number]") is not None:
            read = web_topics(root, choice)
        else:
            raise RefusedFile("no topics")
    else:
        read = line_topics(data.replace(b";", b" "), choice)
    ids = [topic.id for topic in read]
    if len(set(ids)) < len(ids) or "" in ids or all(topic.bare for topic in read):
        raise RefusedFile("twice, or no intents")
    return read, labels


def line_topics(data: bytes, choice: str | None) -> list[Topic]:
    rows = rows_of(data, (3, 4))
    if len(rows[0]) == 4 and re.fullmatch("L?[0-9]+|-[0-9]+", rows[0][3]):
        raise RefusedFile("judgments")
    intents_of: dict[str, list[Intent]] = {}
    for topic, intent, probability, *kind in rows:
        of_topic = intents_of.setdefault(plain_topic(topic), [])
        if number(probability) < 0 or any(i.id == intent for i in of_topic):
            raise RefusedFile("intent")
        of_topic.append(Intent(intent, number(probability), kind_of(*kind)))
    return [Topic(topic, weighed(intents, choice)) for topic, intents in intents_of.items()]


def kind_of(kind: str = "") -> str:
    return "navigational" if kind.strip().casefold() in ("nav", "navigational") else "informational"


def weighed(intents: list[Intent], choice: str | None) -> list[Intent]:
    try:
        total = math.fsum(intent.probability for intent in intents) if intents else 1.0
    except OverflowError:
        total = math.inf
    if choice == "uniform" or (choice == "normalise" and total == 0):
        for intent in intents:
            intent.probability = 1 / len(intents)
    elif choice == "normalise" and total < math.inf:
        for intent in intents:
            intent.probability /= total
    elif not abs(total - 1) <= 1e-3 + 1e-12:
        raise RefusedFile("sum")
    return intents


def tree(data: bytes) -> ElementTree.Element:
    declared = re.match(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]*)[\"'][^>]*>", data)
    try:
        if declared:
            name = declared[1].decode().lower()
            if name in ("idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape") or not name:
                raise RefusedFile("encoding")
            larger = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "shift_jis": "cp932"}
            text = data.decode(larger.get(name, name))
            if not text.startswith(declared[0].decode()) or declared[0][:1] != b"<":
                raise RefusedFile("encoding")
            data = text[len(declared[0]) :].encode()
        data = re.sub(rb"^\s*<\?xml(\s[^>]*)?\?>", b"", data)
        if re.match(rb"\s*(<!--.*?-->\s*)*<topic[\s>]", data, re.DOTALL | re.IGNORECASE):
            data = b"<topics>" + data + b"</topics>"
        if b"<!ENTITY" in data or re.search(
            rb"&(?!amp;|lt;|gt;|quot;|apos;|#)", re.sub(rb"<!--.*?-->", b"", data)
        ):
            raise RefusedFile("an entity")
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError, ValueError):
        raise RefusedFile("XML") from None
    for element in root.iter():
        attributes = {name.lower(): value for name, value in element.attrib.items()}
        if len(attributes) < len(element.attrib):
            raise RefusedFile("an attribute twice")
        element.tag, element.attrib = element.tag.lower(), attributes
    deep, level = 0, [root]
    while level:
        deep, level = deep + 1, [child for element in level for child in element]
    if deep > 100:
        raise RefusedFile("deep")
    return root


def web_topics(root: ElementTree.Element, choice: str | None) -> list[Topic]:
    topics = []
    for topic in root.findall("topic"):
        below = [one for one in topic if one.tag in ("subtopic", "intent")]
        given = any(one.tag == "intent" or "probability" in one.attrib for one in below)
        intents: list[Intent] = []
        for one in below:
            name = one.get("number", "").strip()
            probability = number(one.get("probability", "").strip()) if given else 1 / len(below)
            if not name or probability < 0 or any(name == intent.id for intent in intents):
                raise RefusedFile("subtopic")
            intents.append(Intent(name, probability, kind_of(one.get("type", ""))))
        bare = not intents and topic.get("type") != "single"
        intents = weighed(intents, choice) or [Intent("0", 1.0)]
        topics.append(Topic(plain_topic(topic.get("number", "").strip()), intents, bare))
    return topics


Level = list[tuple[str, str, float, Any]]  # id, label, probability, the level below


def xml_levels(parent: ElementTree.Element, tag: str) -> Level:
    levels = []
    for count, element in enumerate(parent.findall(tag), 1):
        try:
            probability = float(element.get("poss", ""))
        except ValueError:
            raise RefusedFile("poss") from None
        levels.append((str(count), element.get("content", ""), probability, xml_levels(element, "sls")))
    return levels


def json_topics(
    data: bytes, choice: str | None, labels: dict[tuple[str, str], tuple[str, str]]
) -> list[Topic]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise RefusedFile("a name twice")
        return dict(pairs)

    def text(value: object) -> str:
        if not isinstance(value, str) or re.search("[\ud800-\udfff]", value):
            raise RefusedFile("no text")
        return value

    def identity(value: object) -> str:
        return str(value) if type(value) is int else text(value)

    def level(entries: Any) -> Level:
        return [
            (identity(e["id"]), text(e["label"]), float(e["probability"]), level(e.get("sls", [])))
            for e in entries
        ]

    try:
        entries = json.loads(data, object_pairs_hook=once)
        if not entries:
            raise RefusedFile("none")
        for entry in entries:
            text(entry["title"]), text(entry["type"])
        return [two_levels(identity(entry["id"]), level(entry["fls"]), choice, labels) for entry in entries]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise RefusedFile("JSON") from None


def two_levels(
    name: str, first: Level, choice: str | None, labels: dict[tuple[str, str], tuple[str, str]]
) -> Topic:
    if not first:
        return Topic(name, [Intent("0", 1.0)], bare=True)
    if len({one[0] for one in first}) < len(first):
        raise RefusedFile("a subtopic twice")
    intents = []
    for ident, _, probability, below in first:
        children = []
        if any(not 0 <= p < math.inf for p in (probability, *(child[2] for child in below))):
            raise RefusedFile("probability")
        if choice != "flat":
            if any(under for *_, under in below) or len({child[0] for child in below}) < len(below):
                raise RefusedFile("third level, or one twice")
            for i, label, p, _ in below:
                children.append(Intent(i, p))
                labels[name, label] = AMBIGUOUS if (name, label) in labels else (ident, i)
            weighed(children, choice)
        intents.append(Intent(ident, probability, children=children))
    return Topic(name, weighed(intents, choice))
