"""Assignment 2, ERR-IA and alpha-nDCG: what is right, what is known to be wrong, and the rubric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

import divmetrics as dm
from course.grading.assignment import Assignment, Question, Values, Written, Wrong
from course.grading.judge import lists
from course.grading.ps1 import row
from divmetrics.core import view_lists
from divmetrics.core.ties import ANSWER, TIE
from divmetrics.flips import Flip
from divmetrics.flips.edits import fewest_moves
from divmetrics.parts import GreedyIdeal, IdealIdeal, Novelty, Probability

DEPTH = 5
MARGIN = 0.01  # by which each of two metrics has to prefer another list
MOVES = 2  # the fewest that do it, on data that may be given out
ERR_IA = row(f"ERR-IA@{DEPTH}")


# ------------------------------------------------------------------------ functions on arrays

CASES: list[list[list[int]]] = [  # grades by intent and rank
    [[2, 0, 1, 2, 1], [0, 1, 1, 0, 2], [1, 1, 0, 0, 0]],
    [[1, 3, 0, 2], [0, 0, 0, 0], [2, 2, 3, 1], [0, 1, 1, 1], [3, 0, 3, 3]],
    [[0, 0, 1, 0, 1, 1], [1, 1, 1, 1, 1, 1]],
    [[1, 0, 2], [2, 2, 1], [0, 1, 1]],
    [[4], [0]],
    [[1, 2, 0, 1, 1, 2, 2]],
]
TOPS = (2, 4, 1, 3, 4, 2)
ALPHAS = (0.5, 0.3, 0.8, 1.0, 0.25, 0.1)


def with_own(mine: Any, cases: list[list[Any]], last: float) -> list[list[Any]]:
    """Those cases, and the student's own lists."""
    return [*cases, *([mine.grades(ranked).tolist(), last] for ranked in (mine.a, mine.b))]


def cascades(mine: Any) -> list[list[Any]]:
    """The cases of the first function."""
    return with_own(mine, [list(case) for case in zip(CASES, TOPS, strict=True)], 2)


def novelties(mine: Any) -> list[list[Any]]:
    """The cases of the second function."""
    return with_own(mine, [list(case) for case in zip(CASES, ALPHAS, strict=True)], mine.alpha)


def placed(table: Any) -> Any:
    """A table as values by row and column."""
    return {place: float(value) for place, value in np.ndenumerate(np.asarray(table))}


def seen(grades: list[list[int]], top: int) -> dm.RankedList:
    """A list with these grades, on a scale up to `top`."""
    topic = dm.Topic("case", tuple(dm.Intent(f"t{i}", 1 / len(grades)) for i in range(len(grades))))
    judged: dict[str, Any] = {
        f"d{k}": {f"t{i}": grade for i, grade in enumerate(column) if grade}
        for k, column in enumerate(zip(*grades, strict=True))
    }
    return dm.RankedList(topic, list(judged), dm.Pool.of(topic, judged, scale=top))


def cascaded(mine: Any) -> Values:
    """M of ERR-IA on its cases."""
    M = row("ERR-IA").M
    return {
        n: placed(M(view_lists([seen(grades, top)]))[0, 0]) for n, (grades, top) in enumerate(cascades(mine))
    }


def novel(mine: Any) -> Values:
    """M of alpha-nDCG on its cases."""
    return {
        n: placed(Novelty(alpha)(view_lists([seen(grades, max(map(max, grades)))]))[0, 0])
        for n, (grades, alpha) in enumerate(novelties(mine))
    }


def slips(
    cases: Callable[[Any], list[list[Any]]], function: str, bodies: dict[str, tuple[str, str]]
) -> tuple[Wrong, ...]:
    """Functions that are known to be wrong: what each tells, and its body, with g for the grades."""

    def made(name: str, says: str, body: str) -> Wrong:
        code = f"import numpy as np\ndef {function}(g, x):\n    {body}"

        def value(mine: Any) -> Values:
            names: dict[str, Any] = {}
            exec(code, names)
            given = enumerate(cases(mine))
            return {n: placed(names[function](np.array(grades), second)) for n, (grades, second) in given}

        return Wrong(name, value, says, code)

    return tuple(made(name, says, body) for name, (says, body) in bodies.items())


