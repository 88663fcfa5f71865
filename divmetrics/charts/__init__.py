"""Pictures of lists and scores (Altair), each with a description in words.

`contributions` shows where a score comes from, `ranked_list` what is in a list, `trade_off` how runs balance
diversity and relevance. A Figure shows itself in Jupyter without a network and saves itself as svg, png or
html. Colours are Okabe and Ito's and never the only sign; every picture can be read in grey.
"""

from __future__ import annotations

from divmetrics.charts.contribution_table import contributions
from divmetrics.charts.figure import Figure
from divmetrics.charts.list_table import ranked_list
from divmetrics.charts.palette import OKABE_ITO
from divmetrics.charts.trade_off_plot import trade_off

__all__ = ["OKABE_ITO", "Figure", "contributions", "ranked_list", "trade_off"]
