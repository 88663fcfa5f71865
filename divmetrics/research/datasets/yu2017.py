"""Queries 0078, 0053 and 0080 of Yu et al. (2017), Tables 3 and 4, rebuilt from the printed numbers."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, TypedDict

from divmetrics.core.collection import Collection, Intent, Topic
from divmetrics.research.datasets.label_text import read_labels

if TYPE_CHECKING:
    import pandas as pd

RUN = "Sem13-D-E-1A"
DEPTH = 20


class Query(TypedDict):
    """One query in yu2017.json.

    subtopics: {first-level subtopic: number of its second-level subtopics}; ranks: {rank: labels} of the
    ranks with a relevant document; unretrieved: labels of the judged documents that the run does not have;
    printed: Table 4 as {metric: {cutoff: value}}.
    """

    subtopics: dict[str, int]
    ranks: dict[str, str]
    unretrieved: list[str]
    printed: dict[str, dict[str, float]]


def yu2017() -> Collection:
    """The lists of run Sem13-D-E-1A for three English queries of NTCIR-11 IMine, 20 ranks, grades 0-2.

    From Yu et al. (2017), Table 3: which ranks have a relevant document, and its first-level subtopics. From
    Table 4, whose 30 numbers come out to all four printed decimals: grades and second-level labels (the
    table's own second-level indices do not fit its numbers everywhere), and that weights are uniform at both
    levels (the paper writes p(t|q)) and R(g) divides by 2^Y (it prints 2^Y - 1).

    Ours: second-level subtopics are numbered e1, e2, ... within each first-level subtopic by first
    appearance; `unretrieved1`, ... are judged documents that the run does not have. Table 4 needs some, for
    the ideal lists of alpha-nDCG, and does not say which: these are one pool of many that fit. Their grade
    (2) is ours too, so graded ideal lists (D-nDCG, nDCG-IA) on these queries say nothing about the paper's.

    `d1`, ... is the document at that rank, as in Table 3; `nonrelevant5`, ... a document without any label,
    judged and not relevant here (the paper does not say whether it was judged: no number depends on it).
    """
    topics, judgments, lists = [], {}, {}
    for query, read in _queries().items():
        uniform = 1 / len(read["subtopics"])
        topics.append(
            Topic(
                query,
                tuple(
                    Intent(t, uniform, children=tuple(Intent(f"e{e}", 1 / v) for e in range(1, v + 1)))
                    for t, v in read["subtopics"].items()
                ),
            )
        )
        ranked = {
            f"d{rank}" if str(rank) in read["ranks"] else f"nonrelevant{rank}": read["ranks"].get(
                str(rank), ""
            )
            for rank in range(1, DEPTH + 1)
        }
        unretrieved = {f"unretrieved{n}": labels for n, labels in enumerate(read["unretrieved"], 1)}
        judgments[query] = {doc: read_labels(labels) for doc, labels in (ranked | unretrieved).items()}
        lists[query] = tuple(ranked)
    return Collection.of(topics, judgments, {RUN: lists}, scale=2)


def yu2017_table4() -> pd.DataFrame:
    """Table 4 of Yu et al. (2017) as printed: 30 rows with the columns query, metric, cutoff, printed.

    Metrics have this library's names (the paper's SRecall-IS is S-recall-IS).
    """
    import pandas as pd

    return pd.DataFrame(
        [
            (query, metric, int(cutoff), value)
            for query, read in _queries().items()
            for metric, by_cutoff in read["printed"].items()
            for cutoff, value in by_cutoff.items()
        ],
        columns=["query", "metric", "cutoff", "printed"],
    )


def _queries() -> dict[str, Query]:
    text = files("divmetrics.research.datasets").joinpath("yu2017.json").read_text(encoding="utf-8")
    queries: dict[str, Query] = json.loads(text)
    return queries
