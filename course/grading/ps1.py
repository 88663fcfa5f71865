"""Assignment 1, coverage and marginal utility: what is right, what is known to be wrong, and the rubric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

import divmetrics as dm
from course.grading.assignment import Assignment, Question, Values, WrittenQuestion, WrongAnswer
from course.grading.tolerances import ANSWER_TOLERANCE
from divmetrics.core import batch_lists
from divmetrics.parts import Cascade, Graded, Linear, Log2, One, Relevant, Satisfaction, Uniform


def row(name: str) -> dm.Metric:
    """Return the metric of that name; raises TypeError if it is not one row of the table."""
    metric = dm.metric(name)
    if not isinstance(metric, dm.Metric):
        raise TypeError(name)
    return metric


LAST = 4  # the table of contributions ends here, and the choice is for the rank below
ERR_IA = row("ERR-IA")
SLIPS = {
    "of equal weight": replace(ERR_IA, f=Uniform()),
    "without weights": replace(ERR_IA, f=One()),
    "2^Y - 1": replace(ERR_IA, M=Cascade(Satisfaction(over="2^Y-1"))),
    "without a discount": replace(ERR_IA, w=One()),
    "logarithms": replace(ERR_IA, w=Log2()),
    "grades": replace(ERR_IA, M=Graded(Linear())),
    "relevant": replace(ERR_IA, M=Relevant()),
}


def first(mine: Any) -> list[str]:
    """Return the documents of the table."""
    return list(mine.ranking.docs[:LAST])


def five(mine: Any) -> list[str]:
    """Return the documents whose utility the question asks for."""
    return list(mine.ranking.docs[: LAST + 1])


def rest(mine: Any) -> list[str]:
    """Return the documents that may come at the next rank."""
    return list(mine.ranking.docs[LAST:])


def intents(mine: Any) -> list[str]:
    """Return the ids of the intents."""
    return [intent.id for intent in mine.topic.intents]


def labels(mine: Any, doc: str) -> dict[str, int]:
    """Return the grades of a document."""
    return mine.judged[doc]


def covered(k: int) -> Callable[[Any], float]:
    """Compute S-recall@k of the student's list."""
    metric = dm.metric(f"S-recall@{k}")
    return lambda mine: metric.score(mine.ranking)


def relevant(k: int) -> Callable[[Any], float]:
    return lambda mine: sum(bool(labels(mine, doc)) for doc in mine.ranking.docs[:k]) / k


def weighted(k: int) -> Callable[[Any], float]:
    metric = replace(row("S-recall"), f=ERR_IA.f, cutoff=k)
    return lambda mine: metric.score(mine.ranking)


def very_good(k: int) -> Callable[[Any], float]:
    """Count only the top grade."""

    def value(mine: Any) -> float:
        seen = {i for doc in mine.ranking.docs[:k] for i, grade in labels(mine, doc).items() if grade == 2}
        return len(seen) / len(mine.topic.intents)

    return value


def counted(k: int) -> Callable[[Any], float]:
    number = covered(k)
    return lambda mine: number(mine) * len(mine.topic.intents)


def coverage(name: str, k: int, other: int) -> Question:
    """Build the question about S-recall at a rank, with its usual slips."""
    return Question(
        name,
        covered(k),
        (
            WrongAnswer("cutoff", covered(other), f"that is S-recall@{other}"),
            WrongAnswer("documents", relevant(k), "that is the share of the documents that serve somebody"),
            WrongAnswer("weighted", weighted(k), "that weights the intents by their probabilities"),
            WrongAnswer(
                "very good", very_good(k), "that counts an intent only where a document has grade 2 for it"
            ),
            WrongAnswer(
                "not divided", counted(k), "that is the number of intents; divide it by how many there are"
            ),
        ),
        lesson="01_ambiguous_queries#S-recall by hand",
        computation=lambda mine: contributions(f"S-recall@{k}", mine.ranking),
    )


