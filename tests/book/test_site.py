"""The whole book, as it is made from the course."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fontTools.ttLib import TTFont

from tests.support.paths import ROOT
from tools.api_page import public
from tools.book.checks import read, wrong
from tools.book.descriptions import LETTERS
from tools.book.fonts import FONT, italic
from tools.book.page_assets import FRONT_PAGE, LABS, STYLES

pytestmark = pytest.mark.slow


def test_site_passes_all_checks(site: Path) -> None:
    """No page is stale or missing, no link dead, nothing fetched from elsewhere, nothing too heavy."""
    assert wrong(site) == []


def test_site_has_reference_pages(site: Path) -> None:
    for path in ROOT.glob("notebooks/*.ipynb"):
        assert (site / "notebooks" / f"{path.stem}.html").is_file(), path.name
    for name in ("index", "API", "CHANGELOG", "command_line", "search", "genindex"):
        assert (site / f"{name}.html").is_file(), name


def test_every_page_but_the_first_brings_the_labs_script_and_styles(site: Path) -> None:
    for page in set(site.rglob("*.html")) - {site / FRONT_PAGE}:
        fetched = " ".join(read(page).fetched)
        assert STYLES in fetched, page
        assert LABS in fetched, page


def test_every_page_says_what_it_is(site: Path) -> None:
    for page in site.rglob("*.html"):
        found = re.search(r'<meta name="description" content="([^"]+)">', read(page).text)
        assert found, page
        assert 10 < len(unescape(found[1])) <= LETTERS, page


def test_every_page_has_one_viewport_and_a_preview(site: Path) -> None:
    for page in site.rglob("*.html"):
        tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', read(page).text)
        named = [name for name, _ in tags]
        for name in (
            "viewport",
            "og:type",
            "og:title",
            "og:description",
            "og:image",
            "og:image:alt",
            "twitter:card",
        ):
            assert named.count(name) == 1, f"{page}: {name}"
        values = dict(tags)
        assert re.fullmatch(r"[^<]+", unescape(values["og:title"])), page
        assert urlsplit(values["og:image"]).scheme or (page.parent / values["og:image"]).is_file(), page


def test_the_front_page_leads_to_every_lesson(site: Path) -> None:
    links = set(read(site / FRONT_PAGE).links)
    assert {f"notebooks/{path.stem}.html" for path in ROOT.glob("notebooks/[0-9A-Z]*_*.ipynb")} <= links
    assert {"notebooks/map.html", "course/LECTURER.html", "docs/files.html", "docs/python.html"} <= links
    assert not (site / "_static" / "front_page.js").exists(), "it is in the page"


def test_the_font_of_formulas_has_all_letters_of_them_and_their_tall_brackets(site: Path) -> None:
    formulas = [
        re.sub(r"<[^>]*>", "", formula)
        for page in site.rglob("*.html")
        for formula in re.findall(r"<math.*?</math>", read(page).text, re.DOTALL)
    ]
    needed = set(unescape("".join(formulas)))
    whole, ours = TTFont(ROOT / "tools" / "book" / "static" / "fonts" / Path(FONT).name), TTFont(site / FONT)
    letters, there = (set(map(chr, font.getBestCmap())) for font in (whole, ours))
    assert {"(", "\u2211", "\U0001d45d"} <= there, "a bracket, a sum and the italic p"
    assert (needed | italic(needed)) & letters <= there
    assert len(there) < len(letters) / 10
    assert brackets(ours) == brackets(whole) > 10


def brackets(font: TTFont) -> int:
    """In how many heights a font has the left one."""
    variants = font["MATH"].table.MathVariants
    place = variants.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("(")])
    return len(variants.VertGlyphConstruction[place].MathGlyphVariantRecord)


def test_every_public_name_is_described(site: Path) -> None:
    for package, names in public().items():
        page = read(site / "api" / f"{package}.html").text
        for name in names:
            if not name.startswith("__") and package != "divmetrics.adapters.ir_measures":
                assert re.search(rf"\b{re.escape(name)}\b", page), f"{package}.{name}"


def test_signatures_omit_documented_settings(site: Path) -> None:
    for page in sorted((site / "api").glob("*.html")):
        signatures = re.findall(r'<dt class="sig .*?</dt>', page.read_text(encoding="utf-8"), re.DOTALL)
        assert not [found for found in signatures if "Annotated" in found], page.name


def test_parameters_and_errors_are_laid_out(site: Path) -> None:
    page = read(site / "api" / "divmetrics.html").text
    for heading in ("Parameters", "Returns", "Raises"):
        assert f">{heading}<" in page
    assert 'id="divmetrics.evaluate"' in page


def test_code_markup_is_converted(site: Path) -> None:
    for page in sorted((site / "api").glob("*.html")):
        assert "``" not in read(page).text, page.name


def test_parameter_terms_are_names(site: Path) -> None:
    for page in sorted((site / "api").glob("*.html")):
        for found in re.findall(r"<dt><strong>(.*?)</strong>", read(page).text, re.DOTALL):
            name = unescape(re.sub(r"<[^>]*>", "", found))
            assert re.fullmatch(r"\*{0,2}\w+(, \*{0,2}\w+)*", name), f"{page.name}: {name}"


@pytest.mark.parametrize("word", ["novelti", "ndcg", "sakai", "chapell", "krippendorff", "irbu", "disagr"])
def test_the_search_knows_terms_metrics_and_authors(site: Path, word: str) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    index_entries = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    assert word in index_entries["terms"] or word in index_entries["titleterms"]


def test_formulas_are_drawn_and_no_dollars_are_left(site: Path) -> None:
    page = (site / "notebooks" / "02_marginal_utility.html").read_text(encoding="utf-8")
    assert page.count("<math") > 20
    assert "MathJax" not in page
