"""Loading and unloading: what the extension puts into a shell, and takes out again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from divmetrics.errors import DivmetricsError
from divmetrics.magics import metrics_magic
from divmetrics.magics.desk import Desk
from divmetrics.magics.failure import MagicError
from divmetrics.magics.magic import Magic

MAGICS: tuple[Magic, ...] = (metrics_magic.MAGIC,)

_undo: WeakKeyDictionary[Any, list[Callable[[], None]]] = WeakKeyDictionary()


def load(shell: Any) -> None:
    """Put the magics into a shell; again is harmless."""
    unload(shell)
    desk = Desk(shell)
    _undo[shell] = [_register(shell, magic, desk) for magic in MAGICS]


def unload(shell: Any) -> None:
    """Take out everything that `load` put in, and put back what it replaced."""
    for undo in reversed(_undo.pop(shell, [])):
        undo()


def _register(shell: Any, magic: Magic, desk: Desk) -> Callable[[], None]:
    manager = shell.magics_manager
    kinds = ("line", "cell") if magic.kind == "line_cell" else (magic.kind,)
    before = {kind: manager.magics[kind].get(magic.name) for kind in kinds}
    for kind in kinds:
        manager.magics[kind][magic.name] = _function(magic, desk)

    def undo() -> None:
        for kind, found in before.items():
            manager.magics[kind].pop(magic.name, None)
            if found is not None:
                manager.magics[kind][magic.name] = found

    return undo


def _function(magic: Magic, desk: Desk) -> Callable[..., object]:
    """What IPython calls; its documentation is what `%diveval?` shows."""

    def run(line: str, cell: str | None = None) -> object:
        text = (line,) if cell is None else (line, cell)
        sign = f"%%{magic.name}" if cell is not None else f"%{magic.name}"
        try:
            return magic.run(desk, *text)
        except DivmetricsError as error:
            raise MagicError(f"{sign}: {error}") from None

    run.__doc__ = magic.run.__doc__
    run.__name__ = run.__qualname__ = magic.name
    return run