def alone(metric: dm.Metric, docs: Callable[[Any], list[str]] = five) -> Callable[[Any], Values]:
    """Compute the utility of each document at rank 1, with nothing above it."""

    def value(mine: Any) -> Values:
        lists = batch_lists([mine.ranking.reordered([doc]) for doc in docs(mine)])
        worth = metric.contributions(lists)[0].sum(axis=(-1, -2))
        return dict(zip(docs(mine), worth.tolist(), strict=True))

    return value


def discounted(mine: Any) -> Values:
    return {doc: worth / k for k, (doc, worth) in enumerate(alone(ERR_IA)(mine).items(), 1)}


def marginal(mine: Any) -> Values:
    lists = batch_lists([mine.ranking.reordered(five(mine))])
    added = SLIPS["without a discount"].contributions(lists)[0, 0].sum(axis=0)
    return dict(zip(five(mine), added.tolist(), strict=True))


def named(mine: Any, contributions: np.ndarray) -> Values:
    """Convert a table (intents, ranks) to values by document and intent."""
    rows = zip(first(mine), contributions.T.tolist(), strict=True)
    return {(doc, i): x for doc, row in rows for i, x in zip(intents(mine), row, strict=True)}


def table(metric: dm.Metric) -> Callable[[Any], Values]:
    """Compute the contributions of the first documents."""
    return lambda mine: named(
        mine, metric.contributions(batch_lists([mine.ranking.reordered(first(mine))]))[0, 0]
    )


def by_column(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], Values]:
    """Compute the table with R, an array (intents, ranks), replaced."""

    def value(mine: Any) -> Values:
        R = np.array([[alone_for(mine, doc, i) for doc in first(mine)] for i in intents(mine)])
        p = np.array([[intent.probability] for intent in mine.topic.intents])
        return named(mine, p * R * change(R) / np.arange(1, LAST + 1))

    return value


def alone_for(mine: Any, doc: str, intent: str) -> float:
    """Compute R of a document for one intent."""
    return (2 ** labels(mine, doc).get(intent, 0) - 1) / 2**2


def all_readers(R: np.ndarray) -> np.ndarray:
    return np.cumprod(np.c_[np.ones(1), (1 - R.max(axis=0, keepdims=True))[:, :-1]], axis=1)


def one_above(R: np.ndarray) -> np.ndarray:
    return np.c_[np.ones(len(R)), (1 - R)[:, :-1]]


def itself_too(R: np.ndarray) -> np.ndarray:
    return np.cumprod(1 - R, axis=1)


def added(metric: dm.Metric) -> Callable[[Any], Values]:
    """Compute what each of the other documents adds at the rank below the table."""

    def value(mine: Any) -> Values:
        lists = batch_lists([mine.ranking.reordered([*first(mine), doc]) for doc in rest(mine)])
        return dict(
            zip(rest(mine), metric.contributions(lists)[0, ..., LAST].sum(axis=-1).tolist(), strict=True)
        )

    return value


def best(of: Callable[[Any], Values]) -> Callable[[Any], str]:
    """Return the document with the highest value, the first of those that tie."""
    return lambda mine: max((values := of(mine)), key=lambda doc: round(values[doc], 9))


def served(mine: Any) -> Values:
    return {doc: float(len(labels(mine, doc))) for doc in rest(mine)}


def graded(mine: Any) -> Values:
    return {doc: float(sum(labels(mine, doc).values())) for doc in rest(mine)}


def sound(mine: Any) -> bool:
    """Return whether a draw is usable: a pair in the table differs, and one document is clearly the best."""
    if labels(mine, first(mine)[0]) == {} or any(not labels(mine, doc) for doc in rest(mine)[1:]):
        return False
    cells = table(ERR_IA)(mine)
    rows = {doc: sum(cells[doc, i] for i in intents(mine)) for doc in first(mine)}
    same = [
        (a, b)
        for n, a in enumerate(first(mine))
        for b in first(mine)[n + 1 :]
        if labels(mine, a) == labels(mine, b)
    ]
    # One pair of equal documents, of two intents or more, which the first leaves readers of.
    if len(same) != 1 or len(labels(mine, same[0][0])) < 2:
        return False
    first_one, second_one = (rows[doc] for doc in same[0])
    adds = sorted(added(ERR_IA)(mine).values(), reverse=True)
    return first_one - second_one > 10 * ANSWER_TOLERANCE and adds[0] - adds[1] > 10 * ANSWER_TOLERANCE


