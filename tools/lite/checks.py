"""Checks of the site: each rule is a function that yields what breaks it."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from packaging.utils import canonicalize_name

from tools.lite.build import FROM_THE_LOCK, KERNEL, PLUGIN
from tools.notebook_files import FOLDER

ORIGIN = Path("static", "pyodide")
OPTIONAL = {"pyndeval"}  # a lesson compares with it where it is there


def wrong(site: Path) -> list[str]:
    """Return every broken rule of the site."""
    rules = (without_wheels, missing_files, not_indexed, not_installed)
    return [sentence for rule in rules for sentence in rule(site)]


def lock_of(site: Path) -> dict[str, Any]:
    lock: dict[str, Any] = json.loads((site / ORIGIN / "pyodide-lock.json").read_text(encoding="utf-8"))
    return lock


def without_wheels(site: Path) -> Iterator[str]:
    """Yield packages missing from Pyodide's list, and wheels that differ from their entry."""
    packages = lock_of(site)["packages"]
    for name, package in packages.items():
        for needed in map(canonicalize_name, package["depends"]):
            if needed not in packages:
                yield f"pyodide-lock.json: {name} needs {needed}, which is not in it"
        if package["file_name"].startswith(FROM_THE_LOCK):
            wheel = (site / ORIGIN / package["file_name"]).resolve()
            if not wheel.is_file():
                yield f"pyodide-lock.json: {name} is to be in {wheel.name}, which is not in the site"
            elif hashlib.sha256(wheel.read_bytes()).hexdigest() != package["sha256"]:
                yield f"{wheel.name}: not the wheel that pyodide-lock.json names"
    settings = json.loads((site / "jupyter-lite.json").read_text(encoding="utf-8"))["jupyter-config-data"]
    options = settings["litePluginSettings"][PLUGIN].get("loadPyodideOptions", {})
    if options.get("packages") != ["divmetrics"] or "divmetrics" not in packages:
        yield "jupyter-lite.json: a kernel does not have divmetrics from the start"


def installed(site: Path) -> list[dict[str, Any]]:
    """Return the entries of Pyodide's list for the packages that a kernel has from the start."""
    packages = lock_of(site)["packages"]
    chosen: dict[str, dict[str, Any]] = {}
    waiting = [canonicalize_name("divmetrics")]
    while waiting:
        name = waiting.pop()
        if name not in chosen and name in packages:  # `without_wheels` reports the others
            chosen[name] = packages[name]
            waiting += map(canonicalize_name, packages[name]["depends"])
    return list(chosen.values())


def missing_files(site: Path) -> Iterator[str]:
    """Yield notebooks of the course that the site lacks or has changed, and files that they read."""
    for path in sorted(FOLDER.rglob("*")):
        name = path.relative_to(FOLDER.parent)
        if not path.is_file() or any(part.startswith((".", "__")) for part in name.parts):
            continue
        copy = site / "files" / name
        if not copy.is_file():
            yield f"files/{name}: missing"
        elif path.suffix == ".ipynb":
            here, there = (nbformat.read(file, as_version=4) for file in (path, copy))
            if there.metadata.kernelspec != KERNEL:
                yield f"files/{name}: asks for the kernel {there.metadata.kernelspec}"
            if here.cells != there.cells:
                yield f"files/{name}: its cells are not those of the course"


def not_indexed(site: Path) -> Iterator[str]:
    """Yield wheels of the site that `%pip install` does not find in the site's index."""
    folder = site / "pypi"
    index = json.loads((folder / "all.json").read_text(encoding="utf-8"))
    named = {file["filename"] for of in index.values() for files in of["releases"].values() for file in files}
    for wheel in sorted(folder.glob("*.whl")):
        if wheel.name not in named:
            yield f"pypi/all.json: does not name {wheel.name}"


def not_installed(site: Path) -> Iterator[str]:
    """Yield packages that a notebook imports and a kernel does not have from the start."""
    there = set(sys.stdlib_module_names) | OPTIONAL
    for package in installed(site):
        there |= {module.partition(".")[0] for module in package["imports"]}
    for path in sorted((site / "files" / FOLDER.name).glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        for module in imported(cell.source for cell in cells if cell.cell_type == "code"):
            if module not in there:
                yield f"files/{FOLDER.name}/{path.name}: imports {module}, which the kernel has not"


def imported(cells: Iterable[str]) -> set[str]:
    """Return the packages that cells import; IPython syntax that is no Python counts as a call."""
    names: set[str] = set()
    as_python = TransformerManager().transform_cell
    for source in cells:
        for node in ast.walk(ast.parse(as_python(source))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names
