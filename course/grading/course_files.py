"""Where the files of the course lie, and what stands in them for everybody."""

from __future__ import annotations

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


@dataclass(frozen=True)
class Course:
    """The course as its settings say it, and the folder that everything made for it lies in."""

    home: Path = HOME

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What stands in course.toml."""
        return tomllib.loads((HOME / "course.toml").read_text(encoding="utf-8"))

    def assignment(self, name: str) -> Assignment:
        """What the grader knows of an assignment; raises DivmetricsError for one that is not there."""
        if name not in self.settings["assignments"]:
            known = ", ".join(self.settings["assignments"])
            raise DivmetricsError(f"There is no assignment {name!r}; there are: {known}.")
        found: Assignment = import_module(f"course.grading.{name}").ASSIGNMENT
        return found

    def source(self, name: str) -> Path:
        """The folder of what an assignment is released from."""
        return HOME / "source" / name

    def released(self, name: str) -> Release:
        """The assignment as students have it; raises DivmetricsError where it was not made yet."""
        folder = self.home / "release" / name
        if not (folder / f"{name}.ipynb").exists():
            raise DivmetricsError(
                f"{folder} is not there yet: run `make course` first, and keep what it makes."
            )
        return Release(name, folder)


@dataclass(frozen=True)
class Release:
    """An assignment as students have it."""

    name: str
    folder: Path

    @cached_property
    def notebook(self) -> NotebookNode:
        """The notebook that students get."""
        return nbformat.read(self.folder / f"{self.name}.ipynb", as_version=4)

    @cached_property
    def data(self) -> ModuleType:
        """The module that students' data come from."""
        return data_module(self.folder / f"{self.name}_data.py")

    @property
    def points(self) -> dict[str, float]:
        """The points of every cell that has some."""
        about = {cell.id: cell.metadata.get("nbgrader", {}) for cell in self.notebook.cells}
        return {name: float(each["points"]) for name, each in about.items() if each.get("grade")}
