"""Public callables have numpydoc sections and an example."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest
from numpydoc.validate import validate

from tools.api_page import PACKAGES

# Codes of numpydoc's validation: a docstring (GL08) whose first line ends with a period (SS03) and is an
# order (SS05), all parameters (PR01 to PR04, PR07), what is returned (RT01, RT03, YD01), an example (EX01).
REQUIRED = {"GL08", "SS03", "SS05", "PR01", "PR02", "PR03", "PR04", "PR07", "RT01", "RT03", "YD01", "EX01"}


def callables() -> dict[str, str]:
    """Return {canonical name: public name} of every public function and class."""
    found: dict[str, str] = {}
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing) or inspect.isclass(thing):
                found.setdefault(f"{thing.__module__}.{thing.__qualname__}", f"{package}.{name}")
    return found


# numpydoc reads every member of a class, those that ipywidgets deprecates too.
@pytest.mark.filterwarnings(r"ignore:Widget\.\w+ is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", sorted(callables()))
def test_docstring_has_every_section(name: str) -> None:
    errors = validate(name)["errors"]
    assert [f"{code}: {text}" for code, text in errors if code in REQUIRED] == []
