"""The claims of Zhou et al. (2013) in words: printed numbers against each other, and simulated systems.

No claim on systems can be tested on the paper's own. Each is tried on simulated systems: a case is a
collection with a design and a seed, and a claim holds if it does in every case. A tie counts against the
paper, whose orders are strict.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, permutations

import pandas as pd

from divmetrics.io.fedweb import ITEM
from divmetrics.research.meta import holm
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share
from divmetrics.research.papers.zhou2013.evidence import Evidence
from divmetrics.research.papers.zhou2013.experiments import (
    FEDWEB,
    FRAMEWORKS,
    LEVEL,
    OTHER_A,
    OTHER_PHI,
    PARTS,
    SIMULATED,
    TABLE_5,
    USER_MODELS,
    WITHOUT_RECALL,
)
from divmetrics.research.papers.zhou2013.printed import POWER

CASE = ["collection", "design", "seed"]
SINGLE_FACTORS = ("VS", "VD", "IS")
COMBINED = ("VS+IS", "VS+IS+VD", "all four")
# FedWeb 2013 lacks the orientation of a vertical, the share of users who want it. The graded precision of its
# best engine stands for it.
SURROGATE = f"{FEDWEB} (orientations from graded precision)"

# ------------------------------------------------------------------ what the paper prints


def _count_in_nines(evidence: Evidence) -> ClaimResult:
    """Test whether the number of pairs under mean-prec is possible if mean-prec ignores the presentation.

    Then the three presentations of a choice of verticals and items have equal scores, so that pairs of
    systems are significant nine at a time.
    """
    p, power = evidence.printed, evidence.experiments.power
    pairs, together = int(p["pairs under mean-prec"]), int(p["presentations"]) ** 2
    counts = power[power["metric"] == "mean-prec"].set_index("collection")["significant"]
    other = _by_collection(counts % together != 0)
    evidence_text = (
        f"{pairs} = {pairs // together} x {together} + {pairs % together}, and pairs come in groups of "
        f"{together}; {_of(other, SIMULATED)} counts on simulated collections leave a remainder, and "
        f"{_of(other, FEDWEB)} on {SURROGATE}, where the first of a page's duplicates alone is relevant, so "
        "that the order decides which source has it"
    )
    if pairs % together == 0:
        return ClaimResult("holds", evidence_text)
    return ClaimResult("not what was computed" if other["sum"].any() else "contradicts itself", evidence_text)


def _selections_differ(evidence: Evidence) -> ClaimResult:
    """Test how many pairs of vertical selections can differ significantly, from the printed order and count.

    prec_v and rec_v ignore items and presentation: all pairs of systems of two selections differ or none.
    5.1 puts prec_v below rec_v, and rec_v below mean-prec: rec_v tells at least one pair of selections apart.
    """
    p = evidence.printed
    pairs, together = int(p["pairs under mean-prec"]), int(p["item selections"] * p["presentations"]) ** 2
    of = math.comb(int(p["vertical selections"]), 2)
    most = min((pairs - 1) // together, of)
    text = (
        f"5.1 has prec_v below rec_v below mean-prec, {pairs} pairs; if pages are as 4.2 describes them, "
        f"both tell systems apart in groups of {together}, a group for each two selections; "
    )
    if most < 1:
        return ClaimResult("contradicts itself", f"{text}no such number lies between")
    return ClaimResult(
        "fragile" if most < of else "cannot be decided",
        f"{text}so rec_v tells {'1' if most == 1 else f'1 to {most}'} of {of} pairs of selections "
        f"apart, and prec_v {'none' if most == 1 else f'at most {most - 1}'}",
    )


def _ties_count_for_both(evidence: Evidence) -> ClaimResult:
    """Test whether two printed shares of the same disagreements can only be if both metrics may be right."""
    p = evidence.printed
    a, b = (p[name] for name in ("alpha-nDCG by prec_v", "IA-nDCG by prec_v"))
    least = a + b - 1 - 0.001  # both are rounded to three decimals
    number = math.ceil(max(least, 0) * p["disagreements"])
    return ClaimResult(
        "holds" if least > 0 else "cannot be decided",
        f"{a:g} + {b:g} = {a + b:.3f}, so that both metrics count as right in at least {number:,} of "
        f"{p['disagreements']:,} disagreements",
    )


def _same_topics(evidence: Evidence) -> ClaimResult:
    """Test whether both collections have as many topics."""
    one, other = (evidence.printed[f"topics of {name}"] for name in ("VertWeb11", "FedWeb13"))
    return ClaimResult(
        "holds" if one == other else "contradicts itself",
        f"VertWeb11 has {one:g} topics and FedWeb13 {other:g}",
    )


def _most_powerful(evidence: Evidence, metric: str) -> ClaimResult:
    """Test whether the metric is in the best group of the printed order by discriminative power."""
    groups = evidence.power["second set"]
    place = next(number for number, group in enumerate(reversed(groups), 1) if metric in group)
    return ClaimResult(
        "holds" if place == 1 else "contradicts itself",
        f"in the order of 5.1, {metric} is in place {place} of {len(groups)}, and {' and '.join(groups[-1])} "
        "in place 1",
    )


def _is_fedweb_2013(evidence: Evidence) -> ClaimResult:
    """Test whether the collection of TREC FedWeb 2013 has as many engines as the paper's."""
    printed = evidence.printed["engines"]
    matches = (ITEM.fullmatch(item) for query in evidence.queries or () for item in query.items)
    engines = {match[1] for match in matches if match}
    topics = [query.id for query in evidence.queries or ()]
    return ClaimResult(
        "holds" if len(engines) == printed else "does not hold",
        f"results of {len(engines)} engines are judged, not of {printed:g}, for the topics {topics[0]} to "
        f"{topics[-1]}"
        if len(engines) != printed
        else f"results of {printed:g} engines are judged",
    )


