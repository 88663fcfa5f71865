"""Goals that a lesson sets: flip one metric and keep another, in so many edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from divmetrics.core import checks
from divmetrics.core.batch import batch_lists
from divmetrics.core.collection import Judgments, RankedList, subtopic_index
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import compare_scores
from divmetrics.errors import DivmetricsError
from divmetrics.research.counterfactual.edits import fewest_moves
from divmetrics.research.counterfactual.inputs import Page, no_preference_error, resolve_goal_metrics


@dataclass(frozen=True)
class Goal:
    """Flip what a metric prefers, while others stay, in at most this many edits (None: as many as it takes).

    flip, keep: names such as "ERR-IA@5" or metrics. grades: do new grades count as edits that may be made?
    Otherwise documents may only be moved.
    """

    flip: str | BaseMetric
    keep: str | BaseMetric | Sequence[str | BaseMetric] = ()
    edits: int | None = None
    grades: bool = False

    def __post_init__(self) -> None:
        flipped, *others = self.metrics
        object.__setattr__(self, "flip", flipped)
        object.__setattr__(self, "keep", tuple(others))
        if self.edits is not None:
            checks.whole("edits", self.edits, 1)

    @property
    def metrics(self) -> tuple[BaseMetric, ...]:
        """The metric that is to flip, and those that are to stay."""
        return resolve_goal_metrics(self.flip, self.keep)

    def __str__(self) -> str:
        kept = f" but not {' or '.join(map(str, self.metrics[1:]))}" if self.keep else ""
        if self.edits is None:
            return f"Flip {self.flip}{kept}."
        edit = "edit" if self.grades else "move"
        return f"Flip {self.flip}{kept}, in {self.edits} {edit}{'' if self.edits == 1 else 's'}."

    def progress(self, start: Page, now: Page) -> Progress:
        """How far a page has come from the page at the start.

        Raises DivmetricsError where there is nothing to flip, or where the page has other documents or
        intents than at the start.
        """
        _check_same_topic(start[0].judgments, now[0].judgments)
        metrics = self.metrics
        before, after = (
            [compare_scores(*m.scores(seen)[0]) for m in metrics] for seen in map(batch_lists, (start, now))
        )
        if not before[0]:
            raise no_preference_error(metrics[0])
        moves = sum(_moves(old, new) for old, new in zip(start, now, strict=True))
        grades = _grades_changed(start[0].judgments, now[0].judgments)
        flipped = before[0] * after[0] < 0
        same = [was == now for was, now in zip(before, after, strict=True)]
        kept = dict(zip(map(str, metrics[1:]), same[1:], strict=True))
        return Progress(self, moves, grades, flipped, kept)


@dataclass(frozen=True)
class Progress:
    """moves, grades: the fewest edits from the start; flipped, kept: what the metrics say now."""

    goal: Goal
    moves: int
    grades: int
    flipped: bool
    kept: dict[str, bool]

    @property
    def edits(self) -> int:
        """Moves and new grades."""
        return self.moves + self.grades

    @property
    def few(self) -> bool:
        """Are these no more edits than may be made?"""
        return self.goal.edits is None or self.edits <= self.goal.edits

    @property
    def reached(self) -> bool:
        """Is all done, within the edits that may be made?"""
        return self.flipped and all(self.kept.values()) and self.few and (self.goal.grades or not self.grades)

    def __bool__(self) -> bool:
        return self.reached

    @property
    def marks(self) -> list[tuple[bool, str]]:
        """What flipped, what stayed and how many edits, each in words, and whether the goal wants it so."""
        marks = [(self.flipped, f"{self.goal.flip} {'has flipped' if self.flipped else 'has not flipped'}")]
        marks += [
            (kept, f"{name} {'has stayed' if kept else 'has changed'}") for name, kept in self.kept.items()
        ]
        allowed = "" if self.goal.edits is None else f" of {self.goal.edits}"
        edit, count = ("edit", self.edits) if self.goal.grades else ("move", self.moves)
        marks.append((self.few, f"{count}{allowed} {edit}{'' if count == 1 and not allowed else 's'}"))
        if self.grades and not self.goal.grades:
            marks.append(
                (False, f"{self.grades} new grade{'' if self.grades == 1 else 's'}, where none may change")
            )
        return marks

    def __str__(self) -> str:
        return "; ".join(f"{'✓' if done else '✗'} {said}" for done, said in self.marks)


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
    return sum(_changed(old, new, doc) for doc in docs)


def _changed(old: Judgments, new: Judgments, doc: str) -> int:
    """Second-level grades of a document that are others now, and first-level ones above none of these."""
    before, after = old.labels(doc), new.labels(doc)
    intents = {t.id for t in new.topic.intents if before.get(t.id, 0) != after.get(t.id, 0)}
    below = zip(subtopic_index(new.topic), _leaf_grades(old, doc), _leaf_grades(new, doc), strict=True)
    leaves = [intent for (intent, _), was, now in below if was != now]
    return len(leaves) + len(intents - set(leaves))


def _leaf_grades(pool: Judgments, doc: str) -> list[int]:
    if pool.subtopic_grades is None or doc not in pool.position:
        return [0] * len(subtopic_index(pool.topic))
    found: list[int] = pool.subtopic_grades[:, pool.position[doc]].tolist()
    return found
