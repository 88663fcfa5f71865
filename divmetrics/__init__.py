"""divmetrics: how to measure the diversity of search results.

Every metric is one row of one formula (Yu et al. 2017): a score is the sum of what each intent earns at each
rank. See `evaluate`, `compare`, `explain` and `metric`, or `divmetrics metrics` on the command line.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import divmetrics.process  # noqa: F401 - first, since it hears a Ctrl-C while the rest is loaded

# isort: split
from divmetrics.core.collection import Collection, Intent, Pool, RankedList, Run, Topic
from divmetrics.core.metric import Metric
from divmetrics.core.rules import check
from divmetrics.core.views import View
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.loading import load_collection, load_runs
from divmetrics.names.parse import metric
from divmetrics.names.registered import register, unregister
from divmetrics.readers import read_qrels, read_run, read_topics
from divmetrics.relevance_evaluator import RelevanceEvaluator

if TYPE_CHECKING:
    from divmetrics.comparison import compare
    from divmetrics.disagreements import disagree
    from divmetrics.explanations import explain, explain_in_words
    from divmetrics.flips import flip, reader_mix
    from divmetrics.reported import which

__version__ = "0.1.0"

__all__ = [
    "Collection", "DivmetricsError", "DivmetricsWarning", "Intent", "Metric", "Pool", "RankedList",
    "RelevanceEvaluator", "Run", "Topic", "View", "blocks", "charts", "check", "compare", "comparison",
    "core", "datasets", "disagree", "evaluate", "explain", "explain_in_words", "explanations", "flip",
    "flips", "load_collection", "load_runs", "meta", "metric", "names", "parts", "read_qrels", "read_run",
    "read_topics", "reader_mix", "register", "reproduce", "tables", "unregister", "which", "written",
]  # fmt: skip

# Charts and meta bring Altair or pandas, both slow; scores need no explanations.
_ON_FIRST_USE = (
    "blocks", "charts", "comparison", "datasets", "explanations", "flips", "meta", "parts", "reproduce",
    "written",
)  # fmt: skip
_FUNCTIONS_ON_FIRST_USE = {
    "compare": "comparison",
    "disagree": "disagreements",
    "explain": "explanations",
    "explain_in_words": "explanations",
    "flip": "flips",
    "reader_mix": "flips",
    "which": "reported",
}


def __getattr__(name: str) -> Any:
    if name in _ON_FIRST_USE:
        return import_module(f"divmetrics.{name}")
    if name in _FUNCTIONS_ON_FIRST_USE:
        return getattr(import_module(f"divmetrics.{_FUNCTIONS_ON_FIRST_USE[name]}"), name)
    raise AttributeError(f"module 'divmetrics' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext divmetrics`: magics for lists, metrics and scores (see `%lsmagic`)."""
    import_module("divmetrics.magics").load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext divmetrics`: everything is as it was before."""
    import_module("divmetrics.magics").unload(shell)
