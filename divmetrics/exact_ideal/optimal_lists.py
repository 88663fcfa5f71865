"""Search for the list with the largest alpha-DCG, with a proof, for every cutoff at once.

    value(L, l) = sum_{k<=l} w(k) sum_i f_i I(d_k, i) (1-alpha)^{c_i^{k-1}}

The problem is NP-complete in general (clarke2008), but quick to solve for the topics of test collections.
Documents with the same set of intents are one *kind*. All orders of the same documents lead to the same
counts c_i, so only the best of them is continued: a dynamic programme over ranks. Two facts keep its layers
small; it is at least ten times as fast as an integer programme in HiGHS on random topics of 8 to 12 intents.

*Larger sets first.* While a document is left that covers all intents of d_k and more, d_k need not be taken:
put it in d_k's place (or, if it is further down, swap the two), and the j-th document of every intent is no
lower than before, perhaps with one more behind. An intent's value is sum_j w(rank of its j-th document)
(1-alpha)^(j-1), so it cannot fall if w does not rise with the rank. This needs 0 <= alpha <= 1, f >= 0 and
binary judgments.

*An upper bound from tangents.* With F(c) = sum_i f_i sum_{j<c_i} (1-alpha)^j, the undiscounted value of a
prefix with counts c, summation by parts gives value = sum_k (w(k) - w(k+1)) F(c^k), w(l+1) = 0: a sum over
prefixes with weights that are not negative. F is concave in every count, so for any slopes g >= 0, F(c) is at
most g.c + sum_i max_n (F_i(n) - g_i n), and the largest g.c of q documents is the sum of the q largest
g.(set of intents), which needs no search. Any slopes give a valid bound; good ones make it nearly tight. A
list whose bound is no better than a known list is not continued.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from divmetrics.core.checks import check_fraction
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.errors import DivmetricsError

# The states per layer in the first search, the factor for the next search, and the bytes of all states.
NARROWEST, WIDEN_BY, STATE_BYTES = 64, 16, 2**27
# Numbers per array while a layer is extended.
BLOCK = 2**19
MANY_STEPS = 1_000  # with more steps, computing a weaker bound first saves time
# Largest number of ranks times kinds, and of kinds, for a search; for larger topics only bounds are computed,
# some ranks at a time. Neither needs more than about 500 MB.
CELLS, MOST_KINDS = 2**22, 2**12
# Steps of subgradient descent for slopes; the first are enough for nearly every judged topic.
FIRST_STEPS, LATER_STEPS = 20, 300


@dataclass(frozen=True, eq=False)
class ExactResult:
    """The best known lists of one topic for every cutoff 1..l, with bounds.

    Parameters
    ----------
    value_at : numpy.ndarray
        The value of the best known list, (cutoff,).
    bound_at : numpy.ndarray
        An upper bound on the value of any list, (cutoff,).
    proved : numpy.ndarray
        Whether the known list is proved to be the best, bool (cutoff,).
    orders : tuple of numpy.ndarray
        Per cutoff, the positions of the list's documents, on the document axis of `relevant`, in rank order.
        The list of a cutoff need not be the start of the next one's, and is shorter than the cutoff if there
        are no more relevant documents.
    seconds : float
        Duration of the search in seconds.
    """

    value_at: np.ndarray
    bound_at: np.ndarray
    proved: np.ndarray
    orders: tuple[np.ndarray, ...]
    seconds: float

    @property
    def gap(self) -> np.ndarray:
        """The difference of `bound_at` and `value_at`, (cutoff,); 0 where the list is proved."""
        return np.where(self.proved, 0.0, self.bound_at - self.value_at)

    @property
    def order(self) -> np.ndarray:
        """The positions of the documents of the best known list for the last cutoff."""
        return self.orders[-1]


def search_optimal_lists(
    relevant: np.ndarray,
    discount: np.ndarray,
    alpha: float,
    weights: np.ndarray | None = None,
    time_limit: float = 30.0,
    every_cutoff: bool = True,
) -> ExactResult:
    """Search for the lists of distinct documents with the largest alpha-DCG at the cutoffs 1..len(discount).

    Documents that are relevant to no intent of positive weight are left out; of documents with the same
    intents, the first ones are taken.

    Parameters
    ----------
    relevant : numpy.ndarray
        Whether each document is relevant to each intent, bool (intent, document).
    discount : numpy.ndarray
        w(1), w(2), ..., one per rank down to the last cutoff; at least 0, and never rising.
    alpha : float
        The probability, from 0 to 1, that a relevant document leaves nothing to gain for its intent below.
    weights : numpy.ndarray, optional
        f_i >= 0, (intent,); by default 1.
    time_limit : float
        Seconds of elapsed time, checked between steps, after which the best lists so far are returned (greedy
        ones at first).
    every_cutoff : bool
        Whether to prove the lists of all cutoffs, or of the last one only, which is quicker on hard topics.

    Returns
    -------
    ExactResult
        Lists and bounds for every cutoff.

    Raises
    ------
    DivmetricsError
        If an argument is out of range.
    """
    started = time.perf_counter()
    relevant = np.asarray(relevant, dtype=bool)
    weights = np.ones(len(relevant)) if weights is None else np.asarray(weights, dtype=float)
    discount = np.asarray(discount, dtype=float)
    _check(relevant, discount, alpha, weights, time_limit)
    kinds = _Kinds(relevant, discount, float(alpha), weights)
    if kinds.length == 0:
        zeros = np.zeros(len(discount))
        empty = (np.zeros(0, dtype=np.int64),) * len(discount)
        return ExactResult(zeros, zeros, zeros == 0, empty, time.perf_counter() - started)
    best = _Best(kinds, every_cutoff)
    _search(kinds, best, started + time_limit)
    greedy = kinds.documents(best.greedy)
    orders = [greedy[: len(c)] if c.base is best.greedy else kinds.documents(c) for c in best.lists]
    value = best.value.copy()
    for k in np.flatnonzero(best.wanted).tolist():
        value[k] = alpha_dcg(relevant[:, orders[k]], discount, alpha, weights)
    # After the last relevant document, values and bounds stay the same.
    beyond = len(discount) - kinds.length
    return ExactResult(
        value_at=np.pad(value, (0, beyond), mode="edge"),
        bound_at=np.pad(np.maximum(best.bound, value), (0, beyond), mode="edge"),
        proved=np.pad(best.proved, (0, beyond), mode="edge"),
        orders=tuple(orders + orders[-1:] * beyond),
        seconds=time.perf_counter() - started,
    )


def alpha_dcg(listed: np.ndarray, discount: np.ndarray, alpha: float, weights: np.ndarray) -> float:
    """Return the alpha-DCG of one list.

    listed: whether each of its documents is relevant, bool (intent, rank); discount: w, (rank,); weights: f,
    (intent,).
    """
    above = np.cumsum(listed, axis=1) - listed
    earned = weights[:, None] * listed * (1.0 - alpha) ** above
    return float(np.sum(discount[: listed.shape[1]] * earned.sum(axis=0)))


def _check(
    relevant: np.ndarray, discount: np.ndarray, alpha: float, weights: np.ndarray, time_limit: float
) -> None:
    """Raise DivmetricsError if an argument of `search_optimal_lists` is out of range."""
    if relevant.ndim != 2:
        raise DivmetricsError(f"relevant has shape {relevant.shape}, expected (intent, document)")
    check_fraction("alpha", alpha, "a number in [0, 1]")
    if not time_limit >= 0:
        raise DivmetricsError(f"time_limit is {time_limit!r}, expected seconds, at least 0")
    if weights.shape != (len(relevant),) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise DivmetricsError(
            f"weights are {weights.tolist()}, expected one finite number of at least 0 for each of "
            f"{len(relevant)} intents"
        )
    if discount.ndim != 1 or len(discount) == 0 or not np.isfinite(discount).all():
        raise DivmetricsError(f"discount is {discount.tolist()}, expected finite numbers, one per rank")
    rises = np.flatnonzero(np.diff(discount, append=0.0) > 0)
    if len(rises):
        k = int(rises[0])
        after = f"but {discount[k + 1]:g} at rank {k + 2}" if k + 1 < len(discount) else "below 0"
        raise DivmetricsError(
            f"discount is {discount[k]:g} at rank {k + 1} {after}, expected numbers of at least 0 that never "
            "rise from one rank to the next; for others this search does not know the best list"
        )


class _Kinds:
    """The kinds of documents of a topic, larger sets of intents first.

    length: number of ranks that relevant documents can fill. ceiling: upper bound on F of q documents, (q,).
    searchable: whether the topic is small enough for a search. members: positions of each kind's documents.
    copies: their number, (kind,). covers: float (kind, intent). larger: float (kind, kind), 1 at [a, b] if b
    covers all intents of a and more. drop: w(k) - w(k+1), with w = 0 after the last rank. novelty, covered:
    (1-alpha)^n and sum_{j<n} (1-alpha)^j for n = 0..length.
    """

    def __init__(self, relevant: np.ndarray, discount: np.ndarray, alpha: float, weights: np.ndarray) -> None:
        sets, kind = np.unique(relevant[weights > 0].T, axis=0, return_inverse=True)
        kind = kind.reshape(-1)
        copies = np.bincount(kind, minlength=len(sets))
        relevant_kinds = sets.any(axis=1)
        self.length = int(min(len(discount), copies[relevant_kinds].sum()))
        # A kind is not needed if the larger sets alone fill the list.
        step = max(1, CELLS // max(1, len(sets)))
        above = [_larger(sets[rows : rows + step], sets) @ copies for rows in range(0, len(sets), step)]
        needed = np.flatnonzero(relevant_kinds & (np.concatenate([*above, np.zeros(0)]) < self.length))
        needed = needed[np.argsort(-sets[needed].sum(axis=1), kind="stable")]
        by_kind = np.argsort(kind, kind="stable")
        ends = np.cumsum(copies)
        self.members = [by_kind[ends[c] - copies[c] : ends[c]].tolist() for c in needed]
        self.copies = np.minimum(copies[needed], self.length).astype(np.int32)
        self.covers = sets[needed].astype(float)
        self.searchable = len(needed) <= MOST_KINDS and len(needed) * self.length <= CELLS
        searched = sets[needed] if self.searchable else sets[:0]
        self.larger = _larger(searched, searched).astype(np.float32)
        self.weights = weights[weights > 0]
        self.discount = discount[: self.length]
        self.drop = -np.diff(self.discount, append=0.0)
        self.alpha = alpha
        self.novelty = (1.0 - alpha) ** np.arange(self.length + 1.0)
        self.covered = np.concatenate([[0.0], np.cumsum(self.novelty[:-1])])
        most = np.minimum(np.arange(1, self.length + 1)[:, None], relevant[weights > 0].sum(axis=1))
        self.ceiling = self.covered[most] @ self.weights

    def documents(self, kinds: np.ndarray) -> np.ndarray:
        """Return the documents' positions for a list of kinds, (rank,), each kind's first documents first."""
        taken, documents = dict.fromkeys(kinds.tolist(), 0), []
        for c in kinds.tolist():
            documents.append(self.members[c][taken[c]])
            taken[c] += 1
        return np.array(documents, dtype=np.int64)

    def greedy(self) -> tuple[np.ndarray, np.ndarray]:
        """Return, per rank, the kind that adds most, and the value of the list down to it, (rank,) each."""
        left, count = self.copies.copy(), np.zeros(self.covers.shape[1], dtype=np.int64)
        kinds, adds = np.zeros(self.length, dtype=np.int64), np.zeros(self.length)
        for k in range(self.length):
            each = np.where(left > 0, self.covers @ (self.weights * self.novelty[count]), -1.0)
            kinds[k], adds[k] = each.argmax(), each.max()
            left[kinds[k]] -= 1
            count += self.covers[kinds[k]] > 0
        return kinds, np.cumsum(self.discount * adds)


def _larger(sets: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return whether each of `others` is a proper superset of each of `sets`, bool (set, other)."""
    shared = sets.astype(np.float32) @ others.astype(np.float32).T
    of_set, of_other = sets.sum(axis=1)[:, None], others.sum(axis=1)
    return (shared == of_set) & (of_other > of_set)


