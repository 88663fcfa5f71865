"""What NTCIREVAL and the IMine organisers printed, wherever the convention `paper` means the same.

NTCIREVAL cuts the list at 10 first, so its names without `@` divide by R and read ten documents. Coinciding:

| theirs (global gain; per intent) | ours |
|---|---|
| MSnDCG, Q@, Q-measure | D-nDCG, D-Q, D-Q(of=R); nDCG, Q, Q(of=R) |
| AP@, AP, P@ or Prec@, RR | AP, AP(of=R), Prec, RR: relevance alone decides, gains do not |
| the same in the DIN file | DIN-nDCG, DIN-Q; AP is DIN-Q(beta=0), Prec Ef-P |
| P-plus (per intent) | P+ |
| IA-Q, IA-MSnDCG, PplusQ | Q-IA, nDCG-IA, P+Q: an intent without relevant documents scores 0 in both |
| I-rec and the # forms | the same where every intent of the topic has a relevant document |

Not coinciding, so not compared here:

* ERR, EBR, iRBU and what is made of them stop with g/(h+1), h the largest gain of that ideal list, and not
  with (2^g-1)/2^Y; RBP divides by that h. With one grade only, so that every gain is 1, they coincide intent
  by intent (never for the global gain): the sample is such a case, and there they are compared.
* I-rec, and with it the # forms, divides by the intents that have a relevant document; `paper` by all.
* D#-RBU, whatever it is called, is I-rec and a D-iRBU without effort. P-plus of a global gain has no row.
* nDCG is Jarvelin's, without a discount at the first ranks; NCUrb, O-measure, P-measure, nERR and Hit have no
  row.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics.core.batch import make_batch
from divmetrics.io.run_loading import load_runs

PRINTED = 5e-4  # four digits, some of them sums of four-digit values
LEVELS = {"v190111": "linear", "v230128": "exponential"}


# ----------------------------------------------------------------------------- the sample of NTCIREVAL


def sample_collection(folder: Path) -> tuple[dm.Collection, dict[str, set[str]]]:
    """The three topics, lists in file order, and each topic's intents that have a relevant document."""
    intents: dict[str, list[dm.Intent]] = {}
    for line in (folder / "sample.DINprob").read_text().splitlines():
        topic, intent, probability, kind = line.split()
        full = {"nav": "navigational", "inf": "informational"}[kind]
        intents.setdefault(topic, []).append(dm.Intent(intent, float(probability), full))
    judgments: dict[str, dict[str, dict[str, int]]] = {topic: {} for topic in intents}
    covered: dict[str, set[str]] = {topic: set() for topic in intents}
    for line in (folder / "sample.Dqrels").read_text().splitlines():
        topic, intent, doc, level = line.split()
        labels = judgments[topic].setdefault(doc, {})
        if intent != "0":  # a document that is relevant to none
            labels[intent] = int(level.removeprefix("L"))
            covered[topic] |= {intent} if labels[intent] else set()
    lists: dict[str, list[str]] = {topic: [] for topic in intents}
    for line in (folder / "TRECRUN.txt").read_text().splitlines():
        topic, _, doc, *_ = line.split()
        lists[topic].append(doc)
    topics = [dm.Topic(topic, tuple(labels_of_topic)) for topic, labels_of_topic in intents.items()]
    return dm.Collection.of(topics, judgments, {"A": lists}), covered


def printed(path: Path) -> dict[tuple[str, str, str], float]:
    """{(topic, intent or "", name): value}; an intent's lines begin with its id, probability and kind."""
    values = {}
    for line in path.read_text().splitlines():
        words = line.split()
        if not words[-2].endswith("="):
            continue
        intent = words[1] if words[1].isdigit() else ""
        values[words[0], intent, words[-2].removesuffix("=").replace("@0010", "@10")] = float(words[-1])
    return values


