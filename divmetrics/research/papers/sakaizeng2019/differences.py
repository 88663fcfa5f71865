"""Whether one measure agrees with people better than another, from printed counts alone.

The paper prints how often each measure agrees and disagrees, not on which pairs of lists. The sign test then
has a largest and a smallest p-value, those of the worst and of the best joint table; both take the pairs as
independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from divmetrics.research.meta import SignTest, best_case, holm, worst_case
from divmetrics.research.papers.sakaizeng2019.evidence import TABLES, Evidence
from divmetrics.research.papers.verdicts import ClaimResult, Verdict

LEVEL = 0.05
SPELLED = 4  # differences that the evidence names one by one
INDEPENDENT = "assuming independent pairs"
SIGN_TEST = "sign test on a:b, the pairs that only one of the two gets right"


@dataclass(frozen=True)
class Difference:
    """Two measures in one table, with both bounds of the sign test.

    `ahead` is by how many pairs of lists `better` agrees with people more often than `other`; `worst` and
    `best` are those of `meta.worst_case` and `meta.best_case`.
    """

    table: str
    better: str
    other: str
    ahead: int
    worst: SignTest
    best: SignTest

    @classmethod
    def between(cls, evidence: Evidence, key: tuple[str, str], better: str, other: str) -> Difference:
        """Compare two measures in the table of (question, pairs of lists)."""
        table = evidence.agreed(*key)
        (a, not_a), (b, not_b) = (
            (int(table["agree"][name]), int(table["disagree"][name])) for name in (better, other)
        )
        counts = (a, not_a, b, not_b)
        return cls(TABLES[key], better, other, a - b, worst_case(*counts), best_case(*counts))

    def __str__(self) -> str:
        worst, best = self.worst, self.best
        count = abs(self.ahead)
        more = f"{count} {'more' if self.ahead >= 0 else 'fewer'} pair{'s' if count != 1 else ''}"
        return (
            f"{self.table}: {self.better} agrees on {more} than {self.other}, p from "
            f"{best.p_value:.2g} ({best.only_a}:{best.only_b}) to {worst.p_value:.2g} "
            f"({worst.only_a}:{worst.only_b})"
        )


def is_better(differences: Sequence[Difference]) -> ClaimResult:
    """Judge the claim that the first measure of each difference agrees with people better.

    p-values are corrected by Holm over the differences. A difference is shown if it is significant at worst,
    and excluded if it is not significant at best.
    """
    worst = holm([each.worst.p_value for each in differences])
    best = holm([each.best.p_value for each in differences])
    ahead = [each.ahead > 0 for each in differences]
    at_worst = [a and p <= LEVEL for a, p in zip(ahead, worst, strict=True)]
    excluded = [not a or p > LEVEL for a, p in zip(ahead, best, strict=True)]
    verdict: Verdict
    if all(at_worst):
        verdict = "holds"
    elif all(excluded):
        verdict = "does not hold"
    elif any(at_worst) and any(excluded):
        verdict = "fragile"
    else:
        verdict = "cannot be decided"
    return _result(verdict, differences)


def is_as_good(differences: Sequence[Difference]) -> ClaimResult:
    """Judge the claim that the two measures of each difference agree with people equally well."""
    verdict: Verdict
    if all(each.best.p_value > LEVEL for each in differences):
        verdict = "holds"
    elif any(each.worst.p_value <= LEVEL for each in differences):
        verdict = "does not hold"
    else:
        verdict = "cannot be decided"
    return _result(verdict, differences)


def _result(verdict: Verdict, differences: Sequence[Difference]) -> ClaimResult:
    """Return the verdict with each difference, or with their range if there are many."""
    if len(differences) <= SPELLED:
        return ClaimResult(verdict, f"{'; '.join(map(str, differences))} ({SIGN_TEST}, {INDEPENDENT})")
    ahead = [each.ahead for each in differences]
    worst = [each.worst.p_value for each in differences]
    return ClaimResult(
        verdict,
        f"{len(differences)} differences of {min(ahead)} to {max(ahead)} pairs, largest possible p "
        f"{min(worst):.2g} to {max(worst):.2g}, corrected by Holm "
        f"{min(holm(worst)):.2g} to {max(holm(worst)):.2g} ({INDEPENDENT})",
    )