# ------------------------------------------------------------------ what simulated systems show


def power_rises(evidence: Evidence, lower: Sequence[str], upper: Sequence[str]) -> ClaimResult:
    """Test whether every metric of `upper` tells more pairs apart than every one of `lower`."""
    counts = evidence.experiments.power.pivot(index=CASE, columns="metric", values="significant")
    outcomes = {f"{b} over {a}": counts[b] > counts[a] for a in lower for b in upper}
    tied = sum(int((counts[b] == counts[a]).sum()) for a in lower for b in upper)
    ranges = (f"{name} {counts[name].min()}-{counts[name].max()}" for name in (*lower, *upper))
    text = f"significant pairs: {', '.join(ranges)}"
    ties = f"; {tied} of {len(counts) * len(outcomes)} comparisons tied" if tied else ""
    return _tried(outcomes, f"{text}{ties}")


def _settings_do_not_matter(evidence: Evidence) -> ClaimResult:
    """Test whether AS_RBP has more power than AS_DCG under all settings of both, or under none."""
    counts = evidence.experiments.power.pivot(index=CASE, columns="metric", values="significant")
    by_a, by_phi = counts[[DCG, *OTHER_A]], counts[[RBP, *OTHER_PHI]]
    always = by_phi.min(axis=1) > by_a.max(axis=1)
    never = by_phi.max(axis=1) < by_a.min(axis=1)
    ranges = (f"{name} {counts[name].min()}-{counts[name].max()}" for name in (*by_a, *by_phi))
    return _tried({"one order": always | never}, f"significant pairs: {', '.join(ranges)}")


