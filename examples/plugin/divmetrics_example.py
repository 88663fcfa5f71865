"""Two metrics for divmetrics."""

from __future__ import annotations

from divmetrics import Metric
from divmetrics.parts import Cascade, Log2, One, Probability, WrittenUtility

slow_cascade = Metric("ERR-log-IA", N=One(), f=Probability(), w=Log2(), M=Cascade())
fading = WrittenUtility("relevant * (1 - seen_before / patience) * (seen_before < patience)", patience=3)


def metrics() -> list[Metric]:
    """What the entry point in pyproject.toml names."""
    return [slow_cascade, Metric("fading", N=One(), f=Probability(), w=Log2(), M=fading)]
