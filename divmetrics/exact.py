"""The list with the largest alpha-DCG, found and proved, for every cutoff at once.

    value(L, l) = sum_{k<=l} w(k) sum_i f_i I(d_k, i) (1-alpha)^{c_i^{k-1}}

The best list is NP-complete to find in general (Carterette 2009), but small on the topics that people judge.
Documents with the same set of intents are one *kind*. All orders of the same kinds leave the same counts
c_i, so only the best of them goes on: a dynamic programme over ranks. Two facts keep its layers small.

*Larger sets first.* While a document is left that covers all that d_k covers and more, d_k need not be taken:
put it in d_k's place (or, if it stands further down, swap the two), and the j-th document of every intent
stands no lower than before, perhaps with one more behind. An intent's value is sum_j w(rank of its j-th
document) (1-alpha)^(j-1), so it cannot fall as long as w does not rise with the rank; this needs
0 <= alpha <= 1 and f >= 0, and judgments that say relevant or not.

*An upper bound from tangents.* With F(c) = sum_i f_i sum_{j<c_i} (1-alpha)^j the value of what a prefix has
covered, summation by parts gives value = sum_k (w(k) - w(k+1)) F(c^k), w(l+1) = 0: a sum over prefixes with
weights that are not negative. F is concave in every count, so for any slopes g >= 0, F(c) is at most
g.c + sum_i max_n (F_i(n) - g_i n), and the best that q documents can add to g.c is the sum of the q largest
g.(set of intents): no search. Any slopes give a true bound; good ones make it close to tight.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from divmetrics.errors import DivmetricsError

# A list is proved best when no other can be better by more than this share of its value: rounding is far below.
TOLERANCE = 1e-12
NARROWEST, WIDEN_BY = 64, 16  # states kept per layer in the first search, and how much the next ones may widen
STATE_BYTES = 2**28  # what the widest layer may occupy
BLOCK = 10**6  # numbers per array while a layer is extended
FIRST_STEPS, LATER_STEPS = 30, 300  # in the search for slopes: few suffice for most topics


@dataclass(frozen=True, eq=False)
class ExactResult:
    """The best lists of one topic that were found, for every cutoff 1..l, and what is known about them.

    value_at: the value of the best list, (cutoff,). bound_at: no list is better than this, (cutoff,).
    proved: is it the best, bool (cutoff,). orders: per cutoff the positions of its documents in rank order;
    the best list of a cutoff need not be the start of the next one's. A list is shorter than its cutoff where
    there are no further relevant documents. seconds: what the search took.
    """

    value_at: np.ndarray
    bound_at: np.ndarray
    proved: np.ndarray
    orders: tuple[np.ndarray, ...]
    seconds: float

    @property
    def gap(self) -> np.ndarray:
        """How much better than value_at a list could still be, (cutoff,); 0 where it is proved."""
        return np.where(self.proved, 0.0, self.bound_at - self.value_at)

    @property
    def order(self) -> np.ndarray:
        """Positions of the documents of the best list for the last cutoff."""
        return self.orders[-1]


def best_list(
    relevant: np.ndarray,
    discount: np.ndarray,
    alpha: float,
    weights: np.ndarray | None = None,
    time_limit: float = 30.0,
) -> ExactResult:
    """The lists of distinct documents with the largest alpha-DCG at every cutoff 1..len(discount).

    relevant: bool (intent, document). discount: w(1), w(2), ...; never negative, never rising. alpha: in [0, 1].
    weights: f_i >= 0, (intent,); None is 1 for all. time_limit: seconds after which the best lists so far are
    returned, with the bound known by then. Documents relevant to nothing of weight are left out. Of documents
    with the same intents the first ones are taken, so the result depends on the input alone while time lasts.
    """
    started = time.perf_counter()
    relevant = np.asarray(relevant, dtype=bool)
    weights = np.ones(len(relevant)) if weights is None else np.asarray(weights, dtype=float)
    discount = np.asarray(discount, dtype=float)
    _check(relevant, discount, alpha, weights)
    kinds = _Kinds(relevant, discount, float(alpha), weights)
    search = _Search(kinds, started + time_limit)
    if kinds.length:
        search.run()
    orders = [kinds.documents(found) for found in search.lists]
    value = np.array([value_of(relevant[:, o], discount, alpha, weights) for o in orders])
    # Past the last relevant document nothing changes.
    beyond = len(discount) - kinds.length
    orders += [orders[-1] if orders else np.zeros(0, dtype=np.int64)] * beyond
    value = np.pad(value, (0, beyond), mode="edge") if len(value) else np.zeros(beyond)
    bound = np.pad(search.bound, (0, beyond), mode="edge") if len(search.bound) else np.zeros(beyond)
    proved = bound <= value + TOLERANCE * np.maximum(1, value)
    return ExactResult(
        value, np.maximum(bound, value), proved, tuple(orders), time.perf_counter() - started
    )


def value_of(listed: np.ndarray, discount: np.ndarray, alpha: float, weights: np.ndarray) -> float:
    """alpha-DCG of one list by the plain formula; listed: bool (intent, rank)."""
    above = np.cumsum(listed, axis=1) - listed
    earned = weights[:, None] * listed * (1.0 - alpha) ** above
    return float(np.sum(discount[: listed.shape[1]] * earned.sum(axis=0)))


def _check(relevant: np.ndarray, discount: np.ndarray, alpha: float, weights: np.ndarray) -> None:
    if relevant.ndim != 2:
        raise DivmetricsError(f"relevant has shape {relevant.shape}, expected (intent, document)")
    if not 0 <= alpha <= 1:
        raise DivmetricsError(f"alpha is {alpha!r}, expected a number in [0, 1]")
    if weights.shape != (len(relevant),) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise DivmetricsError(
            f"weights are {weights.tolist()}, expected {len(relevant)} finite numbers of at least 0, one per intent"
        )
    steady = np.isfinite(discount).all() and (np.diff(discount, append=0.0) <= 0).all()
    if discount.ndim != 1 or len(discount) == 0 or not steady:
        raise DivmetricsError(
            "the discounts must be a list of at least one finite number, never negative and never rising, "
            "for the best list to be found; this search has no other way to know which documents to leave out"
        )


class _Kinds:
    """The topic as the search sees it: kinds of documents, larger sets of intents first.

    covers: float (kind, intent). copies: (kind,). larger: float32 (kind, kind), [a, b]: b has all that a has and
    more. novelty, covered: (1-alpha)^n and sum_{j<n} (1-alpha)^j for n = 0..length.
    """

    def __init__(
        self, relevant: np.ndarray, discount: np.ndarray, alpha: float, weights: np.ndarray
    ) -> None:
        relevant = relevant[weights > 0]
        sets, kind = np.unique(relevant.T, axis=0, return_inverse=True)
        kind = kind.reshape(-1)
        copies = np.bincount(kind, minlength=len(sets))
        nothing = ~sets.any(axis=1)
        self.length = int(min(len(discount), copies[~nothing].sum()))
        larger = np.all(sets[:, None] <= sets[None], axis=2) & np.any(sets[:, None] != sets[None], axis=2)
        # A kind is never needed if the larger sets fill the list.
        kept = np.flatnonzero(~nothing & (larger @ copies < self.length))
        kept = kept[np.argsort(-sets[kept].sum(axis=1), kind="stable")]
        self.members = [np.flatnonzero(kind == c) for c in kept]
        self.covers = sets[kept].astype(float)
        self.copies = copies[kept]
        self.larger = larger[np.ix_(kept, kept)].astype(np.float32)
        self.weights = weights[weights > 0]
        self.discount = discount[: self.length]
        self.drop = self.discount - np.append(self.discount[1:], 0.0)[: self.length]
        self.alpha = alpha
        self.novelty = (1.0 - alpha) ** np.arange(self.length + 1.0)
        self.covered = np.concatenate([[0.0], np.cumsum(self.novelty[:-1])])

    def documents(self, list_of_kinds: np.ndarray) -> np.ndarray:
        """The first documents of each kind, in this order of kinds."""
        copy = [int(np.sum(list_of_kinds[:k] == c)) for k, c in enumerate(list_of_kinds)]
        return np.array([self.members[c][j] for c, j in zip(list_of_kinds, copy, strict=True)], dtype=np.int64)

    def greedy(self) -> np.ndarray:
        """At every rank the kind that adds most; the one with more intents where it does not matter."""
        left, count = self.copies.copy(), np.zeros(self.covers.shape[1], dtype=np.int64)
        chosen = np.zeros(self.length, dtype=np.int64)
        for k in range(self.length):
            chosen[k] = np.where(left > 0, self.covers @ (self.weights * self.novelty[count]), -1.0).argmax()
            left[chosen[k]] -= 1
            count += self.covers[chosen[k]].astype(np.int64)
        return chosen

    def gains(self, list_of_kinds: np.ndarray) -> np.ndarray:
        """What each rank of a list adds, discounted."""
        sets = self.covers[list_of_kinds]
        above = (np.cumsum(sets, axis=0) - sets).astype(np.int64)
        return self.discount[: len(sets)] * ((sets * self.novelty[above]) @ self.weights)


class _Tangents:
    """For every prefix length q = 1..length (rows 0..) a plane above F, chosen by subgradient descent.

    slope, touch: (q, intent), where touch is the n at which F_i(n) - slope n is largest. worth: slope.(set), (q, kind).
    order: kinds by decreasing worth, as many as q documents can come from, (q, place); sorted_worth goes with it.
    bound: (cutoff,), on every list.
    """

    def __init__(self, kinds: _Kinds, steps: int, deadline: float) -> None:
        self.kinds = kinds
        length, copies = kinds.length, kinds.copies
        lengths = np.arange(1, length + 1)[:, None]
        # The logarithm of a slope counts documents of the intent, in units of log(1-alpha). Start at the
        # counts in the largest sets; 0.05 stands in for alpha so near 1 that a second document is worth nothing.
        unit = -np.log(np.clip(1.0 - kinds.alpha, 0.05, 1.0))
        before = np.cumsum(copies) - copies
        log_slope = np.log(kinds.weights) - unit * (np.clip(lengths - before, 0, copies) @ kinds.covers)
        best = np.full(length, np.inf)
        self.slope = np.empty_like(log_slope)
        for step in range(steps):
            slope = np.exp(log_slope)
            touch = self._touch(slope)
            worth = slope @ kinds.covers.T
            order = np.argsort(-worth, axis=1, kind="stable")
            several = copies[order]
            taken = np.zeros_like(worth)
            before = np.cumsum(several, axis=1) - several
            np.put_along_axis(taken, order, np.clip(lengths - before, 0, several).astype(float), axis=1)
            bound = self._above(slope, touch).sum(axis=1) + np.sum(taken * worth, axis=1)
            better = bound < best
            best[better], self.slope[better] = bound[better], slope[better]
            if time.perf_counter() > deadline:
                break
            # The plane is too flat for an intent that the q best sets cover more often than it touches at.
            excess = taken @ kinds.covers - touch
            largest = np.maximum(np.abs(excess).max(axis=1, keepdims=True), 1.0)
            log_slope -= unit / (1 + 0.2 * step) * excess / largest
        self.touch = self._touch(self.slope)
        self.worth = self.slope @ kinds.covers.T
        order = np.argsort(-self.worth, axis=1, kind="stable")
        places = int(np.sum(np.cumsum(copies[order], axis=1) < lengths, axis=1).max()) + 1
        self.order = order[:, :places]
        self.sorted_worth = np.take_along_axis(self.worth, self.order, axis=1)
        self.bound = np.cumsum(kinds.drop * best) + (kinds.discount - kinds.drop) * best

    def _touch(self, slope: np.ndarray) -> np.ndarray:
        """The number of documents of an intent that add more than its slope, (q, intent)."""
        return np.searchsorted(-self.kinds.novelty[:-1], -(slope / self.kinds.weights))

    def _above(self, slope: np.ndarray, touch: np.ndarray) -> np.ndarray:
        """max_n (F_i(n) - slope_i n), (q, intent)."""
        return self.kinds.weights * self.kinds.covered[touch] - slope * touch

    def prefixes(self, count: np.ndarray, left: np.ndarray, k: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Bounds on F of the first q = k+2..last documents, when k stand already and a further one is chosen.

        count: (state, intent) so far; left: (state, kind) copies. Returns a bound without the further document,
        and the most that one can add to it; (state, q) each. A document adds its worth or that, if less.
        """
        rows = slice(k + 1, last)
        slope, touch, worth = self.slope[rows], self.touch[rows], self.sorted_worth[rows]
        now = count[:, None, :]
        start = np.sum(
            self.kinds.weights * self.kinds.covered[np.maximum(now, touch)] + slope * np.minimum(now - touch, 0),
            axis=2,
        )
        several = left[:, self.order[rows]]
        total = np.cumsum(several, axis=2, dtype=np.int64)
        others = np.arange(1, last - k)[:, None]
        taken = np.clip(others - (total - several), 0, several)
        one_more = np.argmax(total > others, axis=2)
        return start + np.sum(taken * worth, axis=2), worth[np.arange(len(worth)), one_more]


