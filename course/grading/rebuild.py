"""The released notebook with the answers of a submission, and nothing else of the submission.

Copied, deleted, moved or changed cells and lost metadata thus cost only the points of missing answers.
"""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

MARK = re.compile(r"^\W*Your answer to (\w+)", re.IGNORECASE)
STUDENT = "student"  # the answer that says whose notebook it is
LARGEST = 20 * 2**20
LONGEST_ANSWER = 100_000


class NotANotebookError(Exception):
    """Raised if a submission is no notebook; its text says why."""


@dataclass
class RebuiltNotebook:
    """The notebook to run, the student id in its own id cell, and the findings."""

    notebook: NotebookNode
    claimed_id: str | None
    findings: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)


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
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotANotebookError(f"It is no notebook: its JSON cannot be read ({str(error)[:100]}).") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise NotANotebookError("It is no notebook: it has no list of cells.")
    return [cell for cell in cells if isinstance(cell, dict)], findings


def is_answer(cell: Any) -> bool:
    """Return whether a cell of the release is one that students fill in."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def rebuild(released: NotebookNode, content: bytes, student: str) -> RebuiltNotebook:
    """Put the answers of a submission and the folder's student id into a copy of the release.

    Raises NotANotebookError if there are no cells to take answers from.
    """
    cells, findings = cells_of(content)
    notebook = copy.deepcopy(released)
    rebuilt = RebuiltNotebook(notebook, None, findings)
    known = {cell.id for cell in notebook.cells}
    taken = 0
    for cell in notebook.cells:
        if not is_answer(cell):
            continue
        source = _answer(cell, cells, known, findings)
        taken += source is not None
        if cell.id == STUDENT:
            rebuilt.claimed_id = named(source) if source else None
            cell.source = f"STUDENT = {student!r}"
        elif source is not None:
            if _words(source) != _words(cell.source):
                rebuilt.answered.add(cell.id)
            cell.source = source
        elif cell.id != STUDENT:
            findings.append(f"The cell of the answer {_question(cell)} is missing.")
    if not taken:
        raise NotANotebookError("None of the assignment's answer cells is in it; is it another notebook?")
    return rebuilt


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
            candidates += [other for other in cells if other not in candidates and ways[1](other)]
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
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("STUDENT")], value=ast.Constant(value)):
                return str(value).strip() or None
    return None
