"""What things show of themselves, as HTML that stands still: for what a page opens and closes."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from divmetrics.errors import DivmetricsError

_LIVE = "application/vnd.jupyter.widget-view+json"


def static_html_of(thing: object) -> tuple[str, str]:
    """The HTML of a thing, and its text: of one with `_repr_mimebundle_` or `_repr_html_`, or of a text.

    A text is shown as `print` shows it. DivmetricsError for a widget, of which only a picture would be seen,
    and for anything else.
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
    """What a thing shows by MIME type, and what belongs to it; nothing where it only has a repr."""
    bundle, html = (getattr(thing, f"_repr_{form}_", None) for form in ("mimebundle", "html"))
    if isinstance(thing, type):
        return {}, {}
    if callable(bundle):
        found = bundle() or {}
        return found if isinstance(found, tuple) else (found, {})
    if callable(html):
        shown, plain = html(), {"text/plain": repr(thing)}
        return plain if shown is None else {**plain, "text/html": shown}, {}
    return {}, {}


def mimebundle_to_html(data: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """What was displayed, from its forms; a picture as an image: a stranger's notebook shows no <svg>."""
    plain = str(data.get("text/plain", ""))
    if "text/html" in data:
        return str(data["text/html"])
    if "image/svg+xml" in data:
        # Not in base64: what tells JupyterLab of a figure, to show it dark, must be read in the address.
        return f'<img src="data:image/svg+xml,{quote(data["image/svg+xml"])}" alt="{escape(plain)}">'
    if "image/png" in data:
        width = metadata.get("image/png", {}).get("width")
        size = f' width="{width}"' if width else ""
        return f'<img src="data:image/png;base64,{data["image/png"]}" alt="{escape(plain)}"{size}>'
    return printed(plain)


def printed(text: str) -> str:
    """A text as it was printed; nothing for an empty one."""
    return f"<pre>{escape(text.rstrip())}</pre>" if text.strip() else ""
