"""Lesson 21: axioms on small pools of pages, and the checks of its exercises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from typing import Literal, cast

import numpy as np
import pandas as pd

import divmetrics as dm
from divmetrics.core import batch_lists
from divmetrics.core.batch import Batch
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.optional import import_optional
from divmetrics.parts import WrittenUtility
from divmetrics_widgets import Check
from divmetrics_widgets.lessons.slips import compare

Kind = Literal["informational", "navigational"]
Page = tuple[int, int]  # its grades for film and book
List = tuple[Page, ...]
Pairs = Iterator[tuple[list[List], list[List]]]
Case = tuple[float, list[List], list[List]]
Axiom = Callable[[Sequence[List], Sequence[float]], Pairs]

LIBRARY = """topic shop "library"
scale 2
intent hours .6 informational "opening hours"
intent ebooks .4 informational "borrowing e-books"
doc h hours:2 "Opening hours"
doc e1 ebooks:1 "Which readers open our e-books"
doc e2 ebooks:2 "E-books in five steps"
A h e2 e1
B h e1 e2
metrics P-IA@3 ERR-IA@3 EBR-IA@3 alpha-nDCG@3 D#-nDCG@3"""
FILM, BOOK, NOTHING = (1, 0), (0, 1), (0, 0)
POOLS: dict[str, tuple[tuple[float, float], dict[Page, int]]] = {  # probabilities, pages with their copies
    "even": ((0.5, 0.5), {(1, 0): 3, (0, 1): 3, (1, 1): 1, NOTHING: 3}),
    "graded": ((0.6, 0.4), {(2, 0): 2, (1, 0): 2, (0, 2): 1, (0, 1): 1, (2, 1): 1, (1, 1): 1, NOTHING: 1}),
    "lopsided": ((0.6, 0.4), {(1, 0): 4, (0, 1): 1, NOTHING: 3}),
}
# Other pools: probabilities, pages with their copies, the longest list.
MORE_POOLS: dict[str, tuple[tuple[float, float], dict[Page, int], int]] = {
    "even, five pages": ((0.5, 0.5), {(1, 0): 3, (0, 1): 3, (1, 1): 1, NOTHING: 1}, 5),
    "graded, .7 to .3": ((0.7, 0.3), {(2, 0): 1, (1, 0): 2, (0, 2): 1, (0, 1): 2, (2, 1): 1, NOTHING: 1}, 4),
    "five grades": (
        (0.6, 0.4),
        {(4, 0): 1, (2, 0): 1, (1, 0): 1, (0, 4): 1, (0, 1): 1, (4, 1): 1, NOTHING: 1},
        4,
    ),
    "lopsided, .9 to .1": ((0.9, 0.1), {(1, 0): 5, (0, 1): 1, NOTHING: 3}, 5),
    "even, two pages to four": ((0.5, 0.5), {(1, 0): 2, (0, 1): 4, NOTHING: 2}, 4),
}
GRADED_EVEN = ((0.5, 0.5), {(2, 0): 1, (1, 0): 3, (0, 2): 1, (0, 1): 3})
EVERYBODY = ["S-recall", "P-IA", "AP-IA", "Q-IA", "nDCG-IA", "RBP-IA", "ERR-IA", "EBR-IA", "iRBU-IA"]
EVERYBODY += ["RBU", "RBU-original", "alpha-nDCG", "NRBP", "D-nDCG", "D#-nDCG", "D#-Q", "DIN#-nDCG", "P+Q"]
FOR_ONE_PAGE = {"DIN#-nDCG", "P+Q"}  # with navigational intents; with others these are D#-nDCG and Q-IA
CLOSE = 1e-9
DEPTHS, FEW, MOST = (10, 30, 100, 300, 1000), (2, 3, 4, 5), 20


def _lists_of(copies: Mapping[Page, int], longest: int = 4) -> list[List]:
    every = (ranked for n in range(longest + 1) for ranked in product(copies, repeat=n))
    return [ranked for ranked in every if all(n <= copies[page] for page, n in Counter(ranked).items())]


