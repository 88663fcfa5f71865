"""`divmetrics reproduce sakai2012`: numbers, folders, and verdicts that turn with the evidence."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import datasets, meta
from divmetrics.cli import main
from divmetrics.research.papers import sakai2012 as paper
from divmetrics.research.papers.report import WIDTH
from divmetrics.research.papers.sakai2012 import (
    consistency,
    definitions,
    experiments,
    intuition,
    numbers,
    trials,
)
from divmetrics.research.papers.sakai2012.collections import (
    count_shared,
    with_all_shared,
    with_made_up_runs,
    with_navigational,
)
from divmetrics.research.papers.sakai2012.definitions import din_reaches_1
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import DISCUSSED, OTHERS, TWELVE, Experiment
from divmetrics.research.papers.sakai2012.tables import DIFFERENCE, SHARE
from divmetrics.research.papers.trec_web_2009 import read_judgments
from tools.trec2012_scores import table

ALPHA, D, DIN, PQ = DISCUSSED
NAMES = (*TWELVE, *OTHERS)
PAIRS = 190

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(research_files: Path) -> Path:
    return research_files / "data" / "trec-web-2009"


@pytest.fixture(scope="module")
def judgments_2009(folder: Path) -> Evidence:
    published = read_judgments(folder)
    return Evidence((), with_navigational(published), published)


# ------------------------------------------------------------------ evidence that tests choose

Counts = dict[str, tuple[int, int]]  # significant pairs with the bootstrap and with HSD, by metric
EVEN: Counts = dict.fromkeys(NAMES, (100, 50))


@dataclass(frozen=True, eq=False)
class Chosen(Experiment):
    """An experiment with chosen results in place of scores."""

    counts: Counts = field(default_factory=dict)
    differences: tuple[float, float] = (0.15, 0.15)
    first_significant: tuple[int, int] = (0, 0)
    of_runs: dict[str, list[float]] = field(default_factory=dict)
    alone: dict[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)
    disagreements: int = 100

    @cached_property
    def tests(self) -> dict[str, pd.DataFrame]:
        return {test: self._pairs(i) for i, test in enumerate(experiments.TESTS)}

    def _pairs(self, test: int) -> pd.DataFrame:
        tables = []
        for name in NAMES:
            asl = np.full(PAIRS, 0.9)
            start = self.first_significant[test]
            asl[start : start + self.counts.get(name, (100, 50))[test]] = 0.01
            columns = {"metric": name, "run_a": [f"a{i}" for i in range(PAIRS)], "run_b": "b"}
            columns |= {"difference": self.differences[test], "asl": asl}
            if test == 0:
                columns |= {"level": 0.05, "borderline": self.differences[0]}
            tables.append(pd.DataFrame(columns))
        return pd.concat(tables, ignore_index=True)

    def means(self, metric: str) -> np.ndarray:
        return np.array(self.of_runs.get(metric, [3.0, 2.0, 1.0, 0.0]))

    @cached_property
    def concordance(self) -> dict[str, pd.DataFrame]:
        rows = {}
        for gold in experiments.GOLDS:
            of_gold = [
                (a, b, self.disagreements, *self.alone.get((gold, a, b), (20, 30)))
                for i, a in enumerate(DISCUSSED)
                for b in DISCUSSED[i + 1 :]
            ]
            columns = ["metric_a", "metric_b", "disagreements", "only_a", "only_b"]
            rows[gold] = pd.DataFrame(of_gold, columns=columns).set_index(["metric_a", "metric_b"])
        return rows


def scores(**metrics: list[list[float]]) -> pd.DataFrame:
    """Return scores as a table; each metric has a list of runs' scores for every topic."""
    return pd.DataFrame(
        [
            (f"r{run}", f"t{topic}", name, score)
            for name, topics in metrics.items()
            for topic, of_topic in enumerate(topics)
            for run, score in enumerate(of_topic)
        ],
        columns=["run", "topic", "metric", "score"],
    )


def on(*chosen: Experiment) -> Evidence:
    return Evidence(chosen, datasets.sakai2012())


def chosen(**changes: Any) -> Evidence:
    return on(Chosen("runs", "uniform", "chosen", pd.DataFrame(), **changes))


