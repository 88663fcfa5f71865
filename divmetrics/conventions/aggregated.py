"""Metrics of pages of blocks: the gain of a page for the effort of reading it (zhou2013).

The sum of a row is the gain, and its N the effort. The metrics score pages (`divmetrics.aggregated`), not
ranked lists: they are the `page_rows` of the convention "paper". The paper's formulas are lost in the copy
that we have: this is our reading of its words.
"""

from __future__ import annotations

from divmetrics.conventions.page_parts import BlockContinuation, IdealRate, Orientation
from divmetrics.core.metric import Metric
from divmetrics.core.parts import Graded, Log2, RankBiased, Reciprocal

orient = Orientation()
phi = RankBiased(0.8)  # our choice, since the paper's setting is lost; 1 - phi cancels out

# fmt: off
# ruff: noqa: E501  (a row is one line, as in the other tables)
AS_DCG = Metric("AS_DCG", N=IdealRate(),         f=orient, w=Log2(),       M=Graded(),            source="zhou2013")
AS_RBP = Metric("AS_RBP", N=IdealRate(),         f=orient, w=phi,          M=Graded(),            source="zhou2013")
AS_ERR = Metric("AS_ERR", N=IdealRate(BlockContinuation()), f=orient, w=Reciprocal(), M=Graded() * BlockContinuation(), source="zhou2013")
# fmt: on

ROWS = (AS_DCG, AS_RBP, AS_ERR)