def right_more_often(
    evidence: Evidence, parts: Sequence[str], better: Sequence[str], worse: Sequence[str]
) -> ClaimResult:
    """Test whether each metric of `better` is right more often than each of `worse`, by each part of Table 5.

    The evidence counts the cases pair by pair for one part, and part by part for several.
    """
    duels = {
        (part, f"{a} over {b}"): _duel(evidence, part, a, b) for part in parts for a in better for b in worse
    }
    ahead = pd.DataFrame({key: duel["ahead"] > 0 for key, duel in duels.items()})
    significant = sum(int(((d["ahead"] > 0) & (d["p_value"] < LEVEL)).sum()) for d in duels.values())
    groups = ahead.columns.get_level_values(0 if len(parts) > 1 else 1)
    outcomes = {name: ahead.loc[:, groups == name].all(axis=1) for name in dict.fromkeys(groups)}
    agree = f"{int(ahead.to_numpy().sum())} of {ahead.size} comparisons agree with the paper"
    return _tried(outcomes, f"{agree}, {significant} significantly")


def _transitive(evidence: Evidence) -> ClaimResult:
    """Test whether significant preferences among the metrics of Table 5 are transitive, by each of its parts.

    With p-values as they are, and with Holm's correction for the pairs of metrics.
    """
    outcomes_of: dict[str, dict[tuple[object, ...], bool]] = {"as they are": {}, "with Holm's correction": {}}
    chains = 0
    for key, group in _between(evidence, TABLE_5).groupby([*CASE, "part"], sort=False):
        case, p = tuple(key[:-1]), group["p_value"].to_numpy()
        for of_choice, values in zip(outcomes_of.values(), (p, holm(p)), strict=True):
            closed = list(_closed_chains(group[values < LEVEL]))
            chains += len(closed)
            of_choice[case] = of_choice.get(case, True) and all(closed)
    outcomes = {
        f"p-values {name}": pd.Series(
            list(of_choice.values()), pd.MultiIndex.from_tuples(list(of_choice), names=CASE)
        )
        for name, of_choice in outcomes_of.items()
    }
    return _tried(outcomes, f"{chains:,} chains of two significant preferences were tested")


def _alike_on_both(evidence: Evidence) -> ClaimResult:
    """Test whether the same metric of each pair is right more often on both kinds of collections.

    By each part of Table 5 and in each design; the differences of the seeds are added.
    """
    table = _between(evidence, TABLE_5)
    keys = ["collection", "design", "part", "metric_a", "metric_b"]
    ahead = (table["only_a"] - table["only_b"]).groupby([table[key] for key in keys]).sum()
    sides = ahead.unstack("collection")
    same = sides[SIMULATED] * sides[FEDWEB] > 0
    by_part = same.groupby(level="part").agg(["sum", "size"])
    parts = ", ".join(f"{part} {_of(by_part, part)}" for part in PARTS)
    return ClaimResult(
        combine_outcomes(same),
        f"the same metric of a pair is right more often on simulated collections and on {SURROGATE} in "
        f"{share(int(same.sum()), len(same))}: {parts}",
        elsewhere=True,
    )


def _some_pages_are_equal(evidence: Evidence) -> ClaimResult:
    """Test whether systems share pages in every case."""
    pages = evidence.experiments.pages.set_index(CASE)
    per_query, systems = pages["distinct"] / pages["queries"], pages["pages"] / pages["queries"]
    text = (
        f"the {systems.max():.0f} systems give a query {per_query.min():.1f} to {per_query.max():.1f} "
        "different pages on average"
    )
    return _tried({"fewer pages than systems": per_query < systems}, text)


def _ideal_is_best(evidence: Evidence) -> ClaimResult:
    """Test whether no page scores above the ideal page, by which AS_ metrics divide."""
    pages = evidence.experiments.pages.set_index(CASE)
    text = (
        f"{pages['above'].min()} to {pages['above'].max()} of {pages['pages'].max():,} pages score above 1, "
        f"the highest {pages['highest'].max():.2f}"
    )
    return _tried({"no page above": pages["above"] == 0}, text)


# ------------------------------------------------------------------ helpers


