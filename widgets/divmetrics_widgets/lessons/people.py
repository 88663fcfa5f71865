"""Lesson 20: its tables and picture, the choices that its conclusions are tried under, and its checks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

import pandas as pd

from divmetrics.optional import import_optional
from divmetrics.research.datasets import (
    imine_agreement,
    sakaizeng2019_agreement,
    sakaizeng2019_alpha,
    sakaizeng2019_imine_agreement,
    sakaizeng2019_power,
    sakaizeng2019_unanimity,
)
from divmetrics.research.meta import kendall, krippendorff_alpha
from divmetrics_widgets.check import Check

if TYPE_CHECKING:
    from divmetrics.notebook.charts import Figure

QUESTIONS = ["relevance", "diversity"]
PAIRS = ["all", "high agreement"]
AD_HOC = ["nDCG", "Prec", "Q", "ERR", "EBR", "RBP", "iRBU"]
BASES = ["nDCG", "Q", "ERR", "EBR", "RBP(phi=0.99)", "RBP(phi=0.85)"]  # with a D, a D# and an IA form
WITHOUT_RBP = BASES[:4]
PRINTED = sakaizeng2019_agreement()
ALPHAS = sakaizeng2019_alpha()


def family(name: str) -> str:
    """Return the family of a metric of Sakai and Zeng."""
    stem = name.split("(")[0]
    if stem in AD_HOC:
        return "ad hoc"
    if stem.startswith("D"):
        return stem.partition("-")[0]
    return "IA" if stem.endswith("-IA") else "RBU, I-rec"


@cache
def _taus(pairs_of: str) -> pd.DataFrame:
    return PRINTED[PRINTED["pairs_of"] == pairs_of].pivot(index="metric", columns="question", values="tau")


def tau_of(name: str, question: str, pairs_of: str = "all") -> float:
    """Return the printed tau of a metric with people."""
    return cast(float, _taus(pairs_of).loc[name, question])


def best(question: str, pairs_of: str, places: int) -> set[str]:
    """Return the metrics in the first places."""
    return set(_taus(pairs_of)[question].nlargest(places).index)


def _form(base: str, of: str) -> str:
    name, bracket, phi = base.partition("(")
    return f"{of}-{name}{bracket}{phi}" if of != "IA" else f"{name}-IA{bracket}{phi}"


def ahead(base: str, question: str, pairs_of: str, of: str = "D#") -> bool:
    """Return whether the D# (or D) form of a metric agrees with people more than its intent-aware form."""
    return tau_of(_form(base, of), question, pairs_of) > tau_of(_form(base, "IA"), question, pairs_of)


def ahead_on_imine(base: str, pairs_of: str) -> bool:
    """Return whether D# agrees more than the intent-aware form on IMine; pairs_of: "all" or "differing"."""
    table = sakaizeng2019_imine_agreement()
    table = table[table["pairs_of"] == pairs_of].set_index("metric")
    margin = table["agree"] - table["disagree"]
    return bool(margin[f"{_form(base, 'D#')}@10"] > margin[f"{_form(base, 'IA')}@10"])


def filtered() -> pd.DataFrame:
    """Return tau with people on IMine of seven metrics, on all pairs and on those that differ in both."""
    table = sakaizeng2019_imine_agreement()
    pairs = table["agree"] + table["disagree"] + table["ties"]
    table = table.assign(tau=((table["agree"] - table["disagree"]) / pairs).round(3))
    wide = table.pivot(index="metric", columns="pairs_of", values="tau")
    wide = wide.rename(columns={"all": "227 pairs", "differing": "101 pairs that differ"})
    some = ["D#-RBP(phi=0.99)", "D#-nDCG", "Prec", "nDCG-IA", "nDCG", "I-rec", "ERR-IA"]
    return wide.loc[[f"{name}@10" for name in some]].rename_axis(None).rename_axis(None, axis=1)