def left(R: str) -> str:
    """The beginning of a body: R, and the share of readers whom nothing above has satisfied."""
    return f"R = {R}; one = np.ones((len(g), 1)); left = np.cumprod(np.c_[one, 1 - R[:, :-1]], axis=1); "


SATISFIED = left("(2.0**g - 1) / 2.0**x")
ERR_SLIPS = {
    "denominator": (
        "that divides by 2^Y - 1 in R(g); the library divides by 2^Y",
        left("(2.0**g - 1) / (2.0**x - 1)") + "return R * left",
    ),
    "own scale": (
        "that takes the highest grade of the list for Y; Y is that of the scale",
        left("(2.0**g - 1) / 2.0**g.max()") + "return R * left",
    ),
    "linear": ("that takes g / Y for R(g)", left("g / x") + "return R * left"),
    "no cascade": ("that forgets that satisfied readers leave", SATISFIED + "return R"),
    "itself": (
        "the product runs over the documents above, not over this one",
        SATISFIED + "return R * left * (1 - R)",
    ),
    "one above": (
        "that looks at one document above; all of them count",
        SATISFIED + "return R * np.c_[one, 1 - R[:, :-1]]",
    ),
    "along the intents": (
        "the product runs along the wrong axis, over the intents",
        SATISFIED + "return R * np.cumprod(np.r_[np.ones((1, R.shape[1])), 1 - R[:-1]], axis=0)",
    ),
    "all readers": (
        "a reader leaves only where her own intent is served",
        SATISFIED + "return R * np.cumprod(np.r_[1.0, 1 - R.max(axis=0)[:-1]])",
    ),
    "discounted": (
        "that is divided by the rank, which is no part of M",
        SATISFIED + "return R * left / np.arange(1, R.shape[1] + 1)",
    ),
}
COUNTED = "r = (g > 0) * 1.0; c = np.cumsum(r, axis=1) - r; "
NOVELTY_SLIPS = {
    "alpha for 1 - alpha": (
        "that is alpha to the power of c; what a document leaves is 1 - alpha",
        COUNTED + "return r * float(x) ** c",
    ),
    "always a half": ("that takes 0.5 for alpha, whatever is given", COUNTED + "return r * 0.5**c"),
    "itself": (
        "c counts the documents above, not this one",
        COUNTED + "return r * (1.0 - x) ** (c + r)",
    ),
    "not relevant": (
        "a document that does not serve an intent adds nothing for it",
        COUNTED + "return (1.0 - x) ** c",
    ),
    "grades": (
        "that multiplies by the grade; only whether a document is relevant counts",
        COUNTED + "return g * (1.0 - x) ** c",
    ),
    "grades above": (
        "c adds up grades; it counts relevant documents",
        COUNTED + "return r * (1.0 - x) ** (np.cumsum(g, axis=1) - g)",
    ),
    "ranks above": (
        "c counts all ranks above; only documents that serve the same intent count",
        COUNTED + "return r * (1.0 - x) ** np.arange(g.shape[1])",
    ),
    "any intent": (
        "c counts the documents above that serve any intent; only the same intent counts",
        COUNTED + "s = r.max(axis=0); return r * (1.0 - x) ** (np.cumsum(s) - s)",
    ),
    "once": (
        "that lets an intent's second document add nothing, whatever alpha is",
        COUNTED + "return r * (c == 0)",
    ),
    "a coin": (
        "that has the factor alpha, which all documents share and M leaves out",
        COUNTED + "return x * r * (1.0 - x) ** c",
    ),
}


# ------------------------------------------------------------------------ scores and the greedy list


def alpha_dcg(mine: Any, **parts: Any) -> dm.Metric:
    """alpha-DCG@5 with the student's alpha, and with other parts where they are given."""
    return replace(row(f"alpha-DCG(alpha={mine.alpha})@{DEPTH}"), **parts)


def alpha_ndcg(mine: Any) -> dm.Metric:
    """alpha-nDCG@5 with the student's alpha and the greedy ideal."""
    return alpha_dcg(mine, N=GreedyIdeal())


