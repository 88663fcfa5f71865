"""Load the magics into an IPython shell, and unload them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Topic
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
from divmetrics.notebook.magics.magic import Magic, MagicError
from divmetrics.notebook.magics.session import Session

HOMES = (
    *(intents_magic, serp_magic, diveval_magic, explain_magic),
    *(metrics_magic, metric_magic, lab_magic, disagree_magic),
)
MAGICS: tuple[Magic, ...] = tuple(home.MAGIC for home in HOMES)

Undo = Callable[[], None]
_undo: WeakKeyDictionary[Any, list[Undo]] = WeakKeyDictionary()


def load(shell: Any) -> None:
    """Add the magics to a shell, with completion and help; loading again is harmless.

    Parameters
    ----------
    shell : InteractiveShell
        The shell of IPython.
    """
    unload(shell)
    session = Session(shell)
    by_name = {magic.name: magic for magic in MAGICS}
    done = _undo[shell] = [undo for magic in MAGICS for undo in _register(shell, magic, session)]
    done.append(completion.install(shell, session, by_name))
    done.append(inspection.install(shell, by_name))
    done += _formatters(shell, session)


def unload(shell: Any) -> None:
    """Remove everything that `load` added, and restore what it replaced.

    Parameters
    ----------
    shell : InteractiveShell
        The shell of IPython.
    """
    for undo in reversed(_undo.pop(shell, [])):
        undo()


def _register(shell: Any, magic: Magic, session: Session) -> list[Undo]:
    kinds = ("line", "cell") if magic.kind == "line_cell" else (magic.kind,)
    tables = [shell.magics_manager.magics[kind] for kind in kinds]
    return [_put(table, magic.name, _function(magic, session)) for table in tables]


def _put(table: dict[Any, Any], key: object, value: object) -> Undo:
    """Put an entry into a table of the shell; return a function that restores the previous entry."""
    before = table.get(key)
    table[key] = value

    def undo() -> None:
        table.pop(key, None)
        if before is not None:
            table[key] = before

    return undo


def _function(magic: Magic, session: Session) -> Callable[..., object]:
    """Return the function that IPython calls; its docstring is the text of `%diveval?`.

    The function raises MagicError, which IPython displays as one line, in place of DivmetricsError.
    """

    def run(line: str, cell: str | None = None) -> object:
        text = (line,) if cell is None else (line, cell)
        session.notes.clear()
        try:
            with _collect_warnings(session):
                result = magic.run(session, *text)
        except DivmetricsError as error:
            sign = f"%%{magic.name}" if cell is not None else f"%{magic.name}"
            raise MagicError(start_and_end(f"{sign}: {error}")) from None
        if session.notes:
            _show(session)
        return result

    run.__doc__ = magic.run.__doc__
    run.__name__ = run.__qualname__ = magic.name
    return run


@contextmanager
def _collect_warnings(session: Session) -> Iterator[None]:
    """Turn warnings of divmetrics into notes; pass others on."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DivmetricsWarning)
        yield
    for warning in caught:
        if issubclass(warning.category, DivmetricsWarning):
            session.note(f"{warning.message}.")
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _show(session: Session) -> None:
    html = "".join(f'<div style="max-width:46em">{escape(note)}</div>' for note in session.notes)
    session.shell.display_pub.publish({"text/plain": "\n".join(session.notes), "text/html": html})


def _formatters(shell: Any, session: Session) -> list[Undo]:
    """Make the shell display lists and topics as tables."""
    formatters = shell.display_formatter.formatters

    def about(ranked: RankedList) -> dict[str, str]:
        return session.about(ranked.judgments)

    html, plain = formatters["text/html"], formatters["text/plain"]
    printers: list[tuple[Any, type, Callable[..., Any]]] = [
        (html, RankedList, lambda ranked: list_tables.list_html(ranked, about(ranked))),
        (html, Topic, list_tables.topic_html),
        (plain, RankedList, lambda ranked, p, _: _lines(p, list_tables.list_text(ranked, about(ranked)))),
        (plain, Topic, lambda topic, p, _: _lines(p, list_tables.topic_text(topic))),
    ]
    return [_put(formatter.type_printers, kind, show) for formatter, kind, show in printers]


def _lines(printer: Any, text: str) -> None:
    """Print the first line inside a container, and all lines at the top level."""
    first, *others = text.splitlines()
    printer.text(first)
    for line in others if printer.indentation == 0 else ():
        printer.break_()
        printer.text(line)
