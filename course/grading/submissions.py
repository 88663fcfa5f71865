"""Submissions in a folder or a zip file, as Moodle, Canvas and nbgrader name them."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from course.grading.notebook_file import CLEAR, MOST_READ, NotANotebookError, without_outputs
from course.grading.untrusted import clean_text
from divmetrics.errors import DivmetricsError
from divmetrics.io.file_contents import open_contents
from divmetrics_widgets.own_data import normalised

# A folder or, where Moodle is told to make no folders, a file. Of a group it has the group's name first.
MOODLE = re.compile(r"^(?P<name>.+?)(?P<number>_\d+)?_assignsubmission_(file|onlinetext)_?(?P<file>.*)$")
CANVAS = re.compile(r"^(?P<name>[^_]+)_(LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)$")
MOST_FILES = 10_000  # in a student's own zip file
DEEPEST = 2  # zip files in each other
LONGEST_PATH = 1_000  # of a file in a zip file
SKIPPED = {"__MACOSX", ".ipynb_checkpoints", ".DS_Store"}


@dataclass(frozen=True)
class Student:
    """A line of students.csv.

    id : the normalised id, from which the data follow and after which files are named
    own_id : the id as students.csv has it
    group : the name of the student's group, for assignments that groups may hand in
    """

    folder: str
    id: str
    name: str = ""
    own_id: str = ""
    group: str = ""
    email: str = ""


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
    # Excel's "Unicode Text" is UTF-16, which this reads.
    head, *lines = open_contents(path, "a table of students (CSV UTF-8)").text().splitlines()
    separator = max(",;\t", key=head.count)  # a spreadsheet may write any of these
    columns = [column.strip().casefold() for column in next(csv.reader([head], delimiter=separator), [])]
    if missing := [column for column in ("folder", "id") if column not in columns]:
        raise DivmetricsError(
            f"{path} has no column {' and no column '.join(missing)}; its first line must name the columns "
            f"folder and id, and may name name, group and email, but it is {head!r}."
        )
    by_folder: dict[str, Student] = {}
    owners: dict[str, str] = {}
    for number, fields in enumerate(csv.reader(lines, delimiter=separator), 2):
        if not any(field.strip() for field in fields):
            continue
        line = dict.fromkeys(("name", "group", "email"), "")
        line |= {column: field.strip() for column, field in zip(columns, fields, strict=False)}
        folder, student = line.get("folder", ""), line.get("id", "")
        plain = normalised(student)
        if not folder or not plain:
            raise DivmetricsError(f"{path}, line {number}: folder and id are wanted, found {fields}.")
        if "email" in columns and not line["email"]:
            raise DivmetricsError(
                f"{path}, line {number}: the email is missing; give one for every student, or leave the "
                "column out."
            )
        if folder in by_folder:
            raise DivmetricsError(f"{path}, line {number}: the folder {folder!r} is there twice.")
        if plain in owners:
            raise DivmetricsError(f"{path}, line {number}: {student!r} is also the id of {owners[plain]!r}.")
        owners[plain] = folder
        by_folder[folder] = Student(folder, plain, line["name"], student, line["group"], line["email"])
    return by_folder


def whose(folder: str, known: Mapping[str, Student]) -> Student | None:
    """Return the student of a folder, by its name or by the forms that Moodle and Canvas make of it.

    Canvas names what a group hands in after the group; that is the first student of the group.
    """
    ways, group = [folder], folder
    if match := MOODLE.match(folder):
        name, number = match["name"], match["number"] or ""
        parts = name.split("-")
        of_a_group = ["-".join(parts[n:]) for n in range(1, len(parts))]
        ways += [way for own in (name, *of_a_group) for way in (own + number, own)]
    if match := CANVAS.match(folder):
        ways += [f"{match['name']}_{match['number']}", match["name"]]
        group = match["name"]
    members = (each for each in known.values() if normalised(each.group) == normalised(group) != "")
    return next((known[way] for way in ways if way in known), next(members, None))


@dataclass(frozen=True)
class Files:
    """The files of a folder or zip file by their paths, and what reads one."""

    folders: list[str]
    sizes: dict[str, int]
    read: Callable[[str], bytes]

    def inside(self, folder: str) -> Files:
        """Return the files below a folder, as paths from there."""
        start = f"{folder}/"
        return Files(
            [name.removeprefix(start) for name in self.folders if name.startswith(start)],
            {name.removeprefix(start): size for name, size in self.sizes.items() if name.startswith(start)},
            lambda name: self.read(start + name),
        )


def collect(source: Path, assignment: str, known: Mapping[str, Student] | None = None) -> list[Submission]:
    """Return the submissions in a folder or zip file, in order.

    A folder around all others that is none of a student in `known` is passed through. Raises DivmetricsError
    if `source` is neither a folder nor a zip file that can be opened.
    """
    if not source.exists():
        raise DivmetricsError(f"{source} does not exist; give the folder or zip file of submissions as FROM=")
    if source.is_dir():
        return _grouped(_of_folder(source), assignment, known or {})
    try:
        with _opened(source) as files:
            return _grouped(files, assignment, known or {})
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise DivmetricsError(f"{source} is neither a folder nor a zip file.") from None


def _of_folder(source: Path) -> Files:
    # A link could lead to what is not the student's.
    found = [each for each in sorted(source.rglob("*")) if not each.is_symlink()]
    paths = {clean_text(each.relative_to(source).as_posix()): each for each in found}
    sizes = {name: each.stat().st_size for name, each in paths.items() if each.is_file()}
    folders = [name for name, each in paths.items() if each.is_dir()]
    return Files(folders, sizes, lambda name: paths[name].read_bytes())


@contextmanager
def _opened(source: Path | io.BytesIO) -> Iterator[Files]:
    """Yield the files of a zip file; some programs write its paths with `./` or backslashes."""
    with zipfile.ZipFile(source) as archive:
        infos = {_path(info.filename): info for info in archive.infolist()}
        sizes = {name: info.file_size for name, info in infos.items() if name and not info.is_dir()}
        folders = [name for name, info in infos.items() if name and info.is_dir()]
        yield Files(folders, sizes, lambda name: _unpack(archive, infos[name]))


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return a file of a zip file; raises NotImplementedError for unusual methods of compression.

    No more is decompressed than the size that it says it has, where `archive.read` would go on to 2 GB, and
    other methods know no limit.
    """
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NotImplementedError("it is compressed by an unusual method; hand in the notebook alone")
    with archive.open(info) as file:
        return file.read(info.file_size)


