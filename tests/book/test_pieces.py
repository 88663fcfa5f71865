"""The pieces that the book is made with, each by itself."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import SphinxError

from divmetrics_widgets.in_book import PAGE_TYPE
from tests.support.paths import ROOT
from tools.book import descriptions, page_assets, pages
from tools.book.checks import dead_links, oversized_pages, strangers
from tools.book.docstrings import escape_paragraph, format_docstring
from tools.book.formulas import _with_its_comma, beside, drawn
from tools.book.freshness import current, remember, stale
from tools.book.names import _unbroken
from tools.book.outputs import fit_for_a_page
from tools.book.signatures import grouped, in_lines, short
from tools.generated_cells import BEGIN

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="580" height="90" aria-label="two &lt; three"></svg>'
WIDGET = (
    '<div class="divmetrics-page"><table><th></th></table></div><script type="application/json">{}</script>'
)


def one_output(data: dict[str, str], **metadata: object) -> nbformat.NotebookNode:
    output = nbformat.v4.new_output("display_data", data)
    cell = nbformat.v4.new_code_cell("1", outputs=[output], metadata=metadata)
    return nbformat.v4.new_notebook(cells=[cell])


def test_a_figure_becomes_a_file_with_its_words() -> None:
    made, figures = fit_for_a_page(
        one_output({"image/svg+xml": SVG, "image/png": "", "text/plain": "x"}), "04"
    )
    assert figures == {"04-1.svg": SVG}
    data = made.cells[0].outputs[0].data
    assert "image/png" not in data
    assert 'src="figures/04-1.svg" alt="two &lt; three" width="580"' in data["text/html"]


def test_a_widget_stays_as_it_is_and_a_table_loses_its_styles() -> None:
    made, _ = fit_for_a_page(one_output({"text/html": "<table></table>", PAGE_TYPE: WIDGET}), "04")
    assert made.cells[0].outputs[0].data["text/html"] == WIDGET
    made, _ = fit_for_a_page(
        one_output({"text/html": "<style scoped>x {}</style>\n<th></th><th>A</th>"}), "04"
    )
    assert made.cells[0].outputs[0].data["text/html"] == "<td></td><th>A</th>"


def test_a_column_of_words_is_marked_with_its_head_and_numbers_are_not() -> None:
    table = pd.DataFrame({"claim": ["it rises", "it falls"], "tau": [0.5, 0.75]}).to_html()
    made, _ = fit_for_a_page(one_output({"text/html": table}), "04")
    html = made.cells[0].outputs[0].data["text/html"]
    assert '<th class="words">claim</th>' in html
    assert '<td class="words">it rises</td>' in html
    assert "<th>tau</th>" in html
    assert "<td>0.50</td>" in html


def test_the_name_of_an_index_stands_above_it() -> None:
    table = pd.DataFrame({"tau": [0.5], "low": [0.25]}, index=pd.Index(["S-recall"], name="metric"))
    made, _ = fit_for_a_page(one_output({"text/html": table.to_html()}), "04")
    html = made.cells[0].outputs[0].data["text/html"]
    assert html.count("<tr") == 2
    assert [html.index(word) for word in ("metric", "tau", "low", "S-recall")] == sorted(
        html.index(word) for word in ("metric", "tau", "low", "S-recall")
    )
    table.columns.name = "column"
    made, _ = fit_for_a_page(one_output({"text/html": table.to_html()}), "04")
    assert made.cells[0].outputs[0].data["text/html"].count("<tr") == 3, "two names stay in two rows"


def test_a_comma_stays_with_its_formula() -> None:
    tree = new_document("page")
    tree += nodes.paragraph("", "", nodes.math("", "M"), nodes.Text(", as before; "), nodes.math("", "N"))
    _with_its_comma(None, tree, "")  # type: ignore[arg-type]
    together, rest, alone = tree[0].children
    assert together["classes"] == ["together"]
    assert (together.astext(), rest.astext(), alone.astext()) == ("M,", " as before; ", "N")


def test_formulas_beside_each_other_may_stand_below_each_other() -> None:
    assert beside(r"w = 1, \qquad N = 1") == ["w = 1, ", " N = 1"]
    assert beside(r"\text{if \qquad then}") == [r"\text{if \qquad then}"], "one formula stays one"
    assert beside(r"\begin{cases} a \qquad b \end{cases}") == [r"\begin{cases} a \qquad b \end{cases}"]


def test_no_line_breaks_within_the_name_of_a_metric() -> None:
    tree = new_document("page")
    tree += nodes.paragraph(
        "", "Under ERR-IA@5, alpha-nDCG and S-recall a co-op of TUTA1-D-E-1B's ends. D#-measures"
    )
    tree += nodes.paragraph("", "", nodes.literal("", "ERR-IA"))
    before = tree[0].astext()
    _unbroken(None, tree, "")  # type: ignore[arg-type]
    unbroken = [node.astext() for node in tree.findall(nodes.inline) if node["classes"] == ["together"]]
    assert unbroken == ["ERR-IA@5", "alpha-nDCG", "S-recall", "TUTA1-D-E-1B", "D#-measures"]
    assert tree[0].astext() == before


def test_a_row_that_is_a_heading_goes_across_the_columns() -> None:
    cells = '<td class="x"><p>{}</p></td>\n<td><p>{}</p></td>\n</tr>'
    heading, row = (f'<tr class="row-even">{cells.format(*words)}' for words in (("Begin", ""), ("00", "25")))
    assert grouped(heading + row) == heading.replace("row-even", "row-even group") + row


def test_code_that_is_hidden_in_a_notebook_is_closed_on_its_page() -> None:
    made, _ = fit_for_a_page(one_output({}, jupyter={"source_hidden": True}, tags=["x"]), "04")
    assert made.cells[0].metadata.tags == ["x", "hide-input"]


def test_a_page_does_not_say_how_to_run_it() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(f"20 minutes\n\n{BEGIN}")])
    assert fit_for_a_page(notebook, "04")[0].cells[0].source == "20 minutes"


def test_search_for_a_metric_finds_its_derivation() -> None:
    cell = nbformat.v4.new_markdown_cell("## Two", metadata={"divmetrics": {"derives": ["P-IA", "D#-Q"]}})
    made, _ = fit_for_a_page(nbformat.v4.new_notebook(cells=[cell]), "04")
    assert made.cells[0].source == (
        "```{index} ! single: D#-Q\n```\n\n```{index} ! single: P-IA\n```\n\n## Two"
    )


@pytest.mark.parametrize(
    ("text", "page", "expected"),
    [
        ("[a](04_counting.ipynb#Why%3F)", "notebooks/x.ipynb", "[a](04_counting.ipynb#Why%3F)"),
        ("[a](04_counting.ipynb#Kendall's-tau)", "notebooks/x.ipynb", "[a](04_counting.ipynb#Kendall's-tau)"),
        ("[a](../README.md)", "notebooks/x.ipynb", "[a](../index.md)"),
        ("[`a`](pyproject.toml), [b](API.md)", "CHANGELOG.md", "`a`, [b](API.md)"),
        ("`[a](pyproject.toml)`", "CHANGELOG.md", "`[a](pyproject.toml)`"),
        ("[a](../examples/README.md)", "docs/files.md", "a"),
        ("[a](python.md#there)", "docs/files.md", "[a](python.md#there)"),
        ("![a](pictures/x.png) [b](https://x.org)", "notebooks/x.ipynb", None),
    ],
)
def test_links_lead_to_pages(
    text: str, page: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "repository", lambda: None)
    assert pages.with_links(text, Path(page)) == (text if expected is None else expected)


def test_a_link_to_a_file_without_a_page_leads_to_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "repository", lambda: "https://example.org/a/b")
    text = pages.with_links("[a](pyproject.toml)", Path("CHANGELOG.md"))
    assert text == "[a](https://example.org/a/b/blob/HEAD/pyproject.toml)"


def test_every_notebook_of_the_course_has_a_page() -> None:
    named = {Path(page).stem for page in pages.sources()}
    assert {path.stem for path in ROOT.glob("notebooks/*.ipynb")} <= named


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("prod_{j<k} (1 - R) * `a*b` |x| L_", r"prod\_{j<k} (1 - R) \* ``a*b`` \|x\| L\_"),
        ("*names : what", r"\*names : what"),
        ("from 0..`scale` (`a`)", r"from 0..\ ``scale`` (``a``)"),
    ],
)
def test_docstring_text_is_not_markup(line: str, expected: str) -> None:
    assert escape_paragraph(line) == expected


def test_parameter_description_stands_below_its_name() -> None:
    lines = ["Parameters", "----------", "a, *b : what @ is", "    and more"]
    assert [line for line in format_docstring(lines) if line] == [
        *("Parameters", "----------", r"a, \*b", r"    what \@ is", "    and more"),
    ]


def test_code_spans_lines_and_examples_are_unchanged() -> None:
    lines = ["As `topic", "doc_` and x_.", "", "Examples", "--------", '>>> _ = "a*\\n"', ">>> b_", "1"]
    assert list(format_docstring(lines)) == [
        *("As ``topic", r"doc_`` and x\_.", "", "Examples", "--------", '>>> _ = "a*\\n"', ">>> b_", "1"),
    ]


def test_a_signature_is_short_and_in_lines() -> None:
    limits = (
        "(beta: Annotated[float, ~divmetrics.core.Setting(says=a (b), usual=(0, 1), words=())] = 1.0, k: int)"
    )
    assert short(limits) == "(beta: float = 1.0, k: int)"
    words = "(top: ~typing.Annotated[~typing.Literal['a', 'b'], ~divmetrics.core.Setting(says=x)] = 'a')"
    assert short(words) == "(top: ~typing.Literal['a', 'b'] = 'a')"
    made = in_lines("<dl class='x'><dt>f(<dl>\n<dd>a,</dd>\n<dd>b</dd>\n</dl>)</dt><dd>c</dd></dl>")
    assert made == (
        '<dl class=\'x\'><dt>f(<span class="sig-line">a,</span>\n<span class="sig-line">b</span>\n)'
        "</dt><dd>c</dd></dl>"
    )


def test_a_formula_that_cannot_be_drawn_stops_the_book() -> None:
    assert drawn(r"\frac{1}{k}", inline=True).startswith("<math")
    assert 'display="block"' in drawn("M", inline=False)
    with pytest.raises(SphinxError, match="MathML"):
        drawn(r"\frac{1}{", inline=True)


def test_a_stale_page_is_noticed(tmp_path: Path) -> None:
    kept, changed = tmp_path / "kept.ipynb", tmp_path / "changed.ipynb"
    for file in (kept, changed):
        file.write_text("before", encoding="utf-8")
    site = tmp_path / "site"
    site.mkdir()
    both = {"kept.html": kept, "changed.html": changed}
    assert stale(site, both) == ["changed.html", "kept.html"], "no page has been made"
    remember(site, current(both))
    assert stale(site, both) == []
    changed.write_text("after", encoding="utf-8")
    assert stale(site, both) == ["changed.html"]
    assert stale(site, {"kept.html": kept, "new.html": kept}) == ["changed.html", "new.html"]


@pytest.mark.parametrize(
    ("html", "rule", "message"),
    [
        ('<a href="none.html">', dead_links, "leads to no file"),
        ('<a href="x.html#here">', dead_links, "leads to no place"),
        ('<a href="#there">', dead_links, "leads to no place"),
        ('<a href="x.html#over%20there"><p id="over there">', dead_links, None),
        ('<a href="https://doi.org/1">', strangers, None),
        ('<script src="https://cdn.example/x.js">', strangers, "cdn.example"),
        ('<link rel="stylesheet" href="//cdn.example/x.css">', strangers, "cdn.example"),
        ('<img src="http://example.org/x.png">', strangers, "example.org"),
        ("<p style=\"background: url('https://example.org/x')\">", strangers, "example.org"),
        ('<link rel="next" href="x.html">', strangers, None),
        ("<p>few words", oversized_pages, None),
    ],
)
def test_broken_book_rules_are_reported(tmp_path: Path, html: str, rule: object, message: str | None) -> None:
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "x.html").write_text(html, encoding="utf-8")
    complaints = list(rule(tmp_path))  # type: ignore[operator]
    assert len(complaints) == (message is not None), complaints
    assert message is None or message in complaints[0]


def test_a_style_sheet_fetches_from_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "x.css").write_text('@import "https://example.org/x.css";', encoding="utf-8")
    assert list(strangers(tmp_path)) == ["x.css: fetches https://example.org/x.css"]


def test_a_lesson_that_is_too_heavy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.book.checks.PAGE", 10)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "x.html").write_text("<p>more than ten bytes", encoding="utf-8")
    (complaint,) = oversized_pages(tmp_path)
    assert complaint.startswith("notebooks/x.html: ")


PAGE = """<head>
  <link rel="stylesheet" type="text/css" href="{0}_static/one.css?v=1" />
  <link rel="stylesheet" type="text/css" href="{0}_static/theme/two.css" /><style>p {{}}</style>
