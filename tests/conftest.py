"""What all tests share: how Hypothesis searches, and where research files outside the project are."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

# A slow machine is no failure. In CI the same examples come every time: a change fails for what it changed.
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def research_files() -> Path:
    """The folder DIVMETRICS_DATA names, with data/ and golden/; the test skips if the variable is not set."""
    named = os.environ.get("DIVMETRICS_DATA")
    if not named:
        pytest.skip("DIVMETRICS_DATA, a folder with data/ and golden/, is not set (see CONTRIBUTING.md)")
    folder = Path(named)
    missing = [name for name in ("data", "golden") if not (folder / name).is_dir()]
    if missing:
        pytest.fail(f"DIVMETRICS_DATA is {named!r}, where {' and '.join(missing)} is missing", pytrace=False)
    return folder
