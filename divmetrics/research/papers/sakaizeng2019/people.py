"""Section 6.3, Tables 5 and 6: which measures agree with people about relevance and diversity."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from divmetrics.research.meta.concordance import sign_test
from divmetrics.research.papers.sakaizeng2019.differences import LEVEL, Difference, is_as_good, is_better
from divmetrics.research.papers.sakaizeng2019.evidence import TABLES, Evidence
from divmetrics.research.papers.sakaizeng2019.measures import (
    AD_HOC,
    DIVERSITY,
    I_REC,
    IA,
    PREC,
    RBU,
    SHARP,
)
from divmetrics.research.papers.sakaizeng2019.original import QUESTIONS
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share

RELEVANCE, DIVERSE = (tuple(key for key in TABLES if key[0] == question) for question in QUESTIONS)
FIRST = 5  # places at the top of a table
USERS = ("Q", "EBR", "RBP(phi=0.99)", "RBP(phi=0.85)")
POOR = ("ERR", "RBP(phi=0.99)", "RBP(phi=0.85)", "Q", PREC)
BEST = ("D#-nDCG", "D#-RBP(phi=0.85)")


def _agree(evidence: Evidence, key: tuple[str, str]) -> pd.Series:
    """Return the number of pairs on which each measure agrees, most first."""
    return evidence.agreed(*key)["agree"].sort_values(ascending=False, kind="stable")


def _between_the_best(
    evidence: Evidence, key: tuple[str, str], names: Sequence[str], others: Sequence[str]
) -> Difference:
    """Return the difference between the measures of two groups that agree on the most pairs."""
    agree = _agree(evidence, key)
    return Difference.between(evidence, key, *(str(agree.loc[list(of)].idxmax()) for of in (names, others)))


def _top_ad_hoc(evidence: Evidence) -> ClaimResult:
    """Test whether the first five measures about relevance are ad hoc measures."""
    outcomes, texts = [], []
    for key in RELEVANCE:
        first = _agree(evidence, key).index[:FIRST]
        outcomes += [name in AD_HOC for name in first]
        texts.append(f"{TABLES[key]}: {', '.join(first)}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _ad_hoc_ahead(evidence: Evidence) -> ClaimResult:
    """Bound the difference between the best ad hoc and the best diversity measure about relevance."""
    return is_better([_between_the_best(evidence, key, AD_HOC, DIVERSITY) for key in RELEVANCE])


def _graded_ahead(evidence: Evidence) -> ClaimResult:
    """Test whether Q, EBR and RBP agree more often than Prec, and Prec than ERR, about relevance."""
    outcomes, texts = [], []
    for key in RELEVANCE:
        agree = _agree(evidence, key)
        outcomes += [*(agree[name] > agree[PREC] for name in USERS), agree[PREC] > agree["ERR"]]
        each = ", ".join(f"{name} {agree[name]}" for name in (*USERS, PREC, "ERR"))
        texts.append(f"{TABLES[key]}: {each}")
    return ClaimResult(combine_outcomes(map(bool, outcomes)), "; ".join(texts))


def _sharp_ahead(evidence: Evidence, keys: tuple[tuple[str, str], ...]) -> ClaimResult:
    outcomes, texts = [], []
    for key in keys:
        agree = _agree(evidence, key)
        ahead = [agree[sharp] - agree[ia] for sharp, ia in zip(SHARP, IA, strict=True)]
        outcomes += [bool(difference > 0) for difference in ahead]
        each = zip(SHARP, ahead, strict=True)
        texts.append(f"{TABLES[key]}, {', '.join(f'{name} {difference:+d}' for name, difference in each)}")
    return ClaimResult(combine_outcomes(outcomes), f"pairs by which D# is ahead of IA: {'; '.join(texts)}")


def _sharp_ahead_relevance(evidence: Evidence) -> ClaimResult:
    """Test whether each D#-measure agrees more often about relevance than the IA measure of its kind."""
    return _sharp_ahead(evidence, RELEVANCE)


