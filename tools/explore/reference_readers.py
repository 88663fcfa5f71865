"""A second, simple reader of every file format without the library, to compare it with.

Invalid files raise `RefusedFile`. The naive metrics of the tests score what is read.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
import zlib
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

BLANK = " \t\v\f"
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


WIDE = [0xA0, *range(0x2000, 0x200B), 0x202F, 0x3000]
WIDE_BLANK = re.compile(b"|".join(chr(blank).encode() for blank in WIDE))


def text_of(data: bytes) -> bytes:
    """Return the text of a file, decompressed and without a byte order mark."""
    if data.startswith(b"\x1f\x8b"):
        if data[3:4] >= b"\x20":
            raise RefusedFile("gz with flags that mean nothing yet")  # which Python's own module passes over
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            raise RefusedFile("gz") from None
    if data.startswith((b"PK\3\4", b"BZh91AY&SY", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")):
        raise RefusedFile("compressed")
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        wide = "utf-32" if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff") else "utf-16"
        try:
            text = data.decode(wide)
            data = re.sub(r"^(\s*<\?xml[^>]*?)\sencoding\s*=\s*([\"'])[^\"'>]*[\"']", r"\1", text).encode()
        except UnicodeError:
            raise RefusedFile("damaged") from None
    data = re.sub(rb"(\A|[\r\n])(\xef\xbb\xbf)+", rb"\1", data)
    if not re.match(rb'\s*(<|\{\s*["}]|\[\s*[\[{\]])', data):
        data = without_comments(data)
    if b"\0" in data or not data.strip():
        raise RefusedFile("binary or empty")
    return data


def without_comments(data: bytes) -> bytes:
    data = re.sub(rb'(?i)\A"?sep=.?"?[ \t]*(?=[\r\n])', b"", data)
    lines = re.split(rb"(\r\n|\r|\n)", data)
    return b"".join(b"" if line.strip(b" \t").startswith(b"#") else line for line in lines)


def rows_of(data: bytes, width: int, numbers: tuple[int, ...] = (), words: bool = False) -> list[list[str]]:
    """Return the fields of lines: between white space, or else tabs, semicolons, commas, bars or wide blanks.

    numbers: columns that may have decimal commas. words: whether all words from the last column on are one.
    """
    lines = [line for line in re.split(rb"\r\n|\r|\n", data) if line.strip()]
    try:
        texts = [line.decode() for line in lines]
    except UnicodeDecodeError:
        raise RefusedFile("not UTF-8") from None
    if not lines:
        raise RefusedFile("no rows")
    ways = [[[field.decode() for field in line.split()] for line in lines]]
    ways += [[[cell.strip(BLANK) for cell in text.split("\t")] for text in texts]]
    for sign in ";,|":
        ways += [[[cell.strip(BLANK) for cell in next(csv.reader([text], delimiter=sign))] for text in texts]]
    ways += [[[field.decode() for field in WIDE_BLANK.sub(b" ", line).split()] for line in lines]]
    for rows in ways:
        if all(len(row) == width and all(row) for row in rows):
            return with_points(rows, numbers)
    rows = [[*row[: width - 1], " ".join(row[width - 1 :])] for row in ways[0]]
    if words and all(row[-1] and NUMBER.fullmatch(row[3]) and NUMBER.fullmatch(row[4]) for row in rows):
        return with_points(rows, numbers)
    raise RefusedFile("width")


def with_points(rows: list[list[str]], numbers: tuple[int, ...]) -> list[list[str]]:
    """Replace commas in columns of decimal fractions, unless they may stand between thousands."""
    for place in numbers:
        commas = [row[place] for row in rows if "," in row[place]]
        decimal = all(re.fullmatch(r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?", text) for text in commas)
        thousands = all(re.fullmatch("[+-]?[1-9][0-9]{0,2},[0-9]{3}", text) for text in commas)
        mixed = len(commas) < len(rows)
        if decimal and not any("." in row[place] for row in rows) and not (mixed and thousands):
            for row in rows:
                row[place] = row[place].replace(",", ".")
    return rows


def first_fields(data: bytes) -> list[list[str]]:
    """Return the fields of the first line in two ways: by tabs, semicolons, commas or bars, and by blanks."""
    line = re.split(rb"\r\n|\r|\n", data.lstrip(), maxsplit=1)[0].rstrip()
    sign = next((sign for sign in (b"\t", b";", b",", b"|") if sign in line), None)
    words = line.split()
    words = words if len(words) > 1 else WIDE_BLANK.sub(b" ", line).split()
    ways = [[field.strip().strip(b'"') for field in line.split(sign)], words]
    return [[field.decode(errors="replace") for field in fields] for fields in ways]


def leading_fields(data: bytes) -> list[str]:
    """Return the fields of the first line by blanks and semicolons; if there is one, by other signs."""
    line = re.split(rb"[\r\n]", data.replace(b";", b" ").strip(), maxsplit=1)[0].split()
    if len(line) > 1:
        return [field.decode(errors="replace") for field in line]
    cells, words = first_fields(data)
    return words if len(words) > 1 else cells


def heading_of(
    data: bytes, names: dict[str, str], *values: str, second: str = "doc"
) -> tuple[list[str], bytes]:
    """Return our names of the columns if the first line names them (else none), and what is below it."""
    below = re.split(rb"\r\n|\r|\n", data.lstrip(), maxsplit=1)[1:]
    for fields in first_fields(data):
        words = [word.lower().replace("-", "_") for word in fields]
        ours = [names.get(word, word) for word in words]
        if len(set(ours)) == len(ours) and {"topic", second} <= set(ours) and set(ours) & set(values):
            return ours, b"".join(below)
    return [], b""


JUDGED_NAMES = {"query_id": "topic", "qid": "topic", "subtopic_id": "intent", "iteration": "intent"}
JUDGED_NAMES |= {"fls": "intent", "sls": "subtopic", "doc_id": "doc", "docno": "doc"}
JUDGED_NAMES |= {"relevance": "grade", "label": "grade"}


def refuse_numbered(data: bytes, width: int) -> None:
    numbers = [str(place) for place in range(width)]
    cells, words = first_fields(data)
    if words == numbers:  # which may be a document of topic 0
        if not any(line.split()[:1] == [b"0"] and line.split()[1:] for line in data.splitlines()[1:]):
            raise RefusedFile("numbers of columns")
    elif cells == numbers:
        raise RefusedFile("numbers of columns")


INTENT_NAMES = JUDGED_NAMES | {"subtopic": "intent"}
LISTED_NAMES = {
    "query_id": "topic",
    "qid": "topic",
    "doc_id": "doc",
    "docno": "doc",
    "run": "tag",
    "name": "tag",
}
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def whole(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+(\.0*)?", text):
        value = number(text)
        if value != math.floor(value) or abs(value) >= 2**53:
            raise RefusedFile("no integer")
        return int(value)
    text = text.split(".")[0]
    digits = text.lstrip("+-").lstrip("0") or "0"
    if len(digits) > 19:
        raise RefusedFile("too large")
    whole_value = -int(digits) if text.startswith("-") else int(digits)
    if not -(2**63) <= whole_value < 2**63:
        raise RefusedFile("too large")
    return whole_value


def number(text: str) -> float:
    if not NUMBER.fullmatch(text):
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
    if re.match(rb'\s*(\{\s*["}]|\[\s*[\[{\]])', data):
        return collected(json_judgments(data))
    if re.fullmatch(r"L[0-9]{1,18}", leading_fields(data)[-1]):
        rows = rows_of(data.replace(b";", b" "), 4)
        if not all(re.fullmatch("L[0-9]{1,18}", row[3]) for row in rows):
            raise RefusedFile("level")
        rows = [[t, i, "", d, level[1:]] for t, i, d, level in rows]
    else:
        names, below = heading_of(data, JUDGED_NAMES, "grade")
        if names:
            if "intent" not in names:  # a subtopic is the second level only below another one
                names = ["intent" if name == "subtopic" else name for name in names]
            if "intent" not in names:
                raise RefusedFile("no intent")
            of_row = [dict(zip(names, row, strict=True)) for row in rows_of(below, len(names))]
            rows = [[r["topic"], r["intent"], r.get("subtopic", ""), r["doc"], r["grade"]] for r in of_row]
        else:
            refuse_numbered(data, 4)
            rows = [[t, i, "", d, g] for t, i, d, g in rows_of(data, 4)]
    return collected([(t, i, s, d, whole(g)) for t, i, s, d, g in rows])


def json_judgments(data: bytes) -> list[tuple[str, str, str, str, int]]:
    """Return rows of {topic: {document: {intent: grade}}}, or of objects with the names of columns."""
    try:
        text = data.decode()
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = [json.loads(line) for line in text.splitlines() if line.strip()]
        if isinstance(parsed, list):
            of_row = [{JUDGED_NAMES.get(name, name): value for name, value in row.items()} for row in parsed]
            return [
                (r["topic"], r["intent"], r.get("subtopic", ""), r["doc"], int(r["grade"])) for r in of_row
            ]
        return [
            (topic, intent, "", doc, int(grade))
            for topic, docs in parsed.items()
            for doc, labels in docs.items()
            for intent, grade in labels.items()
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise RefusedFile("JSON") from None


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


def is_untagged(fields: list[str]) -> bool:
    """Return whether these are the first five fields of a line of a run."""
    return (
        len(fields) == 5
        and fields[1] in ("Q0", "q0", "0")
        and re.fullmatch(r"[+-]?[0-9]+(\.0*)?", fields[3]) is not None
        and NUMBER.fullmatch(fields[4]) is not None
    )


def run(raw: bytes, name: str) -> tuple[str, dict[str, list[tuple[str, int, float]]]]:
    """Return the tag or the name of the file, and {topic: [(document, rank, score)]} in the file's order."""
    data = text_of(raw)
    if data.lstrip().startswith(b"<SYSDESC>"):
        end = data.find(b"</SYSDESC>")
        data = data[end + 10 :] if end >= 0 else re.split(rb"\r\n|\r|\n", data, maxsplit=1)[-1]
        data = without_comments(data)
    elif data.lstrip().startswith(b"<"):
        raise RefusedFile("XML")
    if re.match(rb'\s*(\{\s*["}]|\[\s*[\[{\]])', data):
        raise RefusedFile("JSON")
    names, below = heading_of(data, LISTED_NAMES, "rank", "score")
    if names:
        numbers = tuple(place for place, column in enumerate(names) if column == "score")
        rows = [dict(zip(names, row, strict=True)) for row in rows_of(below, len(names), numbers)]
    elif any(map(is_untagged, first_fields(data))):
        five = ["topic", "Q0", "doc", "rank", "score"]
        rows = [dict(zip(five, row, strict=True)) for row in rows_of(data, 5, (4,))]
    else:
        refuse_numbered(data, 6)
        six = ["topic", "Q0", "doc", "rank", "score", "tag"]
        rows = [dict(zip(six, row, strict=True)) for row in rows_of(data, 6, (4,), words=True)]
    lists: dict[str, list[tuple[str, int, float]]] = {}
    tag_of_rank: dict[tuple[str, int], set[str]] = {}
    for row in rows:
        listed = lists.setdefault(plain_topic(row["topic"]), [])
        if any(row["doc"] == other for other, _, _ in listed):
            raise RefusedFile("a document twice")
        rank = whole(row["rank"]) if "rank" in row else 0
        listed.append((row["doc"], rank, number(row["score"]) if "score" in row else -rank))
        if "rank" in row:
            tag_of_rank.setdefault((row["topic"], rank), set()).add(row.get("tag", ""))
    tags = list(dict.fromkeys(row.get("tag", name) for row in rows))
    if len(tags) == 1:
        return tags[0], lists
    if any(len(of_rank) > 1 for of_rank in tag_of_rank.values()):
        raise RefusedFile("several runs")
    words = {tag.split(" ")[0] for tag in tags}
    return (words.pop() if len(words) == 1 else name), lists