def of_both(metric: Callable[[Any], dm.Metric], factor: Callable[[Any], float] = lambda mine: 1.0) -> Any:
    """The scores of A and B by their names."""

    def value(mine: Any) -> Values:
        scores = metric(mine).scores(view_lists([mine.a, mine.b]))[0]
        return dict(zip("AB", (scores * factor(mine)).tolist(), strict=True))

    return value


def at_ranks(w: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], dm.Metric]:
    """alpha-DCG with another discount, a function of the ranks from 1."""
    return lambda mine: alpha_dcg(mine, w=lambda view: w(np.arange(1, view.depth + 1.0)))


def greedy(row: dm.Metric, mine: Any, ties: str = "ascending") -> list[str]:
    """The documents that greedy takes from all that were judged."""
    pool = mine.a.judgments
    order = GreedyIdeal(ties=ties).order(view_lists([mine.a]).judged, row)  # type: ignore[arg-type]
    return [pool.docs[place] for place in np.ravel(order)[:DEPTH]]


def best_list(mine: Any) -> list[str]:
    """What alpha-nDCG@5 divides by."""
    return greedy(alpha_dcg(mine), mine)


def by_intents(mine: Any) -> list[str]:
    """The documents that serve the most intents, by name where they serve as many."""
    return sorted(mine.judged, key=lambda doc: (-len(mine.judged[doc]), doc))[:DEPTH]


def of_own(mine: Any) -> list[str]:
    """Greedy, from the documents of list A alone."""
    alone = {doc: mine.judged[doc] for doc in mine.a.docs}
    pool = dm.Pool.of(mine.topic, alone, scale=mine.a.judgments.scale)
    inside = dm.RankedList(mine.topic, mine.a.docs, pool)
    order = GreedyIdeal().order(view_lists([inside]).judged, alpha_dcg(mine))
    return [pool.docs[place] for place in np.ravel(order)[:DEPTH]]


def turned_alpha(mine: Any) -> dm.Metric:
    """alpha in the place of 1 - alpha."""
    return alpha_dcg(mine, M=Novelty(1 - mine.alpha))


def divided_by(docs: Callable[[Any], list[str]]) -> Callable[[Any], Values]:
    """alpha-DCG over that of another list than the greedy one."""
    return of_both(alpha_dcg, lambda mine: 1 / alpha_dcg(mine).score(mine.a.reordered(docs(mine))))


def each_by_its_own(mine: Any) -> Values:
    """alpha-DCG over that of the best order of the same documents."""
    scores = of_both(alpha_dcg)(mine)
    for ranked in (mine.a, mine.b):
        orders = view_lists([ranked.reordered(docs) for docs in permutations(ranked.docs)])
        scores[ranked.run] /= float(alpha_dcg(mine).scores(orders).max())
    return scores


# ------------------------------------------------------------------------ two lists that part the metrics

Pair = dict[Any, Any]  # the documents of A and of B


@dataclass(frozen=True)
class Pages:
    """Every order of list A beside every order of list B, (order of A, order of B).

    margins : ERR-IA of A less that of B, and alpha-nDCG of B less that of A
    moves : the fewest that make these orders
    """

    orders: tuple[tuple[int, ...], ...]
    margins: tuple[np.ndarray, np.ndarray]
    moves: np.ndarray

    def parted(self, margin: float) -> np.ndarray:
        """Where ERR-IA prefers A and alpha-nDCG prefers B, each by so much."""
        first, second = (margins >= margin for margins in self.margins)
        return first & second


@lru_cache(maxsize=8)
def pages(mine: Any) -> Pages:
    """All pages that moves can make of a student's lists."""
    orders = tuple(permutations(range(DEPTH)))
    lists = [
        ranked.reordered([ranked.docs[k] for k in order]) for ranked in (mine.a, mine.b) for order in orders
    ]
    view = view_lists(lists)
    err, alpha = (np.split(metric.scores(view)[0], 2) for metric in (ERR_IA, alpha_ndcg(mine)))
    names = [str(k) for k in range(DEPTH)]
    moves = np.array([fewest_moves(names, [names[k] for k in order]) for order in orders])
    margins = err[0][:, None] - err[1], alpha[1] - alpha[0][:, None]
    return Pages(orders, margins, moves[:, None] + moves)


