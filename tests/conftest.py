"""What all tests share: how Hypothesis searches, and where research files outside the project are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

# A plug-in that only `make compat` loads; it holds no doctests either.
collect_ignore = ["support/compat.py"]

# A slow machine is no failure. Every run tries other examples; what failed once is kept in .hypothesis and
# tried again until it is mended. In CI the same examples come every time: a change fails for what it changed,
# and the same commit does not pass today and fail tomorrow.
EXPLORE = os.environ.get("DIVMETRICS_TIMES")  # so many times the examples; `make explore` sets it
hypothesis.settings.register_profile(
    "local",
    max_examples=100 * int(EXPLORE or 1),
    derandomize=False,
    deadline=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
)
hypothesis.settings.register_profile(
    "ci", hypothesis.settings.get_profile("local"), derandomize=True, database=None
)
hypothesis.settings.register_profile(
    "quick", hypothesis.settings.get_profile("local"), max_examples=20
)  # `make quick` asks for it
hypothesis.settings.register_profile(
    "mutants",
    hypothesis.settings.get_profile("quick"),
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    database=None,
)  # `make mutants` asks that a law fails, not for the smallest example of it
hypothesis.settings.load_profile("ci" if os.environ.get("CI") and not EXPLORE else "local")


# What takes longest comes first where several processes share the tests file by file: else all but one have
# nothing left to do while the last browser is driven.
LONGEST = ("browser", "book", "papers", "magics", "lessons", "front_door")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not hasattr(config, "workerinput"):
        return
    places = {folder: place for place, folder in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.parent.name, len(places)))


@pytest.fixture(autouse=True)
def closed_widgets() -> Iterator[None]:
    """No widget outlives its test: every open lab would measure what later tests register."""
    yield
    if "ipywidgets" in sys.modules:
        sys.modules["ipywidgets"].Widget.close_all()


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
