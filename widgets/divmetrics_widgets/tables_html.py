"""Lists, scores and contributions as plain HTML tables, for pages without a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from divmetrics.explanations.contributions import Fold
from divmetrics.notebook.appearance.marks import html_marks
from divmetrics.notebook.appearance.palette import tint


def table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """Return an HTML table; cells hold HTML, and the first of each row is its head."""
    top = f"<caption>{caption}</caption>" if caption else ""
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(f'<tr><th scope="row">{row[0]}</th>{"".join(map(_cell, row[1:]))}</tr>' for row in rows)
    return f"<table>{top}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(content: str) -> str:
    """Return a <td>, unless the content already is one."""
    return content if content.startswith("<td") else f"<td>{content}</td>"


def lists_table(
    lists: Mapping[str, Sequence[str]], labels: Mapping[str, str], about: Mapping[str, str] | None = None
) -> str:
    """Return lists side by side: at each rank the document, its title if it has one, and its labels."""
    titles = about or {}
    depth = max((len(docs) for docs in lists.values()), default=0)
    rows = [
        [str(k + 1), *(_entry(docs[k], labels, titles) if k < len(docs) else "" for docs in lists.values())]
        for k in range(depth)
    ]
    return table(["rank", *(f"list {escape(name)}" for name in lists)], rows)


def _entry(doc: str, labels: Mapping[str, str], titles: Mapping[str, str]) -> str:
    title = titles.get(doc)
    name = f"<b>{escape(title)}</b> <small>{escape(doc)}</small>" if title else f"<b>{escape(doc)}</b>"
    return f'<td style="text-align:left">{name} {escape(labels.get(doc, ""))}</td>'


def scores_table(sides: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of the rows of `ListScorer.rows`."""
    two = len(sides) == 2
    head = ["metric", *sides, *([f"{sides[0]} − {sides[1]}", "prefers"] if two else [])]
    cells = []
    for row in rows:
        if "problem" in row:
            problem = f'<td colspan="{len(head) - 1}">{escape(row["problem"])}</td>'
            cells.append([escape(row["metric"]), problem])
        else:
            last = [row["difference"].replace("-", "−"), row["prefers"] or "neither"] if two else []
            cells.append([escape(row["metric"]), *row["scores"], *last])
    return table(head, cells)


def contributions_table(
    metric: str,
    which: str,
    intents: Mapping[str, int],
    earned: Mapping[str, Any],
    fold: Fold | None = None,
) -> str:
    """Return the contributions, intents by ranks, with their sums.

    which: the list in words: "list A", or "the list" if there is only one. intents: {name of a row: mark of
    its intent}. fold: rows to merge into one.
    """
    cells = earned["cells"]
    top = max((abs(value) for row in cells for value in row), default=0.0)
    ranks = range(len(cells[0]) if cells else 0)
    names = [f"{html_marks(mark)} {escape(name)}" for name, mark in intents.items()]
    named_rows = list(zip(names, cells, strict=True))
    caption = f"Where {escape(which)} earns {escape(metric)} = {earned['score']}"
    if fold:
        idle = [row for place, row in enumerate(cells) if place in fold.places]
        named_rows = [row for place, row in enumerate(named_rows) if place not in fold.places]
        named_rows.append((escape(fold.name), [sum(column) for column in zip(*idle, strict=True)]))
        caption += f".<br>{escape(fold.words)}"
    rows = [[name, *(_shaded(row[k], top) for k in ranks), f"{sum(row):.4f}"] for name, row in named_rows]
    totals = [f"{sum(row[k] for row in cells):.4f}" for k in ranks]
    rows.append(["all", *totals, f"<b>{earned['score']}</b>"])
    return table(["intent", *(f"rank {k + 1}" for k in ranks), "sum"], rows, caption)


def _shaded(value: float, top: float) -> str:
    if not value:
        return "<td></td>"
    return f'<td style="background-color:{tint(value, top).css}">{value:.4f}</td>'
