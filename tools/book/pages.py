"""Sources of the book for Sphinx, in a folder that is laid out as the project is.

So a link between pages is the same in a notebook, in the project and in the book.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from divmetrics.atomic_files import save
from tools.book.api import START, reference
from tools.book.conf import slug
from tools.book.freshness import ROOT
from tools.book.front_page import SUMMARY, TITLE
from tools.book.outputs import FIGURES, fit_for_a_page
from tools.chapters import Chapter, chapters
from tools.markdown_text import LINK, Link, without_code
from tools.notebook_files import BIBLIOGRAPHY, FOLDER, GLOSSARY, MAP, reading_order, wrap_up
from tools.readme import GUIDES, repository
from tools.tracks import by_group

COURSE = FOLDER.name
COMMANDS = "command_line.md"
# Pages of the project that are pages of the book, too.
HOW_TO = (*GUIDES, *(f"course/{name}.md" for name in ("LECTURER", "OWN_QUESTION", "STUDENTS")))
TEXTS = (*HOW_TO, "CHANGELOG.md", "SECURITY.md", "examples/plugin/README.md")
COMMAND = re.compile(r"^    (\w+)", re.MULTILINE)


def notebooks() -> list[Path]:
    """Return every notebook that has a page."""
    course = reading_order()
    wrap_ups = [path for path in map(wrap_up, course) if path]
    return [*course, *wrap_ups, *(FOLDER / name for name in (MAP, GLOSSARY, BIBLIOGRAPHY))]


def sources() -> dict[str, Path]:
    """Return the file from which each page is made, by the page's address in the site."""
    made = {f"{COURSE}/{path.stem}.html": path for path in notebooks()}
    made |= {str(Path(name).with_suffix(".html")): ROOT / name for name in TEXTS}
    of_the_library = {str(Path(name).with_suffix(".html")): ROOT / "API.md" for name in reference()}
    of_the_library["command_line.html"] = ROOT / "divmetrics" / "cli" / "__init__.py"
    # The map follows from the lessons' metadata, as the list of lessons on the front page does.
    return made | of_the_library | {"index.html": FOLDER / MAP}


def write_pages(notebooks_by_path: dict[Path, NotebookNode], folder: Path, extra: Path) -> None:
    """Write all pages into `folder`, and the files that go into the site as they are into `extra`."""
    texts = {COMMANDS: command_line(), **reference()}
    texts |= {name: with_links((ROOT / name).read_text(encoding="utf-8"), Path(name)) for name in TEXTS}
    texts["index.md"] = contents_of_the_book(chapters())
    figures: dict[str, str] = {}
    for path, notebook in notebooks_by_path.items():
        made, pictures = fit_for_a_page(notebook, path.stem)
        for cell in made.cells:
            if cell.cell_type == "markdown":
                cell.source = with_links(cell.source, Path(COURSE, path.name))
        texts[f"{COURSE}/{path.name}"] = nbformat.writes(made) + "\n"
        figures |= {f"{COURSE}/{FIGURES}/{name}": svg for name, svg in pictures.items()}
    _fill(folder, texts)
    _fill(extra, figures)


def contents_of_the_book(contents: Sequence[Chapter]) -> str:
    """Return the contents of the book for its menus, below what a search finds of the front page."""
    in_groups = by_group(contents) | {"Appendices": [each for each in contents if not each.is_lesson]}
    groups = {name: [*_entries(members)] for name, members in in_groups.items()}
    groups["To look up"] = [f"{COURSE}/{Path(name).stem}" for name in (MAP, GLOSSARY, BIBLIOGRAPHY)]
    groups["How to"] = [name.removesuffix(".md") for name in HOW_TO]
    groups["The library"] = [Path(name).stem for name in (START, COMMANDS)]
    groups["The library"] += [name.removesuffix(".md") for name in TEXTS if name not in HOW_TO]
    trees = [
        "\n".join(["```{toctree}", ":hidden:", f":caption: {name}", "", *entries, "```"])
        for name, entries in groups.items()
    ]
    return "\n\n".join([f"# {TITLE}", SUMMARY, *trees]) + "\n"


def _entries(chapters: Sequence[Chapter]) -> Iterator[str]:
    for chapter in chapters:
        yield f"{chapter.numbered} <{COURSE}/{chapter.name}>"
        if questions := wrap_up(chapter.path):
            yield f"{COURSE}/{questions.stem}"


def command_line() -> str:
    """Return the page of the command line's help texts, command by command."""
    start = _help()
    parts = ["# The command line", "", "What `divmetrics --help` says, and each of its commands.", "", start]
    for name in COMMAND.findall(start):
        parts += [f"## divmetrics {name}", "", _help(name)]
    return "\n".join(parts)


def _help(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "divmetrics", *command, "--help"],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "88", "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return f"```text\n{done.stdout}```\n"


def with_links(text: str, page: Path) -> str:
    """Return a page's text, its links to files without a page redirected to the repository.

    While the repository has no address, such a link is reduced to its words.
    """
    pages = {Path(name) for name in (*TEXTS, START, "README.md")}
    address = repository()

    def led(link: Link) -> str:
        target = Path(os.path.normpath(page.parent / link.file)) if link.file else page
        place = f"#{slug(link.anchor)}" if link.anchor else ""
        if target == Path("README.md"):
            return f"[{link.words}]({os.path.relpath('index.md', page.parent)})"
        if target in pages or (target.parts[0] == COURSE and target.suffix == ".ipynb"):
            return f"[{link.words}]({link.file}{place})"
        return f"[{link.words}]({address}/blob/HEAD/{target})" if address else link.words

    made, end = "", 0
    for match in LINK.finditer(without_code(text)):
        words = text[slice(*match.span("words"))]
        link = Link(words, match["target"], bool(match["picture"]))
        if link.local and not link.picture:
            made += text[end : match.start()] + led(link)
            end = match.end()
    return made + text[end:]


def _fill(folder: Path, texts: dict[str, str]) -> None:
    """Write these files into a folder and remove all others."""
    for old in [file for file in folder.rglob("*") if file.is_file()]:
        if str(old.relative_to(folder)) not in texts:
            old.unlink()
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        save(file, text)
