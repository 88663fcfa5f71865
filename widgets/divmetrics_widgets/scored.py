"""Lists as an answer to an exercise, and what their scores must be: rules that Python and a page both follow.

There are too many lists to try one by one. But a rule compares two scores, and those of every list are in
tables that a browser follows (`divmetrics.notebook.offline.permutation_tables`). So both evaluate the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

from divmetrics.core import checks
from divmetrics.core.collection import Judgments, RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import TIE_TOLERANCE, compare_scores
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.offline.permutation_tables import ListPermutations, reorderings
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.asked import WORD
from divmetrics_widgets.following import Palette, contribution_tables

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
    """A list's score stands in this relation to another score or number: so many times it, and so much more.

    otherwise: what is said where it does not, with {left} and {right} for the two.
    """

    left: Side
    relation: Relation
    right: Side | float
    times: float
    more: float
    otherwise: str

    def broken(self, score: Callable[[Side], float]) -> str:
        """What is said where it does not hold; "" where it does, up to rounding."""
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
    """What the score of an answer's list must be: `rule("yours", "ERR-IA@5", ">", D)`.

    of: the name of a list of the answer. relation: ">", ">=", "=", "<=" or "<"; scores that differ by
    rounding alone are equal. than: a number, another list of the answer by its name, a RankedList, or a pair
    of one of them and another metric. times, more: than is multiplied by the one, and the other is added.
    otherwise: what is said of an answer that breaks the rule; {left} and {right} in it become the two scores.
    Raises DivmetricsError for an unknown metric or relation, and for other words in braces.
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
    """Lists of a pool's documents, best first and none of them twice, that keep the rules.

    sizes: by the name of a list how many documents it has, from and to.
    """

    pool: Judgments
    docs: tuple[str, ...]
    sizes: Mapping[str, tuple[int, int]]
    together: Together
    but: frozenset[str]
    rules: tuple[Rule, ...]

    def __call__(self, answer: Any) -> bool | str:
        """True, or what is said of the answer."""
        listed = self._read(answer)
        if listed is None:
            return self.said

        def score(side: Side) -> float:
            of, metric = side
            given = of if isinstance(of, RankedList) else RankedList(self.pool.topic, listed[of], self.pool)
            return float(metric.score(given))

        return next(filter(None, (rule.broken(score) for rule in self.rules)), True)

    @property
    def said(self) -> str:
        """What is expected."""
        each = {
            name: f"{low} documents" if low == high else f"{low} to {high} documents"
            for name, (low, high) in self.sizes.items()
        }
        lists = " and ".join(f"{name} ({size})" if len(each) > 1 else size for name, size in each.items())
        docs = " ".join(sorted(self.docs, key=lambda doc: (len(doc), doc)))
        also = f"; {TOGETHER[self.together]}" if self.together else ""
        also += f"; not these together: {' '.join(sorted(self.but))}" if self.but else ""
        return f"expected {lists}, best first and none of them twice, of these: {docs}{also}"

    def told(self) -> dict[str, Any]:
        """As a browser reads it."""
        palette = Palette()
        sides = [side for rule in self.rules for side in (rule.left, rule.right) if isinstance(side, tuple)]
        metrics = {str(metric): metric for of, metric in sides if isinstance(of, str)}
        lengths = sorted({n for low, high in self.sizes.values() for n in range(low, high + 1)})

        def plain(side: Side | float) -> Any:
            if not isinstance(side, tuple):
                return side
            of, metric = side
            if isinstance(of, RankedList):
                return float(metric.score(of))
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
        """A field for each list, where there are several."""
        return [{"name": name} for name in self.sizes] if len(self.sizes) > 1 else []

    def _earning(self, metric: BaseMetric, length: int, palette: Palette) -> dict[str, Any]:
        orders = ListPermutations(self.pool, [self.docs], length=length)
        found = reorderings(metric, orders)
        if found is None:
            raise DivmetricsError(
                f"lists: what {metric} makes of every list of {length} documents is more than a page can hold"
            )
        ranks = metric.contributions(orders.view([tuple(range(length))])).shape[-1]
        return {**contribution_tables(found, [str(length)], palette), "ranks": ranks}

    def _read(self, answer: Any) -> dict[str, tuple[str, ...]] | None:
        """The lists by their names; None for what are none."""
        given = [answer] if len(self.sizes) == 1 else answer
        if not isinstance(given, list | tuple) or len(given) != len(self.sizes):
            return None
        given = [docs.docs if isinstance(docs, RankedList) else docs for docs in given]
        lists = [tuple(WORD.findall(docs)) if isinstance(docs, str) else docs for docs in given]
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
    """A test of one list or more, in order, that keep these rules (see `rule`): the first one broken is told.

    of: a pool, or a list of one. sizes: by the name of each list how many documents it has, or from how many
    to how many, such as `{"first": 3, "second": 3}`; none stands in it twice. docs: of which they are chosen;
    without them, all that were judged. together: "same documents" if all lists hold the same, "one more" if
    each is the one before with a document added. but: the documents of a list that is no answer, in whatever
    order. Raises DivmetricsError for what is none of these, and for a
    document that a page cannot read in an answer: one with blanks, commas, quotes or brackets.
    """
    pool = of.judgments if isinstance(of, RankedList) else of
    known = tuple(pool.docs if docs is None else docs)
    ranges = {name: size if isinstance(size, tuple) else (size, size) for name, size in sizes.items()}
    for name, (low, high) in ranges.items():
        checks.check_whole(f"the size of {name}", low, 1)
        if checks.check_whole(f"the size of {name}", high, low) > len(known):
            raise DivmetricsError(f"lists: {name} holds {high} documents, but there are {len(known)}")
    if together not in get_args(Together):
        raise DivmetricsError(f"lists: together is {together!r}, expected one of {list(TOGETHER)}")
    if not rules or not ranges:
        raise DivmetricsError("lists: expected the size of one list at least, and one rule")
    for one in (side[0] for rule in rules for side in (rule.left, rule.right) if isinstance(side, tuple)):
        if isinstance(one, str) and one not in ranges:
            raise DivmetricsError(f"lists: a rule is about {one!r}, expected one of {', '.join(ranges)}")
    for doc in known:
        if not WORD.fullmatch(doc):
            raise DivmetricsError(
                f"lists: the document {checks.quote(doc)} is not one word without commas, quotes and brackets"
            )
    return ListsForm(pool, known, ranges, together, frozenset(but), rules)


def _metric(given: str | BaseMetric) -> BaseMetric:
    return metric_named(given) if isinstance(given, str) else given


def _beside(left: Side, relation: str, right: Side | float) -> str:
    if not isinstance(right, tuple):
        return f"expected {relation} {right:g}"
    of, metric = right
    whose = of if isinstance(of, str) else of.run
    if whose == left[0]:
        return f"{metric} {{right}}"
    return f"that of {whose} {{right}}" if metric is left[1] else f"{metric} of {whose} {{right}}"
