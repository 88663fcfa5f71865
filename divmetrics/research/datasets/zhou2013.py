"""Our results of the experiments of Zhou et al. (2013) on simulated systems, computed by divmetrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.research.datasets.stored_tables import read_table

if TYPE_CHECKING:
    import pandas as pd


def zhou2013_power() -> pd.DataFrame:
    """Load the discriminative power of metrics of pages on simulated systems.

    The paper's collections are not public. These are our results on simulated collections
    (`aggregated_search`, another one for each seed) and on the judgments of TREC FedWeb 2013, where the
    graded precision of a vertical's best engine stands for the share of users who want the vertical. On each
    of them, 36 systems are simulated in five designs
    (`divmetrics.research.papers.zhou2013.experiments.DESIGNS`) with three seeds.

    Returns
    -------
    DataFrame
        The columns collection ("simulated" or "FedWeb 2013"), design, seed (0 to 2), metric (prec_v, rec_v,
        mean-prec, corr, Prec@10, nDCG@10, nDCG-IA@13, D-nDCG@13, D#-nDCG@13, alpha-nDCG@13, AS_DCG, AS_RBP,
        AS_ERR, and AS_DCG and AS_RBP with four other values of a and phi each), significant (number of pairs
        of systems that differ under randomised Tukey HSD at 0.05, 1,000 trials), pairs (number of all pairs),
        share (of significant pairs) and required_difference (the smallest significant difference of two
        systems' means; nan if no pair is significant).

    Notes
    -----
    The judgments of FedWeb 2013 are not included; `python -m tools.zhou2013_experiments FOLDER` computes the
    tables from them.

    References
    ----------
    zhou2013, section 5.1

    Examples
    --------
    >>> from divmetrics.research.datasets import zhou2013_power
    >>> zhou2013_power()[["collection", "design", "metric", "pairs"]].head(1)
      collection                 design  metric  pairs
    0  simulated  one selection perfect  prec_v    630
    """
    return read_table("zhou2013.power.csv.gz")


def zhou2013_concordance() -> pd.DataFrame:
    """Load how often each of two metrics of pages agrees with gold standards where the two disagree.

    A case is a collection, design and seed, as in `zhou2013_power`. Every two of alpha-nDCG@13, nDCG-IA@13,
    D-nDCG@13, D#-nDCG@13, AS_DCG, AS_RBP and AS_ERR are compared.

    Returns
    -------
    DataFrame
        The columns collection, design, seed, those of `divmetrics.research.meta.concordance` (metric_a,
        metric_b, gold, disagreements, correct_a, correct_b, concordance_a, concordance_b, only_a, only_b,
        p_value), and part. A part of the paper's Table 5 names the gold standards: "VS" (vertical selection,
        prec_v), "VD" (vertical diversity, rec_v), "IS" (item selection, mean-prec), "RP" (presentation,
        corr), "VS+IS", "VS+IS+VD" or "all four".

    References
    ----------
    zhou2013, section 5.2

    Examples
    --------
    >>> from divmetrics.research.datasets import zhou2013_concordance
    >>> zhou2013_concordance()[["part", "metric_a", "metric_b"]].head(1)
      part       metric_a    metric_b
    0   VS  alpha-nDCG@13  nDCG-IA@13
    """
    return read_table("zhou2013.concordance.csv.gz")


def zhou2013_pages() -> pd.DataFrame:
    """Load counts of the simulated pages, for each collection, design and seed of `zhou2013_power`.

    Returns
    -------
    DataFrame
        30 rows: 2 values of collection ("simulated", another one for each seed, and "FedWeb 2013"), 5 of
        design, 3 of seed. The columns collection, design, seed, queries, pages (their numbers), distinct
        (different pages,
        summed over queries), above (number of pages with a score above 1 under AS_DCG, AS_RBP or AS_ERR) and
        highest (the highest score under these).

    References
    ----------
    zhou2013, section 4.2

    Examples
    --------
    >>> from divmetrics.research.datasets import zhou2013_pages
    >>> zhou2013_pages()[["collection", "queries", "pages"]].head(1)
      collection  queries  pages
    0  simulated       50   1800
    """
    return read_table("zhou2013.pages.csv.gz")
