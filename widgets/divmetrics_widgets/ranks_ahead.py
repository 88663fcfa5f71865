"""The scores of a list with one document at each other rank, for every metric of a lab."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from divmetrics.core.tolerances import is_best
from divmetrics.errors import DivmetricsError, join_words
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.measuring import ListScorer

# The sentence on a document at its rank; a page without a kernel fills it, too.
WORDS = {
    "alone": "{metric} of list {side} is {now}, with {doc} at rank {rank}.",
    "even": "{metric} of list {side} is {now} wherever {doc} stands.",
    "best": "{doc} stands where it is best for {metric} of list {side} ({now}): at {where}.",
    "other": "{metric} of list {side} is {now} with {doc} at rank {rank}, and best at {where}: {most}.",
}
RANKS = {"one": "rank {ranks}", "several": "ranks {ranks}", "run": "{first} to {last}"}

CELLS = 1_000_000  # (rank, intent, rank, metric) cells to score for an answer


def ranks_ahead(
    scorer: ListScorer, side: str, docs: Sequence[str], doc: str, metrics: Sequence[str], *, slow: bool
) -> dict[str, Any]:
    """Return for each metric the list's scores with `doc` at each rank from `first` on.

    For a long list only the ranks around the document's own are scored, and for a page that is slow to score
    (`slow`) only its own; `words` says so.
    """
    at = docs.index(doc)
    ranks = _window(at, len(docs), 1 if slow else _room(scorer, docs, metrics))
    others = [other for other in docs if other != doc]
    lists = {f"{k}": [*others[:k], doc, *others[k:]] for k in ranks}
    batch = scorer.batch(lists)
    rows = []
    for name in metrics:
        try:
            scores = metric_named(name).scores(batch)[0]
        except DivmetricsError:  # reported in the table of scores
            continue
        rows.append(
            {
                "metric": name,
                "scores": [f"{score:.4f}" for score in scores.tolist()],
                "heights": _heights(scores),
                "words": _words(name, side, doc, at, ranks, scores),
            }
        )
    words = ""
    if slow:
        words = f"This page takes too long to measure to work out what other ranks of {doc} would give."
    elif len(ranks) < len(docs):
        words = f"List {side} is long: only ranks {ranks[0] + 1} to {ranks[-1] + 1} of {doc} are worked out."
    return {"first": ranks[0] + 1, "at": at + 1, "rows": rows, "words": words}


def _room(scorer: ListScorer, docs: Sequence[str], metrics: Sequence[str]) -> int:
    return max(1, CELLS // (len(scorer.judgments.topic.intents) * len(docs) * max(1, len(metrics))))


def _window(at: int, count: int, most: int) -> range:
    """Return a range of `most` indices around `at`."""
    first = max(0, min(at - most // 2, count - most))
    return range(first, min(count, first + most))


def _heights(scores: np.ndarray) -> list[float]:
    """Scale scores from 0 (lowest) to 1 (best); 0.5 if all are best."""
    if is_best(scores).all():
        return [0.5] * len(scores)
    low, high = scores.min(), scores.max()
    return [round(height, 4) for height in ((scores - low) / (high - low)).tolist()]


def _words(name: str, side: str, doc: str, at: int, ranks: range, scores: np.ndarray) -> str:
    best = is_best(scores)
    here = at - ranks[0]
    case = "alone" if len(ranks) == 1 else "even" if best.all() else "best" if best[here] else "other"
    return WORDS[case].format(
        metric=name,
        side=side,
        doc=doc,
        rank=at + 1,
        now=f"{scores[here]:.4f}",
        where=_ranks(ranks[place] + 1 for place in np.flatnonzero(best).tolist()),
        most=f"{scores.max():.4f}",
    )


def _ranks(ranks: Iterable[int]) -> str:
    """Format ranks in words: "rank 3", "ranks 1 to 4 and 7"."""
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and rank == runs[-1][-1] + 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    texts = [
        f"{run[0]}" if len(run) == 1 else RANKS["run"].format(first=run[0], last=run[-1]) for run in runs
    ]
    several = len(runs) > 1 or len(runs[0]) > 1
    return RANKS["several" if several else "one"].format(ranks=join_words(texts))
