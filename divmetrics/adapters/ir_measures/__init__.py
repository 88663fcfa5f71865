"""Use the metrics in ir_measures, and so in PyTerrier's experiments: importing this package is enough.

    import ir_measures
    from divmetrics.adapters.ir_measures import Dsharp_nDCG

    ir_measures.calc_aggregate([Dsharp_nDCG @ 10, ir_measures.nDCG @ 10], qrels, run)

A metric's name becomes an identifier of Python: `#` is written sharp, `+` plus, and an underscore stands
between the words (`Dsharp_nDCG`, `P_plus_Q`, `I_rec`). The convention may precede it
(`ndeval_alpha_nDCG`). If ir_measures has a measure of that name, the bare name in ir_measures keeps its
meaning, and ours is called `paper_alpha_nDCG` there; `divmetrics.adapters.ir_measures.alpha_nDCG` is ours.
Parameters are those of the metric, and `rel` (lower grades count as 0), `judged_only` (documents without a
judgment are left out of the lists) and `scale` (the top grade; else the highest in the judgments).

The field `iteration` of judgments holds the subtopic, as from `ir_measures.read_trec_qrels`; a field
`subtopic` holds a second level. Intents are equally probable unless `with_topics` sets probabilities. A run
is ordered by score, equal scores by document id descending, as in trec_eval; every judged topic is scored,
and a topic that the run does not answer scores 0. Scores equal those of `divmetrics.evaluate` with
order="score".
"""

from __future__ import annotations

from typing import Any

from divmetrics.optional import import_optional

import_optional("ir_measures", "divmetrics.adapters.ir_measures")

# isort: split
from divmetrics.adapters.ir_measures.measures import MEASURES, measure
from divmetrics.adapters.ir_measures.provider import provider, with_topics

__all__ = ["measure", "provider", "with_topics", *MEASURES]


def __getattr__(name: str) -> Any:
    if name in MEASURES:
        return MEASURES[name]
    raise AttributeError(f"module 'divmetrics.adapters.ir_measures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *MEASURES]
