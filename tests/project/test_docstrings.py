"""Public callables have numpydoc sections and an example."""

from __future__ import annotations

import ast
import inspect
import textwrap
from importlib import import_module
from typing import Any

import pytest
from numpydoc.docscrape import FunctionDoc
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


def methods() -> dict[str, Any]:
    """Return {name: function} of methods with parameters, of the public classes; none that overrides one."""
    by_name = {}
    for name in callables().values():
        package, _, short = name.rpartition(".")
        thing = getattr(import_module(package), short)
        for key, member in vars(thing).items() if inspect.isclass(thing) else ():
            function = getattr(member, "__func__", member)
            overrides = any(key in vars(base) for base in thing.__mro__[1:])
            if inspect.isfunction(function) and not key.startswith("_") and not overrides:
                by_name[f"{name}.{key}"] = function
    return by_name


def parameters_of(function: Any) -> list[str]:
    """Return the names of a method's parameters as numpydoc writes them."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    parameters = inspect.signature(function).parameters.items()
    return [stars.get(p.kind, "") + name for name, p in parameters if name not in ("self", "cls")]


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


@pytest.mark.parametrize("name", methods())
def test_methods_describe_their_parameters(name: str) -> None:
    described = FunctionDoc(methods()[name])["Parameters"]
    names = [each.strip() for parameter in described for each in parameter.name.split(",")]
    assert sorted(names) == sorted(parameters_of(methods()[name]))
