"""Assignment 5, judging: what follows from a student's judgments, known wrong answers, and the rubric."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from course.grading.assignment import Assignment, Question, Values, WrittenQuestion, WrongAnswer
from course.grading.judge import UnreadableAnswer, read
from course.grading.ps1 import row
from course.grading.ps5_solutions import BY_HAND, BY_LIBRARY, FIRST
from course.grading.tolerances import ANSWER_TOLERANCE
from divmetrics import meta
from divmetrics.core.tolerances import compare_scores
from divmetrics.parts import Cascade, Log2, Satisfaction, Uniform

Grades = Mapping[str, Mapping[str, int]]  # the grade of each document for each reader

ERR_IA = row("ERR-IA@5")
TOP_GRADE, MERGED_TOP = 2, 4
LISTS = ["A", "B"]
JUDGES = ["yours", "second"]
MARGIN = 10 * ANSWER_TOLERANCE
LEAST = 6  # differences between the judges, on data that may be given out


def readers(mine: Any) -> list[str]:
    """Return the intents of a student's topic."""
    return [intent.id for intent in mine.topic.intents]


# ------------------------------------------------------------------------ a student's own judgments


def given(mine: Any, answers: Mapping[str, Any]) -> Any:
    """Add the judgments that were handed in to a student's data; none if they cannot be read."""
    try:
        return replace(mine, own=readable(mine, answers.get("q2")))
    except UnreadableAnswer:
        return replace(mine, own={})


def readable(mine: Any, value: Any) -> Grades:
    """Read judgments from a submitted table; raises UnreadableAnswer unless all are 0, 1 or 2."""
    cells = read(value, by_cell(first_person(mine)), (list(mine.docs), readers(mine)))
    for (doc, reader), grade in cells.items():
        if grade not in range(TOP_GRADE + 1):
            raise UnreadableAnswer(f"Not right: {doc} has {grade:g} for {reader}; grades are 0, 1 and 2.")
    return {doc: {reader: int(cells[doc, reader]) for reader in readers(mine)} for doc in mine.docs}


def own(mine: Any) -> Grades:
    """Return the student's judgments, before there are any those of the first solution.

    Raises UnreadableAnswer if the student's could not be read.
    """
    if mine.own is None:
        return first_person(mine)
    if not mine.own:
        raise UnreadableAnswer("Not right: it builds on your judgments (q2), which could not be read.")
    return mine.own


def first_person(mine: Any) -> Grades:
    return {doc: dict(zip(readers(mine), FIRST[doc], strict=True)) for doc in mine.docs}


def by_cell(grades: Grades) -> Values:
    return {(doc, reader): float(grade) for doc, row in grades.items() for reader, grade in row.items()}


def all_alike(mine: Any) -> Values:
    return dict.fromkeys(by_cell(mine.second), 1.0)


COPIED = "these are the second judge's grades, cell by cell; yours were asked for"
ALIKE = "every document has the same grades, so nothing was judged"


def is_judging(mine: Any, value: Any, results: list[Any]) -> tuple[float, str]:
    """Judge judgments: all are there, in range, not all alike, and not copied."""
    grades = readable(mine, value)
    if all(row == grades[mine.docs[0]] for row in grades.values()):
        return 0.0, f"Not right: {ALIKE}."
    if grades == mine.second:
        return 0.0, f"Not right: {COPIED}."
    return 1.0, "Right: all are judged. Which grades you give is up to you."


# ------------------------------------------------------------------------ agreement

Agreement = Callable[[np.ndarray], float]  # of the grades of two judges, (judge, unit)
alpha: Agreement = meta.krippendorff_alpha


def interval(answers: np.ndarray) -> float:
    return meta.krippendorff_alpha(answers, "interval")


def binary(answers: np.ndarray) -> float:
    """Compute alpha of relevant or not."""
    return alpha((answers > 0).astype(float))


def observed(answers: np.ndarray) -> float:
    return float((answers[0] == answers[1]).mean())


