"""The registry of file formats: what a module declares it reads, and when it is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from divmetrics.io.formats import FORMATS, Format

FUNCTIONS = {"judgments": "judgments", "topics": "topics", "runs": "run"}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.module)
def test_module_has_a_function_for_each_kind(form: Format) -> None:
    declared = {kind for kind in FUNCTIONS if getattr(form, kind) is not None}
    assert declared == {kind for kind, name in FUNCTIONS.items() if hasattr(form.parser, name)}


@pytest.mark.parametrize(
    ("content", "parsers"), [("1 1 d1 2\n", {"trec"}), ("1 1 d1 L2\n", {"trec", "ntcir"})]
)
def test_only_the_parser_of_the_file_is_imported(tmp_path: Path, content: str, parsers: set[str]) -> None:
    (tmp_path / "qrels").write_text(content)
    script = (
        "import sys, divmetrics.io as io; io.load_qrel_columns('qrels');"
        "print(*(name.rpartition('.')[2] for name in sys.modules if name.startswith('divmetrics.io.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    names = {form.module for form in FORMATS} | {"json_records", "nuggets", "xml"}
    assert names & set(done.stdout.split()) == parsers
