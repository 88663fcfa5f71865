"""Section 5.4, Table 6: which of two disagreeing metrics agrees with a gold standard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from divmetrics.core.collection import Collection
from divmetrics.research.datasets.trec2012 import PROBABILITIES
from divmetrics.research.meta import concordance
from divmetrics.research.papers.sakai2012.collections import (
    count_shared,
    weighted,
    with_all_shared,
    with_made_up_runs,
)
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import (
    DISCUSSED,
    GOLDS,
    RELEVANCE,
    RUNS,
    SEEDS,
    Experiment,
    scored,
)
from divmetrics.research.papers.verdicts import Claim, ClaimResult, share

OFTEN = 1 / 4  # of the pairs of lists are tied
SELDOM = 0.1  # of the pairs of lists
ALPHA, D, DIN, PQ = DISCUSSED

Better = tuple[tuple[str, str], ...]


def _beats(experiment: Experiment, gold: str, pairs: Better) -> bool:
    """Test for each (a, b) whether `a` alone agrees with the gold standard more often than `b` alone."""
    counts = (experiment.right_alone(gold, a, b) for a, b in pairs)
    return all(of_a > of_b for of_a, of_b in counts)


def _tied(experiment: Experiment, metric: str) -> float:
    """Return the share of pairs of lists that are tied under a metric."""
    decided = experiment.table.decisions[experiment.table.position(metric)]
    return float(np.mean(decided == 0))


def disagreements(experiment: Experiment) -> dict[tuple[str, str], float]:
    """Return the share of pairs of lists on which two metrics disagree, by pair of metrics."""
    pairs = experiment.table.decisions[0].size
    counts = experiment.concordance["I-rec"]["disagreements"]
    return {(a, b): int(counts[a, b]) / pairs for a, b in combinations(DISCUSSED, 2)}


def _din_beats_d(evidence: Evidence) -> ClaimResult:
    """Test whether DIN#-nDCG beats D#-nDCG by Ef-P, and show what decides it.

    Both differ only where a list has a second document for a navigational intent. What D#-nDCG gains by it is
    wrong by Ef-P unless the document serves another intent; so the evidence has the share of such documents,
    and the counts if all documents were of this kind.
    """
    pairs = ((DIN, D),)
    result = evidence.judge(
        partial(_beats, gold="Ef-P", pairs=pairs), partial(_right_alone, gold="Ef-P", pairs=pairs)
    )
    shared, total = count_shared(evidence.judged)
    texts = [
        f"{share(shared, total)} documents of navigational intents serve an informational one: "
        f"{_with_made_up_runs([evidence.judged] * len(SEEDS))}"
    ]
    all_shared = [with_all_shared(evidence.judged, seed) for seed in SEEDS]
    texts.append(f"if every document did, {_with_made_up_runs(all_shared)}")
    return replace(result, evidence=f"{result.evidence}; what decides, with made-up runs: {'; '.join(texts)}")


def _with_made_up_runs(collections: Sequence[Collection]) -> str:
    """Compare DIN#-nDCG and D#-nDCG on collections with made-up runs, one seed each."""
    wins = of_din = of_d = 0
    for seed, collection in zip(SEEDS, collections, strict=True):
        for probabilities in PROBABILITIES:
            of_seed = with_made_up_runs(weighted(collection, probabilities), RUNS, seed)
            table = concordance(scored(of_seed, (D, DIN, RELEVANCE)), RELEVANCE)
            alone_d, alone_din = int(table["only_a"].iloc[0]), int(table["only_b"].iloc[0])
            wins += alone_din > alone_d
            of_din, of_d = of_din + alone_din, of_d + alone_d
    settings = len(SEEDS) * len(PROBABILITIES)
    return f"{DIN} wins in {wins} of {settings} settings, sole agreements {of_din} to {of_d}"


def _right_alone(experiment: Experiment, gold: str, pairs: Better) -> str:
    each = []
    for a, b in pairs:
        of_a, of_b = experiment.right_alone(gold, a, b)
        each.append(f"{a} {of_a}, {b} {of_b}")
    return f"sole agreements with {' and '.join(GOLDS[gold])}: {'; '.join(each)}"


def _disagreements(experiment: Experiment) -> str:
    return ", ".join(f"{a} and {b} {share:.1%}" for (a, b), share in disagreements(experiment).items())


def _claim(part: str, gold: str, says: str, winners: Sequence[str], losers: Sequence[str]) -> Claim:
    pairs = tuple((a, b) for a in winners for b in losers)
    return Claim(
        f"5.4, Table 6({part})",
        says,
        lambda evidence: evidence.judge(
            partial(_beats, gold=gold, pairs=pairs), partial(_right_alone, gold=gold, pairs=pairs)
        ),
    )


CLAIMS = (
    Claim(
        "4.2", "lists are often tied under I-rec: a quarter of their pairs or more",
        lambda evidence: evidence.judge(
            lambda e: _tied(e, "I-rec") >= OFTEN,
            lambda e: f"I-rec {_tied(e, 'I-rec'):.0%}, Ef-P {_tied(e, RELEVANCE):.0%} of the pairs of lists",
        ),
    ),
    Claim(
        "4.2", "metrics are closely correlated: any two disagree on less than a tenth of the pairs of lists",
        lambda evidence: evidence.judge(lambda e: max(disagreements(e).values()) < SELDOM, _disagreements),
    ),
    _claim("a", "I-rec", "by I-rec, D#-nDCG, DIN#-nDCG and P+Q# beat alpha-nDCG", (D, DIN, PQ), (ALPHA,)),
    _claim("a", "I-rec", "by I-rec, P+Q# beats D#-nDCG and DIN#-nDCG", (PQ,), (D, DIN)),
    _claim("b", "Ef-P", "by Ef-P, D#-nDCG and DIN#-nDCG beat alpha-nDCG", (D, DIN), (ALPHA,)),
    _claim("b", "Ef-P", "by Ef-P, P+Q# beats alpha-nDCG", (PQ,), (ALPHA,)),
    _claim("b", "Ef-P", "by Ef-P, D#-nDCG and DIN#-nDCG beat P+Q#", (D, DIN), (PQ,)),
    Claim("5.4, Table 6(b)", "by Ef-P, DIN#-nDCG beats D#-nDCG", _din_beats_d),
    _claim("c", "both", "by I-rec and Ef-P, all three beat alpha-nDCG", (D, DIN, PQ), (ALPHA,)),
    _claim("c", "both", "by I-rec and Ef-P, D#-nDCG beats P+Q#", (D,), (PQ,)),
    _claim("c", "both", "by I-rec and Ef-P, DIN#-nDCG beats D#-nDCG and P+Q#", (DIN,), (D, PQ)),
)  # fmt: skip