def kappa(answers: np.ndarray) -> float:
    """Compute Cohen's kappa."""
    shares = [(answers == grade).mean(axis=1) for grade in range(TOP_GRADE + 1)]
    expected = sum(float(np.prod(share)) for share in shares)
    return (observed(answers) - expected) / (1 - expected)


def of_example(of: Agreement) -> Callable[[Any], float]:
    return lambda mine: of(np.array(mine.example, dtype=float))


def both(mine: Any, reader: str = "") -> np.ndarray:
    """Return the grades of the student and of the second judge for a reader, by default for all."""
    wanted = [reader] if reader else readers(mine)
    grades = own(mine), mine.second
    return np.array([[of[doc][i] for doc in mine.docs for i in wanted] for of in grades], dtype=float)


def by_reader(of: Agreement) -> Callable[[Any], Values]:
    return lambda mine: {reader: of(both(mine, reader)) for reader in readers(mine)}


def of_all(of: Agreement) -> Callable[[Any], Values]:
    return lambda mine: {"all": of(both(mine)), **by_reader(of)(mine)}


def differing(answers: np.ndarray) -> float:
    return float((answers[0] != answers[1]).sum())


AGREEMENT_SLIPS = (
    ("observed", observed, "that is the share of equal grades; alpha takes off what chance alone gives"),
    (
        "kappa",
        kappa,
        "that is Cohen's kappa, where each judge's own habits make the chance; alpha pools them",
    ),
    (
        "interval",
        interval,
        "that is alpha for intervals, where 0 and 2 are four times as far apart as 0 and 1",
    ),
)

# ------------------------------------------------------------------------ two lists

METRICS = {
    "2^Y - 1": (
        replace(ERR_IA, M=Cascade(Satisfaction(over="2^Y-1"))),
        "that divides by 2^Y - 1 in R(g); the library divides by 2^Y",
    ),
    "of equal weight": (replace(ERR_IA, f=Uniform()), "that gives every reader the same weight"),
    "logarithm": (replace(ERR_IA, w=Log2()), "that has the discount 1/log2(k+1); ERR-IA has 1/k"),
}


def scored(mine: Any, grades: Grades, scale: int = TOP_GRADE, metric: Any = ERR_IA) -> Values:
    """Score the lists A and B under some grades."""
    return {ranking.run: metric.score(ranking) for ranking in mine.lists(grades, scale)}


def by_judge(metric: Any = ERR_IA) -> Callable[[Any], Values]:
    """Score both lists under the student's grades and under the second judge's."""

    def value(mine: Any) -> Values:
        judges = zip(JUDGES, (own(mine), mine.second), strict=True)
        return {
            (name, of): x for name, grades in judges for of, x in scored(mine, grades, metric=metric).items()
        }

    return value


def judges_exchanged(mine: Any) -> Values:
    scores = by_judge()(mine)
    return {
        (name, of): scores[other, of]
        for name, other in zip(JUDGES, JUDGES[::-1], strict=True)
        for of in LISTS
    }


def lists_exchanged(mine: Any) -> Values:
    scores = by_judge()(mine)
    return {
        (name, of): scores[name, other]
        for name in JUDGES
        for of, other in zip(LISTS, LISTS[::-1], strict=True)
    }


def combined(mine: Any, how: Callable[[int, int], int]) -> Grades:
    """Combine the grades of both judges cell by cell."""
    pairs = own(mine), mine.second
    return {doc: {i: how(*(of[doc][i] for of in pairs)) for i in readers(mine)} for doc in mine.docs}


def added(one: int, other: int) -> int:
    return one + other


def merged(metric: Any = ERR_IA) -> Callable[[Any], Values]:
    """Score both lists under the sums of both grades."""
    return lambda mine: scored(mine, combined(mine, added), MERGED_TOP, metric)


def of_one_grade(how: Callable[[int, int], int]) -> Callable[[Any], Values]:
    return lambda mine: scored(mine, combined(mine, how))