LISTS = {pool: _lists_of(copies) for pool, (_, copies) in POOLS.items()}


def _kind(name: str) -> Kind:
    return "navigational" if name in FOR_ONE_PAGE else "informational"


def seen(p: Sequence[float], copies: Mapping[Page, int], lists: Sequence[List], kind: Kind) -> Batch:
    """Return lists of pages, written as their grades, as metrics take them."""
    topic = dm.Topic("t", (dm.Intent("film", p[0], kind), dm.Intent("book", p[1], kind)))
    docs = {page: [f"{page[0]}{page[1]}-{n}" for n in range(copies[page])] for page in copies}
    labels = {doc: {"film": page[0], "book": page[1]} for page in docs for doc in docs[page]}
    judged = dm.RankedList(topic, list(labels), labels)  # type: ignore[arg-type]
    taken = [[docs[page][ranked[:k].count(page)] for k, page in enumerate(ranked)] for ranked in lists]
    return batch_lists([judged.reordered(ids) for ids in taken])


def scores(
    metric: str | BaseMetric, lists: Sequence[List], view: Batch, cutoff: int = 4
) -> dict[List, float]:
    """Return the score of each list."""
    row = dm.metric(metric) if isinstance(metric, str) else metric
    return dict(zip(lists, np.ravel((row @ cutoff).scores(view)).tolist(), strict=True))


@cache
def _view(pool: str, kind: Kind) -> Batch:
    return seen(*POOLS[pool], LISTS[pool], kind)


@cache
def on_pools(metric: str | BaseMetric) -> dict[str, dict[List, float]]:
    """Return the scores of all lists of each pool."""
    kind = _kind(str(metric))
    return {pool: scores(metric, LISTS[pool], _view(pool, kind)) for pool in POOLS}


def in_words(ranked: List) -> str:
    """Return a list in words."""
    pages = [[f"film {film}"] * (film > 0) + [f"book {book}"] * (book > 0) for film, book in ranked]
    return ", ".join(" ".join(page) or "nothing" for page in pages) or "the empty list"


def _cases(at: Mapping[List, float], axiom: Axiom, p: Sequence[float]) -> list[Case]:
    """Return by how much a metric prefers the better list of each pair, and the pair."""
    return [
        (sum(at[x] for x in plus) - sum(at[x] for x in minus), plus, minus)
        for plus, minus in axiom(list(at), p)
    ]


def verdict(metric: str | BaseMetric, axiom: Axiom) -> tuple[str, str]:
    """Return "keeps", "blind" or "breaks", and a counterexample in words if there is one."""
    return _verdict(
        [case for pool, at in on_pools(metric).items() for case in _cases(at, axiom, POOLS[pool][0])]
    )


def _verdict(cases: Sequence[Case]) -> tuple[str, str]:
    wrong = sorted((case for case in cases if case[0] < -CLOSE), key=lambda case: (len(case[2][-1]), case[0]))
    if wrong:
        _, plus, minus = wrong[0]
        return "breaks", f"{in_words(minus[0])}  >  {in_words(plus[0])}"
    return ("blind" if min(case[0] for case in cases) < CLOSE else "keeps"), ""


def verdicts(axiom: Axiom, metrics: Sequence[str | BaseMetric] = EVERYBODY) -> pd.Series:
    """Return the verdict on each metric."""
    return pd.Series({str(m): verdict(m, axiom)[0] for m in metrics}, name=axiom.__name__)


# -- the axioms: pairs of lists, the better first -----------------------------------------------------------