def _path(name: str) -> str:
    """Return the path of a file in a zip file; empty for one that leads out of it or has no end."""
    if len(name) > LONGEST_PATH:
        return ""
    path = PurePosixPath(clean_text(name).replace("\\", "/"))
    return "" if path.is_absolute() or ".." in path.parts or not path.parts else path.as_posix()


def _grouped(files: Files, assignment: str, known: Mapping[str, Student]) -> list[Submission]:
    boxes: dict[str, list[str]] = {}
    loose: dict[tuple[str, str], list[str]] = {}  # a student's files without a folder
    for name in files.folders:
        boxes.setdefault(PurePosixPath(name).parts[0], [])
    for name in files.sizes:
        parts = PurePosixPath(name).parts
        if len(parts) > 1:
            boxes.setdefault(parts[0], []).append(name)
        elif match := CANVAS.match(name) or MOODLE.match(name):
            loose.setdefault((match["name"], match["number"]), []).append(name)
        elif name.casefold().endswith(".ipynb"):
            boxes.setdefault(PurePosixPath(name).stem, []).append(name)
    boxes = {folder: names for folder, names in boxes.items() if folder not in SKIPPED}
    if len(boxes) == 1 and not loose and not whose(folder := next(iter(boxes)), known):
        inside = _grouped(files.inside(folder), assignment, known)
        if any(whose(each.folder, known) for each in inside):
            return inside
    found = [_select_notebook(folder, names, files, assignment) for folder, names in boxes.items()]
    for names in loose.values():
        one = _select_notebook("", names, files, assignment)
        # Feedback goes back by the name of the file: of the notebook or, without one, of any.
        own = one.file if one.file in names else max(names, key=lambda name: name.casefold().endswith(".zip"))
        one.folder = own if CANVAS.match(own) else str(PurePosixPath(own).with_suffix(""))
        found.append(one)
    return sorted(found, key=lambda each: each.folder)