class _Best:
    """The best known lists of kinds, one per cutoff, with their values and bounds.

    value, bound: (cutoff,). wanted: whether a proof is required, bool (cutoff,).
    """

    def __init__(self, kinds: _Kinds, every_cutoff: bool) -> None:
        self.greedy, self.value = kinds.greedy()
        self.lists = [self.greedy[: k + 1] for k in range(kinds.length)]
        self.bound = np.full(kinds.length, np.inf)
        self.wanted = np.arange(kinds.length) >= (0 if every_cutoff else kinds.length - 1)

    @property
    def enough(self) -> np.ndarray:
        """The largest bound that proves the known list optimal, (cutoff,)."""
        return self.value * (1 + TIE_TOLERANCE)

    @property
    def proved(self) -> np.ndarray:
        """Whether the known list is proved optimal, bool (cutoff,)."""
        return self.bound <= self.enough

    @property
    def open(self) -> np.ndarray:
        """Whether a required proof is missing, bool (cutoff,)."""
        return self.wanted & ~self.proved


def _search(kinds: _Kinds, best: _Best, deadline: float) -> None:
    """Improve lists and bounds in wider and wider searches until all are proved, or time or memory runs out.

    `deadline` is a value of time.perf_counter().
    """
    widest = max(NARROWEST, STATE_BYTES // (2 * len(kinds.copies) + 8 * kinds.length))
    tangents, width = _Tangents(kinds, FIRST_STEPS, deadline), NARROWEST
    best.bound = np.minimum(best.bound, tangents.bound)
    while kinds.searchable and best.open.any():
        layers = _Layers(kinds, tangents, best, width, deadline)
        reached = np.maximum(layers.run(), best.value)
        # `missed` covers the open cutoffs only.
        best.bound = np.where(layers.open, np.minimum(best.bound, reached), best.bound)
        if not best.open.any() or width == widest or time.perf_counter() > deadline:
            return
        if width == NARROWEST:
            tangents = _Tangents(kinds, LATER_STEPS, deadline)
            best.bound = np.minimum(best.bound, tangents.bound)
        width = min(width * WIDEN_BY, widest)


class _Tangents:
    """A plane above F for every prefix length q = 1..length (rows 0..), with slopes from subgradient descent.

    slope, touch: (q, intent); touch is the n at which F_i(n) - slope_i n is largest. worth: what a document
    of a kind adds to the plane, (q, kind). order: the kinds of largest worth, enough for q documents,
    (q, place); best_worth: their worth. bound: an upper bound on the value of any list, (cutoff,).
    """

    def __init__(self, kinds: _Kinds, steps: int, deadline: float) -> None:
        self.kinds = kinds
        self.slope = np.empty((kinds.length, kinds.covers.shape[1]))
        lowest = kinds.ceiling.copy()
        step = max(1, CELLS // max(1, len(kinds.copies)))
        for begin in range(0, kinds.length, step):
            rows = slice(begin, min(begin + step, kinds.length))
            # When time is up, the ceiling remains the bound.
            if not begin or time.perf_counter() < deadline:
                self.slope[rows], lowest[rows] = self._descended(rows, lowest[rows], steps, deadline)
        self.bound = np.cumsum(kinds.drop * lowest) + (kinds.discount - kinds.drop) * lowest
        if not kinds.searchable:
            return
        self.touch, self.worth = self._touch(self.slope), self.slope @ kinds.covers.T
        order = np.argsort(-self.worth, axis=1, kind="stable")
        lengths = np.arange(1, kinds.length + 1)[:, None]
        places = int(np.sum(np.cumsum(kinds.copies[order], axis=1) < lengths, axis=1).max()) + 1
        self.order = order[:, :places]
        self.best_worth = np.take_along_axis(self.worth, self.order, axis=1)

    def _descended(
        self, rows: slice, ceiling: np.ndarray, steps: int, deadline: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the best slopes for the prefix lengths `rows`, (q, intent), and their bounds on F, (q,).

        ceiling: another bound on F, (q,); steps: of the descent; deadline: a value of time.perf_counter().
        """
        kinds = self.kinds
        lengths = np.arange(rows.start + 1, rows.stop + 1)[:, None]
        # A slope is that of F_i at some count, and the steps move this count: a unit is one document. The
        # first counts are those of the largest sets. With alpha near 1 slopes of F_i would be too far apart.
        unit = -np.log(max(1.0 - kinds.alpha, 0.05))
        largest_sets = np.clip(lengths - (np.cumsum(kinds.copies) - kinds.copies), 0, kinds.copies)
        log_slope = np.log(kinds.weights) - unit * (largest_sets @ kinds.covers)
        best_slope, lowest = np.exp(log_slope), np.full(len(lengths), np.inf)
        for step in range(steps):
            slope = np.exp(log_slope)
            touch, worth = self._touch(slope), slope @ kinds.covers.T
            order = np.argsort(-worth, axis=1, kind="stable")
            copies = kinds.copies[order]
            before = np.cumsum(copies, axis=1) - copies
            taken = np.zeros_like(worth)
            np.put_along_axis(taken, order, np.clip(lengths - before, 0.0, copies), axis=1)
            above = kinds.weights * kinds.covered[touch] - slope * touch
            bound = above.sum(axis=1) + np.sum(taken * worth, axis=1)
            better = bound < lowest
            lowest[better], best_slope[better] = bound[better], slope[better]
            if time.perf_counter() > deadline:
                break
            # A slope is too steep if the q best documents cover the intent more often than `touch`.
            excess = taken @ kinds.covers - touch
            size = np.abs(excess).max(axis=1, keepdims=True, initial=1)
            log_slope -= unit / (1 + 0.2 * step) * excess / size
        return best_slope, np.minimum(lowest, ceiling)

    def _touch(self, slope: np.ndarray) -> np.ndarray:
        """Return the number of documents of an intent that add more than its slope, (q, intent)."""
        return np.searchsorted(-self.kinds.novelty[:-1], -(slope / self.kinds.weights))

    def prefixes(
        self, count: np.ndarray, left: np.ndarray, k: int, last: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Bound F of the first q = k+2..last documents of lists of which k documents are fixed.

        count: how many of the k documents cover each intent, (state, intent); left: the unused copies of each
        kind, (state, kind). Returns two arrays (state, q): the bound without document k+1, and the largest
        amount by which document k+1 can raise it; a document of smaller worth raises it by its worth.
        """
        rows = slice(k + 1, last)
        slope, touch, worth = self.slope[rows], self.touch[rows], self.best_worth[rows]
        now = count[:, None, :]
        value = self.kinds.weights * self.kinds.covered[np.maximum(now, touch)]
        plane = np.sum(value + slope * np.minimum(now - touch, 0), axis=2)
        copies = left[:, self.order[rows]]
        total = np.cumsum(copies, axis=2, dtype=np.int32)
        others = np.arange(1, last - k, dtype=np.int32)[:, None]
        taken = np.clip(others - (total - copies), 0, copies)
        one_more = np.argmax(total > others, axis=2)
        return plane + np.einsum("sqp,qp->sq", taken, worth), worth[np.arange(len(worth)), one_more]


@dataclass(frozen=True)
class _States:
    """Lists of k documents each that may be the start of a better list.

    used: (state, kind). count: (state, intent). value: (state,). bound: (state, cutoff - k - 1).
    """

    used: np.ndarray
    count: np.ndarray
    value: np.ndarray
    bound: np.ndarray


@dataclass(frozen=True)
class _Steps:
    """States extended by one document, not yet computed: the old state and the document's kind, (step,)."""

    state: np.ndarray
    kind: np.ndarray
    value: np.ndarray
    bound: np.ndarray

    def pick(self, which: np.ndarray) -> _Steps:
        """Return the steps at the indices `which`."""
        return _Steps(self.state[which], self.kind[which], self.value[which], self.bound[which])

    @staticmethod
    def joined(several: list[_Steps]) -> _Steps:
        """Concatenate several blocks of steps."""
        return _Steps(
            np.concatenate([steps.state for steps in several]),
            np.concatenate([steps.kind for steps in several]),
            np.concatenate([steps.value for steps in several]),
            np.concatenate([steps.bound for steps in several]),
        )


class _Layers:
    """One search, rank by rank, with at most `width` states per layer.

    open: the cutoffs to prove, the last of them `last`. missed: an upper bound on the lists that were left
    out because of width or time, (cutoff,).
    """

    def __init__(self, kinds: _Kinds, tangents: _Tangents, best: _Best, width: int, deadline: float) -> None:
        self.kinds, self.tangents, self.best = kinds, tangents, best
        self.width, self.deadline = width, deadline
        self.open = best.open
        self.last = int(np.flatnonzero(self.open)[-1]) + 1
        self.missed = np.full(kinds.length, -np.inf)
        self.came_from: list[
            tuple[np.ndarray, np.ndarray]
        ] = []  # state and kind; bounds would need too much memory
        # States are equal if their 128 random bits are; the probability of an error is below 1 in 10^20.
        random = np.random.default_rng(0)
        of_kind, of_intent = kinds.covers.shape
        bits = random.integers(np.iinfo(np.uint64).max, size=(of_kind + of_intent, 2), dtype=np.uint64)
        self.bits_of_kind, self.bits_of_intent = bits[:of_kind], bits[of_kind:]

    def run(self) -> np.ndarray:
        """Search and return `missed`, (cutoff,)."""
        kinds = self.kinds
        states = _States(
            used=np.zeros((1, len(kinds.copies)), dtype=np.int16 if kinds.length < 2**15 else np.int32),
            count=np.zeros((1, kinds.covers.shape[1]), dtype=np.int32),
            value=np.zeros(1),
            bound=self.best.bound[None, : self.last],
        )
        for k in range(self.last):
            # The arrays of a block have an element per step and cutoff.
            block = max(1, BLOCK // (len(kinds.copies) * (self.last - k)))
            blocks: list[_Steps] = []
            for begin in range(0, len(states.value), block):
                if time.perf_counter() > self.deadline:
                    self._leave_out(states.bound, k)
                    return self.missed
                blocks.append(self._extended(states, slice(begin, begin + block), k))
                if sum(len(steps.value) for steps in blocks) > 2 * self.width + BLOCK // (self.last - k):
                    blocks = [self._narrowed(_Steps.joined(blocks), states, k)]
            steps = self._narrowed(_Steps.joined(blocks), states, k)
            if not len(steps.value):
                break
            self.came_from.append((steps.state, steps.kind))
            used = states.used[steps.state]
            used[np.arange(len(used)), steps.kind] += 1
            count = states.count[steps.state] + kinds.covers[steps.kind].astype(np.int32)
            states = _States(used, count, steps.value, steps.bound)
        return self.missed

    def _extended(self, states: _States, rows: slice, k: int) -> _Steps:
        """Return the steps from some states of k documents that may lead to a better list at an open cutoff.

        `rows` is the slice of the states.
        """
        kinds = self.kinds
        used, count = states.used[rows], states.count[rows]
        left = kinds.copies - used
        # A kind is allowed only if no larger set is left.
        allowed = (left > 0) & ((left > 0).astype(np.float32) @ kinds.larger.T == 0)
        adds = (kinds.weights * kinds.novelty[count]) @ kinds.covers.T
        value = states.value[rows]
        if self.open[k]:
            reached = np.where(allowed, value[:, None] + kinds.discount[k] * adds, -np.inf)
            if reached.max() > self.best.enough[k]:
                self.best.value[k] = reached.max()
                of_state, of_kind = divmod(int(reached.argmax()), len(kinds.copies))
                self.best.lists[k] = self._list(of_state + rows.start, of_kind)
        if k + 1 == self.last:
            nothing = np.zeros(0, dtype=np.int64)
            return _Steps(nothing, nothing, np.zeros(0), np.zeros((0, 0)))
        without, one_more = self.tangents.prefixes(count, left, k, self.last)
        ahead = slice(k + 1, self.last)
        worth = self.tangents.worth[ahead].T
        rest = value - kinds.discount[k + 1] * np.sum(kinds.weights * kinds.covered[count], axis=1)
        gain = kinds.drop[k] * adds
        if np.count_nonzero(allowed) > MANY_STEPS:
            # A weaker but cheap bound, the minimum of sums instead of terms, that few steps pass.
            before, added, least = (self._by_parts(x, k) for x in (without, worth, one_more))
            may = np.zeros_like(allowed)
            for q in np.flatnonzero(self.open[ahead]).tolist():
                bound = (rest + before[:, q])[:, None] + gain + np.minimum(added[:, q], least[:, q, None])
                may |= bound > self.best.value[k + 1 + q]
            allowed &= may
        state, kind = np.nonzero(allowed)
        prefix = without[state] + np.minimum(worth[kind], one_more[state])
        bound = (rest[state] + gain[state, kind])[:, None] + self._by_parts(prefix, k)
        matters = np.any((bound > self.best.enough[ahead]) & self.open[ahead], axis=1)
        state, kind, bound = state[matters], kind[matters], bound[matters]
        return _Steps(state + rows.start, kind, value[state] + kinds.discount[k] * adds[state, kind], bound)

    def _by_parts(self, prefix: np.ndarray, k: int) -> np.ndarray:
        """Return sum_{k+1<q<=l} w(q) (F^q - F^{q-1}) for every l, without F^{k+1}; prefix: F^q, (any, q)."""
        ahead = slice(k + 1, self.last)
        by_drop = self.kinds.drop[ahead] * prefix
        return np.cumsum(by_drop, axis=1) - by_drop + self.kinds.discount[ahead] * prefix

    def _narrowed(self, steps: _Steps, states: _States, k: int) -> _Steps:
        """Return the best step to each state, and of these the `width` most promising."""
        if not len(steps.value):
            return steps
        # Equal states have the same counts, and the same copies left that fit into the remaining ranks.
        ranks_left = self.last - k - 1
        left = np.minimum(self.kinds.copies - states.used, ranks_left)
        bits = states.count.astype(np.uint64) @ self.bits_of_intent
        bits += left.astype(np.uint64) @ self.bits_of_kind
        had = left[steps.state, steps.kind]
        unused = self.kinds.copies[steps.kind] - states.used[steps.state, steps.kind]
        has = np.minimum(unused - 1, ranks_left)
        key = bits[steps.state] + (self.kinds.covers.astype(np.uint64) @ self.bits_of_intent)[steps.kind]
        key -= (had - has).astype(np.uint64)[:, None] * self.bits_of_kind[steps.kind]
        order = np.lexsort((-steps.value, key[:, 1], key[:, 0]))
        new = np.any(np.diff(key[order], axis=0, prepend=~key[order[:1]]) != 0, axis=1)
        steps = steps.pick(order[new])
        if len(steps.value) > self.width:
            ahead = slice(k + 1, self.last)
            could_gain = np.where(self.open[ahead], steps.bound - self.best.enough[ahead], -np.inf)
            order = np.argsort(-could_gain.max(axis=1), kind="stable")
            self._leave_out(steps.bound[order[self.width :]], k + 1)
            steps = steps.pick(order[: self.width])
        return steps

    def _leave_out(self, bound: np.ndarray, k: int) -> None:
        """Include the bounds of states of k documents, (state, cutoff - k - 1), in `missed`."""
        self.missed[k : self.last] = np.maximum(self.missed[k : self.last], bound.max(axis=0))

    def _list(self, state: int, kind: int) -> np.ndarray:
        """Return the kinds of the list of a state of the current layer, followed by `kind`."""
        kinds = [kind]
        for of_state, of_kind in reversed(self.came_from):
            kinds.append(int(of_kind[state]))
            state = int(of_state[state])
        return np.array(kinds[::-1], dtype=np.int64)
