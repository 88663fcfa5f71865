"""What an exercise asks for: every answer of a form is put to the test, and its sentence kept."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from divmetrics.errors import DivmetricsError
from divmetrics_widgets import Check, in_book
from divmetrics_widgets.possible_answers import MOST


def description(test: Any, why: str = "") -> dict[str, Any]:
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

    answers = every(description(a_third, "A third."))
    texts = [f"{step / 100:.2f}" for step in range(-100, 101)]
    assert seen == [float(text) for text in texts]
    assert answers == [[c.verdict, c.reason] for c in (Check(float(t), a_third, "A third.") for t in texts)]
    assert answers[texts.index("0.33")] == ["right", "A third."]


def test_whole_numbers_are_whole():
    @Check.number(0, 5)
    def four(n):
        return isinstance(n, int) and n == 4

    assert [verdict for verdict, _ in every(description(four))] == ["not yet"] * 4 + ["right", "not yet"]
    assert description(four)["tables"]["expected"] == "expected a whole number, from 0 to 5"


def test_every_list_is_tried_the_last_thing_changing_first():
    seen = []

    @Check.several("ab", 2, make="".join)
    def tried(text):
        seen.append(text)
        return False

    held = description(tried)
    assert seen == ["aa", "ab", "ba", "bb"]
    assert held["tables"]["runs"] == [[4, 0]]
    assert held["tables"]["expected"] == "expected 2 of these, in order: a b"
    assert held["tables"]["malformed"] == Check("c", tried).verdict


def test_things_may_each_have_options_of_their_own():
    @Check.several([["b", "c"], [1, 2, 3]], make=tuple)
    def both(answer):
        return answer == ("c", 2)

    held = description(both)
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

    assert every(description(divided))[0] == [
        "not yet",
        "the answer cannot be read (ZeroDivisionError: division by zero)",
    ]


def test_a_number_for_each_name_is_tried_by_itself():
    seen = []

    @Check.each(["a", "b"], 0, 2)
    def one_more(name, x):
        seen.append((name, x))
        return x == {"a": 0, "b": 1}[name] or f"{name} is not {x}"

    held = description(one_more, "Each.")
    assert seen == [(name, x) for name in "ab" for x in range(3)]
    assert held["traits"]["_fields"] == [{"name": "a"}, {"name": "b"}]
    texts = held["tables"]["texts"]
    assert [[texts[text] for _, text in runs] for runs in held["tables"]["runs"]] == [
        [["right", "Each."], ["not yet", "a is not 1"], ["not yet", "a is not 2"]],
        [["not yet", "b is not 0"], ["right", "Each."], ["not yet", "b is not 2"]],
    ]
    assert repr(Check([0, 1], one_more, "Each.")) == "right: Each."
    assert repr(Check((0, 2), one_more)) == "not yet: b is not 2"
    assert repr(Check([1, 2], one_more)) == "not yet: a is not 1"  # the first that is not right
    for none in ([0], [0, 1, 1], 0, "01", {"a": 0, "b": 1}):
        assert repr(Check(none, one_more)) == (
            "not yet: expected a whole number, from 0 to 2, for each of these: a, b"
        )


def test_things_with_names_have_menus():
    @Check.several([["less", "more"], ["a", "b"]], make=" ".join, names=["it is", "than"])
    def tried(text):
        return text == "more a"

    held = description(tried)
    assert held["traits"]["_fields"] == [
        {"name": "it is", "options": ["less", "more"]},
        {"name": "than", "options": ["a", "b"]},
    ]
    assert [verdict for verdict, _ in every(held)] == ["not yet", "not yet", "right", "not yet"]


def test_many_whole_numbers_are_said_by_the_first_and_the_last():
    def expected(options):
        return description(Check.several(options, make=tuple)(bool))["tables"]["expected"]

    assert expected([range(30)] * 2) == "expected 2 numbers, in order, each a whole number from 0 to 29"
    assert expected([range(1, 20), ["a", "b"]]) == "expected a whole number from 1 to 19, then one of a b"
    assert expected([range(3)] * 2) == "expected 2 of these, in order: 0 1 2"


def test_without_a_form_there_is_no_field():
    held = description(lambda f: f(1) == 2)
    assert held["tables"] == {}
    assert held["traits"]["_asks"] == ""


def test_only_a_page_has_a_field(monkeypatch):
    @Check.number(0, 1)
    def one(n):
        return n == 1

    assert Check(1, one)._repr_html_() == "<p><b>right</b></p>"
    monkeypatch.setenv(in_book.BOOK_VARIABLE, "1")
    assert 'data-module="check.js"' in Check(..., one)._repr_mimebundle_()[0][in_book.PAGE_TYPE]


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
        (lambda: Check.number(0, 50, decimals=4), "500001 answers .* leave the form out"),
        (lambda: Check.several("abcdefgh", 8), "answers of this form"),
        (lambda: Check.several([], 2), "there are 0 answers"),
        (lambda: Check.several("ab", 0), "length is 0"),
        (lambda: Check.several(["film", "book"]), "a text, expected a list; .* take a length"),
        (lambda: Check.several(["a film"], 1), "the option 'a film' is not one word"),
        (lambda: Check.several([["ERR-IA(over=Y)@5"], [1]]), "leave the form out"),
        (lambda: Check.several(["it's"], 1), "is not one word"),
        (lambda: Check.several([""], 1), "the option '' is not one word"),
        (lambda: Check.several("ab", 2, names="a"), "1 names for 2 things"),
        (lambda: Check.each("ab", 0, MOST // 2), f"there are {MOST + 2} answers"),
        (lambda: Check.each("", 0, 1), "there are 0 answers"),
        (lambda: Check.each("ab", 0, 1, decimals=-1), "decimals is -1"),
        (lambda: Check.number(1, 0), "high is 0, expected a whole number of at least 1"),
        (lambda: Check.number(0.5, 1), "low is 0.5"),
        (lambda: Check.number(0, 1, decimals=-1), "decimals is -1"),
    ],
)
def test_a_form_that_cannot_be_tried_is_refused(form, sentence):
    with pytest.raises(DivmetricsError, match=sentence):
        form()
