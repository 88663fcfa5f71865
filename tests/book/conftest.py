"""A book for every test of this folder: the one in site/ where it is fresh, or else one that is made now."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import need_chromium
from tests.support.paths import ROOT
from tools.book.freshness import stale
from tools.book.pages import sources
from tools.browser import browser


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = ROOT / "site"
    if stale(found, sources()):
        found = tmp_path_factory.mktemp("book") / "site"
        made = subprocess.run(
            [sys.executable, "-m", "tools.book", found],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert made.returncode == 0, made.stderr[-5000:]
    return found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    need_chromium()
    with browser() as running:
        yield running
