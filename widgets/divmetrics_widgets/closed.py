"""HTML that stays folded until a reader opens it: live, without a kernel, and exported."""

from __future__ import annotations

from html import escape


def closed(summary: str, html: str) -> str:
    """Wrap HTML in an element that a click on the summary opens."""
    # JupyterLab disables its shortcuts on this attribute, as inside a widget.
    return f'<details><summary data-lm-suppress-shortcuts="true">{escape(summary)}</summary>{html}</details>'
