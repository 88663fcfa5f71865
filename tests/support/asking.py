"""What a lab answers to a request of the browser, without a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from divmetrics_widgets.bench import EditableLists


def answers(lab: EditableLists, kind: str, **args: Any) -> list[dict[str, Any]]:
    """Every answer, without its id, to a request about the page that the lab shows, or another one (`of`)."""
    sent: list[dict[str, Any]] = []
    if kind not in ("families", "preset"):
        args = {"of": lab._current_page()[0], **args}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab, "send", sent.append)
        lab._handle_custom_msg({"id": "x", "kind": kind, "args": args}, [])
    assert all(answer.pop("id") == "x" for answer in sent)
    return sent


def answer(lab: EditableLists, kind: str, **args: Any) -> Any:
    """The one result."""
    (only,) = answers(lab, kind, **args)
    return only["result"]
