"""Titles say what the numbers show, and no more; names at the ends of lines stand apart."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import charts
from divmetrics.notebook.charts.label_placement import apart
from divmetrics.notebook.charts.title_sentences import leader, preference
from tests.support.meta_figures import FIRST, NAMES, compared, pairs, per_topic, scores


def title(figure):
    return " ".join(figure.spec["title"]["text"])


def means(**by_metric):
    rows = [(m, f"r{n}", mean) for m, values in by_metric.items() for n, mean in enumerate(values, 1)]
    return pd.DataFrame(rows, columns=["metric", "run", "mean"])


def test_preferences_state_margin_or_tie():
    assert preference("M", {"A": 0.4, "B": 0.433}, "lists") == "M prefers B by 0.0330"
    assert preference("M", {"A": 0.1 + 0.2, "B": 0.3}, "lists") == "M ties A and B"
    assert preference("M", {"A": 0.4, "B": 0.4 + 1e-9}, "lists") == "M prefers B by 1.0e-09"
    assert preference("M", {"A": 0.4, "B": 0.3, "C": 0.1}, "lists") == "M prefers A to B by 0.1000"
    assert preference("M", dict.fromkeys("ABC", 0.2), "lists") == "M ties all 3 lists"
    assert (
        preference("M", {"A": 0.4, "B": 0.4, "C": 0.1}, "lists")
        == "M puts A and B level, above the other lists (0.4000)"
    )


def test_the_leader_is_that_of_each_setting():
    up, down = ((1, 0.1), (2, 0.2)), ((1, 0.3), (2, 0.1))
    assert leader({"a": up, "b": down}, "tau", "cutoff") == "Highest tau: b at cutoff 1; a at 2"
    assert (
        leader({"a": up, "b": ((1, 0.0), (2, 0.1))}, "tau", "alpha") == "a has the highest tau at every alpha"
    )
    assert leader({"a": up}, "tau", "alpha") == "a: tau 0.100 at alpha 1, 0.200 at 2"
    assert leader({"a": up, "b": up}, "tau", "alpha") == "All have the same tau at alpha 2"
    same = {"a": ((1, 0.1), (2, 0.2)), "b": ((1, 0.1), (2, 0.1))}
    assert leader(same, "tau", "alpha") == "a has the highest tau at alpha 2"


def test_contributions_say_who_earns_most():
    topic = dm.Topic("t", (dm.Intent("a", 0.5), dm.Intent("b", 0.5)))
    judged = {"d1": {"a": 1}, "d2": {"b": 1}, "d3": {}}
    one, both, none = (dm.RankedList(topic, docs, judged) for docs in (["d1"], ["d1", "d2"], ["d3"]))
    assert title(charts.contributions("I-rec@2", one)) == "I-rec@2 = 0.5000: a earns 100%"
    assert title(charts.contributions("I-rec@2", both)) == "I-rec@2 = 1.0000"
    assert title(charts.contributions("I-rec@2", none)) == "I-rec@2 = 0.0000: nothing is earned"


def test_runs_in_an_order():
    def of(**by_metric):
        return title(charts.run_rankings(means(**by_metric), "A"))

    assert of(A=[0.2, 0.5, 0.4], B=[0.9, 0.6, 0.7]) == "B contradicts A at 2 of 2 steps"
    assert of(A=[0.2, 0.5, 0.4], B=[0.2, 0.6, 0.4]) == "B contradicts A at no step"
    assert (
        of(A=[0.2, 0.5, 0.4], B=[0.9, 0.6, 0.7], C=[0.1, 0.6, 0.7])
        == "C contradicts A least: at 1 of 2 steps"
    )
    assert of(A=[0.5, 0.5], B=[0.1, 0.9]) == "A ties all runs"
    assert of(A=[0.5, 0.4]) == "Best by A: r1 (0.5000)"


def test_titles_of_tables_are_what_the_tables_say():
    power = dm.meta.discriminative_power(pairs(9, 12)).set_index("metric")["significant"]
    assert title(charts.asl_curves(pairs(9, 12))).startswith(
        f"{power.idxmax()} tells the most pairs of runs apart: "
    )
    tau = per_topic(5, 15, 32).groupby("metric")["tau"].mean()
    assert title(charts.tau_per_topic(per_topic(5, 15, 32))) == (
        f"{tau.idxmax()} ranks runs most like {FIRST}: mean tau_ap {tau.max():.3f}"
    )
    table = compared(2, 12)
    first = table[table["metric"] == FIRST]["better"].value_counts()
    against = (
        table.pivot(index="topic", columns="metric", values="better").pipe(
            lambda t: (t[FIRST] != t[NAMES[1]]) & (t[FIRST] != "") & (t[NAMES[1]] != "")
        )
    ).sum()
    assert title(charts.topic_differences(table)) == (
        f"{first.idxmax()} is better on {first.max()} of 12 topics by {FIRST}; "
        f"{NAMES[1]} disagrees on {against}"
    )
    of_runs = dm.meta.means(scores(3, 5), FIRST)
    figure = charts.forest(of_runs, "mean", name="run", reference=None)
    best = of_runs.set_index("run")["mean"]
    assert title(figure) == f"{best.idxmax()} has the highest mean ({best.max():.3f})"


def test_a_user_may_give_a_title():
    figure = charts.contributions("ERR-IA@5", dm.datasets.harry_potter().list("A", "0083"))
    mine = figure.titled("What film fans get")
    assert title(mine) == "What film fans get"
    assert mine.spec["title"]["subtitle"] == figure.spec["title"]["subtitle"]
    assert mine.description == figure.description
    assert title(figure) != title(mine)
    with pytest.raises(dm.DivmetricsError, match="the title is 7, expected a text"):
        figure.titled(7)


@given(st.lists(st.floats(0, 300), min_size=1, max_size=10))
def test_labels_move_apart_as_little_as_possible(heights):
    positions = apart(heights, 16, 0, 300)
    in_order = sorted(range(len(heights)), key=lambda n: heights[n])
    assert all(positions[b] - positions[a] >= 16 - 1e-9 for a, b in pairwise(in_order))
    assert min(positions) >= -1e-9
    assert max(positions) <= 300 + 1e-9
    if all(abs(heights[b] - heights[a]) >= 16 for a, b in pairwise(in_order)):
        assert np.allclose(positions, heights)
