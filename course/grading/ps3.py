"""Assignment 3, conventions and a comparison: what is right, what is known to be wrong, and the rubric."""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle, islice
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pandas as pd

import divmetrics as dm
from course.grading.assignment import Assignment, Question, Values, WrittenQuestion, WrongAnswer
from course.grading.data_draws import apart
from course.grading.ps3_solutions import BY_HAND, BY_LIBRARY
from course.grading.tolerances import RANDOMISED_ANSWER_TOLERANCE
from divmetrics import meta
from divmetrics.conventions.convention import MeanOver, RunOrder
from divmetrics.optional import import_optional

ERR_IA, SHARP = METRICS = ("ERR-IA@10", "D#-nDCG@10")
SCALE = 3
TRIALS = 50_000
LEVEL = 0.05
ALONE = Lock()  # submissions are judged by several threads, which share what is warned of
UNCLEAR = (0.02, 0.10)  # p-values in which another seed might give another verdict
SHIFT = 0.005  # by so much the new run, of which less was judged, has to gain on the other by condensed lists


@dataclass(frozen=True)
class Choice:
    """A way to score runs: its word in the notebook, and its settings, by default the house rules."""

    word: str = ""
    order: RunOrder = "score"
    mean_over: MeanOver = "judged"
    equal: bool = False
    scale: int | None = SCALE
    whose: str = ""
    level: int = 1


HOUSE = "house rules"
CHOICES = {
    HOUSE: Choice(),
    "by rank": Choice("order", order="rank"),
    "by line": Choice("order", order="file"),
    "answered": Choice("mean", mean_over="both"),
    "equal": Choice("probabilities", equal=True),
    "guessed": Choice("scale", scale=None),
    "ndeval": Choice("formula", whose="ndeval:"),
    "NTCIREVAL": Choice("formula", whose="ntcireval:"),
    "from 2": Choice("level", level=2),
    "condensed": Choice("unjudged"),
}
WORDS = list(dict.fromkeys(choice.word for choice in CHOICES.values() if choice.word))
THIRD = ("equal", "guessed", "ndeval", "NTCIREVAL", "from 2")  # beside the order and the mean


@lru_cache(maxsize=128)
def scores(mine: Any, choice: str) -> pd.DataFrame:
    """Score all runs: a row for each run and topic, a column for each metric (without whose)."""
    how = CHOICES[choice]
    if choice in (HOUSE, "condensed"):
        table = compared(mine, choice == "condensed").scores
    else:
        metrics = [how.whose + name for name in METRICS if how.whose != "ndeval:" or name == ERR_IA]
        table = of_files(mine, how, dm.evaluate, metrics)
    wide = table.pivot(index=["run", "topic"], columns="metric", values="score")
    return wide.rename(columns=lambda name: name.removeprefix(how.whose))


@lru_cache(maxsize=32)
def compared(mine: Any, condensed: bool) -> Any:
    """Run `compare` on all runs, with a test whose result is not used."""
    metrics = [*METRICS, "ERR-IA", "Prec@10"]
    return of_files(mine, CHOICES[HOUSE], dm.compare, metrics, condensed=condensed, trials=1)


def of_files(mine: Any, how: Choice, what: Callable[..., Any], metrics: list[str], **more: Any) -> Any:
    """Run `evaluate` or `compare` on all runs under a choice."""
    with ALONE, warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        judgments = read_judgments(mine, how.equal, how.scale, how.level)
        return what(judgments, read_runs(mine, how.order), metrics, mean_over=how.mean_over, **more)


@lru_cache(maxsize=32)
def read_judgments(mine: Any, equal: bool, scale: int | None, level: int) -> dm.Collection:
    with tempfile.TemporaryDirectory() as folder:
        mine.write(folder)
        intents = None if equal else Path(folder, mine.intents)
        judgments = Path(folder, mine.judgments)
        return dm.load_collection(judgments, intents, scale=scale, relevance_level=level)


@lru_cache(maxsize=32)
def read_runs(mine: Any, order: RunOrder) -> list[dm.Run]:
    with tempfile.TemporaryDirectory() as folder:
        mine.write(folder)
        return dm.load_runs([Path(folder, name) for name in mine.runs.values()], order)


def mean(mine: Any, run: str, metric: str, choice: str = HOUSE) -> float:
    """Compute the mean score of a run."""
    return float(scores(mine, choice)[metric][run].mean())


# --------------------------------------------------------------------------- three pairs of numbers


