"""Convention `nuggetizer`: the scores of answers by nuggets of the TREC RAG track.

Nuggets that are not assigned, and labels that are none, support nothing and count in N. Partial support
(grade 1) earns 1/2, or nothing in the strict scores. An importance that is neither vital nor okay counts in A
only. A topic without (vital) nuggets scores 0.
"""

from __future__ import annotations

from divmetrics.core.metric import Metric
from divmetrics.core.parts import *

# fmt: off
# ruff: noqa: E501, F403, F405  (the whole alphabet; a row is one line)
total, vital, weighted = TotalWeight(), Importance(), Importance(okay=0.5)
graded, strict = BestSoFar(Credit()), BestSoFar(AtLeast())

A        = Metric("A",        N=total, f=One(),    w=One(), M=graded, source="pradeep2025", convention="nuggetizer")
A_strict = Metric("A_strict", N=total, f=One(),    w=One(), M=strict, source="pradeep2025", convention="nuggetizer")
V        = Metric("V",        N=total, f=vital,    w=One(), M=graded, source="pradeep2025", convention="nuggetizer")
V_strict = Metric("V_strict", N=total, f=vital,    w=One(), M=strict, source="pradeep2025", convention="nuggetizer")
W        = Metric("W",        N=total, f=weighted, w=One(), M=graded, source="pradeep2025", convention="nuggetizer")
W_strict = Metric("W_strict", N=total, f=weighted, w=One(), M=strict, source="pradeep2025", convention="nuggetizer")
# fmt: on

ROWS = (A, A_strict, V, V_strict, W, W_strict)