def counted(**changes: tuple[int, int]) -> Evidence:
    """Return evidence in which every metric separates 100 and 50 pairs of runs, but for the changes."""
    names = {"I_rec": "I-rec", "alpha": ALPHA, "D": D, "DIN": DIN, "PQ": PQ}
    return chosen(counts=EVEN | {names.get(name, name): counts for name, counts in changes.items()})


def all_counted(base: tuple[int, int], **changes: tuple[int, int]) -> Evidence:
    return chosen(counts=dict.fromkeys(NAMES, base) | changes)


def alone(gold: str, a: str, b: str, counts: tuple[int, int]) -> Evidence:
    return chosen(alone={(gold, a, b): counts})


def printed(change: Callable[[Any], str | None]) -> Evidence:
    """Return evidence whose printed numbers are changed where `change` returns a text."""
    evidence = on()
    changed = tuple(
        number if (text := change(number)) is None else number._replace(text=text)
        for number in evidence.printed
    )
    return replace(evidence, printed=changed)


def cell(table: int, a: str, b: str, quantity: str, text: str) -> Evidence:
    return printed(
        lambda n: text if (n.table, n.metric_a, n.metric_b, n.quantity) == (table, a, b, quantity) else None
    )


def count(quantity: str, text: str) -> Evidence:
    return printed(lambda n: text if n.table == 1 and n.quantity == quantity else None)


def all_of(quantity: str, text: str, gold: str = "Ef-P") -> Evidence:
    return printed(lambda n: text if n.table == 6 and n.part == gold and n.quantity == quantity else None)


def share(text: str, *tables: int) -> Evidence:
    """Return evidence with the printed shares of significant pairs of DIN#-nDCG and P+Q# changed."""
    return printed(
        lambda n: text if n.table in tables and n.quantity == SHARE and n.metric_a != "I-rec" else None
    )


def differs(number: Any) -> bool:
    """Tell whether a printed number is a difference that HSD requires."""
    return bool(number.table == 3 and number.quantity == DIFFERENCE)


def judged(**docs: dict[str, int]) -> Evidence:
    """Return evidence with one topic: an informational intent i and a navigational intent j."""
    topic = dm.Topic("1", (dm.Intent("i", 0.5), dm.Intent("j", 0.5, "navigational")))
    return Evidence((), dm.Collection.of([topic], {"1": docs}, {}))


def tied(share: float) -> Evidence:
    values = [[0.0, 0.0] if i < share * 20 else [0.0, 1.0] for i in range(20)]
    metrics = dict.fromkeys(NAMES, values) | {"Ef-P": values}
    return on(Experiment("runs", "uniform", "chosen", scores(**metrics)))


def opposed(metric: str) -> Evidence:
    """Return evidence in which a metric prefers the other list on every topic."""
    metrics = dict.fromkeys((*NAMES, "Ef-P"), [[0.0, 1.0]] * 3) | {metric: [[1.0, 0.0]] * 3}
    return on(Experiment("runs", "uniform", "chosen", scores(**metrics)))


ORDER, SWAPPED, REVERSED = [3.0, 2.0, 1.0, 0.0], [3.0, 2.0, 0.0, 1.0], [0.0, 1.0, 2.0, 3.0]
GAMMA = "D#-nDCG(gamma=0.2)"

# Parts of what a claim says, between two points -> evidence and verdict, other evidence and verdict.
Case = tuple[str, Evidence, str, Evidence, str]