TOPIC_LEVEL = {
    "Dnev": {
        "MSnDCG@10": "D-nDCG@10",
        "Q@10": "D-Q@10",
        "Q-measure": "D-Q(of=R)@10",
        "AP@10": "AP@10",
        "AP": "AP(of=R)@10",
        "P@10": "Prec@10",
        "Prec@10": "Prec@10",
        "RR": "RR@10",
    },
    "DINnev": {
        "MSnDCG@10": "DIN-nDCG@10",
        "Q@10": "DIN-Q@10",
        "Q-measure": "DIN-Q(of=R)@10",
        "AP@10": "DIN-Q(beta=0)@10",
        "AP": "DIN-Q(beta=0,of=R)@10",
        "P@10": "Ef-P@10",
        "Prec@10": "Ef-P@10",
        "RR": "RR@10",
    },
    # Only because every grade of the sample is 1: IA-ERR and IA-iRBU.
    "nevIA": {
        "IA-Q@10": "Q-IA@10",
        "IA-MSnDCG@10": "nDCG-IA@10",
        "IA-ERR@10": "ERR-IA@10",
        "IA-iRBU@10": "iRBU-IA@10",
    },
    "nevPQ": {"PplusQ@10": "P+Q@10"},
}
ALL_COVERED = {
    "Dnev": {
        "I-rec@10": "I-rec@10",
        "D#-Q@10": "D#-Q@10",
        "D#-MSnDCG@10": "D#-nDCG@10",
        "D#-nDCG@10": "D#-nDCG@10",
    },
    "DINnev": {"DIN#-Q@10": "DIN#-Q@10", "DIN#-MSnDCG@10": "DIN#-nDCG@10", "DIN#-nDCG@10": "DIN#-nDCG@10"},
}
PER_INTENT = {
    "MSnDCG@10": "nDCG@10",
    "Q@10": "Q@10",
    "Q-measure": "Q(of=R)@10",
    "AP@10": "AP@10",
    "AP": "AP(of=R)@10",
    "P@10": "Prec@10",
    "Prec@10": "Prec@10",
    "P-plus": "P+@10",
    "RR": "RR@10",
    # Only because every grade of the sample is 1:
    "ERR@10": "ERR@10",
    "EBR@10": "EBR@10",
    "iRBU@10": "iRBU@10",
    "RBP@10": "RBP(phi=0.95)@10",
}


def ours(name: str, gain: str) -> dm.Metric:
    metric = dm.metric(name)
    return metric.with_parameters(gain=gain) if "gain" in metric.parameters() else metric


@pytest.mark.parametrize("version", LEVELS)
@pytest.mark.parametrize("file", TOPIC_LEVEL)
def test_sample_per_topic(research_files, version, file):
    """Every value of the file that coincides, on all three topics."""
    collection, covered = sample_collection(research_files / "data/ntcireval-sample")
    values = printed(research_files / f"golden/ntcireval/{version}/TRECRUN.l10.{file}")
    compared = set()
    for (topic, intent, name), value in values.items():
        full = len(covered[topic]) == len(collection.pools[topic].topic.intents)
        name_here = TOPIC_LEVEL[file].get(name) or (ALL_COVERED.get(file, {}).get(name) if full else None)
        if intent or name_here is None:
            continue
        score = ours(name_here, LEVELS[version]).score(collection.list("A", topic))
        assert score == pytest.approx(value, abs=PRINTED), (topic, name)
        compared.add(name_here)
    # Each version sums others of its measures over the intents.
    left_out = {"IA-iRBU@10", "IA-Q@10"} if version == "v190111" else {"IA-ERR@10"}
    expected = {our for their, our in TOPIC_LEVEL[file].items() if their not in left_out}
    assert compared == expected | set(ALL_COVERED.get(file, {}).values())


@pytest.mark.parametrize("version", LEVELS)
@pytest.mark.parametrize("file", ["nevIA", "nevPQ"])
def test_sample_per_intent(research_files, version, file):
    """Every intent with a relevant document as a topic of its own, ad hoc."""
    collection, covered = sample_collection(research_files / "data/ntcireval-sample")
    values = printed(research_files / f"golden/ntcireval/{version}/TRECRUN.l10.{file}")
    compared = set()
    for (topic, intent, name), value in values.items():
        if not intent or name not in PER_INTENT:
            continue
        assert intent in covered[topic]
        pool = collection.pools[topic]
        alone = dm.Topic(topic, (dm.Intent(intent, 1.0),))
        judged = {doc: {intent: pool.labels(doc).get(intent, 0)} for doc in pool.docs}
        ranked = dm.RankedList(alone, collection.list("A", topic).docs, judged)
        score = ours(PER_INTENT[name], LEVELS[version]).score(ranked)
        assert score == pytest.approx(value, abs=PRINTED), (topic, intent, name)
        compared.add(name)
    missing = {"Prec@10", "iRBU@10"} if version == "v190111" else {"P@10"}
    assert compared == set(PER_INTENT) - missing


GLOBAL = ("Q", "ERR", "nERR", "EBR", "nEBR", "RBP", "nRBP", "iRBU", "niRBU")


