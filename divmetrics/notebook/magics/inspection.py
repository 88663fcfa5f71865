"""Answer Shift+Tab on the name of a metric with its formula, parts and source.

Jupyter asks the kernel about the Python name at the cursor, and ERR-IA@5 consists of two; so the kernel's
answer is replaced at the name of a metric in the line of a magic or in quotation marks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.catalogue import describe
from divmetrics.notebook.magics.cursor import place, quoted_at, word_at
from divmetrics.notebook.magics.magic import Magic
from divmetrics.notebook.magics.metrics_magic import in_words, metric_html
from divmetrics.registry.parse import metric as metric_named


def metric_at(magics: Mapping[str, Magic], text: str, cursor: int) -> BaseMetric | None:
    """Return the metric whose name is at the cursor of a cell, or None."""
    here = place(text, cursor, magics)
    if here is None:
        return _metric(quoted_at(text, cursor))
    if here.body is not None:
        return None
    word = word_at(text, cursor)
    words = here.line.split()
    convention = words[words.index("--convention") + 1] if "--convention" in words[:-1] else None
    return _metric(word, convention)


def _metric(word: str, convention: str | None = None) -> BaseMetric | None:
    """Return the metric of a name, or of its beginning if the name is incomplete, or None."""
    for name in (word, word.partition("@")[0], word.partition("(")[0]):
        try:
            return metric_named(name, convention) if name else None
        except DivmetricsError:
            continue
    return None


def install(shell: Any, magics: Mapping[str, Magic]) -> Callable[[], None]:
    """Make the shell's kernel answer Shift+Tab on metrics; return an undo function.

    A terminal has no kernel; its shell does not change.
    """
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return lambda: None
    original = kernel.do_inspect

    def do_inspect(code: str, cursor_pos: int, *rest: Any, **more: Any) -> Any:
        metric = metric_at(magics, code, cursor_pos)
        if metric is None:
            return original(code, cursor_pos, *rest, **more)
        data = {"text/plain": describe(metric), "text/html": metric_html(metric, in_words)}
        return {"status": "ok", "found": True, "data": data, "metadata": {}}

    kernel.do_inspect = do_inspect

    def undo() -> None:
        if vars(kernel).get("do_inspect") is do_inspect:
            del kernel.do_inspect

    return undo
