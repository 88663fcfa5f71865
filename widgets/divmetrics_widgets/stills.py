"""Static HTML of displayed objects, for content that a reader unfolds."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from divmetrics.errors import DivmetricsError

_LIVE = "application/vnd.jupyter.widget-view+json"


def static_html_of(thing: object) -> tuple[str, str]:
    """Return the HTML and the text of an object with `_repr_mimebundle_` or `_repr_html_`, or of a text.

    A text appears as `print` would write it. Raises DivmetricsError for a widget, which would be only a
    picture, and for other objects.
    """
    if isinstance(thing, str):
        return printed(thing), thing
    data, metadata = _forms(thing)
    if not data or _LIVE in data:
        why = "a widget, which needs a cell of its own" if data else "which shows itself neither way"
        raise DivmetricsError(
            f"to be shown with the answer is {type(thing).__name__}, {why}; expected a text, or what has "
            "_repr_html_ or _repr_mimebundle_, such as a DataFrame or a figure"
        )
    return mimebundle_to_html(data, metadata), str(data.get("text/plain", repr(thing)))


def _forms(thing: object) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return an object's representations by MIME type, and their metadata; empty for a mere repr."""
    bundle, html = (getattr(thing, f"_repr_{form}_", None) for form in ("mimebundle", "html"))
    if isinstance(thing, type):
        return {}, {}
    if callable(bundle):
        result = bundle() or {}
        return result if isinstance(result, tuple) else (result, {})
    if callable(html):
        html_text, text_form = html(), {"text/plain": repr(thing)}
        return text_form if html_text is None else {**text_form, "text/html": html_text}, {}
    return {}, {}


def mimebundle_to_html(data: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """Convert displayed output to HTML; a drawing becomes an image, since untrusted notebooks drop <svg>."""
    plain = str(data.get("text/plain", ""))
    if "text/html" in data:
        return str(data["text/html"])
    if "image/svg+xml" in data:
        # Not in base64: JupyterLab reads in the address whether to display a figure on a dark ground.
        return f'<img src="data:image/svg+xml,{quote(data["image/svg+xml"])}" alt="{escape(plain)}">'
    if "image/png" in data:
        width = metadata.get("image/png", {}).get("width")
        size = f' width="{width}"' if width else ""
        return f'<img src="data:image/png;base64,{data["image/png"]}" alt="{escape(plain)}"{size}>'
    return printed(plain)


def printed(text: str) -> str:
    """Return a text as printed; nothing for an empty one."""
    return f"<pre>{escape(text.rstrip())}</pre>" if text.strip() else ""
