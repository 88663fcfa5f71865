"""Every printed number of Sakai & Zeng (2019) that a table or a count stands behind, beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import floor, log2
from typing import Any

import numpy as np
import pandas as pd

from divmetrics.optional import import_optional
from divmetrics.research.meta import (
    agreement,
    high_agreement,
    judges_alpha,
    kendall_interval,
    majority,
    pearson_interval,
    preference_tau,
)
from divmetrics.research.papers.sakaizeng2019.evidence import (
    HIGH,
    ORIGINAL,
    PRINTED,
    TABLES,
    Evidence,
)
from divmetrics.research.papers.sakaizeng2019.judges import HIGH_ALPHA, ODD_JUDGE
from divmetrics.research.papers.sakaizeng2019.measures import (
    AD_HOC,
    COMPONENTS,
    DIVERSITY,
    I_REC,
    METRICS,
    PREC,
    at_cutoff,
)
from divmetrics.research.papers.sakaizeng2019.original import JUDGES, QUESTIONS, Original
from divmetrics.research.papers.sakaizeng2019.rankings import AD_HOC as RANKED
from divmetrics.research.papers.sakaizeng2019.rankings import ALIKE, BLENDED, PARTS, between
from divmetrics.research.papers.sakaizeng2019.selection import all_pairs, differing_pairs
from divmetrics.research.papers.verdicts import ReproducedNumber

TOPICS, RUNS, PAIRS_OF_RUNS = 100, 15, 105
TRIPLETS = 1127
AT_LEAST = 9  # judges for high agreement
PAIRS = {  # on which there is a majority
    ("relevance", "all"): 1115,
    ("relevance", HIGH): 894,
    ("diversity", "all"): 1119,
    ("diversity", HIGH): 897,
}
REMOVED_TOPIC = "0198"

WITH_DATA = "from the original data"
FROM_TABLE = "from the table's own numbers"
UNROUNDED = (
    "from the printed counts; L = (1 + sqrt(1 + 8 P)) / 2 not rounded, tau rounded to 3 decimals first"
)
NOT_IN_DATA = "the published data do not have it"


def compared(evidence: Evidence) -> list[ReproducedNumber]:
    """Compute all numbers, in the order of the paper."""
    return [
        *_measures(),
        *_collection(evidence.original),
        *_table_1(evidence),
        *_section_5_1(evidence),
        *_table_2(evidence),
        *_table_3(evidence),
        *_section_5_3(evidence),
        *_section_6_1(evidence.original),
        *_section_6_2(evidence),
        *_tables_5_and_6(evidence),
        *_section_6_3(evidence),
    ]


def _number(
    where: str, what: str, printed: str, ours: Any = None, convention: str = "", why: str = ""
) -> ReproducedNumber:
    """Return a printed number and ours as text with as many decimals."""
    decimals = len(printed.partition(".")[2])
    text = None if ours is None else f"{ours:.{decimals}f}"
    return ReproducedNumber(where, what, printed, text, convention, why)


def _measures() -> Iterator[ReproducedNumber]:
    convention = "from the names in the tables"
    for what, printed, ours in (
        ("measures or their instances", "30", len(METRICS)),
        ("ad hoc measures", "9", len(AD_HOC)),
        ("diversity measures", "21", len(DIVERSITY)),
    ):
        yield _number("1", what, printed, ours, convention)
    kinds = {name.partition("(")[0] for name in DIVERSITY if name != I_REC}
    yield _number("3", "diversity measures but I-rec", "16", len(kinds), convention)
    components = {name.partition("(")[0] for name in AD_HOC if name != PREC}
    yield _number("3", "ad hoc measures but Prec", "6", len(components), convention)


def _collection(original: Original | None) -> Iterator[ReproducedNumber]:
    scores = None if original is None else original.scores
    yield _number("4", "topics", "100", None if scores is None else scores["topic"].nunique(), WITH_DATA)
    yield _number("4", "intents per topic", "10.91", original and original.intents_per_topic, WITH_DATA)
    yield _number("4", "runs", "15", None if scores is None else scores["run"].nunique(), WITH_DATA)
    yield _number("4", "highest grade, ad hoc", "4", original and original.adhoc_grade, WITH_DATA)
    yield _number("4", "ad hoc grade of a document with grades 4 and 3", "3", floor(log2(4 + 3 + 1)))


def _table_1(evidence: Evidence) -> Iterator[ReproducedNumber]:
    rows = evidence.rankings.to_dict("records")
    taus = evidence.taus.get(ORIGINAL, {})
    for row in rows:
        what, ours = f"tau, {row['one']} and {row['other']}", taus.get(frozenset((row["one"], row["other"])))
        yield _number("Table 1", what, f"{row['tau']:.3f}", ours, WITH_DATA)
    for row in rows:
        for end, value in zip(("low", "high"), kendall_interval(row["tau"], RUNS), strict=True):
            what = f"{end}, {row['one']} and {row['other']}"
            yield _number("Table 1", what, f"{row[end]:.3f}", value, "from the printed tau and 15 systems")


def _section_5_1(evidence: Evidence) -> Iterator[ReproducedNumber]:
    taus = evidence.taus[PRINTED]
    for what, printed, values in (
        ("Prec and another ad hoc measure", ("0.414", "0.572"), between(taus, [PREC], RANKED)),
        ("ERR and another ad hoc measure", ("0.414", "0.886"), between(taus, ["ERR"], RANKED)),
        ("I-rec and a D-measure", ("0.625", "0.752"), between(taus, [I_REC], PARTS)),
        ("D-ERR and another part", ("0.689", "0.861"), between(taus, ["D-ERR"], (*PARTS, I_REC))),
        ("RBU, EBR-IA and ERR-IA", ("0.924", "0.981"), between(taus, ALIKE, ALIKE)),
    ):
        for end, text, ours in zip(("smallest", "largest"), printed, (min(values), max(values)), strict=True):
            yield _number("5.1", f"{end} tau, {what}", text, ours, "from Table 1")
    yield _number("5.1", "tau, Q-IA and RBP-IA", "0.961", taus[frozenset(BLENDED)], "from Table 1")


def _table_2(evidence: Evidence) -> Iterator[ReproducedNumber]:
    convention = "from topics and runs"
    runs = len(list(combinations(range(RUNS), 2)))
    yield _number("5.2", "pairs of runs", str(PAIRS_OF_RUNS), runs, convention)
    yield _number("5.2", "triplets of a topic and two runs", "10500", TOPICS * runs, convention)
    ours = evidence.unanimities.get(ORIGINAL, pd.Series(dtype=float))
    for row in evidence.unanimity.to_dict("records"):
        printed = f"{row['unanimity']:.4f}"
        yield _number("Table 2", row["metric"], printed, ours.get(row["metric"]), WITH_DATA)


def _table_3(evidence: Evidence) -> Iterator[ReproducedNumber]:
    ours = evidence.powers[ORIGINAL] if evidence.original else None
    for what, column, decimals in (("pairs", "significant", 0), ("smallest difference", "delta", 2)):
        for row in evidence.power.to_dict("records"):
            value = None if ours is None else ours.loc[row["metric"], column]
            printed = f"{row[column]:.{decimals}f}"
            yield _number("Table 3", f"{what}, {row['metric']}", printed, value, WITH_DATA)
    for row in evidence.power.to_dict("records"):
        value = 100 * row["significant"] / PAIRS_OF_RUNS
        printed = f"{row['percent']:.1f}"
        yield _number(
            "Table 3", f"percentage, {row['metric']}", printed, value, "from the printed pairs, of 105"
        )


def _section_5_3(evidence: Evidence) -> Iterator[ReproducedNumber]:
    table = evidence.power.set_index("metric")
    pairs, percent = table["significant"], table["percent"]
    alike = [
        pairs[name]
        for name in (*COMPONENTS, "iRBU(phi=0.99)", "iRBU(phi=0.85)")
        if name not in ("EBR", "ERR")
    ]
    for what, printed, ours in (
        ("fewest pairs, RBP, iRBU, nDCG, Q", "39", min(alike)),
        ("most pairs, RBP, iRBU, nDCG, Q", "42", max(alike)),
        ("pairs, EBR", "35", pairs["EBR"]),
        ("percentage, D-RBP(phi=0.85)", "37.1", percent["D-RBP(phi=0.85)"]),
        ("percentage, I-rec", "43.8", percent[I_REC]),
        ("percentage, D#-RBP(phi=0.85)", "47.6", percent["D#-RBP(phi=0.85)"]),
        ("percentage, D#-ERR", "43.8", percent["D#-ERR"]),
        ("percentage, ERR-IA", "22.9", percent["ERR-IA"]),
        ("percentage, RBU", "41.9", percent["RBU(phi=0.99)"]),
        ("smallest difference, RBP(phi=0.99)", "0.01", table["delta"]["RBP(phi=0.99)"]),
        ("smallest difference, RBP(phi=0.85)", "0.03", table["delta"]["RBP(phi=0.85)"]),
    ):
        yield _number("5.3", what, printed, ours, "from Table 3")


def _section_6_1(original: Original | None) -> Iterator[ReproducedNumber]:
    chosen = without = judged = judges = None
    if original:
        pairs = differing_pairs(original.scores, all_pairs(original.scores))
        chosen, without = len(pairs), int((pairs["topic"] != REMOVED_TOPIC).sum())
        answers = original.answers["relevance"]
        judged, judges = len(majority(answers, tied="keep")), answers["judge"].nunique()
    yield _number("6.1", "triplets that differ in Prec and I-rec", "1258", chosen, WITH_DATA)
    yield _number("6.1", f"triplets without topic {REMOVED_TOPIC}", "1247", without, WITH_DATA)
    yield _number("6.1", "triplets whose pages have titles and can be read", str(TRIPLETS), judged, WITH_DATA)
    yield _number("6.1", "judges", str(JUDGES), judges, WITH_DATA)
    yield _number("6.1", "seconds per triplet", "50.1", why=NOT_IN_DATA)


def _section_6_2(evidence: Evidence) -> Iterator[ReproducedNumber]:
    original, printed_alpha = evidence.original, evidence.alpha
    alphas = {} if original is None else {q: _alphas(answers) for q, answers in original.answers.items()}
    for question, left_out, printed in printed_alpha.itertuples(index=False):
        what = f"alpha, {question}, {f'without judge {left_out}' if left_out else 'all judges'}"
        ours = alphas[question][left_out] if alphas else None
        yield _number("Table 4", what, f"{printed:.3f}", ours, WITH_DATA)
    table = printed_alpha.set_index(["question", "left_out"])["alpha"]
    for question in QUESTIONS:
        yield _number(
            "6.2", f"alpha, {question}", f"{table[question, 0]:.3f}", table[question, 0], "from Table 4"
        )
    yield _number(
        "6.2", "the judge whose removal raises alpha about relevance most", str(ODD_JUDGE),
        table["relevance"].drop(0).idxmax(), "from Table 4", "the text names another judge than the table",
    )  # fmt: skip
    sides = None if original is None else [_left_less_right(original.answers[q]) for q in QUESTIONS]
    stats = import_optional("scipy.stats", "Pearson's correlation")
    r = None if sides is None else stats.pearsonr(*sides).statistic
    yield _number("6.2", "Pearson's r of left less right, both questions", "0.898", r, WITH_DATA)
    for end, printed, ours in zip(
        ("lower", "upper"), ("0.886", "0.909"), pearson_interval(0.898, TRIPLETS), strict=True
    ):
        yield _number(
            "6.2", f"{end} limit, Pearson's r", printed, ours, "from the printed r and 1127 triplets"
        )
    for question in QUESTIONS:
        high = None if original is None else high_agreement(original.answers[question], AT_LEAST)
        count = None if high is None else len(majority(high))
        yield _number(
            "6.2", f"triplets with high agreement, {question}", str(PAIRS[question, HIGH]), count, WITH_DATA
        )
        alpha = None if high is None else _alphas(high)[0]
        yield _number(
            "6.2", f"alpha, high agreement, {question}", f"{HIGH_ALPHA[question]:.3f}", alpha, WITH_DATA
        )
    for question in QUESTIONS:
        gold = None if original is None else len(majority(original.answers[question]))
        printed = str(PAIRS[question, "all"])
        yield _number("6.2", f"triplets with a majority, {question}", printed, gold, WITH_DATA)
    for question, tied in zip(QUESTIONS, ("12", "8"), strict=True):
        left = TRIPLETS - PAIRS[question, "all"]
        yield _number("6.2", f"tied triplets, {question}", tied, left, "from the printed counts")


def _alphas(answers: pd.DataFrame) -> np.ndarray:
    """Return alpha of all judges, then without judge 1, 2, ..."""
    return judges_alpha(answers)["alpha"].to_numpy()


def _left_less_right(answers: pd.DataFrame) -> pd.Series:
    votes = majority(answers, tied="keep")
    return votes["for_left"] - votes["for_right"]


def _tables_5_and_6(evidence: Evidence) -> Iterator[ReproducedNumber]:
    for (question, pairs_of), table in TABLES.items():
        rows = evidence.agreed(question, pairs_of).reset_index().to_dict("records")
        counted = _counted(evidence.original, question, pairs_of)
        for row in rows:
            for column in ("agree", "disagree"):
                ours = None if counted is None else counted.loc[at_cutoff([row["metric"]])[0], column]
                yield _number(table, f"{column}, {row['metric']}", str(row[column]), ours, WITH_DATA)
        for row in rows:
            printed, sums = str(PAIRS[question, pairs_of]), row["agree"] + row["disagree"]
            yield _number(table, f"P, {row['metric']}", printed, sums, "agree and disagree added up")
        for row in rows:
            values = preference_tau(row["agree"], row["disagree"], decimals=3)
            for name, value in zip(("tau", "low", "high"), values, strict=True):
                yield _number(table, f"{name}, {row['metric']}", f"{row[name]:.3f}", value, UNROUNDED)


def _counted(original: Original | None, question: str, pairs_of: str) -> pd.DataFrame | None:
    if original is None:
        return None
    answers = original.answers[question]
    if pairs_of == HIGH:
        answers = high_agreement(answers, AT_LEAST)
    return agreement(original.scores, majority(answers), at_cutoff(METRICS)).set_index("metric")


def _section_6_3(evidence: Evidence) -> Iterator[ReproducedNumber]:
    for key, metric, column, printed in (
        (("relevance", HIGH), "nDCG", "agree", "804"),
        (("relevance", HIGH), "nDCG", "disagree", "90"),
        (("diversity", HIGH), "D#-nDCG", "agree", "825"),
        (("diversity", HIGH), "nDCG-IA", "agree", "771"),
    ):
        ours = evidence.agreed(*key).loc[metric, column]
        yield _number("6.3", f"{column}, {metric}, {key[0]}, {HIGH}", printed, ours, "from Tables 5 and 6")
