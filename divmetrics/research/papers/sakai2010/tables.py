"""Tables 2 to 5 and the counts of Fig. 3 of Sakai et al. (2010) beside ours."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from divmetrics.research.meta import discriminative_power
from divmetrics.research.papers.sakai2010.evidence import LEVEL, Evidence, format_values
from divmetrics.research.papers.sakai2010.printed import (
    ALPHA,
    CUTOFF,
    DIV_NDCG,
    I_REC,
    IDIV_NDCG,
    IDIV_Q,
)
from divmetrics.research.papers.sakai2010.runs import COMPARED, fig_3
from divmetrics.research.papers.verdicts import ReproducedNumber

OURS = "tau/tau_ap; alpha-nDCG is ours, in the paper that of the track"
NOT_PUBLIC = "the runs are not public"
RUNS = 25


def correlations(evidence: Evidence) -> Iterator[ReproducedNumber]:
    """Compare tau/tau_ap table by table: computed ones first, then those that other tables print, too."""
    correlations = evidence.printed.correlations
    seen: dict[tuple[str, str], tuple[str, float, float]] = {}
    for table in dict.fromkeys(correlations["table"]):
        rows = correlations[correlations["table"] == table]
        computed, following = [], []
        for _, name, baseline, tau, ap in rows.itertuples(index=False, name=None):
            what, printed = f"{name}, {baseline}".replace(f"@{CUTOFF}", ""), _pair(tau, ap)
            if name == baseline:
                following.append(ReproducedNumber(table, what, printed, _pair(1, 1), "a metric with itself"))
            elif (name, baseline) in seen:
                source, *both = seen[name, baseline]
                following.append(ReproducedNumber(table, what, printed, _pair(*both), f"from {source}"))
            else:
                computed.append(_correlation(evidence, table, what, printed, (name, baseline)))
            if (baseline, name) in seen and seen[baseline, name][0] != table and name != baseline:
                source, other, _ = seen[baseline, name]
                following.append(
                    ReproducedNumber(table, f"{what}: tau", f"{tau:.3f}", f"{other:.3f}", f"from {source}")
                )
            seen.setdefault((name, baseline), (table, tau, ap))
        yield from (*computed, *sorted(following, key=lambda number: number.convention))


def following(evidence: Evidence) -> Iterator[ReproducedNumber]:
    """Compare correlations in the text and in a footnote with the tables from which they follow."""
    printed = evidence.printed
    rows = printed.correlations
    quoted = rows[(rows["metric"] == IDIV_NDCG) & (rows["baseline"] == ALPHA)].iloc[0]
    yield ReproducedNumber(
        "4.2", "D#-nDCG, alpha-nDCG, in the text", "0.893/0.747", _pair(quoted["tau"], quoted["tau_ap"]),
        "from Table 2",
    )  # fmt: skip
    swaps = sum(printed.swaps(printed.tau(name, IDIV_NDCG)) for name in (DIV_NDCG, I_REC))
    yield ReproducedNumber(
        "footnote 8", "I-rec, D-nDCG: tau", f"{printed.tau(DIV_NDCG, I_REC):.3f}",
        f"{1 - 2 * swaps / printed.pairs:.3f}",
        "from Table 4: along gamma, pairs in another order add up",
    )  # fmt: skip


def topic_counts(evidence: Evidence) -> Iterator[ReproducedNumber]:
    """Compare the number of runs, and the numbers of topics on which metrics agree or disagree (Fig. 3)."""
    printed = evidence.printed
    ours = fig_3(evidence) if evidence.original else {}
    runs = len(evidence.collection.runs) if evidence.original else None
    yield _needs_runs("4.2", "runs", RUNS, runs)
    yield _needs_runs("4.3, Fig. 3", "topics, all agree", printed.agreements, ours.get(COMPARED))
    for (a, b), count in printed.disagreements.items():
        yield _needs_runs("4.3, Fig. 3", f"topics, {a} against {b}", count, ours.get((a, b)))


def power(evidence: Evidence) -> Iterator[ReproducedNumber]:
    """Compare Table 5, and what the text says of it."""
    printed = evidence.printed
    yield ReproducedNumber(
        "4.4", "pairs of runs", str(printed.pairs), str(RUNS * (RUNS - 1) // 2), f"{RUNS} runs"
    )
    ours = pd.DataFrame()
    if evidence.original:
        ours = discriminative_power(evidence.tests["TREC 2009"][0], LEVEL).set_index("metric")
    rows = list(printed.power.itertuples(index=False, name=None))
    for name, significant, *_ in rows:
        count = None if ours.empty else int(ours["significant"][name])
        yield _needs_runs("Table 5", f"{name}, significant pairs", significant, count)
    for name, *_, required in rows:
        difference = None if ours.empty else f"{ours['required_difference'][name]:.2f}"
        yield ReproducedNumber(
            "Table 5", f"{name}, difference required", f"{required:.2f}", difference, "",
            "" if difference else NOT_PUBLIC,
        )  # fmt: skip
    for name, significant, pairs, percent, _ in rows:
        ours_in_percent = f"{100 * significant / pairs:.1f}"
        yield ReproducedNumber(
            "Table 5", f"{name}, percent", f"{percent:.1f}", ours_in_percent,
            f"from the number of significant pairs, of {pairs}",
        )  # fmt: skip
    (quoted,) = (row for row in rows if row[0] == IDIV_Q)
    more = printed.significant(IDIV_Q) - printed.significant(ALPHA)
    for what, text, value in (
        ("D#-Q, significant pairs, in the text", "192", str(quoted[1])),
        ("D#-Q, difference required, in the text", "0.12", f"{quoted[4]:.2f}"),
        ("D#-Q beyond alpha-nDCG, pairs", "7", str(more)),
    ):
        yield ReproducedNumber("4.4", what, text, value, "from Table 5")


def _correlation(
    evidence: Evidence, table: str, what: str, printed: str, names: tuple[str, str]
) -> ReproducedNumber:
    taus, taus_ap = evidence.taus(*names), evidence.tau_aps(*names)
    if evidence.original:
        (tau,), (ap,) = taus["TREC 2009"], taus_ap["TREC 2009"]
        return ReproducedNumber(table, what, printed, _pair(tau, ap), OURS)
    texts = [format_values({"": values}).strip() for values in taus.values()]
    convention = f"tau/tau_ap of runs that are not public; beside them, tau on {', '.join(taus)}"
    return ReproducedNumber(table, what, printed, None, convention, ", ".join(texts))


def _needs_runs(where: str, what: str, printed: int, ours: int | None) -> ReproducedNumber:
    why = "" if ours is not None else NOT_PUBLIC
    return ReproducedNumber(where, what, str(printed), None if ours is None else str(ours), "", why)


def _pair(tau: float, tau_ap: float) -> str:
    return f"{tau:.3f}/{tau_ap:.3f}"
