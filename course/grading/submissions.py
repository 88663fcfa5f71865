"""Submissions in a folder or a zip file, as Moodle, Canvas and nbgrader name them."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from course.grading.rebuild import LARGEST
from divmetrics.errors import DivmetricsError
from divmetrics_widgets.own_data import normalised

MOODLE = re.compile(r"^(?P<name>.+?)(?P<number>_\d+)?_assignsubmission_(file|onlinetext)_?$")
CANVAS = re.compile(r"^(?P<name>[^_]+)_(LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)$")
SKIPPED = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store")


@dataclass(frozen=True)
class Student:
    """A line of students.csv.

    id : the normalised id, from which the data follow and after which files are named
    own_id : the id as students.csv has it
    """

    folder: str
    id: str
    name: str = ""
    own_id: str = ""


@dataclass
class Submission:
    """The content of one folder: the notebook's bytes, None without a notebook, and findings."""

    folder: str
    content: bytes | None = None
    file: str = ""
    findings: list[str] = field(default_factory=list)


def students(path: Path) -> dict[str, Student]:
    """Read students.csv by folder; raises DivmetricsError if it is invalid."""
    if not path.exists():
        raise DivmetricsError(
            f"{path} is missing: it says which folder is whose. Copy students.csv.example; it has a line for "
            "each student."
        )
    try:
        lines = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    except UnicodeDecodeError:
        raise DivmetricsError(f"{path} is not written in UTF-8; save it as CSV UTF-8.") from None
    by_folder: dict[str, Student] = {}
    owners: dict[str, str] = {}
    for number, line in enumerate(lines, 2):
        folder, student = (line.get("folder") or "").strip(), (line.get("id") or "").strip()
        plain = normalised(student)
        if not folder or not plain:
            raise DivmetricsError(f"{path}, line {number}: folder and id are wanted, found {dict(line)}.")
        if folder in by_folder:
            raise DivmetricsError(f"{path}, line {number}: the folder {folder!r} is there twice.")
        if plain in owners:
            raise DivmetricsError(f"{path}, line {number}: {student!r} is also the id of {owners[plain]!r}.")
        owners[plain] = folder
        by_folder[folder] = Student(folder, plain, (line.get("name") or "").strip(), student)
    return by_folder


def whose(folder: str, known: Mapping[str, Student]) -> Student | None:
    """Return the student of a folder, by its name or by the forms that Moodle and Canvas make of it."""
    ways = [folder]
    if match := MOODLE.match(folder):
        ways += [match["name"] + (match["number"] or ""), match["name"]]
    if match := CANVAS.match(folder):
        ways += [f"{match['name']}_{match['number']}", match["name"]]
    return next((known[way] for way in ways if way in known), None)


def collect(source: Path, assignment: str) -> list[Submission]:
    """Return the submissions in a folder or zip file, in order; raises DivmetricsError for anything else."""
    if source.is_dir():
        # A link could lead to what is not the student's.
        files = [each for each in sorted(source.rglob("*")) if not each.is_symlink()]
        names = {each.relative_to(source).as_posix(): each for each in files}
        folders = [name for name, each in names.items() if each.is_dir()]
        sizes = {name: each.stat().st_size for name, each in names.items() if each.is_file()}
        return _grouped(folders, sizes, lambda name: names[name].read_bytes(), assignment)
    if not source.exists():
        raise DivmetricsError(f"{source} does not exist; give the folder or zip file of submissions as FROM=")
    try:
        with zipfile.ZipFile(source) as archive:
            infos = {info.filename: info for info in archive.infolist()}
            folders = [name.rstrip("/") for name, info in infos.items() if info.is_dir()]
            sizes = {name: info.file_size for name, info in infos.items() if not info.is_dir()}
            return _grouped(folders, sizes, archive.read, assignment)
    except zipfile.BadZipFile:
        raise DivmetricsError(f"{source} is neither a folder nor a zip file.") from None


def _grouped(
    folders: Iterable[str], sizes: Mapping[str, int], read: object, assignment: str
) -> list[Submission]:
    boxes: dict[str, list[str]] = {}
    for name in folders:
        top = PurePosixPath(name).parts[0]
        if top not in SKIPPED:
            boxes.setdefault(top, [])
    for name in sizes:
        parts = PurePosixPath(name).parts
        if any(part in SKIPPED or part == ".." for part in parts) or name.startswith("/"):
            continue
        if len(parts) > 1:
            boxes.setdefault(parts[0], []).append(name)
        elif name.endswith(".ipynb"):
            boxes.setdefault(parts[0].removesuffix(".ipynb") if not CANVAS.match(name) else name, []).append(
                name
            )
    return [_select_notebook(folder, boxes[folder], sizes, read, assignment) for folder in sorted(boxes)]


def _select_notebook(
    folder: str, names: list[str], sizes: Mapping[str, int], read: object, assignment: str
) -> Submission:
    submission = Submission(folder)
    notebooks = [name for name in names if name.casefold().endswith(".ipynb")]
    if not notebooks:
        others = ", ".join(sorted(PurePosixPath(name).name for name in names)[:3])
        submission.findings.append(f"There is no notebook in it{f', only {others}' if others else ''}.")
        return submission
    wanted = f"{assignment}.ipynb"

    def fit(name: str) -> tuple[bool, bool, str]:
        own = PurePosixPath(name).name
        if match := CANVAS.match(own):
            own = re.sub(r"-\d+(?=\.ipynb$)", "", match["file"])  # it counts what is handed in again
        return own == wanted, own.startswith(assignment), own

    best = max(notebooks, key=fit)
    submission.file = PurePosixPath(best).name
    if len(notebooks) > 1:
        submission.findings.append(f"There are {len(notebooks)} notebooks in it; {submission.file} was read.")
    if not fit(best)[0]:
        submission.findings.append(f"It is named {submission.file}, not {wanted}.")
    if sizes[best] > LARGEST:
        submission.findings.append(
            f"{submission.file} has {sizes[best] / 2**20:.0f} MB; a notebook may have {LARGEST // 2**20}. "
            "Clear its outputs (Edit › Clear Outputs of All Cells) and hand it in again."
        )
        return submission
    try:
        submission.content = read(best)  # type: ignore[operator] # bytes of a name
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        submission.findings.append(f"{submission.file} cannot be read ({error}).")
    return submission