def _sharp_ahead_diversity(evidence: Evidence) -> ClaimResult:
    """Test whether each D#-measure agrees more often about diversity than the IA measure of its kind."""
    return _sharp_ahead(evidence, DIVERSE)


def _sharp_better(evidence: Evidence) -> ClaimResult:
    """Bound the differences between D#- and IA measures about diversity."""
    pairs = list(zip(SHARP, IA, strict=True))
    return is_better([Difference.between(evidence, key, *pair) for key in DIVERSE for pair in pairs])


def _sharp_better_on_imine(evidence: Evidence) -> ClaimResult:
    """Test whether D#-measures agree with IMine's judges significantly better than IA measures."""
    tests = evidence.tests
    ahead = tests["difference"] > 0
    significant = ahead & (tests["holm"] <= LEVEL)
    texts = [
        f"{group['pairs'].iloc[0]} pairs ({pairs_of}): D# ahead in {ahead[group.index].sum()} of "
        f"{len(group)}, smallest corrected p {group['holm'].min():.2f}"
        for pairs_of, group in tests.groupby("pairs_of", sort=False)
    ]
    return ClaimResult(combine_outcomes(significant), "; ".join(texts), elsewhere=True)


def _irbu_and_ndcg(evidence: Evidence) -> ClaimResult:
    """Bound the difference between iRBU(phi=0.99) and nDCG about relevance."""
    return is_as_good([Difference.between(evidence, key, "iRBU(phi=0.99)", "nDCG") for key in RELEVANCE])


def _irbu_and_ebr(evidence: Evidence) -> ClaimResult:
    """Bound the difference between iRBU(phi=0.99) and EBR about relevance."""
    return is_better([Difference.between(evidence, key, "iRBU(phi=0.99)", "EBR") for key in RELEVANCE])


def _sharp_best(evidence: Evidence) -> ClaimResult:
    """Test whether each D#-measure and I-rec agree more often about diversity than all other measures."""
    outcomes, texts = [], []
    for key in DIVERSE:
        agree = _agree(evidence, key)
        others = agree.drop([*SHARP, I_REC])
        behind = [name for name in (*SHARP, I_REC) if agree[name] <= others.iloc[0]]
        outcomes += [name not in behind for name in (*SHARP, I_REC)]
        texts.append(
            f"{TABLES[key]}: the best other, {others.index[0]}, agrees on {others.iloc[0]} pairs; not more: "
            f"{', '.join(f'{name} {agree[name]}' for name in behind) or 'none'}"
        )
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _two_best(evidence: Evidence) -> ClaimResult:
    """Test whether D#-nDCG and D#-RBP(phi=0.85) are the first two of both tables about diversity."""
    first = {key: tuple(_agree(evidence, key).index[:2]) for key in DIVERSE}
    text = "; ".join(f"{TABLES[key]}: {', '.join(names)}" for key, names in first.items())
    return ClaimResult(combine_outcomes(name in names for names in first.values() for name in BEST), text)


def _better_than_its_part(evidence: Evidence) -> ClaimResult:
    """Bound the difference between D#-nDCG and its part I-rec about diversity."""
    return is_better([Difference.between(evidence, key, BEST[0], I_REC) for key in DIVERSE])


def _rbu_behind(evidence: Evidence) -> ClaimResult:
    """Bound the difference between the best D#-measure and the best RBU about diversity."""
    return is_better([_between_the_best(evidence, key, SHARP, RBU) for key in DIVERSE])


