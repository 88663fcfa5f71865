"""Queries 0078, 0053 and 0080 of Yu et al. (2017), Tables 3 and 4, rebuilt from the printed numbers."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, TypedDict

from divmetrics.core.collection import Collection
from divmetrics.core.topics import Intent, Topic
from divmetrics.research.datasets.label_text import read_labels

if TYPE_CHECKING:
    import pandas as pd

RUN = "Sem13-D-E-1A"
DEPTH = 20


class Query(TypedDict):
    """One query in yu2017.json.

    `subtopics` maps first-level subtopics to their number of second-level subtopics; `ranks` maps ranks with
    a relevant document to labels; `unretrieved` holds the labels of judged documents that the run lacks;
    `printed` is Table 4 as {metric: {cutoff: value}}.
    """

    subtopics: dict[str, int]
    ranks: dict[str, str]
    unretrieved: list[str]
    printed: dict[str, dict[str, float]]


def yu2017() -> Collection:
    """Load the lists of run Sem13-D-E-1A for three English queries of NTCIR-11 IMine, 20 ranks, grades 0-2.

    From Yu et al. (2017), Table 3: the ranks with a relevant document, and its first-level subtopics. From
    Table 4, whose 30 numbers are reproduced to all four printed decimals: grades and second-level labels (the
    table's own second-level indices contradict some of its numbers), uniform weights at both levels (the
    paper writes p(t|q)), and that R(g) divides by 2^Y (it prints 2^Y - 1).

    Ours: second-level subtopics are numbered e1, e2, ... within each first-level subtopic by first
    appearance; `unretrieved1`, ... are judged documents that the run lacks. Table 4 requires some for the
    ideal lists of alpha-nDCG, and does not determine them: these are one set of many that fit. Their grade
    (2) is ours too, so graded ideal lists (D-nDCG, nDCG-IA) on these queries do not reproduce the paper's.

    `d1`, ... is the document at that rank, as in Table 3; `nonrelevant5`, ... a document without labels, here
    judged and not relevant (the paper does not say whether it was judged; no number depends on it).

    Returns
    -------
    Collection
        Three topics with one run.

    References
    ----------
    yu2017, Tables 3 and 4

    Examples
    --------
    >>> from divmetrics.research.datasets import yu2017
    >>> yu2017()
    <collection: 3 topics, 1 runs, top grade Y = 2>
    """
    topics, judgments, lists = [], {}, {}
    for query, entry in _queries().items():
        uniform = 1 / len(entry["subtopics"])
        topics.append(
            Topic(
                query,
                tuple(
                    Intent(t, uniform, children=tuple(Intent(f"e{e}", 1 / v) for e in range(1, v + 1)))
                    for t, v in entry["subtopics"].items()
                ),
            )
        )
        ranked = {
            f"d{rank}" if str(rank) in entry["ranks"] else f"nonrelevant{rank}": entry["ranks"].get(
                str(rank), ""
            )
            for rank in range(1, DEPTH + 1)
        }
        unretrieved = {f"unretrieved{n}": labels for n, labels in enumerate(entry["unretrieved"], 1)}
        judgments[query] = {doc: read_labels(labels) for doc, labels in (ranked | unretrieved).items()}
        lists[query] = tuple(ranked)
    return Collection.of(topics, judgments, {RUN: lists}, scale=2)


def yu2017_table4() -> pd.DataFrame:
    """Load Table 4 of Yu et al. (2017) as printed.

    Returns
    -------
    DataFrame
        30 rows with the columns query (its id), metric (without cutoff: ERR-IA, alpha-nDCG, S-recall-IS,
        ERR-IS, alpha-nDCG-IS), cutoff (5 or 20), printed (the score). Metrics have this library's names (the
        paper's SRecall-IS is S-recall-IS).

    References
    ----------
    yu2017, Table 4

    Examples
    --------
    >>> from divmetrics.research.datasets import yu2017_table4
    >>> yu2017_table4().head(1)
      query  metric  cutoff  printed
    0  0078  ERR-IA       5   0.5515
    """
    import pandas as pd

    return pd.DataFrame(
        [
            (query, metric, int(cutoff), value)
            for query, entry in _queries().items()
            for metric, by_cutoff in entry["printed"].items()
            for cutoff, value in by_cutoff.items()
        ],
        columns=["query", "metric", "cutoff", "printed"],
    )


def _queries() -> dict[str, Query]:
    text = files("divmetrics.research.datasets").joinpath("yu2017.json").read_text(encoding="utf-8")
    queries: dict[str, Query] = json.loads(text)
    return queries