def ordered(listed: list[tuple[str, int, float]], order: str) -> list[str]:
    if order == "score":
        listed = sorted(sorted(listed, key=lambda one: one[0], reverse=True), key=lambda one: -one[2])
    elif order == "rank":
        listed = sorted(listed, key=lambda one: one[1])
    return [doc for doc, _, _ in listed]


def preferences(raw: bytes) -> list[tuple[str, ...]]:
    """Return rows of left, right, topic, judge, preference, as text."""
    heading, *rest = re.split(rb"\r\n|\r|\n", text_of(raw).lstrip(), maxsplit=1)
    names = [name.decode(errors="replace") for name in heading.split()]
    judges = [name for name in names if name.startswith("judge")]
    if not judges or len(set(names)) < len(names) or not {"left", "right", "topic"} <= set(names):
        raise RefusedFile("heading")
    answers: list[tuple[str, ...]] = []
    columns = tuple(place for place, column in enumerate(names) if column in judges)
    for row in rows_of(rest[0] if rest else b"", len(names), columns):
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
        read = line_topics(data, choice)
    ids = [topic.id for topic in read]
    if len(set(ids)) < len(ids) or "" in ids or all(topic.bare for topic in read):
        raise RefusedFile("twice, or no intents")
    return read, labels


def line_topics(data: bytes, choice: str | None) -> list[Topic]:
    names, below = heading_of(data, INTENT_NAMES, "probability", second="intent")
    if names:
        wanted = [name for name in ("topic", "intent", "probability", "kind") if name in names]
        of_row = rows_of(below, len(names), (names.index("probability"),))
        rows = [[row[names.index(name)] for name in wanted] for row in of_row]
    else:
        cells, first = first_fields(data)[0], leading_fields(data)
        data = data.replace(b";", b" ")
        way = first if len(first) in (3, 4) else cells
        if len(way) not in (3, 4):
            raise RefusedFile("width")
        rows = rows_of(data, len(way), (2,))
        if len(way) == 4 and re.fullmatch(r"(L?|-)[0-9]+(\.0*)?", way[3]):
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
            if not text.startswith(declared[0].decode()):
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
        explicit = any(one.tag == "intent" or "probability" in one.attrib for one in below)
        intents: list[Intent] = []
        for one in below:
            name = one.get("number", "").strip()
            probability = number(one.get("probability", "").strip()) if explicit else 1 / len(below)
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
