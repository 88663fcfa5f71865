"""Build of a static folder for any web server from the notebooks and some packages."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import nbformat
from packaging.requirements import Requirement

from tools.lite.packages import add_wheels, bundled_wheels, read
from tools.notebook_files import FOLDER

ROOT = FOLDER.parent
TOOLS = ROOT / ".venv-lite" / "bin"  # where `make lite` has installed JupyterLite
WORK = ROOT / "build" / "lite"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
FROM_THE_LOCK = "../../pypi"  # where wheels lie, as seen from Pyodide
PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
ASK = "from jupyterlite_pyodide_kernel import constants as c; print(c.PYODIDE_VERSION, c.PYODIDE_CDN_URL)"


def make(site: Path, work: Path = WORK) -> None:
    """Make the site in the folder `site`, in place of an older one; raises SystemExit if a step fails."""
    if site.exists() and any(site.iterdir()) and not (site / "jupyter-lite.json").exists():
        raise SystemExit(f"{site}: holds something that is no such site; name a folder that is new or empty")
    version, host = run([TOOLS / "python", "-c", ASK]).split()
    for name in ("static", "pypi", "files", "made"):
        shutil.rmtree(work / name, ignore_errors=True)
    # What JupyterLite remembers of an earlier site, after which it would leave out steps that this one needs.
    for database in work.glob(".jupyterlite.doit.db*"):
        database.unlink()
    core, wheels = work / "static" / "pyodide", work / "pypi"
    wheels.mkdir(parents=True)
    unpack_pyodide(version, core, work)
    write_packages(core / "pyodide-lock.json", wheels, host)
    write_files(work / "files")
    settings = {PLUGIN: {"loadPyodideOptions": {"packages": ["divmetrics"]}}}
    configuration = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {"litePluginSettings": settings},
    }
    (work / "jupyter-lite.json").write_text(json.dumps(configuration, indent=1) + "\n", encoding="utf-8")
    options = {"apps": ["lab"], "contents": ["files"], "no_sourcemaps": True, "output_dir": "made"}
    config = json.dumps({"LiteBuildConfig": options}, indent=1) + "\n"
    (work / "jupyter_lite_config.json").write_text(config, encoding="utf-8")
    run([TOOLS / "jupyter-lite", "build", "--lite-dir", work], work)
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(work / "made", site)


def unpack_pyodide(version: str, folder: Path, work: Path) -> None:
    """Unpack Pyodide without packages from its npm package, which `work` caches."""
    npm = Path(sys.executable).parent / "npm"
    archive = work / f"pyodide-{version}.tgz"
    if not archive.exists():
        run([npm, "pack", "--silent", f"pyodide@{version}", "--pack-destination", archive.parent])
    folder.mkdir(parents=True)
    with tarfile.open(archive) as packed:
        for name in CORE:
            member = packed.extractfile(f"package/{name}")
            if member is None:
                raise SystemExit(f"{archive.name}: holds no {name}")
            (folder / name).write_bytes(member.read())


def write_packages(lock: Path, wheels: Path, host: str) -> None:
    """Write the wheels, and Pyodide's list with them."""
    base = json.loads(lock.read_text(encoding="utf-8"))
    python = ".".join(base["info"]["python"].split(".")[:2])
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels, ROOT])
    (own,) = wheels.glob("divmetrics-*.whl")

    def fetched(requirement: Requirement) -> Path:
        """Download a wheel for any Python, in the pinned version if one is pinned."""
        before = set(wheels.glob("*.whl"))
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
        pip += ["--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none"]
        pip += ["--python-version", python, "--constraint", str(ROOT / "requirements.txt")]
        run([*pip, "--dest", wheels, f"{requirement.name}{requirement.specifier}"])
        (new,) = set(wheels.glob("*.whl")) - before
        return new

    ours = bundled_wheels(read(own), base["packages"], python, fetched)
    lock.write_text(json.dumps(add_wheels(base, ours, host, FROM_THE_LOCK)) + "\n", encoding="utf-8")


def write_files(folder: Path) -> None:
    """Write the course's files as they are in the project, with the outputs of cells."""
    course = folder / FOLDER.name
    hidden = shutil.ignore_patterns(".*", "__pycache__")
    shutil.copytree(FOLDER, course, ignore=hidden)
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=hidden)
    for path in course.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata.kernelspec = KERNEL
        nbformat.write(notebook, path)


def run(command: list[str | Path], folder: Path = ROOT) -> str:
    """Return the output of a command; raises SystemExit if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout
