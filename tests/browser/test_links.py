"""A link to a heading of a notebook that is not open yet leads there, not to the notebook's top."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tools.browser import PATIENCE, Notebook, Server
from tools.notebook_files import generated_page, write

Open = Callable[..., Notebook]


def test_a_link_to_a_term_opens_the_glossary_at_the_term(server: Server, open_apart: Open) -> None:
    terms = "\n\n".join(f"### term {n}\n\nIt is." for n in range(60))
    write(generated_page({"all": f"# Terms\n\n## All\n\n{terms}"}), server.folder / "terms.ipynb")
    write(generated_page({"link": "# Links\n\n[a term](terms.ipynb#term-40)"}), server.folder / "links.ipynb")
    page = open_apart([], copied=server.folder / "links.ipynb", run=False, size=(1000, 800)).page
    page.get_by_role("link", name="a term").click()
    term = page.get_by_role("heading", name="term 40")
    expect(term).to_be_in_viewport(timeout=PATIENCE)
    expect(page.get_by_role("heading", name="Terms")).not_to_be_in_viewport()
