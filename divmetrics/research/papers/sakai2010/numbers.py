"""The printed numbers of Sakai et al. (2010) beside ours."""

from __future__ import annotations

from collections.abc import Iterator

from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import compare_scores
from divmetrics.core.topics import Intent, Topic
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import published_statistics, sakai2010, statistics
from divmetrics.research.papers.sakai2010 import tables
from divmetrics.research.papers.sakai2010.evidence import PRESET, Evidence
from divmetrics.research.papers.sakai2010.printed import ALPHA, IA, IDIV_NDCG, Printed
from divmetrics.research.papers.verdicts import ReproducedNumber

COUNTED = "counted in the official judgments; intents are subtopics with a relevant document"
CRAWL = "describes the crawl"
# What Table 1 and section 4.1 count, and its name in `statistics` and `published_statistics`.
COUNTS = {
    "topics": "topics",
    "subtopics": "intents",
    "intents": "covered intents",
    "most intents of a topic": "most covered intents of a topic",
    "most intents of a document": "most intents of a document",
    "relevant documents over topics": "relevant documents",
    "relevant documents over intents": "relevant documents over intents",
}
IN_THE_TEXT = (
    ("3.1", "most intents of a topic", Printed.most_intents),
    ("4.1", "subtopics", 243),
    ("4.1", "intents", 199),
)
ONE = "intents with one relevant document"
TYPES = {"ambiguous": 12, "faceted": 38}
INFORMATIONAL = 177  # subtopics; the others are navigational
FEW = 95  # intents with fewer than 10 relevant documents
BEST_RBP = "0.226"
# Section 4.3, {topic: (n, denominator, (printed index of an intent, numerator of its probability))}.
PROBABILITIES = {
    "21": (5, 62, (("i1", 32), ("i1", 16), ("i5", 2))),
    "38": (3, 14, (("i1", 8), ("i2", 4), ("i5", 2))),
}
COVERED = {"MSDiv2": 3, "MSRAACSF": 2}  # intents of topic 28
PREFERRED = {
    ("21", IDIV_NDCG): "MSDiv2", ("21", IA): "MSDiv2", ("21", ALPHA): "MSRAACSF",
    ("28", IDIV_NDCG): "MSDiv2", ("28", IA): "MSRAACSF", ("28", ALPHA): "MSRAACSF",
    ("38", IDIV_NDCG): "MSRAACSF", ("38", IA): "MSDiv2", ("38", ALPHA): "MSRAACSF",
}  # fmt: skip
RANKS = "on `sakai2010`, whose ranks are partly ours, since the printed ones are lost in our copy"


def compared(evidence: Evidence) -> list[ReproducedNumber]:
    """Compute all numbers, in the order of the paper."""
    return [
        *_definitions(),
        *_collection(evidence.judged),
        *tables.correlations(evidence),
        *tables.following(evidence),
        *tables.topic_counts(evidence),
        *_topics(),
        *tables.power(evidence),
    ]


def _definitions() -> Iterator[ReproducedNumber]:
    topic = Topic("five", (Intent("i", 1.0),))
    docs = [f"d{rank}" for rank in range(1, 6)]
    best = RankedList(topic, docs, Judgments.of(topic, {doc: {"i": 1} for doc in docs}))
    ours = f"{metric('RBP(phi=0.95)@5').score(best):.3f}"
    yield ReproducedNumber("2.4, footnote 3", "best RBP for 5 relevant documents", BEST_RBP, ours, "p = 0.95")


def _collection(judged: Collection | None) -> Iterator[ReproducedNumber]:
    for what, size in (("Web pages", "one billion"), ("size", "25TB")):
        yield ReproducedNumber("Table 1", what, size, None, "", CRAWL)
    table = published_statistics()
    table = table[table["preset"] == PRESET]
    printed = dict(zip(table["statistic"], table["printed"], strict=True))
    values: dict[str, float] = {}
    if judged is not None:
        rows = statistics(judged)
        values = dict(zip(rows["statistic"], rows["value"], strict=True))
    for what, statistic in COUNTS.items():
        yield _count("Table 1", what, printed[statistic], values.get(statistic))
    for kind, count in TYPES.items():
        ours = None if judged is None else sum(topic.type == kind for topic in judged.topics)
        yield _count("Table 1", f"{kind} topics", count, ours)
    navigational = round(printed["share navigational"] * printed["intents"])
    for kind, count in (("informational", INFORMATIONAL), ("navigational", navigational)):
        kinds = [str(i.kind) for topic in judged.topics for i in topic.intents] if judged else []
        yield _count("Table 1", f"{kind} subtopics", count, kinds.count(kind) if kinds else None)
    for where, what, count in IN_THE_TEXT:
        follows = f"{printed[COUNTS[what]]:.0f}"
        yield ReproducedNumber(where, f"{what}, in the text", str(count), follows, "from Table 1")
    few = None
    if judged is not None:
        relevant = [int(n) for pool in judged.pools.values() for n in (pool.grades > 0).sum(axis=1)]
        few = sum(0 < n < 10 for n in relevant)
    yield _count("2.2, footnote 2", "intents with under 10 relevant documents", FEW, few)
    yield _count("4.1", ONE, printed[ONE], values.get(ONE))


def _topics() -> Iterator[ReproducedNumber]:
    collection = sakai2010()
    for topic, (n, denominator, numerators) in PROBABILITIES.items():
        equal = Topic(topic, tuple(Intent(f"i{j}", 1 / n) for j in range(1, n + 1)))
        intents = {round(i.probability * denominator): i.id for i in equal.nonuniform().intents}
        for index, numerator in numerators:
            ours = intents.get(numerator)
            why = "" if ours == index else "a slip of the index"
            what = f"topic {topic}, intent with probability {numerator}/{denominator}"
            yield ReproducedNumber("4.3", what, index, ours, f"the j-th of {n} intents", why)
    for run, count in COVERED.items():
        ranked = collection.list(run, "28")
        covered = {label for doc in ranked.docs for label in ranked.judgments.labels(doc)}
        what = f"topic 28, intents that {run} covers"
        yield ReproducedNumber("4.3", what, str(count), str(len(covered)), RANKS)
    for (topic, name), run in PREFERRED.items():
        a, b = (metric(name).score(collection.list(other, topic)) for other in ("MSDiv2", "MSRAACSF"))
        preferred = {1: "MSDiv2", -1: "MSRAACSF", 0: "neither"}[compare_scores(a, b)]
        yield ReproducedNumber("4.3", f"topic {topic}, {name} prefers", run, preferred, RANKS)


def _count(where: str, what: str, printed: float, ours: float | None) -> ReproducedNumber:
    text, count = f"{printed:.0f}", None if ours is None else f"{ours:.0f}"
    why = f"the official file has {count}" if count is not None and count != text else ""
    return ReproducedNumber(where, what, text, count, COUNTED, why)
