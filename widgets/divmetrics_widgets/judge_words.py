"""How often a metric chose as the reader did, in a sentence: more often than a coin would, or not?"""

from __future__ import annotations

from typing import Any

from divmetrics.optional import import_optional


def share(agree: int, disagree: int, confidence: float) -> tuple[float, float, float]:
    """The share of pairs on which a metric chose as the reader, with its interval.

    The interval is that of Clopper & Pearson (1934), which holds for few pairs, too. agree, disagree: counts
    of pairs on which the metric prefers a list, at least one of them.
    """
    stats = import_optional("scipy.stats", "how often a metric agrees")
    interval = stats.binomtest(agree, agree + disagree).proportion_ci(confidence)
    return agree / (agree + disagree), float(interval.low), float(interval.high)


def said(metric: str, agree: int, disagree: int, ties: int, confidence: float) -> dict[str, Any]:
    """The sentence, and share, low and high in [0, 1]; these are None where the metric chose no list."""
    chosen = agree + disagree
    if not chosen:
        which = "the one pair" if ties == 1 else f"all {ties} pairs"
        return {"words": f"{metric} was tied on {which}: it chose no list.", "interval": None}
    of_all, low, high = share(agree, disagree, confidence)
    if low > 0.5:
        like = "more often than a coin would"
    elif high < 0.5:
        like = "less often than a coin would"
    else:
        like = "as a coin might"
    times = "1 time" if agree == 1 else f"{agree} times"
    tied = f" It was tied on {ties} more." if ties else ""
    percent = f"{100 * confidence:g} % interval {100 * low:.0f} % to {100 * high:.0f} %"
    return {
        "words": f"{metric} chose as you did {times} of {chosen}, {like} ({percent}).{tied}",
        "interval": [of_all, low, high],
    }