def _tried(outcomes: Mapping[str, pd.Series], detail: str) -> ClaimResult:
    """Return the result of a claim that holds in a case, (collection, design, seed), if all outcomes do."""
    frame = pd.DataFrame(outcomes)
    cases = frame.all(axis=1)
    every = _by_collection(cases)
    text = (
        f"in {_of(every, SIMULATED)} cases on simulated collections and {_of(every, FEDWEB)} on {SURROGATE}"
    )
    if len(outcomes) > 1:
        each = {name: _by_collection(frame[name])["sum"] for name in outcomes}
        text += "; one by one (simulated + FedWeb 2013), " + ", ".join(
            f"{name} {counts[SIMULATED]} + {counts[FEDWEB]}" for name, counts in each.items()
        )
    verdict = combine_outcomes(cases)
    by_design = cases.groupby(level="design", sort=False).all()
    if verdict == "fragile" and by_design.any():
        designs = " and ".join(f"'{name}'" for name in by_design.index[by_design])
        text += f"; in every case of the design {designs}"
    return ClaimResult(verdict, f"{text}; {detail}", elsewhere=True)


def _by_collection(outcome: pd.Series) -> pd.DataFrame:
    return outcome.groupby(level="collection").agg(["sum", "size"])


def _of(counts: pd.DataFrame, row: str) -> str:
    total, size = counts.loc[row]
    return f"{total} of {size}"


def _between(evidence: Evidence, metrics: Sequence[str]) -> pd.DataFrame:
    """Return the concordance of pairs of these metrics."""
    table = evidence.experiments.concordance
    return table[table["metric_a"].isin(metrics) & table["metric_b"].isin(metrics)]


def _duel(evidence: Evidence, part: str, a: str, b: str) -> pd.DataFrame:
    """Return, by case, how much more often a is right than b, and the p-value."""
    table = _between(evidence, [a, b])
    rows = table[table["part"] == part].set_index(CASE)
    ahead = (rows["only_a"] - rows["only_b"]).where(rows["metric_a"] == a, rows["only_b"] - rows["only_a"])
    return pd.DataFrame({"ahead": ahead, "p_value": rows["p_value"]})


def _closed_chains(significant: pd.DataFrame) -> Iterator[bool]:
    """Yield, for each chain of two significant preferences, whether the third is significant, too."""
    columns = significant[["metric_a", "metric_b", "only_a", "only_b"]].itertuples(index=False)
    over = {(a, b) if only_a > only_b else (b, a) for a, b, only_a, only_b in columns}
    for a, b, c in permutations(TABLE_5, 3):
        if (a, b) in over and (b, c) in over:
            yield (a, c) in over


def _without(names: Iterable[str], *others: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)


def _power(where: str, says: str, lower: Sequence[str], upper: Sequence[str]) -> Claim:
    return Claim(where, says, partial(power_rises, lower=lower, upper=upper))


def _table_5(
    panel: str, says: str, parts: Sequence[str], better: Sequence[str], worse: Sequence[str]
) -> Claim:
    find = partial(right_more_often, parts=parts, better=better, worse=worse)
    return Claim(f"5.2, Table 5{panel}", says, find)


def _chain() -> Iterator[Claim]:
    """Yield a claim for each two neighbouring groups of the printed orders by discriminative power."""
    for figure, groups in zip("ab", POWER.values(), strict=True):
        for lower, upper in pairwise(groups):
            verb = "tell" if len(upper) > 1 else "tells"
            says = f"{' and '.join(upper)} {verb} more pairs apart than {' and '.join(lower)}"
            yield _power(f"5.1, Table 4, Figs. 1({figure}), 2({figure})", says, lower, upper)


ALPHA, IA, D_SHARP, DCG = FRAMEWORKS
_, RBP, ERR = USER_MODELS

