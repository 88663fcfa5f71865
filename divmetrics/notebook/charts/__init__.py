"""Pictures of lists and scores (Altair), each with a description in words.

`contributions` shows where a score comes from, `ranked_list` what is in a list, `trade_off` how runs balance
diversity and relevance. The others draw the tables of `divmetrics.research.meta`: `run_rankings` and `topic_rankings`
under several metrics, `topic_differences` of two runs, `tau_per_topic`, `variation` with a parameter,
`asl_curves`, `concordance_map`, and `forest` of values with their intervals. `cutoff_curves` draws what
`divmetrics.compare` finds at several cutoffs, `pages` aggregated search pages (`divmetrics.research.aggregated`).
`marks_with_key` is for an Altair chart of your own.

A Figure shows itself in Jupyter without a network and saves itself as svg, png or html. Colours are Okabe and
Ito's and never the only sign; every picture can be read in grey.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from divmetrics.notebook.appearance.palette import OKABE_ITO
from divmetrics.optional import import_optional

if TYPE_CHECKING:
    from divmetrics.notebook.charts.asl_plot import asl_curves
    from divmetrics.notebook.charts.block_page_plot import pages
    from divmetrics.notebook.charts.concordance_table import concordance_map
    from divmetrics.notebook.charts.contribution_table import contributions
    from divmetrics.notebook.charts.cutoff_plot import cutoff_curves
    from divmetrics.notebook.charts.difference_plot import topic_differences
    from divmetrics.notebook.charts.figure import Figure
    from divmetrics.notebook.charts.forest_plot import forest
    from divmetrics.notebook.charts.legend import marks_with_key
    from divmetrics.notebook.charts.list_table import ranked_list
    from divmetrics.notebook.charts.ranking_plot import run_rankings, topic_rankings
    from divmetrics.notebook.charts.tau_plot import tau_per_topic, variation
    from divmetrics.notebook.charts.trade_off_plot import trade_off

__all__ = [
    "OKABE_ITO", "Figure", "asl_curves", "concordance_map", "contributions", "cutoff_curves", "forest",
    "marks_with_key", "pages", "ranked_list", "run_rankings", "tau_per_topic", "topic_differences",
    "topic_rankings", "trade_off", "variation",
]  # fmt: skip

# Altair is slow to import, and who only wants the palette does not need it.
_ON_FIRST_USE = {
    "Figure": "figure", "asl_curves": "asl_plot", "concordance_map": "concordance_table",
    "contributions": "contribution_table", "cutoff_curves": "cutoff_plot", "forest": "forest_plot",
    "marks_with_key": "legend", "pages": "block_page_plot", "ranked_list": "list_table",
    "run_rankings": "ranking_plot", "tau_per_topic": "tau_plot", "topic_differences": "difference_plot",
    "topic_rankings": "ranking_plot", "trade_off": "trade_off_plot", "variation": "tau_plot",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _ON_FIRST_USE:
        import_optional("altair", f"divmetrics.notebook.charts.{name}")
        return getattr(import_module(f"divmetrics.notebook.charts.{_ON_FIRST_USE[name]}"), name)
    raise AttributeError(f"module 'divmetrics.notebook.charts' has no attribute {name!r}")
