"""Headings, anchors, links and code of markdown, read as JupyterLab shows them."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tools.markdown_text import Link, anchor, anchored, headings, in_a_table, links, without_code
from tools.notebook_files import all_notebooks, read


def test_headings_of_all_kinds() -> None:
    text = "# One\n\nWords.\n\n### Three ###\n\n<h2 id='x'>Two</h2>\n\nOne again\n===\n\n```sh\n# none\n```\n"
    assert list(headings(text)) == [(1, "One"), (3, "Three"), (2, "Two"), (1, "One again")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("How many? P-IA", "How-many?-P-IA"),
        ("`D#-nDCG` is *not* **it**", "D#-nDCG-is-not-it"),
        ("A [link](b.ipynb) in_it, _so_", "A-link-in_it,-so"),
        (r"A \* B", "A-*-B"),
        ("1. By hand ★", "1.-By-hand-★"),
    ],
)
def test_anchors(words: str, expected: str) -> None:
    assert anchor(words) == expected


def test_a_target_is_quoted() -> None:
    assert anchored("a.ipynb", "How many? D#") == "a.ipynb#How-many%3F-D%23"


def test_links_and_pictures() -> None:
    text = '[a](b.ipynb#C%20d "title") ![p](q.png) [![r](s.png)](https://t) `[no](no)` <!-- [no](no) -->'
    targets = list(links(text))
    assert [(link.target, link.picture, link.local) for link in targets] == [
        ("b.ipynb#C%20d", False, True),
        ("q.png", True, True),
        ("https://t", False, False),
        ("s.png", True, True),
    ]
    assert (targets[0].file, targets[0].anchor) == ("b.ipynb", "C d")
    assert not Link("x", "mailto:a@b", False).local


def test_what_is_left_out_leaves_its_place() -> None:
    text = "a `b` $c$ ``d`e`` <!-- f -->\n~~~\ng\n~~~\nh, $5 and $6"
    assert without_code(text).split() == ["a", "h,", "$5", "and", "$6"]
    assert len(without_code(text)) == len(text)


def test_a_formula_in_a_table_has_no_bar() -> None:
    assert in_a_table(r"M(d \| L) |x|") == r"$M(d \Vert  L) \mid x\mid $"


def test_links_and_headings_of_the_course_are_those_of_a_parser() -> None:
    """The links of every cell, and the anchors of its headings, are those that markdown-it reads."""
    markdown_it = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    plugins = pytest.importorskip("mdit_py_plugins.dollarmath", reason="mdit-py-plugins is not installed")
    parser = markdown_it.MarkdownIt("commonmark").enable("table").use(
        plugins.dollarmath_plugin, allow_digits=False, allow_space=False
    )  # fmt: skip
    cells = [
        cell.source for path in all_notebooks() for cell in read(path).cells if cell.cell_type == "markdown"
    ]
    assert cells
    for source in cells:
        tokens = parser.parse(source)
        inline = [token for block in tokens for token in block.children or []]
        targets = [unquote(token.attrs.get("href") or token.attrs["src"]) for token in inline
                   if token.type in ("link_open", "image")]  # fmt: skip
        assert [unquote(link.target) for link in links(source)] == targets
        titles = ["".join(token.content for token in tokens[at + 1].children if token.type != "html_inline")
                  for at, block in enumerate(tokens) if block.type == "heading_open"]  # fmt: skip
        own = [anchor(words) for _, words in headings(source) if "<h" not in source]
        assert own == [title.strip().replace(" ", "-") for title in titles if "<h" not in source]
