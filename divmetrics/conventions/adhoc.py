"""Ad hoc metrics: the rows of the diversity metrics with a single intent (m = 1).

On a topic with several intents, a document has the pseudo ad hoc grade of sakaizeng2019, section 4.
"""

from __future__ import annotations

from divmetrics.conventions import paper
from divmetrics.core.metric import Collapsed, Metric
from divmetrics.core.parts import *

AP_of_each = paper.AP_IA.with_parameters(of="min")  # the usual AP divides by R, not by the cutoff

# fmt: off
# ruff: noqa: F403, F405  (the whole alphabet; a row is one line)
# Users of the normalised cumulative utility stop at relevant documents only: at each with a probability that
# is the same for all users who get there (NCUrb), or all of them at the first one (O).
stops, blended = Novelty(alpha=0.05), BlendedRatio()
first     = Metric("O",        N=One(),           f=paper.p, w=One(),        M=FirstCover() * blended)
precision = Metric("NCUrb-P",  N=StoppingTotal(), f=paper.p, w=Reciprocal(), M=stops * RelevantSoFar())
ratio     = Metric("NCUrb-BR", N=StoppingTotal(), f=paper.p, w=One(),        M=stops * blended)

Prec   = Collapsed("Prec", paper.P_IA,      "ad hoc", source="sakaizeng2019")
nDCG   = Collapsed("nDCG", paper.nDCG_IA,   "ad hoc", source="jarvelin2002")
Q      = Collapsed("Q",    paper.Q_IA,      "ad hoc", source="sakai2004")
ERR    = Collapsed("ERR",  paper.ERR_IA,    "ad hoc", source="chapelle2009")
EBR    = Collapsed("EBR",  paper.EBR_IA,    "ad hoc", source="sakaizeng2019")
RBP    = Collapsed("RBP",  paper.RBP_IA,    "ad hoc", source="moffat2008")
iRBU   = Collapsed("iRBU", paper.iRBU_IA,   "ad hoc", source="sakaizeng2019")
P_plus = Collapsed("P+",   paper.P_plus_IA, "ad hoc", source="sakai2012")
AP     = Collapsed("AP",   AP_of_each,      "ad hoc", source="sakaizeng2019")
RR     = Collapsed("RR",   paper.RR_IA,     "ad hoc", source="voorhees1999")
NCUrb_P   = Collapsed("NCUrb-P",  precision,      "ad hoc", source="sakairobertson2008")
NCUrb_BR  = Collapsed("NCUrb-BR", ratio,          "ad hoc", source="sakairobertson2008")
O_measure = Collapsed("O",        first,          "ad hoc", source="sakai2006one")
one_call  = Collapsed("1-call",   paper.S_recall, "ad hoc", source="chen2006")
# fmt: on

ROWS = (Prec, nDCG, Q, ERR, EBR, RBP, iRBU, P_plus, AP, RR, O_measure, NCUrb_P, NCUrb_BR, one_call)