def in_convention(file: str, name: str) -> str | None:
    """What the convention `ntcireval` calls a value of the topic; None for what it has no row for."""
    name = name.replace("MSnDCG", "nDCG") if "MSnDCG" in name else name.replace("nDCG@", "nDCG_JK@")
    if name.startswith("IA-"):
        return name.removeprefix("IA-").replace("@", "-IA@")
    if file in ("Dnev", "DINnev"):
        prefix = file.removesuffix("nev")
        if name.startswith((f"{prefix}#", "I-rec@10")):
            return name.replace("nDCG_JK", "nDCG")  # the older version says D#-nDCG and means MSnDCG
        if name.split("@")[0] in (*GLOBAL, "nDCG") and "@" in name:
            return f"{prefix}-{name}"
    return {"PplusQ@10": "P+Q@10"}.get(name)


@pytest.mark.parametrize("version", LEVELS)
@pytest.mark.parametrize(("file", "least"), [("Dnev", 24), ("DINnev", 24), ("nevIA", 9), ("nevPQ", 3)])
def test_convention_ntcireval(research_files, version, file, least):
    """The convention `ntcireval` has every value of the topics, on all three, whatever the intents have."""
    collection, _ = sample_collection(research_files / "data/ntcireval-sample")
    values = printed(research_files / f"golden/ntcireval/{version}/TRECRUN.l10.{file}")
    compared = 0
    for (topic, intent, name), value in values.items():
        ours_here = None if intent else in_convention(file, name)
        if ours_here is not None:
            metric = dm.metric(f"ntcireval:{ours_here}")
            if "gain" in metric.parameters():
                metric = metric.with_parameters(gain=LEVELS[version])
            assert metric.score(collection.list("A", topic)) == pytest.approx(value, abs=PRINTED), (
                topic,
                name,
            )
            compared += 1
    assert compared >= least


# ---------------------------------------------------------------------------------- the toy collection

TOY_INTENTS = {
    "101": {
        "1": (0.25, "informational"),
        "2": (0.25, "navigational"),
        "3": (0.25, "informational"),
        "4": (0.25, "navigational"),
    },
    "102": {"1": (0.7, "informational"), "2": (0.3, "navigational")},
}
TOY_JUDGMENTS = {
    "101": {"d1": {"1": 2}, "d2": {"1": 1, "2": 1}, "d3": {"3": 3}, "d4": {"2": 1}, "d5": {"1": 0, "4": 0}},
    "102": {"e1": {"1": 1, "2": 1}, "e2": {"2": 1}},
}
TOY_LISTS = {"101": ["d2", "d9", "d1", "d5", "d3", "d4"], "102": ["e2", "e1"]}
TOY_VALUES = {
    "101": {"D-Q": 0.7293, "D-nDCG": 0.7935, "DIN-nDCG": 0.7309, "nDCG-IA": 0.4947, "P+Q": 0.5625},
    # Every intent of 102 has a relevant document, so that I-rec and the # forms coincide.
    "102": {"D-Q": 0.825, "D-nDCG": 0.7828, "DIN-nDCG": 0.6236, "nDCG-IA": 0.7416, "P+Q": 0.7667}
    | {"I-rec": 1.0, "D#-Q": 0.9125, "D#-nDCG": 0.8914, "DIN#-nDCG": 0.8118},
}


def toy(
    topic: str, intents: dict[str, tuple[float, str]] | None = None, binary: bool = False
) -> dm.RankedList:
    chosen = intents or TOY_INTENTS[topic]
    judged = {
        doc: {i: min(g, 1) if binary else g for i, g in labels.items() if i in chosen}
        for doc, labels in TOY_JUDGMENTS[topic].items()
    }
    described = dm.Topic(topic, tuple(dm.Intent(i, p, kind) for i, (p, kind) in chosen.items()))
    return dm.RankedList(described, TOY_LISTS[topic], judged)


@pytest.mark.parametrize("topic", TOY_VALUES)
def test_toy(topic):
    """The toy collection in NTCIREVAL, linear gains, cutoff 10: the values that coincide."""
    for name, value in TOY_VALUES[topic].items():
        assert dm.metric(f"{name}@10").score(toy(topic)) == pytest.approx(value, abs=PRINTED), name


def test_toy_err_ia_under_different_conventions():
    """ERR-IA@10 of topic 101 differs with the reading of the stop probability and of the intents."""
    three = dict.fromkeys("123", (1 / 3, "informational"))
    four = dict.fromkeys("1234", (1 / 4, "informational"))
    for name, ranked, value in (
        ("ERR-IA@10", toy("101", three, binary=True), 0.408333),
        ("ERR-IA@10", toy("101", four, binary=True), 0.30625),
        ("ERR-IA(top=intent)@10", toy("101", three), 0.384722),
        ("ERR-IA(over=2^Y-1)@10", toy("101", three), 0.209524),
        ("ERR-IA@10", toy("101", three), 0.184201),
    ):
        assert dm.metric(name).score(ranked) == pytest.approx(value, abs=5e-7), (name, value)