</head><body><script>now()</script><script src="{0}_static/search.js"></script></body>"""


def _a_site(folder: Path, two: str = "p { color: red }") -> Path:
    for name, text in (("one.css", "p { color: blue }"), ("theme/two.css", two)):
        (folder / "_static" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "_static" / name).write_text(text, encoding="utf-8")
    (folder / "notebooks").mkdir()
    for name, root in (("map.html", ""), ("notebooks/a.html", "../")):
        (folder / name).write_text(PAGE.format(root), encoding="utf-8")
    (folder / page_assets.FRONT_PAGE).write_text("<style></style>", encoding="utf-8")
    return folder


def test_a_page_waits_for_one_style_sheet_and_no_script(tmp_path: Path) -> None:
    page_assets.deliver(_a_site(tmp_path))
    (styles,) = tmp_path.rglob("*.css")
    text = styles.read_text(encoding="utf-8")
    assert text.index("blue") < text.index("red") < text.index(".dm-label"), "in the order of the page"
    assert (tmp_path / page_assets.LABS).is_file()
    front_page = (tmp_path / page_assets.FRONT_PAGE).read_text(encoding="utf-8")
    assert front_page == "<style></style>", "it has its own, and gets no other"
    for name, root in (("map.html", ""), ("notebooks/a.html", "../")):
        page = (tmp_path / name).read_text(encoding="utf-8")
        assert re.findall(r'(?:href|src)="([^"?]*)', page) == [
            f"{root}{page_assets.STYLES}",
            f"{root}{page_assets.LABS}",
            f"{root}_static/search.js",
        ]
        assert page.index(page_assets.STYLES) < page.index("<style>"), (
            "what the page itself says comes after it"
        )
        assert page.count("<script defer src") == page.count("<script async fetchpriority") == 1
        assert "<script>now()" in page


def test_unmergeable_style_sheets_are_reported(tmp_path: Path) -> None:
    site = _a_site(tmp_path, "p { background: url(paper.png) }")
    with pytest.raises(SystemExit, match=r"two\.css: fetches what lies beside it"):
        page_assets.deliver(site)
    other = site / "other.html"
    other.write_text("<head></head>", encoding="utf-8")
    with pytest.raises(SystemExit, match="different style sheets"):
        page_assets.deliver(site)


@pytest.mark.parametrize(
    ("paragraphs", "message"),
    [
        (["One two\nthree.", "More."], "One two three."),
        ([], descriptions.OF_THE_BOOK),
        (["word " * 60], f"{'word ' * 31}…"),
    ],
)
def test_a_page_is_described_by_its_first_paragraph(paragraphs: list[str], message: str) -> None:
    page = new_document("")
    page += [nodes.title("", "A title"), *(nodes.paragraph("", text) for text in paragraphs)]
    assert descriptions.description(page) == message


def test_a_page_without_text_is_a_page_of_the_book() -> None:
    assert descriptions.description(None) == descriptions.OF_THE_BOOK