def cases() -> tuple[Case, ...]:
    holds, fails, contradicts = "holds", "does not hold", "contradicts itself"
    return (
        # printed numbers
        (
            "the two counts of relevant",
            on(),
            contradicts,
            count("relevant to informational intents", "2437"),
            holds,
        ),
        (
            "every topic has an informational",
            on(),
            contradicts,
            count("fewest intents of a topic", "2"),
            holds,
        ),
        ("rank runs identically", chosen(), holds, chosen(of_runs={PQ: SWAPPED}), fails),
        ("the paper's runs identically", on(), contradicts, cell(5, D, PQ, "tau", ".99"), holds),
        ("by tau_ap, alpha-nDCG", on(), contradicts, cell(5, ALPHA, DIN, "tau_ap", ".84"), holds),
        (
            "beyond the paper's lists, P+Q#",
            on(),
            "cannot be decided",
            cell(6, ALPHA, PQ, "agrees b", ".854"),
            holds,
        ),
        ("by more than chance", on(), "fragile", all_of("agrees a", ".100"), holds),
        # the text against its tables
        ("DIN#-nDCG and P+Q# tell about as many", on(), holds, share("10.0", 2, 3), fails),
        ("HSD leaves about half", on(), holds, cell(3, "I-rec", "", SHARE, "50.0"), fails),
        ("both tests require", on(), holds, printed(lambda n: "0.30" if differs(n) else None), fails),
        ("I-rec and P+Q# tell nearly", on(), holds, cell(4, "I-rec", PQ, "only a", "30"), fails),
        ("rank alike, and alpha", on(), holds, cell(5, ALPHA, PQ, "tau", ".93"), fails),
        ("any two metrics disagree on less", on(), holds, cell(6, ALPHA, PQ, "disagreements", "546"), fails),
        ("a quarter or more of two metrics'", on(), holds, all_of("agrees a", ".100", "I-rec"), fails),
        ("beat the others in div", on(), holds, cell(6, D, PQ, "agrees a", "1"), "fragile"),
        ("beat the others in rel", on(), holds, all_of("agrees a", ".900"), "fragile"),
        ("beat the others in both", on(), holds, cell(6, D, DIN, "agrees b", ".100"), "fragile"),
        # definitions
        (
            "the best DIN-nDCG of a topic may be below 1",
            *(judged(d1={"j": 1}, d2={"j": 1}), holds),
            *(judged(d1={"j": 1}, d2={"i": 1}), fails),
        ),
        (
            "the best P+Q of a topic is usually below 1",
            *(judged(d1={"j": 1}, d2={"i": 1}), holds),
            *(judged(d1={"j": 1, "i": 1}, d2={"i": 1}), fails),
        ),
        # discriminative power
        ("DIN#-nDCG tells about as many", counted(), holds, counted(DIN=(100, 40)), fails),
        ("P+Q# tells about as many", counted(), holds, counted(PQ=(80, 50)), fails),
        ("bootstrap test, alpha .. at level 0.05", counted(alpha=(99, 50)), holds, counted(), fails),
        ("HSD, alpha .. at level 0.05", counted(alpha=(100, 49)), holds, counted(), fails),
        ("bootstrap test, alpha .. at levels", counted(alpha=(99, 50)), holds, counted(), fails),
        ("HSD, alpha .. at levels", counted(alpha=(100, 49)), holds, counted(), fails),
        (
            "P+Q tell more pairs apart when combined",
            all_counted((100, 50), **dict.fromkeys(("D-nDCG", "DIN-nDCG", "P+Q"), (99, 49))),
            *(holds, counted(), fails),
        ),
        (
            "by half or more",
            all_counted((99, 48), **dict.fromkeys(("D-nDCG", "DIN-nDCG", "P+Q"), (66, 32))),
            holds,
            all_counted((99, 48), **dict.fromkeys(("D-nDCG", "DIN-nDCG", "P+Q"), (67, 32))),
            fails,
        ),
        (
            "D-Q and DIN-Q, too",
            all_counted((100, 50), **dict.fromkeys(("D-Q", "DIN-Q"), (99, 49))),
            *(holds, counted(), fails),
        ),
        (
            "DIN-nDCG and DIN#-nDCG tell no more",
            *(counted(), holds),
            *(all_counted((100, 50), **{"DIN-nDCG": (101, 50)}), fails),
        ),
        (
            "D-Q and DIN-Q tell the fewest",
            counted(),
            holds,
            all_counted((99, 49), **{"D-Q": (100, 50)}),
            fails,
        ),
        (
            "D#-Q and DIN#-Q tell no more",
            counted(),
            holds,
            all_counted((99, 49), **{"D#-Q": (100, 50)}),
            fails,
        ),
        ("HSD finds fewer", counted(), holds, all_counted((50, 50)), fails),
        ("with HSD, about half of the bootstrap's", counted(), holds, counted(I_rec=(100, 90)), fails),
        ("are a proper subset", counted(), holds, chosen(counts=EVEN, first_significant=(0, 60)), fails),
        ("that significance requires", chosen(), holds, chosen(differences=(0.15, 0.2)), fails),
        (
            "the metrics compare alike in both tests",
            *(chosen(counts={name: (100 - i, 60 - i) for i, name in enumerate(NAMES)}), holds),
            *(chosen(counts={name: (100 - i, 40 + i) for i, name in enumerate(NAMES)}), fails),
        ),
        ("the ASL curve of D#-nDCG is lower", counted(), holds, counted(D=(40, 50)), fails),
        ("are nearly the same", counted(), holds, counted(PQ=(100, 40)), fails),
        ("I-rec tells at least as many", counted(), holds, counted(PQ=(101, 50)), fails),
        ("P+Q fewer than Q-IA", all_counted((100, 50), **{"P+Q": (99, 49)}), holds, counted(), fails),
        ("ERR-IA tells fewer", all_counted((100, 50), **{"ERR-IA": (99, 49)}), holds, counted(), fails),
        # rankings
        ("rank runs alike", chosen(of_runs={ALPHA: SWAPPED}), holds, chosen(of_runs={PQ: REVERSED}), fails),
        ("depend little on gamma", chosen(), holds, chosen(of_runs={GAMMA: REVERSED}), fails),
        # intuitiveness
        ("lists are often tied", tied(0.5), holds, tied(0.1), fails),
        ("metrics are closely correlated", tied(0.1), holds, opposed(PQ), fails),
        ("by I-rec, D#-nDCG, DIN#", chosen(), holds, alone("I-rec", ALPHA, DIN, (30, 30)), fails),
        ("by I-rec, P+Q# beats D#", chosen(), holds, alone("I-rec", D, PQ, (30, 20)), fails),
        (
            "by Ef-P, D#-nDCG and DIN#-nDCG beat alpha",
            chosen(),
            holds,
            alone("Ef-P", ALPHA, D, (3, 2)),
            fails,
        ),
        ("by Ef-P, P+Q# beats alpha-nDCG", chosen(), holds, alone("Ef-P", ALPHA, PQ, (3, 2)), fails),
        (
            "by Ef-P, D#-nDCG and DIN#-nDCG beat P",
            *(chosen(alone={("Ef-P", D, PQ): (3, 2), ("Ef-P", DIN, PQ): (3, 2)}), holds, chosen(), fails),
        ),
        ("by I-rec and Ef-P, all three", chosen(), holds, alone("both", ALPHA, PQ, (3, 2)), fails),
        ("by I-rec and Ef-P, D#-nDCG beats", alone("both", D, PQ, (3, 2)), holds, chosen(), fails),
        ("by I-rec and Ef-P, DIN#", alone("both", DIN, PQ, (3, 2)), holds, chosen(), fails),
    )


