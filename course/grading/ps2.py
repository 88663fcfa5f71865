"""Assignment 2, ERR-IA and alpha-nDCG: what is right, what is known to be wrong, and the rubric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

import divmetrics as dm
from course.grading.assignment import Assignment, Question, Values, WrittenQuestion, WrongAnswer
from course.grading.judge import lists
from course.grading.ps1 import contributions, row
from course.grading.ps2_functions import ERR_SLIPS, NOVELTY_SLIPS, cascaded, cascades, novel, novelties, slips
from course.grading.ps2_solutions import BY_HAND, BY_LIBRARY
from course.grading.tolerances import ANSWER_TOLERANCE
from divmetrics.core import batch_lists
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.parts import GreedyIdeal, Novelty, Probability, UpperBound
from divmetrics.research.counterfactual import Flip
from divmetrics.research.counterfactual.edits import fewest_moves

DEPTH = 5
MARGIN = 0.01  # by which each of two metrics has to prefer another list
MOVES = 2  # the fewest that do it, on data that may be given out
ERR_IA = row(f"ERR-IA@{DEPTH}")


# ------------------------------------------------------------------------ scores and the greedy list


def alpha_dcg(mine: Any, **parts: Any) -> dm.Metric:
    """Return alpha-DCG@5 with the student's alpha, and with other parts if they are passed."""
    return replace(row(f"alpha-DCG(alpha={mine.alpha})@{DEPTH}"), **parts)


def alpha_ndcg(mine: Any) -> dm.Metric:
    """Return alpha-nDCG@5 with the student's alpha and the greedy ideal."""
    return alpha_dcg(mine, N=GreedyIdeal())


def of_both(metric: Callable[[Any], dm.Metric], factor: Callable[[Any], float] = lambda mine: 1.0) -> Any:
    """Score A and B, by their names."""

    def value(mine: Any) -> Values:
        scores = metric(mine).scores(batch_lists([mine.a, mine.b]))[0]
        return dict(zip("AB", (scores * factor(mine)).tolist(), strict=True))

    return value


def at_ranks(w: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], dm.Metric]:
    """Compute alpha-DCG with another discount, a function of the ranks from 1."""
    return lambda mine: alpha_dcg(mine, w=lambda batch: w(np.arange(1, batch.depth + 1.0)))


def greedy(row: dm.Metric, mine: Any, ties: str = "ascending") -> list[str]:
    """Return the documents that the greedy algorithm selects from all judged ones."""
    judgments = mine.a.judgments
    order = GreedyIdeal(ties=ties).order(batch_lists([mine.a]).judged, row)  # type: ignore[arg-type]
    return [judgments.docs[place] for place in np.ravel(order)[:DEPTH]]


def best_list(mine: Any) -> list[str]:
    """Compute the denominator of alpha-nDCG@5."""
    return greedy(alpha_dcg(mine), mine)


def by_intents(mine: Any) -> list[str]:
    """Return the documents that serve the most intents, ties in the order of their names."""
    return sorted(mine.judged, key=lambda doc: (-len(mine.judged[doc]), doc))[:DEPTH]


def of_own(mine: Any) -> list[str]:
    """Run the greedy algorithm on the documents of list A alone."""
    alone = {doc: mine.judged[doc] for doc in mine.a.docs}
    judgments = dm.Judgments.of(mine.topic, alone, scale=mine.a.judgments.scale)
    inside = dm.RankedList(mine.topic, mine.a.docs, judgments)
    order = GreedyIdeal().order(batch_lists([inside]).judged, alpha_dcg(mine))
    return [judgments.docs[place] for place in np.ravel(order)[:DEPTH]]


def turned_alpha(mine: Any) -> dm.Metric:
    """Use alpha in the place of 1 - alpha."""
    return alpha_dcg(mine, M=Novelty(1 - mine.alpha))


def divided_by(docs: Callable[[Any], list[str]]) -> Callable[[Any], Values]:
    """Divide alpha-DCG by that of another list than the greedy one."""
    return of_both(alpha_dcg, lambda mine: 1 / alpha_dcg(mine).score(mine.a.reordered(docs(mine))))


