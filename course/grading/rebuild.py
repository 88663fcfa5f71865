"""The released notebook with the answers of a submission, and the cells of its own that answers build on.

Copied, deleted, moved or changed cells and lost metadata thus cost only the points of missing answers.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeGuard

from nbformat import NotebookNode

from course.grading.notebook_file import NotANotebookError, text_of, without_outputs
from course.grading.untrusted import read_json
from divmetrics_widgets.own_data import normalised

# At the beginning of any line: a magic command or a title may stand above it. No blank is read twice.
MARK = re.compile(r"^[^\w\n]*Your answer to (\w+)", re.IGNORECASE | re.MULTILINE)
DATA = re.compile(r"^import (\w+)_data$", re.MULTILINE)
# Colab writes a picture into the text; it would make an explanation too long to be read.
PICTURE = re.compile(r"data:image/[\w.+-]++;base64,[\w+/=]++")
STUDENT = "student"  # the answer that says whose notebook it is
MOST_CELLS = 2_000
LONGEST_ANSWER = 100_000
LONGEST_CODE = 20_000  # of a cell: Python parses some programs in quadratic time
# A line that IPython reads and Python does not.
MAGIC = re.compile(r"\s*+(?:(?:[\w, ]++=\s*+)?[%!]|\?|[\w.]++\?+\s*+$)")
CHANGING = {"add", "append", "clear", "extend", "insert", "pop", "remove", "setdefault", "sort", "update"}


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
    content, findings = without_outputs(content)
    if not content.strip():
        raise NotANotebookError("The file is empty.")
    text, about_text = text_of(content)
    findings += about_text
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
    placed = list(_placed(cells, released))
    taken = 0
    for cell in notebook.cells:
        if not is_answer(cell):
            continue
        source = _answer(cell, placed, findings)
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
    _add_words(rebuilt, placed)
    if not taken:
        raise NotANotebookError("None of the assignment's answer cells is in it; is it another notebook?")
    rebuilt.own = _own_cells(released, placed, rebuilt)
    if count := sum(map(len, rebuilt.own.values())):
        cells_ran = "1 cell" if count == 1 else f"{count} cells"
        findings.append(f"{cells_ran} beside the answers ran, too, since answers build on what they define.")
    return rebuilt


@dataclass(frozen=True)
class _Cell:
    """A cell of a submission.

    place : the name of the cell of the release that it is, or else follows; "" for none
    released : whether it is that cell
    """

    kind: str
    source: str
    place: str
    released: bool
    original: bool  # not a copy
    pictures: bool


def _placed(cells: list[dict[str, Any]], released: NotebookNode) -> Iterator[_Cell]:
    """Yield the cells of a submission, known by grade_id, else by cell id, first line or words."""
    known = {str(cell.id) for cell in released.cells}
    by_words = {tuple(_words(cell.source)): str(cell.id) for cell in released.cells}
    place = ""
    for cell in _joined(cells):
        source, own_id = _source(cell), cell.get("id")
        mark = MARK.search(source)
        line = mark[1].casefold() if mark else None
        ways = (_grade_id(cell), own_id, f"{line}_answer", line, by_words.get(tuple(_words(source))))
        name = next((way for way in ways if isinstance(way, str) and way in known), None)
        place = name or place
        kind, pictures = str(cell.get("cell_type")), bool(cell.get("attachments"))
        if kind == "markdown":
            source, inside = PICTURE.subn("", source)
            pictures |= inside > 0
        yield _Cell(kind, source, place, name is not None, own_id == place, pictures)


def _joined(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join the cells into which an answer was split: each has the metadata of the whole."""
    joined: list[tuple[dict[str, Any], list[str]]] = []
    whole = None
    for cell in cells:
        source, name = _source(cell), (_grade_id(cell), cell.get("cell_type"))
        if MARK.search(source):
            whole = name
        elif whole and name[0] and name == whole:
            joined[-1][1].append(source)
            continue
        else:
            whole = None
        joined.append((cell, [source]))
    return [{**cell, "source": "\n\n".join(parts)} for cell, parts in joined]


