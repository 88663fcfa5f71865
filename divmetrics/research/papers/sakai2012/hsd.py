"""Section 5: randomised Tukey HSD beside the bootstrap test."""

from __future__ import annotations

import numpy as np

from divmetrics.research.meta import kendall
from divmetrics.research.papers.sakai2012.experiments import FIVE, LEVEL, TESTS, TWELVE, Experiment
from divmetrics.research.papers.sakai2012.power import counted_claim, counts, tested_claim

SIMILAR = 0.2  # largest relative difference of two required differences
ALIKE = 0.8  # tau from which on two orders are alike
HALF = (0.4, 0.6)


def _conservative(experiment: Experiment) -> bool:
    """Test whether HSD finds fewer significant pairs than the bootstrap under every metric."""
    return all(
        experiment.significant("HSD", name) < experiment.significant("bootstrap", name) for name in TWELVE
    )


def _half_as_many(experiment: Experiment) -> bool:
    """Test whether HSD finds about half of the bootstrap's significant pairs under I-rec."""
    return HALF[0] <= _ratio(experiment, "I-rec") <= HALF[1]


def _subset(experiment: Experiment) -> bool:
    """Test whether HSD's significant pairs under I-rec are a proper subset of the bootstrap's."""
    return _pairs(experiment, "HSD", "I-rec") < _pairs(experiment, "bootstrap", "I-rec")


def _similar_differences(experiment: Experiment) -> bool:
    """Test whether both tests require about the same difference, under each of five metrics."""
    bootstrap, hsd = (experiment.power[test].loc[list(FIVE), "required_difference"] for test in TESTS)
    return bool(((hsd - bootstrap).abs() <= SIMILAR * bootstrap).all())


def _order_of_metrics(experiment: Experiment) -> float:
    """Return Kendall's tau-b of the two tests' counts over the metrics of Tables 2 and 3; nan if constant."""
    bootstrap, hsd = ([experiment.significant(test, name) for name in TWELVE] for test in TESTS)
    constant = len(set(bootstrap)) == 1 or len(set(hsd)) == 1
    return float("nan") if constant else kendall(bootstrap, hsd)


def _curve_differences(experiment: Experiment) -> np.ndarray:
    """Return the ASL curve of D#-nDCG with HSD minus that with the bootstrap test, (place,)."""
    bootstrap, hsd = (np.sort(experiment.asl(test, "D#-nDCG")) for test in TESTS)
    return hsd - bootstrap


def _required_differences(experiment: Experiment) -> str:
    """Return the required differences of five metrics in both tests as text."""
    each = (
        f"{name} {' / '.join(f'{experiment.required_difference(test, name):.3f}' for test in TESTS)}"
        for name in FIVE
    )
    return f"largest borderline by bootstrap / smallest significant difference by HSD: {', '.join(each)}"


def _pairs(experiment: Experiment, test: str, metric: str) -> set[int]:
    return set(np.flatnonzero(experiment.asl(test, metric) < LEVEL).tolist())


def _ratio(experiment: Experiment, metric: str) -> float:
    return experiment.significant("HSD", metric) / max(experiment.significant("bootstrap", metric), 1)


def _only_hsd(experiment: Experiment) -> int:
    return sum(
        len(_pairs(experiment, "HSD", name) - _pairs(experiment, "bootstrap", name)) for name in TWELVE
    )


CLAIMS = (
    counted_claim(
        "5, Fig. 8 and 9",
        "randomised Tukey HSD finds fewer significant pairs than the bootstrap test",
        _conservative,
        TWELVE,
    ),
    counted_claim(
        "5, Tables 2(a) and 3(a)",
        "with HSD, about half of the bootstrap's significant pairs under I-rec are left",
        _half_as_many,
        ("I-rec",),
    ),
    tested_claim(
        "5",
        "the pairs that HSD finds under I-rec are a proper subset of those that the bootstrap finds",
        _subset,
        lambda e: f"{counts(e, ('I-rec',))}; over twelve metrics, {_only_hsd(e)} pairs by HSD only",
    ),
    tested_claim(
        "5, Tables 2 and 3",
        "the difference of means that significance requires is similar in both tests",
        _similar_differences,
        _required_differences,
    ),
    tested_claim(
        "5, Fig. 8 and 9",
        "the metrics compare alike in both tests",
        lambda e: _order_of_metrics(e) > ALIKE,
        lambda e: f"tau-b of the counts of twelve metrics {_order_of_metrics(e):.2f}",
    ),
    tested_claim(
        "5, Fig. 7",
        "the ASL curve of D#-nDCG is lower with the bootstrap test than with HSD",
        lambda e: bool((_curve_differences(e) >= 0).all() and _curve_differences(e).any()),
        lambda e: (
            f"curve higher by {_curve_differences(e).mean():.3f} on average with HSD, at least "
            f"{_curve_differences(e).min():.3f}"
        ),
    ),
)
