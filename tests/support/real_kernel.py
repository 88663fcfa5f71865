"""A kernel of its own for a test module, and what came of a cell that ran in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_client.manager import KernelManager

PATIENCE = 60


@dataclass
class Ran:
    """What came of a cell."""

    status: str = ""
    error: str = ""
    data: dict[str, Any] = field(default_factory=dict)  # of the result
    shown: list[dict[str, Any]] = field(default_factory=list)
    stderr: str = ""

    @property
    def result(self) -> str:
        return self.data.get("text/plain", "")


class RealKernel:
    """A running kernel."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def run(self, code: str) -> Ran:
        ran = Ran()

        def output(message: dict[str, Any]) -> None:
            kind, content = message["msg_type"], message["content"]
            if kind == "execute_result":
                ran.data = content["data"]
            elif kind == "display_data":
                ran.shown.append(content["data"])
            elif kind == "error":
                ran.error = "\n".join(content["traceback"])
            elif kind == "stream" and content["name"] == "stderr":
                ran.stderr += content["text"]

        reply = self.client.execute_interactive(
            code, output_hook=output, timeout=PATIENCE, stop_on_error=False
        )
        ran.status = reply["content"]["status"]
        return ran


@contextmanager
def started(manager: KernelManager, folder: Path) -> Iterator[KernelManager]:
    """A kernel in a folder that holds its own settings; nothing of it is left."""
    manager.start_kernel(env={**os.environ, "IPYTHONDIR": str(folder)}, cwd=str(folder))
    try:
        yield manager
    finally:
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
        manager.context.destroy(linger=0)


@contextmanager
def connected(manager: KernelManager) -> Iterator[Any]:
    """A client of a kernel that is ready."""
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield client
    finally:
        client.stop_channels()
