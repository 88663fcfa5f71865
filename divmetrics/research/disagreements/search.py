"""Search two lists of one topic on which two metrics disagree most, or with the fewest edits."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np

from divmetrics.core import checks
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import TIE_DIGITS
from divmetrics.errors import DivmetricsError, some
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.disagreements.best_pairs import ScoredLists, fewest_edits, max_lists
from divmetrics.research.disagreements.disagreement import Agreement, Disagreement, SearchedLists, SearchGoal
from divmetrics.research.disagreements.orderings import Orderings

LEAST_MARGIN = 1e-9  # far above a tie, so that no proof depends on rounding
BLOCK = 5_000  # lists scored between two calls of progress
ROUNDS = 40  # rounds of a local search within the budget
# Lists regrouped in search of the fewest edits, where these need not be proved.
WORK = {"edits": 10_000_000, "margin": 1_000_000}


@public
def disagree(
    m1: str | BaseMetric,
    m2: str | BaseMetric,
    topic: Judgments | RankedList | Collection,
    length: int,
    *,
    find: SearchGoal = "margin",
    margin: float = LEAST_MARGIN,
    budget: int = 200_000,
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Disagreement | Agreement:
    """Find two lists A and B of one topic such that metric m1 prefers A and m2 prefers B.

    Both lists have `length` judged documents of the topic. The margins are m1(A) - m1(B) and m2(B) - m2(A).

    Parameters
    ----------
    m1, m2 : str or BaseMetric
        The metrics, such as "ERR-IA@5".
    topic : Judgments, RankedList or Collection
        The judgments of the topic (`collection.pools["21"]`), a list with judgments, or a collection with one
        topic. The runs of a collection and the order of a list are ignored.
    length : int
        The number of documents in each list, from 1 to the number of judged documents.
    find : "margin" or "edits"
        "margin" finds the pair whose smaller margin is largest (of several such pairs, one with few edits);
        "edits" finds the pair with the fewest edits (of several, the one whose smaller margin is largest). An
        edit swaps two documents of a list, or replaces one by another judged document.
    margin : float
        The least value of both margins, up to rounding; at least 1e-9.
    budget : int
        The largest number of lists scored, at least 1. If the topic has no more lists, all are scored and the
        result is exact. Otherwise the search starts from random lists and the best for each intent, and moves
        edit by edit to the neighbours of the lists that disagree most. Lists with the same grades at every
        rank count as one.
    seed : int
        The seed of the random lists, at least 0.
    progress : callable, optional
        Called from time to time as `progress(scored, most)`: the number of lists scored, and the largest
        number to score. By default nothing is called.

    Returns
    -------
    Disagreement or Agreement
        The lists `a` and `b` with scores, margins, edits, `exact` and reasons (`words`); or, if no pair with
        these margins is known, an Agreement, which is false. Its `exact` is whether it is proved that no pair
        has these margins.

    Raises
    ------
    DivmetricsError
        If a metric is unknown or both are the same, a collection does not have one topic, no document is
        judged, an option is out of range, or a metric needs something that the topic does not have.

    Examples
    --------
    >>> import divmetrics as dm
    >>> from divmetrics.research.datasets import sakai2012
    >>> result = dm.disagree("D-nDCG@3", "DIN-nDCG@3", sakai2012(), length=3)
    >>> result.a.docs, result.b.docs, result.exact
    (('d2', 'd4', 'd3'), ('d2', 'd3', 'd5'), True)
    """
    metrics = metric_named(m1), metric_named(m2)
    judgments = _judgments_of(topic)
    _check(metrics, judgments, length, find, margin, budget, seed)
    if progress is not None and not callable(progress):
        raise DivmetricsError(f"progress is {progress!r}, expected a function of two numbers, or None")
    report = progress or (lambda scored, of: None)
    orderings = Orderings.of(judgments, length, leaves=any(m.needs_subtopics for m in metrics))
    total = orderings.count()
    # lists are grouped by whole numbers with `length` digits, which must not overflow in a proof
    exact = total <= budget and (len(orderings.members) + 2) ** length < 2**63
    if exact:
        lists = orderings.all()
        first, second = _scores(orderings, metrics, lists, lambda scored: report(scored, len(lists)))
    else:
        lists, first, second = _search(orderings, metrics, budget, seed, report)
    searched = SearchedLists(judgments, length, len(lists), total, exact, seed)
    one, other, margins = ScoredLists.of(first, second).pairs()
    best = int(margins.argmax())
    largest = float(margins[best])
    threshold = margin - LEAST_MARGIN / 2  # 0.3 - 0.2 is 0.1, though not as floats
    if largest < threshold:
        return Agreement(metrics, margin, largest if largest >= LEAST_MARGIN else 0.0, searched)
    least = threshold if find == "edits" else largest - LEAST_MARGIN
    # the largest smaller margin of each list, as A or as B
    as_b, _, margins_as_b = ScoredLists.of(second, first).pairs()
    reach = np.empty(len(lists))
    reach[one] = margins
    reach[as_b] = np.maximum(reach[as_b], margins_as_b)
    candidates = np.flatnonzero(reach >= least)
    if exact and find == "edits":
        closest = fewest_edits(lists[candidates], first[candidates], second[candidates], least)
    else:
        candidates = candidates[np.argsort(-reach[candidates], kind="stable")][
            : max_lists(length, WORK[find])
        ]
        closest = fewest_edits(lists[candidates], first[candidates], second[candidates], least, WORK[find])
    if closest is None:
        a, b = int(one[best]), int(other[best])
        labels = tuple(k + 1 if lists[a, k] == lists[b, k] else 0 for k in range(length))
    else:
        a, b, labels = int(candidates[closest[0]]), int(candidates[closest[1]]), closest[2]
    docs_a, docs_b = orderings.documents(lists[a], lists[b], labels)
    ranked_a = RankedList(judgments.topic, docs_a, judgments, "A")
    return Disagreement(metrics, ranked_a, ranked_a.reordered(docs_b, "B"), find, margin, searched)


def _judgments_of(topic: Judgments | RankedList | Collection) -> Judgments:
    if isinstance(topic, RankedList):
        return topic.judgments
    if isinstance(topic, Collection):
        if len(topic.pools) != 1:
            raise DivmetricsError(
                f"the collection has {len(topic.pools)} topics ({some(list(topic.pools))}), expected one; "
                "give the judgments of one, as in collection.pools[topic_id]"
            )
        return next(iter(topic.pools.values()))
    if not isinstance(topic, Judgments):
        raise DivmetricsError(
            f"the topic is {topic!r}, expected its Judgments, such as collection.pools['21'], a RankedList, "
            "or a Collection with one topic"
        )
    return topic


def _check(
    metrics: tuple[BaseMetric, BaseMetric],
    judgments: Judgments,
    length: int,
    find: str,
    margin: float,
    budget: int,
    seed: int,
) -> None:
    if metrics[0] == metrics[1]:
        both = " and ".join(dict.fromkeys(map(str, metrics)))
        raise DivmetricsError(f"a metric does not disagree with itself ({both}); give two different metrics")
    if not judgments.docs:
        raise DivmetricsError(f"topic {judgments.topic.id} has no judged documents to make lists from")
    for name, value, least in (("length", length, 1), ("budget", budget, 1), ("seed", seed, 0)):
        checks.check_whole(name, value, least)
    if length > len(judgments.docs):
        raise DivmetricsError(
            f"length is {length}, but topic {judgments.topic.id} has {len(judgments.docs)} judged documents; "
            f"give a length of at most {len(judgments.docs)}"
        )
    checks.check_choice("find", find, get_args(SearchGoal))
    expected = f"a number of at least {LEAST_MARGIN:g}; less is rounding"
    checks.check_number("margin", margin, LEAST_MARGIN, expected=expected)


def _scores(
    orderings: Orderings,
    metrics: tuple[BaseMetric, BaseMetric],
    lists: np.ndarray,
    report: Callable[[int], object],
) -> np.ndarray:
    """Return the scores, (metric, list); call `report` with the number of lists scored after every block."""
    blocks = []
    for start in range(0, len(lists), BLOCK):
        report(start)
        block = lists[start : start + BLOCK]
        blocks.append(np.round([orderings.scores(metric, block) for metric in metrics], TIE_DIGITS))
    return np.concatenate(blocks, axis=1)


def _search(
    orderings: Orderings,
    metrics: tuple[BaseMetric, BaseMetric],
    budget: int,
    seed: int,
    report: Callable[[int, int], object],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return different lists, (list, rank), as many as the budget allows, and their two scores, (list,) each.

    A local search: each round takes the pairs that disagree most among the known lists, and adds the
    neighbours of their lists.
    """
    random = np.random.default_rng(seed)
    step = -(-budget // ROUNDS)
    lists = np.zeros((0, orderings.length), dtype=np.int64)
    scores = np.zeros((2, 0))
    visited: set[bytes] = set()
    expanded: set[int] = set()

    def unknown(candidates: np.ndarray) -> dict[bytes, np.ndarray]:
        return {key: row for row in candidates if (key := row.tobytes()) not in visited}

    def report_total(scored: int) -> None:
        report(len(lists) + scored, budget)

    report_total(0)
    new = unknown(np.concatenate([orderings.seed_lists(), orderings.draw(random, step)]))
    while new and len(lists) < budget:
        visited.update(new)
        added = np.array(list(new.values()))[: budget - len(lists)]
        scores = np.concatenate([scores, _scores(orderings, metrics, added, report_total)], axis=1)
        lists = np.concatenate([lists, added])
        one, other, margins = ScoredLists.of(*scores).pairs()
        order = np.argsort(-margins, kind="stable")
        new = {}
        for position in np.column_stack([one[order], other[order]]).ravel().tolist():
            if len(new) >= step:
                break
            if position not in expanded:
                expanded.add(position)
                new |= unknown(orderings.neighbours(lists[position], random, step))
        new = new or unknown(orderings.draw(random, step))
    return lists, *scores