def secrets(mine: Any) -> list[tuple[str, str, bool]]:
    """Return for each pair of numbers its metric, the choice that differs, and whether it comes first."""
    n = mine.number
    order, third = ("by rank", "by line")[n % 2], THIRD[n % len(THIRD)]
    first, second = METRICS if n // 2 % 2 else METRICS[::-1]
    three = [(first, order), (second, "answered"), (ERR_IA, third)]
    turned = islice(cycle(three), n % 3, n % 3 + 3)
    return [(*each, bool((n + at) // 3 % 2)) for at, each in enumerate(turned)]


def two(mine: Any, at: int, run: str, choice: str | None = None) -> tuple[float, float]:
    """Compute both numbers of a pair for a run, on request with another choice than the right one."""
    metric, right, before = secrets(mine)[at]
    numbers = mean(mine, run, metric), mean(mine, run, metric, choice or right)
    return numbers[::-1] if before else numbers


def precomputed(mine: Any) -> tuple[tuple[str, float, float], ...]:
    """Return what students get: metric and both numbers, in four digits."""
    pairs = (two(mine, at, mine.reported) for at in range(3))
    return tuple(
        (metric, round(first, 4), round(second, 4))
        for (metric, _, _), (first, second) in zip(secrets(mine), pairs, strict=True)
    )


def word(mine: Any, at: int) -> str:
    return CHOICES[secrets(mine)[at][1]].word


def another_word(mine: Any, at: int) -> str:
    return WORDS[WORDS.index(word(mine, at)) - 1]


def named(numbers: tuple[float, float]) -> Values:
    return dict(zip(("first", "second"), numbers, strict=True))


def another_choice(mine: Any, at: int) -> str:
    """Return the next choice of another word that changes the number."""
    metric, right, _ = secrets(mine)[at]
    names = list(CHOICES)[1:]
    start = names.index(right)
    for choice in islice(cycle(names), start + 1, start + len(names)):
        if CHOICES[choice].word != CHOICES[right].word and metric in scores(mine, choice):
            numbers = (mean(mine, mine.other, metric, other) for other in (HOUSE, choice))
            if apart(*numbers):
                return choice
    raise AssertionError("the mean over answered topics always differs")


def claim(at: int, cause: str, digits: str) -> tuple[Question, Question]:
    """Build the questions about a pair of numbers: the word of its cause, and the pair for the other run."""
    return (
        Question(
            cause,
            lambda mine: word(mine, at),
            (
                WrongAnswer(
                    "another",
                    lambda mine: another_word(mine, at),
                    "that choice does not lead from one number to the other",
                ),
            ),
            few="one of seven words",
            lesson="16_the_same_name_three_formulas#What happens before the formula",
        ),
        Question(
            digits,
            lambda mine: named(two(mine, at, mine.other)),
            (
                WrongAnswer(
                    "of the reported run",
                    lambda mine: named(two(mine, at, mine.reported)),
                    "these are the numbers of the run that was reported; asked were those of the other",
                ),
                WrongAnswer(
                    "turned round",
                    lambda mine: named(two(mine, at, mine.other)[::-1]),
                    "these two have changed places",
                ),
                WrongAnswer(
                    "another choice",
                    lambda mine: named(two(mine, at, mine.other, another_choice(mine, at))),
                    "one is right; the choice behind the other is not the one that explains the report",
                ),
            ),
            names=lambda mine: (["first", "second"],),
            lesson="16_the_same_name_three_formulas#What happens before the formula",
        ),
    )


# --------------------------------------------------------------------------- the comparison


@lru_cache(maxsize=32)
def tukey(mine: Any, trials: int) -> pd.DataFrame:
    return meta.tukey_hsd(mine.scores, trials=trials, workers=1)


@lru_cache(maxsize=32)
def bootstrap(mine: Any) -> pd.DataFrame:
    return meta.paired_bootstrap(mine.scores, workers=1)


def by_pair(mine: Any, pairs: pd.DataFrame) -> Values:
    """Compute the p-value of each pair of runs."""
    of = pairs.set_index(["run_a", "run_b"])["asl"]
    return {pair: float(of[pair]) for pair in mine.pairs}


def by_run(mine: Any) -> tuple[pd.Series, pd.Series]:
    """Return the scores of the two real runs that are compared, by topic."""
    table = mine.scores.pivot(index="topic", columns="run", values="score")
    return table[mine.real[0]], table[mine.real[1]]


def differences(mine: Any) -> np.ndarray:
    """Compute the lead of the first real run over the second, by topic."""
    first, second = by_run(mine)
    return (first - second).to_numpy()


def interval(values: np.ndarray) -> tuple[float, float, float]:
    """Compute a mean and the ends of its 95 % interval (Student's t)."""
    topics = [str(at) for at in range(len(values))]
    table = pd.DataFrame({"run": "", "topic": topics, "metric": "", "score": values})
    row = meta.means(table).iloc[0]
    return float(row["mean"]), float(row["low"]), float(row["high"])


def about(center: float, half: float) -> Values:
    return {"difference": center, "low": center - half, "high": center + half}


def effect(mine: Any) -> Values:
    center, low, _ = interval(differences(mine))
    return about(center, center - low)


def turned_round(mine: Any) -> Values:
    right = effect(mine)
    return about(-right["difference"], right["difference"] - right["low"])


def unpaired(mine: Any) -> Values:
    stats = import_optional("scipy.stats", "Welch's interval")
    center = float(differences(mine).mean())
    test = stats.ttest_ind(*by_run(mine), equal_var=False)
    return about(center, center - float(test.confidence_interval().low))


def of_one_mean(mine: Any) -> Values:
    center, low, _ = interval(by_run(mine)[0].to_numpy())
    return about(float(differences(mine).mean()), center - low)


def of_single_topics(mine: Any) -> Values:
    of_topics = differences(mine)
    return about(float(of_topics.mean()), 1.96 * float(of_topics.std(ddof=1)))


def required(pairs: pd.DataFrame) -> float:
    return float(meta.discriminative_power(pairs, LEVEL)["required_difference"].item())


def largest_missed(mine: Any) -> float:
    pairs = tukey(mine, TRIALS)
    return float(pairs.loc[pairs["asl"] >= LEVEL, "difference"].abs().max())


def shares(column: str) -> Callable[[Any], Values]:
    """Compute the share of each run's documents that were judged: of the first ten, or of all."""
    return lambda mine: {run: float(compared(mine, False).judged[column][run]) for run in mine.runs}


def unanswered_too(mine: Any) -> Values:
    """Compute the shares with 0 for a missing list."""
    topics = scores(mine, HOUSE).groupby("run").size()
    answered = scores(mine, "answered").groupby("run").size()
    judged = shares("judged@10")(mine)
    return {run: float(share * answered[run] / topics[run]) for run, share in judged.items()}


def of_relevant(mine: Any) -> Values:
    """Compute precision, which counts documents that are judged and relevant."""
    return {run: mean(mine, run, "Prec@10") for run in mine.runs}


def lead(choice: str, sign: int = 1) -> Callable[[Any], float]:
    """Compute the lead of the reported run over the new one."""
    return lambda mine: (
        sign * (mean(mine, mine.reported, ERR_IA, choice) - mean(mine, mine.new, ERR_IA, choice))
    )


# --------------------------------------------------------------------------- which draws can be asked with


def sound(mine: Any) -> bool:
    """Return whether a draw is usable: one cause per pair, consistent judging, no verdict left to a seed."""
    return (
        clear(mine)  # first, since it reads no files
        and one_story(mine)
        and all(one_cause(mine, at, run) for at in range(3) for run in (mine.reported, mine.other))
    )


def one_story(mine: Any) -> bool:
    """Return whether condensed lists help the new run more, of which less was judged.

    Exceptions occur: if an unjudged document of the other run wins a tie at rank 1, that run gains more.
    """
    share = shares("judged@10")(mine)
    gained = lead(HOUSE)(mine) - lead("condensed")(mine)
    return share[mine.new] < share[mine.reported] and gained >= SHIFT


def one_cause(mine: Any, at: int, run: str) -> bool:
    """Return whether no other choice gives the same number for a run."""
    metric, right, _ = secrets(mine)[at]
    wanted = mean(mine, run, metric, right)
    others = [choice for choice in CHOICES if choice != right and metric in scores(mine, choice)]
    return all(apart(wanted, mean(mine, run, metric, choice)) for choice in others)


def clear(mine: Any) -> bool:
    """Return whether some pairs of real runs differ, others and the first two do not, whatever the seed."""
    for trials in (1_000, TRIALS):  # a few first, since most draws end here
        p = by_pair(mine, tukey(mine, trials))
        own = p[min(mine.real[:2]), max(mine.real[:2])]
        significant = sum(value < LEVEL for value in p.values())
        if any(UNCLEAR[0] < value < UNCLEAR[1] for value in p.values()) or own < LEVEL or significant < 2:
            return False
    ends = effect(mine)
    return apart(ends["low"], 0.0) and apart(ends["high"], 0.0)


QUESTIONS = (
    Question(
        "q1",
        lambda mine: mean(mine, mine.reported, ERR_IA),
        tuple(
            WrongAnswer(
                choice,
                lambda mine, choice=choice: mean(mine, mine.reported, ERR_IA, choice),  # type: ignore[misc]
                says,
            )
            for choice, says in (
                ("by rank", "that takes the lists in the order of the ranks, not of the scores"),
                ("by line", "that takes the lists in the order of the lines, not of the scores"),
                ("answered", "that is the mean over the topics that the run answers"),
                ("equal", "that gives every intent the same weight; their probabilities are in a file"),
                ("guessed", "that takes the highest grade that was given for the top of the scale"),
                ("NTCIREVAL", "that is the metric of NTCIREVAL; the rules ask for that of the papers"),
            )
        ),
        lesson="16_the_same_name_three_formulas#What happens before the formula",
    ),
    *claim(0, "q2", "q3"),
    *claim(1, "q4", "q5"),
    *claim(2, "q6", "q7"),
    Question(
        "q8",
        shares("judged@10"),
        (
            WrongAnswer(
                "whole lists",
                shares("judged"),
                "that is the share in whole lists, not in the first ten ranks",
            ),
            WrongAnswer(
                "unanswered",
                unanswered_too,
                "that counts a list that is not there as one that was not judged",
            ),
            WrongAnswer(
                "relevant",
                of_relevant,
                "that is the share of relevant documents; those of grade 0 were judged, too",
            ),
        ),
        names=lambda mine: (list(mine.runs),),
        lesson="22_your_own_files#IMine: two levels, and a decision for you",
    ),
    Question(
        "q9",
        lead("condensed"),
        (
            WrongAnswer("as they are", lead(HOUSE), "that is the difference of the lists as they are"),
            WrongAnswer(
                "turned round", lead("condensed", -1), "the sign is wrong: the reported run comes first"
            ),
        ),
        lesson="22_your_own_files#IMine: two levels, and a decision for you",
    ),
    Question(
        "q10",
        effect,
        (
            WrongAnswer(
                "unpaired",
                unpaired,
                "the interval is that of two samples; the topics are the same, so use their differences",
            ),
            WrongAnswer(
                "turned round", turned_round, "the sign is wrong: take the first run less the second"
            ),
            WrongAnswer("one mean", of_one_mean, "the interval is that of one mean, not of the difference"),
            WrongAnswer(
                "single topics",
                of_single_topics,
                "that is the spread of single topics; a mean varies less, by the root of their number",
            ),
        ),
        names=lambda mine: (["difference", "low", "high"],),
        lesson="18_can_you_tell_them_apart#Can you tell them apart?",
    ),
    Question(
        "q11",
        lambda mine: by_pair(mine, tukey(mine, TRIALS)),
        (
            WrongAnswer(
                "bootstrap",
                lambda mine: by_pair(mine, bootstrap(mine)),
                "these are tests of each pair by itself; Tukey HSD looks at all pairs at once",
            ),
        ),
        names=lambda mine: (mine.pairs,),
        within=RANDOMISED_ANSWER_TOLERANCE,
        lesson="18_can_you_tell_them_apart#One yardstick for all pairs: Tukey HSD",
    ),
    Question(
        "q12",
        lambda mine: required(tukey(mine, TRIALS)),
        (
            WrongAnswer(
                "bootstrap",
                lambda mine: required(bootstrap(mine)),
                "that is what the bootstrap requires, which tests each pair by itself",
            ),
            WrongAnswer("missed", largest_missed, "that is the largest difference that was not significant"),
            WrongAnswer(
                "largest",
                lambda mine: float(tukey(mine, TRIALS)["difference"].abs().max()),
                "that is the largest difference; the smallest significant one was asked for",
            ),
        ),
        lesson="18_can_you_tell_them_apart#One yardstick for all pairs: Tukey HSD",
    ),
)

ASSIGNMENT = Assignment(
    name="ps3",
    title="Conventions, and a comparison that can be trusted",
    questions=QUESTIONS,
    written=(
        WrittenQuestion(
            "w1",
            (
                (0.5, "names a topic, with the scores of both orders there"),
                (
                    0.5,
                    "copies the lines to blame, and says whether they tie, contradict each other or both",
                ),
                (0.5, "says which document comes first in each order"),
                (0.5, "explains the change of the score by the grades of these documents and their ranks"),
                (0.5, "chooses a number for a reason, and says that the order must be printed with it"),
            ),
        ),
        WrittenQuestion(
            "w2",
            (
                (0.5, "names the topics without an answer, and how many each mean is over"),
                (0.5, "gets one number from the other: the sums are the same, the divisors are not"),
                (0.5, "names the run that gains most, with both of its means"),
                (0.5, "says when leaving out is right, and that a team could leave out its hard topics"),
            ),
        ),
        WrittenQuestion(
            "w3",
            (
                (0.5, "says what was scored, by which metric, and how a missing list counts"),
                (0.5, "gives the effect with its interval and the number of topics"),
                (0.5, "names test, number of pairs and trials, with the p-value and a verdict that fits it"),
                (0.5, "says that the judged shares are not known, and what they can do, by q8 and q9"),
                (0.5, "says that not significant means not settled, and that it does not mean equal"),
                (0.5, "names a limit that is one: the topics, the metric, the pool, the parameters"),
            ),
        ),
    ),
    solutions={"by library": BY_LIBRARY, "by hand": BY_HAND},
    sound=sound,
    documents=lambda mine: re.findall(r"\bd\d+\b", str(mine.texts)),
    precomputed=precomputed,
)