def made(mine: Any, wanted: Callable[[Pages], np.ndarray]) -> Pair:
    """Of the pages that are wanted the first that takes the fewest moves."""
    all_pages = pages(mine)
    places = np.where(wanted(all_pages), all_pages.moves, DEPTH * DEPTH)
    chosen = np.unravel_index(places.argmin(), places.shape)
    return {
        ranked.run: [ranked.docs[k] for k in all_pages.orders[order]]
        for ranked, order in zip((mine.a, mine.b), chosen, strict=True)
    }


def parted(mine: Any) -> Pair:
    """A pair that is right, with room on every side."""
    return made(mine, lambda pages: pages.parted(MARGIN + 10 * ANSWER))


def by_more_moves(mine: Any) -> Pair:
    """A pair that parts them in more moves than it takes."""
    return made(mine, lambda pages: pages.parted(MARGIN + 10 * ANSWER) & (pages.moves > MOVES))


def smallest_flip(mine: Any) -> Pair:
    """What the library finds when it is asked for a flip alone, without a margin."""
    found = dm.flip(alpha_ndcg(mine), mine.a, mine.b, keep=ERR_IA, edits=MOVES, grades=False)
    after = found.after if isinstance(found, Flip) else found.before
    return {ranked.run: list(ranked.docs) for ranked in after}


def as_they_are(mine: Any) -> Pair:
    """No move at all."""
    return {ranked.run: list(ranked.docs) for ranked in (mine.a, mine.b)}


def other_way(mine: Any) -> Pair:
    """A and B in each other's place."""
    pair = parted(mine)
    return {"A": pair["B"], "B": pair["A"]}


def strange(mine: Any) -> Pair:
    """A document in A that is in none of the lists."""
    pair = parted(mine)
    return {**pair, "A": [*pair["A"][:-1], "d0"]}


def err_flipped(mine: Any) -> Pair:
    """ERR-IA has changed its mind, too."""
    return made(mine, lambda pages: (pages.margins[0] < -10 * ANSWER) & (pages.margins[1] > MARGIN))


OTHERS = "other documents than A and B have; documents only change places in their list"
ERR_THIN = "ERR-IA@5 is not ahead by that much for A"
ALPHA_THIN = "alpha-nDCG@5, with your alpha, is not ahead by that much for B"
TOO_MANY = "the metrics part, but fewer moves do it, too"


def problem(mine: Any, pair: Pair, few: bool) -> str:
    """What is wrong with two lists, as the end of a sentence; nothing where they are right."""
    both = (mine.a, mine.b)
    if any(sorted(pair[ranked.run]) != sorted(ranked.docs) for ranked in both):
        return OTHERS
    all_pages = pages(mine)
    orders = (tuple(map(ranked.docs.index, pair[ranked.run])) for ranked in both)
    place = tuple(map(all_pages.orders.index, orders))
    for margins, says in zip(all_pages.margins, (ERR_THIN, ALPHA_THIN), strict=True):
        if margins[place] < MARGIN - ANSWER:
            return says
    return TOO_MANY if few and all_pages.moves[place] > MOVES else ""


def judged(few: bool) -> Callable[[Any, Any, list[Any]], tuple[float, str]]:
    """The verdict on a pair of lists."""

    def verdict(mine: Any, value: Any, results: list[Any]) -> tuple[float, str]:
        says = problem(mine, lists(value, ["A", "B"]), few)
        return (0.0, f"Not right: {says}.") if says else (1.0, "Right.")

    return verdict


PAIR_SLIPS = (
    Wrong("as they are", as_they_are, ALPHA_THIN),
    Wrong("too thin", smallest_flip, "by that much"),
    Wrong("ERR-IA flipped", err_flipped, ERR_THIN),
    Wrong("other documents", strange, OTHERS),
)


# ------------------------------------------------------------------------ which data may be given out


