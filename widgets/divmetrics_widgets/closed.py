"""What is read only when its reader opens it, on every page: live, without a kernel, and exported."""

from __future__ import annotations

from html import escape


def closed(summary: str, html: str) -> str:
    """HTML behind a summary, a text that opens it."""
    # JupyterLab would take Enter, with which the keyboard opens it, for a key of its own.
    return f'<details><summary data-lm-suppress-shortcuts="true">{escape(summary)}</summary>{html}</details>'
