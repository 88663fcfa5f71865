"""Compare systems and metrics: statistics, reports, counterfactuals, data sets and reproduced papers.

Everything here builds on the library, which never imports it.
"""

from __future__ import annotations

import lazy_loader

_SUBMODULES = (
    "counterfactual", "datasets", "disagreements", "meta", "papers", "report",
)  # fmt: skip

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, _SUBMODULES)