# Claims on the effect of B and on Fig. 1 have tests of their own.
TESTED_BELOW = ("trials", "at rank", "of the figure", "with beta 0", "by Ef-P, DIN#-nDCG beats D#")


def claim(says: str) -> Any:
    (claims,) = [each for each in paper.CLAIMS if all(part in each.says for part in says.split(" .. "))]
    return claims


def test_every_claim_has_a_case_that_changes_its_verdict():
    turned = {claim(case[0]).says for case in cases()}
    others = {each.says for each in paper.CLAIMS if any(part in each.says for part in TESTED_BELOW)}
    assert len(turned) == len(cases())
    assert turned | others == {each.says for each in paper.CLAIMS}


@pytest.mark.parametrize("case", cases(), ids=[case[0] for case in cases()])
def test_a_verdict_turns_with_the_evidence(case):
    says, evidence, verdict, other_evidence, other = case
    assert claim(says).find(evidence).verdict == verdict
    assert claim(says).find(other_evidence).verdict == other


def test_one_setting_that_differs_makes_a_claim_fragile():
    (first,), (second,) = counted().experiments, counted(DIN=(100, 40)).experiments
    result = claim("DIN#-nDCG tells about as many").find(on(first, replace(second, choices="other")))
    assert result.words == "fragile elsewhere"
    assert "1 of 2 settings (yes with uniform, chosen: " in result.evidence
    assert "no with uniform, other: DIN#-nDCG 100 / 40" in result.evidence


def test_evidence_of_submitted_runs_is_not_elsewhere():
    result = claim("DIN#-nDCG tells about as many").find(replace(counted(), elsewhere=False))
    assert result.words == "holds"


