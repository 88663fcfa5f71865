"""How much of the runs' lists was judged, and the lists without the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from divmetrics.core.collection import Collection, Run
from divmetrics.errors import DivmetricsError

# Two runs differ much where it is by more than one document of ten. By so much could what nobody judged, if
# all were relevant, raise the precision of one run more than that of the other.
UNEVEN_DIFFERENCE = 0.1


def judged_column(cutoff: int | None) -> str:
    """What the share is called: judged@20; judged where all of a list counts."""
    return "judged" if cutoff is None else f"judged@{cutoff}"


def judged_shares(
    collection: Collection, topics: Sequence[str], cutoffs: Sequence[int | None]
) -> pd.DataFrame:
    """The share of the first documents of each run's lists that were judged, a mean over topics.

    A row for each run, a column for each cutoff (`judged_name`; None: the whole list). A list that ends
    before the cutoff is divided by its length; topics on which a run lists nothing do not count, and nan is
    left where these are all.
    """
    rows = {}
    for run in collection.runs.values():
        places = [found for (found,) in collection.positions([run], topics) if len(found)]
        shares = [[float((found[:cutoff] >= 0).mean()) for found in places] for cutoff in cutoffs]
        rows[run.name] = [float(np.mean(of_lists)) if of_lists else np.nan for of_lists in shares]
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(map(judged_column, cutoffs)))


def uneven(shares: pd.DataFrame) -> list[str]:
    """The sentence that names cutoffs at which two runs differ by more than UNEVEN; none without any."""
    found = [said for name, column in shares.items() if (said := _uneven(str(name), column.dropna()))]
    if not found:
        return []
    return [
        f"Judged unevenly: {', '.join(found)}; what was never judged may be relevant, so a run with a low "
        "share may be better than it seems."
    ]


def _uneven(name: str, column: pd.Series) -> str:
    if not len(column) or column.max() - column.min() <= UNEVEN_DIFFERENCE:
        return ""
    most, least = column.idxmax(), column.idxmin()
    return f"{name} is {column.max():.2f} for {most} and {column.min():.2f} for {least}"


def condensed(collection: Collection) -> Collection:
    """The same runs without the documents that were never judged (condensed lists; Sakai 2007).

    Sakai: Alternatives to Bpref, SIGIR 2007, 71-78. A document is judged for a topic where it has a grade, 0
    or not, for any of its intents.
    """
    runs = [_condensed(collection, run) for run in collection.runs.values()]
    return collection.with_runs(runs)


def _condensed(collection: Collection, run: Run) -> Run:
    judged = [topic for topic in run.spans if topic in collection.pools]
    lists: dict[str, list[str]] = {topic: [] for topic in run.spans}
    for topic, (places,) in zip(judged, collection.positions([run], judged), strict=True):
        docs = collection.pools[topic].docs
        lists[topic] = [docs[place] for place in places.tolist() if place >= 0]
    if judged and not any(lists.values()):
        raise DivmetricsError(
            f"run {run.name!r} lists no document that was judged, so nothing is left of it; give judgments "
            "of its documents, or compare the lists as they are"
        )
    return replace(Run.of(run.name, lists), ties=run.ties)
