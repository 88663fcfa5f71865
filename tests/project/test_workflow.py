"""The workflow that checks changes and publishes the book names what there is, and may do no more."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from tests.support.paths import ROOT

FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))
TEXT = "\n".join(file.read_text(encoding="utf-8") for file in FILES)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def jobs() -> dict[str, dict[str, Any]]:
    by_name: dict[str, dict[str, Any]] = {}
    for file in FILES:
        parsed = yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)  # `on` is a word, not a truth
        assert set(parsed["on"]) >= {"push", "pull_request"}
        assert parsed["permissions"] == {"contents": "read"}, "what no job asks for, none has"
        by_name |= parsed["jobs"]
    return by_name


def steps() -> list[dict[str, Any]]:
    return [step for job in jobs().values() for step in job["steps"]]


def test_every_action_is_pinned_to_a_commit() -> None:
    used = re.findall(r"uses: (.*)", TEXT)
    assert len(used) == len([step for step in steps() if "uses" in step])
    assert [one for one in used if not PINNED.fullmatch(one)] == []


def test_what_it_runs_is_there() -> None:
    run = [step["run"] for step in steps() if "run" in step]
    assert ".ci/run" in run, "the tests are run as on any clean machine"
    targets = {target for line in run for target in re.findall(r"\bmake ([\w-]+)", line)}
    assert targets
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []
    if shutil.which("make") is None:
        pytest.skip("there is no make here")
    for target in targets:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


def test_it_has_the_python_that_is_pinned() -> None:
    runtime = (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    named = {job["container"] for job in jobs().values() if "container" in job}
    assert named == {f"{runtime.replace('-', ':')}-bookworm"}


def test_only_what_has_landed_is_published() -> None:
    all_jobs = jobs()
    publish = all_jobs["publish"]
    assert publish["needs"] == "checks"
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    on_main = "github.ref == 'refs/heads/main'"
    assert publish["if"] == on_main
    assert [job for job in all_jobs if "permissions" in all_jobs[job]] == ["publish"]
    packed = [step for step in all_jobs["checks"]["steps"] if "upload-pages-artifact" in step.get("uses", "")]
    assert [(step["if"], step["with"]["path"]) for step in packed] == [(on_main, "site")]


def test_nothing_from_outside_is_written_into_a_command() -> None:
    """A name of a branch or a title may hold a command; in an environment variable it is only text."""
    assert [step["run"] for step in steps() if "${{" in step.get("run", "")] == []
