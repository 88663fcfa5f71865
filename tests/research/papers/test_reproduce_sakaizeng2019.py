"""`divmetrics reproduce sakaizeng2019`: numbers, verdicts that follow the evidence, the paper's data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import divmetrics as dm
from divmetrics import meta
from divmetrics.cli import main
from divmetrics.research.papers import reproduce
from divmetrics.research.papers.sakaizeng2019 import CLAIMS, Evidence, Original, fewest_ties, numbers
from divmetrics.research.papers.sakaizeng2019.differences import Difference, is_as_good, is_better
from divmetrics.research.papers.sakaizeng2019.evidence import ANSWERED
from divmetrics.research.papers.sakaizeng2019.judges import own_alpha
from divmetrics.research.papers.sakaizeng2019.measures import (
    COMPONENTS,
    IA,
    METRICS,
    RBU,
    SHARP,
    D,
    at_cutoff,
)
from divmetrics.research.papers.sakaizeng2019.selection import all_pairs, differing_pairs
from divmetrics.research.papers.sakaizeng2019.unanimity import least_ties
from divmetrics.research.papers.verdicts import Claim, ReproducedNumber

pytestmark = pytest.mark.slow

Change = Callable[[Evidence], Evidence]


@cache
def embedded() -> Evidence:
    return Evidence.embedded()


def statistics(evidence: Evidence, **changed: Mapping[str, object]) -> Evidence:
    """The evidence with other statistics by source, such as `unanimities`."""
    other = replace(evidence)
    computed = ("taus", "unanimities", "rounded_unanimities", "diversity_unanimities", "powers")
    vars(other).update({name: getattr(evidence, name) for name in computed} | changed)
    return other


# ------------------------------------------------------------------ numbers


def test_every_printed_number_is_computed_or_says_what_it_lacks():
    table = pd.DataFrame([vars(number) for number in numbers.compared(embedded())])
    same = table["ours"] == table["printed"]
    lacking = table["ours"].isna()
    assert (same.sum(), lacking.sum()) == (652, 429)
    differ = table[~same & ~lacking]
    assert differ[["printed", "ours"]].values.tolist() == [["5", "6"]]
    assert differ["why"].str.len().gt(0).all()
    assert set(table.loc[lacking & (table["why"] == ""), "convention"]) == {"from the original data"}
    assert not table.duplicated(["where", "what"]).any()
    by_table = table[table["where"].str.startswith("Table")].groupby("where").size().to_dict()
    assert by_table == {
        **{"Table 1": 153, "Table 2": 30, "Table 3": 90, "Table 4": 32},
        **{f"Table {number}": 180 for number in ("5(a)", "5(b)", "6(a)", "6(b)")},
    }


def changed_numbers(evidence: Evidence) -> list[ReproducedNumber]:
    return [number for number in numbers.compared(evidence) if number.same is False]


@pytest.mark.parametrize(
    ("name", "column", "wrong"),
    [
        ("rankings", "low", "Table 1"),
        ("power", "percent", "Table 3"),
        ("agreement", "high", "Table 5(a)"),
        ("agreement", "agree", "Table 5(a)"),
    ],
)
def test_a_printed_number_that_does_not_follow_is_found(name, column, wrong):
    table = getattr(embedded(), name).copy()
    table[column] = table[column].where(table.index > 0, table[column] + 1)
    numbers_compared = changed_numbers(replace(embedded(), **{name: table}))
    assert wrong in {number.where for number in numbers_compared}


# ------------------------------------------------------------------ claims


def claim(says: str, *, imine: bool) -> Claim:
    claims = [each for each in CLAIMS if each.says.startswith(says) and ("IMine" in each.where) == imine]
    assert len(claims) == 1, says
    return claims[0]


def printed_taus(value: float, *names: str) -> Change:
    """Table 1 with another tau where one of the names stands."""

    def change(evidence: Evidence) -> Evidence:
        table = evidence.rankings
        chosen = table["one"].isin(names) | table["other"].isin(names)
        return replace(evidence, rankings=table.assign(tau=table["tau"].mask(chosen, value)))

    return change


def whole_taus(evidence: Evidence) -> Evidence:
    table = evidence.rankings
    return replace(evidence, rankings=table.assign(tau=((table["tau"] * 105).round() / 105).round(3)))


def column(table: str, column: str, **values: float) -> Change:
    """A printed table with other values of some measures; `__` stands for other characters than letters."""

    def change(evidence: Evidence) -> Evidence:
        frame: pd.DataFrame = getattr(evidence, table).copy()
        for name, value in values.items():
            frame.loc[frame["metric"] == NAMES.get(name, name), column] = value
        return replace(evidence, **{table: frame})

    return change


NAMES = {
    **{"RBU99": "RBU(phi=0.99)", "RBU85": "RBU(phi=0.85)", "I_rec": "I-rec", "D_nDCG": "D-nDCG"},
    **{"RBP85": "RBP(phi=0.85)", "D_RBP85": "D-RBP(phi=0.85)", "sharp_RBP85": "D#-RBP(phi=0.85)"},
    **{"RBP_IA85": "RBP-IA(phi=0.85)", "sharp_nDCG": "D#-nDCG", "nDCG_IA": "nDCG-IA", "D_ERR": "D-ERR"},
    **{
        "sharp_ERR": "D#-ERR",
        "sharp_Q": "D#-Q",
        "sharp_RBP99": "D#-RBP(phi=0.99)",
        "iRBU99": "iRBU(phi=0.99)",
    },
    **{"D_Q": "D-Q", "RBP_IA99": "RBP-IA(phi=0.99)", "RBP99": "RBP(phi=0.99)"},
}


def agree(question: str, **values: int) -> Change:
    """Tables 5 or 6 with other counts of some measures, on as many pairs."""

    def change(evidence: Evidence) -> Evidence:
        frame = evidence.agreement.copy()
        for name, value in values.items():
            chosen = (frame["metric"] == NAMES.get(name, name)) & (frame["question"] == question)
            pairs = frame.loc[chosen, ["agree", "disagree"]].sum(axis=1)
            frame.loc[chosen, "agree"] = np.minimum(pairs, value)
            frame.loc[chosen, "disagree"] = pairs - frame.loc[chosen, "agree"]
        return replace(evidence, agreement=frame)

    return change


def alpha(question: str, left_out: int, value: float) -> Change:
    def change(evidence: Evidence) -> Evidence:
        chosen = (evidence.alpha["question"] == question) & (evidence.alpha["left_out"] == left_out)
        return replace(
            evidence, alpha=evidence.alpha.assign(alpha=evidence.alpha["alpha"].mask(chosen, value))
        )

    return change


def both(*changes: Change) -> Change:
    def change(evidence: Evidence) -> Evidence:
        for each in changes:
            evidence = each(evidence)
        return evidence

    return change


def imine(change: Callable[[pd.DataFrame], pd.DataFrame]) -> Change:
    """Other scores of IMine; `change` takes and returns a table with a column per measure."""

    def other(evidence: Evidence) -> Evidence:
        tables = {}
        for code, scores in evidence.imine.items():
            wide = scores.pivot(index=["run", "topic"], columns="metric", values="score")
            tidy = change(wide.copy()).reset_index().melt(["run", "topic"], value_name="score")
            tables[code] = tidy.rename(columns={"variable": "metric"})
        return replace(evidence, imine=tables)

    return other


def same_scores(wide: pd.DataFrame) -> pd.DataFrame:
    return wide.apply(lambda _: wide["nDCG@10"])


def opposite(*names: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda wide: wide.assign(**{f"{name}@10": -wide["nDCG@10"] for name in names})


def people(**columns: Callable[[pd.DataFrame], pd.Series]) -> Change:
    return lambda evidence: replace(evidence, people=evidence.people.assign(**columns))


def of_differing(evidence: Evidence) -> Evidence:
    """As if the differing pairs were all pairs."""
    chosen = evidence.people[evidence.people["pairs_of"] == "differing"]
    return replace(evidence, people=pd.concat([chosen.assign(pairs_of="all"), chosen]))


def most_unanimous(evidence: Evidence) -> Evidence:
    """As if RBU(phi=0.85) had the highest unanimity among IMine's diversity measures."""
    values = evidence.diversity_unanimities
    return statistics(
        evidence,
        diversity_unanimities={code: u.mask(u.index == "RBU(phi=0.85)", 9.0) for code, u in values.items()},
    )


