"""The API reference: a page for each of our packages, made from the docstrings of its public names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import divmetrics.adapters.ir_measures
from divmetrics.adapters.ir_measures.measures import Measure
from tools.api_page import PACKAGES, comment, first_sentence, measures

START = "API.md"
HEAD = """# API reference

Every public name, with what it takes, the shapes and the units of what it gives, its errors and its sources.
What stands here stays where it is; everything else may move. `help(divmetrics)` shows the same.
"""


def reference() -> dict[str, str]:
    """Return the pages of the reference as MyST Markdown, by file."""
    pages = {f"api/{package}.md": _page(import_module(package)) for package in PACKAGES}
    rows = [
        f"- [{package}](api/{package}.md): {first_sentence(import_module(package))}" for package in PACKAGES
    ]
    tree = ["```{toctree}", ":hidden:", *(f"api/{package}" for package in PACKAGES), "```"]
    return {START: "\n".join([HEAD, *rows, "", *tree, ""]), **pages}


def _page(package: ModuleType) -> str:
    """Return a package's docstring, followed by its names, grouped by kind."""
    lines = [f"# {package.__name__}", "", *_directive("automodule", package.__name__)]
    things = {
        name: getattr(package, name)
        for name in package.__all__
        if not name.startswith("__") and not isinstance(getattr(package, name), Measure)
    }
    packages = [thing for thing in things.values() if inspect.ismodule(thing)]
    if packages:
        lines += ["## Packages", ""]
        lines += [f"- [{thing.__name__}]({thing.__name__}.md): {first_sentence(thing)}" for thing in packages]
        lines.append("")
    elsewhere = [name for name, thing in things.items() if _home(package, name, thing) != package.__name__]
    for title, kind, is_it in KINDS:
        named = [name for name, thing in things.items() if is_it(thing) and name not in elsewhere]
        if named:
            lines += [f"## {title}", ""]
            for name in named:
                lines += [f"### {name}", "", *_about(package, name, kind)]
    others = [name for name in elsewhere if not inspect.ismodule(things[name])]
    if others:
        lines += ["## Also here", ""]
        for name in others:
            home = _home(package, name, things[name])
            lines.append(f"- [{name}]({home}.md#{name}), described in {home}")
        lines.append("")
    if package is divmetrics.adapters.ir_measures:
        lines += ["## Measures", "", *measures()]
    return "\n".join(lines)


KINDS = (
    ("Functions", "autofunction", inspect.isfunction),
    ("Classes", "autoclass", inspect.isclass),
    ("Values", "", lambda thing: not (callable(thing) or inspect.ismodule(thing))),
)


def _about(package: ModuleType, name: str, kind: str) -> Iterator[str]:
    if kind:
        members = [":members:"] if kind == "autoclass" else []
        yield from _directive(kind, f"{package.__name__}.{name}", *members)
    else:
        yield from (comment(name), "")


def _home(package: ModuleType, name: str, thing: object) -> str:
    """Return the first of our packages that has the object; a plain value belongs to any of them."""
    if not callable(thing):
        return package.__name__
    return next(
        home
        for home in PACKAGES
        if getattr(import_module(home), name, None) is thing and name in import_module(home).__all__
    )


def _directive(kind: str, name: str, *options: str) -> list[str]:
    return ["```{eval-rst}", f".. {kind}:: {name}", *(f"   {option}" for option in options), "```", ""]