def sound(mine: Any) -> bool:
    """Whether a draw can be asked with: greedy meets no tie, and the lab's task takes two moves.

    A tie shows in another list when ties are taken the other way round.
    """
    scores = of_both(lambda mine: ERR_IA)(mine), of_both(alpha_dcg)(mine)
    if any(of["A"] - of["B"] < MARGIN for of in scores) or sorted(mine.a.docs) == sorted(mine.b.docs):
        return False
    ideal = best_list(mine)
    # At rank 2 greedy passes over the document that serves the most intents of those left.
    if ideal != greedy(alpha_dcg(mine), mine, "descending") or ideal[1] == by_intents(mine)[1]:
        return False
    all_pages = pages(mine)
    few = all_pages.moves <= MOVES
    flipped = (all_pages.margins[0] < -10 * ANSWER) & (all_pages.margins[1] > MARGIN)
    return bool(
        (all_pages.parted(MARGIN + 10 * ANSWER) & few).any()
        and (all_pages.parted(MARGIN + 10 * ANSWER) & ~few).any()
        and not (all_pages.parted(TIE) & (all_pages.moves < MOVES)).any()
        and flipped.any()
        and problem(mine, smallest_flip(mine), few=False)
    )


QUESTIONS = (
    Question("q1", cascaded, slips(cascades, "M_ERR", ERR_SLIPS), cases=cascades),
    Question("q2", novel, slips(novelties, "M_alpha", NOVELTY_SLIPS), cases=novelties),
    Question(
        "q3",
        of_both(alpha_dcg),
        (
            Wrong(
                "natural logarithm",
                of_both(at_ranks(lambda k: 1 / np.log(k + 1))),
                "that has the natural logarithm; without a divisor its base shows, and it is 2",
            ),
            Wrong(
                "log2 of k",
                of_both(at_ranks(lambda k: 1 / np.maximum(np.log2(k), 1))),
                "that has 1/log2(k); the discount is 1/log2(k+1)",
            ),
            Wrong("reciprocal", of_both(at_ranks(lambda k: 1 / k)), "that has ERR-IA's discount 1/k"),
            Wrong("no discount", of_both(at_ranks(np.ones_like)), "the discount is missing"),
            Wrong("normalised", of_both(alpha_ndcg), "that is alpha-nDCG; alpha-DCG is not divided"),
            Wrong(
                "weighted",
                of_both(lambda mine: alpha_dcg(mine, f=Probability())),
                "that weights the intents by their probabilities; here all count alike",
            ),
            Wrong(
                "another alpha",
                of_both(lambda mine: row(f"alpha-DCG@{DEPTH}")),
                "that has alpha = 0.5; yours is another",
            ),
            Wrong(
                "alpha for 1 - alpha",
                of_both(turned_alpha),
                "that has alpha in the place of 1 - alpha",
            ),
            Wrong(
                "itself",
                of_both(alpha_dcg, lambda mine: 1 - mine.alpha),
                "c counts the documents above, not this one",
            ),
        ),
        names=lambda mine: (["A", "B"],),
    ),
    Question(
        "q4",
        best_list,
        (
            Wrong(
                "most intents",
                by_intents,
                "these serve the most intents; greedy asks what a document adds to those above",
            ),
            Wrong(
                "ERR-IA",
                lambda mine: greedy(ERR_IA, mine),
                "that is greedy for ERR-IA; alpha-nDCG has an ideal of its own",
            ),
            Wrong(
                "alpha for 1 - alpha",
                lambda mine: greedy(turned_alpha(mine), mine),
                "that has alpha in the place of 1 - alpha",
            ),
            Wrong(
                "of A", of_own, "that orders the documents of A; the ideal is made of all that were judged"
            ),
        ),
    ),
    Question(
        "q5",
        of_both(alpha_ndcg),
        (
            Wrong("not divided", of_both(alpha_dcg), "that is alpha-DCG; alpha-nDCG divides it"),
            Wrong(
                "another alpha",
                of_both(lambda mine: row(f"alpha-nDCG@{DEPTH}")),
                "that has alpha = 0.5; yours is another",
            ),
            Wrong(
                "most intents",
                divided_by(by_intents),
                "that divides by the list of those that serve the most intents, which is not the greedy one",
            ),
            Wrong(
                "all intents",
                of_both(lambda mine: alpha_dcg(mine, N=IdealIdeal(mine.alpha))),
                "that divides by a list whose every document serves every intent; there is none",
            ),
            Wrong(
                "each by its own",
                each_by_its_own,
                "that divides each list by the best order of its own documents; both have the same ideal",
            ),
        ),
        names=lambda mine: (["A", "B"],),
    ),
    Question(
        "q6",
        parted,
        (*PAIR_SLIPS, Wrong("the other way round", other_way, OTHERS)),
        judged=judged(few=False),
    ),
    Question(
        "q7", parted, (*PAIR_SLIPS, Wrong("too many moves", by_more_moves, TOO_MANY)), judged=judged(few=True)
    ),
)

