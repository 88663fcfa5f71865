"""Run the experiments of Zhou et al. (2013) on simulated systems: discriminative power and concordance."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from divmetrics._progress import track_progress
from divmetrics.aggregated import Query, Vertical, score_pages
from divmetrics.core.tolerances import compare_scores
from divmetrics.errors import DivmetricsWarning
from divmetrics.research.datasets import aggregated_search, simulated_pages
from divmetrics.research.datasets.aggregated import ITEM_SELECTION, VERTICAL_SELECTION, Shuffled
from divmetrics.research.meta import concordance, discriminative_power, tukey_hsd
from divmetrics.research.papers.zhou2013.printed import POWER

SIMULATED, FEDWEB = "simulated", "FedWeb 2013"
SEEDS = (0, 1, 2)
TOPICS = 50  # of a simulated collection
TRIALS = 1_000
LEVEL = 0.05
DECIMALS = 6  # of values that are no counts

# The metrics of Table 5: frameworks, of which AS_DCG is one, and user models of AS_ metrics. A page has at
# most 13 blocks; nDCG and P@10 read items.
FRAMEWORKS = ("alpha-nDCG@13", "nDCG-IA@13", "D#-nDCG@13", "AS_DCG")
USER_MODELS = ("AS_DCG", "AS_RBP", "AS_ERR")
TABLE_5 = tuple(dict.fromkeys((*FRAMEWORKS, *USER_MODELS)))
WITHOUT_RECALL = "D-nDCG@13"  # D#-nDCG without I-rec
METRICS = (*(name for groups in POWER.values() for group in groups for name in group), WITHOUT_RECALL)
# Other settings than ours, which are a = 1 (orientations count as they are) and phi = 0.8.
OTHER_A = ("AS_DCG(a=0)", "AS_DCG(a=0.5)", "AS_DCG(a=2)", "AS_DCG(a=4)")
OTHER_PHI = ("AS_RBP(phi=0.5)", "AS_RBP(phi=0.9)", "AS_RBP(phi=0.95)", "AS_RBP(phi=0.99)")

# The parts of Table 5: gold standards that a metric must not contradict.
PARTS: Mapping[str, tuple[str, ...]] = {
    "VS": ("prec_v",),
    "VD": ("rec_v",),
    "IS": ("mean-prec",),
    "RP": ("corr",),
    "VS+IS": ("prec_v", "mean-prec"),
    "VS+IS+VD": ("prec_v", "mean-prec", "rec_v"),
    "all four": ("prec_v", "mean-prec", "rec_v", "corr"),
}

# The effort of verticals of FedWeb 2013, as in `EFFORTS` of simulated collections; 1 for all others.
FEDWEB_EFFORTS: Mapping[str, float] = {"Photo/Pictures": 0.5, "Video": 2.0}
# Four selections of about the same quality, none of them perfect: the paper has four such selectors.
ALIKE = {"noise45": 0.45, "noise50": 0.5, "noise55": 0.55, "noise60": 0.6}


@dataclass(frozen=True)
class Design:
    """The choices of the simulation, where the paper's own cannot be repeated or are not stated.

    Parameters
    ----------
    name : str
        The name of the design, as in the results.
    vertical_selection, item_selection : mapping of str to float
        The shares of noise, as in `simulated_pages`.
    shuffled : {"vertical blocks", "all blocks"}
        The blocks that the random presentation moves.
    by_medium : bool
        Whether the effort of an item depends on its medium; otherwise it is 1.
    """

    name: str
    vertical_selection: Mapping[str, float]
    item_selection: Mapping[str, float]
    shuffled: Shuffled = "vertical blocks"
    by_medium: bool = True


DESIGNS = (
    Design("one selection perfect", VERTICAL_SELECTION, ITEM_SELECTION),
    Design("four alike", ALIKE, ITEM_SELECTION),
    Design("four alike, BM25 like TF", ALIKE, {"perfect": 0.0, "good": 0.75, "poor": 0.8}),
    Design("all blocks shuffled", VERTICAL_SELECTION, ITEM_SELECTION, shuffled="all blocks"),
    Design("equal efforts", VERTICAL_SELECTION, ITEM_SELECTION, by_medium=False),
)


@dataclass(frozen=True, eq=False)
class Experiments:
    """The results of experiments, a case for each collection, design and seed.

    Parameters
    ----------
    power : DataFrame
        Columns collection, design, seed, and those of `meta.discriminative_power` at 0.05: metric,
        significant, pairs, share, required_difference.
    concordance : DataFrame
        Columns collection, design, seed, those of `meta.concordance`, and part (of Table 5).
    pages : DataFrame
        Columns collection, design, seed, queries, pages (their numbers), distinct (different pages, summed
        over queries), above (number of pages that score above 1 under an AS_ metric), highest (the highest
        such score).
    """

    power: pd.DataFrame
    concordance: pd.DataFrame
    pages: pd.DataFrame


def run_experiments(
    fedweb: Sequence[Query] | None,
    designs: Sequence[Design] = DESIGNS,
    seeds: Sequence[int] = SEEDS,
    *,
    collections: Sequence[str] = (SIMULATED, FEDWEB),
    progress: bool = False,
) -> Experiments:
    """Run every design with every seed on the collections.

    `fedweb` are the queries of FedWeb 2013; they are needed if `collections` has FEDWEB.
    """
    cases = [(name, design, seed) for name in collections for design in designs for seed in seeds]
    tables: tuple[list[pd.DataFrame], ...] = ([], [], [])
    for name, design, seed in track_progress(cases, len(cases), "case", progress):
        queries = aggregated_search(TOPICS, seed=seed) if name == SIMULATED else fedweb or ()
        efforts = {} if name == SIMULATED else FEDWEB_EFFORTS
        for table, result in zip(tables, _run(queries, design, seed, efforts), strict=True):
            key = {"collection": name, "design": design.name, "seed": seed}
            table.append(pd.DataFrame({**key, **result}).round(DECIMALS))
    return Experiments(*(pd.concat(table, ignore_index=True) for table in tables))


def _run(
    queries: Sequence[Query], design: Design, seed: int, efforts: Mapping[str, float]
) -> Iterator[pd.DataFrame]:
    """Yield the tables of one case."""
    pages = simulated_pages(
        with_efforts(queries, efforts, design.by_medium),
        seed=seed,
        vertical_selection=design.vertical_selection,
        item_selection=design.item_selection,
        shuffled=design.shuffled,
    )
    with warnings.catch_warnings():
        # queries whose ideal page gains nothing score 0, as all pages do there
        warnings.simplefilter("ignore", DivmetricsWarning)
        scores = score_pages(pages, [*METRICS, *OTHER_A, *OTHER_PHI])
    tests = tukey_hsd(scores, trials=TRIALS, seed=seed)
    yield discriminative_power(tests, LEVEL)
    compared = [*TABLE_5, WITHOUT_RECALL]
    parts = (concordance(scores, gold, compared).assign(part=part) for part, gold in PARTS.items())
    yield pd.concat(parts, ignore_index=True)
    relative = scores[scores["metric"].isin(USER_MODELS)].groupby(["topic", "run"])["score"].max()
    yield pd.DataFrame(
        {
            "queries": [len(queries)],
            "pages": len(pages),
            "distinct": len({(page.query.id, page.blocks) for page in pages}),
            "above": sum(compare_scores(score, 1.0) > 0 for score in relative),
            "highest": relative.max(),
        }
    )


def with_efforts(queries: Sequence[Query], efforts: Mapping[str, float], by_medium: bool) -> list[Query]:
    """Return the queries with other efforts of their items.

    `efforts` is {vertical: effort}; verticals without one keep theirs. Unless `by_medium`, every effort is 1.
    """

    def changed(vertical: Vertical) -> Vertical:
        effort = efforts.get(vertical.id) if by_medium else 1.0
        if effort is None:
            return vertical
        items = (replace(item, effort=effort) for item in vertical.items)
        return Vertical(vertical.id, vertical.orientation, items)

    return [replace(query, verticals=tuple(map(changed, query.verticals))) for query in queries]
