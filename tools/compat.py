"""Tests of the core and a widget with other than the pinned packages, in separate environments.

    python -m tools.compat [floors newest pyodide light]     `make compat` runs all

floors: the oldest versions that pyproject.toml allows. newest: the newest of everything, on Python 3.13 or,
where there is none, on the newest below it. pyodide: what Pyodide brings, without threads, processes and
vl-convert; an imitation, on the same Python. light: what is installed without extras. Prints what came of
each, and exits with 1 where a test fails. uv makes them in .venv-compat, afresh each time, from the network.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ENVIRONMENTS_FOLDER = ROOT / ".venv-compat"
# Of the front door, what calls other packages; what kills processes and fills disks does not depend on them.
FRONT_DOOR = ("bad_input", "cli", "evaluate", "extras", "relevance_evaluator", "reported")
DOORS = tuple(f"front_door/test_{name}.py" for name in FRONT_DOOR)
CORE = ("core", "readers", "tables", "names", "explanations", *DOORS)
WIDGET = "widgets/test_lab.py"
TOOLS = ("hypothesis", "pytest", "pytest-xdist")
# Some tests compare with these. What they ask for is not brought with them, for it would bring scipy.
COMPARED = ("ir-measures", "pyndeval", "pytrec-eval-terrier", "--no-deps")
COUNTED = ("passed", "failed", "error", "skipped")
# What ipywidgets 7 is told by newer packages. What our own calls are told is an error, as in `make test`.
OTHERS_WARN = ("Deprecated in traitlets", "The `ipykernel.comm.Comm` class has been deprecated")
HERE, LOWEST = ("--editable",), ("--resolution", "lowest-direct")
VERSIONS = ("numpy", "pandas", "pyarrow", "scipy", "altair", "vl-convert-python", "ipywidgets", "ipython")
# From pyodide-lock.json in the npm package pyodide 314.0.7; what it has not is fetched, as micropip would.
PYODIDE = {
    "altair": "6.0.0",
    "ipython": "9.12.0",
    "joblib": "1.5.3",
    "narwhals": "2.18.1",
    "numpy": "2.4.6",
    "pandas": "3.0.2",
    "pyarrow": "22.0.0",
    "pytest": "9.0.2",
    "scipy": "1.18.0",
    "tqdm": "4.67.3",
    "traitlets": "5.14.3",
}


class Python(NamedTuple):
    """An installed Python."""

    version: tuple[int, int, int]
    path: str


@dataclass(frozen=True)
class Environment:
    """The packages of an environment, its Python, and the tests to run."""

    name: str
    packages: tuple[str, ...]
    newest_python: bool = True
    tests: tuple[str, ...] = (*CORE, WIDGET)
    lacks: tuple[str, ...] = ()
    pins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The outcome of an environment; `output` is the end of what a failing step printed."""

    versions: str
    counts: Mapping[str, int]
    skips: Mapping[str, int]
    output: str


ENVIRONMENTS = (
    Environment("floors", (*HERE, ".[all]", *LOWEST), newest_python=False),
    Environment("newest", (*HERE, ".[all]")),
    Environment(
        "pyodide",
        (*HERE, ".[arrow,statistics,widgets]", "altair"),
        lacks=("threads", "processes", "vl_convert"),
        pins=PYODIDE,
    ),
    Environment(
        "light",
        (*HERE, "."),
        tests=CORE,
        lacks=("altair", "anywidget", "ipywidgets", "joblib", "pyarrow", "scipy", "vl_convert", "IPython"),
    ),
)


