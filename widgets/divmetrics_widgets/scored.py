"""Lists as the answer to an exercise, checked by rules on their scores, in Python and in a page alike.

There are too many lists to try each. But a rule compares two scores, and those of every list are in tables
that a browser evaluates (`divmetrics.notebook.offline.permutation_tables`), so both evaluate the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

from divmetrics.core import checks
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import TIE_TOLERANCE, compare_scores
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.offline.permutation_tables import ListPermutations, reorderings
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.following import Palette, contribution_tables
from divmetrics_widgets.possible_answers import WORD

Relation = Literal[">", ">=", "=", "<=", "<"]
HOLDS: dict[str, tuple[int, ...]] = {">": (1,), ">=": (0, 1), "=": (0,), "<=": (-1, 0), "<": (-1,)}
Together = Literal["", "same documents", "one more"]
TOGETHER: dict[str, str] = {
    "": "",
    "same documents": "the lists hold the same documents",
    "one more": "each list is the one before with one document added at its end",
}
Side = tuple[str | RankedList, BaseMetric]


@dataclass(frozen=True)
class Rule:
    """A relation between a list's score and `times` another score or number plus `more`.

    otherwise: the sentence if the relation does not hold, with {left} and {right} for the two values.
    """

    left: Side
    relation: Relation
    right: Side | float
    times: float
    more: float
    otherwise: str

    def broken(self, score: Callable[[Side], float]) -> str:
        """Return the sentence if the relation does not hold; "" if it does, up to rounding."""
        left = score(self.left)
        right = score(self.right) if isinstance(self.right, tuple) else self.right
        if compare_scores(left, self.times * right + self.more) in HOLDS[self.relation]:
            return ""
        return self.otherwise.format(left=f"{left:.4f}", right=f"{right:.4f}")


def rule(
    of: str,
    metric: str | BaseMetric,
    relation: Relation,
    than: Any,
    otherwise: str = "",
    *,
    times: float = 1.0,
    more: float = 0.0,
) -> Rule:
    """Make a rule for the score of an answer's list: `rule("yours", "ERR-IA@5", ">", D)`.

    Parameters
    ----------
    of : str
        The name of a list of the answer.
    metric : str or BaseMetric
        The metric that scores the list.
    relation : {">", ">=", "=", "<=", "<"}
        The relation; scores that differ only by rounding are equal.
    than : float, str, RankedList or tuple
        A number, another list of the answer by its name, a RankedList, or a pair of a list and another
        metric.
    otherwise : str
        The sentence for an answer that breaks the rule; {left} and {right} become the two scores.
    times, more : float
        The factor and the term applied to `than`: the score is compared with times * than + more.

    Returns
    -------
    Rule
        The rule.

    Raises
    ------
    DivmetricsError
        If the metric or the relation is unknown, or if `otherwise` has other words in braces.
    """
    if relation not in HOLDS:
        raise DivmetricsError(f"rule: the relation is {relation!r}, expected one of {', '.join(HOLDS)}")
    left = of, _metric(metric)
    right: Side | float
    if isinstance(than, str | RankedList):
        right = than, left[1]
    else:
        right = (than[0], _metric(than[1])) if isinstance(than, tuple) else checks.check_number("than", than)
    otherwise = otherwise or f"{left[1]} of {of} is {{left}}, {_beside(left, relation, right)}"
    if re.search(r"[{}]", re.sub(r"\{(left|right)\}", "", otherwise)):
        raise DivmetricsError(f"rule: {checks.quote(otherwise)} has other braces than {{left}} and {{right}}")
    return Rule(
        left,
        relation,
        right,
        checks.check_number("times", times),
        checks.check_number("more", more),
        otherwise,
    )


@dataclass(frozen=True, eq=False)
class ListsForm:
    """Lists of judged documents, best first and without repetition, that keep the rules.

    sizes: {name of a list: (smallest, largest number of documents)}.
    """

    judgments: Judgments
    docs: tuple[str, ...]
    sizes: Mapping[str, tuple[int, int]]
    together: Together
    but: frozenset[str]
    rules: tuple[Rule, ...]

    def __call__(self, answer: Any) -> bool | str:
        """Return True, or the sentence on the answer."""
        listed = self._read(answer)
        if listed is None:
            return self.expectation

        def score(side: Side) -> float:
            of, metric = side
            ranked = (
                of
                if isinstance(of, RankedList)
                else RankedList(self.judgments.topic, listed[of], self.judgments)
            )
            return float(metric.score(ranked, level=1))

        return next(filter(None, (rule.broken(score) for rule in self.rules)), True)

    @property
    def expectation(self) -> str:
        """The sentence on the expected form."""
        each = {
            name: f"{low} documents" if low == high else f"{low} to {high} documents"
            for name, (low, high) in self.sizes.items()
        }
        lists = " and ".join(f"{name} ({size})" if len(each) > 1 else size for name, size in each.items())
        docs = " ".join(sorted(self.docs, key=lambda doc: (len(doc), doc)))
        also = f"; {TOGETHER[self.together]}" if self.together else ""
        also += f"; not these together: {' '.join(sorted(self.but))}" if self.but else ""
        return f"expected {lists}, best first and none of them twice, of these: {docs}{also}"

    def to_json(self) -> dict[str, Any]:
        """Convert to plain values for the browser, with the scores of every list."""
        palette = Palette()
        sides = [side for rule in self.rules for side in (rule.left, rule.right) if isinstance(side, tuple)]
        metrics = {str(metric): metric for of, metric in sides if isinstance(of, str)}
        lengths = sorted({n for low, high in self.sizes.values() for n in range(low, high + 1)})

        def plain(side: Side | float) -> Any:
            if not isinstance(side, tuple):
                return side
            of, metric = side
            if isinstance(of, RankedList):
                return float(metric.score(of, level=1))
            return [list(self.sizes).index(of), list(metrics).index(str(metric))]

        rules = [
            {
                "left": plain(rule.left),
                "right": plain(rule.right),
                "times": rule.times,
                "more": rule.more,
                "holds": HOLDS[rule.relation],
                "otherwise": rule.otherwise,
            }
            for rule in self.rules
        ]
        scores = [{str(n): self._earning(metric, n, palette) for n in lengths} for metric in metrics.values()]
        return {
            "word": WORD.pattern,
            "docs": self.docs,
            "sizes": list(self.sizes.values()),
            "together": self.together,
            "but": sorted(self.but),
            "rules": rules,
            "scores": scores,
            "values": palette.values,
            "tie": TIE_TOLERANCE,
        }

    @property
    def fields(self) -> list[dict[str, Any]]:
        """A field for each list, if there are several."""
        return [{"name": name} for name in self.sizes] if len(self.sizes) > 1 else []

    def _earning(self, metric: BaseMetric, length: int, palette: Palette) -> dict[str, Any]:
        orders = ListPermutations(self.judgments, [self.docs], length=length)
        permutations = reorderings(metric, orders)
        if permutations is None:
            raise DivmetricsError(
                f"lists: what {metric} makes of every list of {length} documents is more than a page can hold"
            )
        ranks = metric.contributions(orders.view([tuple(range(length))])).shape[-1]
        return {**contribution_tables(permutations, [str(length)], palette), "ranks": ranks}

    def _read(self, answer: Any) -> dict[str, tuple[str, ...]] | None:
        """Return the lists by name, or None if the answer does not have this form."""
        values = [answer] if len(self.sizes) == 1 else answer
        if not isinstance(values, list | tuple) or len(values) != len(self.sizes):
            return None
        values = [docs.docs if isinstance(docs, RankedList) else docs for docs in values]
        lists = [tuple(WORD.findall(docs)) if isinstance(docs, str) else docs for docs in values]
        if not all(
            isinstance(docs, list | tuple) and all(isinstance(x, str) for x in docs) for docs in lists
        ):
            return None
        lists = [*map(tuple, lists)]
        fits = (
            low <= len(docs) <= high
            and len(set(docs)) == len(docs)
            and set(docs) <= set(self.docs)
            and set(docs) != self.but
            for docs, (low, high) in zip(lists, self.sizes.values(), strict=True)
        )
        if not all(fits):
            return None
        pairs = list(pairwise(lists))
        if self.together == "same documents" and any(set(one) != set(other) for one, other in pairs):
            return None
        if self.together == "one more" and any(one != other[:-1] for one, other in pairs):
            return None
        return dict(zip(self.sizes, lists, strict=True))


def lists(
    of: Judgments | RankedList,
    sizes: Mapping[str, int | tuple[int, int]],
    *rules: Rule,
    docs: Sequence[str] | None = None,
    together: Together = "",
    but: Sequence[str] = (),
) -> ListsForm:
    """Make a test of one or more lists, in order, that checks rules (see `rule`) up to the first broken one.

    Parameters
    ----------
    of : Judgments or RankedList
        The judgments, or a list that has them.
    sizes : mapping
        The number of documents of each list, `{"first": 3, "second": 3}`, or a tuple (smallest, largest); at
        least one list. No list may hold a document twice.
    *rules : Rule
        The rules, at least one.
    docs : sequence of str, optional
        The documents to choose from; by default all judged ones.
    together : {"", "same documents", "one more"}
        "same documents" if all lists hold the same ones, "one more" if each list is the one before with one
        document appended.
    but : sequence of str
        The documents of a list that is not accepted, in any order.

    Returns
    -------
    ListsForm
        The test. It takes the list itself if there is one, else a sequence of the lists in their order.

    Raises
    ------
    DivmetricsError
        If an argument is invalid, or if a document has blanks, commas, quotes or brackets.
    """
    judgments = of.judgments if isinstance(of, RankedList) else of
    choices = tuple(judgments.docs if docs is None else docs)
    ranges = {name: size if isinstance(size, tuple) else (size, size) for name, size in sizes.items()}
    for name, (low, high) in ranges.items():
        checks.check_whole(f"the size of {name}", low, 1)
        if checks.check_whole(f"the size of {name}", high, low) > len(choices):
            raise DivmetricsError(f"lists: {name} holds {high} documents, but there are {len(choices)}")
    if together not in get_args(Together):
        raise DivmetricsError(f"lists: together is {together!r}, expected one of {list(TOGETHER)}")
    if not rules or not ranges:
        raise DivmetricsError("lists: expected the size of one list at least, and one rule")
    for one in (side[0] for rule in rules for side in (rule.left, rule.right) if isinstance(side, tuple)):
        if isinstance(one, str) and one not in ranges:
            raise DivmetricsError(f"lists: a rule is about {one!r}, expected one of {', '.join(ranges)}")
    for doc in choices:
        if not WORD.fullmatch(doc):
            raise DivmetricsError(
                f"lists: the document {checks.quote(doc)} is not one word without commas, quotes and brackets"
            )
    return ListsForm(judgments, choices, ranges, together, frozenset(but), rules)


def _metric(value: str | BaseMetric) -> BaseMetric:
    return metric_named(value) if isinstance(value, str) else value


def _beside(left: Side, relation: str, right: Side | float) -> str:
    if not isinstance(right, tuple):
        return f"expected {relation} {right:g}"
    of, metric = right
    run = of if isinstance(of, str) else of.run
    if run == left[0]:
        return f"{metric} {{right}}"
    return f"that of {run} {{right}}" if metric is left[1] else f"{metric} of {run} {{right}}"