def fewer_pairs(evidence: Evidence) -> Evidence:
    """As if no measure agreed on any of all pairs, but on some of those with high agreement."""
    table = evidence.agreement
    return replace(evidence, agreement=table.assign(agree=table["agree"].mask(table["pairs_of"] == "all", 0)))


def nothing_contested(evidence: Evidence) -> Evidence:
    """As if the measures were right on all pairs of high agreement, and wrong on all others."""
    table = evidence.agreement
    every = table["pairs_of"] == "all"
    return replace(evidence, agreement=table.assign(agree=700, disagree=every * 200))


def unrelated(evidence: Evidence) -> Evidence:
    """As if unanimity and discriminative power alternated along the tables."""
    alternating = np.arange(30) % 2
    return replace(
        evidence,
        unanimity=evidence.unanimity.assign(unanimity=alternating),
        power=evidence.power.assign(significant=alternating),
    )


def other_stopping(evidence: Evidence) -> Evidence:
    """As if readers who stop as in iRBU had agreed with people most."""
    table = evidence.utilities
    chosen = (table["stopping"] == "ERR") & (table["utility"] == "p^r")
    return replace(evidence, utilities=table.assign(agree=table["agree"].mask(chosen, 227)))


def significant_tests(evidence: Evidence) -> Evidence:
    return replace(evidence, tests=evidence.tests.assign(holm=0.01, difference=0.1))


