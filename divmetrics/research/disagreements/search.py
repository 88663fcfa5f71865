"""Two lists of one topic on which two metrics disagree: the most, or with the fewest edits."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np

from divmetrics.core import checks
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection, Judgments, RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import TIE_DIGITS
from divmetrics.errors import DivmetricsError, some
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.disagreements.best_pairs import ScoredLists, fewest_edits, max_lists
from divmetrics.research.disagreements.disagreement import Agreement, Disagreement, SearchedLists, SearchGoal
from divmetrics.research.disagreements.orderings import Orderings

LEAST_MARGIN = 1e-9  # that is looked for: far above a tie, so that what is proved hangs on no rounding
TOGETHER = 5_000  # lists that are scored before more is told of the progress
ROUNDS = 40  # in so many steps a search moves on from the best lists it knows
# Lists that are regrouped in search of the fewest edits, where these need not be proved.
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
    """Two lists A and B of one topic such that m1 prefers A and m2 prefers B.

    Both lists have `length` judged documents of the topic. The margins are m1(A) - m1(B) and m2(B) - m2(A).

    Parameters
    ----------
    m1, m2 : names such as "ERR-IA@5" or Metric objects
    topic : a Pool (`collection.pools["21"]`), a RankedList (its judgments) or a Collection with one topic
    length : the number of documents in each list
    find : "margin", the pair whose smaller margin is the largest (of several one with few edits); or "edits",
        the pair that is the fewest edits apart (of several the one whose smaller margin is the largest). An
        edit swaps two documents of a list, or replaces one by another judged document.
    margin : only pairs with both margins at least this count, give or take rounding; not below 1e-9, where
        rounding begins
    budget : at most so many lists are scored. If there are no more, all are, and the answer is exact;
        otherwise lists are searched: random ones, the best for each intent, and then, edit by edit, the
        neighbours of those that disagree most. Lists with the same grades at every rank count as one.
    seed : of the random lists; the same seed, the same answer
    progress : called now and then with how many lists have been scored, and how many are to be at most

    Returns a Disagreement with the lists `a` and `b`, scores, margins, edits, `exact` and the reasons in
    `words`; or, where no such pair is found, an Agreement: it is false, and says whether there is none.

    Raises DivmetricsError for input that cannot be used, in one sentence; also for what a metric needs and
    does not get.
    """
    metrics = metric_named(m1), metric_named(m2)
    pool = _pool(topic)
    _check(metrics, pool, length, find, margin, budget, seed)
    if progress is not None and not callable(progress):
        raise DivmetricsError(f"progress is {progress!r}, expected a function of two numbers, or None")
    tell = progress or (lambda scored, of: None)
    orderings = Orderings.of(pool, length, leaves=any(m.needs_subtopics for m in metrics))
    total = orderings.count()
    # Lists are grouped by whole numbers of so many digits, which must not overflow in a proof.
    exact = total <= budget and (len(orderings.members) + 2) ** length < 2**63
    if exact:
        lists = orderings.all()
        first, second = _scores(orderings, metrics, lists, lambda scored: tell(scored, len(lists)))
    else:
        lists, first, second = _search(orderings, metrics, budget, seed, tell)
    searched = SearchedLists(pool, length, len(lists), total, exact, seed)
    one, other, margins = ScoredLists.of(first, second).pairs()
    best = int(margins.argmax())
    largest = float(margins[best])
    enough = margin - LEAST_MARGIN / 2  # 0.3 - 0.2 is 0.1, though not as floats
    if largest < enough:
        return Agreement(metrics, margin, largest if largest >= LEAST_MARGIN else 0.0, searched)
    least = enough if find == "edits" else largest - LEAST_MARGIN
    # How much each list can disagree with any other one, as A or as B.
    as_b, _, margins_as_b = ScoredLists.of(second, first).pairs()
    reach = np.empty(len(lists))
    reach[one] = margins
    reach[as_b] = np.maximum(reach[as_b], margins_as_b)
    kept = np.flatnonzero(reach >= least)
    if exact and find == "edits":
        found = fewest_edits(lists[kept], first[kept], second[kept], least)
    else:
        kept = kept[np.argsort(-reach[kept], kind="stable")][: max_lists(length, WORK[find])]
        found = fewest_edits(lists[kept], first[kept], second[kept], least, WORK[find])
    if found is None:
        a, b = int(one[best]), int(other[best])
        labels = tuple(k + 1 if lists[a, k] == lists[b, k] else 0 for k in range(length))
    else:
        a, b, labels = int(kept[found[0]]), int(kept[found[1]]), found[2]
    docs_a, docs_b = orderings.documents(lists[a], lists[b], labels)
    ranked_a = RankedList(pool.topic, docs_a, pool, "A")
    return Disagreement(metrics, ranked_a, ranked_a.reordered(docs_b, "B"), find, margin, searched)


def _pool(topic: Judgments | RankedList | Collection) -> Judgments:
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
            f"the topic is {topic!r}, expected its judgments: a Pool such as collection.pools['21'], a "
            "RankedList, or a Collection with one topic"
        )
    return topic


def _check(
    metrics: tuple[BaseMetric, BaseMetric],
    pool: Judgments,
    length: int,
    find: str,
    margin: float,
    budget: int,
    seed: int,
) -> None:
    if metrics[0] == metrics[1]:
        both = " and ".join(dict.fromkeys(map(str, metrics)))
        raise DivmetricsError(f"a metric does not disagree with itself ({both}); give two different metrics")
    if not pool.docs:
        raise DivmetricsError(f"topic {pool.topic.id} has no judged documents to make lists from")
    for name, value, least in (("length", length, 1), ("budget", budget, 1), ("seed", seed, 0)):
        checks.whole(name, value, least)
    if length > len(pool.docs):
        raise DivmetricsError(
            f"length is {length}, but topic {pool.topic.id} has {len(pool.docs)} judged documents; give a "
            f"length of at most {len(pool.docs)}"
        )
    checks.check_choice("find", find, get_args(SearchGoal))
    expected = f"a number of at least {LEAST_MARGIN:g}; less is rounding"
    checks.check_number("margin", margin, LEAST_MARGIN, expected=expected)


def _scores(
    orderings: Orderings,
    metrics: tuple[BaseMetric, BaseMetric],
    lists: np.ndarray,
    tell: Callable[[int], object],
) -> np.ndarray:
    """(metric, list); tell is called with how many are scored."""
    blocks = []
    for start in range(0, len(lists), TOGETHER):
        tell(start)
        block = lists[start : start + TOGETHER]
        blocks.append(np.round([orderings.scores(metric, block) for metric in metrics], TIE_DIGITS))
    return np.concatenate(blocks, axis=1)


def _search(
    orderings: Orderings,
    metrics: tuple[BaseMetric, BaseMetric],
    budget: int,
    seed: int,
    tell: Callable[[int, int], object],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Different lists, as many as the budget allows, and their scores under both metrics.

    A local search: in every round the pairs that disagree most among the known lists are looked up, and the
    neighbours of their lists become known.
    """
    random = np.random.default_rng(seed)
    step = -(-budget // ROUNDS)
    lists = np.zeros((0, orderings.length), dtype=np.int64)
    scores = np.zeros((2, 0))
    seen: set[bytes] = set()
    left_from: set[int] = set()

    def unseen(some_lists: np.ndarray) -> dict[bytes, np.ndarray]:
        return {key: row for row in some_lists if (key := row.tobytes()) not in seen}

    def tell_all(scored: int) -> None:
        tell(len(lists) + scored, budget)

    tell_all(0)
    new = unseen(np.concatenate([orderings.seed_lists(), orderings.draw(random, step)]))
    while new and len(lists) < budget:
        seen.update(new)
        added = np.array(list(new.values()))[: budget - len(lists)]
        scores = np.concatenate([scores, _scores(orderings, metrics, added, tell_all)], axis=1)
        lists = np.concatenate([lists, added])
        one, other, margins = ScoredLists.of(*scores).pairs()
        order = np.argsort(-margins, kind="stable")
        new = {}
        for place in np.column_stack([one[order], other[order]]).ravel().tolist():
            if len(new) >= step:
                break
            if place not in left_from:
                left_from.add(place)
                new |= unseen(orderings.neighbours(lists[place], random, step))
        new = new or unseen(orderings.draw(random, step))
    return lists, *scores
