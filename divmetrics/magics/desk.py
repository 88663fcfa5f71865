"""What the user of a kernel has written so far, found in the namespace."""

from __future__ import annotations

from typing import Any


class Desk:
    """The namespace of a kernel as the magics see it."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    @property
    def names(self) -> dict[str, Any]:
        """The user's namespace."""
        return self.shell.user_ns
