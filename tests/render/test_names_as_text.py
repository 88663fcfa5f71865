"""Names that try to be code are text wherever divmetrics puts them; test_hostile_names.py runs them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import divmetrics as dm
from divmetrics import charts
from divmetrics.explanations.formulas import latex
from divmetrics.notebook.appearance.mathml import FONTS, mathml
from divmetrics.notebook.charts.dark_mode import ROOT, dark_mode_css
from divmetrics.render.escaping import (
    escape_controls,
    escape_latex_math,
    is_formula,
    to_script_json,
    vega_lookup,
)
from tests.support.hostile_names import PAYLOADS, called_by, figures, metric, pieces, producers, scores, tools


@pytest.mark.slow
def test_every_producer_of_markup_is_tested() -> None:
    """A new function that writes markup is to be reached from tests/support/hostile_names.py."""

    def feed() -> None:
        mathml.cache_clear()  # what it has drawn for another test, it would not draw again
        for _, figure in figures(1):
            figure._repr_mimebundle_()
            assert figure.html
        for _, tool in tools(1):
            tool._repr_mimebundle_()
            tool._in_book()
        assert all(isinstance(piece, str) for _, piece in pieces(1))

    ran = called_by(feed)
    assert sorted(name for place, name in producers().items() if place not in ran) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PAYLOADS)
def test_a_page_holds_one_script_of_ours(name: str) -> None:
    topic = dm.Topic(name, (dm.Intent(name, 1.0),), title=name)
    figure = charts.ranked_list(dm.RankedList(topic, [name], {name: {name: 1}}, name))
    page = figure.html
    assert len(re.findall("<script", page)) == len(re.findall("</script", page)) == 2
    assert "<!--" not in page
    assert ElementTree.fromstring(figure.svg).get("aria-label") == escape_controls(figure.description)
    every = list(ElementTree.fromstring(figure.svg).iter())
    tags = {element.tag.rpartition("}")[2] for element in every}
    assert tags <= {"svg", "style", "g", "path", "rect", "text", "tspan", "line", "defs", "clipPath"}
    assert [e.text for e in every if e.tag.endswith("style")] == [dark_mode_css(ROOT)]


@pytest.mark.parametrize("name", PAYLOADS)
def test_names_are_escaped_in_formulas(name: str) -> None:
    drawn = mathml(latex(metric(name)))
    assert is_formula(drawn.replace(f' style="font-family:{FONTS}"', "", 1))
    text = "".join(ElementTree.fromstring(drawn).itertext())
    assert text.startswith(re.sub(r"\s", "", escape_controls(name)))


@pytest.mark.parametrize(
    "written",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\text{<b>x</b>}",
        r'\text{<img/src="x"onerror="alert(1)">}',
        r'\text{<!--><img/src="x"onerror="alert(1)">-->}',
        r'\text{<![CDATA[><img/src="x"onerror="alert(1)">]]>}',
        r"\style{background:url(//evil.example)}{x}",
        r"\class{x}{y}",
    ],
)
def test_latex_of_more_than_a_formula_is_not_drawn(written: str) -> None:
    assert mathml(written) == ""
    assert mathml(r"\frac{1}{2}")


def test_a_name_in_a_script_an_expression_and_latex() -> None:
    assert to_script_json({"a": "</script><!--\u2028"}) == r'{"a": "\u003c/script>\u003c!--\u2028"}'
    assert vega_lookup({"__proto__": "x"}, "datum.label") == '["x"][indexof(["__proto__"], datum.label)]'
    assert escape_latex_math(r"a_b\c{d}") == r"a\_b\backslash{}c\{d\}"
    assert escape_controls("a\x00\x1b\ud800\ufffe\u2028b") == "a\u2400\u241b\ufffd\ufffd\u2424b"


def test_a_name_that_ends_a_line_in_javascript_is_drawn() -> None:
    """It stands in the tooltip's expression, whose parser takes such a sign for the end of the text."""
    names = ("a\u2028b", "c\u2029d")
    table = scores((*PAYLOADS[:6], "x", "y", *names))
    drawn = charts.trade_off(table, *names).svg
    assert "a\u2424b" in drawn
    assert "c\u2424d" in drawn


@pytest.mark.parametrize("name", ["a\\", 'b\\"', 'c\\", "d": "e', "\\\\"])
def test_backslashes_are_escaped_in_tooltips(name: str) -> None:
    """Vega-Lite makes an expression of a tooltip's titles, and escapes the quotation marks alone."""
    figure = charts.trade_off(scores((*PAYLOADS[:6], "x", "y", name, "z")), name, "z")
    drawn = ElementTree.fromstring(figure.svg)
    assert name in "".join(drawn.itertext())


def test_a_name_with_control_characters_is_drawn() -> None:
    """A NUL that reaches the drawing ends the whole process."""
    topic = dm.Topic("1", (dm.Intent("a\x00b", 0.5, label="l\x1b"), dm.Intent("c", 0.5)))
    ranked = dm.RankedList(topic, ["d\x00"], {"d\x00": {"a\x00b": 1}}, "r\x07")
    assert "d\u2400" in charts.ranked_list(ranked).svg
    assert "d\u2400" in charts.contributions("ERR-IA@1", ranked).svg
