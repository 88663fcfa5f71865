"""Public callables have numpydoc sections and an example."""

from __future__ import annotations

import ast
import inspect
import textwrap
from importlib import import_module
from typing import Any

import pytest
from numpydoc.validate import validate

from divmetrics.core.parts.setting import declared
from tools.api_page import PACKAGES

# Codes of numpydoc's validation: a docstring (GL08) whose first line ends with a period (SS03) and is an
# order (SS05), all parameters (PR01 to PR04, PR07), what is returned (RT01, RT03, YD01), an example (EX01).
REQUIRED = {"GL08", "SS03", "SS05", "PR01", "PR02", "PR03", "PR04", "PR07", "RT01", "RT03", "YD01", "EX01"}


def callables() -> dict[str, str]:
    """Return {canonical name: public name} of every public function and class."""
    names: dict[str, str] = {}
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing) or inspect.isclass(thing):
                names.setdefault(f"{thing.__module__}.{thing.__qualname__}", f"{package}.{name}")
    return names


def refuses_values(thing: Any) -> bool:
    """Return whether a function, or the constructor of a class, raises or checks values itself."""
    functions = [thing]
    if inspect.isclass(thing):
        if declared(thing):
            return True
        functions = [vars(thing)[name] for name in ("__init__", "__post_init__") if name in vars(thing)]
    functions = [inspect.unwrap(function) for function in functions]
    functions = [function for function in functions if function.__code__.co_filename != "<string>"]
    for node in (n for f in functions for n in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(f))))):
        called = getattr(node, "func", None)
        name = getattr(called, "attr", getattr(called, "id", ""))
        if isinstance(node, ast.Raise) or name.lstrip("_").startswith("check"):
            return True
    return False


# numpydoc reads every member of a class, those that ipywidgets deprecates too.
@pytest.mark.filterwarnings(r"ignore:Widget\.\w+ is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", sorted(callables()))
def test_docstring_has_every_section(name: str) -> None:
    errors = validate(name)["errors"]
    assert [f"{code}: {text}" for code, text in errors if code in REQUIRED] == []


@pytest.mark.parametrize("name", callables().values())
def test_what_refuses_values_says_so(name: str) -> None:
    package, _, short = name.rpartition(".")
    thing = getattr(import_module(package), short)
    if refuses_values(thing):
        assert "Raises\n------\n" in (inspect.getdoc(thing) or "")
