"""Pages to begin with: the papers' examples, and one that is made up."""

from __future__ import annotations

from collections.abc import Callable

from divmetrics import datasets
from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.names.parse import metric
from divmetrics.sheet.page import Page
from divmetrics_widgets.measuring import Measure

FIRST = "harry potter"


def preset(name: str) -> Page:
    """The page of this name; DivmetricsError lists the names when there is none."""
    if name not in PRESETS:
        raise DivmetricsError(
            f"there is no preset {name!r}{did_you_mean(name, PRESETS)}; there are {', '.join(PRESETS)}"
        )
    return PRESETS[name]()


def _harry_potter() -> Page:
    collection = datasets.harry_potter()
    a, c = collection.list("A", "0083"), collection.list("C", "0083")
    names = ["S-recall@5", "ERR-IA@5", "alpha-nDCG@5", "D#-nDCG@5", "ERR-IS@5"]
    return Page.of(a, c, names, datasets.harry_potter_documents())


def _yu2017(query: str) -> Page:
    """The run's list, and beside it one that is best for D-nDCG@10 of the same judgments."""
    ranked = datasets.yu2017().list("Sem13-D-E-1A", query)
    best = Measure(ranked.judgments).best(metric("D-nDCG@10"), 10)
    names = ["S-recall@10", "S-recall-IS@10", "ERR-IA@10", "ERR-IS@10", "nDCG-IA@10", "nDCG-IS@10"]
    return Page.of(ranked, ranked.reordered(best), names)


def _sakai2010(topic: str) -> Page:
    first, second = datasets.sakai2010().lists(topic)
    return Page.of(first, second, ["I-rec@10", "alpha-nDCG@10", "nDCG-IA@10", "D-nDCG@10", "D#-nDCG@10"])


def _sakai2012() -> Page:
    ranked = datasets.sakai2012().list("Figure 1", "figure1")
    swapped = ranked.reordered(["d1", "d4", "d3", "d2", "d5"])
    return Page.of(ranked, swapped, ["D-nDCG@5", "DIN-nDCG@5", "Q-IA@5", "P+Q@5", "Ef-P@5"])


def _synthetic() -> Page:
    collection: Collection = datasets.synthetic(seed=1)
    topic = collection.topics[0].id
    first, *_, last = collection.lists(topic)
    return Page.of(first, last, ["S-recall@10", "ERR-IA@10", "alpha-nDCG@10", "D#-nDCG@10"], depth=10)


PRESETS: dict[str, Callable[[], Page]] = {
    FIRST: _harry_potter,
    "Yu et al. 2017, query 0053": lambda: _yu2017("0053"),
    "Yu et al. 2017, query 0078": lambda: _yu2017("0078"),
    "Yu et al. 2017, query 0080": lambda: _yu2017("0080"),
    "Sakai et al. 2010, topic 21": lambda: _sakai2010("21"),
    "Sakai et al. 2010, topic 38": lambda: _sakai2010("38"),
    "Sakai 2012, Figure 1": _sakai2012,
    "synthetic": _synthetic,
}
