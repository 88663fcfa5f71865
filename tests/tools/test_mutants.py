"""`make mutants`: what its settings name is there."""

from __future__ import annotations

import tomllib

import pytest

from tests.support.paths import ROOT

SETTINGS = tomllib.loads((ROOT / "tools" / "mutants" / "mutants.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", [*SETTINGS["mutated"], *SETTINGS["tests"]])
def test_a_path_exists(path):
    assert (ROOT / path).exists()


def test_an_equivalent_mutant_is_of_a_line_that_is_there():
    """Else the line has changed, and what was said of its mutant may no longer hold."""
    for entry in SETTINGS["equivalent"]:
        lines = (ROOT / entry["file"]).read_text(encoding="utf-8").splitlines()
        assert entry["line"] in map(str.strip, lines), entry
        assert entry["mutated"] != entry["line"]
        assert entry["why"]
