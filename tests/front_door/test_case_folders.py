"""Small untidy inputs of users, one folder each: a command, and what it must print.

The folders are in $DIVMETRICS_DATA/cases; their sentences in prose are facts here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.paths import ROOT

REFUSED = 2


@dataclass(frozen=True)
class Printed:
    """Facts of a command's output: parts of standard output, and of standard error (anywhere in it)."""

    out: Sequence[str] = ()
    err: Sequence[str] = ()
    not_err: Sequence[str] = ()
    status: int = 0


EXPECTED = {
    "01-topic-type-inv": Printed(["r,1,ERR-IA@5,0.375"], ["warning", "'inv'", "topics.xml:3"]),
    "03-intents-from-0-python": Printed(["0.863757"]),
    "05-comment-of-four-words": Printed(
        ["r,all,ERR-IA@5,0.375"], ["warning", "1 line(s) begin with #", "a.qrels:1"]
    ),
    "07-same-name-in-two-folders": Printed(["ql/results,1,ERR-IA@5,", "rm/results,1,ERR-IA@5,"]),
    "09-normalise-first-level": Printed(["r,1,ERR-IA@5,0.25"]),
    "11-labels-of-a-model": Printed(
        ["r,7,Coverage@2,0.5"], ["warning", "'not_applicable'", "'questionable'", "2 "]
    ),
    "13-jsonl-unknown-as-topics": Printed([], ["JSON of a form that is not known"], ["IMine's"], REFUSED),
    "15-spaces-in-ids": Printed(["r,1,ERR-IA@5,0.125"], not_err=["swap"]),
    "17-greek-alpha": Printed(["α-nDCG@5,1"]),
    "19-grades-1.0": Printed(["r,1,ERR-IA@5,0.375"]),
    "21-dash-is-stdin": Printed(["r,1,ERR-IA@5,0.375"]),
    "23-load-runs-default": Printed(["<run r: 2 documents, 1 topics>"]),
    "25-cast-ids": Printed([], ["FreshStack", "qrels_nuggets", "31_1"], status=REFUSED),
}


@pytest.fixture
def folders(research_files: Path) -> Path:
    folder = research_files / "cases"
    if not folder.is_dir():
        pytest.skip("there is no folder `cases` in DIVMETRICS_DATA")
    return folder


def run_command(folder: Path, scratch: Path) -> subprocess.CompletedProcess[str]:
    """Run the folder's command in a copy of it, with `divmetrics` and `python` those of this test."""
    copy, programs = scratch / folder.name, scratch / "bin"
    shutil.copytree(folder, copy)
    programs.mkdir()
    for name, options in (("divmetrics", "-m divmetrics"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {options} "$@"\n')
        (programs / name).chmod(0o755)
    command = (copy / "cmd").read_text()
    paths = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        ["sh", "-c", command], cwd=copy, env={**os.environ, **paths}, capture_output=True, text=True
    )


@pytest.mark.parametrize("name", EXPECTED)
def test_a_folder(name: str, folders: Path, tmp_path: Path) -> None:
    expected, ended = EXPECTED[name], run_command(folders / name, tmp_path)
    assert ended.returncode == expected.status, ended.stderr
    for part in expected.out:
        assert part in ended.stdout
    for part in expected.err:
        assert part in ended.stderr
    for part in expected.not_err:
        assert part not in ended.stderr


def test_every_folder_has_an_outcome(folders: Path) -> None:
    assert {folder.name for folder in folders.iterdir() if (folder / "cmd").exists()} <= EXPECTED.keys()
