"""Sections 4 and 5.1: whether the numbers were computed as described (weights, R(g), topics, empty lists)."""

from __future__ import annotations

from dataclasses import replace

from divmetrics.research.datasets import yu2017
from divmetrics.research.papers.verdicts import Claim, ClaimResult, as_printed, combine_outcomes, share
from divmetrics.research.papers.yu2017.evidence import NAMES, Evidence, scores
from divmetrics.research.papers.yu2017.numbers import count_matches, table_4, table_5

PRINTED = (5, 20)  # the cutoffs of Tables 4 and 5
DISCARDED = ("0003", "0017", "0033", "0070")


def weights(evidence: Evidence) -> ClaimResult:
    """Count the numbers of Tables 4 and 5 reproduced with the organisers' weights, and with equal ones."""
    collections = evidence.collections or {}
    official = replace(evidence, scores={code: scores(c, PRINTED) for code, c in collections.items()})
    same, equal = (
        (count_matches(table_4(each.scores["en"])), count_matches(table_5(each)))
        for each in (official, evidence)
    )
    text = (
        f"with the organisers' probabilities {same[0]} of 30 numbers of Table 4 and {same[1]} of 12 of "
        f"Table 5 come out, with equal weights on both levels {equal[0]} and {equal[1]}"
    )
    return ClaimResult(as_printed(sum(same), sum(equal), 42), text)


def _stop_probability(evidence: Evidence) -> ClaimResult:
    """Count the numbers of Table 4 reproduced with R(g) as printed, and with 2^Y as its denominator."""
    collection = evidence.collections["en"].uniform() if evidence.collections else yu2017()
    both = (scores(collection, PRINTED, over=over) for over in ("2^Y-1", "2^Y"))
    same, other = (count_matches(table_4(each)) for each in both)
    text = f"with (2^g - 1)/(2^Y - 1) {same} of 30 numbers of Table 4 come out, with (2^g - 1)/2^Y {other}"
    return ClaimResult(as_printed(same, other, 30), text)


def _discarded(evidence: Evidence) -> ClaimResult:
    """Test which discarded queries have a first-level subtopic without second-level ones."""
    by_id = {topic.id: topic for topics in (evidence.topics or {}).values() for topic in topics}
    judged = {topic for collection in (evidence.collections or {}).values() for topic in collection.pools}
    status = {}
    for query in DISCARDED:
        if query not in by_id:
            status[query] = "is not a topic"
        elif any(not intent.children for intent in by_id[query].intents):
            status[query] = "lacks some"
        else:
            status[query] = "is used" if query in judged else "has all of them, but no judgments"
    holds = all(text == "lacks some" for text in status.values())
    return ClaimResult(
        combine_outcomes([holds]), "; ".join(f"{query} {text}" for query, text in status.items())
    )


def _empty_lists(evidence: Evidence) -> ClaimResult:
    """Test whether every run answers every topic."""
    texts, none = [], True
    for code, lengths in evidence.lengths.items():
        empty = lengths[lengths["documents"] == 0]
        none &= empty.empty
        runs, topics = empty["run"].nunique(), empty["topic"].nunique()
        lists = share(len(empty), len(lengths))
        texts.append(f"{NAMES[code]}: {lists} lists are empty, of {runs} runs on {topics} topics")
    return ClaimResult(combine_outcomes([none]), "; ".join(texts) + "; the printed numbers count them as 0")


CLAIMS = (
    Claim(
        "4.3, Table 1", "the weight of a subtopic is its probability, p(t|q) or p(e|t,q)", weights,
        needs_judgments=True,
    ),
    Claim("4.1", "R(g) = (2^g - 1)/(2^Y - 1)", _stop_probability),
    Claim(
        "5.1", f"{', '.join(DISCARDED)} are left out because they lack second-level subtopics", _discarded,
        needs_judgments=True,
    ),
    Claim(
        "5.1", "every run answers every query of its language (implied: nothing is said of empty lists)",
        _empty_lists,
    ),
)  # fmt: skip
