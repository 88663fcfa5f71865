"""Headings, anchors, links and code of markdown, read as JupyterLab shows them."""

from __future__ import annotations

import pytest

from tools.markdown_text import Link, anchor, anchored, headings, in_a_table, links, without_code


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
    found = list(links(text))
    assert [(link.target, link.picture, link.local) for link in found] == [
        ("b.ipynb#C%20d", False, True),
        ("q.png", True, True),
        ("https://t", False, False),
        ("s.png", True, True),
    ]
    assert (found[0].file, found[0].anchor) == ("b.ipynb", "C d")
    assert not Link("x", "mailto:a@b", False).local


def test_what_is_left_out_leaves_its_place() -> None:
    text = "a `b` $c$ ``d`e`` <!-- f -->\n~~~\ng\n~~~\nh, $5 and $6"
    assert without_code(text).split() == ["a", "h,", "$5", "and", "$6"]
    assert len(without_code(text)) == len(text)


def test_a_formula_in_a_table_has_no_bar() -> None:
    assert in_a_table(r"M(d \| L) |x|") == r"$M(d \Vert  L) \mid x\mid $"
