"""Convention `ndeval`: the numbers of the TREC Web track's program (version 4.5).

Grades are binary, and all intents with a relevant document have equal weights. Rows that the papers do not
normalise are divided by the "ideal ideal"; normalised rows are divided by a greedy ideal list whose ties go
to the document id that comes last.
"""

from __future__ import annotations

from divmetrics.core.metric import Metric
from divmetrics.core.parts import *

# fmt: off
# ruff: noqa: E501, F403, F405  (the whole alphabet; a row is one line)
each    = Uniform(intents="relevant")
endless = UpperBoundInfinite(intents="relevant")
ideal2  = UpperBound(intents="relevant")
greedy  = GreedyIdeal(ties="descending")

ERR_IA     = Metric("ERR-IA",     N=ideal2,     f=One(), w=Reciprocal(),  M=Novelty(alpha=0.5),           source="ndeval", convention="ndeval")
nERR_IA    = Metric("nERR-IA",    N=greedy,     f=One(), w=Reciprocal(),  M=Novelty(alpha=0.5),           source="ndeval", convention="ndeval")
alpha_DCG  = Metric("alpha-DCG",  N=ideal2,     f=One(), w=Log2(),        M=Novelty(alpha=0.5),           source="ndeval", convention="ndeval")
alpha_nDCG = Metric("alpha-nDCG", N=greedy,     f=One(), w=Log2(),        M=Novelty(alpha=0.5),           source="ndeval", convention="ndeval")
NRBP       = Metric("NRBP",       N=endless,    f=One(), w=Persistence(), M=Novelty(alpha=0.5),           source="ndeval", convention="ndeval")
nNRBP      = Metric("nNRBP",      N=greedy,     f=One(), w=Persistence(), M=Novelty(alpha=0.5),           source="ndeval", convention="ndeval")
MAP_IA     = Metric("MAP-IA",     N=Count("R"), f=each,  w=Reciprocal(),  M=Relevant() * RelevantSoFar(), source="ndeval", convention="ndeval")
P_IA       = Metric("P-IA",       N=Count("l"), f=each,  w=One(),         M=Relevant(),                   source="ndeval", convention="ndeval")
strec      = Metric("strec",      N=One(),      f=each,  w=One(),         M=FirstCover(),                 source="ndeval", convention="ndeval")
# fmt: on

ROWS = (ERR_IA, nERR_IA, alpha_DCG, alpha_nDCG, NRBP, nNRBP, MAP_IA, P_IA, strec)
