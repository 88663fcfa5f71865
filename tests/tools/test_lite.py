"""The site with a kernel in the browser: what it brings, and that its checks notice what is missing."""

from __future__ import annotations

import json
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement

from tests.support.paths import ROOT
from tools.compat import PYODIDE
from tools.lite import checks
from tools.lite.packages import EXTRAS, SKIPPED, Wheel, add_wheels, bundled_wheels, read
from tools.notebook_files import FOLDER

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = {name: {"version": version} for name, version in PYODIDE.items()}
Make = Callable[..., Path]


@pytest.fixture
def wheel(tmp_path: Path) -> Make:
    def make(name: str, version: str = "1", asks: tuple[str, ...] = (), ending: str = "py3-none-any") -> Path:
        path = tmp_path / f"{name}-{version}-{ending}.whl"
        lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {one}" for one in asks)]
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr(f"{name}-{version}.dist-info/METADATA", "\n".join(lines) + "\n")
            packed.writestr(f"{name}/__init__.py", "")
        return path

    return make


def own() -> Wheel:
    """This project, as its wheel would say it."""
    asks = [*PROJECT["dependencies"]]
    for extra, lines in PROJECT["optional-dependencies"].items():
        asks += [f"{line}; extra == '{extra}'" for line in lines if not line.startswith("divmetrics")]
    return Wheel(Path("divmetrics"), "divmetrics", "1", tuple(map(Requirement, asks)), ("divmetrics",))


def test_pyodide_has_what_the_library_needs_or_the_site_brings_it(wheel: Make) -> None:
    """By the versions with which `make compat` runs the tests."""
    requests: list[str] = []

    def fetched(one: Requirement) -> Path:
        requests.append(one.name)
        return wheel(one.name)

    wheels = bundled_wheels(own(), PACKAGES, "3.14", fetched)
    assert sorted(requests) == ["anywidget", "ipywidgets", "latex2mathml", "lazy-loader"]
    needed = set(wheels["divmetrics"][1])
    assert {"numpy", "pandas", "scipy", "altair", "anywidget"} <= needed
    assert not needed & {*SKIPPED, "pytest", "dask", "pyarrow"}
    assert set(EXTRAS) <= set(PROJECT["optional-dependencies"])


def test_a_package_of_pyodide_that_is_too_old_is_named(wheel: Make) -> None:
    with pytest.raises(SystemExit, match=r"Pyodide has numpy 1\.26, but divmetrics needs numpy>=2"):
        bundled_wheels(own(), {**PACKAGES, "numpy": {"version": "1.26"}}, "3.14", lambda one: wheel(one.name))


def test_a_wheel_for_one_kind_of_machine_is_refused(wheel: Make) -> None:
    with pytest.raises(SystemExit, match="built for one kind of machine"):
        read(wheel("fast", ending="cp314-cp314-manylinux_2_28_x86_64"))


def test_what_only_another_system_needs_is_left_out(wheel: Make) -> None:
    asks = ("colorama; sys_platform == 'win32'", "late; python_version >= '3.14'")
    wheels = bundled_wheels(read(wheel("mine", asks=asks)), {}, "3.14", lambda one: wheel(one.name))
    assert sorted(wheels) == ["late", "mine"]


def test_our_wheels_stand_beside_pyodides_own(wheel: Make) -> None:
    lock = {"info": {}, "packages": {"numpy": {"file_name": "numpy-2.whl", "sha256": "x"}}}
    mine = read(wheel("mine"))
    made = add_wheels(lock, {"mine": (mine, ["numpy"])}, "https://host.org/v1", "../../pypi")["packages"]
    assert made["numpy"] == {"file_name": "https://host.org/v1/numpy-2.whl", "sha256": "x"}
    assert made["mine"]["file_name"] == "../../pypi/mine-1-py3-none-any.whl"
    assert (made["mine"]["depends"], made["mine"]["imports"]) == (["numpy"], ["mine"])


def test_checks_report_missing_files(wheel: Make, tmp_path: Path) -> None:
    site = tmp_path / "site"
    for folder in ("static/pyodide", "pypi", "files/notebooks"):
        (site / folder).mkdir(parents=True)
    path = wheel("divmetrics", asks=("gone",))
    path.rename(site / "pypi" / path.name)
    ours = {"divmetrics": (read(site / "pypi" / path.name), ["gone"])}
    lock = add_wheels({"info": {}, "packages": {}}, ours, "", "../../pypi")
    (site / "static/pyodide/pyodide-lock.json").write_text(json.dumps(lock))
    settings = {"jupyter-config-data": {"litePluginSettings": {checks.PLUGIN: {}}}}
    (site / "jupyter-lite.json").write_text(json.dumps(settings))
    (site / "pypi" / "all.json").write_text("{}")
    with (site / "pypi" / path.name).open("ab") as file:
        file.write(b"changed")
    problems = checks.wrong(site)
    for sentence in (
        "pyodide-lock.json: divmetrics needs gone, which is not in it",
        f"{path.name}: not the wheel that pyodide-lock.json names",
        "jupyter-lite.json: a kernel does not have divmetrics from the start",
        "files/notebooks/00_start_here.ipynb: missing",
        f"pypi/all.json: does not name {path.name}",
    ):
        assert sentence in problems


def test_what_cells_import_is_found() -> None:
    cells = [
        "%load_ext divmetrics\n!ls\nimport numpy, os.path",
        "%%serp A\nimport d1",
        "from a.b import c\nx?",
        "for name in names:\n    said = !import {name}",
    ]
    assert checks.imported(cells) == {"numpy", "os", "a"}


def test_every_notebook_of_the_course_says_what_it_imports() -> None:
    ours = {"divmetrics", "divmetrics_widgets"}
    packages = {*ours, "IPython", "altair", "ipywidgets", "numpy", "pandas", "scipy"}
    for path in sorted(FOLDER.glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        modules = checks.imported(cell.source for cell in cells if cell.cell_type == "code")
        assert modules - sys.stdlib_module_names <= packages | checks.OPTIONAL, path.name


def test_it_is_made_with_the_versions_that_are_pinned() -> None:
    def pins(name: str) -> set[str]:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        return {line.partition(" ")[0] for line in lines if "==" in line and not line.startswith(("#", " "))}

    lite, everything = pins("tools/lite/requirements.txt"), pins("requirements.txt")
    names = {pin.partition("==")[0] for pin in everything}
    assert "jupyterlab" in {pin.partition("==")[0] for pin in lite}
    assert {pin for pin in lite if pin.partition("==")[0] in names} <= everything
