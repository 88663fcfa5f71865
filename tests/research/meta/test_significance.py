"""Tests of pairs of runs: the papers' pseudo-code on the same trials, SciPy, and the null."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import divmetrics as dm
from divmetrics import meta
from divmetrics.research.meta.resampling import block_sizes, permuted_scores, resampled_topics

RUNS, TOPICS = 5, 8


def scores_of(values: np.ndarray, metric: str = "X") -> pd.DataFrame:
    """(topic, run) as a tidy table."""
    return pd.DataFrame(
        [
            (f"r{r}", f"t{t}", metric, float(score))
            for t, runs in enumerate(values)
            for r, score in enumerate(runs)
        ],
        columns=["run", "topic", "metric", "score"],
    )


@pytest.fixture(params=["continuous", "tied"])
def values(request) -> np.ndarray:
    random = np.random.default_rng(7)
    drawn = random.random((TOPICS, RUNS)) + np.linspace(0, 0.4, RUNS)
    return drawn if request.param == "continuous" else np.round(drawn * 4) / 4


def sakai_2012_figure_4(values: np.ndarray, permuted: list[np.ndarray]) -> dict[tuple[int, int], float]:
    """Loops as printed, but for >=: with > two identical runs would differ from each other."""
    topics, runs = values.shape
    mean = [sum(values[t][r] for t in range(topics)) / topics for r in range(runs)]
    count = dict.fromkeys(itertools.combinations(range(runs), 2), 0)
    for trial in permuted:
        means = [sum(trial[t][r] for t in range(topics)) / topics for r in range(runs)]
        for r1, r2 in count:
            if max(means) - min(means) >= abs(mean[r1] - mean[r2]) - 1e-12:
                count[r1, r2] += 1
    return {pair: n / len(permuted) for pair, n in count.items()}


def sakai_2012_figures_2_and_3(z: list[float], drawn: np.ndarray, level: float) -> tuple[float, float]:
    """ASL and borderline difference of one pair; without variance t is infinite, or 0 where the mean is."""
    n = len(z)

    def t(sample: list[float]) -> float:
        sample = [0.0 if abs(x) < 1e-12 else x for x in sample]
        mean, deviation = statistics.fmean(sample), statistics.stdev(sample)
        if deviation < 1e-12:
            return 0.0 if abs(mean) < 1e-12 else math.copysign(math.inf, mean)
        return mean / (deviation / math.sqrt(n))

    centre = statistics.fmean(z)
    w = [x - centre for x in z]
    samples = [[w[i] for i in positions] for positions in drawn.tolist()]
    sizes = [abs(t(sample)) for sample in samples]
    asl = sum(size >= abs(t(z)) * (1 - 1e-9) for size in sizes) / len(sizes)
    at = sorted(sizes, reverse=True)[round(level * len(sizes)) - 1]
    same = [s for s, size in zip(samples, sizes, strict=True) if size == at or abs(size - at) < 1e-9 * at]
    return asl, max(abs(statistics.fmean(sample)) for sample in same)


def test_tukey_is_the_papers_algorithm_on_the_same_trials(values):
    trials = [
        trial
        for block, size in block_sizes(700)
        for step in permuted_scores(values, 3, block, size)
        for trial in step.copy()
    ]
    assert len(trials) == 700
    for trial in trials[:20]:
        np.testing.assert_array_equal(np.sort(trial, axis=1), np.sort(values, axis=1))
    expected = sakai_2012_figure_4(values, trials)
    pairs = meta.tukey_hsd(scores_of(values), trials=700, seed=3)
    assert [(f"r{a}", f"r{b}") for a, b in expected] == list(zip(pairs["run_a"], pairs["run_b"], strict=True))
    assert pairs["asl"].tolist() == list(expected.values())
    mean = values.mean(axis=0)
    np.testing.assert_allclose(pairs["difference"], [mean[a] - mean[b] for a, b in expected])


@pytest.mark.parametrize("level", [0.1, 0.35])  # 700 * 0.35 is below 245 in floating point
def test_bootstrap_is_the_papers_algorithm_on_the_same_trials(values, level):
    drawn = np.concatenate([resampled_topics(TOPICS, 5, block, size) for block, size in block_sizes(700)])
    pairs = meta.paired_bootstrap(scores_of(values), trials=700, level=level, seed=5)
    for row in pairs.itertuples():
        a, b = int(row.run_a[1:]), int(row.run_b[1:])
        z = (values[:, a] - values[:, b]).tolist()
        asl, borderline = sakai_2012_figures_2_and_3(z, drawn, level)
        assert row.asl == asl
        assert row.borderline == pytest.approx(borderline, abs=1e-12)
        if np.std(z) > 1e-12:
            assert row.t == pytest.approx(stats.ttest_1samp(z, 0).statistic)


def test_the_borderline_is_the_largest_of_trials_that_tie_but_for_rounding():
    # Samples of w = z - mean(z) with the same |t| and another mean, which sums of tenths do not see as tied.
    values = np.array([[0, 0, 0, 0, 1], [1, 1, 1, 0, 0]]).T / 10 + 0.1
    drawn = np.concatenate([resampled_topics(5, 3, *block) for block in block_sizes(300)])
    z = (values[:, 0] - values[:, 1]).tolist()
    for level in (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5):
        (borderline,) = meta.paired_bootstrap(scores_of(values), trials=300, seed=3, level=level)[
            "borderline"
        ]
        assert borderline == pytest.approx(sakai_2012_figures_2_and_3(z, drawn, level)[1], abs=1e-12)


def test_samples_within_rounding_of_t_count():
    values = np.random.default_rng(0).integers(-2, 4, size=(6, 8)) / 6
    drawn = np.concatenate([resampled_topics(6, 3, *block) for block in block_sizes(300)])
    for row in meta.paired_bootstrap(scores_of(values), trials=300, seed=3).itertuples():
        z = values[:, int(row.run_a[1:])] - values[:, int(row.run_b[1:])]
        assert row.asl == sakai_2012_figures_2_and_3(z.tolist(), drawn, 0.05)[0]


@pytest.mark.parametrize("test", [meta.tukey_hsd, meta.paired_bootstrap])
@pytest.mark.parametrize("unit", [1e-3, 100, 1e5, 1e9])
def test_tests_do_not_depend_on_the_scale_of_scores(test, unit):
    # Sevenths: differences of means tie often, and not one of them is exact. One difference never varies.
    values = np.random.default_rng(6).integers(0, 8, size=(12, 5)) / 7
    values[:, 4] = values[:, 0] + 1 / 7
    one, other = test(scores_of(values), trials=500), test(scores_of(values * unit), trials=500)
    assert one["asl"].tolist() == other["asl"].tolist()
    np.testing.assert_allclose(other["difference"], one["difference"] * unit, rtol=1e-9, atol=1e-12 * unit)
    if "borderline" in one:
        np.testing.assert_allclose(other["borderline"], one["borderline"] * unit, rtol=1e-9)


def test_tukey_gives_scipys_p_value_of_the_largest_difference():
    values = np.random.default_rng(2).random((3, 3)) + np.array([0, 0.2, 0.5])

    def largest(*runs: np.ndarray, axis: int) -> np.ndarray:
        means = np.stack([run.mean(axis=axis) for run in runs])
        return means.max(axis=0) - means.min(axis=0)

    exact = stats.permutation_test(
        tuple(values.T), largest, permutation_type="samples", n_resamples=np.inf, alternative="greater"
    )
    assert len(exact.null_distribution) == 6**3
    pairs = meta.tukey_hsd(scores_of(values), trials=40_000, seed=1)
    widest = pairs.loc[pairs["difference"].abs().idxmax()]
    error = math.sqrt(exact.pvalue * (1 - exact.pvalue) / 40_000)
    assert abs(widest["asl"] - exact.pvalue) < 4 * error
    # A larger case, both sampled.
    values = np.random.default_rng(3).random((12, 4)) + np.array([0, 0, 0.1, 0.3])
    sampled = stats.permutation_test(
        tuple(values.T),
        largest,
        permutation_type="samples",
        n_resamples=5_000,
        alternative="greater",
        rng=np.random.default_rng(0),
    )
    pairs = meta.tukey_hsd(scores_of(values), trials=20_000, seed=1)
    widest = pairs.loc[pairs["difference"].abs().idxmax()]
    error = math.sqrt(sampled.pvalue * (1 - sampled.pvalue) * (1 / 5_000 + 1 / 20_000))
    assert abs(widest["asl"] - sampled.pvalue) < 4 * error + 1 / 5_000


@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_paired_t_test_is_scipys_and_its_corrections_are_those_of_the_definitions(confidence):
    values = np.random.default_rng(4).random((TOPICS, RUNS)) + np.linspace(0, 0.6, RUNS)
    by_correction = {
        name: meta.paired_t_test(scores_of(values), correction=name, confidence=confidence)
        for name in ("none", "bonferroni", "holm")
    }
    for row in by_correction["none"].itertuples():
        expected = stats.ttest_rel(values[:, int(row.run_a[1:])], values[:, int(row.run_b[1:])])
        interval = expected.confidence_interval(confidence)
        computed = [row.t, row.p_value, row.asl, row.low, row.high]
        assert computed == pytest.approx([expected.statistic, *[expected.pvalue] * 2, *interval])
    p = by_correction["none"]["p_value"].to_numpy()
    assert by_correction["bonferroni"]["asl"].tolist() == [min(1, 10 * x) for x in p]
    # Holm: the k-th smallest is rejected if it and all before it are at most level / (10 - k + 1).
    for level in (0.01, 0.05, 0.2):
        rejected, ascending = set(), np.argsort(p)
        for left, pair in zip(range(10, 0, -1), ascending, strict=True):
            if p[pair] >= level / left:
                break
            rejected.add(int(pair))
        assert set(np.flatnonzero(by_correction["holm"]["asl"] < level)) == rejected
    both = pd.concat([scores_of(values), scores_of(values**2, "Y")], ignore_index=True)
    pd.testing.assert_frame_equal(meta.paired_t_test(both, "X"), meta.paired_t_test(scores_of(values)))


def test_paired_t_test_without_variance():
    column = np.random.default_rng(0).random((10, 1))
    tested = meta.paired_t_test(scores_of(np.hstack([column, column + 0.1, column])))
    assert tested["t"].tolist() == [-math.inf, 0, math.inf]
    assert tested["asl"].tolist() == [0, 1, 0]
    np.testing.assert_allclose(tested[["low", "high"]], [[-0.1, -0.1], [0, 0], [0.1, 0.1]])
    with pytest.raises(
        dm.DivmetricsError, match="correction is 'tukey', expected one of none, bonferroni, holm"
    ):
        meta.paired_t_test(scores_of(column), correction="tukey")


@pytest.mark.slow
def test_tukey_pools_the_variances_of_runs_and_the_t_test_does_not():
    """Equal means, but two runs vary much: Tukey HSD takes their noise for a difference."""
    random, families = np.random.default_rng(12), 100
    spread = np.repeat([1, 0.05], [2, 8])
    wrong = {"tukey": 0, "holm": 0}
    for seed in range(families):
        scores = scores_of(random.normal(size=(16, 10)) * spread)
        wrong["tukey"] += (meta.tukey_hsd(scores, trials=300, seed=seed, workers=1)["asl"] < 0.05).any()
        wrong["holm"] += (meta.paired_t_test(scores)["asl"] < 0.05).any()
    assert stats.binomtest(wrong["tukey"], families, 0.05, alternative="greater").pvalue < 0.001
    assert stats.binomtest(wrong["holm"], families, 0.05, alternative="greater").pvalue > 0.001


@pytest.mark.slow
def test_under_the_null_tukey_keeps_its_level_and_the_bootstrap_does_not():
    random = np.random.default_rng(11)
    values = random.beta(1, 3, size=(20, 8))
    families, level = 120, 0.05
    wrong = {"tukey": 0, "bootstrap": 0}
    for seed in range(families):
        # Runs shuffled within topics: no run is better than another.
        scores = scores_of(random.permuted(values, axis=1))
        wrong["tukey"] += (meta.tukey_hsd(scores, trials=500, seed=seed, workers=1)["asl"] < level).any()
        tested = meta.paired_bootstrap(scores, trials=500, seed=seed, workers=1)
        wrong["bootstrap"] += (tested["asl"] < level).any()
    # 8 runs have 28 pairs: the bootstrap errs in more than a third of the families.
    assert stats.binomtest(wrong["tukey"], families, level, alternative="greater").pvalue > 0.001
    assert stats.binomtest(wrong["bootstrap"], families, 0.3, alternative="greater").pvalue < 0.001


def test_identical_runs_do_not_differ():
    column = np.random.default_rng(0).random((10, 1))
    scores = scores_of(np.hstack([column, column]))
    assert meta.tukey_hsd(scores, trials=100)["asl"].tolist() == [1]
    tested = meta.paired_bootstrap(scores, trials=100)
    assert tested["asl"].tolist() == [1]
    assert tested["t"].tolist() == [0]


def test_a_difference_that_never_varies_has_an_infinite_t():
    column = np.random.default_rng(0).random((10, 1))
    tested = meta.paired_bootstrap(scores_of(np.hstack([column, column + 0.1])), trials=100)
    assert tested["t"].tolist() == [-math.inf]
    assert tested["asl"].tolist() == [0]


def test_samples_without_variance_are_counted_or_skipped_by_name():
    # One topic differs: of 6 topics drawn with replacement, (5/6)^6 = 33 % of the samples miss it.
    difference = np.array([0.3, 0, 0, 0, 0, 0])
    values = np.stack([0.5 + difference, np.full(6, 0.5)], axis=1)
    counted = meta.paired_bootstrap(scores_of(values), trials=4_000)
    skipped = meta.paired_bootstrap(scores_of(values), trials=4_000, zero_variance="skip")
    assert counted["t"][0] == pytest.approx(1)
    missed = (5 / 6) ** 6
    assert counted["asl"][0] - skipped["asl"][0] == pytest.approx(missed, abs=4 * math.sqrt(0.25 / 4_000))
    assert counted["borderline"][0] == pytest.approx(0.05)  # |mean(w*)| of a sample that misses it
    with pytest.raises(dm.DivmetricsError, match="zero_variance is 'drop', expected one of limit, skip"):
        meta.paired_bootstrap(scores_of(values), zero_variance="drop")


@pytest.mark.parametrize("test", [meta.tukey_hsd, meta.paired_bootstrap])
def test_the_result_depends_on_the_seed_alone(test, values):
    scores = pd.concat([scores_of(values), scores_of(values**2, "Y")], ignore_index=True)
    one = test(scores, trials=1_700, seed=4, workers=1)
    pd.testing.assert_frame_equal(one, test(scores, trials=1_700, seed=4, workers=3))
    pd.testing.assert_frame_equal(one, test(scores, trials=1_700, seed=4))
    # Nor on which other metrics are tested, or their order.
    alone = test(scores, ["Y"], trials=1_700, seed=4)
    pd.testing.assert_frame_equal(one[one["metric"] == "Y"].reset_index(drop=True), alone)
    other = test(scores, trials=1_700, seed=5)
    assert not np.array_equal(one["asl"], other["asl"])


def test_power_curve_and_overlap_of_a_hand_made_table():
    pairs = pd.DataFrame(
        [
            ("X", "a", "b", -0.30, 0.01),
            ("X", "a", "c", 0.20, 0.04),
            ("X", "b", "c", 0.10, 0.05),  # not below .05
            ("Y", "a", "b", 0.25, 0.02),
            ("Y", "a", "c", 0.01, 0.90),
            ("Y", "b", "c", 0.15, 0.03),
        ],
        columns=["metric", "run_a", "run_b", "difference", "asl"],
    )
    power = meta.discriminative_power(pairs)
    assert power.values.tolist() == [["X", 2, 3, 2 / 3, 0.2], ["Y", 2, 3, 2 / 3, 0.15]]
    assert meta.discriminative_power(pairs, 0.001)["required_difference"].isna().all()
    curve = meta.asl_curve(pairs)
    assert curve[curve["metric"] == "X"].values.tolist() == [
        ["X", 1, 0.05, "b", "c"],
        ["X", 2, 0.04, "a", "c"],
        ["X", 3, 0.01, "a", "b"],
    ]
    assert meta.overlap(pairs).values.tolist() == [["X", "Y", 1, 1, 1]]
    with_borderline = pairs.assign(level=0.05, borderline=[0.1, 0.4, 0.2, 0.3, 0.1, 0.2])
    assert meta.discriminative_power(with_borderline)["required_difference"].tolist() == [0.4, 0.3]
    with pytest.raises(dm.DivmetricsError, match=r"borderline differences are those of level 0\.05"):
        meta.discriminative_power(with_borderline, 0.01)
    with pytest.raises(dm.DivmetricsError, match="no column 'asl'"):
        meta.asl_curve(pairs.drop(columns="asl"))
    with pytest.raises(dm.DivmetricsError, match="different pairs of runs"):
        meta.overlap(pairs.drop(index=0))


@pytest.mark.parametrize("test", [meta.tukey_hsd, meta.paired_bootstrap])
@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (None, {"trials": 0}, "the number of trials is 0, expected a whole number of at least 1"),
        (None, {"trials": 10.0}, r"the number of trials is 10\.0"),
        (None, {"seed": -1}, "the seed is -1, expected a whole number of at least 0"),
        (None, {"seed": True}, "the seed is True"),
        (None, {"workers": 0}, "the number of workers is 0"),
        (lambda s: s[s["run"] == "r0"], {}, "has 1 run .'r0'., expected at least 2"),
        (lambda s: s[s["topic"] == "t0"], {}, "has 1 topic .'t0'., expected at least 2"),
        (lambda s: s.assign(score=0.25), {}, r"all 40 scores under 'X' are equal .0\.25."),
        (lambda s: s.assign(score=s["score"].where(s["run"] != "r2", math.nan)), {}, "under 'X' is nan"),
        (lambda s: s.drop(index=3), {}, "1 of 40 scores are missing.*run 'r3' on topic 't0' under 'X'"),
    ],
)
def test_bad_input_raises_one_sentence(test, change, options, message):
    scores = scores_of(np.random.default_rng(0).random((TOPICS, RUNS)))
    if change is not None:
        scores = change(scores)
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        test(scores, **options)
    assert "\n" not in str(caught.value)


def test_too_few_trials_for_the_level():
    scores = scores_of(np.random.default_rng(0).random((TOPICS, RUNS)))
    with pytest.raises(dm.DivmetricsError, match="ask for at least 20 trials"):
        meta.paired_bootstrap(scores, trials=10)
    with pytest.raises(dm.DivmetricsError, match="the level is 5, expected a number between 0 and 1"):
        meta.paired_bootstrap(scores, level=5)
