"""5.2.3: single queries, most of all 0078, 0053 and 0080 in the English run Sem13-D-E-1A."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from divmetrics.core.collection import RankedList
from divmetrics.core.tolerances import compare_scores
from divmetrics.research.datasets import yu2017
from divmetrics.research.meta import kendall
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share
from divmetrics.research.papers.yu2017.evidence import CUTOFF, NAMES, QUERIES, SAMPLE, SQUARE, Evidence
from divmetrics.research.papers.yu2017.rankings import rises

ALIKE = 0.8  # tau at or below which section 5.3 calls two rankings different
UNCOVERED = {"0078": (1, 2, 1), "0053": (3, 0, 0, 3)}  # second-level subtopics that the text calls uncovered


def per_query(evidence: Evidence) -> ClaimResult:
    """Fig. 6: topics ordered by one run's alpha-nDCG@20, and its scores under the intent-square metrics."""
    outcomes, said = [], []
    for code, run in SAMPLE.items():
        place = evidence.tables[code].runs.index(run)
        truth = evidence.values(code, "alpha-nDCG")[:, place]
        for name in SQUARE:
            walked = evidence.values(code, name)[:, place]
            tau = kendall(truth, walked)
            outcomes.append(tau <= ALIKE)
            steps = share(rises(truth, walked), len(truth) - 1)
            said.append(f"{run}, {name}: tau {tau:.2f}, {steps} steps rise")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(said))


def uncovered(query: str) -> Claim:
    """The claim on what the list of a query leaves uncovered."""

    def find(evidence: Evidence) -> ClaimResult:
        found = _uncovered(_lists(evidence)[query])
        text, ours = (" ".join(f"t{i}:{n}" for i, n in enumerate(c, 1)) for c in (UNCOVERED[query], found))
        return ClaimResult(
            combine_outcomes([found == UNCOVERED[query]]), f"the text has {text}, the list leaves {ours}"
        )

    says = f"second-level subtopics that the list of query {query} does not cover"
    return Claim("5.2.3, Table 3", says, find)


def more_covered(evidence: Evidence) -> ClaimResult:
    """S-recall-IS@20 of 0053 and 0080 against 0078."""
    score = _scores(evidence, f"S-recall-IS@{CUTOFF}")
    outcomes = [score["0053"] > score["0078"], score["0080"] > score["0078"]]
    return ClaimResult(combine_outcomes(outcomes), _shown(score))


def tied(evidence: Evidence) -> ClaimResult:
    """Are the S-recall-IS scores of 0053 and 0080 tied?"""
    score = _scores(evidence, f"S-recall-IS@{CUTOFF}")
    return ClaimResult(combine_outcomes([not compare_scores(score["0053"], score["0080"])]), _shown(score))


def high_for_0078(evidence: Evidence) -> ClaimResult:
    """Has 0078 the best of the three queries' scores where the text says so?"""
    outcomes, said = [], []
    for name in ("ERR-IA@5", f"ERR-IA@{CUTOFF}", f"alpha-nDCG@{CUTOFF}"):
        score = _scores(evidence, name)
        outcomes.append(max(score, key=lambda query: score[query]) == "0078")
        said.append(f"{name}: {_shown(score)}")
    return ClaimResult(combine_outcomes([all(outcomes)]), "; ".join(said))


def low_for_0078(evidence: Evidence) -> ClaimResult:
    """Has 0078 the lowest of the three queries' scores under every intent-square metric?"""
    outcomes, said = [], []
    for name in (f"{name}@{cutoff}" for name in SQUARE for cutoff in (5, CUTOFF)):
        score = _scores(evidence, name)
        outcomes.append(min(score, key=lambda query: score[query]) == "0078")
        said.append(f"{name}: {_shown(score)}")
    return ClaimResult(combine_outcomes([all(outcomes)]), "; ".join(said))


