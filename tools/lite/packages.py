"""The wheels that the site brings for a kernel in the browser, and Pyodide's list with them.

Pyodide has a list of its packages, pyodide-lock.json. Ours are added to it, so a kernel has all of them from
the start, and no cell has to install anything.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from email import message_from_string
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# `arrow` is only for tables of polars, and its package is the largest of all.
EXTRAS = ("charts", "statistics", "widgets")
SKIPPED = {
    "vl-convert-python": "a program for the machine itself; without it a figure is told in words",
    "jupyterlab-widgets": "the site's JupyterLab has it",
    "widgetsnbextension": "Notebook 6 is not in the site",
}
BROWSER = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_system": "Emscripten",
    "sys_platform": "emscripten",
}


@dataclass(frozen=True)
class Wheel:
    """The metadata of a wheel."""

    path: Path
    name: str
    version: str
    asks: tuple[Requirement, ...]
    imports: tuple[str, ...]


def read(path: Path) -> Wheel:
    """Read a wheel's metadata; raises SystemExit if a browser could not use it."""
    if not path.name.endswith("-none-any.whl"):
        raise SystemExit(f"{path.name}: built for one kind of machine; expected a wheel of Python alone")
    with zipfile.ZipFile(path) as packed:
        names = packed.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA") and name.count("/") == 1)
        metadata = message_from_string(packed.read(about).decode())
    tops = {name.partition("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return Wheel(
        path,
        canonicalize_name(metadata["Name"]),
        metadata["Version"],
        tuple(map(Requirement, metadata.get_all("Requires-Dist") or ())),
        tuple(sorted(top for top in tops if not top.endswith((".data", ".dist-info")))),
    )


def needs(wheel: Wheel, python: str, extras: Iterable[str] = ()) -> Iterator[Requirement]:
    """Yield a wheel's requirements in a browser with that Python (such as "3.14")."""
    for requirement in wheel.asks:
        for extra in ("", *extras):
            where = {**BROWSER, "python_version": python, "python_full_version": f"{python}.0"}
            where["extra"] = extra
            if requirement.marker is None or requirement.marker.evaluate(where):
                if canonicalize_name(requirement.name) not in SKIPPED:
                    yield requirement
                break


def bundled_wheels(
    own: Wheel, pyodide: Mapping[str, Any], python: str, fetched: Callable[[Requirement], Path]
) -> dict[str, tuple[Wheel, list[str]]]:
    """Return every wheel that the site must bring, with the names of its requirements.

    pyodide: the packages of pyodide-lock.json. Raises SystemExit if one of them is too old or too new.
    """
    bundled: dict[str, tuple[Wheel, list[str]]] = {}
    waiting = [own]
    while waiting:
        wheel = waiting.pop()
        requirements = list(needs(wheel, python, EXTRAS if wheel is own else ()))
        bundled[wheel.name] = wheel, sorted({canonicalize_name(one.name) for one in requirements})
        for one in requirements:
            name = canonicalize_name(one.name)
            if name in pyodide and not one.specifier.contains(pyodide[name]["version"], prereleases=True):
                version = pyodide[name]["version"]
                raise SystemExit(f"Pyodide has {name} {version}, but {wheel.name} needs {one}")
            if name not in pyodide and name not in bundled:
                waiting.append(read(fetched(one)))
    return bundled


def add_wheels(
    lock: Mapping[str, Any], ours: Mapping[str, tuple[Wheel, list[str]]], host: str, folder: str
) -> dict[str, Any]:
    """Return Pyodide's list with our wheels, in `folder` relative to it; its own come from `host`."""
    packages = {
        name: {**package, "file_name": f"{host}/{package['file_name']}"}
        for name, package in lock["packages"].items()
    }
    for name, (wheel, depends) in sorted(ours.items()):
        packages[name] = {
            "name": name,
            "version": wheel.version,
            "file_name": f"{folder}/{wheel.path.name}",
            "sha256": hashlib.sha256(wheel.path.read_bytes()).hexdigest(),
            "install_dir": "site",
            "package_type": "package",
            "imports": list(wheel.imports),
            "depends": depends,
            "unvendored_tests": False,
        }
    return {**lock, "packages": packages}