def each_by_its_own(mine: Any) -> Values:
    """Divide alpha-DCG by that of the best order of the same documents."""
    scores = of_both(alpha_dcg)(mine)
    for ranked in (mine.a, mine.b):
        orders = batch_lists([ranked.reordered(docs) for docs in permutations(ranked.docs)])
        scores[ranked.run] /= float(alpha_dcg(mine).scores(orders).max())
    return scores


# ------------------------------------------------------------------------ two lists that part the metrics

Pair = dict[Any, Any]  # the documents of A and of B


@dataclass(frozen=True)
class Pages:
    """Every order of list A combined with every order of list B, (order of A, order of B).

    margins : ERR-IA of A less that of B, and alpha-nDCG of B less that of A
    moves : the smallest number of moves that make these orders
    """

    orders: tuple[tuple[int, ...], ...]
    margins: tuple[np.ndarray, np.ndarray]
    moves: np.ndarray

    def parted(self, margin: float) -> np.ndarray:
        """Return where ERR-IA prefers A and alpha-nDCG prefers B, each by at least a margin."""
        first, second = (margins >= margin for margins in self.margins)
        return first & second


@lru_cache(maxsize=8)
def pages(mine: Any) -> Pages:
    """Build all pages that moves can make of a student's lists."""
    orders = tuple(permutations(range(DEPTH)))
    lists = [
        ranked.reordered([ranked.docs[k] for k in order]) for ranked in (mine.a, mine.b) for order in orders
    ]
    batch = batch_lists(lists)
    err, alpha = (np.split(metric.scores(batch)[0], 2) for metric in (ERR_IA, alpha_ndcg(mine)))
    names = [str(k) for k in range(DEPTH)]
    moves = np.array([fewest_moves(names, [names[k] for k in order]) for order in orders])
    margins = err[0][:, None] - err[1], alpha[1] - alpha[0][:, None]
    return Pages(orders, margins, moves[:, None] + moves)


def page_of_fewest_moves(mine: Any, wanted: Callable[[Pages], np.ndarray]) -> Pair:
    """Return the wanted page that takes the fewest moves."""
    all_pages = pages(mine)
    places = np.where(wanted(all_pages), all_pages.moves, DEPTH * DEPTH)
    chosen = np.unravel_index(places.argmin(), places.shape)
    return {
        ranked.run: [ranked.docs[k] for k in all_pages.orders[order]]
        for ranked, order in zip((mine.a, mine.b), chosen, strict=True)
    }


def parted(mine: Any) -> Pair:
    """Return a right pair with a margin on every side."""
    return page_of_fewest_moves(mine, lambda pages: pages.parted(MARGIN + 10 * ANSWER_TOLERANCE))


def by_more_moves(mine: Any) -> Pair:
    """Return a pair that parts the metrics in more moves than necessary."""
    return page_of_fewest_moves(
        mine, lambda pages: pages.parted(MARGIN + 10 * ANSWER_TOLERANCE) & (pages.moves > MOVES)
    )


def smallest_flip(mine: Any) -> Pair:
    """Return the library's flip, found without a margin."""
    flip = dm.flip(alpha_ndcg(mine), mine.a, mine.b, keep=ERR_IA, edits=MOVES, grades=False)
    after = flip.after if isinstance(flip, Flip) else flip.before
    return {ranked.run: list(ranked.docs) for ranked in after}


def as_they_are(mine: Any) -> Pair:
    """Make no move."""
    return {ranked.run: list(ranked.docs) for ranked in (mine.a, mine.b)}


def other_way(mine: Any) -> Pair:
    """Swap A and B."""
    pair = parted(mine)
    return {"A": pair["B"], "B": pair["A"]}


def strange(mine: Any) -> Pair:
    """Put a document into A that is in none of the lists."""
    pair = parted(mine)
    return {**pair, "A": [*pair["A"][:-1], "d0"]}


