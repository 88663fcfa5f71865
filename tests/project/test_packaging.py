"""What a fresh machine, Binder and a package index are told is the same thing, and true."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from jupyter_client.kernelspec import KernelSpecManager
from packaging.markers import Environment, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import divmetrics
from tests.support.paths import ROOT

EXTENSION = "share/jupyter/labextensions/divmetrics"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def requirements(lines: list[str]) -> list[str]:
    """Requirements, where those on this project's own extras are what these ask for."""
    lines_needed = []
    for line in lines:
        requirement = Requirement(line)
        own = requirement.name == PROJECT["name"]
        lines_needed += (
            requirements([each for extra in requirement.extras for each in EXTRAS[extra]]) if own else [line]
        )
    return lines_needed


# What `make lab`, `make test` and `make book` need; ir-datasets is for people with a network and has its own
# heavy needs.
LESSONS = requirements(
    [*PROJECT["dependencies"], *EXTRAS["notebooks"], *PYPROJECT["build-system"]["requires"]]
)
NEEDED = [*LESSONS, *EXTRAS["test"], *EXTRAS["book"], *EXTRAS["dev"]]
# What only servers bring along, and `make lab` does not install.
SERVERS = {"nbgitpuller", "notebook"}
PYTHONS = ("3.11", "3.12", "3.13")


def pin_lines(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def environment(python: str) -> Environment:
    changed = default_environment()
    changed["python_version"], changed["python_full_version"] = python, f"{python}.0"
    return changed


def pins(name: str, python: str = f"{sys.version_info.major}.{sys.version_info.minor}") -> dict[str, Version]:
    """The versions that a file of pins asks for on this system with that Python."""
    versions: dict[str, Version] = {}
    for line in pin_lines(name):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment(python)):
            key = canonicalize_name(requirement.name)
            assert key not in versions, f"{name} pins {key} twice for Python {python}"
            versions[key] = Version(str(requirement.specifier).removeprefix("=="))
    return versions


# ------------------------------------------------------------------------------------------------- versions


def test_the_version_is_written_once() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert "version" not in PROJECT
    assert Version(divmetrics.__version__)
    assert importlib.metadata.version("divmetrics") == divmetrics.__version__, "run: make setup"


def test_the_widgets_have_the_same_version() -> None:
    import divmetrics_widgets

    assert divmetrics_widgets.__version__ == divmetrics.__version__


def test_citation_and_changelog_know_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == divmetrics.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["authors"] == PROJECT["authors"]
    assert f"\n## {divmetrics.__version__} (" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_supported_python_is_named() -> None:
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    for python in PYTHONS:
        assert f"Programming Language :: Python :: {python}" in PROJECT["classifiers"]
    assert PYPROJECT["tool"]["mypy"]["python_version"] == PYTHONS[0]
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py{PYTHONS[0].replace('.', '')}"


# ------------------------------------------------------------------------------------------- pinned versions


@pytest.mark.parametrize("name", ["requirements.txt", "binder/requirements.txt"])
def test_every_line_is_one_pin(name: str) -> None:
    lines = pin_lines(name)
    assert lines
    for line in lines:
        # No option, index, address, path or "-e .": only a name, one exact version and perhaps a marker.
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+( ; [^@/]+)?", line), line
        assert "+" not in line, f"{line}: a local version is not on any public index"
        assert canonicalize_name(Requirement(line).name) not in ("divmetrics", "divmetrics-widgets")


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(
    ("name", "declared"),
    [("requirements.txt", NEEDED), ("binder/requirements.txt", LESSONS)],
    ids=["requirements.txt", "binder"],
)
def test_everything_declared_is_pinned_within_its_bounds(name: str, declared: list[str], python: str) -> None:
    pinned = pins(name, python)
    for requirement in map(Requirement, declared):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is not in {name}: make lock"
        assert requirement.specifier.contains(version), f"{name} has {version} for {requirement}: make lock"


def test_every_declared_bound_is_a_lower_one() -> None:
    for requirement in map(Requirement, [*NEEDED, *EXTRAS["ir-datasets"]]):
        assert [specifier.operator for specifier in requirement.specifier] == [">="], requirement


@pytest.mark.parametrize(
    ("name", "declared"),
    [("requirements.txt", NEEDED), ("binder/requirements.txt", LESSONS)],
    ids=["requirements.txt", "binder"],
)
def test_what_the_pinned_packages_need_is_pinned_too(name: str, declared: list[str]) -> None:
    """Nothing is left for the installer to choose, and nothing is pinned that nobody needs."""
    pinned = {key: version for key, version in pins(name).items() if key not in SERVERS}
    reached: set[str] = set()
    open_ends = [Requirement(line) for line in declared]
    while open_ends:
        requirement = open_ends.pop()
        key = canonicalize_name(requirement.name)
        assert key in pinned, f"{requirement} is not pinned in {name}: make lock"
        assert requirement.specifier.contains(pinned[key], prereleases=True), f"{requirement}: {pinned[key]}"
        if f"{key}{sorted(requirement.extras)}" in reached:
            continue
        reached |= {key, f"{key}{sorted(requirement.extras)}"}
        for needed in map(Requirement, importlib.metadata.requires(key) or []):
            extras = ["", *requirement.extras]
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                open_ends.append(needed)
    assert set(pinned) <= reached