def _add_words(rebuilt: RebuiltNotebook, placed: list[_Cell]) -> None:
    """Add to each explanation the cells of text that the student put below it."""
    answers = {str(cell.id): cell for cell in rebuilt.notebook.cells if is_answer(cell)}
    for cell in placed:
        answer = answers.get(cell.place)
        if answer is None or answer.cell_type != "markdown":
            continue
        if cell.pictures:
            rebuilt.findings.append(
                f"A picture is attached to {cell.place}; see it in the student's own file."
            )
        short = len(answer.source) + len(cell.source) < LONGEST_ANSWER
        if cell.kind == "markdown" and not cell.released and cell.source.strip() and short:
            answer.source += f"\n\n{cell.source.strip()}"
            rebuilt.answered.add(cell.place)


def _own_cells(released: NotebookNode, placed: list[_Cell], rebuilt: RebuiltNotebook) -> dict[str, list[str]]:
    """Return the code outside of the answers that defines what answers use, by the cell that it follows.

    That is cells of the student's own, definitions that were added to a cell of the release, and what another
    name for an answer stands for.
    """
    code = [cell for cell in released.cells if cell.cell_type == "code"]
    sources = {str(cell.id): str(cell.source) for cell in code}
    asked = {str(cell.id): _asked(cell.source) for cell in code if is_answer(cell) and cell.id != STUDENT}
    answers = {
        str(cell.id): str(cell.source) for cell in rebuilt.notebook.cells if cell.id in rebuilt.answered
    }
    answers = {name: source for name, source in answers.items() if name in asked}
    given = set().union(*(_names_defined(source) for name, source in sources.items() if name not in asked))
    found: list[tuple[str, str]] = []
    left = LONGEST_ANSWER
    for cell in placed:
        place, source = cell.place, cell.source
        if cell.released:
            answer = f"{place}_answer"
            if name := asked.get(answer):
                renamed = name not in _names_defined(answers.get(answer, ""))
                source = _handed_in_instead(source, sources[place], name) if renamed else ""
                place = answer
            elif place in asked or place == STUDENT:
                continue
            else:
                source = _added_definitions(source, sources.get(place, ""), given)
        if cell.kind == "code" and source and len(source) <= left:
            left -= len(source)
            found.append((place, source))
    defined = set().union(*map(_names_defined, [*answers.values(), *(source for _, source in found)]))
    for place, name in asked.items():
        if place in answers and name not in defined and (other := _last_name(answers[place])):
            found.insert(0, (place, f"{name} = {other}"))
            rebuilt.findings.append(f"The answer {name} has another name, {other}.")
    used = _names_used(answers.values()) | {"*"}  # whoever imports * may use any of it
    # An answer may be in a cell of its own, below the one that is meant for it.
    used |= {name for place, name in asked.items() if name not in _names_defined(answers.get(place, ""))}
    own = [
        (place, source, _names_defined(source) | (_names_changed(source) - given)) for place, source in found
    ]
    needed: set[int] = set()
    while more := {n for n, (*_, defined) in enumerate(own) if defined & used} - needed:
        needed |= more
        used |= _names_used(own[n][1] for n in more)
    by_place: dict[str, list[str]] = {}
    for n in sorted(needed):
        place, source, _ = own[n]
        by_place.setdefault(place, []).append(source)
    return by_place


def _asked(stub: str) -> str:
    """Return the name that an answer cell of the release asks for: that of its last line."""
    return stub.rstrip().rpartition("\n")[2].partition(" =")[0].strip()


def _handed_in_instead(source: str, released: str, name: str) -> str:
    """Return code that gives an answer its name, if the student's locked cell hands in another."""
    now, before = (
        [_unparsed(node.args[1]) for node in ast.walk(_parsed(text)) if _is_hand_in(node)]
        for text in (source, released)
    )
    if len(now) != 1 or len(before) != 1 or now == before:
        return ""
    other = re.fullmatch(re.sub(rf"\b{name}\b", "(.+)", re.escape(before[0]), count=1), now[0])
    return f"{name} = {other[1]}" if other else ""