def err_flipped(mine: Any) -> Pair:
    """Return a pair on which ERR-IA changes its preference, too."""
    return page_of_fewest_moves(
        mine, lambda pages: (pages.margins[0] < -10 * ANSWER_TOLERANCE) & (pages.margins[1] > MARGIN)
    )


OTHERS = "other documents than A and B have; documents only change places in their list"
ERR_THIN = "ERR-IA@5 is not ahead by that much for A"
ALPHA_THIN = "alpha-nDCG@5, with your alpha, is not ahead by that much for B"
TOO_MANY = "the metrics part, but fewer moves do it, too"


def problem(mine: Any, pair: Pair, few: bool) -> str:
    """Return what is wrong with two lists as the end of a sentence; empty if they are right."""
    both = (mine.a, mine.b)
    if any(sorted(pair[ranked.run]) != sorted(ranked.docs) for ranked in both):
        return OTHERS
    all_pages = pages(mine)
    orders = (tuple(map(ranked.docs.index, pair[ranked.run])) for ranked in both)
    place = tuple(map(all_pages.orders.index, orders))
    for margins, says in zip(all_pages.margins, (ERR_THIN, ALPHA_THIN), strict=True):
        if margins[place] < MARGIN - ANSWER_TOLERANCE:
            return says
    return TOO_MANY if few and all_pages.moves[place] > MOVES else ""


def judged(few: bool) -> Callable[[Any, Any, list[Any]], tuple[float, str]]:
    """Return the verdict on a pair of lists."""

    def verdict(mine: Any, value: Any, results: list[Any]) -> tuple[float, str]:
        says = problem(mine, lists(value, ["A", "B"]), few)
        return (0.0, f"Not right: {says}.") if says else (1.0, "Right.")

    return verdict


PAIR_SLIPS = (
    WrongAnswer("as they are", as_they_are, ALPHA_THIN),
    WrongAnswer("too thin", smallest_flip, "by that much"),
    WrongAnswer("ERR-IA flipped", err_flipped, ERR_THIN),
    WrongAnswer("other documents", strange, OTHERS),
)


# ------------------------------------------------------------------------ which data may be given out


