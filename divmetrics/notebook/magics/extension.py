"""Loading and unloading: what the extension puts into a shell, and takes out again."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

from divmetrics.core.collection import RankedList, Topic
from divmetrics.errors import DivmetricsError, DivmetricsWarning, start_and_end
from divmetrics.notebook.magics import (
    completion,
    disagree_magic,
    diveval_magic,
    explain_magic,
    inspection,
    intents_magic,
    lab_magic,
    list_tables,
    metric_magic,
    metrics_magic,
    serp_magic,
)
from divmetrics.notebook.magics.magic import Magic
from divmetrics.notebook.magics.magic_error import MagicError
from divmetrics.notebook.magics.session import Session

HOMES = (
    *(intents_magic, serp_magic, diveval_magic, explain_magic),
    *(metrics_magic, metric_magic, lab_magic, disagree_magic),
)
MAGICS: tuple[Magic, ...] = tuple(home.MAGIC for home in HOMES)

Undo = Callable[[], None]
_undo: WeakKeyDictionary[Any, list[Undo]] = WeakKeyDictionary()


def load(shell: Any) -> None:
    """Put the magics into a shell, with completion and help; again is harmless."""
    unload(shell)
    desk = Session(shell)
    by_name = {magic.name: magic for magic in MAGICS}
    done = _undo[shell] = [undo for magic in MAGICS for undo in _register(shell, magic, desk)]
    done.append(completion.install(shell, desk, by_name))
    done.append(inspection.install(shell, by_name))
    done += _formatters(shell, desk)


def unload(shell: Any) -> None:
    """Take out everything that `load` put in, and put back what it replaced."""
    for undo in reversed(_undo.pop(shell, [])):
        undo()


def _register(shell: Any, magic: Magic, desk: Session) -> list[Undo]:
    kinds = ("line", "cell") if magic.kind == "line_cell" else (magic.kind,)
    tables = [shell.magics_manager.magics[kind] for kind in kinds]
    return [_put(table, magic.name, _function(magic, desk)) for table in tables]


def _put(table: dict[Any, Any], key: object, value: object) -> Undo:
    """Put something in a table of the shell's; what is returned puts back what was there."""
    before = table.get(key)
    table[key] = value

    def undo() -> None:
        table.pop(key, None)
        if before is not None:
            table[key] = before

    return undo


def _function(magic: Magic, desk: Session) -> Callable[..., object]:
    """What IPython calls; its documentation is what `%diveval?` shows."""

    def run(line: str, cell: str | None = None) -> object:
        text = (line,) if cell is None else (line, cell)
        desk.notes.clear()
        try:
            with _told(desk):
                result = magic.run(desk, *text)
        except DivmetricsError as error:
            sign = f"%%{magic.name}" if cell is not None else f"%{magic.name}"
            raise MagicError(start_and_end(f"{sign}: {error}")) from None
        if desk.notes:
            _show(desk)
        return result

    run.__doc__ = magic.run.__doc__
    run.__name__ = run.__qualname__ = magic.name
    return run


@contextmanager
def _told(desk: Session) -> Iterator[None]:
    """Warnings of divmetrics become notes; others go their way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DivmetricsWarning)
        yield
    for warning in caught:
        if issubclass(warning.category, DivmetricsWarning):
            desk.note(f"{warning.message}.")
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _show(desk: Session) -> None:
    html = "".join(f'<div style="max-width:46em">{escape(note)}</div>' for note in desk.notes)
    desk.shell.display_pub.publish({"text/plain": "\n".join(desk.notes), "text/html": html})


def _formatters(shell: Any, desk: Session) -> list[Undo]:
    """Lists and topics show themselves as tables, wherever they come from."""
    formatters = shell.display_formatter.formatters

    def about(ranked: RankedList) -> dict[str, str]:
        return desk.about(ranked.judgments)

    html, plain = formatters["text/html"], formatters["text/plain"]
    shown: list[tuple[Any, type, Callable[..., Any]]] = [
        (html, RankedList, lambda ranked: list_tables.list_html(ranked, about(ranked))),
        (html, Topic, list_tables.topic_html),
        (plain, RankedList, lambda ranked, p, _: _lines(p, list_tables.list_text(ranked, about(ranked)))),
        (plain, Topic, lambda topic, p, _: _lines(p, list_tables.topic_text(topic))),
    ]
    return [_put(formatter.type_printers, kind, show) for formatter, kind, show in shown]


def _lines(printer: Any, text: str) -> None:
    """Inside a list or a table of lists one line is enough; alone all of it."""
    first, *others = text.splitlines()
    printer.text(first)
    for line in others if printer.indentation == 0 else ():
        printer.break_()
        printer.text(line)