def _ebr_first(evidence: Evidence) -> ClaimResult:
    """Test whether EBR is the first ad hoc measure about diversity, and ERR, RBP, Q, Prec are the last."""
    outcomes, texts = [], []
    for key in DIVERSE:
        order = [name for name in _agree(evidence, key).index if name in AD_HOC]
        outcomes += [order[0] == "EBR", set(order[-len(POOR) :]) == set(POOR)]
        texts.append(f"{TABLES[key]}: {', '.join(order)}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _contested(evidence: Evidence) -> ClaimResult:
    """Test whether measures agree with the majority also on the pairs without high agreement."""
    outcomes: list[bool] = []
    texts = []
    for question, left in evidence.contested.items():
        agree, disagree = left["agree"], left["disagree"]
        tau = (agree - disagree) / (agree + disagree)
        p = [sign_test(int(a), int(d)) for a, d in zip(agree, disagree, strict=True)]
        significant = [bool(t > 0 and each <= LEVEL) for t, each in zip(tau, p, strict=True)]
        outcomes += significant
        texts.append(
            f"{question}: {share(sum(significant), len(significant))}, tau {tau.min():.3f} to "
            f"{tau.max():.3f}, median {tau.median():.3f}"
        )
    return ClaimResult(
        combine_outcomes(outcomes),
        f"measures that agree significantly more often than not: {'; '.join(texts)}",
    )


def _relevance_in_stopping(evidence: Evidence) -> ClaimResult:
    """Test whether people agree more with relevance in the stopping probability, and less with it in utility.

    With either stopping probability, the utility p^r is compared with Prec and BR; with the utility p^r, the
    stopping probability of ERR with the uniform one.
    """
    counts = evidence.utilities.set_index(["stopping", "utility"])
    lead = counts["agree"] - counts["disagree"]
    outcomes = [
        bool(lead[s, "p^r"] > lead[s, graded]) for s in ("uniform", "ERR") for graded in ("Prec", "BR")
    ]
    outcomes.append(bool(lead["ERR", "p^r"] > lead["uniform", "p^r"]))
    each = ", ".join(
        f"{s} and {u} {lead[s, u]}"
        for s, u in zip(evidence.utilities["stopping"], evidence.utilities["utility"], strict=True)
    )
    pairs = counts.iloc[0].sum()
    return ClaimResult(
        combine_outcomes(outcomes), f"agreements less disagreements on {pairs} pairs: {each}", elsewhere=True
    )


CLAIMS = (
    Claim("6.3, Table 5", "ad hoc measures are at the top about relevance", _top_ad_hoc),
    Claim(
        "6.3, Table 5",
        "the best ad hoc measure agrees better about relevance than the best diversity measure",
        _ad_hoc_ahead,
    ),
    Claim("6.3, Table 5", "Q, RBP and EBR agree well about relevance, Prec less, ERR least", _graded_ahead),
    Claim(
        "6.3, Table 5",
        "D#-measures agree more often about relevance than IA measures",
        _sharp_ahead_relevance,
    ),
    Claim("6.3, Table 5", "iRBU(phi=0.99) agrees as well about relevance as nDCG", _irbu_and_ndcg),
    Claim("6.3, Table 5", "iRBU(phi=0.99) agrees better about relevance than EBR", _irbu_and_ebr),
    Claim(
        "6.3 (IMine)",
        "relevance is better put into the stopping probability than into the utility",
        _relevance_in_stopping,
    ),
    Claim("6.3, Table 6", "D#-measures and I-rec are the best about diversity", _sharp_best),
    Claim("6.3, Table 6", "D#-nDCG and D#-RBP(phi=0.85) agree most often about diversity", _two_best),
    Claim(
        "6.3, Table 6",
        "D#-nDCG agrees better about diversity than its part I-rec (implied)",
        _better_than_its_part,
    ),
    Claim(
        "6.3, Table 6",
        "IA measures agree less often about diversity than D#-measures",
        _sharp_ahead_diversity,
    ),
    Claim(
        "6.3, Table 6", "IA measures are substantially poorer about diversity than D#-measures", _sharp_better
    ),
    Claim(
        "6.3 (IMine)",
        "IA measures agree substantially less with people than D#-measures",
        _sharp_better_on_imine,
    ),
    Claim(
        "6.3, Table 6",
        "RBU agrees less about diversity than the best D#-measure, so its axioms do not suffice",
        _rbu_behind,
    ),
    Claim(
        "6.3, Table 6",
        "EBR is the best ad hoc measure about diversity; ERR, RBP, Q and Prec are poor",
        _ebr_first,
    ),
    Claim(
        "6.3, Tables 5 and 6",
        "measures agree with the majority also where judges are divided (implied)",
        _contested,
    ),
)
