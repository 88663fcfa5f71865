"""The explorer of names: a little of it, and that it notices what a name should not do."""

from __future__ import annotations

import json
import random

import pytest

import divmetrics as dm
from divmetrics import charts
from tools.explore import Effort, names

pytestmark = pytest.mark.slow


def test_short_exploration_finds_nothing() -> None:
    (tried,) = names.explore(Effort(1, 0, only="widgets"))
    assert tried.examples > 10
    assert tried.failure == ""


def test_names_are_many_and_have_no_blanks() -> None:
    drawn = names.drawn(random.Random(0), 200)
    assert len(set(drawn)) == 200
    assert not any(sign in name for name in drawn for sign in " \t\n\r")


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href=" javascript:alert(1)">x</a>',
        '<p style="background:url(//evil.example)">x</p>',
        "<!-- x -->",
        "<![CDATA[x]]>",
        "<iframe>",
        "<annotation-xml>",
    ],
)
def test_executed_names_and_links_are_detected(html: str) -> None:
    assert names.of_page(f"<table><tr><td>{html}</td></tr></table>")
    assert not names.of_page('<table><tr><td title="&lt;script&gt;">&lt;img onerror=x&gt;</td></tr></table>')


def test_a_figure_that_ends_its_script_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    topic = dm.Topic("1", (dm.Intent("a", 1.0),))
    figure = charts.ranked_list(dm.RankedList(topic, ["</script>"], {"</script>": {"a": 1}}, "r"))
    assert names.check_figure(figure) == []
    monkeypatch.setattr("divmetrics.notebook.charts.figure.to_script_json", json.dumps)
    assert names.check_figure(figure) == ["</script other than 2 times in the page"]