@dataclass
class _States:
    """Lists of k documents of which none makes another needless.

    used: (state, kind). count: (state, intent). value: (state,). bound: (state, cutoff beyond k).
    """

    used: np.ndarray
    count: np.ndarray
    value: np.ndarray
    bound: np.ndarray


@dataclass
class _Steps:
    """States of the next layer, before they are made: the state they come from, and the kind they add."""

    parent: np.ndarray
    kind: np.ndarray
    value: np.ndarray
    bound: np.ndarray

    def pick(self, which: np.ndarray) -> _Steps:
        return _Steps(self.parent[which], self.kind[which], self.value[which], self.bound[which])

    @staticmethod
    def joined(steps: list[_Steps]) -> _Steps:
        return _Steps(
            *(np.concatenate([getattr(s, f) for s in steps]) for f in ("parent", "kind", "value", "bound"))
        )


class _Search:
    """Layer after layer, with as many states as can matter; in ever wider layers until nothing was left out.

    lists: the best list of kinds per cutoff; value, bound: (cutoff,).
    """

    def __init__(self, kinds: _Kinds, deadline: float) -> None:
        self.kinds, self.deadline = kinds, deadline
        greedy = kinds.greedy()
        self.lists = [greedy[: k + 1] for k in range(kinds.length)]
        self.value = np.cumsum(kinds.gains(greedy))
        self.bound = np.full(kinds.length, np.inf)
        random = np.random.default_rng(0)
        intents = kinds.covers.shape[1]
        # States are the same where two sums of 64 random bits are: the chance of a mistake is below 1e-20.
        self.bits_of_count = random.integers(2**63, size=(intents, 2), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        self.bits_of_left = random.integers(
            2**63, size=(len(kinds.copies), 2), dtype=np.uint64
        ) * np.uint64(2) + np.uint64(1)

    @property
    def proved(self) -> np.ndarray:
        """Bool (cutoff,)."""
        return self.bound <= self._enough()

    def _enough(self) -> np.ndarray:
        """A bound up to here proves the list, (cutoff,)."""
        return self.value + TOLERANCE * np.maximum(1, self.value)

    def run(self) -> None:
        """Search until every cutoff is proved, or time or space is up."""
        kinds = self.kinds
        widest = STATE_BYTES // (2 * len(kinds.copies) + 8 * kinds.length)
        width, steps = NARROWEST, FIRST_STEPS
        tangents = _Tangents(kinds, steps, self.deadline)
        while True:
            self.bound = np.minimum(self.bound, tangents.bound)
            if self.proved.all():
                return
            missed = self._layers(tangents, min(width, widest))
            self.bound = np.minimum(self.bound, np.maximum(missed, self.value))
            if self.proved.all() or width >= widest or time.perf_counter() > self.deadline:
                return
            width *= WIDEN_BY
            if steps < LATER_STEPS:
                steps = LATER_STEPS
                tangents = _Tangents(kinds, steps, self.deadline)

    def _layers(self, tangents: _Tangents, width: int) -> np.ndarray:
        """One search; returns a bound on all lists that it left out for want of width or time, (cutoff,)."""
        kinds = self.kinds
        missed = np.full(kinds.length, -np.inf)
        unproved = ~self.proved
        last = int(np.flatnonzero(unproved)[-1]) + 1
        states = _States(
            np.zeros((1, len(kinds.copies)), dtype=np.int16 if kinds.length < 2**15 else np.int32),
            np.zeros((1, kinds.covers.shape[1]), dtype=np.int32),
            np.zeros(1),
            self.bound[None, :last],
        )
        came_from: list[tuple[np.ndarray, np.ndarray]] = []
        for k in range(last):
            waiting: list[_Steps] = []
            block = max(1, BLOCK // (len(kinds.copies) * max(1, last - k - 1)))
            for begin in range(0, len(states.value), block):
                if time.perf_counter() > self.deadline:
                    missed[k:last] = np.maximum(missed[k:last], states.bound.max(axis=0))
                    return missed
                rows = slice(begin, begin + block)
                part = _States(states.used[rows], states.count[rows], states.value[rows], states.bound[rows])
                steps = self._extend(part, tangents, k, last, unproved, begin, came_from)
                waiting.append(steps)
                if sum(len(s.value) for s in waiting) > max(2 * width, BLOCK // max(1, last - k)):
                    waiting = [self._narrow(_Steps.joined(waiting), states, width, k, last, unproved, missed)]
            chosen = self._narrow(_Steps.joined(waiting), states, width, k, last, unproved, missed)
            if not len(chosen.value):
                break
            came_from.append((chosen.parent, chosen.kind))
            used = states.used[chosen.parent]
            used[np.arange(len(used)), chosen.kind] += 1
            count = states.count[chosen.parent] + kinds.covers[chosen.kind].astype(np.int32)
            states = _States(used, count, chosen.value, chosen.bound)
        return missed

    def _extend(
        self,
        states: _States,
        tangents: _Tangents,
        k: int,
        last: int,
        unproved: np.ndarray,
        offset: int,
        came_from: list[tuple[np.ndarray, np.ndarray]],
    ) -> _Steps:
        """Every further document that can lead to a better list at some unproved cutoff."""
        kinds = self.kinds
        left = kinds.copies - states.used
        some = (left > 0).astype(np.float32)
        state, kind = np.nonzero((left > 0) & (some @ kinds.larger.T == 0))
        adds = ((kinds.weights * kinds.novelty[states.count]) @ kinds.covers.T)[state, kind]
        value = states.value[state] + kinds.discount[k] * adds
        best = int(value.argmax())
        if unproved[k] and value[best] > self._enough()[k]:
            self.value[k] = value[best]
            self.lists[k] = _trace(came_from, int(state[best]) + offset, int(kind[best]))
        if k + 1 == last:
            return _Steps(state[:0], kind[:0], value[:0], np.zeros((0, 0)))
        covered = np.sum(kinds.weights * kinds.covered[states.count], axis=1)[state] + adds
        without, one_more = tangents.prefixes(states.count, left, k, last)
        rows = slice(k + 1, last)
        prefix = without[state] + np.minimum(tangents.worth[rows].T[kind], one_more[state])
        # sum_{k<q<=l} w(q) (F^q - F^{q-1}), by parts, for every l.
        dropped = kinds.drop[rows] * prefix
        ahead = np.cumsum(dropped, axis=1) - dropped + kinds.discount[rows] * prefix
        bound = (value - kinds.discount[k + 1] * covered)[:, None] + ahead
        matters = np.any((bound > self._enough()[rows]) & unproved[rows], axis=1)
        return _Steps(state[matters] + offset, kind[matters], value[matters], bound[matters])

    def _narrow(
        self,
        steps: _Steps,
        states: _States,
        width: int,
        k: int,
        last: int,
        unproved: np.ndarray,
        missed: np.ndarray,
    ) -> _Steps:
        """The best of each group with the same counts and the same documents left; of those the most promising."""
        if not len(steps.value):
            return steps
        # Copies beyond the ranks that are left are the same as none.
        most = last - k - 1
        copies = self.kinds.copies
        left = np.minimum(copies - states.used, most)
        bits = states.count.astype(np.uint64) @ self.bits_of_count + left.astype(np.uint64) @ self.bits_of_left
        now = left[steps.parent, steps.kind]
        then = np.minimum(copies[steps.kind] - states.used[steps.parent, steps.kind] - 1, most)
        key = bits[steps.parent]
        key += (self.kinds.covers.astype(np.uint64) @ self.bits_of_count)[steps.kind]
        key -= (now - then).astype(np.uint64)[:, None] * self.bits_of_left[steps.kind]
        order = np.lexsort((-steps.value, key[:, 1], key[:, 0]))
        first = np.ones(len(order), dtype=bool)
        first[1:] = np.any(key[order[1:]] != key[order[:-1]], axis=1)
        steps = steps.pick(order[first])
        if len(steps.value) > width:
            promise = np.where(unproved[k + 1 : last], steps.bound - self._enough()[k + 1 : last], -np.inf)
            by_promise = np.argsort(-promise.max(axis=1), kind="stable")
            out = steps.bound[by_promise[width:]].max(axis=0)
            missed[k + 1 : last] = np.maximum(missed[k + 1 : last], out)
            steps = steps.pick(by_promise[:width])
        return steps


def _trace(came_from: list[tuple[np.ndarray, np.ndarray]], state: int, kind: int) -> np.ndarray:
    """The list of kinds that led to a state, and one more."""
    found = [kind]
    for parents, kinds in reversed(came_from):
        found.append(int(kinds[state]))
        state = int(parents[state])
    return np.array(found[::-1], dtype=np.int64)
