"""Section 5.2.3: single queries, above all 0078, 0053 and 0080 in the English run Sem13-D-E-1A."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import compare_scores
from divmetrics.research.datasets import yu2017
from divmetrics.research.meta import kendall
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share
from divmetrics.research.papers.yu2017.evidence import CUTOFF, NAMES, QUERIES, SAMPLE, SQUARE, Evidence
from divmetrics.research.papers.yu2017.rankings import rises

ALIKE = 0.8  # tau at or below which section 5.3 calls two rankings different
UNCOVERED = {"0078": (1, 2, 1), "0053": (3, 0, 0, 3)}  # uncovered second-level subtopics in the text


def _per_query(evidence: Evidence) -> ClaimResult:
    """Compare alpha-nDCG@20 of one run with its scores under the intent-square metrics by topic (Fig. 6)."""
    outcomes, texts = [], []
    for code, run in SAMPLE.items():
        position = evidence.tables[code].runs.index(run)
        truth = evidence.values(code, "alpha-nDCG")[:, position]
        for name in SQUARE:
            candidate = evidence.values(code, name)[:, position]
            tau = kendall(truth, candidate)
            outcomes.append(tau <= ALIKE)
            steps = share(rises(truth, candidate), len(truth) - 1)
            texts.append(f"{run}, {name}: tau {tau:.2f}, {steps} steps rise")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def uncovered(query: str) -> Claim:
    """Return the claim on the subtopics that the list of a query leaves uncovered."""

    def find(evidence: Evidence) -> ClaimResult:
        counts = _uncovered(_lists(evidence)[query])
        text, ours = (" ".join(f"t{i}:{n}" for i, n in enumerate(c, 1)) for c in (UNCOVERED[query], counts))
        return ClaimResult(
            combine_outcomes([counts == UNCOVERED[query]]),
            f"uncovered in the text {text}, in the list {ours}",
        )

    says = f"the list of query {query} leaves as many second-level subtopics uncovered as the text states"
    return Claim("5.2.3, Table 3", says, find)


def _more_covered(evidence: Evidence) -> ClaimResult:
    """Test whether S-recall-IS@20 of 0053 and 0080 exceeds that of 0078."""
    score = _scores(evidence, f"S-recall-IS@{CUTOFF}")
    outcomes = [score["0053"] > score["0078"], score["0080"] > score["0078"]]
    return ClaimResult(combine_outcomes(outcomes), _format_scores(score))


def _tied(evidence: Evidence) -> ClaimResult:
    """Test whether the S-recall-IS scores of 0053 and 0080 are tied."""
    score = _scores(evidence, f"S-recall-IS@{CUTOFF}")
    return ClaimResult(
        combine_outcomes([not compare_scores(score["0053"], score["0080"])]), _format_scores(score)
    )


def _high_for_0078(evidence: Evidence) -> ClaimResult:
    """Test whether 0078 has the best of the three queries' scores where the text states it."""
    outcomes, texts = [], []
    for name in ("ERR-IA@5", f"ERR-IA@{CUTOFF}", f"alpha-nDCG@{CUTOFF}"):
        score = _scores(evidence, name)
        outcomes.append(max(score, key=lambda query: score[query]) == "0078")
        texts.append(f"{name}: {_format_scores(score)}")
    return ClaimResult(combine_outcomes([all(outcomes)]), "; ".join(texts))


def _low_for_0078(evidence: Evidence) -> ClaimResult:
    """Test whether 0078 has the lowest of the three queries' scores under every intent-square metric."""
    outcomes, texts = [], []
    for name in (f"{name}@{cutoff}" for name in SQUARE for cutoff in (5, CUTOFF)):
        score = _scores(evidence, name)
        outcomes.append(min(score, key=lambda query: score[query]) == "0078")
        texts.append(f"{name}: {_format_scores(score)}")
    return ClaimResult(combine_outcomes([all(outcomes)]), "; ".join(texts))


def _most_redundant(evidence: Evidence) -> ClaimResult:
    """Test which list has most relevant documents without a new second-level subtopic: count and share."""
    counts = {query: _redundant(ranked) for query, ranked in _lists(evidence).items()}
    outcomes = [
        all(measure(*counts["0078"]) > measure(*counts[other]) for other in ("0053", "0080"))
        for measure in (lambda n, of: n, lambda n, of: n / of)
    ]
    text = "; ".join(f"{query} {share(*n)}" for query, n in counts.items())
    return ClaimResult(combine_outcomes(outcomes), f"relevant documents that cover nothing new: {text}")


