"""Several threads at once: the moments that one of them may meet, each held still."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import divmetrics as dm
from divmetrics.registry import session


class StillThere(dict[str, Any]):
    """Another thread takes a name away after this one has seen it."""

    def __contains__(self, name: object) -> bool:
        return True


class TakenOut(list[Any]):
    """Another thread takes everything out while this one goes through it."""

    def __iter__(self) -> Iterator[Any]:
        there = [*super().__iter__()]
        self.clear()
        return iter(there)


def test_metric_unregistered_by_two_threads(monkeypatch):
    monkeypatch.setattr(session, "_rows", StillThere())
    with pytest.raises(dm.DivmetricsError, match="no metric 'mine' was registered"):
        dm.unregister("mine")


def test_watchers_deleted_while_two_threads_notify(monkeypatch):
    watchers = TakenOut()
    monkeypatch.setattr(session, "_watchers", watchers)

    def gone(change: session.Change) -> None: ...

    session.watch(gone)
    assert len(watchers) == 1
    del gone
    session._notify(session.Change("new", "mine"))
    assert len(watchers) == 0


def test_ignoring_UserWarning_keeps_DivmetricsWarning():
    # pandas does so for moments, and the filters are those of all threads.
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", UserWarning)
        warnings.warn("one topic is missing", dm.DivmetricsWarning, stacklevel=1)
    assert [str(warning.message) for warning in heard] == ["one topic is missing"]


class Chart:
    """One that does something while it is made a specification."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.meanwhile = meanwhile

    def to_dict(self) -> dict[str, Any]:
        import altair as alt

        self.meanwhile()
        return {"theme": alt.theme.active}


def test_two_pictures_at_once_leave_the_readers_theme_alone():
    import altair as alt

    from divmetrics.notebook.charts import Figure

    begun, ended = threading.Event(), threading.Event()

    def specification(meanwhile: Callable[[], object]) -> dict[str, Any]:
        # Python 3.11 has a lock of its own around a cached property, later ones have none.
        return dict(vars(Figure)["spec"].func(Figure(Chart(meanwhile), "")))

    def second() -> None:
        specification(lambda: (begun.set(), ended.wait(60)))

    other = threading.Thread(target=second)

    def start_the_other() -> None:
        other.start()
        begun.wait(0.2)  # it begins only where nothing keeps it from that

    before = alt.theme.active
    with alt.theme.enable("dark"):
        specification(start_the_other)
        ended.set()
        other.join()
        left = alt.theme.active
    assert (left, alt.theme.active) == ("dark", before)


@pytest.mark.slow
def test_a_chart_has_pandas_whole():
    # Else Altair finds the half of it that another thread has loaded so far.
    code = (
        "import sys; from divmetrics.notebook.charts import ranked_list\n"
        "print(hasattr(sys.modules.get('pandas'), 'Timestamp'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