def rbp_first(evidence: Evidence) -> Evidence:
    table = evidence.unanimity
    chosen = table["metric"].str.contains("RBP")
    return replace(evidence, unanimity=table.assign(unanimity=table["unanimity"].mask(chosen, 0.1)))


def effort_counts(evidence: Evidence) -> Evidence:
    other = replace(evidence)
    scores = evidence.effort.copy()
    chosen = scores["metric"].isin(at_cutoff(RBU))
    scores.loc[chosen, "score"] *= -1
    vars(other)["effort"] = scores
    return other


def equal_power(evidence: Evidence) -> Evidence:
    return replace(evidence, power=evidence.power.assign(significant=40, delta=0.05))


def judges_alike(evidence: Evidence) -> Evidence:
    """Alpha is the same whichever judge is left out."""
    of_all = evidence.alpha.groupby("question")["alpha"].transform("first")
    return replace(evidence, alpha=evidence.alpha.assign(alpha=of_all))


def judges_apart(evidence: Evidence) -> Evidence:
    """Alpha rises far more if judge 3 is left out."""
    return both(*(alpha(question, 3, 0.9) for question in ("relevance", "diversity")))(evidence)


# The beginning of a claim, whether it is about IMine, a change of its evidence, the verdict before and after.
CHANGES: list[tuple[str, bool, Change, str, str]] = [
    ("Prec ranks", False, printed_taus(0.99, "Prec"), "holds", "does not hold"),
    ("Prec ranks", True, imine(opposite("Prec")), "does not hold", "holds"),
    ("ERR ranks", False, printed_taus(0.5, "ERR"), "fragile", "holds"),
    ("I-rec ranks", False, printed_taus(0.99, "I-rec"), "holds", "does not hold"),
    ("I-rec ranks", True, imine(same_scores), "fragile", "does not hold"),
    ("I-rec ranks", True, imine(opposite("I-rec")), "fragile", "holds"),
    ("D-ERR ranks", False, printed_taus(0.5, "D-ERR"), "fragile", "holds"),
    ("RBU, EBR-IA and ERR-IA", False, printed_taus(0.6, "EBR-IA"), "holds", "fragile"),
    ("Q-IA and RBP-IA", False, printed_taus(0.6, "Q-IA"), "holds", "does not hold"),
    ("the coefficient", False, whole_taus, "not what was computed", "holds"),
    ("the coefficient", False, printed_taus(0.001, "Q"), "not what was computed", "does not hold"),
    ("RBP-based measures have", False, rbp_first, "fragile", "holds"),
    ("ERR, I-rec and Prec", False, column("unanimity", "unanimity", ERR=0.01), "holds", "fragile"),
    ("ERR, I-rec and Prec", True, imine(same_scores), "fragile", "does not hold"),
    ("RBU has a mediocre", False, column("unanimity", "unanimity", RBU99=0.1), "holds", "fragile"),
    ("RBU is unremarkable", True, most_unanimous, "holds", "fragile"),
    ("unanimity depends", True, imine(same_scores), "holds", "does not hold"),
    ("RBP-based measures lead", True, imine(same_scores), "does not hold", "holds"),
    ("RBP, iRBU, nDCG and Q", False, column("power", "significant", EBR=60), "holds", "fragile"),
    ("every D#-measure separates", False, column("power", "significant", D_nDCG=60), "holds", "fragile"),
    ("a D#-measure separates", False, column("power", "significant", I_rec=1), "fragile", "holds"),
    ("IA measures separate", False, column("power", "significant", nDCG_IA=60), "holds", "fragile"),
    ("D#-measures are more stable", False, equal_power, "fragile", "does not hold"),
    ("RBP's smallest", False, column("power", "delta", nDCG=0.001), "holds", "does not hold"),
    ("leaving out pairs", True, of_differing, "fragile", "holds"),
    ("no measure is tied", False, column("agreement", "disagree", nDCG=1), "holds", "does not hold"),
    (
        "the judges agree",
        False,
        both(alpha("relevance", 0, 0.7), alpha("diversity", 0, 0.7)),
        "does not hold",
        "holds",
    ),
    ("judge 5", False, alpha("relevance", 5, 0.5), "contradicts itself", "holds"),
    ("alpha without one judge", False, judges_alike, "fragile", "holds"),
    ("alpha without one judge", False, judges_apart, "fragile", "does not hold"),
    ("alpha is higher", False, alpha("relevance", 0, 0.6), "holds", "fragile"),
    ("the pairs with high agreement", False, fewer_pairs, "holds", "fragile"),
    (
        "the vote of the majority",
        True,
        people(rate=lambda p: (p["agree"] - p["disagree"]) / 1000),
        "fragile",
        "holds",
    ),
    ("with e = 0.01", True, imine(lambda wide: wide.abs()), "does not hold", "holds"),
    ("RBU accounts for effort", False, effort_counts, "does not hold", "holds"),
    ("offline experiments", False, unrelated, "fragile", "holds"),
    ("ad hoc measures are", False, agree("relevance", D_Q=0), "fragile", "holds"),
    ("the best ad hoc", False, agree("relevance", iRBU99=2000), "cannot be decided", "holds"),
    ("the best ad hoc", False, agree("relevance", D_Q=2000), "cannot be decided", "does not hold"),
    ("Q, RBP and EBR", False, agree("relevance", Q=0), "holds", "fragile"),
    ("D#-measures agree more often", False, agree("relevance", RBP_IA99=0), "fragile", "holds"),
    (
        "iRBU(phi=0.99) agrees as well",
        False,
        agree("relevance", iRBU99=0),
        "cannot be decided",
        "does not hold",
    ),
    (
        "iRBU(phi=0.99) agrees as well",
        False,
        agree("relevance", iRBU99=800, nDCG=800),
        "cannot be decided",
        "holds",
    ),
    ("iRBU(phi=0.99) agrees better", False, agree("relevance", EBR=0), "cannot be decided", "holds"),
    ("relevance is better put", True, other_stopping, "fragile", "holds"),
    ("D#-measures and I-rec", False, agree("diversity", RBU99=0, sharp_ERR=2000), "fragile", "holds"),
    ("D#-nDCG and D#-RBP", False, agree("diversity", I_rec=2000), "holds", "fragile"),
    ("D#-nDCG agrees better", False, agree("diversity", I_rec=0), "cannot be decided", "holds"),
    ("IA measures agree less", False, agree("diversity", sharp_nDCG=0), "holds", "fragile"),
    ("IA measures are substantially", False, agree("diversity", nDCG_IA=2000), "holds", "fragile"),
    ("IA measures are substantially", False, agree("diversity", nDCG_IA=820), "holds", "fragile"),
    ("IA measures agree substantially", True, significant_tests, "does not hold", "holds"),
    ("RBU agrees less", False, agree("diversity", RBU85=0, RBU99=0), "cannot be decided", "holds"),
    ("EBR is the best", False, agree("diversity", EBR=0), "holds", "does not hold"),
    ("measures agree with the majority", False, nothing_contested, "fragile", "does not hold"),
]


