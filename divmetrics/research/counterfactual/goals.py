"""Goals of exercises: flip the preference of one metric and keep those of others, in few edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from divmetrics.core import checks
from divmetrics.core.batch import batch_lists
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import compare_scores
from divmetrics.core.topics import subtopic_index
from divmetrics.errors import DivmetricsError
from divmetrics.research.counterfactual.edits import fewest_moves
from divmetrics.research.counterfactual.inputs import ListPair, no_preference_error, resolve_goal_metrics


@dataclass(frozen=True)
class Goal:
    """A goal: flip the preference of a metric, while other metrics keep their preferences.

    Parameters
    ----------
    flip : str or BaseMetric
        The metric to flip, such as "ERR-IA@5".
    keep : str or BaseMetric, or sequence of these
        The metrics whose preferences must stay, also that for neither list; none by default.
    edits : int, optional
        The largest number of edits allowed (moves of a document to another rank of its list, and new grades);
        by default, there is no limit.
    grades : bool
        Whether grades may change; by default documents may only be moved.

    Raises
    ------
    DivmetricsError
        If there is no metric of a name, `keep` holds the metric to flip, or `edits` is not a whole number of
        at least 1.

    Examples
    --------
    >>> from divmetrics.research.counterfactual import Goal
    >>> from divmetrics.research.datasets import harry_potter
    >>> start = tuple(harry_potter().list(run, "0083") for run in ("A", "C"))
    >>> Goal("ERR-IA@5", keep="S-recall@5", edits=1).describe(start)
    'Make ERR-IA@5 prefer A in 1 move; S-recall@5 must still prefer C.'
    """

    flip: str | BaseMetric
    keep: str | BaseMetric | Sequence[str | BaseMetric] = ()
    edits: int | None = None
    grades: bool = False

    def __post_init__(self) -> None:
        flip, *keep = self.metrics
        object.__setattr__(self, "flip", flip)
        object.__setattr__(self, "keep", tuple(keep))
        if self.edits is not None:
            checks.check_whole("edits", self.edits, 1)

    @property
    def metrics(self) -> tuple[BaseMetric, ...]:
        """The metric to flip, followed by the metrics to keep."""
        return resolve_goal_metrics(self.flip, self.keep)

    def describe(self, start: ListPair) -> str:
        """Say in one sentence which list each metric has to prefer at the end.

        Parameters
        ----------
        start : tuple of two RankedList
            The two lists from which the goal is pursued.

        Returns
        -------
        str
            The sentence, in which each list has its name.

        Raises
        ------
        DivmetricsError
            If the metric to flip prefers neither list, or a metric cannot be computed on the lists.
        """
        preferred, *others = self._preferences(start)
        if not preferred:
            raise no_preference_error(self.metrics[0])
        still = [
            f"{metric} must still {f'prefer {start[side < 0].run}' if side else 'prefer neither'}"
            for metric, side in zip(self.metrics[1:], others, strict=True)
        ]
        edit = f"{'edit' if self.grades else 'move'}{'' if self.edits == 1 else 's'}"
        within = "" if self.edits is None else f" in {self.edits} {edit}"
        return "; ".join([f"Make {self.flip} prefer {start[preferred > 0].run}{within}", *still]) + "."

    def _preferences(self, page: ListPair) -> list[int]:
        batch = batch_lists(page)
        return [compare_scores(*metric.scores(batch)[0]) for metric in self.metrics]

    def progress(self, start: ListPair, now: ListPair) -> Progress:
        """Count the edits that turn two lists into two others, and compare the preferences of the metrics.

        Parameters
        ----------
        start : tuple of two RankedList
            The two lists from which the goal is pursued.
        now : tuple of two RankedList
            The two lists after the edits, in the same order.

        Returns
        -------
        Progress
            The numbers of edits, and whether each preference has flipped or stayed.

        Raises
        ------
        DivmetricsError
            If the metric to flip prefers neither list at the start, or the topics or the documents of a list
            differ.
        """
        _check_same_topic(start[0].judgments, now[0].judgments)
        before, after = self._preferences(start), self._preferences(now)
        if not before[0]:
            raise no_preference_error(self.metrics[0])
        moves = sum(_moves(old, new) for old, new in zip(start, now, strict=True))
        grades = _grades_changed(start[0].judgments, now[0].judgments)
        flipped = before[0] * after[0] < 0
        unchanged = [old == now for old, now in zip(before, after, strict=True)]
        same_by_name = dict(zip(map(str, self.metrics[1:]), unchanged[1:], strict=True))
        return Progress(self, moves, grades, flipped, same_by_name)


@dataclass(frozen=True)
class Progress:
    """The state of a goal on an edited page. True in a boolean context if the goal is reached.

    Parameters
    ----------
    goal : Goal
        The goal.
    moves, grades : int
        The smallest numbers of moves and of new grades that lead from the start to the edited lists.
    flipped : bool
        Whether the metric to flip now prefers the other list; a tie is no flip.
    unchanged : dict of str to bool
        For the name of each metric to keep, whether its preference is the same as at the start.

    Examples
    --------
    >>> from divmetrics.research.counterfactual import Goal
    >>> from divmetrics.research.datasets import harry_potter
    >>> a, b = (harry_potter().list(run, "0083") for run in ("A", "C"))
    >>> b = a.reordered(b.docs, "B")
    >>> moved = b.reordered(["d14", "d1", "d2", "d9", *b.docs[4:]], "B")
    >>> progress = Goal("ERR-IA@5", edits=1).progress((a, b), (a, moved))
    >>> print(progress)
    ✓ ERR-IA@5 has flipped; ✓ 1 of 1 moves
    >>> progress.reached
    True
    """

    goal: Goal
    moves: int
    grades: int
    flipped: bool
    unchanged: dict[str, bool]

    @property
    def edits(self) -> int:
        """The number of moves and new grades together."""
        return self.moves + self.grades

    @property
    def within_limit(self) -> bool:
        """Whether the goal allows as many edits; True if it has no limit."""
        return self.goal.edits is None or self.edits <= self.goal.edits

    @property
    def reached(self) -> bool:
        """Whether the metric has flipped and no preference to keep has changed, with allowed edits only."""
        return (
            self.flipped
            and all(self.unchanged.values())
            and self.within_limit
            and (self.goal.grades or not self.grades)
        )

    def __bool__(self) -> bool:
        return self.reached

    @property
    def marks(self) -> list[tuple[bool, str]]:
        """The conditions of the goal as (whether it is met, its state in words)."""
        marks = [(self.flipped, f"{self.goal.flip} {'has flipped' if self.flipped else 'has not flipped'}")]
        marks += [
            (same, f"{name} {'has stayed' if same else 'has changed'}")
            for name, same in self.unchanged.items()
        ]
        allowed = "" if self.goal.edits is None else f" of {self.goal.edits}"
        edit, count = ("edit", self.edits) if self.goal.grades else ("move", self.moves)
        marks.append(
            (self.within_limit, f"{count}{allowed} {edit}{'' if count == 1 and not allowed else 's'}")
        )
        if self.grades and not self.goal.grades:
            marks.append(
                (False, f"{self.grades} new grade{'' if self.grades == 1 else 's'}, where none may change")
            )
        return marks

    def __str__(self) -> str:
        return "; ".join(f"{'✓' if met else '✗'} {text}" for met, text in self.marks)


def _check_same_topic(old: Judgments, new: Judgments) -> None:
    if (old.topic, old.scale) != (new.topic, new.scale):
        raise DivmetricsError(
            f"topic {new.topic.id} has other intents, weights, kinds or possible grades than at the start, "
            "but a goal counts only moves and new grades of documents; undo what was changed"
        )


def _moves(old: RankedList, new: RankedList) -> int:
    if sorted(old.docs) != sorted(new.docs):
        raise DivmetricsError(
            f"list {new.run} has other documents than at the start, but a goal counts only moves; undo what "
            "was added or removed"
        )
    return fewest_moves(old.docs, new.docs)


def _grades_changed(old: Judgments, new: Judgments) -> int:
    if old is new:
        return 0
    docs = dict.fromkeys((*old.docs, *new.docs))
    return sum(_count_changes(old, new, doc) for doc in docs)


def _count_changes(old: Judgments, new: Judgments, doc: str) -> int:
    """Count changed second-level grades of a document, and changed first-level grades of other intents."""
    before, after = old.labels(doc), new.labels(doc)
    intents = {t.id for t in new.topic.intents if before.get(t.id, 0) != after.get(t.id, 0)}
    below = zip(subtopic_index(new.topic), _leaf_grades(old, doc), _leaf_grades(new, doc), strict=True)
    leaves = [intent for (intent, _), was, now in below if was != now]
    return len(leaves) + len(intents - set(leaves))


def _leaf_grades(judgments: Judgments, doc: str) -> list[int]:
    if judgments.subtopic_grades is None or doc not in judgments.position:
        return [0] * len(subtopic_index(judgments.topic))
    grades: list[int] = judgments.subtopic_grades[:, judgments.position[doc]].tolist()
    return grades
