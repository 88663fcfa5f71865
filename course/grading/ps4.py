"""Assignment 4, a metric for a need: what is right, what is known to be wrong, and the rubric."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

import divmetrics as dm
from course.grading.assignment import Assignment, Question, Values, WrittenQuestion, WrongAnswer
from course.grading.judge import UnreadableAnswer, agree, read
from course.grading.ps4_cases import (
    FUNCTION,
    cases,
    in_order,
    lawful,
    of_library,
    scores,
    share_of_laws,
    table,
)
from course.grading.ps4_copies import copies
from course.grading.ps4_pairs import RIVALS, deciding_pairs, honest, named, once, searched
from course.grading.ps4_solutions import BY_HAND, BY_PARTS
from divmetrics import meta
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.errors import DivmetricsError

MINE = "mine"
GOLDS = ("I-rec@5", "Ef-P@5")
LEVEL, TRIALS = 0.05, 5_000
# Another seed or number of trials moves an ASL near the level by this much at most (four standard errors of
# a difference of two); pairs of systems nearer to the level may be counted or not.
NEAR = 0.02
POWER = ("significant", "required")
COLUMNS = ("disagreements", "mine", "rival")


# --------------------------------------------------------------------------- the rival on the shown pairs


def preferred(mine: Any, name: str, k: int) -> float:
    """Compute by how much a metric prefers the worse list of a visible pair."""
    pair, metric = deciding_pairs(mine).visible[k], dm.metric(name)
    return metric.score(pair.worse) - metric.score(pair.better)


def misled(mine: Any) -> float:
    """Compute by how much the rival prefers the worse list, on the only visible pair where it does."""
    return preferred(mine, deciding_pairs(mine).rival, deciding_pairs(mine).misled)


def on_another(mine: Any) -> float:
    choice = deciding_pairs(mine)
    others = [abs(preferred(mine, choice.rival, k)) for k in range(3) if k != choice.misled]
    return max(others)


def by_another(mine: Any) -> float:
    choice = deciding_pairs(mine)
    return abs(preferred(mine, RIVALS[RIVALS.index(choice.rival) - 1], choice.misled))


def cut_at_3(mine: Any) -> float:
    choice = deciding_pairs(mine)
    return abs(preferred(mine, choice.rival.replace("@5", "@3"), choice.misled))


# --------------------------------------------------------------------------- what the systems say


@once
def reference(mine: Any) -> pd.DataFrame:
    """Score the systems' lists with the reference metric."""
    return dm.evaluate(mine.collection, None, [named(as_written(mine))])


def every_pair(frame: pd.DataFrame) -> pd.DataFrame:
    """Test every pair of systems (Tukey HSD); raises UnreadableAnswer if no test is possible."""
    try:
        return meta.tukey_hsd(frame, trials=TRIALS, workers=1)
    except DivmetricsError:
        raise UnreadableAnswer("Not right: with the scores of your metric no test can be made.") from None


def power(pairs: pd.DataFrame, level: float = LEVEL) -> Values:
    """Count the significant pairs and return the required difference, 0 if no pair is significant."""
    row = meta.discriminative_power(pairs, level).iloc[0]
    significant = float(row["significant"])
    required = float(row["required_difference"]) if significant else 0.0
    return {"significant": significant, "required": required}


@once
def pairs_of_reference(mine: Any) -> pd.DataFrame:
    return every_pair(reference(mine))


def power_of_reference(mine: Any) -> Values:
    return power(pairs_of_reference(mine))


def by_bootstrap(frame: pd.DataFrame) -> Values:
    return power(meta.paired_bootstrap(frame, trials=1_000, workers=1))


def as_share(pairs: pd.DataFrame) -> Values:
    values = power(pairs)
    return {**values, "significant": values["significant"] / len(pairs)}


def power_of_rival(mine: Any) -> Values:
    return power(every_pair(of_library(mine, [deciding_pairs(mine).rival])))


def is_power(mine: Any, value: Any, results: list[Any]) -> tuple[float, str]:
    """Judge an answer as the number of significant pairs and the required difference of the metric itself."""
    answer = read(value, dict.fromkeys(POWER, 0.0), (list(POWER),))
    frame = table(mine, scores(mine, FUNCTION, results), MINE)
    pairs = every_pair(frame)
    if fits(answer, pairs):
        return 1.0, "Right."
    slips = {
        SAYS["bootstrap"]: lambda: by_bootstrap(frame),
        SAYS["share"]: lambda: as_share(pairs),
        SAYS["rival"]: lambda: power_of_rival(mine),
        SAYS["level"]: lambda: power(pairs, 0.01),
        SAYS["most"]: lambda: with_most(pairs),
    }
    return 0.0, _slip(answer, slips, "Not right for the metric that you handed in.")


