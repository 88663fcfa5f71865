"""A sentence on how often a metric chose as the reader did: more often than a coin would, or not?"""

from __future__ import annotations

from typing import Any

from divmetrics.optional import import_optional


def share(agree: int, disagree: int, confidence: float) -> tuple[float, float, float]:
    """Return the share of pairs on which a metric chose as the reader, with its interval.

    The interval is that of Clopper & Pearson (1934), which is valid for few pairs, too. agree, disagree:
    counts of pairs on which the metric prefers a list, with a sum of at least 1.
    """
    stats = import_optional("scipy.stats", "how often a metric agrees")
    interval = stats.binomtest(agree, agree + disagree).proportion_ci(confidence)
    return agree / (agree + disagree), float(interval.low), float(interval.high)


def describe_agreement(
    metric: str, agree: int, disagree: int, ties: int, confidence: float
) -> dict[str, Any]:
    """Return the sentence and (share, low, high), each in [0, 1], or None if the metric chose no list."""
    chosen = agree + disagree
    if not chosen:
        pairs = "the one pair" if ties == 1 else f"all {ties} pairs"
        return {"words": f"{metric} was tied on {pairs}: it chose no list.", "interval": None}
    agreement_share, low, high = share(agree, disagree, confidence)
    if low > 0.5:
        comparison = "more often than a coin would"
    elif high < 0.5:
        comparison = "less often than a coin would"
    else:
        comparison = "as a coin might"
    times = "1 time" if agree == 1 else f"{agree} times"
    tied = f" It was tied on {ties} more." if ties else ""
    percent = f"{100 * confidence:g} % interval {100 * low:.0f} % to {100 * high:.0f} %"
    return {
        "words": f"{metric} chose as you did {times} of {chosen}, {comparison} ({percent}).{tied}",
        "interval": [agreement_share, low, high],
    }
