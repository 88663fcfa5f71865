"""Ad hoc metrics: the rows of the diversity metrics with a single intent (m = 1).

On a topic with several intents, a document has the pseudo ad hoc grade of sakaizeng2019, section 4.
"""

from __future__ import annotations

from divmetrics.conventions import paper
from divmetrics.core.metric import Collapsed

AP_of_each = paper.AP_IA.with_parameters(of="min")  # the usual AP divides by R, not by the cutoff

# fmt: off
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
# fmt: on

ROWS = (Prec, nDCG, Q, ERR, EBR, RBP, iRBU, P_plus, AP, RR)
