"""Sections 6.1 and 6.2, Table 4: which pairs of lists people judged, and how far they agreed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from divmetrics.core.tolerances import dense_ranks
from divmetrics.research.meta import preference_tau
from divmetrics.research.papers.sakaizeng2019.evidence import ALL, HIGH, Evidence
from divmetrics.research.papers.sakaizeng2019.on_imine import ALL as ALL_PAIRS
from divmetrics.research.papers.sakaizeng2019.on_imine import DIFFERING
from divmetrics.research.papers.sakaizeng2019.original import QUESTIONS
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share

RELIABLE = 0.667  # Krippendorff (2018): the lowest alpha for tentative conclusions
ODD_JUDGE = 5  # named in section 6.2, about relevance
HIGH_ALPHA = {"relevance": 0.518, "diversity": 0.453}  # of the pairs with high agreement


def _alphas(evidence: Evidence) -> pd.DataFrame:
    """Return alpha by number of the judge left out (0 for none) and question."""
    return evidence.alpha.pivot(index="left_out", columns="question", values="alpha")


def _of_all(evidence: Evidence) -> dict[str, float]:
    """Return alpha of all judges by question."""
    alphas = _alphas(evidence)
    return {question: float(alphas[question].to_numpy()[0]) for question in QUESTIONS}


def _substantial(evidence: Evidence) -> ClaimResult:
    """Test whether alpha reaches the lowest value that Krippendorff accepts."""
    alphas = _of_all(evidence)
    text = ", ".join(f"{question} {alphas[question]:.3f}" for question in QUESTIONS)
    return ClaimResult(
        combine_outcomes(alphas[question] >= RELIABLE for question in QUESTIONS),
        f"alpha {text}; Krippendorff, whom the paper cites, requires {RELIABLE} for tentative conclusions",
    )


def _odd_judge(evidence: Evidence) -> ClaimResult:
    """Compare the judge that the text names with the table's, without whom alpha is highest."""
    alphas = _alphas(evidence)["relevance"].drop(0)
    judge = int(list(alphas.index)[int(alphas.to_numpy().argmax())])
    return ClaimResult(
        "holds" if judge == ODD_JUDGE else "contradicts itself",
        f"in Table 4, alpha is {alphas[ODD_JUDGE]:.3f} without judge {ODD_JUDGE}, whom the text names, and "
        f"highest, {alphas[judge]:.3f}, without judge {judge}",
    )


def _slight_variation(evidence: Evidence) -> ClaimResult:
    """Test whether alpha varies less between judges than between the two questions.

    Both alpha without each judge and each judge's own alpha with the others count.
    """
    alphas, of_all = _alphas(evidence), _of_all(evidence)
    between = abs(of_all["relevance"] - of_all["diversity"])
    left_out = {question: alphas[question].drop(0) for question in QUESTIONS}
    own = {question: own_alpha(of_all[question], left_out[question]) for question in QUESTIONS}
    outcomes = [bool(np.ptp(values) < between) for each in (left_out, own) for values in each.values()]
    spans = ", ".join(f"{np.ptp(values):.3f} about {question}" for question, values in left_out.items())
    judges = ", ".join(
        f"{values.min():.2f} (judge {values.idxmin()}) to {values.max():.2f} (judge {values.idxmax()}) about "
        f"{question}"
        for question, values in own.items()
    )
    return ClaimResult(
        combine_outcomes(outcomes),
        f"the range without one judge is {spans}, and the questions differ by {between:.3f}; but a judge "
        f"is in few of the pairs of judges, and the alpha of one judge with the others is about {judges}",
    )


def own_alpha(of_all: float, left_out: pd.Series) -> pd.Series:
    """Estimate the mean alpha of each judge with the others, from alpha of all and without each judge.

    Alpha of n judges is the mean of their pairs, of which n - 1 have the judge, so far as the shares of the
    answers stay the same without one judge.
    """
    n = len(left_out)
    return (n * of_all - (n - 2) * left_out) / 2


def _rises(evidence: Evidence) -> ClaimResult:
    """Test whether alpha is higher on the pairs with high agreement."""
    alphas = _of_all(evidence)
    text = ", ".join(
        f"{question} {alphas[question]:.3f} and {HIGH_ALPHA[question]:.3f}" for question in QUESTIONS
    )
    return ClaimResult(
        combine_outcomes(bool(HIGH_ALPHA[question] > alphas[question]) for question in QUESTIONS),
        f"alpha on all pairs and on those chosen for their agreement: {text}",
    )