@pytest.mark.parametrize(
    ("says", "about_imine", "change", "before", "after"),
    CHANGES,
    ids=[f"{case[0]}{', IMine' if case[1] else ''}, {case[-1]}" for case in CHANGES],
)
def test_a_verdict_follows_the_evidence(says, about_imine, change, before, after):
    chosen = claim(says, imine=about_imine)
    assert chosen.find(embedded()).verdict == before
    assert chosen.find(change(embedded())).verdict == after


def test_every_claim_has_a_changed_verdict():
    tested = {each.says for says, about_imine, *_ in CHANGES for each in [claim(says, imine=about_imine)]}
    assert {each.says for each in CLAIMS} == tested


def test_claims_on_other_data_than_the_papers_say_so():
    for each in CLAIMS:
        assert each.find(embedded()).elsewhere == ("IMine" in each.where or "made-up" in each.where)


# ------------------------------------------------------------------ figures of the evidence


def test_measures_are_those_of_the_tables_and_each_component_has_its_forms():
    assert len(set(METRICS)) == 30
    for component, d, sharp, ia in zip(COMPONENTS, D, SHARP, IA, strict=True):
        assert (d, sharp) == (f"D-{component}", f"D#-{component}")
        name, _, parameter = component.partition("(")
        assert ia == f"{name}-IA" + (f"({parameter}" if parameter else "")


