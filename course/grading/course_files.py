"""Where the files of the course lie, and its settings."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
from nbformat import NotebookNode

from course.grading.assignment import Assignment, data_module
from divmetrics.errors import DivmetricsError

HOME = Path(__file__).resolve().parents[1]  # the folder course/
FOR_STUDENTS = "STUDENTS.md"  # goes with every assignment


@dataclass(frozen=True)
class Course:
    """The settings of the course, and the folder for everything that is made from them."""

    home: Path = HOME

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The content of course.toml; raises DivmetricsError if it is invalid."""
        return settings(HOME / "course.toml")

    def assignment(self, name: str) -> Assignment:
        """Return what the grader knows about an assignment; raises DivmetricsError for an unknown name."""
        if name not in self.settings["assignments"]:
            names = ", ".join(self.settings["assignments"])
            raise DivmetricsError(f"There is no assignment {name!r}; there are: {names}.")
        loaded: Assignment = import_module(f"course.grading.{name}").ASSIGNMENT
        return loaded

    def source(self, name: str) -> Path:
        """Return the folder from which an assignment is released."""
        return HOME / "source" / name

    def released(self, name: str) -> Release:
        """Return the released assignment; raises DivmetricsError if it has not been made yet."""
        folder = self.home / "release" / name
        if not (folder / f"{name}.ipynb").exists():
            raise DivmetricsError(
                f"{folder} is not there yet: run `make course` first, and keep what it makes."
            )
        return Release(name, folder)


def settings(path: Path) -> dict[str, Any]:
    """Parse and check a course.toml; raises DivmetricsError if it is invalid."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DivmetricsError(
            f'{path} cannot be read: {error}. A name stands between quotes, as in term = "2026-winter".'
        ) from None
    for name in ("course", "term"):
        if not isinstance(values.get(name), str) or not values[name].strip():
            raise DivmetricsError(
                f"{path}: {name} is {values.get(name, 'missing')}; expected a text between quotes."
            )
    book = values.get("book", "")
    if not isinstance(book, str) or not re.match(r"https?://|$", book):
        raise DivmetricsError(f"{path}: book is {book!r}; expected an address that begins with https://.")
    draws = values.get("draws")
    if not isinstance(draws, int) or draws < 1:
        raise DivmetricsError(f"{path}: draws is {draws!r}; expected a whole number from 1.")
    folders = sorted(each.name for each in (HOME / "source").iterdir() if each.is_dir())
    names = values.get("assignments")
    if not isinstance(names, list) or not names or not all(name in folders for name in names):
        raise DivmetricsError(f"{path}: assignments is {names!r}; expected names among {', '.join(folders)}.")
    return values


@dataclass(frozen=True)
class Release:
    """An assignment as students get it."""

    name: str
    folder: Path

    @cached_property
    def notebook(self) -> NotebookNode:
        """The notebook that students get."""
        return nbformat.read(self.folder / f"{self.name}.ipynb", as_version=4)

    @cached_property
    def data(self) -> ModuleType:
        """The module from which students' data come."""
        return data_module(self.folder / f"{self.name}_data.py")

    @property
    def points(self) -> dict[str, float]:
        """The points of every graded cell, by the cell's name."""
        about = {cell.id: cell.metadata.get("nbgrader", {}) for cell in self.notebook.cells}
        return {name: float(each["points"]) for name, each in about.items() if each.get("grade")}