def test_documents_that_serve_another_intent_decide_between_din_and_d(judgments_2009, monkeypatch):
    monkeypatch.setattr(intuition, "SEEDS", (0,))
    says = claim("by Ef-P, DIN#-nDCG beats D#")
    wins, loses = (
        replace(judgments_2009, experiments=e.experiments) for e in (chosen(), alone("Ef-P", D, DIN, (3, 2)))
    )
    assert says.find(loses).verdict == "does not hold"
    result = says.find(wins)
    assert result.verdict == "holds"
    assert "42 of 197 (21%) documents of navigational intents serve an informational one" in result.evidence
    (first, others), (din, d) = (map(int, pair) for pair in re.findall(r"(\d+) to (\d+)", result.evidence))
    assert first > others
    assert din < d


def test_shared_documents():
    (pool,) = judged(d1={"j": 1}, d2={"j": 1, "i": 1}, d3={"i": 1}).judged.pools.values()
    collection = dm.Collection({"1": pool})
    assert count_shared(collection) == (1, 2)
    (shared,) = with_all_shared(collection, 0).pools.values()
    assert shared.grades.tolist() == [[1, 1, 1], [1, 1, 0]]


def test_few_trials_are_not_enough_where_runs_differ_little(monkeypatch):
    monkeypatch.setattr(trials, "REFERENCE", 2_000)
    monkeypatch.setattr(trials, "FIGURE_7", (40,))
    random = np.random.default_rng(0)
    noise, apart = random.random((12, 5)), random.random((12, 2)) / 100 + np.arange(2)
    close, far = (
        on(Experiment("runs", "uniform", "chosen", scores(**{D: values.tolist()})))
        for values in (noise, apart)
    )
    assert trials.enough_trials(far, 40).verdict == "holds"
    assert trials.enough_trials(close, 40).verdict != "holds"
    assert trials.curves_overlap(far, 40, 2_000).verdict == "holds"
    assert trials.curves_overlap(close, 40, 2_000).verdict != "holds"


def test_a_metric_that_agrees_less_often_does_not_beat_the_other():
    result = claim("beyond the paper's lists").find(cell(6, ALPHA, PQ, "agrees a", ".854"))
    assert result.verdict == "does not hold"


def test_cells_that_are_not_legible_are_named():
    of_power, of_table_6 = (
        claim(part).find(on()).evidence for part in ("apart as I-rec", "beat the others in div")
    )
    assert "not legible: P+Q# in Table 2" in of_power
    assert "not legible: P+Q# against alpha-nDCG" in of_table_6


def test_the_list_of_figure_1(monkeypatch):
    unequal, equal = ("rank 4", "at rank 2 is L3"), ("for the list of the figure", "with beta 0")
    assert {claim(part).find(on()).verdict for part in (*unequal, *equal)} == {"holds"}
    same = dict.fromkeys(definitions.OF_FIGURE_1, 0.5)
    monkeypatch.setattr(definitions, "figure_1", lambda *_: same)
    assert {claim(part).find(on()).verdict for part in unequal} == {"does not hold"}
    assert {claim(part).find(on()).verdict for part in equal} == {"holds"}
    other = same | {"P+Q": 0.4, "AP-IA(of=min)": 0.4}
    monkeypatch.setattr(definitions, "figure_1", lambda *_: other)
    assert {claim(part).find(on()).verdict for part in equal} == {"does not hold"}


def best_din_ndcg(collection: dm.Collection, cutoff: int) -> float:
    """Return the best DIN-nDCG of all lists of a topic, by trying every list."""
    (topic,) = collection.pools
    docs = collection.pools[topic].docs
    lists = {f"r{i}": {topic: chosen} for i, chosen in enumerate(permutations(docs, min(cutoff, len(docs))))}
    runs = [dm.Run.of(name, lists_of_run) for name, lists_of_run in lists.items()]
    table = dm.evaluate(collection.with_runs(runs), None, f"DIN-nDCG@{cutoff}", gain="exponential")
    return float(table["score"].max())


@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=5).filter(
        lambda grades: all(any(column) for column in zip(*grades, strict=True))
    ),
    st.integers(1, 3),
)
def test_whether_a_list_reaches_1_is_what_trying_every_list_says(grades, cutoff):
    kinds = ("informational", "navigational", "navigational")
    topic = dm.Topic("1", tuple(dm.Intent(f"t{i}", 1 / 3, kind) for i, kind in enumerate(kinds)))
    docs = {f"d{d}": {f"t{i}": g for i, g in enumerate(of_doc)} for d, of_doc in enumerate(grades)}
    collection = dm.Collection.of([topic], {"1": docs}, {}, scale=2)
    best = best_din_ndcg(collection, cutoff)
    assert din_reaches_1(collection.pools["1"], cutoff) == (best > 1 - 1e-9)