def sound(mine: Any) -> bool:
    """Return whether a draw is usable: greedy meets no tie, and the lab's task takes two moves.

    A tie is detected by a second greedy list with ties broken in reverse.
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
    flipped = (all_pages.margins[0] < -10 * ANSWER_TOLERANCE) & (all_pages.margins[1] > MARGIN)
    return bool(
        (all_pages.parted(MARGIN + 10 * ANSWER_TOLERANCE) & few).any()
        and (all_pages.parted(MARGIN + 10 * ANSWER_TOLERANCE) & ~few).any()
        and not (all_pages.parted(TIE_TOLERANCE) & (all_pages.moves < MOVES)).any()
        and flipped.any()
        and problem(mine, smallest_flip(mine), few=False)
    )


def explained(name: str) -> Callable[[Any], pd.DataFrame]:
    """Return the contributions that A and B earn, with the factors of each."""

    def table(mine: Any) -> pd.DataFrame:
        metric = f"{name}(alpha={mine.alpha})@{DEPTH}"
        return pd.concat(
            [contributions(metric, ranked).assign(list=ranked.run) for ranked in (mine.a, mine.b)]
        )

    return table


QUESTIONS = (
    Question(
        "q1",
        cascaded,
        slips(cascades, "M_ERR", ERR_SLIPS),
        cases=cascades,
        lesson="06_the_reader_who_leaves#Leaving satisfied: ERR-IA",
    ),
    Question(
        "q2",
        novel,
        slips(novelties, "M_alpha", NOVELTY_SLIPS),
        cases=novelties,
        lesson="08_novelty#A coin for every page",
    ),
    Question(
        "q3",
        of_both(alpha_dcg),
        (
            WrongAnswer(
                "natural logarithm",
                of_both(at_ranks(lambda k: 1 / np.log(k + 1))),
                "that has the natural logarithm; without a divisor its base shows, and it is 2",
            ),
            WrongAnswer(
                "log2 of k",
                of_both(at_ranks(lambda k: 1 / np.maximum(np.log2(k), 1))),
                "that has 1/log2(k); the discount is 1/log2(k+1)",
            ),
            WrongAnswer("reciprocal", of_both(at_ranks(lambda k: 1 / k)), "that has ERR-IA's discount 1/k"),
            WrongAnswer("no discount", of_both(at_ranks(np.ones_like)), "the discount is missing"),
            WrongAnswer("normalised", of_both(alpha_ndcg), "that is alpha-nDCG; alpha-DCG is not divided"),
            WrongAnswer(
                "weighted",
                of_both(lambda mine: alpha_dcg(mine, f=Probability())),
                "that weights the intents by their probabilities; here all count alike",
            ),
            WrongAnswer(
                "another alpha",
                of_both(lambda mine: row(f"alpha-DCG@{DEPTH}")),
                "that has alpha = 0.5; yours is another",
            ),
            WrongAnswer(
                "alpha for 1 - alpha",
                of_both(turned_alpha),
                "that has alpha in the place of 1 - alpha",
            ),
            WrongAnswer(
                "itself",
                of_both(alpha_dcg, lambda mine: 1 - mine.alpha),
                "c counts the documents above, not this one",
            ),
        ),
        names=lambda mine: (["A", "B"],),
        lesson="08_novelty#Down the list: alpha-DCG and alpha-nDCG",
        computation=explained("alpha-DCG"),
    ),
    Question(
        "q4",
        best_list,
        (
            WrongAnswer(
                "most intents",
                by_intents,
                "these serve the most intents; greedy asks what a document adds to those above",
            ),
            WrongAnswer(
                "ERR-IA",
                lambda mine: greedy(ERR_IA, mine),
                "that is greedy for ERR-IA; alpha-nDCG has an ideal of its own",
            ),
            WrongAnswer(
                "alpha for 1 - alpha",
                lambda mine: greedy(turned_alpha(mine), mine),
                "that has alpha in the place of 1 - alpha",
            ),
            WrongAnswer(
                "of A", of_own, "that orders the documents of A; the ideal is made of all that were judged"
            ),
        ),
        lesson="09_the_best_list#Greedy",
    ),
    Question(
        "q5",
        of_both(alpha_ndcg),
        (
            WrongAnswer("not divided", of_both(alpha_dcg), "that is alpha-DCG; alpha-nDCG divides it"),
            WrongAnswer(
                "another alpha",
                of_both(lambda mine: row(f"alpha-nDCG@{DEPTH}")),
                "that has alpha = 0.5; yours is another",
            ),
            WrongAnswer(
                "most intents",
                divided_by(by_intents),
                "that divides by the list of those that serve the most intents, which is not the greedy one",
            ),
            WrongAnswer(
                "all intents",
                of_both(lambda mine: alpha_dcg(mine, N=UpperBound(mine.alpha))),
                "that divides by a list whose every document serves every intent; there is none",
            ),
            WrongAnswer(
                "each by its own",
                each_by_its_own,
                "that divides each list by the best order of its own documents; both have the same ideal",
            ),
        ),
        names=lambda mine: (["A", "B"],),
        lesson="08_novelty#Down the list: alpha-DCG and alpha-nDCG",
        computation=explained("alpha-nDCG"),
    ),
    Question(
        "q6",
        parted,
        (*PAIR_SLIPS, WrongAnswer("the other way round", other_way, OTHERS)),
        lesson="03_when_metrics_disagree#What does each metric see?",
        judged=judged(few=False),
    ),
    Question(
        "q7",
        parted,
        (*PAIR_SLIPS, WrongAnswer("too many moves", by_more_moves, TOO_MANY)),
        lesson="03_when_metrics_disagree#What does each metric see?",
        judged=judged(few=True),
    ),
)

ASSIGNMENT = Assignment(
    name="ps2",
    title="ERR-IA and alpha-nDCG",
    questions=QUESTIONS,
    written=(
        WrittenQuestion(
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
        WrittenQuestion(
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
        WrittenQuestion(
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
    documents=lambda mine: mine.judged,
)
