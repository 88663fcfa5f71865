"""Every printed number of section 5 of Yu et al. (2017) that can be checked, beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import pandas as pd

from divmetrics.core.runs import RankedList
from divmetrics.research.datasets import published_statistics, statistics, yu2017_table4
from divmetrics.research.papers.imine import KINDS
from divmetrics.research.papers.verdicts import ReproducedNumber
from divmetrics.research.papers.yu2017.evidence import CUTOFF, NAMES, PAIRS, SAMPLE, Evidence

RUN = SAMPLE["en"]  # of Fig. 6(b), Tables 3 and 4

UNCLEAR, CLEAR = 33, 17  # queries of each language that need diversity, and that do not
TYPES = {"en": (16, 16), "cn": (15, 15)}  # ambiguous, broad
PAIRS_OF_RUNS = {"en": 105, "cn": 45}
TABLE_2 = {"0078": (3, 3, 1), "0053": (5, 2, 1, 2), "0080": (4, 9)}
# The ranks of the documents relevant to t1, t2, ...
TABLE_3: dict[str, tuple[tuple[int, ...], ...]] = {
    "0078": ((1, 2, 3, 4), (1, 4, 6, 7, 9), ()),
    "0053": ((5, 7, 8, 15), (3, 4), (2, 9), (1, 6)),
    "0080": ((1, 2, 3, 4, 7, 8, 9), (4, 5, 6)),
}
FIGURE_6B = {"0078": 2, "0053": 3, "0080": 10}  # places of the queries on the x-axis
# In the order of `PAIRS`; the paper prints 0.697 and 0.763 without the last zero.
TABLE_5 = {
    "en": ("0.3266", "0.6970", "0.5824", "0.4438", "0.6452", "0.7342"),
    "cn": ("0.5198", "0.7547", "0.6439", "0.6034", "0.7028", "0.7630"),
}

COUNTS = "clear queries are queries of the runs that are not topics; subtopics are second-level ones"
EQUAL = "equal weights 1/m and 1/v, R(g) = (2^g - 1)/2^Y, greedy ideal, ties by document id ascending"
TIES = "ties in the order of the paper's program, whose sums may differ in the last bit"


def compared(evidence: Evidence) -> list[ReproducedNumber]:
    """Compute all numbers, in the order of the paper."""
    return [
        *_collection(evidence),
        *_figure_6b(evidence),
        *_tables_2_and_3(evidence),
        *table_4(evidence.scores["en"]),
        *table_5(evidence),
        *(
            _number("5.4", f"{NAMES[code]}, pairs of runs", count, len(evidence.tables[code].pairs[0]))
            for code, count in PAIRS_OF_RUNS.items()
        ),
    ]


def table_4(scores: pd.DataFrame) -> list[ReproducedNumber]:
    """Compute Table 4 from a table of scores (run, topic, metric, score) that has its run and queries."""
    of_run = scores[scores["run"] == RUN]
    ours = dict(zip(zip(of_run["topic"], of_run["metric"], strict=True), of_run["score"], strict=True))
    numbers = []
    for query, name, cutoff, printed in yu2017_table4().itertuples(index=False, name=None):
        what, score = f"query {query}, {name}@{cutoff}", ours[query, f"{name}@{cutoff}"]
        numbers.append(ReproducedNumber("Table 4", what, f"{printed:.4f}", f"{score:.4f}", EQUAL))
    return numbers


def table_5(evidence: Evidence) -> list[ReproducedNumber]:
    """Compute Table 5: tau_ap topic by topic, averaged."""
    return [
        ReproducedNumber(
            "Table 5",
            f"{NAMES[code]}, {candidate} against {truth}",
            printed,
            f"{evidence.per_topic(code, truth, candidate, tie=0).mean():.4f}",
            TIES,
        )
        for code, row in TABLE_5.items()
        for (truth, candidate), printed in zip(PAIRS, row, strict=True)
    ]


def count_matches(numbers: Iterable[ReproducedNumber]) -> int:
    """Count the numbers that are reproduced; those that are not computed do not count."""
    return sum(number.same is True for number in numbers)


def _collection(evidence: Evidence) -> Iterator[ReproducedNumber]:
    printed = published_statistics()
    for code, preset in (("en", "imine"), ("cn", "imine-cn")):
        unclear = len(evidence.topics[code]) if evidence.topics else None
        yield _number("5.1", f"{NAMES[code]}, unclear queries", UNCLEAR, unclear, COUNTS)
        yield _number(
            "5.1", f"{NAMES[code]}, clear queries", CLEAR, _count_clear_queries(evidence, code), COUNTS
        )
        our_counts = _counts(evidence, code)
        of_preset = printed.loc[printed["preset"] == preset, ["statistic", "printed"]]
        for statistic, value in of_preset.itertuples(index=False, name=None):
            yield _number("5.1", f"{NAMES[code]}, {statistic}", value, our_counts.get(statistic), COUNTS)
    for code, counts in TYPES.items():
        for kind, count in zip(KINDS, counts, strict=True):
            ours = evidence.of_type(code, kind).sum()
            yield _number("5.2.2", f"{NAMES[code]}, {kind} topics", count, ours, "by the organisers' script")


def _counts(evidence: Evidence, code: str) -> dict[str, float]:
    if evidence.collections:
        counted = statistics(evidence.collections[code])
        return dict(zip(counted["statistic"], counted["value"], strict=True))
    table = evidence.tables[code]
    return {"topics": len(table.topics), "runs": len(table.runs)}


def _count_clear_queries(evidence: Evidence, code: str) -> int | None:
    if not (evidence.collections and evidence.topics):
        return None
    answered = set().union(*(run.spans for run in evidence.collections[code].runs.values()))
    return len(answered - {topic.id for topic in evidence.topics[code]})


def _figure_6b(evidence: Evidence) -> Iterator[ReproducedNumber]:
    table = evidence.tables["en"]
    scores = evidence.values("en", "alpha-nDCG")[:, table.runs.index(RUN)]
    for query, place in FIGURE_6B.items():
        ours = 1 + int((scores > scores[table.topics.index(query)]).sum())
        what = f"place of query {query} of {RUN}"
        yield _number("Fig. 6(b)", what, place, ours, "by alpha-nDCG@20, descending")


def _tables_2_and_3(evidence: Evidence) -> Iterator[ReproducedNumber]:
    collection = evidence.collections["en"] if evidence.collections else None
    for query, counts in TABLE_2.items():
        ours = [len(t.children) for t in collection.pools[query].topic.intents] if collection else None
        what = f"query {query}, second-level subtopics of t1, t2, ..."
        yield ReproducedNumber("Table 2", what, _words(counts), _words(ours), "")
    for query, by_subtopic in TABLE_3.items():
        our_ranks = _relevant_ranks(collection.list(RUN, query)) if collection else [None] * len(by_subtopic)
        for t, (ranks, own) in enumerate(zip(by_subtopic, our_ranks, strict=False), 1):
            what = f"query {query}, ranks relevant to t{t}"
            yield ReproducedNumber("Table 3", what, _words(ranks), _words(own), "")


def _relevant_ranks(ranked: RankedList) -> Sequence[Sequence[int] | None]:
    labels = [ranked.judgments.labels(doc) for doc in ranked.docs[:CUTOFF]]
    return [[k for k, of_doc in enumerate(labels, 1) if t.id in of_doc] for t in ranked.topic.intents]


def _number(
    where: str, what: str, printed: float, ours: float | None, convention: str = ""
) -> ReproducedNumber:
    """Return a printed number and ours as text; ours has as many decimals as the printed one."""
    text = f"{printed:g}"
    digits = len(text.partition(".")[2])
    return ReproducedNumber(where, what, text, None if ours is None else f"{ours:.{digits}f}", convention)


@overload
def _words(counts: Sequence[int]) -> str: ...
@overload
def _words(counts: Sequence[int] | None) -> str | None: ...
def _words(counts: Sequence[int] | None) -> str | None:
    return None if counts is None else " ".join(map(str, counts)) or "none"