def _more_powerful(evidence: Evidence) -> ClaimResult:
    """Test whether S-recall-IS ties more pairs of lists than ERR-IS and alpha-nDCG-IS."""
    outcomes, texts = [], []
    for code in ("en", "cn"):
        table = evidence.tables[code]
        decisions = {name: table.decisions[table.position(f"{name}@{CUTOFF}")] for name in SQUARE}
        tied = {name: float((of_pairs == 0).mean()) for name, of_pairs in decisions.items()}
        outcomes += [tied[name] < tied["S-recall-IS"] for name in SQUARE[1:]]
        texts.append(f"{NAMES[code]}: " + ", ".join(f"{name} {part:.1%}" for name, part in tied.items()))
    return ClaimResult(combine_outcomes(outcomes), f"pairs of lists that are tied, {'; '.join(texts)}")


def _scores(evidence: Evidence, name: str) -> dict[str, float]:
    table = evidence.tables["en"]
    values = table.values[table.position(name), :, table.runs.index(SAMPLE["en"])]
    return {query: float(values[table.topics.index(query)]) for query in QUERIES}


def _format_scores(score: Mapping[str, float]) -> str:
    return ", ".join(f"{query} {value:.4f}" for query, value in score.items())


def _lists(evidence: Evidence) -> dict[str, RankedList]:
    """Return {query: the run's list}; without judgments, the lists rebuilt from Tables 3 and 4."""
    collection = evidence.collections["en"] if evidence.collections else yu2017()
    return {query: collection.list(SAMPLE["en"], query) for query in QUERIES}


def _leaves(ranked: RankedList) -> np.ndarray:
    """Return whether each of the first 20 documents covers each second-level subtopic, (rank, subtopic)."""
    judgments = ranked.judgments
    positions = [judgments.position.get(doc) for doc in ranked.docs[:CUTOFF]]
    blank = np.zeros(sum(len(t.children) for t in ranked.topic.intents), dtype=bool)
    leaf_grades = (
        judgments.subtopic_grades
        if judgments.subtopic_grades is not None
        else np.zeros((0, len(judgments.docs)))
    )
    return np.array([blank if p is None else leaf_grades[:, p] > 0 for p in positions])


def _uncovered(ranked: RankedList) -> tuple[int, ...]:
    """Return the number of uncovered second-level subtopics of each first-level subtopic, in topic order."""
    ends = np.cumsum([len(t.children) for t in ranked.topic.intents])[:-1]
    return tuple(int((~covered).sum()) for covered in np.split(_leaves(ranked).any(axis=0), ends))


def _redundant(ranked: RankedList) -> tuple[int, int]:
    """Return how many relevant documents cover no new second-level subtopic, and how many are relevant."""
    covers = _leaves(ranked)
    before = np.cumsum(covers, axis=0) - covers
    relevant = covers.any(axis=1)
    new = (covers & (before == 0)).any(axis=1)
    return int((relevant & ~new).sum()), int(relevant.sum())


CLAIMS = (
    Claim(
        "5.2.3, Fig. 6",
        "for one run, alpha-nDCG and the intent-square metrics order the queries differently",
        _per_query,
    ),
    uncovered("0078"),
    uncovered("0053"),
    Claim("5.2.3, Table 4", "S-recall-IS gives 0053 and 0080 more than 0078", _more_covered),
    Claim("5.2.3, Table 4", "S-recall-IS has a tie of 0053 and 0080", _tied),
    Claim("5.2.3, Table 4", "ERR-IA@5, ERR-IA@20 and alpha-nDCG@20 are highest for 0078", _high_for_0078),
    Claim("5.2.3, Table 4", "every intent-square metric is lowest for 0078", _low_for_0078),
    Claim("5.2.3, Table 3", "the list of 0078 repeats more than those of 0053 and 0080", _most_redundant),
    Claim("5.2.3", "ERR-IS and alpha-nDCG-IS leave fewer ties than S-recall-IS", _more_powerful),
)
