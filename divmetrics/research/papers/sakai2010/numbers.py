"""The printed numbers of Sakai et al. (2010) beside ours."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from divmetrics.core.collection import Collection, Intent, Judgments, RankedList, Topic
from divmetrics.core.tolerances import compare_scores
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import sakai2010, statistics
from divmetrics.research.meta import discriminative_power
from divmetrics.research.papers.sakai2010.evidence import LEVEL, Evidence, format_values
from divmetrics.research.papers.sakai2010.printed import (
    ALPHA,
    CUTOFF,
    DIV_NDCG,
    I_REC,
    IA,
    IDIV_NDCG,
    IDIV_Q,
)
from divmetrics.research.papers.sakai2010.runs import COMPARED, fig_3
from divmetrics.research.papers.verdicts import ReproducedNumber

COUNTED = "counted in the official judgments; intents are subtopics with a relevant document"
OURS = "tau/tau_ap; alpha-nDCG is ours, in the paper that of the track"
NOT_PUBLIC = "the runs are not public"
CRAWL = "describes the crawl"
# Table 1: what, printed, statistic of `statistics`.
COLLECTION = (
    ("topics", 50, "topics"),
    ("subtopics", 243, "intents"),
    ("intents", 199, "covered intents"),
    ("most intents of a topic", 6, "most covered intents of a topic"),
    ("most intents of a document", 5, "most intents of a document"),
    ("relevant documents over topics", 4942, "relevant documents"),
    ("relevant documents over intents", 6501, "relevant documents over intents"),
)
IN_THE_TEXT = (
    ("3.1", "most intents of a topic", "6"),
    ("4.1", "subtopics", "243"),
    ("4.1", "intents", "199"),
)
ONE = "intents with one relevant document"
TYPES = {"ambiguous": 12, "faceted": 38}
KINDS = {"informational": 177, "navigational": 66}
FEW, SINGLE = 95, 23  # intents with fewer than 10 relevant documents, and with one
BEST_RBP = "0.226"
RUNS = 25
# Section 4.3, {topic: (n, denominator, (printed index of an intent, numerator of its probability))}.
PROBABILITIES = {
    "21": (5, 62, (("i1", 32), ("i1", 16), ("i5", 2))),
    "38": (3, 14, (("i1", 8), ("i2", 4), ("i5", 2))),
}
COVERED = {"MSDiv2": 3, "MSRAACSF": 2}  # intents of topic 28
PREFERRED = {
    ("21", IDIV_NDCG): "MSDiv2", ("21", IA): "MSDiv2", ("21", ALPHA): "MSRAACSF",
    ("28", IDIV_NDCG): "MSDiv2", ("28", IA): "MSRAACSF", ("28", ALPHA): "MSRAACSF",
    ("38", IDIV_NDCG): "MSRAACSF", ("38", IA): "MSDiv2", ("38", ALPHA): "MSRAACSF",
}  # fmt: skip
RANKS = "on `sakai2010`, whose ranks are partly ours, since the printed ones are lost in our copy"


def compared(evidence: Evidence) -> list[ReproducedNumber]:
    """Compute all numbers, in the order of the paper."""
    return [
        *_definitions(),
        *_collection(evidence.judged),
        *_correlations(evidence),
        *_following(evidence),
        *_fig_3(evidence),
        *_topics(),
        *_power(evidence),
    ]


def _definitions() -> Iterator[ReproducedNumber]:
    topic = Topic("five", (Intent("i", 1.0),))
    docs = [f"d{rank}" for rank in range(1, 6)]
    best = RankedList(topic, docs, Judgments.of(topic, {doc: {"i": 1} for doc in docs}))
    ours = f"{metric('RBP(phi=0.95)@5').score(best):.3f}"
    yield ReproducedNumber("2.4, footnote 3", "best RBP for 5 relevant documents", BEST_RBP, ours, "p = 0.95")


def _collection(judged: Collection | None) -> Iterator[ReproducedNumber]:
    for what, printed in (("Web pages", "one billion"), ("size", "25TB")):
        yield ReproducedNumber("Table 1", what, printed, None, "", CRAWL)
    values: dict[str, float] = {}
    if judged is not None:
        found = statistics(judged)
        values = dict(zip(found["statistic"], found["value"], strict=True))
    for what, count, statistic in COLLECTION:
        yield _count("Table 1", what, count, values.get(statistic))
    for kind, count in TYPES.items():
        ours = None if judged is None else sum(topic.type == kind for topic in judged.topics)
        yield _count("Table 1", f"{kind} topics", count, ours)
    for kind, count in KINDS.items():
        kinds = [str(i.kind) for topic in judged.topics for i in topic.intents] if judged else []
        yield _count("Table 1", f"{kind} subtopics", count, kinds.count(kind) if kinds else None)
    printed = {what: count for what, count, _ in COLLECTION}
    for where, what, text in IN_THE_TEXT:
        yield ReproducedNumber(where, f"{what}, in the text", text, str(printed[what]), "follow from Table 1")
    few = None
    if judged is not None:
        relevant = [int(n) for pool in judged.pools.values() for n in (pool.grades > 0).sum(axis=1)]
        few = sum(0 < n < 10 for n in relevant)
    yield _count("2.2, footnote 2", "intents with under 10 relevant documents", FEW, few)
    yield _count("4.1", ONE, SINGLE, values.get(ONE))


def _correlations(evidence: Evidence) -> Iterator[ReproducedNumber]:
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
                following.append(
                    ReproducedNumber(table, what, printed, _pair(*both), f"follows from {source}")
                )
            else:
                computed.append(_correlation(evidence, table, what, printed, (name, baseline)))
            if (baseline, name) in seen and seen[baseline, name][0] != table and name != baseline:
                source, other, _ = seen[baseline, name]
                following.append(
                    ReproducedNumber(
                        table, f"{what}: tau", f"{tau:.3f}", f"{other:.3f}", f"follows from {source}"
                    )
                )
            seen.setdefault((name, baseline), (table, tau, ap))
        yield from (*computed, *sorted(following, key=lambda number: number.convention))


def _correlation(
    evidence: Evidence, table: str, what: str, printed: str, names: tuple[str, str]
) -> ReproducedNumber:
    taus, taus_ap = evidence.taus(*names), evidence.tau_aps(*names)
    if evidence.original:
        (tau,), (ap,) = taus["TREC 2009"], taus_ap["TREC 2009"]
        return ReproducedNumber(table, what, printed, _pair(tau, ap), OURS)
    texts = [format_values({"": values}).strip() for values in taus.values()]
    convention = f"tau/tau_ap of runs that are not public; elsewhere: tau on {', '.join(taus)}"
    return ReproducedNumber(table, what, printed, None, convention, f"elsewhere {', '.join(texts)}")


def _following(evidence: Evidence) -> Iterator[ReproducedNumber]:
    printed = evidence.printed
    rows = printed.correlations
    quoted = rows[(rows["metric"] == IDIV_NDCG) & (rows["baseline"] == ALPHA)].iloc[0]
    yield ReproducedNumber(
        "4.2", "D#-nDCG, alpha-nDCG, in the text", "0.893/0.747", _pair(quoted["tau"], quoted["tau_ap"]),
        "follows from Table 2",
    )  # fmt: skip
    swaps = sum(printed.swaps(printed.tau(name, IDIV_NDCG)) for name in (DIV_NDCG, I_REC))
    yield ReproducedNumber(
        "footnote 8", "I-rec, D-nDCG: tau", f"{printed.tau(DIV_NDCG, I_REC):.3f}",
        f"{1 - 2 * swaps / printed.pairs:.3f}",
        "follows from Table 4: along gamma, pairs in another order add up",
    )  # fmt: skip


def _fig_3(evidence: Evidence) -> Iterator[ReproducedNumber]:
    printed = evidence.printed
    ours = fig_3(evidence) if evidence.original else {}
    runs = len(evidence.collection.runs) if evidence.original else None
    yield _needs_runs("4.2", "runs", RUNS, runs)
    yield _needs_runs("4.3, Fig. 3", "topics, all agree", printed.agreements, ours.get(COMPARED))
    for (a, b), count in printed.disagreements.items():
        yield _needs_runs("4.3, Fig. 3", f"topics, {a} against {b}", count, ours.get((a, b)))


def _topics() -> Iterator[ReproducedNumber]:
    collection = sakai2010()
    for topic, (n, denominator, numerators) in PROBABILITIES.items():
        equal = Topic(topic, tuple(Intent(f"i{j}", 1 / n) for j in range(1, n + 1)))
        intents = {round(i.probability * denominator): i.id for i in equal.nonuniform().intents}
        for index, numerator in numerators:
            ours = intents.get(numerator)
            why = "" if ours == index else "a slip of the index"
            what = f"topic {topic}, intent with probability {numerator}/{denominator}"
            yield ReproducedNumber("4.3", what, index, ours, f"the j-th of {n} intents", why)
    for run, count in COVERED.items():
        ranked = collection.list(run, "28")
        covered = {label for doc in ranked.docs for label in ranked.judgments.labels(doc)}
        what = f"topic 28, intents that {run} covers"
        yield ReproducedNumber("4.3", what, str(count), str(len(covered)), RANKS)
    for (topic, name), run in PREFERRED.items():
        a, b = (metric(name).score(collection.list(other, topic)) for other in ("MSDiv2", "MSRAACSF"))
        preferred = {1: "MSDiv2", -1: "MSRAACSF", 0: "neither"}[compare_scores(a, b)]
        yield ReproducedNumber("4.3", f"topic {topic}, {name} prefers", run, preferred, RANKS)


def _power(evidence: Evidence) -> Iterator[ReproducedNumber]:
    printed = evidence.printed
    yield ReproducedNumber(
        "4.4", "pairs of runs", str(printed.pairs), str(RUNS * (RUNS - 1) // 2), f"{RUNS} runs"
    )
    ours = pd.DataFrame()
    if evidence.original:
        ours = discriminative_power(evidence.tests["TREC 2009"][0], LEVEL).set_index("metric")
    rows = list(printed.power.itertuples(index=False, name=None))
    for name, significant, *_ in rows:
        found = None if ours.empty else int(ours["significant"][name])
        yield _needs_runs("Table 5", f"{name}, significant pairs", significant, found)
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
            f"follow from the number of significant pairs, of {pairs}",
        )  # fmt: skip
    (quoted,) = (row for row in rows if row[0] == IDIV_Q)
    more = printed.significant(IDIV_Q) - printed.significant(ALPHA)
    for what, text, value in (
        ("D#-Q, significant pairs, in the text", "192", str(quoted[1])),
        ("D#-Q, difference required, in the text", "0.12", f"{quoted[4]:.2f}"),
        ("D#-Q beyond alpha-nDCG, pairs", "7", str(more)),
    ):
        yield ReproducedNumber("4.4", what, text, value, "follow from Table 5")


def _count(where: str, what: str, printed: int, ours: float | None) -> ReproducedNumber:
    text = None if ours is None else f"{ours:.0f}"
    differs = text is not None and text != str(printed)
    why = f"the official file has {text}" if differs else ""
    return ReproducedNumber(where, what, str(printed), text, COUNTED, why)


def _needs_runs(where: str, what: str, printed: int, ours: int | None) -> ReproducedNumber:
    why = "" if ours is not None else NOT_PUBLIC
    return ReproducedNumber(where, what, str(printed), None if ours is None else str(ours), "", why)


def _pair(tau: float, tau_ap: float) -> str:
    return f"{tau:.3f}/{tau_ap:.3f}"
