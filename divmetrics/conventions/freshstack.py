"""Convention `freshstack`: the numbers of the package freshstack (0.0.6).

alpha-nDCG is ndeval's, whose intents are the nuggets with a relevant document. Coverage counts all nuggets.
Recall counts the documents that are relevant to any nugget.
"""

from __future__ import annotations

from dataclasses import replace

from divmetrics.conventions import ndeval, paper
from divmetrics.core.metric import Collapsed, Metric
from divmetrics.core.parts import Count, One, Relevant

recall = Metric("Recall", N=Count("R"), f=One(), w=One(), M=Relevant())

# fmt: off
ROWS = (
    replace(ndeval.alpha_nDCG, source="thakur2025", convention="freshstack"),
    replace(paper.S_recall, name="Coverage", source="thakur2025", convention="freshstack"),
    Collapsed("Recall", recall, "ad hoc", source="thakur2025", convention="freshstack"),
)
# fmt: on