def contributions(metric: str, *lists: dm.RankedList) -> pd.DataFrame:
    """Return the contributions that lists earn, with the factors of each."""
    tables = pd.concat([dm.explain(metric, ranking, factors=True) for ranking in lists])
    return tables.loc[tables["contribution"] != 0, "intent":"contribution"]


def contributions_alone(mine: Any) -> pd.DataFrame:
    return contributions("ERR-IA@1", *(mine.ranking.reordered([doc]) for doc in five(mine))).drop(
        columns="rank"
    )


def contributions_next(mine: Any) -> pd.DataFrame:
    """Return what each candidate earns at the rank below the table."""
    lists = (mine.ranking.reordered([*first(mine), doc]) for doc in rest(mine))
    return contributions(f"ERR-IA@{LAST + 1}", *lists).query("rank == @LAST + 1")


QUESTIONS = (
    coverage("q1", 3, 5),
    coverage("q2", 5, 3),
    Question(
        "q3",
        alone(ERR_IA),
        (
            WrongAnswer(
                "marginal",
                marginal,
                "that is what each document adds to those above it; utility is its worth alone",
            ),
            WrongAnswer(
                "discounted", discounted, "that is divided by the rank; utility does not depend on the rank"
            ),
            WrongAnswer("equal", alone(SLIPS["of equal weight"]), "that gives every intent the same weight"),
            WrongAnswer(
                "unweighted",
                alone(SLIPS["without weights"]),
                "that does not weight intents by their probabilities",
            ),
            WrongAnswer(
                "denominator",
                alone(SLIPS["2^Y - 1"]),
                "that divides by 2^Y - 1 in R(g); the library divides by 2^Y",
            ),
            WrongAnswer("grades", alone(SLIPS["grades"]), "that takes the grade itself for R(g)"),
            WrongAnswer(
                "relevant",
                alone(SLIPS["relevant"]),
                "that counts every relevant document as 1, whatever its grade",
            ),
        ),
        names=lambda mine: (five(mine),),
        lesson="02_marginal_utility#The formula, step by step",
        computation=contributions_alone,
    ),
    Question(
        "q4",
        table(ERR_IA),
        (
            WrongAnswer("no discount", table(SLIPS["without a discount"]), "the discount 1/k is missing"),
            WrongAnswer(
                "logarithm", table(SLIPS["logarithms"]), "that has the discount 1/log2(k+1); ERR-IA has 1/k"
            ),
            WrongAnswer(
                "unweighted", table(SLIPS["without weights"]), "the probabilities of the intents are missing"
            ),
            WrongAnswer("equal", table(SLIPS["of equal weight"]), "that gives every intent the same weight"),
            WrongAnswer(
                "denominator",
                table(SLIPS["2^Y - 1"]),
                "that divides by 2^Y - 1 in R(g); the library divides by 2^Y",
            ),
            WrongAnswer("no cascade", by_column(np.ones_like), "that forgets that satisfied readers leave"),
            WrongAnswer(
                "all readers", by_column(all_readers), "a reader leaves only where her own intent is served"
            ),
            WrongAnswer(
                "one above", by_column(one_above), "that looks at one document above; all of them count"
            ),
            WrongAnswer(
                "itself",
                by_column(itself_too),
                "the product runs over the documents above, not over this one",
            ),
        ),
        names=lambda mine: (first(mine), intents(mine)),
        lesson="06_the_reader_who_leaves#Leaving satisfied: ERR-IA",
        computation=lambda mine: contributions(f"ERR-IA@{LAST}", mine.ranking),
    ),
    Question(
        "q5",
        best(added(ERR_IA)),
        (
            WrongAnswer(
                "utility",
                best(alone(ERR_IA, rest)),
                "that document has the highest utility; it does not add most",
            ),
            WrongAnswer(
                "as it is", lambda mine: rest(mine)[0], "that document stands there now; another adds more"
            ),
            WrongAnswer(
                "intents", best(served), "that document serves the most intents; it does not add most"
            ),
            WrongAnswer("grades", best(graded), "that document has the highest grades; it does not add most"),
        ),
        lesson="02_marginal_utility#The formula, step by step",
        computation=contributions_next,
    ),
)

