"""Files of every format, as they should be and a little wrong, through the command line.

A second reading of the files (`readings`) and the naive metrics of the tests say what must come out. Where
they refuse, the program must: status 2, one sentence, nothing on stdout. Where only the writing of a file is
changed (line ends, blanks, compression, order), nothing may change.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import importlib
import io
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from divmetrics.cli import main
from divmetrics.errors import UNPRINTABLE, DivmetricsError
from divmetrics.readers.preferences import read_preferences
from tools.explore import Effort, Tried, readings
from tools.explore.readings import Refused

TRIES = 1000  # for --times 1
PROCESSES = 250  # every so many tries, a process of its own must say the same
LARGEST_GRADE = (
    60  # beyond it a score has to be finite or refused, no more: the reference computes with floats
)
METRICS = (
    *("S-recall", "P-IA", "AP-IA", "ERR-IA", "nDCG-IA", "Q-IA", "EBR-IA", "iRBU-IA", "alpha-DCG", "NRBP"),
    *("D-nDCG", "D#-nDCG", "DIN-nDCG", "P+Q", "D-ERR"),
)

ODD = [
    *(
        "",
        "0",
        "00",
        "-1",
        "+3",
        "007",
        "-0",
        "1.0",
        "2.5",
        "1e2",
        "1e400",
        "-1e400",
        "nan",
        "inf",
        "0x10",
        "1_0",
    ),
    *(
        "9" * 19,
        str(2**63 - 1),
        str(2**63),
        "9" * 5000,
        "1e308",
        "4",
        "70",
        "1030",
        "L1",
        "L",
        "L-1",
        "L" + "9" * 30,
    ),
    *(
        "\u00b2",
        "\u0663",
        "\x1b[2J",
        "\u00e9",
        "\u6f22",
        "a,b",
        '"q"',
        '"',
        "NA",
        "null",
        "\u2028",
        "\x85",
        "-",
        "#",
    ),
    *(
        "<x>",
        "&amp;",
        "&",
        "wt09-1",
        "WT09-01",
        "wt09-" + "7" * 5000,
        "nav",
        "inf",
        "x" * 300,
        "\x1c",
        "topic",
        ";",
    ),
]
ODD_BYTES = [b"\xff", b"\0", b"\xed\xa0\x80", b"\xc3", b"\r", b"\v", b"\f", b"\x1a"]


@dataclass
class World:
    """Files by their part: qrels, topics (or none), run0, run1 ...; and the options they need."""

    files: dict[str, bytes]
    choice: str | None
    order: str
    metrics: list[str]
    told: list[str] = field(default_factory=list)  # what was done to them

    def write(self, folder: Path) -> list[str]:
        """Write the files; the arguments for them."""
        for name, data in self.files.items():
            (folder / f"{name}.txt").write_bytes(data)
        runs = [str(folder / f"{name}.txt") for name in self.files if name.startswith("run")]
        topics = ["--topics", str(folder / "topics.txt")] if "topics" in self.files else []
        choice = ["--probabilities", self.choice] if self.choice and topics else []
        metrics = [word for name in self.metrics for word in ("-m", name)]
        options = ["--order", self.order, "--mean-over", "judged", *topics, *choice]
        return ["evaluate", str(folder / "qrels.txt"), *runs, *metrics, *options]


# ------------------------------------------------------------------------------------ files as they should be


def world(rng: random.Random) -> World:
    topics = rng.sample(["1", "2", "3", "10", "potter"], rng.randint(1, 3))
    intents = {t: [str(i) for i in range(1, rng.randint(1, 4) + 1)] for t in topics}
    docs = [f"{stem}{k}" for stem in ("d", "doc-", "\u6f22") for k in range(rng.randint(2, 6))]
    grades = rng.choice([1, 2, 4])
    form = rng.choice(["plain", "plain", "plain", "lines", "lines", "web", "web", "imine", "imine", "json"])
    two = form in ("imine", "json")
    rows = []
    for topic in topics:
        for doc in rng.sample(docs, rng.randint(1, len(docs))):
            for intent in rng.sample(intents[topic], rng.randint(1, len(intents[topic]))):
                rows.append((topic, intent, rng.choice("12") if two else "", doc, rng.randint(0, grades)))
    files: dict[str, bytes] = {}
    judged_xml = form == "imine" and rng.random() < 0.6
    files["qrels"] = qrels(rng, rows, two, judged_xml).encode()
    if form == "lines":
        files["topics"] = probabilities(rng, topics, intents).encode()
    elif form == "web":
        files["topics"] = web(rng, topics, intents).encode()
    elif form == "imine":
        files["topics"] = imine(rng, topics, intents).encode()
    elif form == "json":
        files["topics"] = tidy(rng, topics, intents).encode()
    for number in range(rng.randint(1, 3)):
        files[f"run{number}"] = run(
            rng, topics, docs, rng.choice([f"tag{number}", f"tag{number}", "tag"])
        ).encode()
    choice = (
        rng.choice(["normalise", "uniform", "flat", "normalise"]) if two else rng.choice([None, "uniform"])
    )
    if judged_xml and choice == "flat":
        choice = "uniform"
    metrics = [f"{name}@{rng.randint(1, 8)}" for name in rng.sample(METRICS, 2)]
    return World(files, choice, rng.choice(["score", "rank", "file"]), metrics)


def qrels(rng: random.Random, rows: list[tuple[str, str, str, str, int]], two: bool, xml: bool) -> str:
    if xml:
        docs = "\n".join(
            f'<doc docid={quoteattr(d)} queryid="{t}" relevance="{g + 1}" sls="l{t}.{i}.{s}"/>'
            for t, i, s, d, g in rows
        )
        return f"<root><relevance>\n{docs}\n</relevance></root>\n"
    if two:
        return "".join(
            f"{' '.join(map(str, row))}\n" for row in [("topic", "fls", "sls", "doc", "grade"), *rows]
        )
    rows = list(rows)
    if rng.random() < 0.3:
        return "".join(f"{t} {i} {d} L{g}\n" for t, i, _, d, g in rows)
    if rng.random() < 0.3:
        rows.append((rows[0][0], "0", "", "junk", rng.choice([-2, 0])))
    heading = "topic intent doc grade\n" if rng.random() < 0.2 else ""
    return heading + "".join(f"{t} {i} {d} {g}\n" for t, i, _, d, g in rows)


def run(rng: random.Random, topics: list[str], docs: list[str], tag: str) -> str:
    lines = ["<SYSDESC>one\nor two lines</SYSDESC>\n"] if rng.random() < 0.2 else []
    for topic in rng.sample(topics, rng.randint(1, len(topics))):
        listed = [*rng.sample(docs, rng.randint(1, len(docs))), "never-judged"]
        for rank, doc in enumerate(listed, 1):
            lines.append(
                f"{topic} Q0 {doc} {rank} {rng.choice([-rank, 1 / rank, rng.randint(0, 3)])} {tag}\n"
            )
    return "".join(lines)


def shares(rng: random.Random, count: int) -> list[float]:
    parts = [rng.randint(1, 9) for _ in range(count)]
    return [part / sum(parts) for part in parts]


def probabilities(rng: random.Random, topics: list[str], intents: dict[str, list[str]]) -> str:
    kinds, separator = rng.random() < 0.5, rng.choice([" ", "\t", ";"])
    lines = []
    for topic in topics:
        for intent, share in zip(intents[topic], shares(rng, len(intents[topic])), strict=True):
            lines.append(
                separator.join(
                    [topic, intent, f"{share:.6f}", *([rng.choice(["nav", "inf"])] if kinds else [])]
                )
            )
    return "\n".join(lines) + "\n"


def web(rng: random.Random, topics: list[str], intents: dict[str, list[str]]) -> str:
    lines = ["<webtrack2012>"]
    for topic in topics:
        lines.append(
            f'<topic number="{topic}" type="faceted"><query>q</query><description>d &amp; e</description>'
        )
        lines += [
            f'<subtopic number="{i}" type="{rng.choice(["nav", "inf"])}">\u6f22 {i}</subtopic>'
            for i in intents[topic]
        ]
        lines.append("</topic>")
    return "\n".join([*lines, "</webtrack2012>\n"])


def imine(rng: random.Random, topics: list[str], intents: dict[str, list[str]]) -> str:
    lines = ["<root>"]
    for topic in topics:
        lines.append(f'<topic content="q" id="{topic}">')
        for i, share in zip(intents[topic], shares(rng, len(intents[topic])), strict=True):
            lines.append(f'<fls content="{i}" poss="{share}">')
            lines += [f'<sls content="l{topic}.{i}.{s}" poss="{share / 2}"/>' for s in "12"]
            lines.append("</fls>")
        lines.append("</topic>")
    return "\n".join([*lines, "</root>\n"])


def tidy(rng: random.Random, topics: list[str], intents: dict[str, list[str]]) -> str:
    def below(topic: str, i: str) -> list[dict[str, Any]]:
        return [{"id": int(s), "label": f"l{topic}.{i}.{s}", "probability": 0.5} for s in "12"]

    return json.dumps(
        [
            {"id": topic, "title": "\u6f22", "type": "broad", "fls": [
                {"id": int(i), "label": i, "probability": share, "sls": below(topic, i)}
                for i, share in zip(intents[topic], shares(rng, len(intents[topic])), strict=True)
            ]}
            for topic in topics
        ],
        indent=rng.choice([None, 1]),
    )  # fmt: skip


# ------------------------------------------------------- other writings of the same, and files a little wrong


def rewritten(rng: random.Random, name: str, data: bytes, order: str) -> tuple[str, bytes]:
    """The same file, written in another way."""
    text = data.decode()
    lines = text.splitlines()
    ways: dict[str, Callable[[], bytes]] = {
        "gz": lambda: gzip.compress(data, 1),
        "two gz": lambda: gzip.compress(data[:9], 1) + gzip.compress(data[9:], 1),
        "byte order mark": lambda: b"\xef\xbb\xbf" + data,
        "CRLF": lambda: text.replace("\n", "\r\n").encode(),
        "CR": lambda: text.replace("\n", "\r").encode(),
        "no last line end": lambda: text.rstrip("\n").encode(),
        "blank lines at the end": lambda: data + b"\n \n\n",
    }
    kind = text.lstrip()[:1]
    described = text.startswith("<SYSDESC>")
    if kind == "<" and not described:
        encoding = rng.choice(["utf-8", "utf8", "gb18030", "gbk", "big5", "euc-jp", "shift_jis", "utf-7"])
        declared = f'<?xml version="1.0" encoding="{encoding}"?>\n'
        ways |= {
            f"in {encoding}": lambda: (declared + text).encode(encoding),
            "declared": lambda: b"<?xml version='1.0'?>" + data,
            "comments": lambda: text.replace("<topic ", "<!-- <topic> & --><topic ").encode(),
            "DOCTYPE": lambda: b'<!DOCTYPE root SYSTEM "some.dtd">\n' + data,
        }
    elif kind in "[{":
        ways |= {
            "indented": lambda: json.dumps(json.loads(text), indent=3).encode(),
            "unescaped": lambda: json.dumps(json.loads(text), ensure_ascii=False).encode(),
            "other order of names": lambda: json.dumps(json.loads(text), sort_keys=True).encode(),
        }
    elif not described:
        start = 1 if text.startswith("topic ") else 0
        ways |= {
            "tabs": lambda: re.sub("[ \t]", "\t", text).encode(),
            "double blanks": lambda: text.replace(" ", "  ").encode(),
            "mixed blanks": lambda: re.sub(
                " ", lambda _: rng.choice([" ", "\t", " \v", "\f "]), text
            ).encode(),
            "blanks around": lambda: text.replace("\n", " \n ").strip(" ").encode(),
            "blank lines": lambda: ("\n" * (1 - start) + text.replace("\n", "\n\n")).encode(),
        }
        if not name.startswith("run") or order == "score":
            shuffled = rng.sample(lines[start:], len(lines) - start)
            ways["other order"] = lambda: "\n".join([*lines[:start], *shuffled, ""]).encode()
        if name == "qrels":
            ways["said twice"] = lambda: "\n".join([*lines, lines[-1], ""]).encode()
    way = rng.choice(list(ways))
    return f"{name}: {way}", ways[way]()


def mutated(rng: random.Random, name: str, data: bytes, others: dict[str, bytes]) -> tuple[str, bytes]:
    """The same file, a little wrong (or by luck still right)."""
    text = data.decode()
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    odd = rng.choice(ODD)

    def field(value: str) -> bytes:
        structured = text.lstrip()[:1] in "<[{" and not text.startswith("<SYSDESC>")
        pieces = list(re.finditer(r'"[^"]*"|[\d.]+' if structured else r"[^\s;]+", lines[at]))
        if not pieces:
            return (text + value).encode()
        piece = rng.choice(pieces)
        quote = '"' if piece[0].startswith('"') and structured else ""
        changed = lines[at][: piece.start()] + quote + value + quote + lines[at][piece.end() :]
        return "".join([*lines[:at], changed, *lines[at + 1 :]]).encode(errors="surrogatepass")

    def inside(value: bytes) -> bytes:
        place = rng.randrange(len(data) + 1)
        return data[:place] + value + data[place:]

    packed = gzip.compress(data, 1)
    place = rng.randrange(len(packed))
    ways: dict[str, Callable[[], bytes]] = {
        f"a field is {odd[:12]!r}": lambda: field(odd),
        f"another field is {odd[:12]!r}": lambda: field(odd),
        f"{odd[:12]!r} inside": lambda: inside(odd.encode()),
        "an odd byte inside": lambda: inside(rng.choice(ODD_BYTES)),
        "a line is missing": lambda: "".join(lines[:at] + lines[at + 1 :]).encode(),
        "a line twice": lambda: "".join([*lines, lines[at]]).encode(),
        "two lines in one": lambda: "".join(
            [*lines[:at], lines[at].rstrip("\n") + " ", *lines[at + 1 :]]
        ).encode(),
        "cut": lambda: data[: rng.randrange(len(data) + 1)],
        "another file": lambda: rng.choice(list(others.values())),
        "damaged gz": lambda: (
            packed[:place] + bytes([packed[place] ^ 1 << rng.randrange(8)]) + packed[place + 1 :]
        ),
        "cut gz": lambda: packed[:place],
        "UTF-16": lambda: text.encode("utf-16"),
        "UTF-32": lambda: text.encode("utf-32"),
    }
    if text.lstrip().startswith("<") and not text.startswith("<SYSDESC>"):
        encoding = rng.choice(["klingon", "utf-16", "rot13", "unicode_escape", "ascii", "utf-32", "idna", ""])
        outside = rng.choice(
            ["<!DOCTYPE root SYSTEM 'some.dtd'>\n", "<!DOCTYPE root [<!ENTITY one '1'>]>\n", ""]
        )
        deep = rng.choice([3, 90, 900])
        ways |= {
            f"declares {encoding}": lambda: f"<?xml version='1.0' encoding='{encoding}'?>\n{text}".encode(),
            "an entity in text": lambda: (outside + text.replace("</query>", "&one;</query>", 1)).encode(),
            "an entity in a value": lambda: (
                outside + re.sub(r'="(?=\w)', '="&one;', text, count=1)
            ).encode(),
            "deep": lambda: text.replace("<fls", "<x>" * deep + "</x>" * deep + "<fls", 1).encode(),
            "a third level": lambda: re.sub(r"<(sls [^>]*)/>", r"<\1><\1/></sls>", text, count=1).encode(),
        }
    elif text.lstrip().startswith("["):
        value = rng.choice(
            ["null", "true", "[]", "{}", '""', "-1", "1e999", "NaN", r'"\ud800"', "9" * 5000, "9" * 400]
        )
        deep = rng.choice([3, 300, 900, 100_000])
        ways |= {
            f"a value is {value[:9]}": lambda: json_value(rng, text, value),
            f"one more value is {value[:9]}": lambda: json_value(rng, text, value),
            "deep": lambda: text.replace('"sls": []', '"sls": ' + "[" * deep + "]" * deep, 1).encode(),
            "a name twice": lambda: text.replace('"id"', '"id": "2", "id"', 1).encode(),
        }
    elif name.startswith("run"):
        ways |= {
            "a document twice": lambda: "".join(
                [*lines, re.sub(r" \S+ (\S+)\n?$", r" 0 \1", lines[-1])]
            ).encode(),
            "beside a description": lambda: ("<SYSDESC>x</SYSDESC> " + text).encode(),
            "beside an end": lambda: text.replace("</SYSDESC>\n", "</SYSDESC>", 1).encode(),
        }
    way = rng.choice(list(ways))
    return f"{name}: {way}", ways[way]()


def json_value(rng: random.Random, text: str, value: str) -> bytes:
    pieces = list(re.finditer(r'(?<=": )("[^"]*"|[\d.]+)', text))
    if not pieces:
        return (text + value).encode()
    piece = rng.choice(pieces)
    return (text[: piece.start()] + value + text[piece.end() :]).encode()


# ---------------------------------------------------------------------------------------------------- judging


@dataclass
class Outcome:
    """What the command line did."""

    status: int
    out: str
    err: str

    def scores(self) -> dict[tuple[str, str, str], float]:
        rows = list(csv.reader(io.StringIO(self.out, newline="")))
        return {(run, topic, name): float(value) for run, topic, name, value in rows[1:]}


def in_process(arguments: list[str]) -> Outcome:
    out, err = io.StringIO(newline=""), io.StringIO(newline="")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
    return Outcome(status, out.getvalue(), err.getvalue())


def form_of(outcome: Outcome) -> str:
    """What is wrong with the form of an outcome, whatever its numbers; empty where nothing is."""
    lines = outcome.err.removesuffix("\n").split("\n") if outcome.err else []
    told = [line for line in lines if not line.startswith("divmetrics: warning: ")]
    if UNPRINTABLE.search("".join(lines)):
        return "a control character in a message"
    if any("Warning" in line or "encountered in" in line for line in lines):
        return "a warning that is not ours"
    if outcome.status == 0:
        if told:
            return "status 0, and more than warnings"
        bad = [key for key, value in outcome.scores().items() if not math.isfinite(value)]
        return f"a score that is no number: {bad[0]}" if bad else ""
    if outcome.status != 2:
        return f"status {outcome.status}"
    if len(told) != 1 or not told[0].startswith("divmetrics: "):
        return f"{len(told)} lines in place of one sentence"
    return "a refusal with something on stdout" if outcome.out else ""


def expected(files: World) -> dict[tuple[str, str, str], float] | None:
    """The scores that the second reading and the reference give; None where grades are beyond them."""
    reference = importlib.import_module("tests.reference")
    data = files.files
    topics, labels = readings.topics(data["topics"], files.choice) if "topics" in data else (None, {})
    judged = readings.judgments(data["qrels"], topics, labels)
    read = {name: readings.run(data[name]) for name in data if name.startswith("run")}
    tags = [tag for tag, _ in read.values()]
    names = tags if len(set(tags)) == len(tags) else list(read)
    described = {topic.id: topic for topic in topics or ()}
    of_topic: dict[str, Any] = {}
    for topic in dict.fromkeys(topic for topic, _ in judged):
        mine = {doc: labels for (of, doc), labels in judged.items() if of == topic}
        present = {intent for labels in mine.values() for intent, _ in labels}
        if topics is None:
            ids = sorted(present - {"0"}) or ["0"]
            of_topic[topic] = readings.Topic(topic, [readings.Intent(i, 1 / len(ids)) for i in ids])
        elif topic not in described or present - {"0"} - {i.id for i in described[topic].intents}:
            raise Refused("not in the topics file")
        else:
            of_topic[topic] = described[topic]
            children = {(i.id, child.id) for i in described[topic].intents for child in i.children}
            below = {pair for labels in mine.values() for pair in labels if pair[1]}
            if children and below - children:
                raise Refused("a second level that is not in the topics file")
    if not all(set(lists) & set(of_topic) for _, lists in read.values()):
        raise Refused("no topic in common")
    cases = {}
    for name, (_, lists) in zip(names, read.values(), strict=True):
        for topic, meant in of_topic.items():
            labels_of: dict[str, dict[Any, int]] = {}
            for (of, doc), said in judged.items():
                if of == topic:
                    labels_of[doc] = {key if key[1] else key[0]: grade for key, grade in said.items()}
            ranking = readings.ordered(lists.get(topic, []), files.order)
            cases[name, topic] = reference.case_of(meant, labels_of, ranking, 0, 0)
    top = max((g for case in cases.values() for of in case.grades for g in of.values()), default=0)
    if top > LARGEST_GRADE:
        return None
    found = {}
    for (name, topic), case in cases.items():
        case.top = max(top, 1)
        for metric in files.metrics:
            plain, cutoff = metric.rsplit("@", 1)
            found[name, topic, metric] = reference.METRICS[plain](case, int(cutoff))
    return found


def judged(files: World, outcome: Outcome) -> str:
    """What is wrong with an outcome; empty where nothing is."""
    wrong = form_of(outcome)
    if wrong:
        return wrong
    try:
        scores = expected(files)
    except Refused as reason:
        return "" if outcome.status == 2 else f"read, although the second reading refuses it ({reason})"
    if scores is None:
        return ""
    if outcome.status == 2:
        return "refused, although the second reading takes it"
    got = outcome.scores()
    if got.keys() != scores.keys():
        return f"other rows: {sorted(got.keys() ^ scores.keys())[:3]}"
    return "" if same(got, scores, 1e-6) else f"the reference has {scores}, not {got}"


def same(some: Mapping[Any, float], other: Mapping[Any, float], tolerance: float) -> bool:
    """Are these the same scores of the same lists? A probability in a file may have six digits only."""
    close = (
        math.isclose(some[key], other[key], rel_tol=tolerance, abs_tol=1e-12) for key in some.keys() & other
    )
    return some.keys() == other.keys() and all(close)


def one_try_of_preferences(rng: random.Random, folder: Path) -> tuple[str, str]:
    """People's preferences go through their reader: the command line takes them only with a whole study."""
    judges = rng.randint(1, 3)
    lines = [" ".join(["left", "right", "topic", *(f"judge{j}" for j in range(judges)), "status"])]
    for row in range(rng.randint(1, 4)):
        lines.append(" ".join(["A", "B", f"{row}", *(str(rng.randint(-2, 2)) for _ in range(judges)), "ok"]))
    told, data = mutated(rng, "preferences", "\n".join([*lines, ""]).encode(), {"this": b"left right\n"})
    (folder / "preferences.txt").write_bytes(data)
    read: list[tuple[str, ...]] | None = None
    with contextlib.suppress(DivmetricsError):
        frame = read_preferences(folder / "preferences.txt")
        columns = ["left", "right", "topic", "judge", "preference"]
        read = sorted(tuple(map(str, row)) for row in frame[columns].itertuples(index=False))
    expected: list[tuple[str, ...]] | None = None
    with contextlib.suppress(Refused):
        expected = sorted(readings.preferences(data))
    kind = "mutated preferences, " + ("refused" if read is None else "read")
    return (
        kind,
        "" if read == expected else f"{told}\n{data!r}\nread {read}, by the second reading {expected}",
    )