BY_LIBRARY = {
    "q1": """
import numpy as np
def M_ERR(grades, top):
    R = (2.0**grades - 1) / 2**top
    above = np.c_[np.ones(len(R)), 1 - R[:, :-1]]
    return R * np.cumprod(above, axis=1)""",
    "q2": """
def M_alpha(grades, alpha):
    relevant = (grades > 0).astype(int)
    above = np.cumsum(relevant, axis=1) - relevant
    return relevant * (1 - alpha) ** above""",
    "q3": """
metric = dm.metric(f"alpha-DCG(alpha={mine.alpha})@5")
alpha_DCG = pd.Series({"A": metric.score(mine.a), "B": metric.score(mine.b)})""",
    "q4": """
metric = dm.metric(f"alpha-DCG(alpha={mine.alpha})@5")
ideal = []
for rank in range(5):
    left = [doc for doc in mine.judged if doc not in ideal]
    ideal.append(max(left, key=lambda doc: metric.score(mine.a.reordered([*ideal, doc]))))""",
    "q5": """
metric = dm.metric(f"alpha-nDCG(alpha={mine.alpha})@5")
alpha_nDCG = {"A": metric.score(mine.a), "B": metric.score(mine.b)}""",
    "q6": """
from itertools import permutations
from divmetrics.core import view_lists
def scores(ranked):
    orders = list(permutations(ranked.docs))
    seen = view_lists([ranked.reordered(docs) for docs in orders])
    names = "ERR-IA@5", f"alpha-nDCG(alpha={mine.alpha})@5"
    err, novelty = (dm.metric(name).scores(seen)[0] for name in names)
    return {docs: (err[n], novelty[n]) for n, docs in enumerate(orders)}
of_a, of_b = scores(mine.a), scores(mine.b)
def parts(a, b):
    return of_a[a][0] - of_b[b][0] >= 0.01 and of_b[b][1] - of_a[a][1] >= 0.01
a, b = next((a, b) for a in of_a for b in of_b if parts(a, b))
pair = {"A": list(a), "B": list(b)}""",
    "q7": """
def after_one_move(docs):
    for start in range(5):
        left = [*docs[:start], *docs[start + 1 :]]
        for end in range(5):
            yield (*left[:end], docs[start], *left[end:])
one = [(a, mine.b.docs) for a in after_one_move(mine.a.docs)]
one += [(mine.a.docs, b) for b in after_one_move(mine.b.docs)]
two = [(x, b) for a, b in one for x in after_one_move(a)]
two += [(a, x) for a, b in one for x in after_one_move(b)]
a, b = next(pages for pages in [*one, *two] if parts(*pages))
fewest = [list(a), list(b)]""",
}
BY_HAND = {
    "q1": """
def M_ERR(grades, top):
    table = []
    for row in grades:
        reading = 1.0
        table.append([])
        for grade in row:
            R = (2 ** int(grade) - 1) / 2**top
            table[-1].append(round(reading * R, 6))
            reading *= 1 - R
    return table""",
    "q2": """
def M_alpha(grades, alpha):
    table = pd.DataFrame(grades)
    for i in table.index:
        interest = 1.0
        for k in table.columns:
            served = table.loc[i, k] > 0
            table[k] = table[k].astype(float)
            table.loc[i, k] = interest if served else 0.0
            interest *= 1 - alpha if served else 1
    return table""",
    "q3": """
from math import log2
def dcg(docs):
    interest, total = dict.fromkeys([intent.id for intent in mine.topic.intents], 1.0), 0.0
    for k, doc in enumerate(docs, 1):
        for intent in mine.judged[doc]:
            total += interest[intent] / log2(k + 1)
            interest[intent] *= 1 - mine.alpha
    return total
alpha_DCG = [round(dcg(mine.a.docs), 6), round(dcg(mine.b.docs), 6)]""",
    "q4": """
import numpy as np
chosen, interest = [], {intent.id: 1.0 for intent in mine.topic.intents}
while len(chosen) < 5:
    adds = {doc: sum(interest[i] for i in served) for doc, served in mine.judged.items() if doc not in chosen}
    chosen.append(sorted(adds, key=adds.get)[-1])
    for i in mine.judged[chosen[-1]]:
        interest[i] *= 1 - mine.alpha
ideal = np.array(chosen)""",
    "q5": """
from math import log2
def dcg(docs):
    interest, total = dict.fromkeys([intent.id for intent in mine.topic.intents], 1.0), 0.0
    for k, doc in enumerate(docs, 1):
        for intent in mine.judged[doc]:
            total += interest[intent] / log2(k + 1)
            interest[intent] *= 1 - mine.alpha
    return total
alpha_nDCG = np.float32([dcg(mine.a.docs), dcg(mine.b.docs)]) / np.float32(dcg(ideal))""",
    "q6": """
from itertools import permutations
from math import log2
def scores(docs):
    reading = {intent.id: intent.probability for intent in mine.topic.intents}
    interest, ERR, DCG = dict.fromkeys(reading, 1.0), 0.0, 0.0
    for k, doc in enumerate(docs, 1):
        for i, grade in mine.judged[doc].items():
            R = (2**grade - 1) / 4
            ERR, DCG = ERR + reading[i] * R / k, DCG + interest[i] / log2(k + 1)
            reading[i], interest[i] = reading[i] * (1 - R), interest[i] * (1 - mine.alpha)
    return ERR, DCG
N = scores(ideal)[1]
ways = [{docs: scores(docs) for docs in permutations(ranked.docs)} for ranked in (mine.a, mine.b)]
rooms = {
    (a, b): min(x - u, (v - y) / N) for a, (x, y) in ways[0].items() for b, (u, v) in ways[1].items()
}
pair = pd.DataFrame(max(rooms, key=rooms.get), ["A", "B"]).T""",
    "q7": """
def in_order(old, new):  # the longest part of a list that stays in its order
    longest = []
    for n, doc in enumerate(new):
        before = [longest[m] for m in range(n) if old.index(new[m]) < old.index(doc)]
        longest.append(1 + max(before, default=0))
    return max(longest)
enough = [both for both, room in rooms.items() if room >= 0.01]
fewest = max(enough, key=lambda both: in_order(mine.a.docs, both[0]) + in_order(mine.b.docs, both[1]))""",
}