def pythons() -> list[Python]:
    """Return the installed Pythons that are new enough, the oldest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = [which(f"python3.{minor}") for minor in range(11, 20)]
    paths = [sys.executable, *filter(None, named), *map(str, pyenv.glob("versions/*/bin/python3"))]
    by_version: dict[tuple[int, int, int], str] = {}
    for path in paths:
        code = "import sys; print(*sys.version_info[:3])"
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
        if done.returncode == 0:  # a version manager leaves names on the path whose Python is not there
            major, minor, micro = map(int, done.stdout.split())
            by_version.setdefault((major, minor, micro), path)
    return [Python(version, by_version[version]) for version in sorted(by_version) if version >= (3, 11)]


def select_python(newest: bool, available: list[Python]) -> Python:
    """Return the oldest Python, or the newest up to 3.13, for which every package has been built."""
    return max(python for python in available if python.version < (3, 14)) if newest else available[0]


def make(environment: Environment, python: Python) -> Path:
    """Make an environment with everything installed, and return its Python."""
    folder = ENVIRONMENTS_FOLDER / environment.name
    here = folder / "bin" / "python"
    pins = ENVIRONMENTS_FOLDER / f"{environment.name}.txt"
    run("uv", "venv", "--quiet", "--clear", "--python", python.path, str(folder))
    pins.write_text("".join(f"{name}=={version}\n" for name, version in environment.pins.items()))
    install = ("uv", "pip", "install", "--quiet", "--python", str(here), "--constraint", str(pins))
    run(*install, *environment.packages)
    run(*install, *TOOLS)
    run(*install, *COMPARED)
    return here


def run(*command: str) -> str:
    """Return the output of a command; exit if it fails."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def tested(environment: Environment, python: Path) -> Outcome:
    """Run pytest in an environment, on request in one process."""
    command = [str(python), "-m", "pytest", "-q", "-rsfE", "--tb=short", "-p", "tests.support.compat"]
    for message in OTHERS_WARN:
        command += ["-W", f"ignore:{message}:DeprecationWarning"]
    command += ["-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-profile", "quick"]
    command += [] if "processes" in environment.lacks else ["-n", "logical"]
    command += [f"tests/{name}" for name in environment.tests]
    environ = {**os.environ, "DIVMETRICS_LACKS": " ".join(environment.lacks)}
    environ["PATH"] = os.pathsep.join([str(python.parent), environ["PATH"]])
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    counts = re.findall(r"(\d+) (passed|failed|skipped|error)", last_line(done.stdout))
    skips = Counter[str]()
    for n, reason in re.findall(r"^SKIPPED \[(\d+)\] [^:]+(?::\d+)?: (.*)$", done.stdout, re.MULTILINE):
        skips[reason.removeprefix("Skipped: ")] += int(n)
    output = "" if done.returncode == 0 else f"{done.stdout}{done.stderr}"
    return Outcome(versions(python), {what: int(n) for n, what in counts}, skips, output)


def last_line(text: str) -> str:
    """Return the last line of a text, or an empty text."""
    return (text.strip().splitlines() or [""])[-1]


def versions(python: Path) -> str:
    """Return the installed versions of Python and the main packages."""
    code = "import sys, importlib.metadata as m; print('Python', *sys.version.split()[:1]);"
    code += "[print(d.name, d.version) for d in m.distributions()]"
    installed = dict(line.split() for line in run(str(python), "-c", code).splitlines())
    lowered = {name.lower().replace("_", "-"): version for name, version in installed.items()}
    return ", ".join(
        f"{name} {lowered[name.lower()]}" for name in ("Python", *VERSIONS) if name.lower() in lowered
    )


def main(names: list[str]) -> int:
    """Run the environments that are named, or all; return the number of those that fail."""
    ENVIRONMENTS_FOLDER.mkdir(exist_ok=True)
    available, failed = pythons(), 0
    for environment in ENVIRONMENTS:
        if names and environment.name not in names:
            continue
        outcome = tested(environment, make(environment, select_python(environment.newest_python, available)))
        counts = ", ".join(f"{outcome.counts.get(what, 0)} {what}" for what in COUNTED)
        print(f"{outcome.output}{environment.name:8} {counts}\n         {outcome.versions}")
        for reason, number in sorted(outcome.skips.items()):
            print(f"         skipped {number}: {reason}")
        failed += bool(outcome.output)
    return failed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