def mean_of_scores(mine: Any) -> Values:
    scores = by_judge()(mine)
    return {of: sum(scores[name, of] for name in JUDGES) / len(JUDGES) for of in LISTS}


def preferred(mine: Any) -> Values:
    """Return 1 for each judge that prefers A, -1 for B, and 0 for a tie."""
    scores = by_judge()(mine)
    pairs = {name: [scores[name, of] for of in LISTS] for name in JUDGES}
    pairs["merged"] = list(merged()(mine).values())
    return {name: float(compare_scores(*pair)) for name, pair in pairs.items()}


def preferred_other(mine: Any) -> Values:
    return {name: -sign for name, sign in preferred(mine).items()}


def lead(mine: Any, grades: Grades) -> float:
    """Compute the lead of A over B."""
    scores = scored(mine, grades)
    return scores["A"] - scores["B"]


def largest_move(mine: Any, grades: Grades, other: Grades) -> float:
    """Compute the largest change of A's lead if a single grade is replaced by that of another judge."""
    now = lead(mine, grades)
    moves = [
        abs(lead(mine, {**grades, doc: {**row, reader: other[doc][reader]}}) - now)
        for doc, row in grades.items()
        for reader in row
        if row[reader] != other[doc][reader] and doc in (*mine.a, *mine.b)
    ]
    return max(moves, default=0.0)


def largest_change(mine: Any) -> float:
    return largest_move(mine, own(mine), mine.second)


def of_the_second(mine: Any) -> float:
    return largest_move(mine, mine.second, own(mine))


def all_at_once(mine: Any) -> float:
    return abs(lead(mine, mine.second) - lead(mine, own(mine)))


# ------------------------------------------------------------------------ which data may be given out


def sound(mine: Any) -> bool:
    """Return whether a draw is usable.

    The example's judges differ somewhere. The second judge uses two grades for every reader, so alpha is
    defined whatever a student's grades are. For somebody who judges like the first solution, the judges
    differ often enough, no lead is thin, and the second judge turns the preference if the number is not
    divisible by 4, which is about half of the draws, since such draws are rarer.
    """
    example = np.array(mine.example)
    grades = [{mine.second[doc][reader] for doc in mine.docs} for reader in readers(mine)]
    if (example[0] == example[1]).all() or any(len(each) < 2 for each in grades):
        return False
    if differing(both(mine)) < LEAST:
        return False
    by_both = merged()(mine)
    leads = [lead(mine, own(mine)), lead(mine, mine.second), by_both["A"] - by_both["B"]]
    turns = leads[0] * leads[1] < 0
    return all(abs(each) > MARGIN for each in leads) and turns == bool(mine.number % 4)


