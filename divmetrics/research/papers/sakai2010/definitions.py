"""Sections 2 and 3: what the definitions of the metrics imply."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.tolerances import compare_scores
from divmetrics.core.topics import Intent, Topic
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import sakai2010
from divmetrics.research.papers.sakai2010.evidence import Evidence, scores
from divmetrics.research.papers.sakai2010.printed import ALPHA, CUTOFF, DIV_NDCG, I_REC, IA, IDIV_NDCG
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share

REMOVED = "removed"  # the id of a document that was never judged


def one_page_or_ten(_: Evidence, metrics: Sequence[str], *, one_is_better: bool) -> ClaimResult:
    """Compare one page for ten intents (list y) with ten pages for one intent each (list x)."""
    intents = [Intent(f"i{j}", 1 / CUTOFF) for j in range(1, CUTOFF + 1)]
    pages: dict[str, dict[str | tuple[str, str], int]] = {f"page {i.id}": {i.id: 1} for i in intents}
    pages["all"] = {i.id: 1 for i in intents}
    topic = Topic("java", tuple(intents))
    judgments = Judgments.of(topic, pages)
    x, y = list(pages)[:CUTOFF], ["all", *(f"nonrelevant{rank}" for rank in range(2, CUTOFF + 1))]
    outcomes, texts = [], []
    for name in (*metrics, *(m for m in (I_REC, ALPHA, DIV_NDCG, IDIV_NDCG) if m not in metrics)):
        of_x, of_y = (metric(name).score(RankedList(topic, docs, judgments)) for docs in (x, y))
        if name in metrics:
            outcomes.append((compare_scores(of_y, of_x) > 0) == one_is_better)
        texts.append(f"{name} {of_y:.3f} for the one page, {of_x:.3f} for ten")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def without_novelty(evidence: Evidence, alpha: float = 0) -> ClaimResult:
    """Test whether alpha-nDCG is nDCG with the number of relevant intents as the grade.

    With a single intent, div-nDCG is nDCG.
    """
    counted: dict[str, Grades] = {
        topic: {doc: {"any": len(pool.labels(doc))} for doc in pool.docs}
        for topic, pool in evidence.collection.pools.items()
    }
    topics = [Topic(topic, (Intent("any", 1.0),)) for topic in counted]
    adhoc = Collection.of(topics, counted).with_runs(evidence.collection.runs.values())
    a, b = (
        scores(of, [name])
        for of, name in ((evidence.collection, f"alpha-nDCG(alpha={alpha:g})@{CUTOFF}"), (adhoc, DIV_NDCG))
    )
    both = a.merge(b, on=["run", "topic"])
    same = [compare_scores(x, y) == 0 for x, y in zip(both["score_x"], both["score_y"], strict=True)]
    return evidence.judge_collection(same, f"equal for {share(sum(same), len(same))} lists")


def ignores_minor_intents(evidence: Evidence) -> ClaimResult:
    """Test whether nDCG-IA loses less than Idiv-nDCG where the only document for the rarest intent is lost.

    Lists count that have, among their top documents, one relevant to the least likely intent, and if it is
    relevant to no other; another list has a document in its place that is not relevant.
    """
    outcomes, texts = [], []
    for source, collection in (("topic 28", sakai2010()), ("lists of the collection", evidence.collection)):
        losses = _losses(collection)
        smaller = [compare_scores(a, b) < 0 for a, b in zip(losses[IA], losses[IDIV_NDCG], strict=True)]
        outcomes += smaller
        medians = ", ".join(f"{name} {losses[name].median():.3f}" for name in (IA, IDIV_NDCG, ALPHA))
        texts.append(f"{source}: {share(sum(smaller), len(smaller))}, median loss {medians}")
    text = f"nDCG-IA loses less than Idiv-nDCG in {'; '.join(texts)}"
    return evidence.judge_collection(outcomes, text)


def printed_discount(evidence: Evidence) -> ClaimResult:
    """Test whether NRBP can be 1 with the exponent of Eq. 3, as it can with that of Eq. 2.

    With C(r), each relevant document counts 1 - alpha times as much as with C(r - 1).
    """
    alpha, depth = 0.5, 60
    topic = Topic("one intent", (Intent("i", 1.0),))
    docs = [f"d{rank:02d}" for rank in range(1, depth + 1)]
    ranked = RankedList(topic, docs, Judgments.of(topic, {doc: {"i": 1} for doc in docs}))
    best = metric(f"NRBP(alpha={alpha})@{depth}").score(ranked)
    printed = (1 - alpha) * best if evidence.printed.counts_itself else best
    text = (
        f"NRBP of {depth} relevant documents is {best:.3f} with the exponent C(r - 1) of Eq. 2, and "
        f"{printed:.3f} with that of Eq. 3 in our copy"
    )
    fits = compare_scores(printed, best) == 0
    return ClaimResult("holds" if fits else "contradicts itself", text)


def _losses(collection: Collection) -> pd.DataFrame:
    """Compute what each list loses without its only document for the least likely intent, list x metric."""
    shortened, changed = [], []
    for run in collection.runs.values():
        lists = {topic: list(run.list(topic)) for topic in collection.pools}
        for topic, pool in collection.pools.items():
            least = min(pool.topic.intents, key=lambda intent: intent.probability).id
            top = lists[topic][:CUTOFF]
            ranks = [k for k, doc in enumerate(top) if least in pool.labels(doc)]
            if len(pool.topic.intents) > 1 and len(ranks) == 1 and len(pool.labels(top[ranks[0]])) == 1:
                lists[topic][ranks[0]] = REMOVED
                changed.append((run.name, topic))
        shortened.append(Run.of(run.name, lists))
    before, after = (
        scores(c).pivot(index=["run", "topic"], columns="metric", values="score")
        for c in (collection, collection.with_runs(shortened))
    )
    return (before - after).loc[changed]


CLAIMS = (
    Claim(
        "2.3", "with alpha = 0, alpha-nDCG is nDCG with the number of intents as the grade", without_novelty
    ),
    Claim(
        "2.3", "by alpha-nDCG, one page for ten intents at rank 1 is better than ten pages for one each",
        partial(one_page_or_ten, metrics=(ALPHA,), one_is_better=True),
    ),
    Claim("2.4, Eq. 3", "NRBP discounts documents as alpha-nDCG does (Eq. 2)", printed_discount),
    Claim(
        "3.1", "I-recall does not prefer one page for ten intents to ten pages for one each",
        partial(one_page_or_ten, metrics=(I_REC,), one_is_better=False),
    ),
    Claim("2.2, 4.3", "nDCG-IA ignores minor intents, Idiv-nDCG does not", ignores_minor_intents),
)  # fmt: skip
