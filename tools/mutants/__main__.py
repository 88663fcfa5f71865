"""Change the library a little, many times over, and print the changes that no test notices.

    python -m tools.mutants --python PYTHON [--only PATH] [--sample N] [--seed N]     `make mutants` runs it

cosmic-ray makes the changes, in copies of the checkout, which is itself never written to. All tests run once
under coverage first, so that each mutant is tried only with those that execute the changed line. Where they
pass, the mutant survives. mutants.toml says what is mutated, which tests are tried in which order, and which
mutants are equivalent to the original. Exits with 1 where one survives.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from functools import cache
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code, use_mutation
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_item import MutationSpec

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8"))
# Other plugins, nbval above all, take longer to be imported than most mutants to be killed.
PLUGINS = ("--disable-plugin-autoload", "-p", "hypothesispytest", "-p", "no:cacheprovider")
PYTEST = ("-x", "-q", *PLUGINS, "--hypothesis-profile", "mutants")


def copy_checkout(folder: Path) -> Path:
    """Copy what tests may need, as it is now."""
    made = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "site", "site-lite", "dist", "build")
    return Path(shutil.copytree(ROOT, folder, ignore=made))


def python_path(folder: Path) -> str:
    """Let Python import the copy's packages before those that are installed."""
    return os.pathsep.join((str(folder), str(folder / "widgets")))


def run_tests_once(python: str, folder: Path) -> dict[str, Any]:
    """Run all tests on the original, and return what tools.mutants.touched wrote down."""
    out = folder / "touched.json"
    plugin = ("-p", "tools.mutants.touched", "-m", "not slow", *SETTINGS["tests"])
    done = subprocess.run(
        [python, "-m", "coverage", "run", "--source=divmetrics", "-m", "pytest", *PYTEST, *plugin],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": python_path(folder), "PYTHONDONTWRITEBYTECODE": "", "MUTANTS_TOUCHED": str(out)},
        stdout=sys.stderr,
        check=False,
    )
    if done.returncode:
        sys.exit("Tests fail without any change (see above); mend them first.")
    return dict(json.loads(out.read_text(encoding="utf-8")))


def list_mutants(only: str) -> list[MutationSpec]:
    """List every mutant of the files at or below a path, in a fixed order."""
    named = [ROOT / name for name in SETTINGS["mutated"]]
    paths = [path for name in named for path in (sorted(name.rglob("*.py")) if name.is_dir() else [name])]
    chosen = [path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT / only)]
    if not chosen:
        sys.exit(f"{only}: nothing here is mutated; see tools/mutants/mutants.toml")
    wanted = re.compile("|".join(f"core/(?:{operator})" for operator in SETTINGS["operators"]))
    operators = {name: get_operator(name)() for name in operator_names() if wanted.fullmatch(name)}
    specs = []
    for path in chosen:
        nodes = list(ast_nodes(get_ast_from_path(ROOT / path)))
        for name, operator in operators.items():
            places = (place for node in nodes for place in operator.mutation_positions(node))
            specs += [MutationSpec(path, name, n, *place) for n, place in enumerate(places)]
    return specs


@cache
def reduce(source: str) -> str:
    """Return the syntax tree as text, without annotations, the text of errors and the guard of a `zip`."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "strict"]
        for name in {"annotation", "returns", "exc"} & set(node._fields):
            setattr(node, name, None)
    return ast.dump(tree)


def changed_lines(spec: MutationSpec) -> tuple[str, str, str] | None:
    """Return a mutant's file and its lines before and after the change; None if no score depends on it."""
    old = (ROOT / spec.module_path).read_text(encoding="utf-8")
    new = mutate_code(old, get_operator(spec.operator_name)(), spec.occurrence)
    try:
        if reduce(old) == reduce(new):
            return None
    except SyntaxError:  # `not` before one side of a comparison, for instance
        return None
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), n=0))[2:]
    before, after = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return str(spec.module_path), before, after