def fits(answer: Values, pairs: pd.DataFrame) -> bool:
    """Return whether an answer is a number of significant pairs with the required difference of that many."""
    sizes = [0.0, *sorted(pairs["difference"].abs(), reverse=True)]
    least, most = ((pairs["asl"] < LEVEL + near).sum() for near in (-NEAR, NEAR))
    count = round(answer["significant"])
    whole = count == answer["significant"] and least <= count <= most
    return bool(whole and agree(answer["required"], sizes[count]))


def with_most(pairs: pd.DataFrame) -> Values:
    """Use the largest difference in place of the required one."""
    return {**power(pairs), "required": float(pairs["difference"].abs().max())}


def compared(mine: Any, frame: pd.DataFrame) -> dict[str, pd.Series]:
    """Compare a metric and the rival by gold standard."""
    rival = deciding_pairs(mine).rival
    every = pd.concat([frame.assign(metric=MINE), of_library(mine, [rival, *GOLDS])])
    return {gold: meta.concordance(every, gold, [MINE, rival]).iloc[0] for gold in GOLDS}


@once
def compared_by_reference(mine: Any) -> dict[str, pd.Series]:
    return compared(mine, reference(mine))


def counts(rows: dict[str, pd.Series], columns: tuple[str, ...] = ("only_a", "only_b")) -> Values:
    """Count the disagreements by gold standard, with two more columns on the metric and the rival."""
    return {
        (gold, name): float(row[column])
        for gold, row in rows.items()
        for name, column in zip(COLUMNS, ("disagreements", *columns), strict=True)
    }


def counts_of_reference(*columns: str) -> Callable[[Any], Values]:
    return lambda mine: counts(compared_by_reference(mine), columns or ("only_a", "only_b"))


def exchanged(counts: Values) -> Values:
    """Swap the gold standards."""
    other = dict(zip(GOLDS, reversed(GOLDS), strict=True))
    return {(gold, name): counts[other[gold], name] for gold, name in counts}


def is_counts(mine: Any, value: Any, results: list[Any]) -> tuple[float, str]:
    """Judge an answer as the counts of the metric itself."""
    names = (list(GOLDS), list(COLUMNS))
    frame = table(mine, scores(mine, FUNCTION, results), MINE)
    rows = compared(mine, frame)
    right = counts(rows)
    answer = read(value, right, names)
    if agree(answer, right):
        return 1.0, "Right."
    slips = {
        SAYS["correct"]: lambda: counts(rows, ("correct_a", "correct_b")),
        SAYS["shares"]: lambda: counts(rows, ("concordance_a", "concordance_b")),
        SAYS["swapped"]: lambda: counts(rows, ("only_b", "only_a")),
        SAYS["golds"]: lambda: exchanged(right),
    }
    return 0.0, _slip(answer, slips, "Not right for the metric that you handed in.")


def _slip(answer: Any, slips: dict[str, Callable[[], Values]], otherwise: str) -> str:
    return next((f"Not right: {says}." for says, value in slips.items() if agree(answer, value())), otherwise)


SAYS = {
    "bootstrap": "that is the bootstrap, one pair at a time; Tukey HSD was asked for",
    "share": "that is the share of the pairs; their number was asked for",
    "rival": "that is the rival's; your own metric's was asked for",
    "level": "that is at level 0.01; 0.05 was asked for",
    "most": "that is the largest difference; the smallest that is significant was asked for",
    "correct": "that counts ties of the gold standard for both; count where only one of the two is right",
    "shares": "these are shares; the numbers of pairs of lists were asked for",
    "swapped": "your metric and the rival have changed places",
    "golds": "the two gold standards have changed places",
}


POWER_SLIPS = (
    WrongAnswer("bootstrap", lambda mine: by_bootstrap(reference(mine)), SAYS["bootstrap"]),
    WrongAnswer("share", lambda mine: as_share(pairs_of_reference(mine)), SAYS["share"]),
    WrongAnswer("rival", power_of_rival, SAYS["rival"]),
    WrongAnswer("level", lambda mine: power(pairs_of_reference(mine), 0.01), SAYS["level"]),
    WrongAnswer("most", lambda mine: with_most(pairs_of_reference(mine)), SAYS["most"]),
)


# --------------------------------------------------------------------------- which data may be given