ASSIGNMENT = Assignment(
    name="ps2",
    title="ERR-IA and alpha-nDCG",
    minutes=150,
    goals=(
        "write the marginal utility of two metrics from their formulas",
        "build the list that alpha-nDCG divides by",
        "find two lists on which two metrics disagree, say why, and for whom each list is",
    ),
    questions=QUESTIONS,
    written=(
        Written(
            "w1",
            (
                (0.5, "names both documents, and gives what each adds at rank 2 under the student's alpha"),
                (
                    0.5,
                    "says which intents of the passed-over one rank 1 has served, and what is left of them",
                ),
                (0.5, "writes the inequality, and gets that greedy takes the other one below alpha = 1/2"),
            ),
        ),
        Written(
            "w2",
            (
                (0.5, "gives the four scores of the pair and both margins"),
                (
                    0.5,
                    "proves that no single move is enough: dm.flip without grades, which is exact, "
                    "or every page that is one move away",
                ),
                (1.0, "cites the cells of ERR-IA's two tables that put A ahead, with intent and rank"),
                (1.0, "cites the cells of alpha-nDCG's two tables that put B ahead, with intent and rank"),
                (
                    1.0,
                    "names the parts that differ, with their numbers in one such cell under both metrics: "
                    "probability or 1, R and the share still there or (1 - alpha)^c, 1/k or 1/log2(k+1)",
                ),
            ),
        ),
        Written(
            "w3",
            (
                (0.5, "describes a reader or a population for whom A is the better list, with a number"),
                (0.5, "describes one for whom B is, with a number"),
                (0.5, "says what each metric takes for granted of the intents' shares and of grades"),
                (0.5, "says what the pair does not show: how often the metrics disagree on real lists"),
            ),
        ),
    ),
    solutions={"by library": BY_LIBRARY, "by hand": BY_HAND},
    sound=sound,
)
