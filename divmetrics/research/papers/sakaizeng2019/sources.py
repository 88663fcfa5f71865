"""Test a claim of the offline experiments on the printed tables, and again on IMine's runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from divmetrics.research.papers.imine import LANGUAGES
from divmetrics.research.papers.sakaizeng2019.evidence import ANSWERED, ORIGINAL, PRINTED, Evidence
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes

# Tests a claim on one source: returns its outcomes, and what was seen.
Test = Callable[[Evidence, str], tuple[list[bool], str]]

NAMES = {
    PRINTED: PRINTED,
    ORIGINAL: ORIGINAL,
    **{code: f"IMine {language.name}" for code, language in LANGUAGES.items()},
    **{
        ANSWERED[code]: f"IMine {language.name} (topics that every run answers)"
        for code, language in LANGUAGES.items()
    },
}


def on_both(where: str, says: str, test: Test) -> Iterator[Claim]:
    """Yield the claim on the printed tables (and the original data if given), and on IMine's runs."""
    yield Claim(where, says, _tested(test, (PRINTED, ORIGINAL), elsewhere=False))
    yield on_imine(where, says, test)


def on_imine(where: str, says: str, test: Test) -> Claim:
    """Return the claim on IMine's runs alone, where the printed tables do not have what it needs.

    It is tested on all topics, where an empty list scores 0, and on the topics that every run answers.
    """
    return Claim(f"{where} (IMine)", says, _tested(test, (*LANGUAGES, *ANSWERED.values()), elsewhere=True))


def _tested(test: Test, sources: Iterable[str], elsewhere: bool) -> Callable[[Evidence], ClaimResult]:
    def find(evidence: Evidence) -> ClaimResult:
        available = [source for source in sources if source == PRINTED or source in evidence.scores]
        results = [(source, *test(evidence, source)) for source in available]
        outcomes = [outcome for _, each, _ in results for outcome in each]
        texts = (f"{NAMES[source]}: {text}" for source, _, text in results)
        return ClaimResult(combine_outcomes(outcomes), "; ".join(texts), elsewhere)

    return find
