"""Section 3: what the definitions of DIN-measures and P+Q imply, on Fig. 1 and on judgments."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from divmetrics.core.judgments import Judgments
from divmetrics.evaluation import evaluate
from divmetrics.research.datasets import sakai2012
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import CUTOFF
from divmetrics.research.papers.verdicts import Claim, ClaimResult, Verdict, combine_outcomes, share

TOP_GRADE = 3  # L3
OF_FIGURE_1 = ("P+Q", "Q-IA", "Ef-P", "DIN-nDCG", "D-nDCG", "Q-IA(beta=0)", "AP-IA(of=min)")
Scores = dict[str, float]


def figure_1(j_at_rank_2: int = 1) -> Scores:
    """Return {metric: score} of the list of Fig. 1 (see `sakai2012`) under the metrics of the text."""
    scores = evaluate(sakai2012(j_at_rank_2), None, [f"{name}@5" for name in OF_FIGURE_1], gain="exponential")
    return dict(zip(OF_FIGURE_1, scores["score"].tolist(), strict=True))


def din_reaches_1(judgments: Judgments, cutoff: int = CUTOFF) -> bool:
    """Test whether some list has DIN-nDCG 1: an ideal list with one document per navigational intent.

    DIN-nDCG divides by the ideal list of D-nDCG, so only lists of the same global gains reach 1, and of
    these only lists without a second document for a navigational intent.
    """
    topic = judgments.topic
    p = np.array([intent.probability for intent in topic.intents])
    gains = p @ (np.exp2(judgments.grades) - 1)
    relevant = np.flatnonzero(gains > 0)
    length = min(cutoff, len(relevant))
    least = np.sort(gains[relevant])[-length]
    serves = judgments.grades[[i for i, t in enumerate(topic.intents) if t.kind == "navigational"]] > 0
    above = gains > least * (1 + 1e-12)
    taken = serves[:, above].sum(axis=1)
    if (taken > 1).any():
        return False
    at = serves[:, (gains > 0) & ~above & np.isclose(gains, least, rtol=1e-12, atol=0)]
    free = int((~at.any(axis=0)).sum())
    missing = length - int(above.sum()) - free
    if missing <= 0:
        return True
    kinds = np.unique(at[:, at.any(axis=0)], axis=1).T
    return any(
        (taken + np.array(chosen).sum(axis=0) <= 1).all() for chosen in combinations(kinds.tolist(), missing)
    )


def _pq_may_reach_1(judgments: Judgments) -> bool:
    """Test whether a document has the highest grade of every intent; unless one has, P+Q is below 1.

    Q and P+ of an intent are 1 only if the first document is one of the best for this intent.
    """
    best = judgments.grades.max(axis=1, keepdims=True)
    return bool((judgments.grades == best).all(axis=0).any())


def _below_1(evidence: Evidence) -> ClaimResult:
    """Test whether there are topics on which no list has DIN-nDCG 1."""
    pools = evidence.judged.uniform().pools.values()
    count = sum(not din_reaches_1(pool) for pool in pools)
    text = f"{_judged(evidence)}: no list reaches 1 on {share(count, len(pools))} topics"
    return _on_judgments(evidence, "holds" if count else "does not hold", text)


def _usually_below_1(evidence: Evidence) -> ClaimResult:
    """Test whether P+Q cannot reach 1 on most topics with several intents."""
    pools = [pool for pool in evidence.judged.pools.values() if len(pool.topic.intents) > 1]
    count = sum(not _pq_may_reach_1(pool) for pool in pools)
    text = (
        f"{_judged(evidence)}: on {share(count, len(pools))} topics with several intents no document is "
        "among the best for all of them"
    )
    return _on_judgments(evidence, "holds" if 2 * count > len(pools) else "does not hold", text)


def _same_as_q_ia(_: Evidence) -> ClaimResult:
    """Test whether P+Q equals Q-IA for the list of Fig. 1."""
    scores = figure_1()
    equal = abs(scores["P+Q"] - scores["Q-IA"]) < 1e-12
    return ClaimResult(combine_outcomes([equal]), _compared(scores, "P+Q", "Q-IA"))


def _average_precision(_: Evidence) -> ClaimResult:
    """Test whether Q-measure with beta 0 equals AP on the list of Fig. 1."""
    scores = figure_1()
    without_gains, precision = OF_FIGURE_1[-2:]
    equal = abs(scores[without_gains] - scores[precision]) < 1e-12
    return ClaimResult(combine_outcomes([equal]), _compared(scores, without_gains, precision))


def _lower_than_q_ia(_: Evidence) -> ClaimResult:
    """Test whether P+Q is below Q-IA if the document at rank 2 of Fig. 1 is L3 for j."""
    scores = figure_1(TOP_GRADE)
    return ClaimResult(combine_outcomes([scores["P+Q"] < scores["Q-IA"]]), _compared(scores, "P+Q", "Q-IA"))


def _ignores_rank_4(_: Evidence) -> ClaimResult:
    """Test whether the list of Fig. 1 has a lower DIN-nDCG than D-nDCG."""
    scores = figure_1()
    lower = scores["DIN-nDCG"] < scores["D-nDCG"]
    return ClaimResult(combine_outcomes([lower]), _compared(scores, "DIN-nDCG", "D-nDCG"))


def _compared(scores: Scores, a: str, b: str) -> str:
    return f"{a} {scores[a]:.4f}, {b} {scores[b]:.4f}"


def _judged(evidence: Evidence) -> str:
    return "TREC 2009, binary" if evidence.published else "made-up judgments (preset trec-web-2009), binary"


def _on_judgments(evidence: Evidence, verdict: Verdict, text: str) -> ClaimResult:
    return ClaimResult(verdict, text, elsewhere=evidence.published is None)


CLAIMS = (
    Claim("2.1, on Fig. 1", "with beta 0, Q-measure is Average Precision", _average_precision),
    Claim("3.1, Fig. 1", "DIN-measures give no gain for the document at rank 4", _ignores_rank_4),
    Claim("3.1", "the best DIN-nDCG of a topic may be below 1", _below_1),
    Claim("3.2, Fig. 1", "P+Q equals Q-IA for the list of the figure", _same_as_q_ia),
    Claim("3.2, Fig. 1", "P+Q is below Q-IA if the document at rank 2 is L3-relevant to j", _lower_than_q_ia),
    Claim("3.2", "the best P+Q of a topic is usually below 1", _usually_below_1),
)