def own_name(path: str) -> str:
    """Return the name that a student gave a file, without what Moodle or Canvas put before it."""
    name = PurePosixPath(path).name
    if match := CANVAS.match(name):
        return re.sub(r"-\d+(?=\.\w+$)", "", match["file"])  # it counts what is handed in again
    match = MOODLE.match(name)
    return (match and match["file"]) or name


def _select_notebook(
    folder: str, names: list[str], files: Files, assignment: str, depth: int = 0
) -> Submission:
    submission = Submission(folder)
    names = [name for name in names if not SKIPPED & set(PurePosixPath(name).parts)]
    notebooks = [name for name in names if name.casefold().endswith(".ipynb")]
    # Some browsers save a notebook so.
    notebooks = notebooks or [
        name for name in names if name.casefold().endswith((".ipynb.txt", ".ipynb.json"))
    ]
    if not notebooks:
        others = sorted(map(own_name, names))
        zips = [name for name in names if name.casefold().endswith(".zip") and files.sizes[name] <= MOST_READ]
        if len(zips) == 1 and depth < DEEPEST:
            return _unpacked(submission, zips[0], files, assignment, depth + 1)
        only = f", only {', '.join(others[:3])}" if others else ""
        submission.findings.append(f"There is no notebook in it{only}.")
        return submission
    wanted = f"{assignment}.ipynb"

    def fit(name: str) -> tuple[bool, bool, str]:
        own = own_name(name)
        return own == wanted, own.startswith(assignment), own

    best = max(notebooks, key=fit)
    submission.file = PurePosixPath(best).name
    if len(notebooks) > 1:
        submission.findings.append(f"There are {len(notebooks)} notebooks in it; {own_name(best)} was read.")
    if not fit(best)[0]:
        submission.findings.append(f"It is named {own_name(best)}, not {wanted}.")
    if files.sizes[best] > MOST_READ:
        submission.findings.append(
            f"The file {submission.file} has {files.sizes[best] / 2**20:.0f} MB; not more than "
            f"{MOST_READ // 2**20} are read. {CLEAR}"
        )
        return submission
    try:
        submission.content, about = without_outputs(files.read(best))
        submission.findings += about
    except NotANotebookError as error:
        submission.findings.append(str(error))
    except Exception as error:  # a damaged file raises whatever its compression does
        submission.findings.append(f"The file {submission.file} cannot be read ({_short(error)}).")
    return submission


def _short(error: Exception) -> str:
    return clean_text(str(error))[:200]


def _unpacked(submission: Submission, name: str, files: Files, assignment: str, depth: int) -> Submission:
    """Return the submission that a student has put into a zip file of their own."""
    file = own_name(name)
    try:
        content = files.read(name)
        if content.count(b"PK\1\2") > MOST_FILES:  # before each of them is looked at
            raise ValueError(f"it has more than {MOST_FILES} files; hand in the notebook alone")
        with _opened(io.BytesIO(content)) as packed:
            found = _select_notebook(submission.folder, list(packed.sizes), packed, assignment, depth)
    except Exception as error:
        submission.findings.append(f"The file {file} cannot be read ({_short(error)}).")
        return submission
    found.findings.insert(0, f"It was in a zip file, {file}.")
    return found
