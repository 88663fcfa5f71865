"""Settings of Sphinx; see https://www.sphinx-doc.org/en/master/usage/configuration.html for the names."""

from __future__ import annotations

import os
from urllib.parse import quote

import divmetrics
from tools.launch_links import binder_address
from tools.readme import book, repository

project = "divmetrics"
author = "The divmetrics developers"
version = release = divmetrics.__version__
language = "en"

extensions = [
    *("myst_nb", "sphinx.ext.autodoc", "numpydoc"),
    *("tools.book.formulas", "tools.book.names", "tools.book.docstrings"),
    *("tools.book.signatures", "tools.book.descriptions", "tools.book.front_page"),
]

# Notebooks have been run; headings are linked to as JupyterLab links to them.
nb_execution_mode = "off"
nb_mime_priority_overrides = [
    ("html", mime, priority)
    for priority, mime in enumerate(("text/html", "image/png", "text/markdown", "text/plain"))
]
nb_render_markdown_format = "myst"  # tables and formulas, as in the prose
nb_merge_streams = True
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 6
myst_heading_slug_func = "tools.book.conf.slug"
myst_fence_as_directive = ["math"]

autodoc_inherit_docstrings = False  # what overrides says no more than what it overrides
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
maximum_signature_line_length = 80
toc_object_entries = False
numpydoc_show_class_members = False
add_module_names = False

smartquotes = False  # a page shows what stands in the notebook, letter by letter

html_theme = "furo"
html_title = "divmetrics"
html_static_path = ["static"]
exclude_patterns = ["**/front_page.*"]  # of these files: the front page has them in itself
templates_path = ["templates"]
html_css_files, html_js_files = ["tokens.css", "pages.css"], ["pages.js"]
html_favicon = "static/icon.svg"
html_math_renderer = "mathml"
# Where the book is published: of all its copies, the one that a search engine should name.
_published = book()
html_baseurl = f"{_published}/" if _published else ""
html_show_sourcelink = False
html_copy_source = False
html_show_search_summary = False  # it is fetched, which a browser refuses to a page from a disk
html_show_copyright = False
html_domain_indices = False
# Where a page opens with a kernel, {notebook} being its own: what LIVE says, or Binder if it knows us.
_url = repository()
html_context = {"live": os.environ.get("LIVE") or (binder_address(_url, "{notebook}") if _url else "")}
html_theme_options: dict[str, object] = {"top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def slug(title: str) -> str:
    """Return JupyterLab's anchor of a heading in the letters of an address."""
    return quote(title.replace(" ", "-"), safe="'")
