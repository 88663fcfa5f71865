"""The released notebook with the answers of a submission, and the cells of its own that answers build on.

Copied, deleted, moved or changed cells and lost metadata thus cost only the points of missing answers.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from course.grading.untrusted import read_json
from divmetrics_widgets.own_data import normalised

MARK = re.compile(r"^\W*Your answer to (\w+)", re.IGNORECASE)
DATA = re.compile(r"^import (\w+)_data$", re.MULTILINE)
STUDENT = "student"  # the answer that says whose notebook it is
LARGEST = 20 * 2**20
MOST_CELLS = 2_000
LONGEST_ANSWER = 100_000


class NotANotebookError(Exception):
    """Raised if a submission is no notebook; its text says why."""


@dataclass
class RebuiltNotebook:
    """The notebook to run, whose data it gets, the student id in its own id cell, and the findings.

    own : the code of further cells of the submission, keyed by the cell of the release that they follow, or
        by "" where they precede all
    """

    notebook: NotebookNode
    student: str
    claimed_id: str | None
    findings: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    own: dict[str, list[str]] = field(default_factory=dict)


def cells_of(content: bytes) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the cells of a file, and findings; raises NotANotebookError."""
    findings = []
    if len(content) > LARGEST:
        raise NotANotebookError(
            f"It has {len(content) / 2**20:.0f} MB; a notebook may have {LARGEST // 2**20}. "
            "Clear its outputs (Edit › Clear Outputs of All Cells) and hand it in again."
        )
    if not content.strip():
        raise NotANotebookError("The file is empty.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
        findings.append("It is not written in UTF-8 and was read as latin-1; accents may be wrong.")
    try:
        notebook = read_json(text)
    except (ValueError, RecursionError) as error:
        raise NotANotebookError(f"It is no notebook: its JSON cannot be read ({str(error)[:100]}).") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise NotANotebookError("It is no notebook: it has no list of cells.")
    if len(cells) > MOST_CELLS:
        raise NotANotebookError(
            f"It has {len(cells)} cells; a notebook may have {MOST_CELLS}. Delete those that are not "
            "needed and hand it in again."
        )
    return [cell for cell in cells if isinstance(cell, dict)], findings


def is_answer(cell: Any) -> bool:
    """Return whether a cell of the release is one that students fill in."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def assignments_of(cells: Iterable[Any]) -> set[str]:
    """Return the names of the assignments whose data the cells import."""
    return {name for cell in cells for name in DATA.findall(_source(cell))}


def rebuild(
    released: NotebookNode, content: bytes, student: str, group: Container[str] = ()
) -> RebuiltNotebook:
    """Put the answers of a submission and a student id into a copy of the release.

    That is the id of the folder's student, or the one that the submission names if it is in `group`, the ids
    of those who work together. Raises NotANotebookError if there are no cells to take answers from, or only
    those of another assignment.
    """
    cells, findings = cells_of(content)
    others = assignments_of(cells)
    for name in assignments_of(released.cells):
        if others and not any(f"{name}_data" in _source(cell) for cell in cells):
            raise NotANotebookError(f"It is a notebook of {', '.join(sorted(others))}, not of {name}.")
    notebook = copy.deepcopy(released)
    rebuilt = RebuiltNotebook(notebook, student, None, findings)
    known = {cell.id for cell in notebook.cells}
    taken = 0
    for cell in notebook.cells:
        if not is_answer(cell):
            continue
        source = _answer(cell, cells, known, findings)
        taken += source is not None
        if cell.id == STUDENT:
            rebuilt.claimed_id = named(source) if source else None
            if (claimed := normalised(rebuilt.claimed_id or "")) in group:
                rebuilt.student = claimed
            cell.source = f"STUDENT = {rebuilt.student!r}"
        elif source is not None:
            if _words(source) != _words(cell.source):
                rebuilt.answered.add(cell.id)
            cell.source = source
        elif cell.id != STUDENT:
            findings.append(f"The cell of the answer {_question(cell)} is missing.")
    if not taken:
        raise NotANotebookError("None of the assignment's answer cells is in it; is it another notebook?")
    rebuilt.own = _own_cells(released, cells, rebuilt)
    if count := sum(map(len, rebuilt.own.values())):
        cells_ran = "1 cell" if count == 1 else f"{count} cells"
        findings.append(f"{cells_ran} beside the answers ran, too, since answers build on what they define.")
    return rebuilt


def _own_cells(
    released: NotebookNode, cells: list[dict[str, Any]], rebuilt: RebuiltNotebook
) -> dict[str, list[str]]:
    """Return the code outside of the answers that defines what answers use, by the cell that it follows.

    That is cells of the student's own, and imports that were added to a cell of the release.
    """
    sources = {str(cell.id): str(cell.source) for cell in released.cells if cell.cell_type == "code"}
    answers = {str(cell.id) for cell in released.cells if is_answer(cell)}
    released_as = {tuple(_words(source)): name for name, source in sources.items()}
    found: list[tuple[str, str]] = []
    place, left = "", LONGEST_ANSWER
    for cell in cells:
        source = _source(cell)
        same = released_as.get(tuple(_words(source)))
        names = (_grade_id(cell), cell.get("id"), f"{_marked(cell)}_answer", same)
        name = next((name for name in names if isinstance(name, str) and name in sources), None)
        if name is not None:
            place = name
            source = "" if name in answers else _added_imports(source, sources[name])
        if cell.get("cell_type") == "code" and source and len(source) <= left:
            left -= len(source)
            found.append((place, source))
    used = _names_used(str(cell.source) for cell in rebuilt.notebook.cells if cell.id in rebuilt.answered)
    own = [(place, source, _names_defined(source)) for place, source in found]
    needed: set[int] = set()
    while more := {n for n, (*_, defined) in enumerate(own) if defined & used} - needed:
        needed |= more
        used |= _names_used(own[n][1] for n in more)
    by_place: dict[str, list[str]] = {}
    for n in sorted(needed):
        place, source, _ = own[n]
        by_place.setdefault(place, []).append(source)
    return by_place


def _parsed(source: str) -> ast.Module:
    """Return the syntax tree of a cell without its magic commands; an empty one for what is no Python."""
    lines = ("" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())
    try:
        return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _names_used(sources: Iterable[str]) -> set[str]:
    nodes = (node for source in sources for node in ast.walk(_parsed(source)))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _names_defined(source: str) -> set[str]:
    """Return the names that a cell gives a value, a function, a class or a module."""
    defined: set[str] = set()
    for node in ast.walk(_parsed(source)):
        match node:
            case ast.Name(name, ast.Store()) | ast.FunctionDef(name) | ast.ClassDef(name):
                defined.add(name)
            case ast.alias(name, None):
                defined.add(name.partition(".")[0])
            case ast.alias(_, name):
                defined.add(str(name))
    return defined


def _added_imports(source: str, released: str) -> str:
    """Return the import statements of a cell that the cell of the release does not have."""
    known, now = (
        [ast.unparse(node) for node in _parsed(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
        for text in (released, source)
    )
    return "\n".join(line for line in now if line not in known)


def _answer(
    cell: NotebookNode, cells: list[dict[str, Any]], known: set[str], findings: list[str]
) -> str | None:
    """Return the source of an answer, matched by grade_id, else by cell id, else by first line."""
    ways: tuple[Callable[[dict[str, Any]], bool], ...] = (
        lambda other: _grade_id(other) == cell.id,
        lambda other: _grade_id(other) is None and other.get("id") == cell.id,
        lambda other: (
            _grade_id(other) is None and other.get("id") not in known and _marked(other) == _question(cell)
        ),
    )
    for n, way in enumerate(ways):
        candidates = [other for other in cells if way(other)]
        if n == 0:
            # Of a copied cell the copy that is filled in; of several such the original.
            candidates += [other for other in cells if ways[1](other)]
        sources = [(other.get("id") == cell.id, _source(other)) for other in candidates]
        if not sources:
            continue
        changed = [each for each in sources if _words(each[1]) != _words(cell.source)] or sources
        if len(changed) > 1:
            findings.append(f"The answer {_question(cell)} is there {len(changed)} times; one was read.")
        if n == 2:
            findings.append(f"The cell of the answer {_question(cell)} was known by its first line only.")
        chosen = next((source for original, source in changed if original), changed[-1][1])
        if len(chosen) > LONGEST_ANSWER:
            findings.append(
                f"The answer {_question(cell)} has more than {LONGEST_ANSWER} letters and was left out."
            )
            return None
        return chosen
    return None


def _question(cell: NotebookNode) -> str:
    return str(cell.id).removesuffix("_answer")


def _grade_id(cell: dict[str, Any]) -> Any:
    metadata = cell.get("metadata")
    about = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return about.get("grade_id") if isinstance(about, dict) else None


def _marked(cell: dict[str, Any]) -> str | None:
    mark = MARK.match(_source(cell).lstrip())
    return mark[1] if mark else None


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _words(source: str) -> list[str]:
    return source.split()


def named(source: str) -> str | None:
    """Return the id that a cell assigns to STUDENT, or None if it is no literal text."""
    for node in _parsed(source).body:
        match node:
            case ast.Assign(targets=[ast.Name("STUDENT")], value=ast.Constant(value)):
                return str(value).strip() or None
    return None
