"""The front page, whose lists are moved by mouse, finger and key: by itself, without the rest of the book."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from importlib.resources import files
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import Browser, Locator, Page, expect

import divmetrics as dm
from divmetrics.core.judgments import Grades
from tests.support.paths import ROOT
from tools.book import front_page
from tools.moving_picture import ORDERS, PICTURE, picture

AXE = files("axe_playwright_python").joinpath("axe.min.js")
SIZES = [(1280, 800), (390, 844)]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as Sphinx makes it, but for its links."""
    templates = Environment(loader=FileSystemLoader(ROOT / "tools" / "book" / "templates"), autoescape=False)
    of_sphinx = {"language": "en", "favicon_url": "data:,", "pathto": lambda name, *_: f"{name}.html"}
    made = tmp_path_factory.mktemp("front") / "index.html"
    text = templates.get_template(front_page.TEMPLATE).render(**of_sphinx, **front_page.context())
    made.write_text(text, encoding="utf-8")
    return made


@pytest.fixture
def page(file: Path, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """At a desk in the light, unless the test asks for something else."""
    options: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}} | getattr(request, "param", {})
    context = chromium.new_context(**options)
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on(
        "request", lambda one: None if one.url.startswith(("file:", "data:")) else wrong.append(one.url)
    )
    opened.goto(file.as_uri())
    yield opened
    context.close()
    assert wrong == []


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def rows(page: Page, side: str) -> Locator:
    return page.locator(f'[data-list="{side}"] .rows .row')


def order(page: Page, side: str) -> str:
    return "".join(rows(page, side).evaluate_all("(all) => all.map((row) => row.dataset.place)"))


def wait_for_order(page: Page, side: str, places: str) -> None:
    """Wait until the rows stand in this order: the browser makes a tap a click after the finger has left."""
    page.wait_for_function(
        """([side, places]) => {
            const rows = document.querySelectorAll(`[data-list="${side}"] .rows .row`);
            return [...rows].map((row) => row.dataset.place).join("") === places;
        }""",
        arg=[side, places],
    )


def press(page: Page, side: str, rank: int, key: str) -> None:
    rows(page, side).nth(rank - 1).locator("button").press(key)


def shown(page: Page, side: str) -> dict[str, Any]:
    """What stands in a list: its score, and of each row the rank, title, intent, marks and contribution."""
    found: dict[str, Any] = page.locator(f'[data-list="{side}"]').evaluate(
        """(list) => ({
            score: list.querySelector(".score").textContent,
            rows: [...list.querySelectorAll(".rows .row")].map((row) => ({
                rank: row.querySelector(".rank").textContent,
                title: row.querySelector(".title").textContent,
                intent: row.dataset.intent,
                grade: row.querySelectorAll(".mark").length,
                earned: row.querySelector(".earned").textContent,
                block: ["left", "width"].map((edge) => parseFloat(row.querySelector(".block").style[edge])),
            })),
            sum: [...list.querySelectorAll(".sum .block")].map((one) => parseFloat(one.style.width)),
        })"""
    )
    return found


