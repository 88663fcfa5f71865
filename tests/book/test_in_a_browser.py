"""The book in a real browser, from the disk and with every other host out of reach."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from tests.support.offline_page import wait_for_widgets
from tools.book.checks import pages

pytestmark = pytest.mark.slow
AXE = files("axe_playwright_python").joinpath("axe.min.js")


@dataclass
class Reader:
    """A page of the browser; what goes wrong in it is kept."""

    page: Page
    site: Path
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.route("**/*", self._asked)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.wrong.append(f"{self.page.url}: {error}"))
        self.page.on("requestfailed", lambda request: self.wrong.append(f"{self.page.url}: {request.url}"))

    def _asked(self, route: Route) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            route.abort()

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{self.page.url}: {message.text}")

    def open(self, name: str, query: str = "") -> Page:
        self.page.goto((self.site / name).as_uri() + query)
        wait_for_widgets(self.page)
        return self.page


@pytest.fixture
def reader(site: Path, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Reader]:
    """At a desk and in the light, unless the test asks for something else."""
    width, scheme = getattr(request, "param", (1400, "light"))
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    yield Reader(context.new_page(), site)
    context.close()


LOADED = """async () => {
    const images = [...document.images];
    for (const image of images) image.loading = "eager";
    await Promise.allSettled(images.map((image) => image.decode()));
    return images.filter((image) => !image.naturalWidth).map((image) => image.src);
}"""


# The second lab of lesson 06, in which the first two documents of A have changed places.
LINK = "#lab=2&metric=EBR-IA%405&A=d4+d1+d2+d5+d6+d3+d7+d9&B=d1+d2+d9+d14+d15+d10+d3+d7"
# Without asking for style sheets again, which a page on the disk may not.
VIOLATIONS = """async () => (await axe.run({
    preload: false,
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true } },
})).violations"""


# What a finger meets lies otherwise on a narrower page.
TARGETS = """async () => (await axe.run({
    preload: false,
    resultTypes: ['violations'],
    runOnly: ['target-size'],
})).violations.flatMap((rule) => rule.nodes.map((node) => node.html.slice(0, 150)))"""


# Letters below 12 pixels, but for a formula's indices and what a lab with dozens of intents has no room for.
SMALL = """() => [...document.querySelectorAll("body *")]
    .filter((one) => !one.closest("math, svg, .dm-tight, .dm-crowded, .dm-children"))
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 12)
    .map((one) => `${one.className} ${one.textContent.trim().slice(0, 40)}`)"""


@pytest.mark.parametrize(
    ("reader", "first"),
    [((1400, "light"), 0), ((390, "dark"), 1)],
    indirect=["reader"],
    ids=["light at a desk", "dark on a phone"],
)
def test_every_page_loads_is_accessible_and_fits(reader: Reader, first: int) -> None:
    """Pages take seconds, so every other one is opened in the light, the rest in the dark."""
    script = AXE.read_text(encoding="utf-8")
    desk_or_phone = reader.page.viewport_size
    assert desk_or_phone
    found, too_wide, too_close, small = [], [], [], []
    for file in pages(reader.site)[first::2]:
        page = reader.open(str(file.relative_to(reader.site)))
        assert page.evaluate(LOADED) == [], file.name
        page.evaluate(script)
        for rule in page.evaluate(VIOLATIONS):
            nodes = [f"{node['html'][:150]} {node['failureSummary'][:200]}" for node in rule["nodes"][:2]]
            found.append(f"{file.name}: {rule['id']} ({len(rule['nodes'])}): {nodes}")
        small += [f"{file.name}: {words}" for words in page.evaluate(SMALL)]
        for width in (390, 1000):
            page.set_viewport_size({"width": width, "height": 900})
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                too_wide.append(f"{file.name} at {width}")
            too_close += [f"{file.name} at {width}: {node}" for node in page.evaluate(TARGETS)]
        page.set_viewport_size(desk_or_phone)
    assert reader.wrong == []
    assert found == []
    assert too_wide == []
    assert too_close == []
    assert small == []


@pytest.mark.parametrize("reader", [(390, "light")], indirect=True)
def test_scrollable_content_fades_at_its_edge(reader: Reader) -> None:
    page = reader.open("notebooks/03_when_metrics_disagree.html")
    figure = page.locator(".scrolled:has(img.figure)").first
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_class(re.compile(r"\bmore-right\b"))
    expect(figure).not_to_have_class(re.compile(r"\bmore-left\b"))
    assert figure.evaluate("(box) => getComputedStyle(box).maskImage") != "none"
    figure.evaluate("(box) => box.scrollTo(10_000, 0)")
    expect(figure).to_have_class(re.compile(r"\bmore-left\b"))
    expect(figure).not_to_have_class(re.compile(r"\bmore-right\b"))
    page.set_viewport_size({"width": 1000, "height": 900})
    expect(figure).not_to_have_class(re.compile(r"\bmore-"))


@pytest.mark.parametrize("reader", [(390, "light"), (1400, "light")], indirect=True)
def test_a_link_to_a_lab_leads_to_it(reader: Reader) -> None:
    page = reader.open("notebooks/06_the_reader_who_leaves.html", LINK)
    lab = page.locator(".divmetrics-page[data-module='lab.js']").nth(1)
    expect(lab).to_be_in_viewport()
    top = lab.evaluate("(box) => box.getBoundingClientRect().top")
    assert 0 <= top < 100, "below the head of the page, which stays"


@pytest.mark.parametrize("reader", [(800, "light"), (1400, "light")], indirect=True)
def test_the_words_of_the_map_have_room_beside_formulas_and_pictures(reader: Reader) -> None:
    page = reader.open("notebooks/map.html")
    narrow = page.eval_on_selector_all(
        ".table-wrapper:has(td img)",
        """(all) => all.flatMap((box) => [...box.querySelectorAll("td:nth-last-child(2)")]
            .map((words) => [words.getBoundingClientRect().width, box.scrollWidth - box.clientWidth]))""",
    )
    assert min(wide for wide, _ in narrow) >= 120
    assert max(beyond for _, beyond in narrow) <= 1


@pytest.mark.parametrize("reader", [(390, "light")], indirect=True)
def test_the_pictures_of_the_map_are_in_sight_on_a_phone(reader: Reader) -> None:
    page = reader.open("notebooks/map.html")
    edges = page.eval_on_selector_all(
        "td img", "(all) => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert len(edges) > 30
    assert max(edges) <= 390


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("marginal utility", "02_marginal_utility.html"),
        ("ERR-IA", "06_the_reader_who_leaves.html#"),
        ("alpha-nDCG", "08_novelty.html#"),
        ("Chapelle", "bibliography.html"),
        ("krippendorff_alpha", "divmetrics.research.meta.html#"),
    ],
)
def test_search_lists_matching_pages(reader: Reader, words: str, place: str) -> None:
    page = reader.open("notebooks/map.html")
    page.fill(".sidebar-search", words)
    page.press(".sidebar-search", "Enter")
    page.wait_for_selector("#search-results ul.search li")
    page.wait_for_function(
        "() => /finished|found/i.test(document.querySelector('#search-results').textContent)"
    )
    links = page.eval_on_selector_all("#search-results ul.search a", "(all) => all.map((one) => one.href)")
    assert any(place in address for address in links[:5]), links[:5]
    assert reader.wrong == []


@pytest.mark.parametrize("reader", [(390, "light")], indirect=True)
def test_the_menus_of_a_phone_open_by_keys(reader: Reader) -> None:
    page = reader.open("notebooks/04_counting.html")
    menu = page.get_by_role("button", name="Contents of the book")
    menu.focus()
    page.keyboard.press("Enter")
    assert menu.get_attribute("aria-expanded") == "true"
    page.wait_for_function(
        "() => document.querySelector('.sidebar-drawer').getBoundingClientRect().left >= 0"
    )
    page.keyboard.press("Escape")
    assert menu.get_attribute("aria-expanded") == "false"
    assert reader.wrong == []


def test_answers_move_to_the_end_when_printed(reader: Reader) -> None:
    page = reader.open("notebooks/04_counting.html")
    before = page.inner_html("article")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".print-answers > div").count() > 3
    closed = page.locator("details:not([open], .hide, [data-module='lab.js'] details) > :not(summary)")
    assert closed.count() == 0, "nothing stays closed"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.inner_html("article") == before


@pytest.mark.parametrize("reader", [(1400, "dark")], indirect=True)
def test_figures_are_dark_on_a_dark_page(reader: Reader) -> None:
    page = reader.open("notebooks/02_marginal_utility.html")
    figure = page.locator("img.figure").first
    assert figure.evaluate("(image) => getComputedStyle(image).colorScheme") == "dark"
    page.evaluate("document.body.dataset.theme = 'light'")
    assert figure.evaluate("(image) => getComputedStyle(image).colorScheme") == "light"