BY_LIBRARY = {
    "q1": 'coverage_at_3 = dm.metric("S-recall@3").score(mine.ranking)',
    "q2": 'coverage_at_5 = dm.metric("S-recall@5").score(mine.ranking)',
    "q3": """
worth = {}
for doc in mine.ranking.docs[:5]:
    worth[doc] = dm.metric("ERR-IA@1").score(mine.ranking.reordered([doc]))
utility = worth""",
    "q4": """
contributions = dm.explain("ERR-IA@4", mine.ranking).pivot(
    index="doc", columns="intent", values="contribution"
)""",
    "q5": """
first = list(mine.ranking.docs[:4])
score = {}
for doc in mine.ranking.docs[4:]:
    score[doc] = dm.metric("ERR-IA@5").score(mine.ranking.reordered([*first, doc]))
adds_most = max(score, key=score.get)""",
}
BY_HAND = {
    "q1": """
seen = set()
for doc in mine.ranking.docs[:3]:
    seen |= set(mine.judged[doc])
coverage_at_3 = len(seen) / len(mine.topic.intents)""",
    "q2": """
import numpy as np
seen = set().union(*[set(mine.judged[doc]) for doc in mine.ranking.docs[:5]])
coverage_at_5 = np.float32(len(seen) / len(mine.topic.intents))""",
    "q3": """
p = {intent.id: intent.probability for intent in mine.topic.intents}
utility = []
for doc in mine.ranking.docs[:5]:
    utility.append(round(sum(p[i] * (2**g - 1) / 4 for i, g in mine.judged[doc].items()), 6))""",
    "q4": """
left = {i: 1.0 for i in p}
table = []
for k, doc in enumerate(mine.ranking.docs[:4], 1):
    row = []
    for i in p:
        R = (2 ** mine.judged[doc].get(i, 0) - 1) / 4
        row.append(round(p[i] * left[i] * R / k, 6))
        left[i] *= 1 - R
    table.append(row)
contributions = np.array(table)""",
    "q5": """
def added(doc):
    return sum(p[i] * left[i] * (2**g - 1) / 4 for i, g in mine.judged[doc].items())
adds_most = sorted(mine.ranking.docs[4:], key=added)[-1]""",
}

ASSIGNMENT = Assignment(
    name="ps1",
    title="Coverage and marginal utility",
    questions=QUESTIONS,
    written=(
        WrittenQuestion(
            "w1",
            (
                (0.5, "names the two documents, and the rank of each"),
                (
                    1.0,
                    "cites the contributions of both for one intent, as the table has them",
                ),
                (0.5, "explains the discount: the second stands further down"),
                (1.0, "explains the share of readers still there, and gives it as a number for that intent"),
            ),
        ),
        WrittenQuestion(
            "w2",
            (
                (0.5, "names the document of the highest utility and the one that adds most"),
                (
                    1.0,
                    "names the intent on which the first loses most, and the share of its readers left",
                ),
                (0.5, "says for which readers the first would be the better choice all the same"),
            ),
        ),
    ),
    solutions={"by library": BY_LIBRARY, "by hand": BY_HAND},
    sound=sound,
    documents=lambda mine: mine.ranking.docs,
)