QUESTIONS = (
    Question(
        "q1",
        of_example(alpha),
        tuple(WrongAnswer(name, of_example(of), says) for name, of, says in AGREEMENT_SLIPS),
        lesson="20_do_people_agree#Fifteen students, 1,127 pairs",
    ),
    Question(
        "q2",
        lambda mine: by_cell(own(mine)),
        (
            WrongAnswer("alike", all_alike, ALIKE),
            WrongAnswer("copied", lambda mine: by_cell(mine.second), COPIED),
        ),
        names=lambda mine: (list(mine.docs), readers(mine)),
        judged=is_judging,
        lesson="01_ambiguous_queries#Why not simply count good pages?",
    ),
    Question(
        "q3",
        by_reader(differing),
        (
            WrongAnswer(
                "equal",
                by_reader(lambda answers: float((answers[0] == answers[1]).sum())),
                "that counts where you agree; asked was where you differ",
            ),
            WrongAnswer(
                "distance",
                by_reader(lambda answers: float(np.abs(answers[0] - answers[1]).sum())),
                "that adds up by how much you differ; documents were to be counted",
            ),
            WrongAnswer(
                "relevant or not",
                by_reader(lambda answers: differing(answers > 0)),
                "that takes 1 and 2 for the same; they are different grades",
            ),
        ),
        names=lambda mine: (readers(mine),),
        lesson="20_do_people_agree#Fifteen students, 1,127 pairs",
    ),
    Question(
        "q4",
        of_all(alpha),
        (
            *(WrongAnswer(name, of_all(of), says) for name, of, says in AGREEMENT_SLIPS),
            WrongAnswer(
                "relevant or not",
                of_all(binary),
                "that takes 1 and 2 for the same; they are different grades",
            ),
        ),
        names=lambda mine: (["all", *readers(mine)],),
        lesson="20_do_people_agree#Fifteen students, 1,127 pairs",
    ),
    Question(
        "q5",
        by_judge(),
        (
            WrongAnswer("judges exchanged", judges_exchanged, "the two judges have changed places"),
            WrongAnswer("lists exchanged", lists_exchanged, "the two lists have changed places"),
            *(WrongAnswer(name, by_judge(metric), says) for name, (metric, says) in METRICS.items()),
        ),
        names=lambda mine: (JUDGES, LISTS),
        lesson="06_the_reader_who_leaves#Leaving satisfied: ERR-IA",
    ),
    Question(
        "q6",
        merged(),
        (
            WrongAnswer("higher", of_one_grade(max), "that takes the higher of the two grades; add them"),
            WrongAnswer("lower", of_one_grade(min), "that takes the lower of the two grades; add them"),
            WrongAnswer(
                "mean of the scores",
                mean_of_scores,
                "that is the mean of two scores; the grades are to be merged",
            ),
            WrongAnswer("2^Y - 1", merged(METRICS["2^Y - 1"][0]), METRICS["2^Y - 1"][1]),
        ),
        names=lambda mine: (LISTS,),
        lesson="06_the_reader_who_leaves#Leaving satisfied: ERR-IA",
    ),
    Question(
        "q7",
        preferred,
        (WrongAnswer("turned round", preferred_other, "these have changed sign: 1 is for A, -1 for B"),),
        names=lambda mine: ([*JUDGES, "merged"],),
        lesson="06_the_reader_who_leaves#Leaving satisfied: ERR-IA",
        few="signs for three judges",
    ),
    Question(
        "q8",
        largest_change,
        (
            WrongAnswer(
                "all at once", all_at_once, "that replaces all of your grades; replace one at a time"
            ),
            WrongAnswer("of the second", of_the_second, "that changes the second judge's grades, not yours"),
        ),
        lesson="06_the_reader_who_leaves#Leaving satisfied: ERR-IA",
    ),
)

ASSIGNMENT = Assignment(
    name="ps5",
    title="Two judges",
    questions=QUESTIONS,
    written=(
        WrittenQuestion(
            "w1",
            (
                (0.5, "names two documents and readers, with both grades of each"),
                (0.5, "cites words of the text that speak for the own grade"),
                (0.5, "defends the other judge's grade from the same text"),
                (0.5, "says what the instruction leaves open, and which grade stands"),
            ),
        ),
        WrittenQuestion(
            "w2",
            (
                (0.5, "gives alpha and the preferences with their leads, under both judges and merged"),
                (
                    0.5,
                    "says that alpha counts all cells alike and the metric does not: weights, ranks",
                ),
                (0.5, "names the grade that moves the lead most, and the factors that make it so"),
                (0.5, "says what one query and two lists cannot show"),
            ),
        ),
        WrittenQuestion(
            "w3",
            (
                (0.5, "works out what the sum makes of 1 and 1, and of 2 and 0, and compares another rule"),
                (0.5, "says what to report beside a merged score: both scores, or alpha, or the cells"),
                (0.5, "words a sentence for the instruction, and names a cell on which it would help"),
                (0.5, "says what a higher alpha would not show, or what the sentence would lose"),
            ),
        ),
    ),
    solutions={"by library": BY_LIBRARY, "by hand": BY_HAND},
    sound=sound,
    given=given,
    documents=lambda mine: mine.docs,
)
