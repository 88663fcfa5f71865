"""What the browser is sent while a widget is made: one message with the whole state, or none."""

from __future__ import annotations

import inspect
from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm

from divmetrics.errors import DivmetricsError
from divmetrics_widgets import RankedListLab
from tools.explore.messages import SUBJECTS

Sent = list[tuple[str, str, dict[str, Any]]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """The messages to the browser: each with its model, its type and its content."""
    messages: Sent = []

    class Recorder(BaseComm):
        def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
            messages.append((self.comm_id, msg_type, data))

    monkeypatch.setattr(comm, "create_comm", Recorder)
    return messages


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_widget_is_announced_once_with_its_whole_state(name: str, sent: Sent) -> None:
    widget = SUBJECTS[name].make()
    ((_, kind, data),) = [message for message in sent if message[0] == widget.model_id]
    assert kind == "comm_open"
    assert data["state"] == widget.get_state()


def test_a_widget_that_cannot_be_made_is_not_announced(sent: Sent) -> None:
    with pytest.raises(DivmetricsError):
        RankedListLab("no such topic")
    assert not any("_esm" in data["state"] for _, _, data in sent)


def test_help_shows_the_parameters_of_a_widget() -> None:
    assert [*inspect.signature(RankedListLab).parameters] == ["start", "b", "metrics", "about", "goal"]