def test_rounded_differences_of_a_tenth_are_not_more_than_a_tenth():
    scores = pd.DataFrame(
        [
            (run, "1", metric, value)
            for run, value in (("A", 0.4), ("B", 0.3), ("C", 0.1 + 0.1))
            for metric in ("Prec@10", "I-rec@10")
        ],
        columns=["run", "topic", "metric", "score"],
    )
    assert 0.4 - 0.3 > 0.1
    pairs = all_pairs(scores)
    assert pairs[["left", "right"]].values.tolist() == [["A", "B"], ["A", "C"], ["B", "C"]]
    assert differing_pairs(scores, pairs)[["left", "right"]].values.tolist() == [["A", "C"]]


@pytest.mark.parametrize(("code", "chosen", "of"), [("en", 1772, 3360), ("cn", 477, 1350)])
def test_the_papers_filter_on_imine(code, chosen, of):
    scores = embedded().imine[code]
    pairs = all_pairs(scores)
    assert (len(differing_pairs(scores, pairs)), len(pairs)) == (chosen, of)


def test_counts_on_imines_preferences():
    every, differing = (embedded().people_on(name) for name in ("all", "differing"))
    for table, pairs in ((every, 227), (differing, 101)):
        assert set(table[["agree", "disagree", "ties"]].sum(axis=1)) == {pairs}
    assert (differing["ties"] == 0).all()
    assert every.loc["Prec", ["agree", "disagree", "ties"]].tolist() == [128, 61, 38]
    assert every.loc["ERR-IA", ["agree", "disagree", "ties"]].tolist() == [121, 96, 10]
    assert differing.loc["I-rec", ["agree", "disagree"]].tolist() == [77, 24]


@pytest.mark.parametrize(("code", "answered", "of"), [("en", 30, 32), ("cn", 19, 30)])
def test_claims_on_imine_are_tested_without_empty_lists_too(code, answered, of):
    scores = embedded().scores
    assert [scores[source]["topic"].nunique() for source in (ANSWERED[code], code)] == [answered, of]
    assert "every run answers" in claim("I-rec ranks", imine=True).find(embedded()).evidence


def test_alpha_of_a_judge_follows_from_alpha_without_the_judge():
    random = np.random.default_rng(0)
    answers = np.where(random.random((15, 2_000)) < 0.7, random.integers(1, 3, 2_000), 3)
    answers[4] = random.permutation(answers[4])
    left_out = pd.Series(
        {judge + 1: meta.krippendorff_alpha(np.delete(answers, judge, axis=0)) for judge in range(15)}
    )
    own = own_alpha(meta.krippendorff_alpha(answers), left_out)
    assert own.idxmin() == 5
    assert own[5] == pytest.approx(0, abs=0.02)
    pairs = [meta.krippendorff_alpha(answers[[0, other]]) for other in range(1, 15)]
    assert own[1] == pytest.approx(np.mean(pairs), abs=0.02)


def test_embedded_unanimity_ties_on_at_least_544_triplets():
    printed = embedded().unanimity.set_index("metric")["unanimity"]
    assert least_ties(printed["RBP(phi=0.99)"]) == 544
    assert least_ties(0) == least_ties(-1) == 0


def test_fewest_ties_of_a_panel_are_one_solution_or_none():
    panel = embedded().rankings.query("panel == 'b'")
    (ties,) = fewest_ties(panel)
    assert {name: count for name, count in ties.items() if count} == {"D-ERR": 1, "D-RBP(phi=0.99)": 2}
    assert fewest_ties(panel.assign(tau=0.001)) == []
    for incomplete in (panel[1:], panel[:0], panel.drop(columns="tau")):
        with pytest.raises(dm.DivmetricsError, match="the panel"):
            fewest_ties(incomplete)


