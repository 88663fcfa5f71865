"""Sections 2 and 3: what the definitions of the metrics imply."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from divmetrics.core.collection import Collection, Grades, Intent, Judgments, RankedList, Run, Topic
from divmetrics.core.tolerances import compare_scores
from divmetrics.evaluation import evaluate
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import sakai2010
from divmetrics.research.papers.sakai2010.evidence import Evidence, scores
from divmetrics.research.papers.sakai2010.printed import ALPHA, CUTOFF, DIV_NDCG, I_REC, IA, IDIV_NDCG
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share

CUTOFFS = (1, 5, 10, 20)
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


def full_recall(evidence: Evidence) -> ClaimResult:
    """Test whether a list of the cutoff's length can cover all intents of every topic."""
    counts = [len(topic.intents) for topic in evidence.collection.topics]
    text = f"topics have at most {max(counts)} intents with relevant documents, lists {CUTOFF} documents"
    return _on_collection(evidence, [count <= CUTOFF for count in counts], text)


def full_range(evidence: Evidence) -> ClaimResult:
    """Test whether Idiv-nDCG can be 1 on every topic: whether the best list by gain covers all intents.

    With binary grades and halving weights, documents with the same global gain are relevant to the same
    intents, so ties do not matter.
    """
    table = _of_best_lists(evidence.collection, [I_REC, DIV_NDCG])
    reached = table[I_REC].map(lambda recall: compare_scores(recall, 1) == 0)
    text = (
        f"div-nDCG is 1 only for the documents with the largest global gains; these cover all intents on "
        f"{share(int(reached.sum()), len(reached))} topics, and {table[I_REC].min():.0%} of them on the worst"
    )
    return _on_collection(evidence, [bool(reached.all())], text)


def best_is_one(evidence: Evidence, name: str) -> ClaimResult:
    """Test whether the best list by global gain scores 1 at every cutoff."""
    table = _of_best_lists(evidence.collection, [f"{name}@{cutoff}" for cutoff in CUTOFFS])
    reached = table.map(lambda score: compare_scores(score, 1) == 0)
    text = (
        f"the best list by global gain scores 1 on {share(int(reached.to_numpy().sum()), reached.size)} "
        f"topics and cutoffs ({', '.join(map(str, CUTOFFS))})"
    )
    return _on_collection(evidence, reached.to_numpy().ravel().tolist(), text)


def long_enough(evidence: Evidence) -> ClaimResult:
    """Test whether div-Q of the best list is 1 exactly where the list holds all relevant documents."""
    table = _of_best_lists(evidence.collection, [f"D-Q(of=R)@{CUTOFF}"])
    relevant = pd.Series({t: len(pool.relevant) for t, pool in evidence.collection.pools.items()})
    one = table.iloc[:, 0].map(lambda score: compare_scores(score, 1) == 0)
    fit = (relevant <= CUTOFF).reindex(one.index)
    text = (
        f"the best list scores 1 on {int((one & fit).sum())} of {int(fit.sum())} topics with at most "
        f"{CUTOFF} relevant documents, and on {int((one & ~fit).sum())} of the {int((~fit).sum())} others"
    )
    return _on_collection(evidence, (one == fit).tolist(), text)


def never_one(evidence: Evidence) -> ClaimResult:
    """Test whether no list scores 1 under nDCG-IA, topic by topic, for binary grades.

    A list scores 1 if its first k documents are relevant to every intent with at least k relevant documents,
    up to the cutoff: if, for every k, at least k documents are relevant to all of these intents.
    """
    possible = []
    for pool in evidence.collection.pools.values():
        relevant = pool.grades > 0
        lengths = np.minimum(relevant.sum(axis=1), CUTOFF)
        possible.append(all(relevant[lengths >= k].all(axis=0).sum() >= k for k in lengths if k))
    alone = sum(len(topic.intents) == 1 for topic in evidence.collection.topics)
    text = (
        f"some list scores 1 on {share(sum(possible), len(possible))} topics, and none on the others; topics "
        f"with a single intent: {alone}"
    )
    return _on_collection(evidence, [not one for one in possible], text)


