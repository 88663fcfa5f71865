"""The browser that tests look through."""

from __future__ import annotations

import os

import pytest

from tools.browser import chromium_path


def need_chromium() -> None:
    """Skip a test where there is no browser, and say so; with CI set, where there has to be one, fail."""
    if chromium_path() is None:
        missing = "there is no chromium on the PATH (Debian: apt-get install chromium)"
        if os.environ.get("CI"):
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
