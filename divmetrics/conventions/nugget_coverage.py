"""Conventions `crux`, `rubric` and `webis`: coverage of nuggets, counted from other grades on.

crux is DylanJoo/crux (its Cov without an oracle), rubric is the RUBRIC judge of the TREC Auto-Judge track,
webis is that track's judge auto_nuggetizer of the Webis group. Grades of crux and rubric go from 0 to 5.
"""

from __future__ import annotations

from divmetrics.core.metric import Metric
from divmetrics.core.parts import AtLeast, BestSoFar, FirstCover, One, TotalWeight

# fmt: off
# ruff: noqa: E501  (a row is one line, as in the other tables)
all_nuggets, answered = TotalWeight(), BestSoFar(AtLeast(3))

CRUX = (
    Metric("Cov",             N=all_nuggets, f=One(), w=One(), M=answered,     source="ju2025", convention="crux"),
)
RUBRIC = (
    Metric("NUGGET_COVERAGE", N=all_nuggets, f=One(), w=One(), M=answered,     source="autojudge", convention="rubric"),
    Metric("COVERED_COUNT",   N=One(),       f=One(), w=One(), M=answered,     source="autojudge", convention="rubric"),
    Metric("AVG_GRADE",       N=all_nuggets, f=One(), w=One(), M=BestSoFar(),  source="autojudge", convention="rubric"),
)
WEBIS = (
    Metric("vital_and_okay",  N=all_nuggets, f=One(), w=One(), M=FirstCover(), source="autojudge", convention="webis"),
)
# fmt: on
