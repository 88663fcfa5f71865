"""Sections 2 and 3: the largest scores that lists can have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from divmetrics.core.collection import Collection
from divmetrics.core.runs import Run
from divmetrics.core.tolerances import compare_scores
from divmetrics.research.papers.sakai2010.evidence import Evidence, scores
from divmetrics.research.papers.sakai2010.printed import CUTOFF, DIV_NDCG, I_REC
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share

CUTOFFS = (1, 5, 10, 20)


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
    return evidence.judge_collection([not one for one in possible], text)


def above_one(evidence: Evidence) -> ClaimResult:
    """Test whether some list scores more than 1 under alpha-nDCG with the greedy ideal list."""
    ideals = {ideal: f"alpha-nDCG(ideal={ideal})@{CUTOFF}" for ideal in ("greedy", "exact")}
    table = _of_best_lists(evidence.collection, list(ideals.values()))
    ratios = table[ideals["greedy"]] / table[ideals["exact"]]
    above = ratios.map(lambda ratio: compare_scores(ratio, 1) > 0)
    text = (
        f"divided by the greedy ideal list, the exact one scores more than 1 on "
        f"{share(int(above.sum()), len(above))} topics, at most {ratios.max():.4f}"
    )
    return evidence.judge_collection([bool(above.any())], text)


def full_recall(evidence: Evidence) -> ClaimResult:
    """Test whether a list of the cutoff's length can cover all intents of every topic.

    The printed largest number of intents of a topic decides, since each has a relevant document; with the
    judgments, so do theirs.
    """
    printed = evidence.printed.most_intents
    outcomes, text = [printed <= CUTOFF], f"lists have {CUTOFF} documents, topics at most {printed} intents"
    if evidence.judged is not None:
        counts = [len(topic.intents) for topic in evidence.collection.topics]
        outcomes += [count <= CUTOFF for count in counts]
        text = f"{text} in Table 1 and {max(counts)} in the judgments"
    return ClaimResult(combine_outcomes(outcomes), text)


def best_is_one(evidence: Evidence, name: str) -> ClaimResult:
    """Test whether the best list by global gain scores 1 at every cutoff."""
    table = _of_best_lists(evidence.collection, [f"{name}@{cutoff}" for cutoff in CUTOFFS])
    reached = table.map(lambda score: compare_scores(score, 1) == 0)
    text = (
        f"the best list by global gain scores 1 on {share(int(reached.to_numpy().sum()), reached.size)} "
        f"topics and cutoffs ({', '.join(map(str, CUTOFFS))})"
    )
    return evidence.judge_collection(reached.to_numpy().ravel().tolist(), text)


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
    return evidence.judge_collection((one == fit).tolist(), text)


def full_range(evidence: Evidence) -> ClaimResult:
    """Test topic by topic whether Idiv-nDCG can be 1: whether the best list by gain covers all intents.

    With binary grades and halving weights, documents with the same global gain are relevant to the same
    intents, so ties do not matter.
    """
    table = _of_best_lists(evidence.collection, [I_REC, DIV_NDCG])
    reached = table[I_REC].map(lambda recall: compare_scores(recall, 1) == 0)
    text = (
        f"div-nDCG is 1 only for the documents with the largest global gains; these cover all intents on "
        f"{share(int(reached.sum()), len(reached))} topics, and {table[I_REC].min():.0%} of them on the worst"
    )
    return evidence.judge_collection(reached.tolist(), text)


def _of_best_lists(collection: Collection, names: Sequence[str]) -> pd.DataFrame:
    """Score the best list by global gain, topic x metric."""
    lists = {}
    for topic, pool in collection.pools.items():
        gain = np.array([intent.probability for intent in pool.topic.intents]) @ pool.grades
        best = np.argsort(-gain, kind="stable")[: np.count_nonzero(gain)]
        lists[topic] = [pool.docs[i] for i in best]
    table = scores(collection.with_runs([Run.of("best", lists)]), names)
    return table.pivot(index="topic", columns="metric", values="score")


CLAIMS = (
    Claim("2.2", "nDCG-IA is below 1 for every list, since none is ideal for all intents", never_one),
    Claim("2.3", "a list can score above 1 under alpha-nDCG, whose ideal list is approximated", above_one),
    Claim("3.1", "I-recall at 10 can be 1 on every topic", full_recall),
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
)  # fmt: skip