def test_this_environment_is_the_pinned_one() -> None:
    installed = {name: Version(importlib.metadata.version(name)) for name in pins("requirements.txt")}
    assert installed == pins("requirements.txt"), "run: make setup"


def test_what_checks_javascript_is_pinned_and_from_no_registry_in_particular() -> None:
    folder = ROOT / "tools" / "javascript"
    dependencies = json.loads((folder / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert lock.pop("")["devDependencies"] == dependencies
    for name, version in dependencies.items():
        assert lock[f"node_modules/{name}"]["version"] == version, f"{name}: lock the exact version"
    for name, package in lock.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name
        missing = {f"node_modules/{other}" for other in package.get("optionalDependencies", ())} - set(lock)
        assert not missing, f"{name} would not run on every system: {missing}"
    assert "registry=" not in (folder / ".npmrc").read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------------------- binder


@pytest.mark.parametrize("python", PYTHONS)
def test_binder_has_the_same_pins_and_no_tools(python: str) -> None:
    everything, binder = pins("requirements.txt", python), pins("binder/requirements.txt", python)
    assert set(binder) - set(everything) == SERVERS
    assert {each for each in binder.items() if each[0] not in SERVERS} < set(everything.items())
    assert not {"pytest", "ruff", "mypy", "hypothesis", "pyndeval"} & set(binder)


def test_the_notebook_of_servers_goes_with_jupyterlab() -> None:
    """Notebook 7.6 is made of JupyterLab 4.6; else Binder's own would stay, made of an older one."""
    pinned = pins("binder/requirements.txt")
    notebook, lab = pinned["notebook"], pinned["jupyterlab"]
    assert (notebook.major - 3, notebook.minor) == (lab.major, lab.minor)


def test_binder_gets_a_python_that_is_new_enough() -> None:
    runtime = (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    assert runtime == "python-3.11"
    assert PROJECT["requires-python"] == ">=3.11"


def test_binder_installs_the_project_last_and_alone() -> None:
    script = ROOT / "binder" / "postBuild"
    assert os.access(script, os.X_OK), "chmod +x binder/postBuild, or Binder refuses it"
    text = script.read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    commands = [line for line in text.splitlines() if not line.startswith("#")]
    assert commands[0] == "set -euo pipefail"
    installs = [line for line in commands if "pip install" in line]
    assert installs == commands[1:2]
    assert re.fullmatch(r"python -m pip install .*--no-deps --no-build-isolation \.", installs[0])
    # A Dockerfile there would be taken in place of all others.
    read = {"overrides.json", "postBuild", "requirements.txt", "runtime.txt"}
    assert {path.name for path in script.parent.iterdir()} == {*read, "README.md"}


def test_jupyterlab_asks_nobody_whether_to_fetch_news(tmp_path: Path) -> None:
    """The settings that postBuild puts where JupyterLab reads them are ones that JupyterLab knows."""
    text = (ROOT / "binder" / "postBuild").read_text(encoding="utf-8")
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\ncase $2 in *prefix*) echo {tmp_path};; esac\n", encoding="utf-8")
    python.chmod(0o755)
    path = {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", "-c", text], cwd=ROOT, env=os.environ | path, check=True)
    settings = json.loads(
        (tmp_path / "share/jupyter/lab/settings/overrides.json").read_text(encoding="utf-8")
    )
    plugin, name = next(iter(settings)).split(":")
    schemas = Path(sys.prefix, "share/jupyter/lab/schemas", plugin)
    properties = json.loads((schemas / f"{name}.json").read_text(encoding="utf-8"))["properties"]
    ((setting, value),) = settings[f"{plugin}:{name}"].items()
    assert value in [each["const"] for each in properties[setting]["oneOf"]]
    assert (setting, value) == ("fetchNews", "false")


# ---------------------------------------------------------------------------------------------- the container


CONTAINER = ROOT / ".devcontainer"


def test_the_container_is_made_of_binders_files() -> None:
    dockerfile = (CONTAINER / "Dockerfile").read_text(encoding="utf-8")
    runtime = (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    assert f"\nFROM {runtime.replace('-', ':')}-" in dockerfile
    copied = re.findall(r"^COPY --chown=\S+ (\S+) ", dockerfile, re.MULTILINE)
    assert copied == ["binder/requirements.txt", "."]
    assert [place for place in copied if not (ROOT / place).exists()] == []
    assert "\nRUN ./binder/postBuild\n" in dockerfile


def test_what_names_students_stays_out_of_the_image() -> None:
    left_out = (CONTAINER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    rooted = {line.strip("/") for line in ignored if line.startswith("/")}
    assert rooted <= set(left_out), "what .gitignore names is named there, too"
    assert {"course/students.csv", "course/submitted", ".git"} <= set(left_out)


def test_the_development_container_says_what_is_known() -> None:
    settings = json.loads((CONTAINER / "devcontainer.json").read_text(encoding="utf-8"))
    build = settings["build"]
    assert (CONTAINER / build["dockerfile"]).is_file()
    assert (CONTAINER / build["context"]).resolve() == ROOT
    assert f"useradd --create-home --shell /bin/bash {settings['remoteUser']}\n" in (
        CONTAINER / build["dockerfile"]
    ).read_text(encoding="utf-8")
    # Those of the specification (containers.dev) that are used here; another would be passed over in silence.
    keys = (
        "name build remoteUser hostRequirements postCreateCommand forwardPorts portsAttributes customizations"
    )
    assert set(settings) <= set(keys.split())
    assert set(map(str, settings["forwardPorts"])) == set(settings["portsAttributes"])


# ------------------------------------------------------------------------------------- what is built from it


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
    )
    built = list(folder.glob("*.whl"))
    assert [path.name for path in built] == [f"divmetrics-{divmetrics.__version__}-py3-none-any.whl"]
    return zipfile.ZipFile(built[0])


@pytest.mark.slow
def test_one_wheel_holds_both_packages_and_their_data(wheel: zipfile.ZipFile) -> None:
    in_checkout = {
        path.relative_to(folder.parent).as_posix()
        for folder in (ROOT / "divmetrics", ROOT / "widgets" / "divmetrics_widgets")
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
        if path.parent.name != "front" or path.suffix == ".css"  # scripts are there as bundles
    }
    in_wheel = {name for name in wheel.namelist() if ".dist-info/" not in name and ".data/" not in name}
    assert in_wheel == in_checkout
    assert {"divmetrics/__init__.py", "divmetrics/py.typed", "divmetrics_widgets/__init__.py"} <= in_wheel


def test_the_wheel_brings_the_kernel_and_the_extension_of_jupyterlab(wheel: zipfile.ZipFile) -> None:
    """In the places where Jupyter looks; so does the editable installation of `make setup`."""
    data = f"divmetrics-{divmetrics.__version__}.data/data/"
    brought = {name.removeprefix(data) for name in wheel.namelist() if name.startswith(data)}
    extension = {f"{EXTENSION}/{name}" for name in ("package.json", "static/remoteEntry.js")}
    folder = "share/jupyter/kernels/divmetrics"
    logos = {f"{folder}/logo-{name}" for name in ("svg.svg", "32x32.png", "64x64.png")}
    assert brought == {f"{folder}/kernel.json", *logos, *extension}
    spec = json.loads(wheel.read(f"{data}{folder}/kernel.json"))
    assert spec["display_name"] == "Python 3 (divmetrics)"
    assert spec["argv"][0] == "python", "which Jupyter replaces by the Python of the environment"
    for size in (32, 64):
        png = wheel.read(f"{data}{folder}/logo-{size}x{size}.png")
        assert struct.unpack(">4sLL", png[12:24]) == (b"IHDR", size, size)


def test_the_kernel_is_installed() -> None:
    """Fails where the project was installed before it had a kernel: run `make setup`."""
    spec = KernelSpecManager().get_kernel_spec("divmetrics")
    assert spec.display_name == "Python 3 (divmetrics)"
    assert "--ext=divmetrics" in spec.argv


def test_the_extension_of_jupyterlab_is_installed_as_it_is_here() -> None:
    """Fails where the project was installed before the extension was changed: run `make setup`."""
    about = json.loads((ROOT / EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert about["version"] == divmetrics.__version__
    for name in ("package.json", about["jupyterlab"]["_build"]["load"]):
        assert (Path(sys.prefix) / EXTENSION / name).read_bytes() == (ROOT / EXTENSION / name).read_bytes()


def test_the_wheel_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    info = f"divmetrics-{divmetrics.__version__}.dist-info"
    assert wheel.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    commands = wheel.read(f"{info}/entry_points.txt").decode()
    assert commands == "[console_scripts]\ndivmetrics = divmetrics.cli:main\n"
    metadata = wheel.read(f"{info}/METADATA").decode()
    for expected in ("Name: divmetrics", "License-Expression: MIT", "Requires-Python: >=3.11"):
        assert f"{expected}\n" in metadata
    declared = {str(Requirement(line)) for line in PROJECT["dependencies"]}
    needed = re.findall(r"^Requires-Dist: ([^;\n]+)$", metadata, re.MULTILINE)
    assert {str(Requirement(line)) for line in needed} == declared


def test_the_licences_say_who_and_which() -> None:
    for name, words in (("LICENSE", "MIT License"), ("LICENSE-notebooks", "CC BY 4.0")):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert words in text
        assert "Copyright (c) 2026 The divmetrics developers" in text


def test_the_command_is_installed() -> None:
    scripts = importlib.metadata.entry_points(group="console_scripts", name="divmetrics")
    assert [script.value for script in scripts] == ["divmetrics.cli:main"]
    assert callable(next(iter(scripts)).load())


def test_import_is_light_and_brings_nothing_but_numpy() -> None:
    """Counted: a clock says more about what else the machine does. benchmarks/magics.py has the seconds."""
    code = """
import sys
import numpy
before, calls = set(sys.modules), 0

def count(frame, event, argument):
    global calls
    calls += event == "call"

sys.setprofile(count)
import divmetrics
sys.setprofile(None)
print(calls, *{name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    calls, *brought = done.stdout.split()
    # Of numpy itself only what it loads late may be new.
    assert set(brought) - {"numpy"} == {"divmetrics", "lazy_loader"}
    assert 10 < int(calls) < 6_000


# ----------------------------------------------------------------------------- the scripts of a fresh machine


def test_the_scripts_can_be_run() -> None:
    for name in (".ci/run", "binder/postBuild"):
        assert os.access(ROOT / name, os.X_OK), name
        subprocess.run(["bash", "-n", ROOT / name], check=True)
    for name in ("find_python.sh", "make_venv.sh"):
        subprocess.run(["sh", "-n", ROOT / "tools" / name], check=True)


def find_python(folder: Path, **pythons: str) -> subprocess.CompletedProcess[str]:
    """Look for a Python where only those given exist: a version, or "broken", a name that does not run."""
    for name, version in pythons.items():
        script = folder / name.replace("_", ".")
        if version == "broken":
            script.write_text("#!/bin/sh\nexit 127\n")
        else:
            numbers = tuple(int(number) for number in version.split("."))
            pretend = f"import sys; sys.version_info = {numbers}"
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{pretend}; $2"\n')
        script.chmod(0o755)
    shell = shutil.which("sh")
    assert shell is not None
    return subprocess.run(
        [shell, ROOT / "tools" / "find_python.sh"], env={"PATH": str(folder)}, capture_output=True, text=True
    )


def test_python3_is_used_when_it_is_new_enough(tmp_path: Path) -> None:
    process = find_python(tmp_path, python3="3.11.0", python3_13="3.13.0")
    assert (process.returncode, process.stdout, process.stderr) == (0, "python3\n", "")


def test_newer_python_is_selected_and_named(tmp_path: Path) -> None:
    process = find_python(tmp_path, python3="3.9.2", python3_13="broken", python3_12="3.12.1")
    assert (process.returncode, process.stdout) == (0, "python3.12\n")
    assert process.stderr == (
        "divmetrics needs Python 3.11 or newer and python3 is 3.9.2, so python3.12 (3.12.1) is used.\n"
    )


def test_no_python_is_new_enough(tmp_path: Path) -> None:
    process = find_python(tmp_path, python3="3.9.2", python3_12="broken")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == (
        "divmetrics needs Python 3.11 or newer and python3 is 3.9.2: "
        "install one, or name one you have, as in: make lab PYTHON=/path/to/python3.12\n"
    )


def test_there_is_no_python(tmp_path: Path) -> None:
    process = find_python(tmp_path)
    assert process.returncode == 1
    assert "and there is no python3 here: install one" in process.stderr


def test_setup_refuses_a_linked_environment(tmp_path: Path) -> None:
    """The environment of another checkout is not emptied; without a link, one is made."""
    other = tmp_path / "other" / ".venv"
    other.mkdir(parents=True)
    (other / "installed-in").write_text(str(other.parent))
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT / "tools", checkout / "tools", ignore=lambda _, names: {"javascript"} & set(names))
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, checkout)
    (checkout / "share").mkdir()
    (checkout / ".venv").symlink_to(other)
    refused = subprocess.run(["make", "setup"], cwd=checkout, capture_output=True, text=True)
    assert refused.returncode != 0
    assert refused.stderr.startswith(f".venv is a symbolic link to {other}")
    assert (other / "installed-in").read_text() == str(other.parent)


def test_the_makefile_parses_and_has_what_the_readme_promises() -> None:
    if shutil.which("make") is None:
        pytest.skip("there is no make here")
    for target in ("lab", "test", "explore", "notebooks", "readme", "lock"):
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)
