"""What follows from the lessons is up to date, the course holds together, and each of its rules can fail."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from tests.support.lessons import chapter, code, said, words
from tests.support.paths import ROOT
from tools import course, course_rules, tracks
from tools.chapters import Chapter, chapters
from tools.course_rules import RULES_BETWEEN, Rule, dead_links
from tools.derivations import to_be_derived
from tools.generated_cells import BEGIN, with_generated_cells
from tools.launch_links import colab_cell
from tools.map_page import map_page
from tools.markdown_text import links
from tools.notebook_files import (
    FOLDER,
    all_notebooks,
    generated_page,
    is_generated,
    read,
    reading_order,
    tags,
    wrap_up,
    write,
)
from tools.readme import repository
from tools.reference_pages import bibliography_page, glossary_page
from tools.tracks import GROUPS, TRACKS, Track, in_words

SOME = 27  # lessons that there are at least: fewer are a folder that was not found, or lessons that were lost
BINDER = "https://github.com/someone/divmetrics"


def test_the_lessons_are_there() -> None:
    chapters = reading_order()
    assert len(chapters) >= SOME, (
        f"{len(chapters)} lessons and appendices in {FOLDER}: what is checked below?"
    )
    assert chapters[0].name == "00_start_here.ipynb"


def test_everything_that_follows_from_the_lessons_is_up_to_date() -> None:
    made = course.make_notebooks(chapters(), repository())
    stale = [path.name for path, notebook in made.items() if not path.exists() or read(path) != notebook]
    assert stale == [], "run: make notebooks"
    wrap_ups = {path for path in map(wrap_up, made) if path}
    assert set(made) | wrap_ups == set(all_notebooks())  # and there is no page that nobody made


@pytest.mark.parametrize("rule", RULES_BETWEEN, ids=lambda rule: rule.__name__)
def test_the_course(rule: Rule) -> None:
    complaints = list(rule(chapters()))
    assert not complaints, "\n".join(["", *complaints])


def test_no_link_leads_nowhere() -> None:
    notebooks = {path: read(path) for path in all_notebooks()}
    assert notebooks
    complaints = list(dead_links(notebooks))
    assert not complaints, "\n".join(["", *complaints])


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_of_the_pages_at_the_top_lead_to_headings_of_notebooks(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8").replace("](#", "](https://github.com/#")
    notebooks = {path: read(path) for path in all_notebooks()} | {ROOT / name: generated_page({"page": text})}
    assert [complaint for complaint in dead_links(notebooks) if complaint.startswith(f"{name}:")] == []


# From here on: a course made for the purpose.


def made_course(**changed: Any) -> list[Chapter]:
    """Two lessons and an appendix; changed: of what the second says."""
    first = chapter("00_start")
    second = chapter("01_more", builds_on=["00_start"], **changed)
    return [first, second, chapter("A_end", builds_on=["01_more", "00_start"], sources=[])]


def cell(notebook: NotebookNode, tag: str) -> str:
    (source,) = [cell.source for cell in notebook.cells if tag in tags(cell)]
    return str(source)


def test_a_head_stands_below_the_title() -> None:
    long = [words("w " * 1400), *[code("x") for _ in range(3)]]
    made = with_generated_cells(
        [chapter("00_start"), chapter("01_more", *long, builds_on=["00_start"])], None
    )[1]
    assert made.notebook.cells[0].source.startswith("# More")
    assert is_generated(made.notebook.cells[1])
    assert cell(made.notebook, "head") == (
        "**15 minutes**, plus 5 for exercises · builds on [00 Start](00_start.ipynb) · [map](map.ipynb) · "
        "[symbols and terms](notation_and_glossary.ipynb) · [bibliography](bibliography.ipynb)\n\n"
        "<details><summary>After this lesson you can say …</summary>\n\n"
        "- One is. <!-- claim: one -->\n- The other is not. <!-- claim: one -->\n"
        "- So it is. <!-- claim: one -->\n\n"
        "</details>\n\n" + BEGIN
    )


def test_a_head_has_a_link_that_runs_the_lesson_where_the_address_is_known() -> None:
    for made in with_generated_cells(made_course(), BINDER):
        address = f"gh/someone/divmetrics/HEAD?urlpath=lab/tree/notebooks/{made.path.name}"
        assert f"[run it on Binder](https://mybinder.org/v2/{address})" in cell(made.notebook, "head")
    assert all(
        "Binder" not in cell(made.notebook, "head") for made in with_generated_cells(made_course(), None)
    )


def test_a_lesson_that_runs_in_colab_has_a_link_and_installs_the_project_there() -> None:
    first, second, _ = (made.notebook for made in with_generated_cells(made_course(), BINDER))
    opened = "https://colab.research.google.com/github/someone/divmetrics/blob/main/notebooks/00_start.ipynb"
    assert f"[open it in Colab]({opened})" in cell(first, "head")
    installs = first.cells[2]
    assert installs.source == colab_cell(BINDER)
    assert not any("colab" in tags(cell) or "Colab" in cell.source for cell in second.cells)
    for elsewhere in (None, "https://gitlab.com/group/divmetrics"):
        made = with_generated_cells(made_course(), elsewhere)[0].notebook
        assert not any("colab" in tags(cell) or "Colab" in cell.source for cell in made.cells)


def test_colabs_cell_keeps_that_it_was_run_until_it_changes() -> None:
    once = with_generated_cells(made_course(), BINDER)
    once[0].notebook.cells[2].execution_count = 1
    twice = with_generated_cells(once, BINDER)
    assert [made.notebook for made in once] == [made.notebook for made in twice]
    moved = with_generated_cells(once, f"{BINDER}2")[0].notebook.cells
    assert [cell.execution_count for cell in moved if "colab" in tags(cell)] == [None]


@pytest.mark.parametrize("in_colab", [False, True])
def test_colabs_cell_does_nothing_elsewhere(monkeypatch: pytest.MonkeyPatch, in_colab: bool) -> None:
    if in_colab:
        monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    ran: list[str] = []
    shell = SimpleNamespace(
        system=ran.append, run_line_magic=lambda name, line, **more: ran.append(f"{name} {line}")
    )
    code = TransformerManager().transform_cell(colab_cell(BINDER))
    exec(code, {"get_ipython": lambda: shell})
    assert [line.split()[0] for line in ran] == (["git", "pip", "cd"] if in_colab else [])


def test_sources_and_links_end_a_lesson() -> None:
    first, second, end = (made.notebook for made in with_generated_cells(made_course(), None))
    assert [cell.metadata.get("tags") for cell in second.cells[-3:]] == [None, ["sources"], ["navigation"]]
    assert re.fullmatch(
        r"## Sources\n\n"
        r"- Yu, .*? \(2017\)\. .*? \*Information Processing & Management 53\(4\), 799-813\*\. "
        r"\[doi:10\.1016/j\.ipm\.2017\.03\.001\]\(https://doi\.org/10\.1016/j\.ipm\.2017\.03\.001\)\n"
        r"- Carterette \(2009\)\. .*? \*ICTIR 2009, 200-211\*\.\n\n"
        r"All sources of the course are in the \[bibliography\]\(bibliography\.ipynb\)\.",
        cell(second, "sources"),
    )
    assert cell(first, "navigation") == "[Map of the course](map.ipynb) · [01 More →](01_more.ipynb)"
    assert cell(second, "navigation") == (
        "[← 00 Start](00_start.ipynb) · [Map of the course](map.ipynb) · [A End →](A_end.ipynb)"
    )
    assert cell(end, "navigation") == "[← 01 More](01_more.ipynb) · [Map of the course](map.ipynb)"
    assert "After this appendix you can say" in cell(end, "head")


def test_navigation_names_the_next_lesson_of_each_path() -> None:
    names = ("06_leaving", "07_minor", "08_novelty", "11_gamma", "12_kinds")
    six, seven, _, eleven, _ = (
        made.notebook for made in with_generated_cells(list(map(chapter, names)), None)
    )
    assert cell(six, "navigation").endswith(
        "\n\nNext on the undergraduate path: [08 Novelty](08_novelty.ipynb)."
    )
    assert "path" not in cell(seven, "navigation")
    assert cell(eleven, "navigation").endswith("\n\nThe undergraduate path ends here.")


def test_generated_cells_are_replaced() -> None:
    old = words("## Contents", tags=["contents"])
    once = with_generated_cells([chapter("00_start", old), chapter("01_more")], None)
    twice = with_generated_cells(once, None)
    assert [made.notebook for made in once] == [made.notebook for made in twice]
    assert all("contents" not in tags(cell) for cell in once[0].notebook.cells)
    assert [made.minutes for made in once] == [made.minutes for made in twice]


def test_a_head_needs_a_title_above_it() -> None:
    bad = chapter("00_start")
    bad.notebook.cells.insert(0, code("import divmetrics"))
    with pytest.raises(SystemExit, match="its first cell is not that of the title"):
        with_generated_cells([bad], None)
    bad.notebook.cells = [words("No title.")]
    with pytest.raises(SystemExit, match="no markdown cell has a title"):
        with_generated_cells([bad, bad], None)


@pytest.mark.parametrize(
    ("metadata", "complaint"),
    [
        ({}, "have no divmetrics.lesson"),
        ({"divmetrics": {"lesson": {"question": "Why?"}}}, "lack 'takeaways'"),
        ({"divmetrics": {"lesson": said(sources=["me1999"])}}, "unknown sources: me1999"),
    ],
)
def test_missing_lesson_metadata_is_an_error(metadata: dict[str, Any], complaint: str) -> None:
    bad = chapter("00_start")
    bad.notebook.metadata = NotebookNode(metadata)
    with pytest.raises(SystemExit, match=complaint):
        course.make_notebooks([bad], None)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="there is no lesson"):
        chapters(tmp_path)


def test_the_command_writes_it_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for made in made_course():
        write(made.notebook, tmp_path / made.path.name)
    assert course.main(tmp_path) == 1  # for so short a course derives nothing
    assert "P-IA is derived nowhere" in capsys.readouterr().out
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    pages = ["bibliography.ipynb", "map.ipynb", "notation_and_glossary.ipynb"]
    assert sorted(path.name for path in before) == ["00_start.ipynb", "01_more.ipynb", "A_end.ipynb", *pages]
    course.main(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def text(notebook: NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells)


def test_the_map_has_paths_questions_and_metrics() -> None:
    derivation = words("## How many? P-IA and D#-nDCG", divmetrics={"derives": ["P-IA", "D#-nDCG", "-IS"]})
    chapters = [
        *made_course()[:1],
        chapter("01_more", derivation, builds_on=["00_start"], question="How many?"),
    ]
    needs = chapter("02_also", builds_on=["00_start"])
    page = text(map_page([*chapters, needs, chapter("A_end")]))
    assert "| [01 More](01_more.ipynb) | How many? | 5\u00a0+\u00a05 |" in page
    assert "| **Appendices** | | |\n| [A End](A_end.ipynb)" in page
    times = "5\u00a0min | 5\u00a0min"
    assert f"| **Tutorial**: a first look, in one sitting | {times} | [00](00_start.ipynb) |" in page
    assert "| 10\u00a0min | 10\u00a0min | [01](01_more.ipynb) [02](02_also.ipynb) |\n" in page
    assert (
        "**Meta-evaluation** takes the metrics as given: its lessons build on [00](00_start.ipynb)," in page
    )
    assert "**Tutorial** " not in page
    to = "01_more.ipynb#How-many%3F-P-IA-and-D%23-nDCG"
    assert "**How many?** [01 More](01_more.ipynb)\n\n| metric |" in page
    assert f"| [P‑IA]({to}) | $I(g_i^k)$<br>$1$ | Readers count the relevant documents. | <img " in page
    made_of = "those of I‑rec and D‑nDCG"
    assert f"| [D#‑nDCG]({to}) | {made_of} | 0.5 of I-rec and 0.5 of D-nDCG. | <img " in page
    assert f"| [all -IS]({to}) | as the metric has it | Every metric within" in page
    assert page.count("<img ") == 3


def test_the_map_shows_every_metric_and_stays_small() -> None:
    (page,) = [path for path in all_notebooks() if path.name == "map.ipynb"]
    pictures = re.findall(r'<img src="data:image/svg\+xml;base64,[^"]+" alt="([^"]+)"', text(read(page)))
    assert len(pictures) == len(to_be_derived())
    assert len(set(pictures)) == len(pictures)  # each says what it shows
    assert page.stat().st_size < 400_000


def test_the_glossary_has_symbols_and_terms_with_their_lessons() -> None:
    chapters = made_course(
        terms={"Kendall's tau": "A share.", "ideal list": "The best."},
        symbols={"p(t_i|q)": "how likely it is", r"\|x\|": "a length"},
    )
    page = text(glossary_page(chapters))
    link = "[01 More](01_more.ipynb)"
    assert rf"| $p(t_i\mid q)$ | how likely it is | {link} |" in page
    assert rf"| $\Vert x\Vert $ | a length | {link} |" in page
    assert f"### ideal list\n\nThe best. ({link})\n\n### Kendall's tau\n\nA share. ({link})" in page
    assert len(glossary_page(chapters).cells) == 1


def test_bars_are_escaped_in_the_table_of_symbols() -> None:
    page = text(glossary_page(chapters()))
    rows = [line for line in page.splitlines() if line.startswith("| $")]
    assert len(rows) > 40
    assert [row for row in rows if row.count("|") != 4] == []


def test_the_bibliography_has_sources_once_with_their_lessons() -> None:
    page = text(bibliography_page(made_course()))
    assert page.count("\n- ") == 2
    assert page.index("Carterette (2009)") < page.index("Yu, Jatowt")
    assert "*ICTIR 2009, 200-211*. In [00](00_start.ipynb), [01](01_more.ipynb)." in page


BAD: dict[str, list[tuple[list[Chapter], str]]] = {
    "terms_once": [
        (
            made_course(terms={"Term of  00_start": "It is."}),
            "the term 'term of 00_start' is declared by 00_start and by 01_more",
        ),
        ([*made_course(symbols={"x_y ": "x"})[:2], chapter("02_x", symbols={"x_y": "y"})], "by 02_x"),
    ],
    "builds_on_earlier": [
        ([chapter("00_start", builds_on=["02_no"])], "00_start builds on 02_no, which is no lesson"),
        ([chapter("00_start", builds_on=["01_x"]), chapter("01_x")], "01_x, which does not come before it"),
        ([chapter("00_start", builds_on=["00_start"])], "00_start, which does not come before it"),
    ],
    "derived_once": [(made_course(), "-IS is derived nowhere")],
    "used_elsewhere": [(made_course(), "NRBP is used in no notebook but where it is derived")],
    "grouped": [(made_course(), "the groups name 02, which is no lesson")],
}


@pytest.mark.parametrize("rule", RULES_BETWEEN, ids=lambda rule: rule.__name__)
def test_every_course_rule_has_a_failing_case(rule: Rule) -> None:
    for bad, complaint in BAD[rule.__name__]:
        assert complaint in "\n".join(rule(bad))


def test_valid_lessons_break_no_course_rule() -> None:
    for rule in (course_rules.terms_once, course_rules.builds_on_earlier):
        assert list(rule(made_course())) == []


@pytest.mark.parametrize(
    ("groups", "ways", "complaint"),
    [
        ({"All": ("00", "01")}, [], None),
        ({"All": ("00", "01")}, [Track("A", "all", 60, ("00", "01"))], None),
        ({"All": ("00",)}, [], "lesson 01 stands in no group"),
        ({"All": ("01", "00")}, [], "the groups do not follow the order of the lessons"),
        ({"All": ("00", "01"), "More": ("01",)}, [], "name one twice"),
        ({"All": ("00", "01", "02")}, [], "the groups name 02, which is no lesson"),
        ({"All": ("00", "01")}, [Track("A", "all", 55, ("00", "01"))], "take 1 h, at most 55 min"),
        ({"All": ("00", "01")}, [Track("A", "all", 60, ("00", "02"))], "A: 02 is no lesson"),
        ({"All": ("00", "01")}, [Track("A", "all", 60, ("00", "00"))], "A: names a lesson twice"),
        ({"All": ("00", "01")}, [Track("A", "all", 60, ("00",), "lacks {}.")], "do not agree"),
    ],
)
def test_groups_of_lessons(
    groups: dict[str, tuple[str, ...]], ways: Sequence[Track], complaint: str | None
) -> None:
    chapters = [chapter(name, *[code("x") for _ in range(26)]) for name in ("00_start", "01_more")]
    complaints = list(tracks.complaints(chapters, groups, ways))
    assert complaints == [] if complaint is None else complaint in "\n".join(complaints)


def test_a_path_names_no_lesson_before_one_that_it_builds_on() -> None:
    chapters = [chapter("00_start"), chapter("01_more", builds_on=["00_start"])]
    groups = {"All": ("00", "01")}
    for order, complaint in (
        (("00", "01"), []),
        (("01", "00"), ["A: 01 stands before 00, on which it builds"]),
    ):
        assert list(tracks.complaints(chapters, groups, [Track("A", "all", 60, order)])) == complaint


def test_times_in_words() -> None:
    assert list(map(in_words, (0, 45, 60, 100))) == ["0 min", "45 min", "1 h", "1 h 40 min"]


def test_the_tables_of_the_course_name_five_paths() -> None:
    assert [(track.name, track.minutes) for track in TRACKS] == [
        ("Tutorial", 45),
        ("Undergraduate", 200),
        ("Graduate", 530),
        ("Meta-evaluation", 240),
        ("Retrieval for RAG", 160),
    ]
    assert sum(map(len, GROUPS.values())) == SOME


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("[a](01_more.ipynb)", None),
        ("[a](01_more.ipynb#More)", None),
        ("[a](01_more.ipynb#1.-One-%E2%98%85)", None),
        ("[a](#Exercises) and [b](https://example.org/none)", None),
        ("[a](solutions/00_1.py), `[b](none.ipynb)` and $[c](none.ipynb)$", None),
        ("[a](none.ipynb)", "links none.ipynb: there is no such file"),
        ("[a](none.py)", "links none.py: there is no such file"),
        ("[a](/etc/passwd)", "there is no such file"),
        ("[a](01_more.ipynb#more)", "links 01_more.ipynb#more: there is no such heading"),
        ("[a](#More)", "there is no such heading"),
        ("[![a](none.png)](01_more.ipynb)", "links none.png: there is no such file"),
    ],
)
def test_a_link_that_leads_nowhere(tmp_path: Path, link: str, why: str | None) -> None:
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "00_1.py").touch()
    chapters = [chapter("00_start", words(link), folder=tmp_path), chapter("01_more", folder=tmp_path)]
    for made in chapters:
        made.notebook.cells[0].source = f"# {made.title}"
    complaints = list(dead_links({made.path: made.notebook for made in chapters}))
    assert complaints == [] if why is None else why in "\n".join(complaints)
    assert all(complaint.startswith("00_start.ipynb: cell 2 links ") for complaint in complaints)
    assert list(links(link))