def most_redundant(evidence: Evidence) -> ClaimResult:
    """Relevant documents that cover no second-level subtopic that those above do not: count, and share."""
    counts = {query: _redundant(ranked) for query, ranked in _lists(evidence).items()}
    outcomes = [
        all(measure(*counts["0078"]) > measure(*counts[other]) for other in ("0053", "0080"))
        for measure in (lambda n, of: n, lambda n, of: n / of)
    ]
    said = "; ".join(f"{query} {share(*n)}" for query, n in counts.items())
    return ClaimResult(combine_outcomes(outcomes), f"relevant documents that cover nothing new: {said}")


def more_powerful(evidence: Evidence) -> ClaimResult:
    """Does S-recall-IS tie more pairs of lists than ERR-IS and alpha-nDCG-IS?"""
    outcomes, said = [], []
    for code in ("en", "cn"):
        table = evidence.tables[code]
        decisions = {name: table.decisions[table.position(f"{name}@{CUTOFF}")] for name in SQUARE}
        tied = {name: float((decided == 0).mean()) for name, decided in decisions.items()}
        outcomes += [tied[name] < tied["S-recall-IS"] for name in SQUARE[1:]]
        said.append(f"{NAMES[code]}: " + ", ".join(f"{name} {part:.1%}" for name, part in tied.items()))
    return ClaimResult(combine_outcomes(outcomes), f"pairs of lists that are tied, {'; '.join(said)}")


def _scores(evidence: Evidence, name: str) -> dict[str, float]:
    table = evidence.tables["en"]
    values = table.values[table.position(name), :, table.runs.index(SAMPLE["en"])]
    return {query: float(values[table.topics.index(query)]) for query in QUERIES}


def _shown(score: Mapping[str, float]) -> str:
    return ", ".join(f"{query} {value:.4f}" for query, value in score.items())


def _lists(evidence: Evidence) -> dict[str, RankedList]:
    """The run's lists of the three queries, or without judgments those rebuilt from Tables 3 and 4."""
    collection = evidence.collections["en"] if evidence.collections else yu2017()
    return {query: collection.list(SAMPLE["en"], query) for query in QUERIES}


def _leaves(ranked: RankedList) -> np.ndarray:
    """Which second-level subtopics each of the first 20 documents covers, (rank, subtopic)."""
    pool = ranked.judgments
    places = [pool.position.get(doc) for doc in ranked.docs[:CUTOFF]]
    blank = np.zeros(sum(len(t.children) for t in ranked.topic.intents), dtype=bool)
    leaf_grades = pool.subtopic_grades if pool.subtopic_grades is not None else np.zeros((0, len(pool.docs)))
    return np.array([blank if p is None else leaf_grades[:, p] > 0 for p in places])


def _uncovered(ranked: RankedList) -> tuple[int, ...]:
    """Per first-level subtopic."""
    ends = np.cumsum([len(t.children) for t in ranked.topic.intents])[:-1]
    return tuple(int((~part).sum()) for part in np.split(_leaves(ranked).any(axis=0), ends))


def _redundant(ranked: RankedList) -> tuple[int, int]:
    """Relevant documents that cover nothing new, of all relevant ones."""
    covers = _leaves(ranked)
    before = np.cumsum(covers, axis=0) - covers
    relevant = covers.any(axis=1)
    new = (covers & (before == 0)).any(axis=1)
    return int((relevant & ~new).sum()), int(relevant.sum())


CLAIMS = (
    Claim(
        "5.2.3, Fig. 6",
        "for one run, alpha-nDCG and the intent-square metrics order the queries differently",
        per_query,
    ),
    uncovered("0078"),
    uncovered("0053"),
    Claim("5.2.3, Table 4", "S-recall-IS gives 0053 and 0080 more than 0078", more_covered),
    Claim("5.2.3, Table 4", "S-recall-IS has a tie of 0053 and 0080", tied),
    Claim("5.2.3, Table 4", "ERR-IA@5, ERR-IA@20 and alpha-nDCG@20 are highest for 0078", high_for_0078),
    Claim("5.2.3, Table 4", "every intent-square metric is lowest for 0078", low_for_0078),
    Claim("5.2.3, Table 3", "the list of 0078 repeats more than those of 0053 and 0080", most_redundant),
    Claim("5.2.3", "ERR-IS and alpha-nDCG-IS leave fewer ties than S-recall-IS", more_powerful),
)