def without_novelty(evidence: Evidence) -> ClaimResult:
    """Test whether alpha-nDCG with alpha = 0 is nDCG with the number of relevant intents as the grade."""
    counted: dict[str, Grades] = {
        topic: {doc: {"any": len(pool.labels(doc))} for doc in pool.docs}
        for topic, pool in evidence.collection.pools.items()
    }
    topics = [Topic(topic, (Intent("any", 1.0),)) for topic in counted]
    adhoc = Collection.of(topics, counted).with_runs(evidence.collection.runs.values())
    a, b = (
        evaluate(of, None, [name])
        for of, name in ((evidence.collection, f"alpha-nDCG(alpha=0)@{CUTOFF}"), (adhoc, DIV_NDCG))
    )
    both = a.merge(b, on=["run", "topic"])
    same = [compare_scores(x, y) == 0 for x, y in zip(both["score_x"], both["score_y"], strict=True)]
    return _on_collection(evidence, same, f"equal for {share(sum(same), len(same))} lists")


def above_one(evidence: Evidence) -> ClaimResult:
    """Test whether some list scores more than 1 under alpha-nDCG with the greedy ideal list."""
    ideals = {ideal: f"alpha-nDCG(ideal={ideal})@{CUTOFF}" for ideal in ("greedy", "exact")}
    name, run = next(iter(evidence.collection.runs.items()))
    table = _wide(evidence.collection.with_runs([run]), list(ideals.values()))
    table = table[table[ideals["exact"]] > 0]
    ratios = table[ideals["greedy"]] / table[ideals["exact"]]
    above = ratios.map(lambda ratio: compare_scores(ratio, 1) > 0)
    text = (
        f"the exact ideal list scores more than 1 by the greedy one on {share(int(above.sum()), len(above))} "
        f"topics on which {name} has a score, at most {ratios.max():.4f}"
    )
    return _on_collection(evidence, [bool(above.any())], text)


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
    return _on_collection(evidence, outcomes, text)


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


def _on_collection(evidence: Evidence, outcomes: Sequence[bool], text: str) -> ClaimResult:
    return ClaimResult(combine_outcomes(outcomes), text, elsewhere=evidence.judged is None)


def _of_best_lists(collection: Collection, names: Sequence[str]) -> pd.DataFrame:
    """Score the best list by global gain, topic x metric."""
    lists = {}
    for topic, pool in collection.pools.items():
        gain = np.array([intent.probability for intent in pool.topic.intents]) @ pool.grades
        best = np.argsort(-gain, kind="stable")[: np.count_nonzero(gain)]
        lists[topic] = [pool.docs[i] for i in best]
    return _wide(collection.with_runs([Run.of("best", lists)]), names)


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


def _wide(collection: Collection, names: Sequence[str]) -> pd.DataFrame:
    table = evaluate(collection, None, list(names))
    return table.pivot(index="topic", columns="metric", values="score")


CLAIMS = (
    Claim("2.2", "nDCG-IA is below 1 for every list, since none is ideal for all intents", never_one),
    Claim(
        "2.3", "with alpha = 0, alpha-nDCG is nDCG with the number of intents as the grade", without_novelty
    ),
    Claim(
        "2.3", "by alpha-nDCG, one page for ten intents at rank 1 is better than ten pages for one each",
        partial(one_page_or_ten, metrics=(ALPHA,), one_is_better=True),
    ),
    Claim("2.3", "a list can score above 1 under alpha-nDCG, whose ideal list is approximated", above_one),
    Claim("2.4, Eq. 3", "NRBP discounts documents as alpha-nDCG does (Eq. 2)", printed_discount),
    Claim("3.1", "I-recall at 10 can be 1 on every topic", full_recall),
    Claim(
        "3.1", "I-recall does not prefer one page for ten intents to ten pages for one each",
        partial(one_page_or_ten, metrics=(I_REC,), one_is_better=False),
    ),
    Claim(
        "3.2", "div-nDCG can be 1 on every topic, at every cutoff",
        partial(best_is_one, name="D-nDCG"),
    ),
    Claim("3.2", "div-Q can be 1 only if the list is as long as there are relevant documents", long_enough),
    Claim(
        "3.2, Eq. 10", "div-Q with the smaller of cutoff and number of relevant documents can always be 1",
        partial(best_is_one, name="D-Q"),
    ),
    Claim("3.3, 4.3", "Idiv-nDCG ranges fully from 0 to 1 if topics have at most 10 intents", full_range),
    Claim("2.2, 4.3", "nDCG-IA ignores minor intents, Idiv-nDCG does not", ignores_minor_intents),
)  # fmt: skip
