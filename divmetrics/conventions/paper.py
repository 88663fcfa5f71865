"""Convention `paper`: the metrics as their papers define them. Compare with Table 1 of yu2017."""

from __future__ import annotations

from divmetrics.core.metric import ByIntentType, Collapsed, Gamma, Metric
from divmetrics.core.parts import *
from divmetrics.exact_ideal import MinimalRank, SmallestCover

# fmt: off
# ruff: noqa: E501, F403, F405  (the whole alphabet; a row is one line, as in the paper's table)
p, rp, gamma = Probability(), PreferredRank(), Gamma()
ideal_of_each, ideal_of_all, D_ideal = SortedIdeal("intent"), SortedIdeal("topic"), SortedIdeal("topic", M=Graded())
min_l_R = Count("min")

S_recall   = Metric("S-recall",   N=One(),          f=Uniform(),      w=One(),         M=FirstCover(),                        source="zhai2003")
I_rec      = Metric("I-rec",      N=One(),          f=Uniform(),      w=One(),         M=FirstCover(),                        source="sakai2010")
S_recall_lmin = Metric("S-recall-lmin", N=One(),        f=Uniform("relevant"), w=One(),     M=FirstCover(), stop=MinimalRank(),    source="carterettechandar2009")
S_precision   = Metric("S-precision",  N=SmallestCover(), f=One(),     w=Reciprocal(),  M=LevelReached(),                      source="zhai2003")
WS_precision  = Metric("WS-precision", N=SmallestCover(), f=One(),     w=One(),         M=LevelReached() * ReadingCost(),      source="zhai2003")
P_IA       = Metric("P-IA",       N=Count("l"),     f=p,              w=One(),         M=Relevant(),                          source="agrawal2009")
AP_IA      = Metric("AP-IA",      N=Count("l"),     f=p,              w=Reciprocal(),  M=Relevant() * RelevantSoFar(),        source="yu2017")
ERR_IA     = Metric("ERR-IA",     N=One(),          f=p,              w=Reciprocal(),  M=Cascade(Satisfaction()),             source="chapelle2011")
nDCG_IA    = Metric("nDCG-IA",    N=ideal_of_each,  f=p,              w=Log2(),        M=Graded(),                            source="agrawal2009")
Q_IA       = Metric("Q-IA",       N=min_l_R,        f=p,              w=One(),         M=Relevant() * BlendedRatio(),         source="sakaizeng2019")
RBP_IA     = Metric("RBP-IA",     N=One(),          f=p,              w=RankBiased(),  M=RelativeGain(),                      source="moffat2008")
EBR_IA     = Metric("EBR-IA",     N=One(),          f=p,              w=One(),         M=Cascade() * BlendedRatio(),          source="sakaizeng2019")
iRBU_IA    = Metric("iRBU-IA",    N=One(),          f=p,              w=Patience(),    M=Cascade(),                           source="sakaizeng2019")
RBU        = Metric("RBU",        N=One(),          f=NormalisedProbability(), w=Patience(),    M=Cascade() - Effort(),                source="amigo2018")
alpha_DCG  = Metric("alpha-DCG",  N=One(),          f=One(),          w=Log2(),        M=Novelty(alpha=0.5),                  source="clarke2008")
alpha_nDCG = Metric("alpha-nDCG", N=GreedyIdeal(),  f=One(),          w=Log2(),        M=Novelty(alpha=0.5),                  source="clarke2008")
NRBP       = Metric("NRBP",       N=UpperBoundInfinite(), f=One(),          w=Persistence(), M=Novelty(alpha=0.5),                  source="clarke2009")
D_nDCG     = Metric("D-nDCG",     N=ideal_of_all,   f=p,              w=Log2(),        M=Graded(),                            source="sakaisong2011")
DIN_nDCG   = Metric("DIN-nDCG",   N=D_ideal,        f=p,              w=Log2(),        M=ByKind(Graded(), Graded() * FirstCover()), source="sakai2012")
P_plus_IA  = Metric("P+-IA",      N=RelevantRetrieved(), f=p,              w=One(),         M=Relevant() * BlendedRatio(), stop=rp, source="sakai2012")
RR_IA      = Metric("RR-IA",      N=One(),          f=p,              w=Reciprocal(),  M=FirstCover(),                        source="voorhees1999")

RBU_original = Metric("RBU-original", N=GeometricTotal(), f=NormalisedProbability(), w=Patience(), M=Cascade(Satisfaction(top="intent")) - Effort(charged="documents"), source="amigo2018")

P_plus_Q = ByIntentType("P+Q", informational=Q_IA, navigational=P_plus_IA, source="sakai2012")

D_Q   = Collapsed("D-Q",   Q_IA,   "D",   source="sakaisong2011")
D_ERR = Collapsed("D-ERR", ERR_IA, "D",   source="sakaizeng2019")
D_EBR = Collapsed("D-EBR", EBR_IA, "D",   source="sakaizeng2019")
D_RBP = Collapsed("D-RBP", RBP_IA, "D",   source="sakaizeng2019")
DIN_Q = Collapsed("DIN-Q", Q_IA,   "DIN", source="sakai2012")
Ef_P  = Collapsed("Ef-P",  P_IA,   "DIN", source="sakai2012")

D_sharp_nDCG   = (gamma * I_rec + (1 - gamma) * D_nDCG).with_name("D#-nDCG", source="sakaisong2011")
D_sharp_Q      = (gamma * I_rec + (1 - gamma) * D_Q).with_name("D#-Q", source="sakaisong2011")
D_sharp_ERR    = (gamma * I_rec + (1 - gamma) * D_ERR).with_name("D#-ERR", source="sakaizeng2019")
D_sharp_EBR    = (gamma * I_rec + (1 - gamma) * D_EBR).with_name("D#-EBR", source="sakaizeng2019")
D_sharp_RBP    = (gamma * I_rec + (1 - gamma) * D_RBP).with_name("D#-RBP", source="sakaizeng2019")
DIN_sharp_nDCG = (gamma * I_rec + (1 - gamma) * DIN_nDCG).with_name("DIN#-nDCG", source="sakai2012")
DIN_sharp_Q    = (gamma * I_rec + (1 - gamma) * DIN_Q).with_name("DIN#-Q", source="sakai2012")
P_plus_Q_sharp = (gamma * I_rec + (1 - gamma) * P_plus_Q).with_name("P+Q#", source="sakai2012")
# fmt: on

ROWS = (
    *(S_recall, I_rec, S_recall_lmin, S_precision, WS_precision, P_IA, AP_IA, ERR_IA, nDCG_IA, Q_IA, RBP_IA, EBR_IA, iRBU_IA, RBU, RBU_original),
    *(alpha_DCG, alpha_nDCG, NRBP, D_nDCG, D_Q, D_ERR, D_EBR, D_RBP, DIN_nDCG, DIN_Q, P_plus_Q, Ef_P),
    *(D_sharp_nDCG, D_sharp_Q, D_sharp_ERR, D_sharp_EBR, D_sharp_RBP),
    *(DIN_sharp_nDCG, DIN_sharp_Q, P_plus_Q_sharp),
)
