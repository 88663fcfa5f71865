"""Small random collections of judgments, topics and runs, written to valid files."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

METRICS = (
    *("S-recall", "P-IA", "AP-IA", "ERR-IA", "nDCG-IA", "Q-IA", "EBR-IA", "iRBU-IA", "alpha-DCG", "NRBP"),
    *("D-nDCG", "D#-nDCG", "DIN-nDCG", "P+Q", "D-ERR"),
)


@dataclass
class World:
    """The files of a collection by part (qrels, topics if any, run0, run1, ...), and their options."""

    files: dict[str, bytes]
    choice: str | None
    order: str
    metrics: list[str]
    changes: list[str] = field(default_factory=list)  # what was done to them

    def write(self, folder: Path) -> list[str]:
        """Write the files, and return their arguments."""
        for name, data in self.files.items():
            (folder / f"{name}.txt").write_bytes(data)
        runs = [str(folder / f"{name}.txt") for name in self.files if name.startswith("run")]
        topics = ["--topics", str(folder / "topics.txt")] if "topics" in self.files else []
        choice = ["--probabilities", self.choice] if self.choice and topics else []
        metrics = [word for name in self.metrics for word in ("-m", name)]
        options = ["--order", self.order, "--mean-over", "judged", *topics, *choice]
        return ["evaluate", str(folder / "qrels.txt"), *runs, *metrics, *options]


def world(rng: random.Random) -> World:
    topics = rng.sample(["1", "2", "3", "10", "potter"], rng.randint(1, 3))
    intents = {t: [str(i) for i in range(1, rng.randint(1, 4) + 1)] for t in topics}
    docs = [f"{stem}{k}" for stem in ("d", "doc-", "\u6f22") for k in range(rng.randint(2, 6))]
    grades = rng.choice([1, 2, 4])
    form = rng.choice(
        ["plain", "plain", "plain", "lines", "lines", "web", "web", "intent", "imine", "imine", "json"]
    )
    two = form in ("imine", "json")
    rows = []
    for topic in topics:
        covered = grades if rng.random() < 0.7 else 0  # perhaps nothing serves the first intent
        for doc in rng.sample(docs, rng.randint(1, len(docs))):
            for intent in rng.sample(intents[topic], rng.randint(1, len(intents[topic]))):
                grade = rng.randint(0, covered if intent == "1" else grades)
                rows.append((topic, intent, rng.choice("12") if two else "", doc, grade))
    files: dict[str, bytes] = {}
    judged_xml = form == "imine" and rng.random() < 0.6
    files["qrels"] = qrels(rng, rows, two, judged_xml).encode()
    if form == "lines":
        files["topics"] = probabilities(rng, topics, intents).encode()
    elif form == "web":
        files["topics"] = web(rng, topics, intents).encode()
    elif form == "intent":
        files["topics"] = intent_xml(rng, topics, intents).encode()
    elif form == "imine":
        files["topics"] = imine(rng, topics, intents).encode()
    elif form == "json":
        files["topics"] = tidy(rng, topics, intents).encode()
    for number in range(rng.randint(1, 3)):
        files[f"run{number}"] = run(
            rng, topics, docs, rng.choice([f"tag{number}", f"run{number}", "tag"])
        ).encode()
    choice = (
        rng.choice(["normalise", "uniform", "flat", "normalise"])
        if two
        else rng.choice([None, "uniform", "normalise"])
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
    """Draw probabilities; at times the first intent has nearly all."""
    least = rng.choice([1, 1, 1, 1, 1e-13])
    parts = [rng.randint(1, 9) * (least if place else 1) for place in range(count)]
    return [part / sum(parts) for part in parts]


def probabilities(rng: random.Random, topics: list[str], intents: dict[str, list[str]]) -> str:
    kinds, separator = rng.random() < 0.5, rng.choice([" ", "\t", ";"])
    lines = []
    for topic in topics:
        for intent, share in zip(intents[topic], shares(rng, len(intents[topic])), strict=True):
            lines.append(
                separator.join(
                    [topic, intent, f"{share:.6g}", *([rng.choice(["nav", "inf"])] if kinds else [])]
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


def intent_xml(rng: random.Random, topics: list[str], intents: dict[str, list[str]]) -> str:
    lines = ["<topics>"]
    for topic in topics:
        lines.append(f'<topic number="{topic}"><query>q</query>')
        lines += [
            f'<intent number="{i}" probability="{share:.6f}"><description>\u6f22 {i}</description></intent>'
            for i, share in zip(intents[topic], shares(rng, len(intents[topic])), strict=True)
        ]
        lines.append("</topic>")
    return "\n".join([*lines, "</topics>\n"])


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