def better_first(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """Of two neighbours about the same intent the better page should come first."""
    for ranked in lists:
        for k, (upper, lower) in enumerate(pairwise(ranked)):
            served = {i for page in (upper, lower) for i in (0, 1) if page[i]}
            if len(served) == 1 and sum(lower) > sum(upper):
                yield [(*ranked[:k], lower, upper, *ranked[k + 2 :])], [ranked]


def fresh(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """The intent that has had fewer pages should get the next one."""
    scored = set(lists)
    for ranked in lists if p[0] == p[1] else []:
        film, book = (sum(page[i] > 0 for page in ranked) for i in (0, 1))
        better, worse = (*ranked, BOOK), (*ranked, FILM)
        if (1, 1) not in ranked and film > book and {better, worse} <= scored:
            yield [better], [worse]


def _likely_first(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """While neither intent is served, a page for the likelier one should come first."""
    scored = set(lists)
    for ranked in lists if p[0] > p[1] else []:
        for grade in (1, 2) if not any(map(any, ranked)) else ():
            better, worse = (*ranked, (grade, 0)), (*ranked, (0, grade))
            if {better, worse} <= scored:
                yield [better], [worse]


def _less_each_time(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """A page should be worth less at the same rank if one more page above it serves its intent."""
    scored = set(lists)
    for ranked in lists:
        for k in [k for k, page in enumerate(ranked) if page == NOTHING]:
            for page in (FILM, BOOK, (2, 0), (0, 2)):
                one = (*ranked[:k], page, *ranked[k + 1 :])
                if {(*ranked, page), (*one, page)} <= scored:
                    yield [(*ranked, page), one], [ranked, (*one, page)]


def richer(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """A page that serves another intent in addition should be worth more."""
    scored, pages = set(lists), {page for ranked in lists for page in ranked}
    for ranked in lists:
        for k, page in enumerate(ranked):
            for better in pages if any(page) and not all(page) else ():
                new = (*ranked[:k], better, *ranked[k + 1 :])
                comparable = all(b - a in (0, b) for a, b in zip(page, better, strict=True))
                if all(better) and comparable and new in scored:
                    yield [new], [ranked]


def _top_matters(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """Moving the only relevant page up by one rank should be worth more at the top."""
    scored = set(lists)
    for page in {page for ranked in lists for page in ranked if any(page)}:
        for k in (0, 1):
            first, second, third = [(NOTHING,) * (k + n) + (page,) for n in range(3)]
            if {first, second, third} <= scored:
                yield [first, third], [second, second]


def more(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """Another relevant page at the end should be worth something."""
    for ranked in lists:
        if ranked and any(ranked[-1]):
            yield [ranked], [ranked[:-1]]


def _junk_costs(lists: Sequence[List], p: Sequence[float]) -> Pairs:
    """A page that is relevant to nothing should make a list worse."""
    scored = set(lists)
    for ranked in lists:
        if (*ranked, NOTHING) in scored:
            yield [ranked], [(*ranked, NOTHING)]


def enough(metric: str | BaseMetric, most: int = MOST) -> int | None:
    """Return after how many pages for the likelier intent, .9 to .1, the other comes next; None: never."""
    pairs = [((FILM,) * n + (BOOK,), (FILM,) * (n + 1)) for n in range(1, most + 1)]
    lists: list[List] = [ranked for pair in pairs for ranked in pair]
    view = seen((0.9, 0.1), {FILM: most + 5, BOOK: most + 5}, lists, _kind(str(metric)))
    at = scores(metric, lists, view, most + 5)
    return next((n for n, (a, b) in enumerate(pairs, 1) if at[a] > at[b] + CLOSE), None)


def _against_one(metric: str | BaseMetric, counts: Sequence[int]) -> list[float]:
    """Return by how much one page at rank 1 beats n pages behind n others, for each n."""
    far: list[List] = [(NOTHING,) * n + (FILM,) * n for n in counts]
    view = seen((1.0, 0.0), {FILM: max(counts), NOTHING: max(counts)}, [(FILM,), *far], _kind(str(metric)))
    at = scores(metric, [(FILM,), *far], view, 2 * max(counts))
    return [at[FILM,] - at[ranked] for ranked in far]


def _sign(difference: float) -> str:
    return "keeps" if difference > CLOSE else "blind" if difference > -CLOSE else "breaks"


ON_LISTS = {
    "better first": better_first, "top matters": _top_matters, "more": more, "junk costs": _junk_costs,
    "fresh": fresh, "less each time": _less_each_time, "richer": richer, "likely first": _likely_first,
}  # fmt: skip
ORDER = ["keeps", "blind", "breaks"]
ELEVEN = [
    "better first", "top matters", "too far", "near enough", "more", "junk costs", "fresh", "less each time",
    "enough", "richer", "likely first",
]  # fmt: skip


@cache
def on_all(metric: str | BaseMetric) -> dict[str, str]:
    """Return a metric's verdict on each of the eleven axioms."""
    of = {name: verdict(metric, axiom)[0] for name, axiom in ON_LISTS.items()}
    of["too far"] = _sign(_against_one(metric, DEPTHS)[-1])
    of["near enough"] = _sign(-min(_against_one(metric, FEW)))
    of["enough"] = "breaks" if enough(metric) is None else "keeps"
    return {name: of[name] for name in ELEVEN}


@cache
def table() -> pd.DataFrame:
    """Return the verdict on each of the 18 metrics, a column per axiom."""
    return pd.DataFrame({name: on_all(name) for name in EVERYBODY}).T


def with_grades(metrics: Sequence[str | BaseMetric] = EVERYBODY) -> pd.Series:
    """Return the verdict of *fresh* on each metric for equally likely intents and pages of two grades."""
    p, copies = GRADED_EVEN
    lists = _lists_of(copies)
    all_scores = [scores(each, lists, seen(p, copies, lists, _kind(str(each)))) for each in metrics]
    return pd.Series([_verdict(_cases(at, fresh, p))[0] for at in all_scores], list(map(str, metrics)))


def _on_other_pools(metric: str | BaseMetric) -> list[tuple[str, str]]:
    """Return the axioms that can be tried on each of the other pools, with a metric's verdict there."""
    found = []
    for p, copies, longest in MORE_POOLS.values():
        lists = _lists_of(copies, longest)
        at = scores(metric, lists, seen(p, copies, lists, _kind(str(metric))), longest)
        tried = {word: _cases(at, axiom, p) for word, axiom in ON_LISTS.items()}
        found += [(word, _verdict(cases)[0]) for word, cases in tried.items() if cases]
    return found


@cache
def changed() -> tuple[int, int, list[str]]:
    """Return the number of lists of other pools, of verdicts on them, and those worse than in the table."""
    found = [(name, word, now) for name in EVERYBODY for word, now in _on_other_pools(name)]
    worse = [
        f"{name}, {word}: {now}"
        for name, word, now in found
        if ORDER.index(now) > ORDER.index(on_all(name)[word])
    ]
    return sum(len(_lists_of(pool[1], pool[2])) for pool in MORE_POOLS.values()), len(found), worse


def keeps_on_other_pools(metric: BaseMetric) -> bool:
    """Return whether a metric keeps all axioms that can be tried on other pools."""
    return {now for _, now in _on_other_pools(metric)} == {"keeps"}


def marked(verdicts_: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a mark for each verdict."""
    marks = verdicts_.replace({"keeps": "●", "blind": "○", "breaks": "✗"})
    return marks.rename(index={name: f"{name} (navigational)" for name in FOR_ONE_PAGE})


def people(pairs_of: str = "all") -> pd.DataFrame:
    """Return how many axioms metrics keep and break, beside tau with people for diversity and relevance."""
    agreed = dm.datasets.sakaizeng2019_agreement()
    agreed = agreed[agreed["pairs_of"] == pairs_of].pivot(index="metric", columns="question", values="tau")
    names = {"I-rec": "S-recall", "RBU(phi=0.99)": "RBU", "RBP-IA(phi=0.99)": "RBP-IA"}
    counts = pd.DataFrame({word: (table() == word).sum(axis=1) for word in ("keeps", "breaks")})
    beside = counts.join(agreed.rename(names), how="inner")
    return beside.sort_values("diversity", ascending=False)


def with_people() -> pd.DataFrame:
    """Return Kendall's tau, and its p, between axioms and people, for all ways to count and to ask."""
    stats = import_optional("scipy.stats", "the test of tau")
    kinds = {"all": ELEVEN, "diversity": ELEVEN[6:], "relevance": ELEVEN[:6]}
    rows = []
    for pairs_of, (kind, axioms) in product(("all", "high agreement"), kinds.items()):
        kept, broken = ((table()[axioms] == word).sum(axis=1) for word in ("keeps", "breaks"))
        agreed = people(pairs_of)
        for question, count in product(("diversity", "relevance"), (kept, -broken, kept - broken)):
            found = stats.kendalltau(count[agreed.index], agreed[question])
            rows.append({"question": question, "axioms": kind, "tau": found[0], "p": found[1]})
    return pd.DataFrame(rows)


# -- the exercises ------------------------------------------------------------------------------------------


@cache
def _by_hand() -> float:
    even = on_pools("AP-IA")["even"]
    return even[FILM, FILM] - even[FILM, BOOK]


@Check.number(-1, 1, decimals=4)
def margin(answer: float) -> bool | str:
    """Check exercise 1 of lesson 21: by how much AP-IA breaks an axiom."""
    right = _by_hand()
    slips = {2 * right: "is the probability in it?", 4 * right: "is N in it?"}
    return compare(answer, right, slips, within=1e-6, near=CLOSE)


why_1 = "c_2 is larger for the intent that has been served."


@Check.several([range(1, 61)] * 2, make=tuple)
def rare_first(answer: tuple[int, int]) -> bool | str:
    """Check exercise 2 of lesson 21: when nDCG-IA prefers a page for the rare intent."""
    pages, cutoff = answer
    view = seen((0.9, 0.1), {FILM: pages, BOOK: 1}, [(FILM,), (BOOK,)], "informational")
    at = scores("nDCG-IA", [(FILM,), (BOOK,)], view, cutoff)
    return at[BOOK,] > at[FILM,] or f"film earns {at[FILM,]:.3f}, book {at[BOOK,]:.3f}"


why_2 = "A rare intent with one relevant page can come first."


def keeps_all(metric: str | BaseMetric) -> bool | str:
    """Check exercise 3 of lesson 21: a metric that keeps all eleven axioms, in longer lists, too."""
    of = on_all(metric)
    wrong = [f"{name}: {of[name]}" for name in ELEVEN if of[name] != "keeps"]
    if wrong:
        return "; ".join(wrong)
    film = films(metric)
    fall = next((n for n, (a, b) in enumerate(pairwise(film), 2) if b - a < CLOSE), None)
    return fall is None or f"on our pools, yes; but in a list of film pages, page {fall} adds nothing"


def charging(cost: float, phi: float) -> BaseMetric:
    """Return a metric that pays as iRBU-IA and charges for the pages that serve nothing."""
    return _charging(cost, phi, "satisfied * unsatisfied_before")


def fading(cost: float, alpha: float, phi: float = 0.99) -> BaseMetric:
    """Return a metric whose gain fades by alpha each time an intent is served; it charges for junk, too."""
    return _charging(cost, phi, f"gain * {1 - alpha} ** seen_before")


def _charging(cost: float, phi: float, pays: str) -> BaseMetric:
    junk = f"{cost} * listed * (over_intents(relevant) == 0)"
    row = cast(Metric, dm.metric(f"iRBU-IA(phi={phi})"))
    return replace(row, M=WrittenUtility(f"{pays} - {junk}"))


def films(metric: str | BaseMetric, most: int = 10) -> list[float]:
    """Return the scores of lists of 1, 2, ... film pages."""
    lists: list[List] = [(FILM,) * n for n in range(1, most + 1)]
    view = seen((0.5, 0.5), {FILM: most, BOOK: 1}, lists, "informational")
    at = scores(metric, lists, view, most)
    return [at[ranked] for ranked in lists]


why_3 = "On these lists the eleven are not in conflict. Which of them do your readers want?"