def explained(list_of_page: dict[str, Any]) -> tuple[float, list[float]]:
    """What the library gives the list that stands there: its score and contributions."""
    topic = dm.Topic("x", (dm.Intent("film", 2 / 3), dm.Intent("book", 1 / 3)))
    judged: Grades = {row["title"]: {row["intent"]: row["grade"]} for row in list_of_page["rows"]}
    ranked = dm.RankedList(topic, list(judged), judged)
    by_rank = dm.explain("ERR-IA@3", ranked).groupby("rank")["contribution"].sum()
    return dm.metric("ERR-IA@3").score(ranked), [by_rank[k] for k in (1, 2, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_every_number_is_the_librarys_in_every_order_of_both_lists(page: Page) -> None:
    seen = set()
    for step_a in range(6):
        for step_b in range(6):
            seen.add((order(page, "A"), order(page, "B")))
            score, first = {}, {}
            for side in "AB":
                there = shown(page, side)
                first[side] = {row["intent"]: int(row["rank"]) for row in reversed(there["rows"])}
                score[side], contributions = explained(there)
                assert there["score"] == f"{score[side]:.4f}"
                assert [row["rank"] for row in there["rows"]] == ["1", "2", "3"]
                assert [row["earned"] for row in there["rows"]] == [f"{c:.4f}"[1:] for c in contributions]
                # A list is as wide as a score of 1; each block begins where the one above ends.
                assert sum(there["sum"]) == pytest.approx(100 * score[side], abs=0.02)
                edge = 0.0
                for row, contribution in zip(there["rows"], contributions, strict=True):
                    assert row["block"] == pytest.approx([edge, 100 * contribution], abs=0.02)
                    edge += 100 * contribution
            better = "A" if score["A"] > score["B"] else "B"
            assert abs(score["A"] - score["B"]) > 1e-4, "no tie, so every sentence names a list"
            now = "now " if better == "B" else ""
            assert page.locator("#verdict .prefers").inner_text() == f"ERR-IA {now}prefers {better}."
            why = page.locator("#verdict .why").inner_text()
            film = {side: first[side]["film"] for side in "AB"}
            assert ("book" in why) == (better == "B")
            expect(page.locator(".too")).to_be_visible(visible=better == "B")
            if better == "A":
                assert film["A"] < film["B"]
                assert all(f"rank {rank} in {side}" in why for side, rank in film.items())
            elif film["A"] == film["B"]:
                assert f"rank {film['A']} in both" in why
            else:
                assert "weak" in why
                assert shown(page, "A")["rows"][0]["grade"] == 1
            assert ("book" in first["A"], "book" in first["B"]) == (False, True)
            press(page, "B", 2 + step_b % 2, "ArrowUp")
        press(page, "A", 2 + step_a % 2, "ArrowUp")
    every = {"".join(one) for one in permutations("012")}
    assert seen == set(product(every, every))


def test_the_second_metric_prefers_the_list_that_serves_more_groups() -> None:
    groups = {name: len({intent for intent, _ in pages.values()}) for name, pages in front_page.LISTS.items()}
    prefers, why = front_page.second_verdict()
    assert max(groups, key=lambda name: groups[name]) in prefers.split()[-1]
    assert all(f"{count} in {name}" in why for name, count in groups.items())
    assert front_page.groups_served() == groups


def test_a_tie_has_its_own_sentence() -> None:
    one = front_page.Scored(0.5, (0.5, 0.0, 0.0))
    tied = {side: dict.fromkeys(permutations(range(3)), one) for side in "AB"}
    assert front_page.verdict({"A": (0, 1, 2), "B": (2, 1, 0)}, tied) == (
        "ERR-IA prefers neither list.",
        "Both have the same score.",
    )


@pytest.mark.slow
def test_a_mouse_moves_a_row_and_escape_takes_it_back(page: Page) -> None:
    box = rows(page, "B").nth(1).bounding_box()
    assert box
    at, above = (box["x"] + 150, box["y"] + 20), (box["x"] + 150, box["y"] - 24)
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(*above, steps=4)
    expect(page.locator("#verdict .prefers")).to_have_text("ERR-IA now prefers B.")  # while it is in the hand
    page.keyboard.press("Escape")
    page.mouse.up()
    assert order(page, "B") == "012"
    expect(page.locator("#verdict .prefers")).to_have_text("ERR-IA prefers A.")
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(*above, steps=4)
    page.mouse.up()
    assert order(page, "B") == "102", "and the click at the end of the drag moves nothing more"
    expect(page.locator("#verdict .prefers")).to_have_text("ERR-IA now prefers B.")
    expect(page.locator(".hint")).to_be_hidden()


@pytest.mark.slow
def test_a_click_moves_a_row_up_and_the_first_one_down(page: Page) -> None:
    rows(page, "B").nth(2).locator(".grip").click()
    wait_for_order(page, "B", "021")
    rows(page, "B").nth(0).click()
    wait_for_order(page, "B", "201")


@pytest.mark.slow
@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_finger_moves_a_row_by_its_grip_and_the_page_by_the_rest(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)

    def swipe(x: float, y: float, by: float) -> None:
        send = lambda kind, points: fingers.send(  # noqa: E731
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )
        send("touchStart", [{"x": x, "y": y}])
        for step in range(1, 7):
            send("touchMove", [{"x": x, "y": y + by * step / 6}])
        send("touchEnd", [])

    grip = rows(page, "B").nth(1).locator(".grip").bounding_box()
    assert grip
    swipe(grip["x"] + 20, grip["y"] + 20, -44)
    wait_for_order(page, "B", "102")
    expect(page.locator("#verdict .prefers")).to_have_text("ERR-IA now prefers B.")
    assert page.evaluate("scrollY") == 0
    page.wait_for_timeout(500)  # Chromium makes no click of a touch that follows a swipe within some 200 ms
    rows(page, "B").nth(2).locator(".title").tap()
    wait_for_order(page, "B", "120")
    title = rows(page, "B").nth(2).locator(".title").bounding_box()
    assert title
    swipe(title["x"] + 20, title["y"] + 10, -200)
    page.wait_for_function("() => scrollY > 50")
    wait_for_order(page, "B", "120")


@pytest.mark.slow
def test_keys_alone_reach_every_row_move_it_and_say_what_came_of_it(page: Page) -> None:
    focused = (
        "document.activeElement.querySelector('.title')?.textContent ?? document.activeElement.textContent"
    )
    reached = []
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(focused))
    titles = [title for pages in front_page.LISTS.values() for title in pages]
    assert [words for words in reached if words in titles] == titles
    assert any(words.startswith("Start the first lesson") for words in reached)
    assert "Use my own files" in reached
    films = rows(page, "B").nth(1).locator("button")
    films.focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == "all eight films to stream", "the focus moves along"
    heard = page.get_by_role("status")
    expect(heard).to_have_text(
        "all eight films to stream is now at rank 1 of B. ERR-IA now prefers B. A 0.5660, B 0.6319."
    )
    page.keyboard.press("ArrowUp")
    assert order(page, "B") == "102", "there is no rank 0"
    page.keyboard.press("Enter")
    assert order(page, "B") == "012"
    expect(heard).to_contain_text("at rank 2 of B. ERR-IA prefers A.")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [*SIZES, (768, 1024), (1000, 800), (1920, 1080), (320, 640)])
