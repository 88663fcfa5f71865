"""API.md lists what is public, and whoever reads or copies a notebook meets public names only."""

from __future__ import annotations

import inspect
import pydoc
from functools import partial
from importlib import import_module

import pytest

import divmetrics as dm
from divmetrics.core.calls import public
from tools import api_page


def test_the_page_is_what_the_packages_say() -> None:
    assert api_page.PAGE.read_text(encoding="utf-8") == api_page.page(), "run: make readme"


@pytest.mark.parametrize("package", api_page.PACKAGES)
def test_every_public_name_is_there(package: str) -> None:
    module = import_module(package)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert len(set(module.__all__)) == len(module.__all__)


def test_public_functions_name_their_wrong_argument() -> None:
    """Each public function that takes arguments has the decorator `public`."""
    functions = {
        f"{thing.__module__}.{thing.__name__}": thing
        for package in map(import_module, api_page.PACKAGES)
        for thing in map(partial(getattr, package), package.__all__)
        if inspect.isfunction(thing) and inspect.signature(thing).parameters
    }
    decorated = public(len).__code__
    assert [name for name, function in functions.items() if function.__code__ is not decorated] == []


def test_help_lists_them() -> None:
    page = pydoc.plain(pydoc.render_doc(dm))
    assert [name for name in dm.__all__ if name not in page] == []


def test_notebooks_pages_and_examples_use_public_names_only() -> None:
    read = api_page.code_of_readers()
    assert [f"{where}: {name}" for where, code in read for name in api_page.not_public(code)] == []


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("from divmetrics.core.batch import view", "divmetrics.core.batch.view"),
        ("import divmetrics.core.batch", "divmetrics.core.batch"),
        ("import divmetrics as dm\ndm.core.batch", "divmetrics.core.batch"),
        ("from divmetrics import meta\nmeta.resampling", "divmetrics.research.meta.resampling"),
        ("from divmetrics.core import nothing", "divmetrics.core.nothing"),
        ("from divmetrics_widgets.lab import RankedListLab", "divmetrics_widgets.lab.RankedListLab"),
    ],
)
def test_private_names_are_reported(code: str, name: str) -> None:
    assert list(api_page.not_public(code)) == [name]


def test_public_names_are_not_reported() -> None:
    code = "import divmetrics as dm\nfrom divmetrics import meta\nfrom divmetrics.core import make_batch\n"
    code += "meta.kendall, dm.evaluate, dm.datasets.harry_potter().lists"
    assert list(api_page.not_public(code)) == []