def differences(question: str, better: str, other: str) -> list[Difference]:
    keys = [(question, "all"), (question, "high agreement")]
    return [Difference.between(embedded(), key, better, other) for key in keys]


@pytest.mark.parametrize(
    ("question", "better", "other", "p"),
    [
        ("diversity", "D#-nDCG", "nDCG-IA", 0.0114),
        ("diversity", "D#-EBR", "EBR-IA", 0.0064),
        ("diversity", "D#-ERR", "ERR-IA", 0.0136),
        ("diversity", "D#-Q", "Q-IA", 0.0132),
        ("diversity", "D#-RBP(phi=0.85)", "RBP-IA(phi=0.85)", 0.0004),
        ("relevance", "nDCG", "D-nDCG", 9e-5),
        ("diversity", "D#-nDCG", "RBU(phi=0.99)", 0.20),
        ("diversity", "D#-nDCG", "I-rec", 0.42),
        ("relevance", "iRBU(phi=0.99)", "nDCG", 0.74),
        ("relevance", "nDCG", "D-Q", 0.56),
    ],
)
def test_worst_cases_of_table_5a_and_6a(question, better, other, p):
    worst = differences(question, better, other)[0].worst
    assert worst.p_value == pytest.approx(p, rel=0.05)


def test_what_is_shown_what_is_excluded_and_what_stays_open():
    better = differences("diversity", "D#-nDCG", "nDCG-IA")
    excluded = differences("diversity", "nDCG-IA", "D#-nDCG")
    undecided = differences("diversity", "D#-nDCG", "I-rec")
    assert is_better(better).verdict == "holds"
    assert is_better(excluded).verdict == "does not hold"
    assert is_better(undecided).verdict == "cannot be decided"
    assert is_better([*better, *excluded]).verdict == "fragile"
    assert is_better([*better, *undecided]).verdict == "cannot be decided"
    assert is_as_good(better).verdict == "does not hold"
    assert is_as_good(undecided).verdict == "cannot be decided"
    assert is_as_good(differences("relevance", "Q", "Q")).verdict == "holds"


# ------------------------------------------------------------------ the paper's data

TOPICS, RUNS, DOCS, JUDGES = ("0101", "0102", "0198"), ("A", "B", "C", "D"), 60, 15


def written(folder: Path) -> Path:
    """Three topics with two intents, four runs, fifteen judges, in files as the paper describes them."""
    random = np.random.default_rng(0)
    intents = "".join(
        f'<intent number="{i}" probability="{p}"><description>what</description></intent>'
        for i, p in ((1, 0.6), (2, 0.39))
    )
    xml = "".join(f'<topic number="{topic}"><query>q</query>{intents}</topic>' for topic in TOPICS)
    (folder / "ntcir9intent.0101-0200.full.xml").write_text(f'<?xml version="1.0"?><topics>{xml}</topics>')
    lines = [
        f"{topic} {intent} d{doc} L{random.integers(1, 5)}"
        for topic in TOPICS
        for intent in (1, 2)
        for doc in range(DOCS)
        if random.random() < 0.1
    ]
    (folder / "intent.Dqrels").write_text("\n".join(lines) + "\n")
    (folder / "runs").mkdir()
    for run in RUNS:
        ranked = [
            f"{topic} Q0 d{doc} {rank} {100 - rank} {run}"
            for topic in TOPICS
            for rank, doc in enumerate(random.permutation(DOCS)[:12], 1)
        ]
        (folder / "runs" / f"{run}.txt").write_text("\n".join(ranked) + "\n")
    pairs = [(topic, a, b) for topic in TOPICS for a in RUNS for b in RUNS if a < b]
    (folder / "triplets.txt").write_text("".join(f"{' '.join(pair)}\n" for pair in pairs))
    for question in ("relevance", "diversity"):
        answers = random.choice([1, 1, 1, 2, 3], (JUDGES, len(pairs)))
        (folder / f"{question}.txt").write_text("".join(f"{' '.join(map(str, row))}\n" for row in answers))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path)


