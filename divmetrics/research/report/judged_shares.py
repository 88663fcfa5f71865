"""The shares of judged documents in the lists of runs, and lists without unjudged documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from divmetrics.core.collection import Collection
from divmetrics.core.runs import Run
from divmetrics.errors import DivmetricsError

# One document of ten. If all unjudged documents were relevant, the precision of one run could rise by so much
# more than that of the other.
UNEVEN_DIFFERENCE = 0.1


def judged_column(cutoff: int | None) -> str:
    """Return the column name of a share: judged@20, or judged for the whole list."""
    return "judged" if cutoff is None else f"judged@{cutoff}"


def judged_shares(
    collection: Collection, topics: Sequence[str], cutoffs: Sequence[int | None]
) -> pd.DataFrame:
    """Compute the share of judged documents among the first of each run's lists, a mean over topics.

    Returns a row per run and a column per cutoff (None: the whole list), named by `judged_column`. A list
    shorter than the cutoff is divided by its length; topics without documents do not count, and a run without
    any has nan.
    """
    rows = {}
    for run in collection.runs.values():
        lists = [positions for (positions,) in collection.positions([run], topics) if len(positions)]
        shares = [[float((positions[:cutoff] >= 0).mean()) for positions in lists] for cutoff in cutoffs]
        rows[run.name] = [float(np.mean(at_cutoff)) if at_cutoff else np.nan for at_cutoff in shares]
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(map(judged_column, cutoffs)))


def uneven_judging_notes(shares: pd.DataFrame) -> list[str]:
    """Return one sentence on the cutoffs at which shares differ by more than UNEVEN_DIFFERENCE, or none."""
    columns = [text for name, column in shares.items() if (text := _uneven(str(name), column.dropna()))]
    if not columns:
        return []
    return [
        f"Judged unevenly: {', '.join(columns)}; what was never judged may be relevant, so a run with a low "
        "share may be better than it seems."
    ]


def _uneven(name: str, column: pd.Series) -> str:
    if not len(column) or column.max() - column.min() <= UNEVEN_DIFFERENCE:
        return ""
    most, least = column.idxmax(), column.idxmin()
    return f"{name} is {column.max():.2f} for {most} and {column.min():.2f} for {least}"


def condensed(collection: Collection) -> Collection:
    """Return the collection with the unjudged documents removed from its runs (condensed lists; sakai2007).

    A document is judged for a topic if it has a grade, 0 or not, for any of the intents. Raises
    DivmetricsError if a run answers judged topics, but none with a judged document.
    """
    runs = [_condensed(collection, run) for run in collection.runs.values()]
    return collection.with_runs(runs)


def _condensed(collection: Collection, run: Run) -> Run:
    judged = [topic for topic in run.spans if topic in collection.pools]
    lists: dict[str, list[str]] = {topic: [] for topic in run.spans}
    for topic, (positions,) in zip(judged, collection.positions([run], judged), strict=True):
        docs = collection.pools[topic].docs
        lists[topic] = [docs[position] for position in positions.tolist() if position >= 0]
    if judged and not any(lists.values()):
        raise DivmetricsError(
            f"run {run.name!r} lists no document that was judged, so nothing is left of it; give judgments "
            "of its documents, or compare the lists as they are"
        )
    return replace(Run.of(run.name, lists), ties=run.ties, contradictions=run.contradictions)