def test_the_lab_is_on_the_first_screen_and_keeps_its_place(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(reduced_motion="reduce")
    places = set()
    for step in range(36):
        places.add(
            page.evaluate(
                """[...document.querySelectorAll('.rows, .go')]
                    .map((one) => one.getBoundingClientRect().top + scrollY).join()"""
            )
        )
        press(page, "B", 2 + step % 2, "ArrowUp")
        if step % 6 == 5:
            press(page, "A", 2 + step // 6 % 2, "ArrowUp")
    assert len(places) == 1, "no sentence pushes a list away from the hand"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if (width, height) in SIZES:
        assert page.locator(".lists").evaluate("(one) => one.getBoundingClientRect().bottom") <= height
        first_button = page.get_by_role("link", name="Start the first lesson")
        assert first_button.evaluate("(one) => one.getBoundingClientRect().bottom") <= height


@pytest.mark.slow
@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_the_lists_stand_as_they_begin(page: Page) -> None:
    expect(page.locator(".score")).to_have_text(["0.5660", "0.5069"])
    expect(page.locator("#verdict .prefers")).to_have_text("ERR-IA prefers A.")
    expect(page.locator(".rows .earned")).to_have_text([".5000", ".0625", ".0035", ".2500", ".2500", ".0069"])
    expect(page.locator(".rows button:enabled")).to_have_count(0)
    expect(page.get_by_text("Move B’s film page")).to_be_hidden()
    expect(page.get_by_text("move me up")).to_be_hidden()


@pytest.mark.slow
def test_nothing_moves_for_those_who_want_nothing_to_move(page: Page) -> None:
    moving = """() => {
        const [, second] = document.querySelectorAll('[data-list="B"] .row button');
        second.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp" }));
        return document.getAnimations().length;
    }"""
    assert page.evaluate(moving) > 0
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_function("() => document.getAnimations().length === 0")
    assert page.evaluate(moving) == 0
    assert order(page, "B") == "012", "both moves were made"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}, PHONE | {"color_scheme": "dark"}],
    indirect=True,
)
def test_it_is_accessible_before_and_after_a_move(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")  # or axe looks at rows on their way
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for _ in range(2):
        report = page.evaluate(
            """async () => (await axe.run({ rules: { 'target-size': { enabled: true } } }))
                .violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 150)}`)"""
        )
        assert report == []
        press(page, "B", 2, "ArrowUp")


@pytest.mark.slow
def test_it_keeps_the_theme_that_was_chosen_elsewhere_in_the_book(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.reload()
    assert page.evaluate(ground) != light
    page.emulate_media(media="print")
    assert page.evaluate(ground) == light


def test_a_first_visit_is_one_small_file(file: Path) -> None:
    assert len(gzip.compress(file.read_bytes())) < 20_000
    text = file.read_text(encoding="utf-8")
    assert " src=" not in text
    assert 'rel="stylesheet"' not in text


def test_the_picture_of_the_readme_is_that_of_the_lists() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run: make readme"
    assert PICTURE.stat().st_size < 400_000
    for of in ORDERS.values():
        drawn = front_page.states()["lists"]["B"][of]
        assert f">{drawn['score']}<" in picture()
