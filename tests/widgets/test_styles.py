"""The styles of widgets: what a page shows must not hang on which of its widgets came last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

FRONT = files("divmetrics_widgets").joinpath("front")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
ONE_CLASS_ONE_ELEMENT = re.compile(r"\.[\w-]+ (?:> )?(?::is\(([\w, ]+)\)|(\w+))")


def rules(css: str) -> Iterator[tuple[str, str]]:
    """Each selector with its declarations; a shorthand stands for what it sets, too."""
    for selectors, declarations in RULE.findall(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        for selector in re.split(r",(?![^(]*\))", selectors):
            yield selector.strip(), declarations


def as_weighty(css: str, start: str = ".") -> set[tuple[str, str]]:
    """Elements and properties that rules of one class and one element set: `.dm button`, `.dm-row th`."""
    conflicts = set()
    for selector, declarations in rules(css):
        if (match := ONE_CLASS_ONE_ELEMENT.fullmatch(selector)) and selector.startswith(start):
            names = (match[1] or match[2]).replace(" ", "").split(",")
            whole = [part.split(":")[0].strip() for part in declarations.split(";")]
            kinds = {name if name.startswith(("min-", "max-")) else name.split("-")[0] for name in whole}
            conflicts |= {(name, kind) for name in names for kind in kinds if kind}
    return conflicts


@pytest.mark.parametrize("name", sorted(f.name for f in FRONT.iterdir() if f.name.endswith(".css")))
def test_a_widget_outweighs_what_all_of_them_share(name: str) -> None:
    """Every widget brings the shared rules again: between equals the last one on the page would win."""
    shared = as_weighty(FRONT.joinpath("common.css").read_text(encoding="utf-8"), ".dm ")
    assert ("button", "padding") in shared
    if name != "common.css":
        assert as_weighty(FRONT.joinpath(name).read_text(encoding="utf-8")) & shared == set()


@pytest.mark.parametrize(
    ("css", "weight"),
    [
        (".dm-a th { font-weight: 400; }", {("th", "font")}),
        (
            ".dm-a > :is(button, input) { min-width: 0; padding: 1px }",
            {("button", "min-width"), ("input", "padding")},
        ),
        (".dm .dm-a th { color: red; } .dm :where(th) { color: red; } .dm-a { color: red; }", set()),
    ],
)
def test_specificity_of_selectors(css: str, weight: set[tuple[str, str]]) -> None:
    assert weight <= as_weighty(css)
    assert bool(weight) == bool(as_weighty(css))