def sound(mine: Any) -> bool:
    """Return whether a draw is usable: its pairs decide, the laws can hold, the systems differ."""
    if searched(mine) is None:
        return False
    if not 4 <= power_of_reference(mine)["significant"] <= 24:
        return False
    if not can_be_lawful(mine):
        return False
    # With p-values near the level a slip may give what other random numbers would give.
    if any(fits(wrong.value(mine), pairs_of_reference(mine)) for wrong in POWER_SLIPS):  # type: ignore[arg-type]
        return False
    counts = counts_of_reference()(mine)
    return all(counts[gold, "disagreements"] >= 20 for gold in GOLDS) and all(
        abs(counts[gold, "mine"] - counts[gold, "rival"]) > TIE_TOLERANCE for gold in GOLDS
    )


def can_be_lawful(mine: Any) -> bool:
    """Return whether the laws can hold with `N = ideal`, built greedily, so that a list may beat it."""
    return share_of_laws(mine, named(as_written(mine))) == 1


def precomputed(mine: Any) -> tuple[Any, str]:
    """Return what students get: the three visible pairs, the better list first, and the rival."""
    choice = deciding_pairs(mine)
    return tuple((pair.better.docs, pair.worse.docs) for pair in choice.visible), choice.rival


def as_written(mine: Any) -> str:
    """Return the reference metric as a student may write it, on a scale from 0 to 1."""
    return honest(mine.need)[0].replace("N = 1", "N = ideal")


QUESTIONS = (
    Question(
        "q1",
        misled,
        (
            WrongAnswer(
                "sign", lambda mine: -misled(mine), "the sign is wrong: the worse list scores higher"
            ),
            WrongAnswer("another pair", on_another, "that is another pair, which the rival has in order"),
            WrongAnswer("another metric", by_another, "that is another metric's difference, not the rival's"),
            WrongAnswer("cutoff", cut_at_3, "that is at cutoff 3; all five ranks count"),
        ),
        lesson="23_your_own_metric#From a sentence to a line",
    ),
    Question(
        "q2",
        as_written,
        cases=lambda mine: [[each] for each in cases(mine).lists],
        judged=lawful,
        lesson="23_your_own_metric#What the table of rules says",
    ),
    Question(
        "q3", as_written, judged=in_order, of="q2", lesson="23_your_own_metric#From a sentence to a line"
    ),
    Question(
        "q4",
        power_of_reference,
        POWER_SLIPS,
        names=lambda mine: (list(POWER),),
        lesson="18_can_you_tell_them_apart#Which metric tells more pairs apart?",
        judged=is_power,
        of="q2",
    ),
    Question(
        "q5",
        counts_of_reference(),
        (
            WrongAnswer("correct", counts_of_reference("correct_a", "correct_b"), SAYS["correct"]),
            WrongAnswer("shares", counts_of_reference("concordance_a", "concordance_b"), SAYS["shares"]),
            WrongAnswer("swapped", counts_of_reference("only_b", "only_a"), SAYS["swapped"]),
            WrongAnswer("golds", lambda mine: exchanged(counts_of_reference()(mine)), SAYS["golds"]),
        ),
        names=lambda mine: (list(GOLDS), list(COLUMNS)),
        lesson="19_is_it_intuitive#Two referees",
        judged=is_counts,
        of="q2",
    ),
)

ASSIGNMENT = Assignment(
    name="ps4",
    title="A metric for a need",
    questions=QUESTIONS,
    written=(
        WrittenQuestion(
            "w1",
            (
                (0.5, "names M, w, f and N of the metric, and the sentence of the card that each one says"),
                (1.5, "changes each of the three parts alone, and cites a pair whose scores turn with it"),
                (0.5, "gives the contributions behind one of these scores, by document and intent"),
                (0.5, "says what N divides by, and why no order of two lists of a topic depends on it"),
            ),
        ),
        WrittenQuestion(
            "w2",
            (
                (1.0, "gives two lists of the topic with both scores, and who would order them otherwise"),
                (1.0, "says what the metric cannot see there, and which part of it is to blame"),
                (0.5, "says what would have to be judged or changed, and what that would cost elsewhere"),
            ),
        ),
        WrittenQuestion(
            "w3",
            (
                (0.5, "reads the number of significant pairs: consistent over topics, which is not right"),
                (0.5, "reads the counts: who is right alone by either gold standard, with the numbers"),
                (1.0, "says which gold standard stands inside which metric, and that such a win is algebra"),
                (0.5, "names evidence that would count: people with that need, pairs chosen beforehand"),
            ),
        ),
        WrittenQuestion(
            "w4",
            (
                (0.5, "names a metric of the library and the parts in which it differs"),
                (1.0, "cites a pair of lists on which the two disagree, with scores, and what decides it"),
                (0.5, "says for which need the other would be the better metric"),
            ),
        ),
    ),
    solutions={"by parts": BY_PARTS, "by hand": BY_HAND},
    sound=sound,
    precomputed=precomputed,
    copies=copies,
    in_groups=True,
)
