"""An exercise on a page without a kernel: what Python says of an answer is said there, letter by letter."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import divmetrics as dm
from divmetrics_widgets import Check
from tests.support.offline_checks import check_at as at
from tests.support.offline_checks import said_of
from tests.support.offline_page import LIVE, opened, written

DOCS = ("d1", "d7", "d14", "d18")
A = dm.datasets.harry_potter().list("A", "0083")
RIGHT = dm.metric("ERR-IA@2").score(A.reordered(["d7", "d1"]))


@Check.number(-1, 2, decimals=4)
def by_hand(x: float) -> bool | str:
    if abs(x - 2 * RIGHT) < 0.0005:
        return "rank 2 counts `1/2`"
    return abs(x - RIGHT) < 0.0005


@Check.several(DOCS, 2)
def best_two(docs: list[str]) -> bool | str:
    if len(set(docs)) < 2:
        return "two different documents, please"
    score, wanted = (dm.metric("ERR-IA@2").score(A.reordered(x)) for x in (docs, ["d1", "d7"]))
    return score >= wanted or f"ERR-IA@2 is {score:.4f} < {wanted:.4f} <b>"


@Check.several("ABC", 3, make="".join)
def turned(text: str) -> bool | str:
    return text == "CBA" or ("" if sorted(text) != list("ABC") else f"{text} is not turned")


@Check.number(0, 12)
def whole(n: int) -> bool:
    return 24 // n == 4  # of 0 it cannot be said


@Check.each(["d1 d7", "d7 d1"], 0, 1, decimals=3)
def of_both(order: str, x: float) -> bool | str:
    right = dm.metric("ERR-IA@2").score(A.reordered(order.split()))
    return abs(x - right) < 0.0005 or f"{x} is not that of `{order}`"


@Check.several([["less", "more"], ["d1", "d7", "d18"]], make=tuple, names=["it earns", "below"])
def menus(answer: tuple[str, str]) -> bool | str:
    return answer == ("less", "d7") or f"{answer[1]} does not make it {answer[0]}"


LISTS = [
    Check.lists(A, {"yours": 5}, *(Check.rule("yours", name, ">", A) for name in ("ERR-IA@5", "D#-nDCG@5"))),
    Check.lists(
        A,
        {"first": (1, 4), "second": (1, 4)},
        Check.rule("first", "RBU@5", ">", "second"),
        Check.rule("first", "P+Q@3", "<", ("second", "Q-IA@3"), "{left}, and {right} <b>"),
    ),
    Check.lists(
        A,
        {"first": 4, "second": 4},
        Check.rule("first", "alpha-nDCG@4", ">=", "second", times=1.2),
        Check.rule("first", "S-recall@4", ">=", "first", "{left} {right}", times=0.5, more=0.3),
        together="same documents",
    ),
    Check.lists(
        A,
        {"before": (1, 3), "after": (2, 4)},
        Check.rule("after", "RBU-original@5", "<=", "before"),
        docs=A.judgments.docs[:12],
        together="one more",
    ),
    Check.lists(A, {"yours": 3}, Check.rule("yours", "ERR-IA@3", "<", A), but=["d1", "d7", "d2"]),
]

WHOLE = "expected a whole number, from 0 to 12"
CHECKS = [
    Check(..., by_hand, "The reader of `d1` is gone."),
    Check(..., best_two, "The film first."),
    Check(..., turned, "From the end."),
    Check(..., whole),
    Check(..., lambda f: f(1) == 2, "A function."),
    Check(..., of_both, "Each by itself."),
    Check(..., menus, "So it is."),
    *(Check(..., lists, "Their `scores` say so.") for lists in LISTS),
]
FIRST = len(CHECKS) - len(LISTS)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("checks"), CHECKS)


@pytest.fixture(scope="module")
def page(address: str, chromium: Browser) -> Iterator[Page]:
    """One for all who type over what was typed before."""
    with opened(address, chromium) as found:
        yield found


@pytest.fixture
def fresh(address: str, chromium: Browser) -> Iterator[Page]:
    """One on which nothing was typed yet."""
    with opened(address, chromium) as found:
        yield found


def said(page: Page, number: int, answer: str) -> str:
    return said_of(page, number, [answer])


def told(answer: Any, number: int) -> str:
    _, test, why, _ = CHECKS[number]._arguments
    return str(Check(answer, test, why)).replace("`", "")


def test_numbers_are_judged_as_in_python(page):
    dice = random.Random(1)
    near = [RIGHT, 2 * RIGHT, *(edge + off for edge in (RIGHT, 2 * RIGHT) for off in (-0.0005, 0.0005))]
    drawn = [f"{dice.uniform(-1, 2):.{dice.randint(0, 4)}f}" for _ in range(20)]
    verdicts = set()
    for text in [*(f"{x:.4f}" for x in near), *drawn, "-1", "2", "+0.5000", ".25", "1.", "0.500000"]:
        verdicts.add(said(page, 0, text))
        assert said(page, 0, text) == told(float(text), 0), text
    assert {text.split(":")[0] for text in verdicts} == {"right", "not yet"}
    assert said(page, 0, f"{RIGHT:.4f}".replace(".", ",")) == told(round(RIGHT, 4), 0)
    assert at(page, 0).locator(".dm-found code").inner_text() == "d1"
    for n in range(13):
        assert said(page, 3, str(n)) == told(n, 3), n


def test_lists_and_orders_are_judged_as_in_python(page):
    for first in DOCS:
        for second in DOCS:
            assert said(page, 1, f"{first} {second}") == told([first, second], 1)
    assert said(page, 1, '["d1", "d7"]') == "right: The film first."
    assert said(page, 2, "CBA") == said(page, 2, "C, B, A") == "right: From the end."
    assert said(page, 2, "BAC") == "not yet: BAC is not turned"


@pytest.mark.parametrize("answer", ["abc", "1/2", "0.12345", "3", "-2", "--1", ".", "1e-3"])
def test_invalid_numbers_are_explained(page, answer):
    assert said(page, 0, "1") == told(1.0, 0)
    assert said(page, 0, answer) == "not yet: expected a number with at most 4 decimals, from -1 to 2"


@pytest.mark.parametrize("answer", ["d1", "d1 d2", "d1 d7 d14", "d1 __proto__", "<b>"])
def test_invalid_lists_are_explained(page, answer):
    assert said(page, 1, "d18 d1") == told(["d18", "d1"], 1)
    assert said(page, 1, answer) == "not yet: expected 2 of these, in order: d1 d7 d14 d18"


def test_an_empty_field_is_not_answered_and_enter_checks(fresh):
    expect(at(fresh, 0).locator(".dm-found")).to_have_text("not answered yet")
    assert said(fresh, 0, "1").startswith("not yet")
    assert said(fresh, 0, "  ") == "not answered yet"
    field = at(fresh, 0).get_by_label("Your answer")
    field.fill(f"{RIGHT:.4f}")
    field.press("Enter")
    expect(at(fresh, 0).locator(".dm-found")).to_contain_text("right: The reader")


def test_an_answer_is_there_again_when_the_page_is_read_again(fresh):
    said(fresh, 1, "d18 d1")
    fresh.reload()
    expect(at(fresh, 1).get_by_label("Your answer")).to_have_value("d18 d1")
    expect(at(fresh, 1).locator(".dm-found")).to_have_text(told(["d18", "d1"], 1))
    expect(at(fresh, 0).get_by_label("Your answer")).to_have_value("")


def test_code_is_checked_live(page):
    box = at(page, 4)
    expect(box).to_contain_text("Checking this answer needs Python, which this page does not have.")
    expect(box.get_by_role("link")).to_have_attribute("href", LIVE)
    expect(box.locator("input")).to_have_count(0)


def test_axe_reports_no_violation(page):
    said(page, 1, "d18 d1")
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    result = page.evaluate(
        """async () => {
            const { violations } = await axe.run(".divmetrics-page", { preload: false });
            return violations.map((one) => [one.id, one.nodes[0].html]);
        }"""
    )
    assert result == []


def test_a_comma_before_three_digits_is_that_of_thousands(page):
    assert said(page, 3, "1,000") == f"not yet: {WHOLE}"  # not 1
    assert said(page, 0, "0,125") == told(0.125, 0)


def test_a_sign_stands_before_the_verdict(page):
    for answer, sign in (("ABC", "✗"), ("CBA", "✓")):
        said(page, 2, answer)
        before = at(page, 2).locator(".dm-found > b").evaluate("b => getComputedStyle(b, '::before').content")
        assert sign in before


def test_named_numbers_are_judged_one_by_one(page):
    right = [
        round(dm.metric("ERR-IA@2").score(A.reordered(docs)), 3) for docs in (("d1", "d7"), ("d7", "d1"))
    ]
    assert said_of(page, 5, [f"{x}" for x in right]) == told(right, 5) == "right: Each by itself."
    for answer in ([0.5, right[1]], [right[0], 0.25], [0.1, 0.2], right[::-1]):
        assert said_of(page, 5, [f"{x}" for x in answer]) == told(answer, 5)
        assert told(answer, 5).startswith("not yet")
    for answer in (["0.5", ""], ["0.5", "a"], ["2", "0.5"]):
        assert said_of(page, 5, answer) == (
            "not yet: expected a number with at most 3 decimals, from 0 to 1, for each of these: d1 d7, d7 d1"
        )
    assert said_of(page, 5, ["", " "]) == "not answered yet"


def test_menus_are_judged_as_in_python(page):
    for earns in ("less", "more"):
        for doc in ("d1", "d7", "d18"):
            assert said_of(page, 6, [earns, doc]) == told((earns, doc), 6)
    assert told(("less", "d7"), 6) == "right: So it is."


@pytest.mark.parametrize("number", range(len(LISTS)))
def test_random_lists_are_judged_as_in_python(page, number):
    dice, wanted = random.Random(number), LISTS[number]
    verdicts = set()
    for _ in range(60):
        sizes = [dice.randint(*size) for size in wanted.sizes.values()]
        lists = [dice.sample(wanted.docs, size) for size in sizes]
        if wanted.together == "same documents":
            lists[1] = dice.sample(lists[0], len(lists[0]))
        elif wanted.together == "one more":
            lists[0] = lists[1][:-1]
        expected = told(lists if len(lists) > 1 else lists[0], FIRST + number)
        assert said_of(page, FIRST + number, [" ".join(docs) for docs in lists]) == expected, lists
        verdicts.add(expected.split(":")[0])
    assert verdicts == {"right", "not yet"}


@pytest.mark.parametrize(
    ("number", "lists"),
    [
        (0, ["d1 d2 d3 d4"]),
        (0, ["d1 d2 d3 d4 d5 d6"]),
        (0, ["d1 d2 d3 d4 d4"]),
        (0, ["d1 d2 d3 d4 __proto__"]),
        (1, ["d1", ""]),
        (1, ["", "d1"]),
        (1, ["d1 d2 d3 d4 d5", "d1"]),
        (2, ["d1 d2 d3 d4", "d1 d2 d3 d5"]),
        (3, ["d1 d2", "d1 d2"]),
        (3, ["d1 d2", "d2 d1 d3"]),
        (3, ["d1", "d1 d2 d3"]),
        (3, ["d1", "d1 d4"]),
        (4, ["d7 d1 d2"]),
    ],
)
def test_invalid_sets_of_lists_are_explained(page, number, lists):
    given = lists if len(lists) > 1 else lists[0]
    assert said_of(page, FIRST + number, lists) == told(given, FIRST + number)
    assert told(given, FIRST + number) == f"not yet: {LISTS[number].expectation}"


def test_lists_may_stand_in_quotes_and_brackets(page):
    docs = ["d7", "d1", "d14", "d17", "d10"]
    assert said_of(page, FIRST, [str(docs)]) == said_of(page, FIRST, [" ".join(docs)]) == told(docs, FIRST)


def test_lists_and_menus_are_there_again(fresh):
    said_of(fresh, FIRST + 1, ["d1 d2", "d7"])
    said_of(fresh, 6, ["more", "d18"])
    fresh.reload()
    for boxes, values in (
        (at(fresh, FIRST + 1).locator("input"), ["d1 d2", "d7"]),
        (at(fresh, 6).locator("select"), ["more", "d18"]),
    ):
        expect(boxes).to_have_count(2)
        assert [box.input_value() for box in boxes.all()] == values
    expect(at(fresh, 6).locator(".dm-found")).to_have_text(told(("more", "d18"), 6))
    expect(at(fresh, FIRST + 1).locator(".dm-found")).to_have_text(told(["d1 d2", "d7"], FIRST + 1))