def test_the_papers_data_fill_in_every_number(folder):
    original = Original.from_folder(folder)
    report = reproduce("sakaizeng2019", folder)
    table = report.numbers.set_index(["where", "what"])["ours"]
    assert table[table.isna()].index.tolist() == [("6.1", "seconds per triplet")]
    assert (table["4", "topics"], table["4", "runs"], table["4", "intents per topic"]) == ("3", "4", "2.00")
    answers = original.answers["relevance"]
    matrix = np.loadtxt(folder / "relevance.txt")
    assert table["Table 4", "alpha, relevance, all judges"] == f"{meta.krippendorff_alpha(matrix):.3f}"
    without = np.delete(matrix, 6, axis=0)
    assert table["Table 4", "alpha, relevance, without judge 7"] == f"{meta.krippendorff_alpha(without):.3f}"
    left, right = (matrix == 1).sum(axis=0), (matrix == 3).sum(axis=0)
    assert table["6.2", "triplets with a majority, relevance"] == str((left != right).sum())
    high = (np.maximum(left, right) >= 9).sum()
    assert table["6.2", "triplets with high agreement, relevance"] == str(high)
    other = np.loadtxt(folder / "diversity.txt")
    r = stats.pearsonr(left - right, (other == 1).sum(axis=0) - (other == 3).sum(axis=0)).statistic
    assert table["6.2", "Pearson's r of left less right, both questions"] == f"{r:.3f}"
    gold = meta.majority(answers)
    counted = meta.agreement(original.scores, gold, ["D#-nDCG@10"])
    assert table["Table 5(a)", "agree, D#-nDCG"] == str(counted["agree"].item())
    tau = meta.kendall(original.scores, "EBR@10", "ERR@10")
    assert table["Table 1", "tau, EBR and ERR"] == f"{tau:.3f}"
    claims = report.claims.set_index(["where", "claim"])["evidence"]
    count = table["Table 3", "pairs, I-rec"]
    power = claims["5.3, Table 3", "a D#-measure separates more pairs of runs than its part I-rec"]
    assert f":{count}" in power.partition("original data: ")[2]


def test_left_both_irrelevant_and_right_become_signs(folder):
    answers = Original.from_folder(folder).answers["diversity"]
    matrix = np.loadtxt(folder / "diversity.txt")
    assert answers.pivot(index="judge", columns=["topic", "left", "right"], values="preference").shape == (
        15,
        18,
    )
    assert answers["preference"].tolist() == (2 - matrix).ravel().tolist()


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        (
            "relevance.txt",
            "1 2 3\n" * 15,
            r"relevance.txt: holds 15 rows of 3 answers, expected 15 rows of 18",
        ),
        ("relevance.txt", "1 " * 18 + "\n", "holds 1 rows of 18 answers, expected 15 rows of 18"),
        ("diversity.txt", ("1 " * 17 + "4\n") * 15, "answer 18 of row 1 is '4', expected 1 .left., 2 .both"),
        ("diversity.txt", "1 2\n1\n", "row 2 has 1 words, another one 2, expected rows of equal length"),
        ("diversity.txt", "\n", "the file is empty"),
        ("triplets.txt", "0101 A\n", "a line has 2 words, expected `topic run run`"),
        ("triplets.txt", "0101 A B\n0101 A X\n", "row 2 names run 'X', expected a run of the collection"),
        ("triplets.txt", "0100 A B\n", "row 1 names topic '0100', expected a topic of the collection"),
        ("triplets.txt", None, r"holds no triplets.txt, expected ntcir9intent\*.xml.* add it"),
    ],
)
def test_files_of_another_shape_are_refused(folder, name, text, complaint):
    (folder / name).unlink()
    if text is not None:
        (folder / name).write_text(text)
    with pytest.raises(dm.DivmetricsError, match=complaint):
        reproduce("sakaizeng2019", folder)


def test_a_missing_folder_is_refused_in_one_line(tmp_path, capsys):
    assert main(["reproduce", "sakaizeng2019", "--data", str(tmp_path / "absent")]) == 2
    errors = capsys.readouterr().err
    assert "absent: does not exist, expected a folder with" in errors
    assert errors.count("\n") == 1


def test_the_command_prints_long_tables_in_one_line(capsys):
    assert main(["reproduce", "sakaizeng2019"]) == 0
    text = capsys.readouterr().out
    assert "Table 1: 51 numbers, not computed" in text
    assert "Table 1: 102 numbers, all the same" in text
    assert f"{len(CLAIMS)} claims in words" in text
