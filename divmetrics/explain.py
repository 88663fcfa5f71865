"""Where a score comes from: its contributions as a tidy table, and in words and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.collection import RankedList
from divmetrics.formula import formula
from divmetrics.merging import per_group
from divmetrics.metric import BaseMetric, ByIntentType, Collapsed, IntentSquare, Metric, WeightedSum
from divmetrics.parts import One
from divmetrics.registry import metric as metric_named
from divmetrics.view import View, view_lists

if TYPE_CHECKING:
    import pandas as pd


def explain(metric: str | BaseMetric, ranked_list: RankedList) -> pd.DataFrame:
    """What each intent earned at each rank, as a table whose contributions sum to the score.

    Returns a DataFrame with one row per rank and intent: intent, rank (from 1), doc, contribution, grade (0
    where not relevant or not judged). For an intent-square metric also subtopic: one row per rank and
    second-level subtopic. A cost that is charged where the list has ended has doc "".
    """
    import pandas as pd

    chosen = metric_named(metric)
    view = view_lists([ranked_list])
    intents = ranked_list.topic.intents
    rows: list[tuple[str, str, int, str, float, int]] = []
    if isinstance(chosen, IntentSquare):
        earned = chosen.leaf_contributions(view)[0, 0]
        grades = per_group(view, chosen.leaf).linear[:, 0]
        for i, intent in enumerate(intents):
            for e, child in enumerate(intent.children or (intent,)):
                rows += _cells(intent.id, child.id, earned[i, e], grades[i, e], ranked_list.docs)
    else:
        earned = chosen.contributions(view)[0, 0]
        for i, intent in enumerate(intents):
            rows += _cells(intent.id, "", earned[i], view.linear[0, 0, i], ranked_list.docs)
    frame = pd.DataFrame(rows, columns=["intent", "subtopic", "rank", "doc", "contribution", "grade"])
    frame = frame.sort_values("rank", kind="stable").reset_index(drop=True)
    last = ["subtopic"] if isinstance(chosen, IntentSquare) else []
    return frame[["intent", "rank", "doc", "contribution", "grade", *last]]


def _cells(
    intent: str, child: str, earned: np.ndarray, grades: np.ndarray, docs: Sequence[str]
) -> Iterator[tuple[str, str, int, str, float, int]]:
    for k, value in enumerate(earned):
        if k < len(docs):
            yield intent, child, k + 1, docs[k], float(value), int(grades[k])
        elif value:
            yield intent, child, k + 1, "", float(value), 0


def explain_in_words(metric: str | BaseMetric, ranked_list: RankedList) -> str:
    """The same, told rank by rank: every contribution as the product it is, ending in the score."""
    chosen = metric_named(metric)
    view = view_lists([ranked_list])
    topic = ranked_list.topic
    title = f" ({topic.title})" if topic.title else ""
    names = [_label(intent.id, intent.label) for intent in topic.intents]
    lines = [
        f"{chosen} of list {ranked_list.run} for topic {topic.id}{title} = {chosen.score(ranked_list):.4f}",
        f"  {formula(chosen)}",
        "",
    ]
    lines += _Teller(ranked_list, 0, names).tell(chosen, view, 1.0)
    earned = chosen.contributions(view)[0, 0].sum(axis=1)
    lines += ["", "By intent:", *(f"  {v:.4f}  {name}" for name, v in zip(names, earned, strict=True))]
    return "\n".join(lines)


def _label(intent_id: str, label: str) -> str:
    short = label if len(label) <= 44 else label[:41] + "..."
    return f"{intent_id} ({short})" if label and label != intent_id else intent_id


@dataclass(frozen=True)
class _Teller:
    """Tells one list's contributions; `topic` is its place in the View, `names` its intents there.

    measure: what the View's linear gains are.
    """

    ranked: RankedList
    topic: int
    names: Sequence[str]
    measure: str = "grade"

    def tell(self, metric: BaseMetric, view: View, factor: float) -> list[str]:
        """A line per rank and per contribution, each multiplied by `factor`."""
        if isinstance(metric, WeightedSum):
            lines = []
            for weight, term in metric.terms:
                lines.append(f"{weight} = {weight():.4g}, times {term}:")
                lines += [f"  {line}" for line in self.tell(term, view, factor * weight())]
            return lines
        if isinstance(metric, IntentSquare):
            lines = []
            grouped = per_group(view, metric.leaf)
            for i, intent in enumerate(self.ranked.topic.intents):
                children = [_label(child.id, child.label) for child in intent.children] or [self.names[i]]
                lines.append(f"{self.names[i]}, weight {intent.probability:.4g}:")
                below = _Teller(self.ranked, i, children).tell(
                    metric.metric, grouped, factor * intent.probability
                )
                lines += [f"  {line}" for line in below]
            return lines
        if isinstance(metric, Collapsed):
            what = "pseudo ad hoc grade" if metric.collapse == "ad hoc" else "global gain"
            merged = _Teller(self.ranked, self.topic, ["all intents"], what)
            return merged._tell_rows([(metric.row, None)], metric.merged(view), factor)
        if isinstance(metric, ByIntentType):
            kinds = [(metric.informational, False), (metric.navigational, True)]
            return self._tell_rows(kinds, view, factor)
        return self._tell_rows([(row, None) for row, _ in metric.rows(view)], view, factor)

    def _tell_rows(self, rows: Sequence[tuple[Metric, bool | None]], view: View, factor: float) -> list[str]:
        """Rows on one View; a row with a kind (True: navigational) speaks for those intents only."""
        told: dict[int, list[str]] = {}
        totals: dict[int, float] = {}
        depth = 0
        for row, kind in rows:
            read = row.prepared(view)
            depth = max(depth, read.depth)
            earned = row.contributions(view)[self.topic, 0]
            for i, name in enumerate(self.names):
                if kind is not None and kind != view.navigational[self.topic, i]:
                    continue
                for k in np.flatnonzero(earned[i]).tolist():
                    value = factor * float(earned[i, k])
                    totals[k] = totals.get(k, 0.0) + value
                    grade = f"{view.linear[self.topic, 0, i, k]:.4g}" if k < view.depth else "0"
                    product = self._product(row, read, i, k, factor)
                    told.setdefault(k, []).append(f"{name}, {self.measure} {grade}: {value:.4f} = {product}")
        lines: list[str] = []
        quiet: list[int] = []
        for k in range(min(depth, max(len(self.ranked), max(told, default=-1) + 1))):
            if k not in told:
                quiet.append(k)
                continue
            lines += self._quiet(quiet)
            quiet = []
            doc = self.ranked.docs[k] if k < len(self.ranked) else "(no document)"
            lines += [f"rank {k + 1}  {doc}  earns {totals[k]:.4f}", *(f"    {line}" for line in told[k])]
        return lines + self._quiet(quiet)

    def _quiet(self, ranks: Sequence[int]) -> list[str]:
        """Ranks that earn nothing, with how many of them nobody ever judged."""
        if not ranks:
            return []
        unjudged = sum(self.ranked.docs[k] not in self.ranked.judgments.position for k in ranks)
        if len(ranks) == 1:
            why = " (never judged)" if unjudged else ""
            return [f"rank {ranks[0] + 1}  {self.ranked.docs[ranks[0]]}  earns nothing{why}"]
        why = f" ({unjudged} of {len(ranks)} never judged)" if unjudged else ""
        return [f"ranks {ranks[0] + 1}-{ranks[-1] + 1}  earn nothing{why}"]

    def _product(self, row: Metric, read: View, intent: int, k: int, factor: float) -> str:
        """What f, w, the pieces of M and N come to, each with a word for it; a plain 1 is left out."""
        column = row.columns(read)

        def at(values: np.ndarray) -> float:
            return float(np.broadcast_to(values, read.linear.shape)[self.topic, 0, intent, k])

        factors = [] if factor == 1 else [f"{factor:.4g}"]
        if not isinstance(row.f, One):
            factors.append(f"weight {at(column['f']):.4g}")
        if not isinstance(row.w, One):
            factors.append(f"discount {at(column['w']):.4g}")
        factors += [f"{name} {at(piece):.4g}" for name, piece in row.M.pieces(read).items()]
        divisor = "" if isinstance(row.N, One) else f" / {at(column['N']):.4g}"
        return " x ".join(factors) + divisor
