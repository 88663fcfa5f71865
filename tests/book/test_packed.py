"""The book as one zip: unpacked into any folder, on a disk or below a web server, it opens and answers."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.support.chromium import need_chromium
from tools.book.zip_site import FOLDER, pack
from tools.browser import browser
from tools.local_server import served

PAGE = "notebooks/00_start_here.html"


@pytest.fixture(scope="module")
def unpacked(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a blank in its name, in which a lecturer has unpacked it."""
    file = tmp_path_factory.mktemp("zip") / "book.zip"
    pack(site, file)
    folder = tmp_path_factory.mktemp("class") / "my lecture, week 2"
    with zipfile.ZipFile(file) as packed:
        packed.extractall(folder)
    return folder / FOLDER


@pytest.fixture
def published(unpacked: Path) -> Iterator[str]:
    """The address of the book below a sub-folder of a web server."""
    root = unpacked.parent.parent
    with served(root) as address:
        inside = unpacked.relative_to(root).as_posix().replace(" ", "%20")
        yield f"{address}/{inside}"


def opened(address: str) -> None:
    """A page of a lesson comes up from this address and nothing else, and its lab answers a key."""
    wrong: list[str] = []

    def asked(route: Route) -> None:
        if route.request.url.startswith((address, "data:", "blob:")):
            route.continue_()
        else:
            wrong.append(route.request.url)
            route.abort()

    with browser() as chromium:
        page = chromium.new_page(viewport={"width": 1000, "height": 900})
        page.route("**/*", asked)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("requestfailed", lambda request: wrong.append(request.url))
        page.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
        page.goto(f"{address}/index.html", wait_until="networkidle")  # its icon, too, has come
        page.goto(f"{address}/{PAGE}")
        lab = page.locator('.divmetrics-page[data-module="lab.js"]').first
        scores = lab.locator(".dm-scores span[data-score]")
        before = scores.all_inner_texts()
        moved = lab.locator('[data-list="B"] tr[data-doc]').first.get_attribute("data-doc")
        lab.locator('[data-list="B"] [data-do="grip"]').first.press("Alt+ArrowDown")
        expect(lab.locator('[data-list="B"] tr[data-doc]').nth(1)).to_have_attribute("data-doc", moved or "")
        assert scores.all_inner_texts() != before
        assert wrong == []


@pytest.mark.slow
def test_it_opens_from_a_disk(unpacked: Path) -> None:
    need_chromium()
    opened(unpacked.as_uri())


@pytest.mark.slow
def test_it_opens_below_a_web_server(published: str) -> None:
    need_chromium()
    opened(published)


def test_the_same_site_makes_the_same_file(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        for file in sorted(("index.html", "x.css", "_static/y.js"), reverse=name == "a"):
            (tmp_path / name / file).parent.mkdir(exist_ok=True)
            (tmp_path / name / file).write_text(file)
        pack(tmp_path / name, tmp_path / f"{name}.zip")
    made = {hashlib.sha256((tmp_path / f"{name}.zip").read_bytes()).hexdigest() for name in ("a", "b")}
    assert len(made) == 1
    names = zipfile.ZipFile(tmp_path / "a.zip").namelist()
    assert names == [f"{FOLDER}/{name}" for name in ("_static/y.js", "index.html", "x.css")]


def test_folder_without_a_book_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"holds no index\.html"):
        pack(tmp_path, tmp_path / "book.zip")