def one_try(rng: random.Random, folder: Path, alone: bool) -> tuple[str, str]:
    """The kind of the try, and what was found."""
    if rng.random() < 0.03:
        return one_try_of_preferences(rng, folder)
    files = world(rng)
    kind = rng.choice(["rewritten", "mutated", "mutated", "mutated"])
    try:
        if kind == "rewritten":
            before = in_process(files.write(folder))
            for name in rng.sample(list(files.files), rng.randint(1, len(files.files))):
                told, files.files[name] = rewritten(rng, name, files.files[name], files.order)
                files.told.append(told)
            after = in_process(files.write(folder))
            found = judged(files, after) if before.status == 0 else f"good files are refused: {before.err}"
            if not found and not same(before.scores(), after.scores(), 1e-12):  # sums have another order
                found = "another writing changes the scores"
        else:
            name = rng.choice(list(files.files))
            told, files.files[name] = mutated(rng, name, files.files[name], files.files)
            files.told.append(told)
            after = in_process(files.write(folder))
            found = judged(files, after)
            kind = f"mutated {name.rstrip('0123456789')}, " + ("refused" if after.status else "read")
        if not found and after.status == 0:
            table = in_process([*files.write(folder), "--format", "table"])
            if table.status or UNPRINTABLE.search(table.out.replace("\n", "")):
                found = "a table with a control character in it, or none"
        if not found and alone:
            command = [sys.executable, "-m", "divmetrics", *files.write(folder)]
            done = subprocess.run(command, capture_output=True)
            alike = Outcome(done.returncode, done.stdout.decode(), done.stderr.decode()) == after
            found = "" if alike else f"a process of its own says {done.stderr.decode()[-300:]!r}"
    except Exception:
        found = traceback.format_exc(limit=-4)
    if found:
        shown = "\n".join(f"{name}: {data[:700]!r}" for name, data in files.files.items())
        found = f"{'; '.join(files.told)}\n{found}\n{files.choice} {files.order} {files.metrics}\n{shown}"
    return kind, found


def explore(effort: Effort) -> Iterator[Tried]:
    """A `Tried` for each kind of try; with the same seed the same files."""
    counts, seconds, failures = Counter[str](), dict[str, float](), dict[str, str]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(TRIES * effort.times):
            start = time.perf_counter()
            rng = random.Random(f"{effort.seed} {number}")
            kind, found = one_try(rng, Path(folder), alone=number % PROCESSES == 0)
            counts[kind] += 1
            seconds[kind] = seconds.get(kind, 0) + time.perf_counter() - start
            if found:
                failures.setdefault(kind, f"try {number}: {found}")
    for kind in sorted(counts):
        if effort.only in kind:
            yield Tried(kind, counts[kind], seconds[kind], failures.get(kind, ""))
