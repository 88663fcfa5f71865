"""Convention `ntcireval`: the numbers of Sakai's NTCIREVAL.

Users stop with probability g/(h+1), where h is the largest gain in the ideal list; RBP divides by h and has
phi .95; I-rec ignores intents without a relevant document. Gains are linear, or 1, 3, 7 with
gain=exponential.
"""

from __future__ import annotations

from dataclasses import replace

from divmetrics.conventions import adhoc, paper
from divmetrics.core.metric import BaseMetric, ByIntentType, Collapse, Collapsed, Gamma, Metric
from divmetrics.core.parts import *

# fmt: off
# ruff: noqa: E501, F403, F405  (the whole alphabet; a row is one line)
p, gamma, ideal = paper.p, Gamma(), SortedIdeal("intent")
stop, share, blended = Cascade(GainRatio()), RelativeGain(top="ideal"), BlendedRatio()

I_rec    = Metric("I-rec",    N=One(), f=Uniform("relevant"), w=One(),            M=FirstCover(),   source="ntcireval")
nDCG_IA  = paper.nDCG_IA
Q_IA     = paper.Q_IA
ERR_IA   = Metric("ERR-IA",   N=One(), f=p,                   w=Reciprocal(),     M=stop,           source="ntcireval")
nERR_IA  = Metric("nERR-IA",  N=ideal, f=p,                   w=Reciprocal(),     M=stop,           source="ntcireval")
EBR_IA   = Metric("EBR-IA",   N=One(), f=p,                   w=One(),            M=stop * blended, source="ntcireval")
nEBR_IA  = Metric("nEBR-IA",  N=ideal, f=p,                   w=One(),            M=stop * blended, source="ntcireval")
RBP_IA   = Metric("RBP-IA",   N=One(), f=p,                   w=RankBiased(0.95), M=share,          source="ntcireval")
nRBP_IA  = Metric("nRBP-IA",  N=ideal, f=p,                   w=RankBiased(0.95), M=share,          source="ntcireval")
iRBU_IA  = Metric("iRBU-IA",  N=One(), f=p,                   w=Patience(0.99),   M=stop,           source="ntcireval")
niRBU_IA = Metric("niRBU-IA", N=ideal, f=p,                   w=Patience(0.99),   M=stop,           source="ntcireval")
P_plus_Q = ByIntentType("P+Q", informational=Q_IA, navigational=paper.P_plus_IA, source="ntcireval")
# fmt: on

IA = (nDCG_IA, Q_IA, ERR_IA, nERR_IA, EBR_IA, nEBR_IA, RBP_IA, nRBP_IA, iRBU_IA, niRBU_IA)


def _merged(row: Metric, collapse: Collapse) -> Collapsed:
    """Return D-X, DIN-X or the ad hoc X for the row X-IA."""
    name = row.name.removesuffix("-IA")
    return Collapsed(
        name if collapse == "ad hoc" else f"{collapse}-{name}", row, collapse, source="ntcireval"
    )


def _sharp(metric: BaseMetric, name: str) -> BaseMetric:
    """Return gamma I-rec + (1 - gamma) X for the metric X."""
    return (gamma * I_rec + (1 - gamma) * metric).with_name(name, source="ntcireval")


D = (paper.D_nDCG, *(_merged(row, "D") for row in IA if row is not nDCG_IA))
DIN = (paper.DIN_nDCG, *(_merged(row, "DIN") for row in IA if row is not nDCG_IA))
D_SHARP = tuple(_sharp(m, m.name.replace("-", "#-")) for m in (*D, *DIN))
# The program's D#-RBU contains D-iRBU, which charges no effort.
RBU_SHARP = tuple(_sharp(m, m.name.replace("-iRBU", "#-RBU")) for m in (*D, *DIN) if m.name.endswith("-iRBU"))
AD_HOC = tuple(_merged(row, "ad hoc") for row in IA)
OTHERS = (
    *(adhoc.Prec, adhoc.P_plus, adhoc.AP, adhoc.RR),
    *(adhoc.O_measure, adhoc.NCUrb_P, adhoc.NCUrb_BR, adhoc.one_call),
)

ROWS = tuple(
    replace(row, convention="ntcireval")
    for row in (
        I_rec,
        *IA,
        *D,
        *DIN,
        *D_SHARP,
        *RBU_SHARP,
        P_plus_Q,
        _sharp(P_plus_Q, "P+Q#"),
        *AD_HOC,
        *OTHERS,
    )
)