CLAIMS = (
    Claim(
        "3.3, 5.2",
        "if a gold standard is tied, both metrics count as right (implied; the algorithm is lost)",
        _ties_count_for_both,
    ),
    Claim(
        "4.1", "the second collection is that of TREC FedWeb 2013", _is_fedweb_2013, needs_judgments=True
    ),
    Claim("4.1, 5.1", "both collections have the same topics", _same_topics),
    Claim(
        "4.2, 5.1", "the vertical selections differ significantly in quality (implied)", _selections_differ
    ),
    Claim("4.2, footnote", "some systems have the same page", _some_pages_are_equal),
    Claim(
        "4.2",
        "no page scores above the page of perfect choices, by which scores are divided (implied; the paper "
        "calls it near ideal)",
        _ideal_is_best,
    ),
    Claim("5.1, Table 4", "mean-prec, which ignores presentation, tells 125 pairs apart", _count_in_nines),
    *_chain(),
    _table_5("(a)", "nDCG-IA rewards vertical selection better than alpha-nDCG", ["VS"], [IA], [ALPHA]),
    _table_5(
        "(a)", "of four frameworks, IA and AS reward vertical selection best",
        ["VS"], [IA, DCG], [ALPHA, D_SHARP],
    ),
    _table_5(
        "(b)", "of four frameworks, D# and IA reward vertical diversity best",
        ["VD"], [D_SHARP, IA], [ALPHA, DCG],
    ),
    _table_5("(b)", "I-rec makes D#-nDCG follow rec_v", ["VD"], [D_SHARP], [WITHOUT_RECALL]),
    _table_5(
        "(c)", "of four frameworks, D# and AS reward item selection best", ["IS"], [D_SHARP, DCG], [ALPHA, IA]
    ),
    _table_5("(c)", "of the user models, AS_RBP's rewards item selection best", ["IS"], [RBP], [DCG, ERR]),
    _table_5(
        "(a)-(c)", "of four frameworks, alpha-nDCG is worst by each of VS, VD and IS",
        SINGLE_FACTORS, _without(FRAMEWORKS, ALPHA), [ALPHA],
    ),
    _table_5(
        "(a)-(c)", "of the user models, AS_ERR's is worst by each of VS, VD and IS",
        SINGLE_FACTORS, [DCG, RBP], [ERR],
    ),
    _table_5(
        "(d)", "of four frameworks, alpha-nDCG follows presentation best",
        ["RP"], [ALPHA], _without(FRAMEWORKS, ALPHA),
    ),
    _table_5("(d)", "of the user models, AS_ERR's follows presentation best", ["RP"], [ERR], [DCG, RBP]),
    _table_5(
        "(e)-(g)", "of four frameworks, D# follows several factors at once best",
        COMBINED, [D_SHARP], _without(FRAMEWORKS, D_SHARP),
    ),
    _table_5(
        "(e)-(g)", "of the user models, AS_RBP's follows several factors at once best",
        COMBINED, [RBP], [DCG, ERR],
    ),
    _table_5("(b)", "D#-nDCG rewards vertical diversity better than AS_RBP", ["VD"], [D_SHARP], [RBP]),
    _table_5(
        "(e)", "AS_RBP follows orientation and relevance at once better than D#-nDCG",
        ["VS+IS"], [RBP], [D_SHARP],
    ),
    _table_5(
        "(e)-(g)", "metrics that weigh verticals follow several factors better than alpha-nDCG",
        COMBINED, _without(TABLE_5, ALPHA), [ALPHA],
    ),
    Claim("5.2, footnote", "significant differences in concordance are transitive", _transitive),
    Claim("5.2", "concordance is similar on different collections", _alike_on_both),
    _power(
        "6", "AS_ metrics tell more pairs apart than adapted diversity metrics",
        _without(FRAMEWORKS, DCG), USER_MODELS,
    ),
    _power("6", "AS_RBP tells the most pairs apart", _without(TABLE_5, RBP), [RBP]),
    Claim(
        "5.1, 6", "the settings of AS_RBP and AS_DCG do not decide which has more power (left open)",
        _settings_do_not_matter,
    ),
    Claim("5.1, 6", "AS_RBP is the most powerful metric, as 5.1 shows", partial(_most_powerful, metric=RBP)),
)  # fmt: skip
