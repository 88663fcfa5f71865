"""What Zhou et al. (2013) print in their text; tables, figures and formulas are missing in the copy used."""

from __future__ import annotations

from collections.abc import Mapping

# By a name of ours.
PRINTED: Mapping[str, float] = {
    "majority": 0.5,  # 3.3
    "noisy threshold, %": 25,
    "stringent threshold, %": 100,
    "engines": 108,  # 4.1
    "web blocks": 10,  # 4.2
    "vertical blocks": 3,
    "items in a vertical block": 3,
    "vertical selections": 4,
    "item selections": 3,
    "presentations": 3,
    "systems": 36,
    "pairs of systems": 630,
    "alpha": 0.5,  # 5.1
    "level": 0.05,
    "topics of VertWeb11": 56,
    "topics of FedWeb13": 50,
    "pairs under mean-prec": 125,
    "share under mean-prec, %": 19.8,
    "required difference under mean-prec": 0.12,
    "pairs of pages": 31_500,  # 5.2
    "disagreements": 10_222,
    "alpha-nDCG by prec_v": 0.742,
    "IA-nDCG by prec_v": 0.792,
}

# Section 5.1 orders metrics by discriminative power, from the least. Its sign is lost in the copy used; its
# definition says that the metric to the right is the better one.
POWER: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "first set": (("prec_v",), ("rec_v",), ("mean-prec", "Prec@10"), ("nDCG@10", "corr")),
    "second set": (
        ("nDCG-IA@13",),
        ("D#-nDCG@13",),
        ("AS_RBP", "alpha-nDCG@13"),
        ("AS_DCG",),
        ("AS_ERR",),
    ),
}

# What the paper prints in tables and figures, or as formulas, that are missing in the copy used.
LOST: Mapping[str, str] = {
    "2, 3": "formulas of metrics, gold standards and algorithms",
    "Table 1": "metrics and the factors that they cover",
    "Table 2": "verticals",
    "Table 3": "statistics of the collections",
    "Table 4": "power and required differences of the other metrics",
    "Table 5": "concordance of the other pairs of metrics",
    "Figs. 1, 2": "ASL curves, as charts.asl_curves draws them",
}
