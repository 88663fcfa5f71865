"""Section 5: the discriminative power of metrics under two tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from divmetrics.research.papers.sakai2012.experiments import (
    FIVE,
    LEVEL,
    OTHERS,
    SHARP,
    TESTS,
    TWELVE,
    Experiment,
)
from divmetrics.research.papers.verdicts import Claim

COMPARABLE = 0.9  # of the significant pairs of the better metric
DRAMATIC = 1.5  # times as many significant pairs
LARGE_LEVELS = (0.1, 0.2)
FIGURE_8 = ("D-nDCG", "DIN-nDCG", "P+Q")
NOT_IN_FIGURE_8 = tuple(name for name in SHARP if name not in FIGURE_8)


def _as_powerful(experiment: Experiment, metric: str, than: Sequence[str]) -> bool:
    """Test whether a metric separates about as many pairs of runs as the best of others, in both tests."""
    return all(
        experiment.significant(test, metric)
        >= COMPARABLE * max(experiment.significant(test, other) for other in than)
        for test in TESTS
    )


def _at_most(experiment: Experiment, fewer: Sequence[str], more: Sequence[str]) -> bool:
    """Test whether no metric of `fewer` separates more pairs than one of `more`, in both tests."""
    return all(
        max(experiment.significant(test, name) for name in fewer)
        <= min(experiment.significant(test, name) for name in more)
        for test in TESTS
    )


def _each_at_most(experiment: Experiment, pairs: Sequence[tuple[str, str]]) -> bool:
    """Test for each (a, b) whether `a` separates no more pairs of runs than `b`, in both tests."""
    return all(_at_most(experiment, (a,), (b,)) for a, b in pairs)


def _less_powerful(experiment: Experiment, test: str, levels: Sequence[float]) -> bool:
    """Test whether alpha-nDCG separates fewer pairs of runs than four other metrics, at every level."""
    others = [name for name in FIVE if name != "alpha-nDCG"]
    return all(
        _count(experiment, test, "alpha-nDCG", level)
        < min(_count(experiment, test, name, level) for name in others)
        for level in levels
    )


def _boosted(experiment: Experiment, plains: Sequence[str] = FIGURE_8, times: float = 1) -> bool:
    """Test whether each combination of `plains` with I-rec separates more pairs, in both tests.

    With `times`, at least this many times as many.
    """
    return all(
        experiment.significant(test, SHARP[plain])
        >= max(times * experiment.significant(test, plain), experiment.significant(test, plain) + 1)
        for plain in plains
        for test in TESTS
    )


def _least_overlap(experiment: Experiment) -> tuple[float, str]:
    """Return the least overlap of HSD's significant pairs of two of five metrics, and its counts as text.

    An overlap is divided by the larger of the two counts, so that a small part of a large set is not nearly
    the same; it is 0 if no pair is significant.
    """
    rows = []
    for a, b, only_a, both, only_b in experiment.overlap.reset_index().itertuples(index=False, name=None):
        larger = both + max(only_a, only_b)
        rows.append((both / larger if larger else 0.0, f"{a}, {b}: {only_a} + {both} + {only_b}"))
    return min(rows)


def counts(experiment: Experiment, names: Sequence[str]) -> str:
    """Return the significant pairs of metrics in both tests as text."""
    each = (
        f"{name} {' / '.join(str(experiment.significant(test, name)) for test in TESTS)}" for name in names
    )
    return ", ".join(each)


def _count(experiment: Experiment, test: str, metric: str, level: float) -> int:
    return int((experiment.asl(test, metric) < level).sum())


def _by_level(experiment: Experiment, test: str, levels: Sequence[float]) -> str:
    return "; ".join(
        f"at {level} " + ", ".join(f"{name} {_count(experiment, test, name, level)}" for name in FIVE)
        for level in levels
    )


def tested_claim(
    where: str, says: str, rule: Callable[[Experiment], bool], figures: Callable[[Experiment], str]
) -> Claim:
    """Return a claim that a rule tests in every experiment."""
    return Claim(where, says, lambda evidence: evidence.judge(rule, figures))


def counted_claim(where: str, says: str, rule: Callable[[Experiment], bool], names: Sequence[str]) -> Claim:
    """Return a claim with the significant pairs of the metrics `names` as its evidence."""
    return tested_claim(where, says, rule, partial(counts, names=names))


def _with_sharp(plains: Sequence[str]) -> tuple[str, ...]:
    """Return each metric, followed by its combination with I-rec."""
    return tuple(name for plain in plains for name in (plain, SHARP[plain]))


BOTH = "significant pairs by bootstrap / HSD"
MAIN = "5, Tables 2 and 3, Fig. 8 and 9"
LOWEST = ("D-Q", "DIN-Q")
HIGHER = tuple(name for name in TWELVE if name not in LOWEST)

CLAIMS = (
    *(
        counted_claim(
            MAIN,
            f"{name} tells about as many pairs of runs apart ({BOTH}) as I-rec and D#-nDCG",
            partial(_as_powerful, metric=name, than=("I-rec", "D#-nDCG")),
            (name, "I-rec", "D#-nDCG"),
        )
        for name in ("DIN#-nDCG", "P+Q#")
    ),
    *(
        tested_claim(
            f"5, Fig. {figure}(a)",
            f"with {name}, alpha-nDCG tells fewer pairs apart than I-rec, D#-nDCG, DIN#-nDCG and P+Q# {at}",
            partial(_less_powerful, test=test, levels=levels),
            partial(_by_level, test=test, levels=levels),
        )
        for figure, test, name in zip((8, 9), TESTS, ("the bootstrap test", "HSD"), strict=True)
        for at, levels in (
            (f"at level {LEVEL}", (LEVEL,)), (f"at levels of {LARGE_LEVELS[0]} and more", LARGE_LEVELS),
        )
    ),
    counted_claim(
        "5, Fig. 8(b) and 9(b)",
        "D-nDCG, DIN-nDCG and P+Q tell more pairs apart when combined with I-rec",
        _boosted,
        _with_sharp(FIGURE_8),
    ),
    counted_claim(
        "5, Fig. 8(b) and 9(b)",
        "combination with I-rec raises the pairs that D-nDCG, DIN-nDCG and P+Q tell apart by half or more",
        partial(_boosted, times=DRAMATIC),
        _with_sharp(FIGURE_8),
    ),
    counted_claim(
        "5, Tables 2 and 3",
        "D-Q and DIN-Q, too, tell more pairs apart when combined with I-rec",
        partial(_boosted, plains=NOT_IN_FIGURE_8),
        _with_sharp(NOT_IN_FIGURE_8),
    ),
    counted_claim(
        "5",
        "DIN-nDCG and DIN#-nDCG tell no more pairs apart than D-nDCG and D#-nDCG, since they use fewer "
        "documents",
        partial(_each_at_most, pairs=(("DIN-nDCG", "D-nDCG"), ("DIN#-nDCG", "D#-nDCG"))),
        ("DIN-nDCG", "D-nDCG", "DIN#-nDCG", "D#-nDCG"),
    ),
    counted_claim(
        "5, Tables 2 and 3",
        "D-Q and DIN-Q tell the fewest pairs apart",
        partial(_at_most, fewer=LOWEST, more=HIGHER),
        (*LOWEST, "P+Q", "I-rec", "D-nDCG", "DIN-nDCG"),
    ),
    counted_claim(
        "5, Tables 2 and 3",
        "D#-Q and DIN#-Q tell no more pairs apart than D#-nDCG and DIN#-nDCG",
        partial(_each_at_most, pairs=(("D#-Q", "D#-nDCG"), ("DIN#-Q", "DIN#-nDCG"))),
        ("D#-Q", "D#-nDCG", "DIN#-Q", "DIN#-nDCG"),
    ),
    tested_claim(
        "5, Table 4",
        "the significant pairs of I-rec, alpha-nDCG, D#-nDCG, DIN#-nDCG and P+Q# are nearly the same",
        lambda e: _least_overlap(e)[0] >= COMPARABLE,
        lambda e: "least overlap {:.2f} ({})".format(*_least_overlap(e)),
    ),
    counted_claim(
        "2.3 (of an earlier study)",
        "I-rec tells at least as many pairs apart as any other metric",
        lambda e: _at_most(e, [n for n in (*TWELVE, *OTHERS) if n != "I-rec"], ("I-rec",)),
        (*FIVE, "Q-IA", "ERR-IA"),
    ),
    counted_claim(
        "2.1 (of an earlier study)",
        "a metric for navigational intents tells fewer pairs apart: P+Q fewer than Q-IA",
        lambda e: all(e.significant(t, "P+Q") < e.significant(t, "Q-IA") for t in TESTS),
        ("P+Q", "Q-IA"),
    ),
    counted_claim(
        "1 (of an earlier study)",
        "ERR-IA tells fewer pairs apart than alpha-nDCG and D#-nDCG",
        lambda e: all(
            e.significant(t, "ERR-IA") < min(e.significant(t, n) for n in ("alpha-nDCG", "D#-nDCG"))
            for t in TESTS
        ),
        ("ERR-IA", "alpha-nDCG", "D#-nDCG"),
    ),
)  # fmt: skip
