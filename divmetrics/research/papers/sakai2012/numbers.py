"""Every printed result of Sakai (2012) that is legible, beside ours; parameters are left out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from divmetrics.core.batch import batch_lists
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.parts import Exponential, PreferredRank
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.research.datasets import sakai2012
from divmetrics.research.papers.sakai2012.consistency import PAIRS, nearest_count, nearest_discordant
from divmetrics.research.papers.sakai2012.definitions import figure_1
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import BOOTSTRAP_TRIALS, CUTOFF, LEVEL, RUNS
from divmetrics.research.papers.verdicts import ReproducedNumber

NOT_PUBLIC = "the paper's runs are not public"
OF_RUNS = f"{RUNS} runs"
SHARE = f"the nearest count of {PAIRS} pairs of runs"
OF_DISAGREEMENTS = "the nearest count of the printed number of disagreements"
TAU = f"the nearest number of {PAIRS} pairs of runs in another order, without ties"
COUNTS = "TREC's judgments, subtopics with a relevant document"
UNATTAINABLE = "no count gives it"
FOOTNOTE_3 = {1: 1, 5: 2, 10: 2, 20: 3}  # grades by rank
GRADES = {1: "1", 2: "3", 3: "7"}  # printed gains
# Why our number differs, by what Table 1 counts.
DIFFERENCES = {
    "relevant to informational intents": "it counts both kinds",
    "fewest informational intents of a topic": "a topic has none",
}


def compared(evidence: Evidence) -> list[ReproducedNumber]:
    """Compute all numbers, in the order of the paper."""
    return [
        *_definitions(),
        *_table_1(evidence),
        *_pairs(evidence),
        *_power(evidence),
        *_table_4(evidence),
        *_table_5(evidence),
        *_table_6(evidence),
    ]


def _definitions() -> Iterator[ReproducedNumber]:
    for grade, printed in GRADES.items():
        yield ReproducedNumber("2.1", f"gain of L{grade}", printed, f"{Exponential().top(grade):g}", "")
    docs: dict[str, dict[str | tuple[str, str], int]] = {
        f"{rank:02d}": {"i": FOOTNOTE_3.get(rank, 0)} for rank in range(1, max(FOOTNOTE_3) + 1)
    }
    judgments = Judgments.of(Topic("footnote 3", (Intent("i", 1.0),)), docs)
    of_footnote = RankedList(judgments.topic, tuple(docs), judgments)
    yield ReproducedNumber("footnote 3", "preferred rank", "5", str(_preferred_rank(of_footnote, 0)), "")
    example = next(sakai2012().lists("figure1"))
    yield ReproducedNumber(
        "3.2, Fig. 1", "preferred rank for intent j", "4", str(_preferred_rank(example, 1)), ""
    )
    redundant = "3 of 5 documents"
    yield ReproducedNumber("4.2, Fig. 1", "Ef-P", "0.8", f"{figure_1()['Ef-P']:.1f}", "", redundant)


def _preferred_rank(ranked: RankedList, intent: int) -> int:
    ranks = PreferredRank()(batch_lists([ranked], CUTOFF))
    return int(ranks[0, 0, intent])


def _table_1(evidence: Evidence) -> Iterator[ReproducedNumber]:
    of_track = None if evidence.published is None else str(len(evidence.published.pools))
    yield ReproducedNumber("5", "topics of the track", "50", of_track, "")
    ours = {} if evidence.published is None else _counts(evidence.judged)
    for number in evidence.in_table(1):
        quantity, printed = number.quantity, number.text
        if quantity == "runs":
            yield ReproducedNumber("Table 1", quantity, printed, None, "", NOT_PUBLIC)
            continue
        value = ours.get(quantity)
        decimals = len(printed.partition(".")[2])
        own = None if value is None else f"{value:.{decimals}f}"
        why = DIFFERENCES.get(quantity, "") if own not in (None, printed) else ""
        yield ReproducedNumber("Table 1", quantity, printed, own, COUNTS, why)


def _counts(judged: Collection) -> dict[str, float]:
    """Count what Table 1 counts, in a collection of covered intents."""
    counts: dict[str, float] = {"topics": len(judged.topics)}
    for kind in ("faceted", "ambiguous"):
        counts[f"{kind} topics"] = sum(topic.type == kind for topic in judged.topics)
    for name, kinds in (
        ("", ("informational", "navigational")),
        ("informational ", ("informational",)),
        ("navigational ", ("navigational",)),
    ):
        per_topic = np.array([sum(t.kind in kinds for t in topic.intents) for topic in judged.topics])
        counts[f"{name}intents"] = per_topic.sum()
        counts[f"mean of {name}intents per topic"] = per_topic.mean()
        counts[f"fewest {name}intents of a topic"] = per_topic.min()
        counts[f"most {name}intents of a topic"] = per_topic.max()
    for kind in ("informational", "navigational"):
        counts[f"relevant to {kind} intents"] = sum(
            int((pool.grades[i] > 0).sum())
            for pool in judged.pools.values()
            for i, intent in enumerate(pool.topic.intents)
            if intent.kind == kind
        )
    of_document = np.concatenate([(pool.grades > 0).sum(axis=0) for pool in judged.pools.values()])
    of_document = of_document[of_document > 0]
    counts["relevant documents"] = len(of_document)
    counts["mean of intents per document"] = of_document.mean()
    counts["fewest intents of a document"] = of_document.min()
    counts["most intents of a document"] = of_document.max()
    return counts


def _pairs(evidence: Evidence) -> Iterator[ReproducedNumber]:
    yield ReproducedNumber("5", "pairs of runs", "190", str(PAIRS), OF_RUNS)
    lists = int(evidence.count("topics")) * PAIRS
    yield ReproducedNumber("4.2", "pairs of lists", "4560", str(lists), "topics of Table 1, pairs of runs")
    borderline = round(BOOTSTRAP_TRIALS * LEVEL)
    yield ReproducedNumber(
        "4.1", "place of the borderline difference", "50", str(borderline), "1,000 trials at 0.05"
    )
    error = f"{np.floor((1 - (1 - LEVEL) ** PAIRS) * 10_000) / 10_000}"
    yield ReproducedNumber(
        "5", "family-wise error rate, above", "0.9999", error, f"{PAIRS} independent pairs"
    )


def _power(evidence: Evidence) -> Iterator[ReproducedNumber]:
    for table in (2, 3):
        for quantity, convention in (("significant pairs (%)", SHARE), ("required difference", "")):
            for number in evidence.in_table(table):
                if number.quantity == quantity:
                    what = f"{number.part}, {number.metric_a}, {quantity}"
                    count = nearest_count(float(number.text) / 100, PAIRS)
                    ours = f"{100 * count / PAIRS:.1f}" if convention else None
                    why = "" if convention else NOT_PUBLIC
                    yield ReproducedNumber(f"Table {table}", what, number.text, ours, convention, why)


def _table_4(evidence: Evidence) -> Iterator[ReproducedNumber]:
    a, b = "I-rec", "P+Q#"
    only_a, both, only_b = (
        int(evidence.cell(4, "uniform", a, b, quantity)) for quantity in ("only a", "both", "only b")
    )
    for name, count in ((a, only_a + both), (b, both + only_b)):
        printed = evidence.cell(3, "uniform", name, "", "significant pairs (%)")
        what = f"uniform, {name}, pairs by their parts (%)"
        yield ReproducedNumber("Table 4", what, printed, f"{100 * count / PAIRS:.1f}", f"of {PAIRS} pairs")


def _table_5(evidence: Evidence) -> Iterator[ReproducedNumber]:
    for quantity in ("tau", "tau_ap"):
        for number in evidence.in_table(5):
            if number.quantity == quantity:
                what = f"{quantity} of {number.metric_a} and {number.metric_b}"
                if quantity == "tau":
                    tau = 1 - 2 * nearest_discordant(number.text) / PAIRS
                    yield ReproducedNumber("Table 5", what, number.text, _as_printed(tau, number.text), TAU)
                else:
                    yield ReproducedNumber("Table 5", what, number.text, None, "", NOT_PUBLIC)


def _table_6(evidence: Evidence) -> Iterator[ReproducedNumber]:
    for table, part, a, b, quantity, printed in evidence.in_table(6):
        where = f"Table {table}"
        if quantity == "disagreements":
            yield ReproducedNumber(where, f"disagreements of {a} and {b}", printed, None, "", NOT_PUBLIC)
            continue
        name, other = (a, b) if quantity == "agrees a" else (b, a)
        of = int(evidence.cell(6, "", a, b, "disagreements"))
        ours = _as_printed(nearest_count(float(printed), of) / of, printed)
        why = "" if ours == printed else UNATTAINABLE
        what = f"by {part}: {name} against {other}"
        yield ReproducedNumber(where, what, printed, ours, OF_DISAGREEMENTS, why)


def _as_printed(value: float, printed: str) -> str:
    """Return a number with the decimals of the printed one, without the 0 before the point."""
    return f"{value:.{len(printed.partition('.')[2])}f}".removeprefix("0" if printed.startswith(".") else "")
