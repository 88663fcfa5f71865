"""What is read only when its reader opens it: live, without a kernel, and exported."""

from __future__ import annotations

from html import escape


def closed(summary: str, html: str) -> str:
    """HTML behind a summary, a text that opens it."""
    # JupyterLab's own keys sleep on it, as they do inside a widget.
    return f'<details><summary data-lm-suppress-shortcuts="true">{escape(summary)}</summary>{html}</details>'