# -------------------------------------------------------------------------- IMine: the official D-nDCG


def table(path: Path, separator: str = "\t") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=separator, quoting=csv.QUOTE_NONE))


def imine_collection(folder: Path, language: str, level: str) -> dm.Collection:
    """Topics with the official probabilities, positives and runs of one level, lists in file order."""
    intents: dict[str, list[dm.Intent]] = {}
    for row in table(folder / f"official/intents.{language}.tsv"):
        if row["level"] == level:
            intents.setdefault(row["topic"], []).append(dm.Intent(row["intent"], float(row["probability"])))
    topics = [dm.Topic(t, tuple(labels_of_topic)) for t, labels_of_topic in intents.items()]
    judgments: dict[str, dict[str, dict[str, int]]] = {topic.id: {} for topic in topics}
    for row in table(folder / f"official/positives.{language}.tsv"):
        if row["level"] == level:
            judgments[row["topic"]].setdefault(row["doc"], {})[row["intent"]] = int(row["grade"])
    collection = dm.Collection.of(topics, judgments)
    return collection.with_runs(load_runs(sorted((folder / f"runs/{language}").glob("*.gz")), order="file"))


@pytest.mark.parametrize("level", ["coarse", "fine"])
@pytest.mark.parametrize(("language", "topics"), [("en", 33), ("cn", 32)])
def test_imine_official_scores(research_files, language, topics, level):
    """The official D-nDCG of every run and topic; I-rec and D#-nDCG where every intent has a positive."""
    folder = research_files / "data/imine"
    collection = imine_collection(folder, language, level)
    rows = table(folder / f"official/scores.{language}.csv", ",")
    cutoff = {int(row["cutoff"]) for row in rows}.pop()
    seen = make_batch(collection, depth=cutoff)
    topic_at = {topic: t for t, topic in enumerate(collection.pools)}
    run_at = {run: r for r, run in enumerate(collection.runs)}
    scores = {name: dm.metric(f"{name}@{cutoff}").scores(seen) for name in ("I-rec", "D-nDCG", "D#-nDCG")}
    compared = {"D-nDCG": 0, "I-rec": 0}
    for row in rows:
        if row["level"] != level or row["topic"] not in topic_at:
            continue
        covered = (collection.pools[row["topic"]].grades > 0).any(axis=1).all()
        for name in ("D-nDCG", "I-rec", "D#-nDCG") if covered else ("D-nDCG",):
            score = scores[name][topic_at[row["topic"]], run_at[row["run"]]]
            assert score == pytest.approx(float(row[name]), abs=PRINTED), (row, name)
            compared[name] = compared.get(name, 0) + 1
    assert compared["D-nDCG"] == topics * len(collection.runs)
    assert compared["I-rec"] > 0


# ----------------------------------------------------------------- Yu et al. 2017, Table 4, from IMine

YU_NAMES = {
    "ERR-IA": "ERR-IA",
    "a-nDCG": "alpha-nDCG",
    "SRecall-IS": "S-recall-IS",
    "ERR-IS": "ERR-IS",
    "a-nDCG-IS": "alpha-nDCG-IS",
}


@pytest.mark.parametrize("query", ["0078", "0053", "0080"])
def test_yu_table_4_from_imine(research_files, query):
    """Ten printed numbers per query, from the organisers' data: uniform weights, the run in rank order."""
    folder = research_files / "data/imine"
    topics = [t for t in dm.read_topics(folder / "topics.json", probabilities="uniform") if t.id == query]
    frame = dm.read_qrels(folder / "qrels.en.tsv")
    collection = dm.load_collection(frame[frame["topic"] == query], topics, scale=2).uniform()
    ranked = collection.with_runs(load_runs(folder / "runs/en/Sem13-D-E-1A.txt.gz", order="rank"))
    golden = json.loads((research_files / f"golden/yu2017_{query}.json").read_text())
    assert len(golden["values"]) == 10
    for name, value in golden["values"].items():
        base, cutoff = name.split("@")
        score = dm.metric(f"{YU_NAMES[base]}@{cutoff}").score(ranked.list("Sem13-D-E-1A", query))
        assert round(score, 4) == pytest.approx(value["printed"], abs=1e-12), name
