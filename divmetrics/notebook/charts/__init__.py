"""Draw ranked lists and scores with Altair; every chart has a description in words.

`contributions` draws where a score comes from, `ranked_list` the labels of a list, `trade_off` diversity
against relevance of each run. The others draw the tables of `divmetrics.research.meta`: `run_rankings` and
`topic_rankings` under several metrics, `topic_differences` of two runs, `tau_per_topic`, `variation` with a
parameter, `asl_curves`, `concordance_map`, and `forest` for values with intervals. `swapped_pairs` draws two
rankings side by side, `null_distribution` what chance alone does to a statistic. `cutoff_curves` draws the
result of `divmetrics.compare` at several cutoffs, `pages` aggregated search pages
(`divmetrics.aggregated`). `marks_with_key` serves an Altair chart of your own.

A Figure renders itself in Jupyter without a network and saves itself as svg, png or html. Colours are those
of Okabe and Ito, and each is paired with a shape or a text, so every chart can be read in greyscale.
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
    from divmetrics.notebook.charts.null_plot import null_distribution
    from divmetrics.notebook.charts.ranking_plot import run_rankings, topic_rankings
    from divmetrics.notebook.charts.swap_plot import swapped_pairs
    from divmetrics.notebook.charts.tau_plot import tau_per_topic, variation
    from divmetrics.notebook.charts.trade_off_plot import trade_off

__all__ = [
    "OKABE_ITO", "Figure", "asl_curves", "concordance_map", "contributions", "cutoff_curves", "forest",
    "marks_with_key", "null_distribution", "pages", "ranked_list", "run_rankings", "swapped_pairs",
    "tau_per_topic", "topic_differences", "topic_rankings", "trade_off", "variation",
]  # fmt: skip

# Altair is slow to import, and the palette alone does not need it.
_ON_FIRST_USE = {
    "Figure": "figure", "asl_curves": "asl_plot", "concordance_map": "concordance_table",
    "contributions": "contribution_table", "cutoff_curves": "cutoff_plot", "forest": "forest_plot",
    "marks_with_key": "legend", "null_distribution": "null_plot", "pages": "block_page_plot",
    "ranked_list": "list_table", "run_rankings": "ranking_plot", "swapped_pairs": "swap_plot",
    "tau_per_topic": "tau_plot", "topic_differences": "difference_plot", "topic_rankings": "ranking_plot",
    "trade_off": "trade_off_plot", "variation": "tau_plot",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _ON_FIRST_USE:
        import_optional("altair", f"divmetrics.notebook.charts.{name}")
        return getattr(import_module(f"divmetrics.notebook.charts.{_ON_FIRST_USE[name]}"), name)
    raise AttributeError(f"module 'divmetrics.notebook.charts' has no attribute {name!r}")
