"""Generated cells of every lesson and appendix: the head below its title, Colab's cell, sources and links.

All follow from its metadata, its length, the folder and the paths through the course. See tools/course.py,
which writes them.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from divmetrics.errors import join_words
from divmetrics.explanations.references import Reference
from tools.chapters import Chapter
from tools.launch_links import COLAB, binder_address, colab_address, colab_cell
from tools.notebook_files import BIBLIOGRAPHY, GENERATED, GLOSSARY, MAP, generated_cell, tags, wrap_up
from tools.tracks import TRACKS

BEGIN = (
    "*In JupyterLab, press Shift+Enter to run one cell at a time, or choose **Run › Run All Cells** and come "
    "back to the top with Ctrl+Home.*"
)
# What is made here, and what earlier versions made.
MADE = GENERATED | {"contents", "derivations"}


def with_generated_cells(chapters: Sequence[Chapter], repository: str | None) -> list[Chapter]:
    """Return copies of the chapters with current generated cells.

    repository: the project's public address, if there is one; every head then has a link that runs the
    notebook.
    """
    done = []
    for place, chapter in enumerate(chapters):
        notebook = copy.deepcopy(chapter.notebook)
        first = colab(chapter, repository)
        notebook.cells = [cell for cell in notebook.cells if MADE.isdisjoint(tags(cell))]
        below = _after_the_title(chapter, notebook)
        notebook.cells[below:below] = [head(chapter, chapters, repository), *first]
        before = chapters[place - 1] if place else None
        after = chapters[place + 1] if place + 1 < len(chapters) else None
        notebook.cells += [sources(chapter), navigation(before, after, list(_on_paths(place, chapters)))]
        done.append(Chapter(chapter.path, notebook))
    return done


def head(chapter: Chapter, chapters: Sequence[Chapter], repository: str | None) -> NotebookNode:
    """Return the head: two lines and a closed part, low, so that the picture or lab below is in sight."""
    lines = [" · ".join([_time(chapter), *_builds_on(chapter, chapters), *_pages(chapter, repository)])]
    takeaways = "\n".join(f"- {takeaway}" for takeaway in chapter.lesson.takeaways)
    lines.append(
        f"<details><summary>After this {chapter.kind} you can say …</summary>\n\n{takeaways}\n\n</details>"
    )
    return generated_cell("head", "\n\n".join([*lines, BEGIN]))


def colab(chapter: Chapter, repository: str | None) -> list[NotebookNode]:
    """Return the cell that installs the project in Colab, where the lesson runs there; none elsewhere.

    A cell that was run stays as it is. The book leaves the cell out.
    """
    if not _in_colab(chapter, repository):
        return []
    source = colab_cell(str(repository))
    run = [cell for cell in chapter.notebook.cells if "colab" in tags(cell) and cell.source == source]
    return run or [new_code_cell(source, id="made-colab", metadata={"tags": ["colab", "remove-cell"]})]


def sources(chapter: Chapter) -> NotebookNode:
    lines = [f"- {cite_source(reference)}" for reference in chapter.sources]
    all_of_them = f"All sources of the course are in the [bibliography]({BIBLIOGRAPHY})."
    return generated_cell(
        "sources", "\n".join(["## Sources", "", *lines, *([""] if lines else []), all_of_them])
    )


def navigation(before: Chapter | None, after: Chapter | None, on_paths: Sequence[str] = ()) -> NotebookNode:
    """on_paths: where paths go on that leave the next lesson out, each in words."""
    links = [f"[Map of the course]({MAP})"]
    if before:
        links.insert(0, before.link(f"← {before.numbered}"))
    if after:
        links.append(after.link(f"{after.numbered} →"))
    return generated_cell("navigation", "\n\n".join([" · ".join(links), *on_paths]))


def _on_paths(place: int, chapters: Sequence[Chapter]) -> Iterator[str]:
    """Yield the lesson's wrap-up and, for each path that skips the next lesson, where it goes on or ends."""
    by_number = {chapter.number: chapter for chapter in chapters}
    chapter, *later = chapters[place:]
    if questions := wrap_up(chapter.path):
        yield f"Eight questions across the lessons so far: [wrap-up]({questions.name})."
    for track in TRACKS:
        if chapter.number not in track.lessons:
            continue
        path = f"{track.name[0].lower()}{track.name[1:]} path"
        at = track.lessons.index(chapter.number)
        ahead = [by_number[number] for number in track.lessons[at + 1 :] if number in by_number]
        if ahead and ahead[0] not in later[:1]:
            yield f"Next on the {path}: {ahead[0].link()}."
        elif 0 < at == len(track.lessons) - 1:
            yield f"The {path} ends here."


def cite_source(reference: Reference) -> str:
    """Return a source in Markdown, with its DOI as a link."""
    ends = "" if reference.title.endswith("?") else "."
    citation = f"{reference.authors} ({reference.year}). {reference.title}{ends} *{reference.venue}*."
    return citation + (f" [doi:{reference.doi}](https://doi.org/{reference.doi})" if reference.doi else "")


def _time(chapter: Chapter) -> str:
    more = chapter.exercise_minutes
    return f"**{chapter.minutes} minutes**" + (f", plus {more} for exercises" if more else "")


def _builds_on(chapter: Chapter, chapters: Sequence[Chapter]) -> list[str]:
    by_name = {other.name: other for other in chapters}
    links = [by_name[name].link() for name in chapter.lesson.builds_on if name in by_name]
    return [f"builds on {join_words(links)}"] if links else []


def _pages(chapter: Chapter, repository: str | None) -> list[str]:
    pages = [f"[map]({MAP})", f"[symbols and terms]({GLOSSARY})", f"[bibliography]({BIBLIOGRAPHY})"]
    if repository:
        pages.append(f"[run it on Binder]({binder_address(repository, _place(chapter))})")
    if colab := _in_colab(chapter, repository):
        pages.append(f"[open it in Colab]({colab})")
    return pages


def _in_colab(chapter: Chapter, repository: str | None) -> str | None:
    """Return Colab's address of a lesson, or None if it is not known to run there."""
    if repository is None or chapter.number not in COLAB:
        return None
    return colab_address(repository, _place(chapter))


def _place(chapter: Chapter) -> str:
    return f"notebooks/{chapter.path.name}"


def _after_the_title(chapter: Chapter, notebook: NotebookNode) -> int:
    if not notebook.cells or notebook.cells[0].cell_type != "markdown":
        raise SystemExit(f"{chapter.path}: its first cell is not that of the title")
    return 1
