"""Letters for runs: what they say is what the pairs say, and they say it briefly."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divmetrics import meta
from divmetrics.errors import DivmetricsError
from tests.support.strategies import quick

LEVEL = 0.05


def table_of(runs: int, p: list[float], means: list[float]) -> pd.DataFrame:
    """Pairs as a test returns them."""
    pairs = list(combinations(range(runs), 2))
    rows = [("M", f"r{a}", f"r{b}", means[a] - means[b], asl) for (a, b), asl in zip(pairs, p, strict=True)]
    return pd.DataFrame(rows, columns=["metric", "run_a", "run_b", "difference", "asl"])


@st.composite
def any_pairs(draw: st.DrawFn) -> pd.DataFrame:
    """p-values that need not fit together, as those of tests of one pair at a time."""
    runs = draw(st.integers(2, 7))
    pairs = runs * (runs - 1) // 2
    p = draw(st.lists(st.sampled_from([0.0, 0.01, LEVEL, 0.3, 1.0]), min_size=pairs, max_size=pairs))
    means = draw(st.lists(st.integers(0, 9), min_size=runs, max_size=runs))
    return table_of(runs, p, [mean / 10 for mean in means])


def cliques(alike: set[frozenset[str]], runs: list[str]) -> set[frozenset[str]]:
    """Every largest set of runs of which no two differ significantly, found by trying all."""
    cliques_of_runs = [
        frozenset(some)
        for n in range(1, len(runs) + 1)
        for some in combinations(runs, n)
        if all(frozenset(two) in alike for two in combinations(some, 2))
    ]
    return {one for one in cliques_of_runs if not any(one < other for other in cliques_of_runs)}


def groups_of(letters: pd.DataFrame) -> dict[str, set[str]]:
    return {
        letter: {run for run, own in zip(letters["run"], letters["letters"], strict=True) if letter in own}
        for letter in sorted({letter for own in letters["letters"] for letter in own})
    }


def alike_in(pairs: pd.DataFrame) -> set[frozenset[str]]:
    return {frozenset((row.run_a, row.run_b)) for row in pairs.itertuples() if row.asl >= LEVEL}


@quick(200)
@given(any_pairs())
def test_runs_share_a_letter_exactly_when_they_do_not_differ(pairs: pd.DataFrame) -> None:
    letters = meta.letter_display(pairs, LEVEL)
    own = dict(zip(letters["run"], letters["letters"], strict=True))
    assert all(own.values())
    for row in pairs.itertuples():
        assert bool(set(own[row.run_a]) & set(own[row.run_b])) == (row.asl >= LEVEL)


@quick(200)
@given(any_pairs())
def test_letter_groups_are_maximal_and_none_is_redundant(pairs: pd.DataFrame) -> None:
    letters = meta.letter_display(pairs, LEVEL)
    groups, alike = groups_of(letters), alike_in(pairs)
    assert set(map(frozenset, groups.values())) <= cliques(alike, list(letters["run"]))
    for letter in groups:
        others = [group for name, group in groups.items() if name != letter]
        pairs_in_groups = {frozenset(two) for group in others for two in combinations(group, 2)}
        alone = [run for run in groups[letter] if not any(run in group for group in others)]
        assert pairs_in_groups != alike or alone


def test_a_group_whose_pairs_all_share_other_letters_has_none() -> None:
    """No two of r0, r3 and r5 differ, but each two of them are in another group."""
    groups = ["012", "015", "023", "145", "345"]
    p = [
        0.5 if any({str(a), str(b)} <= {*group} for group in groups) else 0.01
        for a, b in combinations(range(6), 2)
    ]
    letters = meta.letter_display(table_of(6, p, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]))
    assert sorted(groups_of(letters).values(), key=sorted) == [
        {f"r{run}" for run in group} for group in groups
    ]


@quick(40)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=9), st.integers(0, 6))
def test_where_larger_differences_are_more_significant_no_display_is_smaller(
    means: list[int], apart: int
) -> None:
    """Then the runs of a letter lie side by side, and every largest group has a pair that no other has."""
    runs = len(means)
    p = [0.01 if abs(means[a] - means[b]) > apart else 0.5 for a, b in combinations(range(runs), 2)]
    pairs = table_of(runs, p, [mean / 10 for mean in means])
    letters = meta.letter_display(pairs)
    needed = cliques(alike_in(pairs), list(letters["run"]))
    assert len(groups_of(letters)) == len(needed)
    best = letters.loc[np.argmax(means), "letters"]
    assert best.startswith("a")


@pytest.mark.parametrize("seed", range(4))
def test_letters_of_tukey(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.random((12, 6)) + np.linspace(0, 0.9, 6)
    rows = [(f"r{r}", f"t{t}", "M", v) for t, runs in enumerate(values) for r, v in enumerate(runs)]
    pairs = meta.tukey_hsd(pd.DataFrame(rows, columns=["run", "topic", "metric", "score"]), trials=200)
    own = meta.letter_display(pairs).set_index("run")["letters"]
    assert 0 < (pairs["asl"] < LEVEL).sum() < len(pairs)
    for row in pairs.itertuples():
        assert (set(own[row.run_a]) & set(own[row.run_b]) == set()) == (row.asl < LEVEL)


def test_more_groups_than_letters() -> None:
    means = [-float(r) for r in range(60)]
    letters = meta.letter_display(table_of(60, [0.0] * 1770, means))["letters"]
    assert list(letters[:3]) == ["a", "b", "c"]
    assert list(letters[50:54]) == ["Y", "Z", "a'", "b'"]


def test_metrics_have_letters_of_their_own() -> None:
    one = table_of(2, [0.01], [0.1, 0.2])
    both = pd.concat([one, one.assign(metric="N", asl=0.2)])
    letters = meta.letter_display(both)
    assert letters.to_numpy().tolist() == [
        ["M", "r0", "b"], ["M", "r1", "a"], ["N", "r0", "a"], ["N", "r1", "a"],
    ]  # fmt: skip


def test_invalid_tables_are_rejected() -> None:
    pairs = table_of(3, [0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    with pytest.raises(DivmetricsError, match="no column 'asl', expected metric, run_a"):
        meta.letter_display(pairs.drop(columns="asl"))
    with pytest.raises(DivmetricsError, match="has 2 for 3 runs under 'M', expected a row"):
        meta.letter_display(pairs[:2])
    with pytest.raises(DivmetricsError, match="has 4 for 3 runs"):
        meta.letter_display(pd.concat([pairs, pairs[:1]]))
    with pytest.raises(DivmetricsError, match="with numbers"):
        meta.letter_display(pairs.assign(asl=[0.1, np.nan, 0.3]))