# ------------------------------------------------------------------ numbers


def differing(numbers_compared: list[Any]) -> list[tuple[str, str, str | None]]:
    return [(n.what, n.printed, n.ours) for n in numbers_compared if n.same is False]


UNATTAINABLE = ("by I-rec: D#-nDCG against alpha-nDCG", ".995", ".996")
EF_P = ("Ef-P", "0.8", "0.6")


def test_numbers_without_data():
    numbers_compared = numbers.compared(on())
    assert differing(numbers_compared) == [EF_P, UNATTAINABLE]
    assert all(n.why for n in numbers_compared if n.same is False)
    not_computed = [n for n in numbers_compared if n.ours is None and not n.why]
    assert {n.where for n in not_computed} == {"Table 1", "5"}
    assert len(not_computed) == 22


def test_a_share_that_no_count_gives_differs():
    numbers_compared = numbers.compared(cell(6, D, PQ, "agrees a", ".905"))
    assert ("by Ef-P: D#-nDCG against P+Q#", ".905", ".908") in differing(numbers_compared)


def test_a_tau_that_no_ranking_gives_differs():
    assert ("tau of D#-nDCG and P+Q#", ".985", ".989") in differing(
        numbers.compared(cell(5, D, PQ, "tau", ".985"))
    )


def test_table_1_against_the_judgments(judgments_2009):
    numbers_compared = numbers.compared(judgments_2009)
    assert differing(numbers_compared) == [
        EF_P,
        ("fewest informational intents of a topic", "1", "0"),
        ("relevant to informational intents", "2635", "2437"),
        UNATTAINABLE,
    ]
    assert not [n for n in numbers_compared if n.ours is None and not n.why]


def test_judgments_decide_what_the_best_lists_reach(judgments_2009):
    result = claim("the best DIN-nDCG of a topic may be below 1").find(judgments_2009)
    assert (result.words, "5 of 24" in result.evidence) == ("holds", True)


def test_the_discordant_pairs_of_a_printed_tau():
    assert consistency.discordant_pairs(".99") == range(1, 2)
    assert consistency.discordant_pairs(".95") == range(5, 6)
    assert consistency.discordant_pairs("1") == range(1)
    assert consistency.nearest_discordant(".74") == 25


# ------------------------------------------------------------------ experiments


def test_the_experiments_on_trec_2012_have_the_known_counts():
    first = next(experiments.embedded_experiments())
    assert (first.setting, len(first.table.runs)) == ("uniform, exponential, 33 topics", 8)
    assert {test: first.significant(test, ALPHA) for test in experiments.TESTS} == {
        "bootstrap": 12,
        "HSD": 11,
    }
    pairs = first.tests["HSD"].query("metric == 'I-rec' and asl < 0.05")
    unfiltered = {"ql-cata", "rm-cata"}
    assert all(
        (a in unfiltered) != (b in unfiltered) for a, b in zip(pairs["run_a"], pairs["run_b"], strict=True)
    )
    assert len(pairs) == 2 * 6
    assert first.right_alone("Ef-P", DIN, D) == (3, 7)
    assert first.right_alone("Ef-P", D, DIN) == (7, 3)
    assert first.tau(D, PQ) == 1


def test_the_experiments_on_judgments_of_2009_have_the_known_counts(judgments_2009):
    first = next(experiments.made_up_experiments(judgments_2009.judged))
    assert (first.setting, len(first.table.runs)) == ("uniform, seed 0", 20)
    assert first.concordance["Ef-P"]["disagreements"].tolist() == [364, 462, 545, 88, 288, 345]
    assert first.right_alone("Ef-P", DIN, D) == (54, 8)


def test_stored_scores_equal_computed_scores(research_files):
    from divmetrics.research.datasets import trec2012

    with pytest.warns(dm.DivmetricsWarning, match="named after their files"):
        computed = table(research_files / "data" / "trec-web-2012")
    pd.testing.assert_frame_equal(trec2012._read(), computed, check_names=False, rtol=0, atol=1e-12)