class Tester:
    """A process that runs tests in a copy of the checkout; see tools.mutants.preloaded."""

    def __init__(self, python: str, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [python, "-m", "tools.mutants.preloaded", *SETTINGS["preloaded"]],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": python_path(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, timeout: float, groups: list[list[str]]) -> tuple[int, str]:
        """Run groups of tests until one fails, and return the exit status and the output."""
        assert self.process.stdin is not None  # noqa: S101
        assert self.process.stdout is not None  # noqa: S101
        print(json.dumps([timeout, PYTEST, groups]), file=self.process.stdin, flush=True)
        status, output = json.loads(self.process.stdout.readline())
        return status, output


def tests_of(spec: MutationSpec, coverage: dict[str, Any], folder: Path) -> list[str]:
    """Return the tests that execute the changed line, or the nearest above where a statement has several.

    Outside functions a line is executed when its file is imported, so all tests that execute any of its lines
    are taken; for a file without functions, all tests.
    """
    row, tree = spec.start_pos[0], ast.parse((folder / spec.module_path).read_text(encoding="utf-8"))
    lines = {int(line): tests for line, tests in coverage["lines"].get(str(spec.module_path), {}).items()}
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    starts = [f.body[0].lineno for f in functions if f.body[0].lineno <= row <= (f.end_lineno or row)]
    if starts:
        above = [line for line in lines if max(starts) <= line <= row]
        places = set(lines[max(above)]) if above else set()
    else:
        places = set().union(*lines.values()) or set(range(len(coverage["seconds"])))
    named = enumerate(coverage["seconds"].items())
    return [test for n, (test, seconds) in named if n in places and seconds <= SETTINGS["slowest"]]


def try_mutant(spec: MutationSpec, coverage: dict[str, Any], tester: Tester) -> tuple[int, str, str]:
    """Return the exit status and the output of a mutant's tests, and the change.

    The group of which the largest share executes the changed line comes first, in each the short tests. Else
    the order is that of the first run: some tests may fail in another one.
    """
    tests, seconds = tests_of(spec, coverage, tester.folder), coverage["seconds"]
    sizes = Counter(map(group_of, seconds))
    shares = {group: n / sizes[group] for group, n in Counter(map(group_of, tests)).items()}
    groups = sorted(shares, key=lambda group: (-shares[group], SETTINGS["tests"].index(group)))
    by_group = [[test for test in tests if group_of(test) == group] for group in groups]
    timeout = 60 + 20 * sum(seconds[test] for test in tests)
    in_order = [sorted(here, key=lambda test: seconds[test] > 1) for here in by_group]
    name, operator = str(spec.module_path), get_operator(spec.operator_name)()
    with use_mutation(tester.folder / name, operator, spec.occurrence) as (old, new):
        status, output = tester.run(timeout, in_order)
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
    return status, output, "\n".join(lines)


def group_of(test: str) -> str:
    """Return the first line of `tests` in mutants.toml that names the test."""
    return next(group for group in SETTINGS["tests"] if test.startswith(group))


def main() -> int:
    """Try mutants, and print what came of each."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants")
    python = "one that has the packages of the tests"
    # Tests run in copies of the checkout, where a path from here leads nowhere.
    parser.add_argument("--python", default=sys.executable, type=os.path.abspath, help=python)
    parser.add_argument("--only", default=".", help="a file or folder; else all that mutants.toml names")
    parser.add_argument("--sample", type=int, help="so many of them, drawn at random; else all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and so the copies are removed
    equivalent = {(entry["file"], entry["line"], entry["mutated"]) for entry in SETTINGS["equivalent"]}
    specs = list_mutants(options.only)
    if options.sample:
        random.Random(options.seed).shuffle(specs)
    described = ((spec, changed_lines(spec)) for spec in specs)
    counts = (spec for spec, changed in described if changed and changed not in equivalent)
    chosen = list(islice(counts, options.sample))
    print(f"{len(chosen)} mutants; first all tests without one, under coverage", flush=True)
    counted: Counter[str] = Counter()
    processes = os.cpu_count() or 1
    with TemporaryDirectory(prefix="mutants-") as parent, ExitStack() as on_exit:
        pool = ThreadPoolExecutor(processes)
        on_exit.callback(pool.shutdown, cancel_futures=True)
        first = copy_checkout(Path(parent) / "0")
        coverage = run_tests_once(options.python, first)
        free: SimpleQueue[Tester] = SimpleQueue()
        for n in range(processes):
            # With the bytecode that the first run wrote: compiling it again would take half of the time.
            folder = first if n == 0 else Path(shutil.copytree(first, Path(parent) / str(n)))
            tester = Tester(options.python, folder)
            on_exit.callback(tester.process.terminate)
            free.put(tester)

        def tried(spec: MutationSpec) -> tuple[int, str, str]:
            tester = free.get()
            try:
                return try_mutant(spec, coverage, tester)
            finally:
                free.put(tester)

        futures = {pool.submit(tried, spec): spec for spec in chosen}
        for future in as_completed(futures):
            spec, (status, output, change) = futures[future], future.result()
            killers = re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
            fate = "timed out" if status < 0 else "killed" if status else "survived"
            counted[fate] += 1
            place = f"{spec.module_path}:{spec.start_pos[0]} {spec.operator_name.removeprefix('core/')}"
            print(f"{fate:9} {place} {' '.join(killers)}", flush=True)
            if not status:
                print(change, flush=True)
    print(f"\n{', '.join(f'{n} {fate}' for fate, n in sorted(counted.items()))} of {len(chosen)}")
    return 1 if counted["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