def _is_hand_in(node: ast.AST) -> TypeGuard[ast.Call]:
    match node:
        case ast.Call(ast.Name("hand_in"), [_, _, *_]):
            return True
    return False


def _last_name(source: str) -> str:
    """Return the name that the last statement of a cell gives a value, or an empty text."""
    match _parsed(source).body:
        case [*_, ast.Assign([ast.Name(name)])]:
            return name
    return ""


def _unparsed(node: ast.AST) -> str:
    """Return the code of a node; an empty text for one that is nested too deeply."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return ""


@lru_cache(maxsize=256)
def _parsed(source: str) -> ast.Module:
    """Return the syntax tree of a cell without its magic commands; an empty one for what is no Python."""
    lines = ("" if MAGIC.match(line) else line for line in source.splitlines())
    try:
        return ast.parse("\n".join(lines) if len(source) <= LONGEST_CODE else "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _names_used(sources: Iterable[str]) -> set[str]:
    nodes = (node for source in sources for node in ast.walk(_parsed(source)))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _names_defined(source: str) -> set[str]:
    """Return the names that a cell gives a value, a function, a class or a module."""
    defined: set[str] = set()
    nodes: list[ast.AST] = [_parsed(source)]
    while nodes:
        node = nodes.pop()
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                defined.add(name)
                continue
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                continue  # has names of its own
            case ast.Name(name, ast.Store()):
                defined.add(name)
            case ast.alias(name, None):
                defined.add(name.partition(".")[0])
            case ast.alias(_, name):
                defined.add(str(name))
        nodes += ast.iter_child_nodes(node)
    return defined


def _names_changed(source: str) -> set[str]:
    """Return the names whose value a cell changes without giving the name another: x[0] = 1, x.append(1)."""
    changed: set[str] = set()
    for node in ast.walk(_parsed(source)):
        match node:
            case ast.Subscript(place, ctx=ast.Store() | ast.Del()) | ast.Attribute(place, ctx=ast.Store()):
                pass
            case ast.Call(ast.Attribute(place, method), keywords=more) if method in CHANGING or any(
                each.arg == "inplace" for each in more
            ):
                pass
            case _:
                continue
        changed |= {node.id for node in ast.walk(place) if isinstance(node, ast.Name)}
    return changed


def _added_definitions(source: str, released: str, given: Container[str]) -> str:
    """Return the imports and definitions of a cell that the cell of the release does not have.

    What would define a name anew that the release gives (`given`) is left out.
    """
    known = {_unparsed(node) for node in _parsed(released).body}
    added = []
    for node in _parsed(source).body:
        line = _unparsed(node)
        defined = _names_defined(line)
        if line not in known and defined and not any(name in given for name in defined):
            added.append(line)
    return "\n".join(added)


def _answer(cell: NotebookNode, placed: list[_Cell], findings: list[str]) -> str | None:
    """Return the source of an answer: of copies the one that is filled in, of several such the original."""
    copies = [each for each in placed if each.place == cell.id and each.released]
    if not copies:
        return None
    changed = [each for each in copies if _words(each.source) != _words(cell.source)] or copies
    if len(changed) > 1:
        findings.append(f"The answer {_question(cell)} is there {len(changed)} times; one was read.")
    chosen = next((each for each in changed if each.original), changed[-1])
    most = LONGEST_CODE if cell.cell_type == "code" else LONGEST_ANSWER
    if len(chosen.source) > most:
        findings.append(f"The answer {_question(cell)} has more than {most} letters and was left out.")
        return None
    return chosen.source


def _question(cell: NotebookNode) -> str:
    return str(cell.id).removesuffix("_answer")


def _grade_id(cell: dict[str, Any]) -> Any:
    metadata = cell.get("metadata")
    about = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return about.get("grade_id") if isinstance(about, dict) else None


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
