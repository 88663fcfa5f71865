"""What a reader made of a lab is passed on: from the book to a notebook, and from a notebook to the book."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from divmetrics.errors import DivmetricsError
from divmetrics_widgets import RankedListLab, in_book, published
from tests.browser.conftest import Open

LESSON = "03_lists"
SCORES = ".dm-scores span[data-score]"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of one page, with two labs."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "book.js").write_text(in_book.script(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(in_book.BOOK_VARIABLE, "1")
        bundles = [RankedListLab(name)._repr_mimebundle_()[0] for name in ("java", "harry potter")]
    labs = [bundle[in_book.PAGE_TYPE] for bundle in bundles]
    page = folder / "notebooks" / f"{LESSON}.html"
    page.parent.mkdir()
    body = f"<article>{''.join(labs)}</article><script src='../book.js'></script>"
    page.write_text(f"<!doctype html><meta charset='utf-8'>{body}", encoding="utf-8")
    return folder


@pytest.fixture
def elsewhere(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


def read(page: Page, at: int) -> tuple[list[list[str]], list[str]]:
    """The lists of the lab with this number on a page, and every score."""
    lab = page.locator('[data-widget="ranked-list-lab"]').nth(at)
    lists = [
        lab.locator(f'[data-list="{side}"] tr[data-doc]').evaluate_all(
            "rows => rows.map((row) => row.dataset.doc)"
        )
        for side in "AB"
    ]
    return lists, lab.locator(SCORES).all_inner_texts()


def test_what_is_shared_in_the_book_opens_in_a_notebook(book: Path, elsewhere: Page) -> None:
    elsewhere.goto((book / "notebooks" / f"{LESSON}.html").as_uri())
    lab = elsewhere.locator('[data-widget="ranked-list-lab"]').nth(1)
    lab.locator('[data-list="A"] [data-do="down"]').nth(1).click()
    lab.locator("[data-key=share]").click()
    lists, scores = read(elsewhere, 1)
    opened = RankedListLab(lab.locator("textarea.dm-state").input_value())
    assert [list(opened.a.docs), list(opened.b.docs)] == lists
    assert [text for row in opened._results["rows"] for text in row["scores"]] == scores
    link = lab.locator("input.dm-state").input_value()
    assert link == elsewhere.url
    with pytest.raises(DivmetricsError, match=r"a lab starts with a link, .*; expected the text of a page"):
        RankedListLab(link)


def test_what_is_shared_in_a_notebook_opens_in_the_book(
    book: Path, open_notebook: Open, elsewhere: Page
) -> None:
    address = (book / "notebooks" / f"{LESSON}.html").as_uri()
    told = f"from divmetrics_widgets import RankedListLab, published\npublished.page = lambda: {address!r}"
    page = open_notebook([told, 'RankedListLab("harry potter")']).page
    lab = page.locator('[data-widget="ranked-list-lab"]')
    lab.locator('[data-list="B"] [data-do="down"]').first.click()
    expect(lab.locator("css=:scope:not([data-pending])")).to_have_count(1)
    shown = read(page, 0)
    lab.locator("[data-key=share]").click()
    link = lab.locator("input.dm-state").input_value()
    assert link.startswith(f"{address}#lab=")
    elsewhere.goto(link)
    assert read(elsewhere, 1) == shown
    expect(elsewhere.locator('[data-widget="ranked-list-lab"]').nth(1)).to_be_in_viewport()
    # A grade of one's own is in no table of the book: only the text can be passed on.
    label = lab.locator('[data-list="A"] [data-do="grade"]').first
    grade = label.get_attribute("data-grade")
    label.click()
    expect(label).not_to_have_attribute("data-grade", grade or "")
    lab.locator("[data-key=share]").click()
    expect(lab.locator("textarea.dm-state")).to_be_visible()
    expect(lab.locator("input.dm-state")).to_have_count(0)


def test_a_link_to_a_lab_that_a_page_has_not_says_so(book: Path, elsewhere: Page) -> None:
    address = (book / "notebooks" / f"{LESSON}.html").as_uri()
    elsewhere.goto(address)
    before = read(elsewhere, 0)
    elsewhere.goto("about:blank")
    elsewhere.goto(f"{address}#lab=nowhere&A=d1&B=d2&metric=x")
    expect(elsewhere.get_by_role("status").first).to_contain_text("No lab of this page can show")
    assert read(elsewhere, 0) == before


@pytest.mark.parametrize(
    ("name", "metadata", "found"),
    [
        ("04_mine.ipynb", {"divmetrics": {"lesson": {}}}, "https://x.org/book/notebooks/04_mine.html"),
        ("04_mine.ipynb", {}, ""),
        ("gone.ipynb", None, ""),
        ("", None, ""),
    ],
)
def test_a_notebook_of_the_course_knows_its_page(
    name: str,
    metadata: dict[str, object] | None,
    found: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if metadata is not None:
        nbformat.write(nbformat.v4.new_notebook(metadata=metadata), tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(published, "address", lambda: "https://x.org/book")
    monkeypatch.setenv(published.NOTEBOOK, f"notebooks/{name}" if name else "")
    assert published.page() == found
