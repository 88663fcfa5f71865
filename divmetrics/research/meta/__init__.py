"""Meta-evaluation: statistics that tell how good a metric is.

Most functions take a tidy table of scores (run, topic, metric, score), as `divmetrics.evaluate` returns it,
and return a tidy table. They change none of their arguments. Scores that differ by no more than rounding can
cause are tied. A function that needs SciPy or joblib raises MissingPackage, a DivmetricsError and
ImportError, if it is not installed.
"""

from __future__ import annotations

from divmetrics.research.meta.agreement import (
    agreement,
    agreement_differences,
    agreement_outcomes,
    agreement_rate,
    high_agreement,
    majority,
    preference_tau,
)
from divmetrics.research.meta.agreement_by_topic import (
    agreement_by_topic,
    agreement_tests,
    detectable,
    holm,
    sign_flip_test,
)
from divmetrics.research.meta.ap_correlation import symmetric_tau_ap, tau_ap, tau_ap_of_orders
from divmetrics.research.meta.bootstrap import paired_bootstrap
from divmetrics.research.meta.concordance import concordance
from divmetrics.research.meta.correlation import kendall, kendall_interval, pearson_interval, rank_correlation
from divmetrics.research.meta.krippendorff import judges_alpha, krippendorff_alpha
from divmetrics.research.meta.letter_display import letter_display
from divmetrics.research.meta.means import means, means_by_type
from divmetrics.research.meta.paired_t import paired_t_test
from divmetrics.research.meta.per_topic import compare_runs, disagreements, wins
from divmetrics.research.meta.printed_counts import SignTest, best_case, worst_case
from divmetrics.research.meta.score_table import ScoreTable, score_table
from divmetrics.research.meta.significance import asl_curve, discriminative_power, overlap
from divmetrics.research.meta.sweeps import apply_per_value, sweep
from divmetrics.research.meta.tukey import tukey_hsd
from divmetrics.research.meta.unanimity import unanimity

__all__ = [
    "ScoreTable",
    "SignTest",
    "agreement",
    "agreement_by_topic",
    "agreement_differences",
    "agreement_outcomes",
    "agreement_rate",
    "agreement_tests",
    "apply_per_value",
    "asl_curve",
    "best_case",
    "compare_runs",
    "concordance",
    "detectable",
    "disagreements",
    "discriminative_power",
    "high_agreement",
    "holm",
    "judges_alpha",
    "kendall",
    "kendall_interval",
    "krippendorff_alpha",
    "letter_display",
    "majority",
    "means",
    "means_by_type",
    "overlap",
    "paired_bootstrap",
    "paired_t_test",
    "pearson_interval",
    "preference_tau",
    "rank_correlation",
    "score_table",
    "sign_flip_test",
    "sweep",
    "symmetric_tau_ap",
    "tau_ap",
    "tau_ap_of_orders",
    "tukey_hsd",
    "unanimity",
    "wins",
    "worst_case",
]  # fmt: skip
