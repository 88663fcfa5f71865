"""Bounds of the sign test from printed counts: two metrics on the same pairs, without their joint table."""

from __future__ import annotations

from typing import NamedTuple

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.concordance import sign_test


class SignTest(NamedTuple):
    """Numbers of pairs on which only the first or only the second metric is right, and the sign test.

    Parameters
    ----------
    only_a, only_b : int
        Numbers of pairs of lists on which exactly one metric agrees with people.
    p_value : float
        The p-value of the two-sided sign test, which takes pairs as independent.

    Examples
    --------
    >>> from divmetrics.research.meta import SignTest
    >>> SignTest(only_a=5, only_b=0, p_value=0.0625).only_a
    5
    """

    only_a: int
    only_b: int
    p_value: float


@public
def worst_case(agree_a: int, disagree_a: int, agree_b: int, disagree_b: int) -> SignTest:
    """Return the sign test of two metrics with the largest p-value that their counts allow.

    The metrics then differ on as many pairs of lists as they can. If this p-value is small, the metrics
    differ whatever their joint table is, so far as the pairs are independent.

    Parameters
    ----------
    agree_a, disagree_a : int
        Numbers of pairs on which the first metric agrees with people, and disagrees.
    agree_b, disagree_b : int
        Numbers of the same pairs on which the second metric agrees with people, and disagrees.

    Returns
    -------
    SignTest
        The largest numbers of pairs on which exactly one metric agrees, and their p-value.

    Raises
    ------
    DivmetricsError
        If a count is not an integer of at least 0, or the metrics do not have the same number of pairs.

    Examples
    --------
    D#-nDCG and nDCG-IA on the 1,119 pairs of Sakai and Zeng (2019), Table 6(a).

    >>> from divmetrics.research.meta import worst_case
    >>> test = worst_case(956, 163, 906, 213)
    >>> test.only_a, test.only_b, round(test.p_value, 4)
    (213, 163, 0.0114)
    """
    agree_a, disagree_a, agree_b, disagree_b = _checked(agree_a, disagree_a, agree_b, disagree_b)
    only_a, only_b = min(agree_a, disagree_b), min(agree_b, disagree_a)
    return SignTest(only_a, only_b, sign_test(only_a, only_b))


@public
def best_case(agree_a: int, disagree_a: int, agree_b: int, disagree_b: int) -> SignTest:
    """Return the sign test of two metrics with the smallest p-value that their counts allow.

    The better metric is then right wherever the other one is. If this p-value is not small, the sign test
    shows no difference whatever the joint table is.

    Parameters
    ----------
    agree_a, disagree_a : int
        Numbers of pairs on which the first metric agrees with people, and disagrees.
    agree_b, disagree_b : int
        Numbers of the same pairs on which the second metric agrees with people, and disagrees.

    Returns
    -------
    SignTest
        The smallest numbers of pairs on which exactly one metric agrees, one of them 0, and their p-value.

    Raises
    ------
    DivmetricsError
        If a count is not an integer of at least 0, or the metrics do not have the same number of pairs.

    Examples
    --------
    iRBU(phi=0.99) and nDCG on the 1,115 pairs of Sakai and Zeng (2019), Table 5(a).

    >>> from divmetrics.research.meta import best_case
    >>> test = best_case(952, 163, 945, 170)
    >>> test.only_a, test.only_b, round(test.p_value, 4)
    (7, 0, 0.0156)
    """
    agree_a, disagree_a, agree_b, disagree_b = _checked(agree_a, disagree_a, agree_b, disagree_b)
    only_a, only_b = max(agree_a - agree_b, 0), max(agree_b - agree_a, 0)
    return SignTest(only_a, only_b, sign_test(only_a, only_b))


def _checked(agree_a: int, disagree_a: int, agree_b: int, disagree_b: int) -> tuple[int, int, int, int]:
    """Return the counts as int; raise DivmetricsError unless both metrics have the same number of pairs."""
    a, not_a, b, not_b = (
        check_whole(name, count, 0, "a count of at least 0")
        for name, count in (
            *(("agree_a", agree_a), ("disagree_a", disagree_a)),
            *(("agree_b", agree_b), ("disagree_b", disagree_b)),
        )
    )
    if a + not_a != b + not_b:
        raise DivmetricsError(
            f"the first metric has {a + not_a} pairs of lists and the second one {b + not_b}; give counts on "
            "the same pairs, without ties"
        )
    return a, not_a, b, not_b
