"""Lesson 26: its pages, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import isclose

import pandas as pd

from divmetrics.aggregated import (
    BlockPage,
    Item,
    PageLayout,
    Query,
    Vertical,
    explain_page,
    ideal_page,
    score_pages,
)
from divmetrics.research.datasets import (
    aggregated_search,
    simulated_pages,
    zhou2013_concordance,
    zhou2013_power,
)
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.slips import compare

Block = tuple[float, tuple[int, ...], tuple[float, ...]]  # orientation, grades and efforts of the items
Blocks = tuple[Block, ...]
Rate = Callable[[Blocks, Sequence[float]], float]
Exam = Callable[[Blocks], Sequence[float]]
Piece = tuple[str, str | list[str]]

GRADES = {"web": [2, 1, 1, 1, 0], "image": [2, 2, 1], "video": [2, 2, 1], "news": [2, 1, 0]}
WEB: list[Piece] = [("web", f"w{n}") for n in range(1, 5)]
IMAGES, VIDEOS, NEWS = ((kind, [f"{kind[0]}{n}" for n in (1, 2, 3)]) for kind in ("image", "video", "news"))
LAYOUTS: dict[str, list[Piece]] = {
    "links": WEB,
    "below": [*WEB, IMAGES],
    "mixed": [WEB[0], IMAGES, WEB[1], VIDEOS, *WEB[2:]],
    "news": [WEB[0], NEWS, WEB[1], IMAGES, *WEB[2:]],
}
ABOUT = {
    "w1": "a studio's guide to the poses",
    "w2": "an encyclopedia",
    "w3": "a magazine",
    "w4": "a forum",
    "i1": "three photographs",
    "v1": "three videos",
    "n1": "three news items",
}
# Metrics that charge nothing for reading.
WITHOUT_EFFORT = ["AP-IA", "nDCG-IA", "ERR-IA", *(f"alpha-nDCG(alpha={alpha})" for alpha in (0.1, 0.5, 0.9))]
SETTINGS = {"video": [0.5, 1, 2], "image": [0.25, 0.5, 1], "wanted": [0.55, 0.6, 0.8]}


def query(video: float = 1, image: float = 0.5, wanted: float = 0.6, news: float = 1) -> Query:
    """Return the query for an effort of a video, an image and a news item, and the share who want videos."""
    efforts = {"image": image, "video": video, "news": news}
    orientations = {"web": 1.0, "image": 0.8, "video": wanted, "news": 0.1}
    verticals = [
        Vertical(
            kind,
            orientations[kind],
            [Item(f"{kind[0]}{n}", grade, efforts.get(kind, 1.0)) for n, grade in enumerate(grades, 1)],
        )
        for kind, grades in GRADES.items()
    ]
    return Query("yoga poses", tuple(verticals), PageLayout(web=4, verticals=2, items=3))


def pages(of: Query) -> list[BlockPage]:
    """Return the four pages of the lesson."""
    return [BlockPage(of, blocks, run) for run, blocks in LAYOUTS.items()]


YOGA = query()
PAGES = pages(YOGA)
LINKS, BELOW, MIXED, WITH_NEWS = PAGES


def facts() -> pd.DataFrame:
    """Return the orientation of each vertical, and the grades and the effort of its items."""
    rows = {v.id: [v.orientation, [i.grade for i in v.items], v.items[0].effort] for v in YOGA.verticals}
    return pd.DataFrame.from_dict(rows, "index", columns=["orientation", "grades", "effort per item"])


def blocks(page: BlockPage) -> Blocks:
    """Return the orientation of each block, and the grades and efforts of its items."""
    return tuple(
        (
            page.query.vertical[block.vertical].orientation,
            tuple(item.grade for item in page.items(block)),
            tuple(item.effort for item in page.items(block)),
        )
        for block in page.blocks
    )


def score(name: str, page: BlockPage) -> float:
    """Return the score of a page."""
    return float(score_pages([page], name)["score"].iloc[0])


def wide(shown: Sequence[BlockPage], metrics: Sequence[str]) -> pd.DataFrame:
    """Return the scores of pages, a row for each page."""
    table = score_pages(shown, metrics).pivot(index="run", columns="metric", values="score")
    return table.loc[[page.run for page in shown], list(metrics)]


# -- a weighted mean ----------------------------------------------------------------------------------------


@cache
def _every_page(video: float = 1, image: float = 0.5, wanted: float = 0.6) -> tuple[Blocks, ...]:
    """Return the pages that fill the layout, those with equal blocks once."""
    of = query(video, image, wanted)
    layout, others = of.layout, [v for v in of.verticals if v.id != "web"]
    links = {
        tuple(sorted((1.0, (item.grade,), (item.effort,)) for item in items))
        for items in combinations(of.vertical["web"].items, layout.web)
    }
    whole = [
        (v.orientation, tuple(i.grade for i in v.items), tuple(i.effort for i in v.items)) for v in others
    ]
    chosen = [few for n in range(layout.verticals + 1) for few in combinations(whole, n)]
    found = {order for web, few in product(links, chosen) for order in permutations((*web, *few))}
    return tuple(sorted(found))


def is_mean(rate: Rate, exam: Exam) -> bool:
    """Return whether no page has a higher rate than its best block, nor a lower one than its worst."""
    for page in _every_page():
        of_blocks = [rate((block,), [1]) for block in page]
        if not min(of_blocks) - 1e-9 <= rate(page, exam(page)) <= max(of_blocks) + 1e-9:
            return False
    return True


def better_without_last(rate: Rate, exam: Exam) -> tuple[int, int]:
    """Count the last blocks that lower their page's rate exactly if their own rate is lower; and all.

    Equal rates are not counted.
    """
    right = total = 0
    for page in _every_page():
        whole, own = rate(page, exam(page)), rate((page[-1],), [1])
        without = rate(page[:-1], exam(page[:-1]))
        if not isclose(own, whole) and not isclose(without, whole):
            right += (own < whole) == (without > whole)
            total += 1
    return right, total


# -- which page is better -----------------------------------------------------------------------------------


@cache
def _scores(name: str, video: float, image: float, wanted: float, news: float = 1) -> dict[str, float]:
    scores = wide(pages(query(video, image, wanted, news)), [name])[name]
    return {str(run): float(score) for run, score in scores.items()}


def prefers_below(name: str, video: float = 1, image: float = 0.5, wanted: float = 0.6) -> bool:
    """Return whether a metric gives more to `below` than to `mixed`."""
    scores = _scores(name, video, image, wanted)
    return scores["below"] > scores["mixed"] + 1e-9


def same_first(rbp: str, video: float = 1, image: float = 0.5, wanted: float = 0.6) -> bool:
    """Return whether AS_DCG, AS_ERR and a variant of AS_RBP give the most to the same of the four pages."""
    of_each = [_scores(name, video, image, wanted) for name in ("AS_DCG", rbp, "AS_ERR")]
    return len({max(scores, key=scores.__getitem__) for scores in of_each}) == 1


def news_last(name: str, video: float = 1, image: float = 0.5, wanted: float = 0.6, news: float = 1) -> bool:
    """Return whether a metric gives the least to `news`."""
    scores = dict(_scores(name, video, image, wanted, news))
    return scores.pop("news") < min(scores.values()) - 1e-9


def cutoffs_with_news_last() -> list[list[int]]:
    """Return for each metric without effort the cutoffs from 2 to 13 at which it gives the least to `news`.

    There it must do so for all three shares of readers who want videos.
    """
    return [
        [
            cutoff
            for cutoff in range(2, 14)
            if all(news_last(f"{name}@{cutoff}", wanted=wanted) for wanted in SETTINGS["wanted"])
        ]
        for name in WITHOUT_EFFORT
    ]


def highest(rate: Rate, exam: Exam, video: float = 1, image: float = 0.5, wanted: float = 0.6) -> float:
    """Return the highest score of a page that fills the layout."""
    ideal = blocks(ideal_page(query(video, image, wanted)))
    most = max(rate(page, exam(page)) for page in _every_page(video, image, wanted))
    return most / rate(ideal, exam(ideal))


def beats_ideal(rate: Rate, exam: Exam, video: float = 1, image: float = 0.5, wanted: float = 0.6) -> bool:
    """Return whether some page that fills the layout has a score above 1."""
    return highest(rate, exam, video, image, wanted) > 1 + 1e-9


# -- thirty-six systems, in thirty cases --------------------------------------------------------------------

SIX = ["AS_DCG", "AS_RBP", "AS_ERR", "alpha-nDCG@13", "nDCG-IA@13", "D#-nDCG@13"]
IN_THE_PAPER = ["2", "3 or 4", "1", "3 or 4", "6", "5"]
CASE = ["collection", "design", "seed"]
OTHERS = ["alpha-nDCG(alpha=0.1)@13", "D#-nDCG(gamma=0.2)@13"]


@cache
def _one_simulation() -> pd.DataFrame:
    return score_pages(
        simulated_pages(aggregated_search(50)), [*SIX[:3], *SIX[4:], *OTHERS, "D-nDCG@13", "rec_v"]
    )


def one_simulation() -> pd.DataFrame:
    """Return scores of the pages of 36 systems for 50 queries."""
    return _one_simulation().copy()


def pairs_apart(metrics: Sequence[str], seed: int = 0) -> dict[str, int]:
    """Count the pairs of systems of that simulation that each metric tells apart.

    seed: of the randomised Tukey HSD test.
    """
    from divmetrics.research import meta

    tested = meta.tukey_hsd(_one_simulation(), list(metrics), trials=1000, seed=seed)
    counts = tested[tested["asl"] < 0.05].groupby("metric").size()
    return {name: int(counts[name]) for name in metrics}


def pairs_apart_by_seed(metrics: Sequence[str], seeds: Sequence[int]) -> list[tuple[int, int]]:
    """Return the lowest and highest number of pairs that each metric tells apart, over seeds of the test."""
    counts = [pairs_apart(metrics, seed) for seed in seeds]
    return [(min(of), max(of)) for of in ([count[name] for count in counts] for name in metrics)]


def power(phi: float = 0.8) -> pd.DataFrame:
    """Return the pairs of systems that each of six metrics tells apart, a row for each of thirty cases.

    phi: of AS_RBP.
    """
    table = zhou2013_power().pivot(index=CASE, columns="metric", values="significant")
    if phi != 0.8:
        table["AS_RBP"] = table[f"AS_RBP(phi={phi})"]
    return table[SIX]


def leads(phi: float) -> tuple[int, int, int]:
    """Count the cases where AS_RBP or AS_DCG leads, where AS_ERR does, and where AS_RBP does on FedWeb.

    phi: of AS_RBP. A metric that is tied for the lead leads, too.
    """
    counts = power(phi)
    first = counts.eq(counts.max(axis=1), axis=0)
    on_fedweb = first["AS_RBP"].loc["FedWeb 2013"]
    return (
        int(first[["AS_RBP", "AS_DCG"]].any(axis=1).sum()),
        int(first["AS_ERR"].sum()),
        int(on_fedweb.sum()),
    )


def places() -> pd.DataFrame:
    """Return for each metric its place in the paper, and in how many cases it leads and is last."""
    counts = power()
    leads, lasts = (counts.eq(end, axis=0) for end in (counts.max(axis=1), counts.min(axis=1)))
    columns = {
        "place in the paper": pd.Series(IN_THE_PAPER, SIX),
        "leads, simulated": leads.loc["simulated"].sum(),
        "leads, FedWeb": leads.loc["FedWeb 2013"].sum(),
        "last of six": lasts.sum(),
        "pairs apart": counts.min().astype(str) + " to " + counts.max().astype(str),
    }
    return pd.DataFrame(columns).loc[SIX].rename_axis(None)


def ahead_of_both() -> pd.DataFrame:
    """Return how many pairs more each other metric tells apart than AS_DCG and AS_RBP, by case."""
    counts = power()
    return counts[SIX[2:]].sub(counts[SIX[:2]].max(axis=1), axis=0)


def _comparisons() -> pd.DataFrame:
    """Return the disagreements of each metric with each other one, from the side of both."""
    table = zhou2013_concordance()
    sides = [
        table.rename(columns={f"{part}_{one}": part for part in ("metric", "correct", "only")}).rename(
            columns={f"metric_{other}": "against", f"only_{other}": "only_other"}
        )
        for one, other in ("ab", "ba")
    ]
    both = pd.concat(sides)
    return both[both["metric"].isin(SIX) & both["against"].isin(SIX)]


def share_right(*, alone: bool = False) -> pd.DataFrame:
    """Return the share of its disagreements in which each metric is right, by case and standard.

    alone: only those disagreements count in which one of the two is right and the other is not.
    """
    total = _comparisons().groupby([*CASE, "part", "metric"]).sum(numeric_only=True)
    counted = total["only"] + total["only_other"] if alone else total["disagreements"]
    share = total["only" if alone else "correct"] / counted
    return share.unstack("metric")[SIX]


def share_contradictory() -> pd.Series:
    """Return the share of all disagreements in which the four standards contradict each other, by case.

    That is where neither metric is right by all four.
    """
    of = _comparisons().query("part == 'all four'").groupby(CASE).sum(numeric_only=True)
    # The sums have a row for each of the two metrics, so all three columns count a disagreement twice:
    # one right metric is in `only` and in `correct`; two (if the standards see no difference) in `correct`.
    return 1 - (of["only"] + of["correct"]) / of["disagreements"]


def _cases_ahead(parts: str, better: Sequence[str], worse: Sequence[str]) -> int:
    """Count the cases in which each of some metrics is right alone more often than each of others.

    parts: standards, separated by commas; all must agree.
    """
    both = _comparisons()
    chosen = both["part"].isin(parts.split(", ")) & both["metric"].isin(better) & both["against"].isin(worse)
    duels = both[chosen].set_index(CASE)
    return int((duels["only"] > duels["only_other"]).groupby(CASE).all().sum())


IA, SHARP, DCG, ALPHA = "nDCG-IA@13", "D#-nDCG@13", "AS_DCG", "alpha-nDCG@13"
STATEMENTS = [
    ("VS", "nDCG-IA and AS_DCG before D#-nDCG and alpha-nDCG", [IA, DCG], [SHARP, ALPHA]),
    ("VD", "D#-nDCG and nDCG-IA before AS_DCG and alpha-nDCG", [SHARP, IA], [DCG, ALPHA]),
    ("IS", "D#-nDCG and AS_DCG before nDCG-IA and alpha-nDCG", [SHARP, DCG], [IA, ALPHA]),
    ("IS", "AS_RBP first of the three AS_ metrics", ["AS_RBP"], [DCG, "AS_ERR"]),
    ("VS, VD, IS", "alpha-nDCG last of these four", [IA, SHARP, DCG], [ALPHA]),
    ("VS, VD, IS", "AS_ERR last of the three AS_ metrics", [DCG, "AS_RBP"], ["AS_ERR"]),
    ("RP", "alpha-nDCG first of these four", [ALPHA], [IA, SHARP, DCG]),
    ("RP", "AS_ERR first of the three AS_ metrics", ["AS_ERR"], [DCG, "AS_RBP"]),
    ("all four", "D#-nDCG first of these four", [SHARP], [IA, DCG, ALPHA]),
    ("all four", "AS_RBP first of the three AS_ metrics", ["AS_RBP"], [DCG, "AS_ERR"]),
]


def statements() -> pd.DataFrame:
    """Return what the paper says about each standard, and in how many of thirty cases it holds."""
    rows = [
        (parts, says, f"{_cases_ahead(parts, better, worse)} of 30")
        for parts, says, better, worse in STATEMENTS
    ]
    return pd.DataFrame(rows, columns=["by", "the paper says", "at φ=0.8"]).set_index("by")


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Weight both sums by the share of readers who get there."


def _of_links() -> tuple[float, float, float]:
    table = explain_page("AS_DCG", LINKS)
    gain, effort = (float((table[of] * table["examined"]).sum()) for of in ("gain", "effort"))
    return gain / effort, float(table["gain"].sum() / table["effort"].sum()), gain


@Check.number(0, 4, decimals=3)
def by_hand(answer: float) -> bool | str:
    """Check what `links` gains per unit of effort under AS_DCG."""
    right, plain, gain = _of_links()
    slips = {plain: "weight both sums by the share who get there", gain: "now divide it by the effort"}
    return compare(answer, right, slips, within=1e-3, near=1e-3)


# Exercise 2: a page that four menus describe, where there is no Python to write it in
READY: dict[str, list[Piece]] = {"none": [], "images": [IMAGES], "videos": [VIDEOS], "news": [NEWS]}
MENUS = ["one block", "below so many links", "another block", "below so many"]


def _arrange(menus: tuple[str, int, str, int]) -> list[Piece]:
    return list(_pieces(*menus))


def _pieces(one: str, place: int, other: str, below: int) -> Iterator[Piece]:
    for n in range(5):
        yield from READY[one] if place == n else []
        yield from READY[other] if below == n else []
        yield from WEB[n : n + 1]


@Check.several([READY, range(5)] * 2, make=_arrange, names=MENUS)
def many_kinds(answer: Sequence[Piece]) -> bool | str:
    """Check a page with many kinds of blocks and little use."""
    yours = BlockPage(YOGA, answer, "yours")
    if sum(block.vertical != "web" for block in yours.blocks) > YOGA.layout.verticals:
        return "the layout has room for two vertical blocks"
    if score("alpha-nDCG@6", yours) <= score("alpha-nDCG@6", MIXED):
        return "alpha-nDCG@6 does not prefer it to `mixed`"
    return score("AS_DCG", yours) < score("AS_DCG", LINKS) or "AS_DCG does not put it below `links`"


# Exercise 4
WHY_4 = "Each unit of effort makes every contribution of `mixed` smaller."


def at_effort(effort: float) -> pd.Series:
    """Return AS_DCG of the four pages if a video costs so much."""
    return pd.Series(_scores("AS_DCG", effort, 0.5, 0.6)).loc[list(LAYOUTS)]


@Check.number(0, 10, decimals=1)
def last_ahead(effort: float) -> bool | str:
    """Check the largest effort of a video at which `mixed` is ahead of `links`."""
    now, then = at_effort(effort), at_effort(round(effort + 0.1, 1))
    if now["mixed"] <= now["links"]:
        return f"at {effort:g} `mixed` has {now['mixed']:.4f} and `links` {now['links']:.4f}"
    return bool(then["mixed"] <= then["links"]) or f"at {effort + 0.1:g} `mixed` is still ahead"
