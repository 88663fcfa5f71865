"""Readable signatures and table heads: an extension of Sphinx."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

# What the limits of a parameter are is said in its settings, below the description.
LIMITS = re.compile(
    r"~?[\w.]*Annotated\[(\w+|~?[\w.]*Literal\[[^\]]*\]), ~?[\w.]*Setting\(.*?\)\](?= =|,|\))"
)
# Sphinx sets parameters line by line as a list of definitions without terms, which no screen reader knows.
LINES = re.compile(r"<dl>\s*((?:<dd>(?:(?!<d[tdl]\b).)*?</dd>\s*)+)</dl>", re.DOTALL)

# A column without a name has no head, not an empty one.
NO_HEAD = re.compile(r'<th class="head[^"]*"><p></p></th>')


# A row of which only the first column says something is a heading for those below it.
GROUP = re.compile(
    r'<tr class="([^"]*)">(?=(<td[^>]*><p>(?:(?!</td>).)+</p></td>)\s*(?:<td[^>]*><p></p></td>\s*)+</tr>)'
)


def short(signature: str) -> str:
    """Return the signature with a setting reduced to its type."""
    return LIMITS.sub(r"\1", signature)


def in_lines(html: str) -> str:
    """Return the page with every parameter of a signature on a line of its own."""
    return LINES.sub(
        lambda match: match[1].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>"), html
    )


def grouped(html: str) -> str:
    """Return the page with heading rows of tables marked as such: they span the columns."""
    return GROUP.sub(r'<tr class="\1 group">', html)


def _signature(
    app: Sphinx, what: str, name: str, obj: object, options: object, signature: str | None, gives: str | None
) -> tuple[str | None, str | None]:
    return signature and short(signature), gives


def _page(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    if "body" in context:
        context["body"] = grouped(NO_HEAD.sub("<td></td>", in_lines(context["body"])))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-signature", _signature, priority=900)
    app.connect("html-page-context", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
