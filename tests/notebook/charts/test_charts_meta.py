"""Charts of meta-evaluation: that they show the numbers of their tables, and refuse what they cannot draw."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import charts, meta
from divmetrics.notebook.appearance.palette import INK, OKABE_ITO
from tests.support.chart_numbers import minus, spec_rows
from tests.support.meta_figures import (
    FIRST,
    NAMES,
    agreements,
    by_cutoff,
    compared,
    concordances,
    curves,
    pairs,
    per_topic,
    scores,
)


def line(figure, metric):
    """The points of one metric, from left to right."""
    rows = [row for row in spec_rows(figure, "series", "x", "y") if row["series"] == metric]
    points = {(row["x"], row["y"]) for row in rows}
    return [y for _, y in sorted(points)]


def thick_steps(figure):
    return {(row["x"], row["y"], row["x2"], row["y2"]) for row in spec_rows(figure, "x", "y", "x2", "y2")}


# -- what they show -----------------------------------------------------------------------------------------


def test_asl_curves_fall_and_the_key_counts_the_significant_pairs():
    figure = charts.asl_curves(pairs(3, 6))
    power = meta.discriminative_power(pairs(3, 6)).set_index("metric")
    curves = meta.asl_curve(pairs(3, 6))
    for metric in NAMES[:3]:
        assert line(figure, metric) == curves.loc[curves["metric"] == metric, "asl"].tolist()
        assert f"{metric}: {power.loc[metric, 'significant']} of 15" in figure.svg
    assert "Pairs of 15 with an ASL below 0.05" in figure.description


def test_a_long_asl_curve_keeps_its_ends_and_its_crossing():
    asl = np.linspace(1, 0, 1128)
    names = [f"r{i}" for i in range(1128)]
    table = pd.DataFrame({"metric": "M", "run_a": "a", "run_b": names, "difference": 0.1, "asl": asl})
    points = line(charts.asl_curves(table), "M")
    assert len(points) == 300
    assert (points[0], points[-1]) == (1, 0)
    assert sum(value < 0.05 for value in points) / 300 == pytest.approx(0.05, abs=1 / 300)


def run_means(**by_metric):
    rows = [
        (metric, f"r{n}", mean) for metric, values in by_metric.items() for n, mean in enumerate(values, 1)
    ]
    return pd.DataFrame(rows, columns=["metric", "run", "mean"])


def test_runs_stand_in_the_order_of_one_metric_and_rises_of_others_are_thick():
    means = run_means(A=[0.2, 0.5, 0.4, 0.3], B=[0.9, 0.6, 0.7, 0.7])
    figure = charts.run_rankings(means, "A")
    assert line(figure, "A") == [0.5, 0.4, 0.3, 0.2]  # r2, r3, r4, r1
    assert line(figure, "B") == [0.6, 0.7, 0.7, 0.9]
    assert thick_steps(figure) == {(1, 0.6, 2, 0.7), (3, 0.7, 4, 0.9)}
    assert "B: 2 rises" in figure.svg
    assert "of 3 steps: B 2 (to r3 and r1)" in figure.description


def test_runs_that_are_tied_under_the_metric_of_the_order_are_no_disagreement():
    assert not thick_steps(charts.run_rankings(run_means(A=[0.5, 0.5, 0.1], B=[0.1, 0.9, 0.0]), "A"))


@pytest.mark.parametrize("two_sided", [False, True])
def test_bars_of_a_null_distribution_hold_all_trials_and_part_at_the_observed_value(two_sided):
    random = np.random.default_rng(2)
    draws = np.round(random.normal(size=2_000), 1)  # many trials are exactly as large as the observed value
    figure = charts.null_distribution(draws, 1.1, name="t", two_sided=two_sided)
    bars = spec_rows(figure, "x", "x2", "y2", "fill")
    reach = [bar for bar in bars if bar["fill"] == OKABE_ITO["vermillion"]]
    reached = (np.abs(draws) if two_sided else draws) >= 1.1 - 1e-9
    assert sum(bar["y2"] for bar in bars) == 2_000
    assert sum(bar["y2"] for bar in reach) == reached.sum()
    for bar in bars:
        outside = bar["x"] > 1.1 - 1e-9 or (two_sided and bar["x2"] < -1.1 + 1e-9)
        assert outside == (bar in reach)
    far = "at least as far from 0 as 1.1" if two_sided else "at least 1.1"
    assert " ".join(figure.spec["title"]["text"]) == f"{reached.mean():.1%} of 2,000 trials are {far}"


def test_null_distributions_share_a_scale_and_reach_an_observed_value_outside_of_them():
    figure = charts.null_distribution({"one": [0.0, 0.1], "other": [0.0, 0.0]}, 5)
    assert [row["x"] for row in spec_rows(figure, "x") if set(row) == {"x"}] == [5]
    (low, high), *others = {tuple(row["domain"]) for row in spec_rows(figure, "domain", "nice")}
    assert others == []
    assert low < 0 < 5 < high
    assert " ".join(figure.spec["title"]["text"]).endswith("are at least 5: 0.0% (one), 0.0% (other)")
    assert "one: 2 trials from 0 to 0.1, 0.0% at least 5." in figure.description
    for bad in ([], [[1.0]], ["a"], [np.nan]):
        with pytest.raises(dm.DivmetricsError, match="expected a list of finite numbers"):
            charts.null_distribution(bad, 1)
    with pytest.raises(dm.DivmetricsError, match="4 null distributions do not fit into one picture"):
        charts.null_distribution({letter: [1.0] for letter in "abcd"}, 1)


def crossings(figure):
    lines = spec_rows(figure, "run", "y", "y2")
    return {
        frozenset((one["run"], other["run"]))
        for one in lines
        for other in lines
        if (one["y"] - other["y"]) * (one["y2"] - other["y2"]) < 0
    }


def test_lines_cross_where_two_metrics_swap_a_pair_and_not_at_ties():
    means = run_means(A=[0.2, 0.5, 0.4, 0.3], B=[0.9, 0.6, 0.7, 0.7])
    figure = charts.swapped_pairs(means, "A", "B")
    swapped = {
        frozenset(pair) for pair in (("r1", "r2"), ("r1", "r3"), ("r1", "r4"), ("r2", "r3"), ("r2", "r4"))
    }
    assert crossings(figure) == swapped
    assert figure.spec["title"]["text"] == ["A and B order 5 of 6 pairs of runs differently"]
    assert "Best first by A: r2, r3, r4, r1. By B: r1, r3, r4, r2." in figure.description
    with pytest.raises(dm.DivmetricsError, match="'A' is compared with itself"):
        charts.swapped_pairs(means, "A", "A")
    with pytest.raises(dm.DivmetricsError, match="61 runs do not fit"):
        charts.swapped_pairs(run_means(A=range(61), B=range(61)), "A", "B")


def test_topics_of_one_run_stand_in_the_order_of_one_metric():
    figure = charts.topic_rankings(scores(), "run2", FIRST, NAMES[1:2])
    own = scores().query("run == 'run2'").pivot(index="topic", columns="metric", values="score")
    own = own.sort_values(FIRST, ascending=False)
    assert line(figure, FIRST) == own[FIRST].tolist()
    assert line(figure, NAMES[1]) == own[NAMES[1]].tolist()
    assert NAMES[2] not in figure.description


def test_correlations_by_topic_are_sorted_line_by_line_and_undefined_ones_left_out():
    table = per_topic(3, 5, 12)
    table.loc[0, "tau"] = np.nan
    figure = charts.tau_per_topic(table)
    for metric in NAMES[1:3]:
        tau = table.loc[table["metric"] == metric, "tau"].dropna().sort_values(ascending=False)
        assert line(figure, metric) == tau.tolist()
    assert re.search(r"alpha-nDCG@20: mean −?-?\d\.\d{3}, 1 left out", figure.svg)


def test_variation_averages_over_topics():
    table = by_cutoff(3)
    figure = charts.variation(table, "cutoff", called="tau_ap")
    means = table.groupby(["metric", "cutoff"])["tau"].mean()
    for metric in NAMES[1:3]:
        assert line(figure, metric) == pytest.approx(means[metric].tolist())
    at_20 = means[:, 20]
    title = f"{at_20.idxmax()} has the highest mean tau_ap with ERR-IA@20 at "
    assert " ".join(figure.spec["title"]["text"]).startswith(title)
    twice = pd.DataFrame({"metric": "M", "alpha": [0.1, 0.1, 0.5, 0.5], "tau": [0.1, 0.3, 0.2, 0.4]})
    for tau, words in ((0.4, "2 values"), (np.nan, "at most 2 values")):
        twice.loc[3, "tau"] = tau
        subtitle = charts.variation(twice, "alpha").spec["title"]["subtitle"]
        assert subtitle == [f"Every point is the mean of {words}."]
    shares = pd.DataFrame({"metric": "M", "alpha": [1.0, 0.0, 0.5], "share": [0.1, 0.3, 0.2]})
    assert line(charts.variation(shares, "alpha", "share"), "M") == [0.3, 0.2, 0.1]


def test_curves_are_the_means_at_each_cutoff():
    table = curves(3).sample(frac=1, random_state=1)  # in any order
    figure = charts.cutoff_curves(table)
    for run, of_run in table.sort_values("cutoff").groupby("run"):
        assert line(figure, run) == of_run["mean"].tolist()
    assert figure.spec["title"]["text"] == ["run2 has the highest mean ERR-IA at every cutoff"]
    assert "Mean ERR-IA of 3 runs, cutoffs 1 to 20: " in str(figure.spec)


def marks(figure):
    """Colour and shape of each metric on its line."""
    rows = spec_rows(figure, "series", "fill", "shape")
    pairs = {(row["series"], (row["fill"], row["shape"])) for row in rows}
    assert len(pairs) == len(dict(pairs))
    order = list(dict.fromkeys(row["series"] for row in rows))
    return {name: dict(pairs)[name] for name in order}


def test_a_metric_keeps_its_mark_from_figure_to_figure():
    names = NAMES[:3]
    of_runs = marks(charts.run_rankings(meta.means(scores(3)), names[2], marks=names))
    assert list(of_runs) == [names[2], *names[:2]]
    assert len(set(of_runs.values())) == 3
    others = {
        **marks(charts.topic_rankings(scores(3), "run1", names[2], names[:1], marks=names)),
        **marks(charts.tau_per_topic(CORRELATIONS, marks=names)),
        **marks(charts.variation(by_cutoff(3), "cutoff", marks=names)),
    }
    assert others == of_runs
    one = charts.variation(by_cutoff(3), "cutoff", marks=names).spec
    lines = [layer["mark"]["color"] for layer in one["layer"] if layer["mark"]["type"] == "line"]
    assert lines == [of_runs[name][0] for name in names[1:]]


def test_a_metric_without_a_mark_of_its_own_gets_the_next():
    drawn = marks(charts.run_rankings(meta.means(scores(3)), FIRST, marks=NAMES[1:2]))
    plain = list(marks(charts.run_rankings(meta.means(scores(3)), FIRST)).values())
    assert [drawn[name] for name in (NAMES[1], FIRST, NAMES[2])] == plain


def test_bars_are_differences_and_orange_where_metrics_disagree():
    table = pd.DataFrame(
        [
            *(("A", "1", 0.3, "x"), ("A", "2", -0.2, "y"), ("A", "3", 1e-15, ""), ("A", "4", 0.1, "x")),
            *(("B", "1", 0.1, "x"), ("B", "2", 0.4, "x"), ("B", "3", 0.2, "x"), ("B", "4", -0.3, "y")),
        ],
        columns=["metric", "topic", "difference", "better"],
    )
    figure = charts.topic_differences(table)
    bars = {(row["at"], row["y2"], row["fill"]) for row in spec_rows(figure, "at", "y2", "fill")}
    light, dark = charts.OKABE_ITO["sky blue"], charts.OKABE_ITO["vermillion"]
    of_a = {("1", 0.3, light), ("4", 0.1, light), ("2", -0.2, light)}  # no bar for a tie
    assert bars == of_a | {("1", 0.1, light), ("4", -0.3, dark), ("3", 0.2, light), ("2", 0.4, dark)}
    assert "A: x better on 2, y on 1, tied on 1" in figure.description
    assert "B: x better on 3, y on 1, tied on 0, against A on 2" in figure.description


def test_a_cell_of_the_heat_map_is_the_share_of_its_row_against_its_column():
    table = concordances(NAMES[:5])
    figure = charts.concordance_map(table)
    cells = {(row["row"], row["column"]): row for row in spec_rows(figure, "row", "column", "share")}
    assert len(cells) == 5 * 4
    for pair in table.to_dict("records"):
        there = cells[pair["metric_a"], pair["metric_b"]]
        back = cells[pair["metric_b"], pair["metric_a"]]
        assert (there["share"], back["share"]) == (pair["concordance_a"], pair["concordance_b"])
        assert there["number"] == f"{100 * pair['concordance_a']:.0f}"
        assert there["of"] == back["of"] == pair["disagreements"]
        significant = pair["p_value"] < 0.05
        assert there["ahead"] == (significant and pair["only_a"] > pair["only_b"])
        assert back["ahead"] == (significant and pair["only_b"] > pair["only_a"])


def test_metrics_that_never_disagree_have_a_cell_that_says_so():
    table = concordances(NAMES[:2]).assign(disagreements=0, concordance_a=np.nan, concordance_b=np.nan)
    cells = spec_rows(charts.concordance_map(table), "row", "column", "number")
    assert {cell["number"] for cell in cells} == {"–"}


def test_the_forest_says_every_value_in_numbers_and_draws_it_at_its_place():
    table = agreements(3, 5)
    figure = charts.forest(table)
    points = {row["name"]: row for row in spec_rows(figure, "name", "number", "x")}
    for row in table.to_dict("records"):
        point = points[row["metric"]]
        assert point["x"] == row["tau"]
        assert [minus(n) for n in re.findall(r"−?\d\.\d+", point["number"])] == pytest.approx(
            [row["tau"], row["low"], row["high"]], abs=0.0005
        )
    counts = {row["text"] for row in spec_rows(figure, "line", "text")}
    first = table.iloc[0]
    assert f"{first['agree']} : {first['disagree']} : {first['ties']}" in counts


def test_a_value_without_interval_or_no_value_is_drawn_as_that():
    table = agreements(3, 5).astype({"tau": float})
    table.loc[0, ["low", "high"]] = np.nan
    table.loc[1, ["tau", "low", "high"]] = np.nan
    figure = charts.forest(table)
    assert len(spec_rows(figure, "x", "x2")) == 1
    assert {row["name"] for row in spec_rows(figure, "name", "number", "x")} == {FIRST, NAMES[2]}
    assert f"{NAMES[1]} none" in figure.description


def test_a_forest_in_groups_has_a_heading_for_each():
    table = pd.concat([agreements(2, 5).assign(strength=strength) for strength in ("slight", "clear")])
    texts = [row["text"] for row in spec_rows(charts.forest(table, by="strength"), "line", "text")]
    assert {"strength: slight", "strength: clear"} <= set(texts)


def test_the_line_of_a_forest_runs_through_no_heading():
    figure = charts.forest(agreements(3, 2).assign(strength=["weak", "weak", "strong"]), by="strength")
    dashed = re.findall(r'<line [^>]*stroke-dasharray="5,3"', figure.svg)
    assert len(dashed) == 3


def test_rows_without_a_group_are_drawn():
    figure = charts.forest(agreements(2, 2).assign(strength=["weak", np.nan]), by="strength")
    assert "tau of 2 metrics" in figure.description


def test_a_curve_in_front_of_the_band_is_drawn_in_ink():
    drawn = charts.asl_curves(pairs(7, 6)).svg
    assert drawn.count(f'stroke="{INK}" stroke-width="1.2"') == 7
    assert f'stroke="{OKABE_ITO["blue"]}"' not in drawn


# -- what they refuse ---------------------------------------------------------------------------------------

TYPED = meta.means(scores()).assign(type="broad")
TWO_TYPES = pd.concat([TYPED, TYPED.assign(type="ambiguous")])
CORRELATIONS, TWICE = per_topic(3, 5, 12), compared(2, 12)
MANY_GOLDS = pd.concat([concordances(NAMES[:2]), concordances(NAMES[:2]).assign(gold="Ef-P")])
MANY_METRICS = pd.concat([compared(1, 12).assign(metric=f"m{n}") for n in range(41)])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: charts.asl_curves(scores()), "have no column run_a, .* `tukey_hsd` or `paired_bootstrap`"),
        (lambda: charts.asl_curves(pairs()[:0]), "pairs of runs hold no row"),
        (lambda: charts.asl_curves(pairs(), 5), "the level is 5, expected a number between 0 and 1"),
        (lambda: charts.run_rankings(scores(), FIRST), "no column mean; expected the table that `means`"),
        (lambda: charts.run_rankings(TYPED, "ERR-IA"), r"'ERR-IA' is not .*did you mean 'ERR-IA@20'\?"),
        (
            lambda: charts.run_rankings(TWO_TYPES, FIRST),
            "2 types of topics .broad and ambiguous.; draw one at",
        ),
        (lambda: charts.run_rankings(TYPED[1:], FIRST), "run 'run1' .*under 'ERR-IA@20'"),
        (lambda: charts.run_rankings(TYPED.query("run == 'run1'"), FIRST), "1 run .*expected at least 2"),
        (lambda: charts.topic_rankings(scores(), "run7", FIRST), r"run 'run7' is not .*did you mean 'run"),
        (lambda: charts.tau_per_topic(CORRELATIONS.drop(columns="topic")), "no column topic"),
        (
            lambda: charts.tau_per_topic(pd.concat([CORRELATIONS, CORRELATIONS.assign(truth="RBU")])),
            "compare with 2 metrics .ERR-IA@20 and RBU.; draw one at a time",
        ),
        (lambda: charts.tau_per_topic(CORRELATIONS.assign(tau=np.nan)), "no coefficient on any topic"),
        (lambda: charts.variation(by_cutoff(2), "alpha"), "no column alpha"),
        (lambda: charts.cutoff_curves(curves(2).drop(columns="mean")), "no column mean"),
        (
            lambda: charts.cutoff_curves(pd.concat([curves(2), curves(2).assign(metric="RBU")])),
            "curves are of 2 metrics .ERR-IA and RBU.; draw one at a time",
        ),
        (lambda: charts.cutoff_curves(curves(2).iloc[:-1]), "'run1' has no mean at cutoff 20; give one"),
        (
            lambda: charts.variation(by_cutoff(2), "cutoff", marks=[f"m{n}" for n in range(10)]),
            "marks are for 11 metrics, more than the 10",
        ),
        (lambda: charts.cutoff_curves(pd.concat([curves(2)] * 2)), "'run0' has several means at cutoff 1"),
        (lambda: charts.cutoff_curves(curves(2).assign(mean=np.inf)), "column mean holds inf"),
        (lambda: charts.tau_per_topic(CORRELATIONS.assign(tau="a")), "column tau holds 'a'"),
        (lambda: charts.topic_differences(TWICE.assign(difference="a")), "column difference holds 'a'"),
        (
            lambda: charts.variation(CORRELATIONS, "topic"),
            "column topic holds '0001', expected finite numbers",
        ),
        (
            lambda: charts.variation(
                pd.DataFrame({"metric": ["A", "A", "B"], "cutoff": [5, 10, 5], "tau": 0.5}), "cutoff"
            ),
            "'B' has no tau at cutoff 10",
        ),
        (lambda: charts.topic_differences(pd.concat([TWICE, TWICE])), "topic '0001' stands in several rows"),
        (lambda: charts.topic_differences(TWICE[1:]), "topic '0001' has no difference under 'ERR-IA@20'"),
        (lambda: charts.topic_differences(MANY_METRICS), "41 metrics do not fit .* at most 40"),
        (
            lambda: charts.concordance_map(MANY_GOLDS),
            "2 gold standards .I-rec@20 and Ef-P.; draw one at a time",
        ),
        (lambda: charts.concordance_map(pairs()), "no column metric_a"),
        (lambda: charts.forest(agreements(2, 5), "mean"), "no column mean"),
        (lambda: charts.forest(TYPED, "run"), "column run holds 'run1', expected finite numbers"),
        (lambda: charts.forest(TYPED, "mean"), "metric 'ERR-IA@20' stands in several rows"),
        (lambda: charts.forest(agreements(2, 5).assign(tau=np.nan)), "no row has a value in the column tau"),
    ],
)
def test_bad_input_raises_one_sentence(make, words):
    with pytest.raises(dm.DivmetricsError, match=words) as error:
        make()
    assert "\n" not in str(error.value)
