"""The JavaScript of every widget: files that import each other, and the one module that they make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import divmetrics_widgets  # noqa: F401  defines the subclasses
from divmetrics.errors import DivmetricsError
from divmetrics_widgets import in_book
from divmetrics_widgets.assembly import bundle_module, together
from divmetrics_widgets.tool import WidgetBase

WITHIN = re.compile(r"\((?:[^()]|\([^()]*\))*\)")  # what stands between the parentheses of a selector


def widgets(base: type[WidgetBase] = WidgetBase) -> Iterator[type[WidgetBase]]:
    for widget in base.__subclasses__():
        if "_esm" in vars(widget):
            yield widget
        yield from widgets(widget)


@pytest.mark.parametrize("widget", [*widgets()])
def test_a_widget_is_one_module(widget: type[WidgetBase]) -> None:
    lines = str(widget._esm).splitlines()
    left = [line for line in lines if line.startswith(("import", "export"))]
    assert [line.split("(")[0] for line in left] == ["export default widget"]


def test_every_file_is_checked_in_an_editor_and_part_of_a_widget() -> None:
    modules = [*(str(widget._esm) for widget in widgets()), in_book.script()]
    for path in files("divmetrics_widgets").joinpath("front").iterdir():
        if path.name.endswith(".js"):
            mark, about, *_ = path.read_text(encoding="utf-8").splitlines()
            assert mark == "// @ts-check", path.name
            assert any(about in module for module in modules), path.name


def test_no_browser_reads_the_lines_that_are_for_the_type_checker(tmp_path: Path) -> None:
    kept = 'function one() {\n  const a = "/** @a */";\n}\nclass other {}\n'
    typed = kept.replace("const", "/** @type {T} */\n  const").replace("class", "export class")
    changed = folder_of(tmp_path, one='/** @import { T } from "./types.js" */\nexport ' + typed)
    assert bundle_module(changed, "entry.js").startswith(kept)


def test_no_text_of_a_front_end_has_such_a_line() -> None:
    for path in files("divmetrics_widgets").joinpath("front").iterdir():
        if path.name.endswith(".js"):
            pieces = path.read_text(encoding="utf-8").replace('"`"', "").split("`")
            assert len(pieces) % 2, path.name
            assert not any("\n" in text and "/** @" in text for text in pieces[1::2]), path.name


SOURCES = {
    "entry.js": 'import { two } from "./two.js";\nimport {\n  one, other,\n} from "./one.js";\n'
    "export default () => one() + two + other;\n",
    "one.js": "export async function one() {}\nexport class other {}\n",
    "two.js": 'import { one } from "./one.js";\nexport const two = one;\nconst own = 2;\n',
}


def folder_of(path: Path, **changed: str) -> Path:
    for name, source in {**SOURCES, **{f"{stem}.js": text for stem, text in changed.items()}}.items():
        (path / name).write_text(source, encoding="utf-8")
    return path


def test_a_module_is_every_file_once_after_those_that_it_imports(tmp_path: Path) -> None:
    assert bundle_module(folder_of(tmp_path), "entry.js") == (
        "async function one() {}\nclass other {}\n\n"
        "const two = one;\nconst own = 2;\n\n"
        "export default () => one() + two + other;\n"
    )


def test_modules_together_have_each_file_once(tmp_path: Path) -> None:
    third = 'import { two } from "./two.js";\nexport default two;\n'
    script = together(folder_of(tmp_path, third=third), ["entry.js", "third.js"])
    assert script == (
        'const files = {\n"one.js": () => {\n'
        "async function one() {}\nclass other {}\nreturn { one, other };\n},\n"
        '"two.js": () => {\nconst { one } = use("one.js");\n'
        "const two = one;\nconst own = 2;\nreturn { two };\n},\n"
        '"entry.js": () => {\nconst { two } = use("two.js");\nconst {\n  one, other,\n} = use("one.js");\n'
        "return () => one() + two + other;\n},\n"
        '"third.js": () => {\nconst { two } = use("two.js");\nreturn two;\n}\n};\n'
        "const made = {};\nconst use = (name) => (made[name] ??= files[name]());\n"
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"one": 'import { two } from "./two.js";\nexport function one() {}\n'},
            "two.js -> one.js -> two.js: files import each other in a circle",
        ),
        (
            {"one": 'import { one } from "./one.js";\n'},
            "one.js -> one.js: files import each other in a circle",
        ),
        ({"two": 'import { h } from "./three.js";\n'}, "two.js imports three.js, which is not there"),
        (
            {"one": "export function one() {}\nclass other {}\n"},
            "entry.js imports 'other' from one.js, which",
        ),
        ({"one": "function one() {}\n"}, "two.js imports 'one' from one.js, which exports no such name"),
        (
            {"two": "export const two = 2;\nexport class other {}\n"},
            "two.js and one.js both define 'other', and entry.js needs both",
        ),
        ({"two": "export const two = 2;\nlet one = 1;\n"}, "two.js and one.js both define 'one'"),
        (
            {"entry": "export const entry = 1;\n"},
            "entry.js: expected one default export, in this file; found: none",
        ),
        (
            {"two": "export const two = 2;\nexport default two;\n"},
            "entry.js: expected one default export, in this file; found: two.js, entry.js",
        ),
    ],
)
def test_files_that_make_no_module_are_refused_in_a_sentence(
    tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    with pytest.raises(DivmetricsError) as refused:
        bundle_module(folder_of(tmp_path, **changed), "entry.js")
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "line",
    [
        'import { one as first } from "./one.js";',
        'import * as one from "./one.js";',
        'import "./one.js";',
        'import { h } from "https://example.org/h.js";',
        'export { one } from "./one.js";',
        "export let changing = 1;",
    ],
)
def test_a_line_that_would_be_another_program_in_one_module_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(DivmetricsError) as refused:
        bundle_module(folder_of(tmp_path, two=f"{line}\nexport const two = 2;\n"), "entry.js")
    assert str(refused.value).startswith(f"two.js: {line!r} cannot be put into one module")


def test_no_two_widgets_mean_something_else_by_a_class() -> None:
    """Styles of all widgets hold for the whole page: a class that stands alone in two files is two things."""
    meant: dict[str, set[str]] = {}
    for path in files("divmetrics_widgets").joinpath("front").iterdir():
        if path.name.endswith(".css"):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            for selectors in re.findall(r"([^{}]+){", WITHIN.sub("", text)):
                for selector in selectors.split(","):
                    if alone := re.fullmatch(r"\s*(?:\.dm )?\.(dm-[\w-]+)(?:::?[\w-]+)*\s*", selector):
                        meant.setdefault(alone[1], set()).add(path.name)
    assert {name: where for name, where in meant.items() if len(where) > 1} == {}