def _is_a_part(evidence: Evidence) -> ClaimResult:
    """Test whether no count with high agreement exceeds that of all pairs, and how many pairs remain."""
    fits = [bool(count >= 0) for left in evidence.contested.values() for count in left.to_numpy().ravel()]
    remain = ", ".join(
        f"{(left['agree'] + left['disagree']).max()} about {question}"
        for question, left in evidence.contested.items()
    )
    return ClaimResult(
        combine_outcomes(fits),
        f"{share(sum(fits), len(fits))} counts are at most those of all pairs; pairs without high agreement: "
        f"{remain}",
    )


def _without_ties(evidence: Evidence) -> ClaimResult:
    """Test whether all measures have the same number of pairs in each table, so that none can be tied."""
    sums = [
        set(evidence.agreed(question, pairs_of)[["agree", "disagree"]].sum(axis=1))
        for question in QUESTIONS
        for pairs_of in (ALL, HIGH)
    ]
    ties, chosen = (evidence.people_on(name)["ties"] for name in (ALL_PAIRS, DIFFERING))
    totals = ", ".join(str(max(each)) for each in sums)
    return ClaimResult(
        combine_outcomes(len(each) == 1 for each in sums),
        f"agree and disagree add up to {totals} for every measure; on all {_decided(evidence, ALL_PAIRS)} "
        f"pairs of IMine, measures are tied on {ties.min()} to {ties.max()}, on its "
        f"{_decided(evidence, DIFFERING)} pairs chosen as in the paper on {chosen.max()} at most",
    )


def _choice_of_pairs(evidence: Evidence) -> ClaimResult:
    """Test whether measures keep their order if only pairs that differ in Prec and I-rec are used."""
    taus = {name: _people_tau(evidence, name) for name in (ALL_PAIRS, DIFFERING)}
    spans = ", ".join(
        f"{tau.min():.3f} to {tau.max():.3f} on {_decided(evidence, name)} pairs ({name})"
        for name, tau in taus.items()
    )
    return _same_order(taus[ALL_PAIRS], taus[DIFFERING], f"tau is {spans}")


def _majority_vote(evidence: Evidence) -> ClaimResult:
    """Test whether measures have the same order by agreement with the majority and with all judges' votes."""
    people = evidence.people_on(ALL_PAIRS)
    rate = people["rate"]
    return _same_order(
        _people_tau(evidence, ALL_PAIRS),
        rate,
        f"measures prefer the same list as {rate.min():.1%} to {rate.max():.1%} of the votes on "
        f"{people['rated'].iloc[0]} pairs, those with a tied vote included",
    )


def _decided(evidence: Evidence, pairs_of: str) -> int:
    """Return the number of pairs on which a majority prefers a list."""
    return int(evidence.people_on(pairs_of)[["agree", "disagree", "ties"]].iloc[0].sum())


def _people_tau(evidence: Evidence, pairs_of: str) -> pd.Series:
    """Return the measures' tau with IMine's judges."""
    counts = evidence.people_on(pairs_of)[["agree", "disagree", "ties"]]
    return counts.apply(lambda row: preference_tau(*map(int, row))[0], axis=1)


def _same_order(first: pd.Series, second: pd.Series, text: str) -> ClaimResult:
    """Judge the claim that two orders of the measures are the same, from every two measures."""
    a, b = (dense_ranks(values.loc[first.index].to_numpy()) for values in (first, second))
    outcomes = [
        bool((a[i] > a[j]) == (b[i] > b[j]))
        for i, j in combinations(range(len(a)), 2)
        if a[i] != a[j] and b[i] != b[j]
    ]
    reversed_pairs = outcomes.count(False)
    best, then = (str(values.idxmax()) for values in (first, second))
    top = f"{best} is first both times" if best == then else f"first is {best}, then {then}"
    return ClaimResult(
        combine_outcomes(outcomes),
        f"{text}; {share(reversed_pairs, len(outcomes))} pairs of measures change order ({top})",
        elsewhere=True,
    )


CLAIMS = (
    Claim(
        "6.1 (IMine)",
        "leaving out pairs of similar lists does not change which measures agree best",
        _choice_of_pairs,
    ),
    Claim("6.1, Tables 5 and 6", "no measure is tied on a pair that people judged (implied)", _without_ties),
    Claim("6.2", "the judges agree substantially", _substantial),
    Claim("6.2, Table 4", f"judge {ODD_JUDGE} disagrees most with the others about relevance", _odd_judge),
    Claim(
        "6.2, Table 4",
        "alpha without one judge varies only slightly, so that all judges are reliable",
        _slight_variation,
    ),
    Claim("6.2", "alpha is higher on the pairs with high agreement", _rises),
    Claim("6.2, Tables 5 and 6", "the pairs with high agreement are a part of all pairs", _is_a_part),
    Claim("6.2 (IMine)", "the vote of the majority can stand for the votes of all judges", _majority_vote),
)
