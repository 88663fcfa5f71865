"""The embedded best lists of TREC 2009 Web track topics, counted by intent; computed from the track's files.

    python -m tools.trec2009_best_lists FOLDER

FOLDER holds topics.xml and qrels.diversity.gz. Writes trec2009.best_lists.csv.gz in
divmetrics/research/datasets: a row per choice, topic and intent, and a column per metric with the number of
pages for that intent in the list that the metric rewards most. No document is named. The same input gives the
same bytes. It takes some minutes.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd

import divmetrics as dm
from divmetrics.core import batch_lists
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.research.datasets.trec2009 import BEST_LISTS, CUTOFFS, METRICS, TOP_GRADES
from divmetrics.research.datasets.trec2012 import PROBABILITIES
from divmetrics.research.papers.sakai2012.collections import weighted
from divmetrics.research.papers.trec_web_2009 import read_judgments
from tools.stored_tables import folders, save_table

SEARCHES = ("greedy", "greedy, last of ties", "exchanged")

Served = tuple[int, ...]  # the grade of a page for each intent: pages with the same grades are exchangeable


def choices() -> list[tuple[str, int, int, str]]:
    """Return what is tried: probabilities, cutoff, top grade, search. Two of them take long: one cutoff."""
    greedy = product(PROBABILITIES, CUTOFFS, TOP_GRADES[:2], SEARCHES[:2])
    exchanged = product(PROBABILITIES, [10], TOP_GRADES[:1], SEARCHES[2:])
    rarely_satisfied = product(PROBABILITIES, [10], TOP_GRADES[2:], SEARCHES[:1])
    return [*greedy, *exchanged, *rarely_satisfied]


class Search:
    """The search for the list of a topic that a metric rewards most."""

    def __init__(self, metric: BaseMetric, judgments: dm.Judgments, length: int) -> None:
        self._metric, self._judgments, self._length = metric, judgments, length
        self._pages: dict[Served, list[str]] = {}
        for doc, grades in zip(judgments.docs, judgments.grades.T.tolist(), strict=True):
            if any(grades):
                self._pages.setdefault(tuple(grades), []).append(doc)

    def greedy(self, last: bool = False) -> list[Served]:
        """Return the list in which each page raises the score most; of ties the first kind, or the last."""
        chosen: list[Served] = []
        while len(chosen) < self._length:
            left = [kind for kind in self._pages if chosen.count(kind) < len(self._pages[kind])]
            if not left:
                break
            chosen = self._best([[*chosen, kind] for kind in (reversed(left) if last else left)])
        return chosen

    def exchanged(self) -> list[Served]:
        """Improve the greedy list by exchanging pages as long as the score rises."""
        best = self.greedy()
        while True:
            better = self._best([best, *self._neighbours(best)])
            if better == best:
                return best
            best = better

    def _neighbours(self, chosen: list[Served]) -> list[list[Served]]:
        made = []
        for i, j in combinations(range(len(chosen)), 2):
            swapped = chosen.copy()
            swapped[i], swapped[j] = chosen[j], chosen[i]
            made.append(swapped)
        for i, kind in product(range(len(chosen)), self._pages):
            if chosen.count(kind) < len(self._pages[kind]):
                made.append([*chosen[:i], kind, *chosen[i + 1 :]])
        return made

    def _best(self, lists: list[list[Served]]) -> list[Served]:
        """Return the first of the lists with the highest score."""
        batch = batch_lists(
            [dm.RankedList(self._judgments.topic, self._named(each), self._judgments) for each in lists]
        )
        scores = self._metric.scores(batch)[0]
        return lists[int(np.argmax(scores >= scores.max() - TIE_TOLERANCE))]

    def _named(self, chosen: list[Served]) -> list[str]:
        unused = {kind: iter(docs) for kind, docs in self._pages.items()}
        return [next(unused[kind]) for kind in chosen]


def table(folder: str | Path, tried: list[tuple[str, int, int, str]]) -> pd.DataFrame:
    """Return a row per choice, topic with several intents, and intent; and a column per metric."""
    covered = read_judgments(folder).covered()
    rows = []
    for probabilities, cutoff, top, search in tried:
        for topic, judgments in weighted(covered, probabilities).pools.items():
            intents = judgments.topic.intents
            if len(intents) < 2:
                continue
            counts = {}
            for name in METRICS:
                trials = Search(dm.metric(f"{name}@{cutoff}"), replace(judgments, scale=top), cutoff)
                best = trials.exchanged() if search == SEARCHES[2] else trials.greedy(search == SEARCHES[1])
                counts[name] = (np.array(best) > 0).sum(axis=0).tolist()
            for place, intent in enumerate(intents):
                judged = int((judgments.grades[place] > 0).sum())
                of_choice = [probabilities, cutoff, top, search, topic, intent.id, judged]
                rows.append([*of_choice, *(counts[name][place] for name in METRICS)])
    return pd.DataFrame(rows, columns=[*BEST_LISTS, *METRICS])


def main(folder: str) -> None:
    save_table("trec2009.best_lists.csv.gz", table(folder, choices()))


if __name__ == "__main__":
    main(*folders("tools.trec2009_best_lists", "FOLDER"))