def order_with_filter() -> float:
    """Return Kendall's tau-b of two orders of the thirty metrics on IMine: without and with the filter."""
    table = sakaizeng2019_imine_agreement()
    margin = table.assign(margin=table["agree"] - table["disagree"])
    wide = margin.pivot(index="metric", columns="pairs_of", values="margin")
    return round(float(kendall(list(wide["all"]), list(wide["differing"]))), 2)


def picture() -> Figure:
    """Draw tau with people for both questions, a point per metric."""
    alt = import_optional("altair", "a chart")
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    both = _taus("all").reset_index()
    both["family"] = both["metric"].map(family)
    ends = {"relevance": [0.42, 0.8], "diversity": [0.35, 0.75]}
    x, y = (
        channel(
            f"{asked}:Q",
            scale=alt.Scale(domain=ends[asked], zero=False),
            axis=alt.Axis(title=f"tau with people, {asked}", grid=False, tickCount=6),
        )
        for channel, asked in ((alt.X, "relevance"), (alt.Y, "diversity"))
    )
    families = {kind: kind for kind in ("ad hoc", "D#", "D", "IA", "RBU, I-rec")}
    marks = charts.marks_with_key("family", families)
    points = alt.Chart(both).mark_point(filled=True, size=110, opacity=1, strokeWidth=0.7)
    layers = [points.encode(x, y, **marks)]
    to_the_left = ["I-rec", "RBU(phi=0.99)", "nDCG-IA", "ERR-IA", "nDCG"]
    to_the_right = ["D#-nDCG", "EBR", "ERR", "Prec", "D-Q", "iRBU(phi=0.99)"]
    for names, side, step in ((to_the_left, "right", -10), (to_the_right, "left", 10)):
        text = alt.Chart(both[both["metric"].isin(names)])
        text = text.mark_text(align=side, dx=step, fontSize=12, color="#222222")
        layers.append(text.encode(x, y, text="metric"))
    named = both[both["metric"].isin([*to_the_left, *to_the_right])].itertuples()
    says = "; ".join(f"{row.metric} {row.relevance:.3f}, {row.diversity:.3f}" for row in named)
    figure: Figure = charts.Figure.of(
        alt.layer(*layers).properties(width=490, height=400),
        "For diversity D#-nDCG agrees best with these judges, for relevance iRBU and nDCG",
        ["Each point is a metric, each shape a family."],
        f"tau with people for relevance (across) and for diversity (up): {says}",
    )
    return figure


# -- where people agree -------------------------------------------------------------------------------------


@cache
def contested() -> pd.DataFrame:
    """Return agreement on the pairs on which fewer than nine judges take the same side."""
    rows = PRINTED.set_index(["question", "metric", "pairs_of"])
    right, wrong = rows["agree"].unstack(), rows["disagree"].unstack()
    agree, disagree = (side["all"] - side["high agreement"] for side in (right, wrong))
    table = pd.DataFrame({"agree": agree, "pairs": agree + disagree})
    table["tau, contested"] = (agree - disagree) / (agree + disagree)
    table["tau, high agreement"] = rows["tau"].unstack()["high agreement"]
    return table


def contested_shown(question: str) -> pd.DataFrame:
    """Return the table of seven metrics for one question, the best on contested pairs first."""
    names = ["D#-nDCG", "I-rec", "nDCG-IA", "EBR", "ERR", "nDCG", "Q"]
    table = cast(pd.DataFrame, contested().loc[question]).loc[names].rename_axis(question)
    return table.sort_values("tau, contested", ascending=False).round(3)


def clearly_above_0(question: str, errors: float = 1.96) -> int:
    """Count the metrics whose tau on the contested pairs is so many standard errors above 0."""
    table = cast(pd.DataFrame, contested().loc[question])
    tau, pairs = table["tau, contested"], table["pairs"]
    return int((tau > errors * ((1 - tau**2) / pairs) ** 0.5).sum())


def less_where_contested(name: str, question: str) -> bool:
    """Return whether a metric agrees less with people on contested pairs than on the others."""
    row = cast(pd.DataFrame, contested().loc[question]).loc[name]
    return bool(row["tau, contested"] < row["tau, high agreement"])


# -- other experiments --------------------------------------------------------------------------------------


