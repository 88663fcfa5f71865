from . import aggregated, core, notebook, parts, research
from .adapters.relevance_evaluator import RelevanceEvaluator
from .core.collection import Collection
from .core.judgments import Judgments
from .core.metric import Metric
from .core.runs import RankedList, Run
from .core.topics import Intent, Topic
from .errors import DivmetricsError, DivmetricsWarning
from .evaluation import evaluate, score
from .explanations import explain, explain_in_words
from .io import read_qrels, read_run, read_topics
from .io.loading import load_collection
from .io.page_loading import read_pages, read_queries
from .io.run_loading import load_runs
from .notebook import charts
from .registry.parse import metric, metrics
from .registry.rules import check
from .registry.session import register, unregister
from .research import datasets, meta
from .research.counterfactual import flip, reader_mix
from .research.disagreements import disagree
from .research.identify import identify_score
from .research.report import compare

__all__ = [
    "Collection",
    "DivmetricsError",
    "DivmetricsWarning",
    "Intent",
    "Judgments",
    "Metric",
    "RankedList",
    "RelevanceEvaluator",
    "Run",
    "Topic",
    "aggregated",
    "charts",
    "check",
    "compare",
    "core",
    "datasets",
    "disagree",
    "evaluate",
    "explain",
    "explain_in_words",
    "flip",
    "identify_score",
    "load_collection",
    "load_runs",
    "meta",
    "metric",
    "metrics",
    "notebook",
    "parts",
    "read_pages",
    "read_qrels",
    "read_queries",
    "read_run",
    "read_topics",
    "reader_mix",
    "register",
    "research",
    "score",
    "unregister",
]

__version__: str

def load_ipython_extension(shell: object) -> None: ...
def unload_ipython_extension(shell: object) -> None: ...