def test_unknown_probabilities_and_gains_are_refused():
    with pytest.raises(dm.DivmetricsError, match="probabilities is 'flat', expected one of uniform"):
        datasets.trec2012_scores("flat")
    with pytest.raises(dm.DivmetricsError, match="gain is 'linear', expected one of exponential, binary"):
        datasets.trec2012_scores(gain="linear")


# ------------------------------------------------------------------ the command


@pytest.fixture
def few_trials(monkeypatch):
    """Test one seed with few trials, and leave out the effect of B."""
    monkeypatch.setattr(experiments, "BOOTSTRAP_TRIALS", 100)
    monkeypatch.setattr(experiments, "HSD_TRIALS", 100)
    monkeypatch.setattr(experiments, "SEEDS", (0,))
    monkeypatch.setattr(intuition, "SEEDS", (0,))
    monkeypatch.setattr(trials, "REFERENCE", 200)
    monkeypatch.setattr(trials, "FIGURE_7", (1_000, 5_000))


@pytest.mark.usefixtures("few_trials")
def test_the_report_without_data(capsys, tmp_path):
    target = tmp_path / "out.csv"
    assert main(["reproduce", "sakai2012", "--format", "csv", "-o", str(target)]) == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    kinds = [row["kind"] for row in rows]
    assert kinds.count("claim") == len(paper.CLAIMS)
    assert kinds.count("elsewhere") == 4 * 2 * len(TWELVE) + 3 * 10 + 2 * 10 + 6 * 7
    printed_elsewhere = [row for row in rows if row["kind"] == "elsewhere" and row["printed"]]
    assert len(printed_elsewhere) == len([n for n in on().printed if n.table > 1])
    report = paper.report()
    text = str(report)
    assert max(map(len, text.splitlines())) <= WIDTH
    curves = report.tests.groupby(["source", "setting", "test"])
    assert len(curves) == 2 * 2 * 2
    for _, of_test in curves:
        assert len(meta.asl_curve(of_test)) == len(of_test)
    assert "22 more are not computed" in text


@pytest.mark.usefixtures("few_trials")
def test_submitted_runs_take_the_place_of_other_runs(folder, judgments_2009, tmp_path):
    made_up = with_made_up_runs(judgments_2009.judged, 4, 0)
    for run in made_up.runs.values():
        lines = [
            f"{topic} Q0 {doc} {rank} {100 - rank} {run.name}"
            for topic in made_up.pools
            for rank, doc in enumerate(run.list(topic), 1)
        ]
        (tmp_path / run.name).write_text("\n".join(lines))
    report = paper.report(folder, tmp_path)
    assert not any("elsewhere" in verdict for verdict in report.claims["verdict"])
    assert list(report.elsewhere.columns[6:]) == [experiments.SUBMITTED]
    assert "binary, 4 runs" in str(report)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["reproduce", "sakai2012", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    return line


def test_folders_that_cannot_be_used(capsys, folder, tmp_path, research_files):
    missing, file, empty = tmp_path / "missing", tmp_path / "file", tmp_path / "empty"
    file.write_text("x")
    empty.mkdir()
    line = refused(capsys, "--data", str(missing))
    assert "does not exist, expected the folder with topics.xml and qrels.diversity" in line
    assert "is a file" in refused(capsys, "--data", str(file))
    assert "the topics of TREC Web 2009 are missing, expected topics.xml or" in refused(
        capsys, "--data", str(empty)
    )
    line = refused(capsys, "--data", str(research_files / "data" / "trec-web-2012"))
    assert "topic 1 is not judged, expected topics 1 to 50 of TREC Web 2009" in line
    assert "runs were given without the judgments of TREC Web 2009" in refused(capsys, "--runs", str(empty))
    line = refused(capsys, "--data", str(folder), "--runs", str(missing))
    assert "does not exist, expected the folder with the runs of TREC Web 2009" in line
    line = refused(capsys, "--data", str(folder), "--runs", str(empty))
    assert "holds 0 files, expected at least 3 runs" in line
    for name in "abc":
        (empty / name).write_text(f"151 Q0 d1 1 1 {name}")
    line = refused(capsys, "--data", str(folder), "--runs", str(empty))
    assert "run a answers none of the 24 topics" in line
