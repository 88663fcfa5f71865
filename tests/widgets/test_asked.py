"""What an exercise asks for: every answer of a form is put to the test, and its sentence kept."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from divmetrics.errors import DivmetricsError
from divmetrics_widgets import Check, in_book
from divmetrics_widgets.asked import MOST


def told(test: Any, why: str = "") -> dict[str, Any]:
    """What a page holds of a check."""
    html = Check(..., test, why)._in_book()
    return json.loads(html.split('<script type="application/json">')[1].removesuffix("</script>"))


def every(held: dict[str, Any]) -> list[list[str]]:
    """What is said of each answer, in order."""
    tables = held["tables"]
    return [tables["texts"][text] for count, text in tables["runs"] for _ in range(count)]


def test_every_number_is_tried_as_python_reads_its_text():
    seen = []

    @Check.number(-1, 1, decimals=2)
    def a_third(x):
        seen.append(x)
        return "too small" if x < 0.33 else x == 0.33

    said = every(told(a_third, "A third."))
    texts = [f"{step / 100:.2f}" for step in range(-100, 101)]
    assert seen == [float(text) for text in texts]
    assert said == [[c.verdict, c.reason] for c in (Check(float(t), a_third, "A third.") for t in texts)]
    assert said[texts.index("0.33")] == ["right", "A third."]


def test_whole_numbers_are_whole():
    @Check.number(0, 5)
    def four(n):
        return isinstance(n, int) and n == 4

    assert [verdict for verdict, _ in every(told(four))] == ["not yet"] * 4 + ["right", "not yet"]
    assert told(four)["tables"]["expected"] == "expected a whole number, from 0 to 5"


def test_every_list_is_tried_the_last_thing_changing_first():
    seen = []

    @Check.several("ab", 2, make="".join)
    def tried(text):
        seen.append(text)
        return False

    held = told(tried)
    assert seen == ["aa", "ab", "ba", "bb"]
    assert held["tables"]["runs"] == [[4, 0]]
    assert held["tables"]["expected"] == "expected 2 of these, in order: a b"
    assert held["tables"]["malformed"] == Check("c", tried).verdict


def test_things_may_each_have_options_of_their_own():
    @Check.several([["b", "c"], [1, 2, 3]], make=tuple)
    def both(answer):
        return answer == ("c", 2)

    held = told(both)
    assert [verdict for verdict, _ in every(held)].index("right") == 4
    assert held["tables"]["expected"] == "expected one of b c, then one of 1 2 3"


def test_a_test_with_a_form_is_still_the_test():
    @Check.number(0, 1)
    def one(n):
        return n == 1 or "no"

    assert one(1) is True
    assert one(0.5) == "no"
    assert repr(Check(7, one)) == "not yet: no"


def test_an_answer_that_ends_in_an_error_is_told_as_anywhere():
    @Check.number(0, 2)
    def divided(n):
        print("nobody reads this")  # noqa: T201  which must not fill the page
        return 2 / n == 1

    assert every(told(divided))[0] == [
        "not yet",
        "the answer cannot be read (ZeroDivisionError: division by zero)",
    ]


def test_without_a_form_there_is_no_field():
    held = told(lambda f: f(1) == 2)
    assert held["tables"] == {}
    assert held["traits"]["_asks"] == ""


def test_only_a_page_has_a_field(monkeypatch):
    @Check.number(0, 1)
    def one(n):
        return n == 1

    assert Check(1, one)._repr_html_() == "<p><b>right</b></p>"
    monkeypatch.setenv(in_book.ASKED_BY, "1")
    assert 'data-module="check.js"' in Check(..., one)._repr_html_()


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.append(tag)


def test_names_in_a_page_are_text():
    hostile = "</script><img/src=x/onerror=alert`1`>"

    @Check.several([hostile, "a"], 1)
    def named(docs):
        return f"{docs[0]} is not it"

    elements = Elements()
    elements.feed(Check(..., named, hostile)._in_book())
    assert elements.found == ["div", "p", "b", "script"]


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        (lambda: Check.number(0, MOST), f"there are {MOST + 1} answers"),
        (lambda: Check.number(0, 5, decimals=4), "50001 answers .* leave the form out"),
        (lambda: Check.several("abcdefgh", 8), "answers of this form"),
        (lambda: Check.several([], 2), "there are 0 answers"),
        (lambda: Check.several("ab", 0), "length is 0"),
        (lambda: Check.several(["film", "book"]), "a text, expected a list; .* take a length"),
        (lambda: Check.several(["a film"], 1), "the option 'a film' is not one word"),
        (lambda: Check.several([["ERR-IA(over=Y)@5"], [1]]), "leave the form out"),
        (lambda: Check.several(["it's"], 1), "is not one word"),
        (lambda: Check.several([""], 1), "the option '' is not one word"),
        (lambda: Check.number(1, 0), "high is 0, expected a whole number of at least 1"),
        (lambda: Check.number(0.5, 1), "low is 0.5"),
        (lambda: Check.number(0, 1, decimals=-1), "decimals is -1"),
    ],
)
def test_a_form_that_cannot_be_tried_is_refused(form, sentence):
    with pytest.raises(DivmetricsError, match=sentence):
        form()
