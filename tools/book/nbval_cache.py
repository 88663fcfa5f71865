"""A pytest plug-in: the book takes what nbval executed, so that `make test` runs each notebook once."""

from __future__ import annotations

import os

import pytest
from nbval.plugin import IPyNbCell

from divmetrics_widgets.in_book import BOOK_VARIABLE, PAGE_TYPE
from tools.book.execution import cache_file
from tools.execute_notebooks import normalise
from tools.notebook_files import write

PASSED = pytest.StashKey[int]()  # how many cells of a notebook passed


def pytest_configure() -> None:
    """Let kernels put the form for a page into the outputs, beside the forms that nbval compares."""
    os.environ[BOOK_VARIABLE] = "1"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave the form for a page out of the comparison: the notebook does not hold it."""
    if isinstance(item, IPyNbCell):
        item.parent.skip_compare = {*item.parent.skip_compare, PAGE_TYPE}


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Cache a notebook after its last cell, if every cell passed."""
    if not isinstance(item, IPyNbCell) or call.when != "call" or call.excinfo:
        return
    notebook, path = item.parent.nb, item.parent.path
    item.cell.outputs = item.test_outputs
    passed = item.parent.stash[PASSED] = item.parent.stash.get(PASSED, 0) + 1
    if passed == sum(cell.cell_type == "code" for cell in notebook.cells):
        file = cache_file(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        normalise(notebook)
        write(notebook, file)