def predicted_by(without: Sequence[str] = (), pairs_of: str = "all") -> pd.DataFrame:
    """Return Kendall's tau of unanimity and discriminative power with agreement with people.

    without: families of metrics that are left out, and metrics.
    """
    columns = {
        "unanimity": sakaizeng2019_unanimity().set_index("metric")["unanimity"],
        "discriminative power": sakaizeng2019_power().set_index("metric")["significant"],
    }
    taus = _taus(pairs_of)
    kept = [name for name in taus.index if family(name) not in without and name not in without]
    offline = pd.DataFrame(columns).loc[kept]
    return pd.DataFrame(
        {
            f"tau with {question}": {
                name: round(float(kendall(list(taus.loc[kept, question]), list(offline[name]))), 2)
                for name in offline
            }
            for question in QUESTIONS
        }
    )


LEFT = "the left run"
SETTINGS = [name for name in imine_agreement()["setting"].unique() if name != "with lists not there"]


def left_is_first(setting: str, name: str) -> bool:
    """Return whether saying "left" agrees with people at least as often as a metric, on IMine."""
    table = imine_agreement().query("setting == @setting").set_index("metric")["tau"]
    return bool(table[LEFT] >= table[name])


def imine_shown() -> Figure:
    """Draw tau with people on IMine of five metrics and of "left"."""
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    table = imine_agreement().query("setting == 'all pairs'").set_index("metric")
    names = ["D#-nDCG@10", "nDCG-IA@10", "ERR-IA@10", "alpha-nDCG@10", "S-recall@10", LEFT]
    figure: Figure = charts.forest(table.loc[names].reset_index())
    return figure


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Without that judge alpha is highest."
WITHOUT = ALPHAS.query("question == 'relevance' and left_out > 0").set_index("left_out")["alpha"]


@Check.number(0, 20)
def odd_one(answer: float) -> bool | str:
    """Check which judge disagrees most with the others about relevance."""
    if answer not in WITHOUT:
        return "expected the number of a judge, from 1 to 15"
    says = f"without judge {answer} alpha is {WITHOUT[answer]}, and there is a higher one"
    return bool(answer == WITHOUT.idxmax()) or says


# Exercise 2
WHY_2 = "A majority need not mean that they agree."


def _by_judge(answers: Sequence[int]) -> list[list[int]]:
    return [list(answers[judge : judge + 4]) for judge in (0, 4, 8)]


@Check.several([1, -1], 12, make=_by_judge)
def divided(rows: Sequence[Sequence[int]]) -> bool | str:
    """Check answers of three judges with a majority on each pair and an alpha below 0."""
    if len(rows) != 3 or any(len(row) != 4 or set(row) - {1, -1} for row in rows):
        return "expected three lists of four answers, each 1 or -1"
    alpha = krippendorff_alpha(rows)
    return bool(alpha < 0) or f"alpha is {alpha:.3f}"


# Exercise 3
WHY_3 = "Now compare your argument with the closed one."
BOTH = PRINTED[(PRINTED["question"] == "diversity") & (PRINTED["pairs_of"] == "all")].set_index("metric")
BOTH = BOTH.loc[["D#-nDCG", "nDCG-IA"], ["agree", "disagree", "tau", "low", "high"]]


def _fits(ours: int, theirs: int) -> bool:
    """Return whether the two can be right alone on so many pairs, with what the paper prints."""
    agree, disagree = (BOTH[column].tolist() for column in ("agree", "disagree"))
    both_right = {agree[0] - ours, agree[1] - theirs}
    both_wrong = {disagree[0] - theirs, disagree[1] - ours}
    return min(ours, theirs, *both_right, *both_wrong) >= 0 and len(both_right) == len(both_wrong) == 1


@Check.several([range(400)] * 2, make=tuple)
def worst(answer: tuple[int, int]) -> bool | str:
    """Check the worst case for D#-nDCG that the printed table allows."""
    ours, theirs = answer
    if not _fits(ours, theirs):
        return "with these the two would not be right, or wrong, as often as the table says"
    return not _fits(ours + 1, theirs + 1) or "that can be, but something worse can be, too"
