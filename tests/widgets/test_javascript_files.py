"""The JavaScript of every widget: its files, and the bundles of them that a browser gets."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from divmetrics.errors import DivmetricsError
from divmetrics_widgets import RankedListLab, bundles
from divmetrics_widgets.bundles import BUNDLES, FRONT, bundle
from divmetrics_widgets.tool import Module, WidgetBase

WITHIN = re.compile(r"\((?:[^()]|\([^()]*\))*\)")  # what stands between the parentheses of a selector


def widgets(base: type[WidgetBase] = WidgetBase) -> Iterator[type[WidgetBase]]:
    for widget in base.__subclasses__():
        # A widget that was opened has a subclass of its own, where anywidget keeps a trait of that name.
        if isinstance(vars(widget).get("_esm"), Module):
            yield widget
        yield from widgets(widget)


def test_every_widget_and_the_book_have_a_bundle_of_what_is_in_front() -> None:
    entries = {widget._esm.entry for widget in widgets()}
    assert {path.name for path in BUNDLES.iterdir()} == {*entries, "book.js", "unpack.js", "front.sha256"}


def test_a_bundle_that_is_older_than_its_sources_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in FRONT.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(bundles, "FRONT", tmp_path)
    assert bundle.__wrapped__("lab.js") == bundle("lab.js")
    with (tmp_path / "mix.js").open("a", encoding="utf-8") as file:
        file.write("// changed\n")
    with pytest.raises(DivmetricsError, match="has changed since it was bundled; run `make bundles`"):
        bundle.__wrapped__("lab.js")
    for path in tmp_path.glob("*.js"):  # as in a wheel
        path.unlink()
    assert bundle.__wrapped__("lab.js") == bundle("lab.js")


@pytest.mark.parametrize("widget", [*widgets()])
def test_what_is_sent_holds_the_bundle_and_its_styles(widget: type[WidgetBase]) -> None:
    module = widget._esm
    script, styles = (unpacked(text) for text in re.findall(r'"(H4sI[\w+/=]+)"', str(module)))
    assert script == bundle(module.entry)
    sheets = [FRONT.joinpath(sheet).read_text(encoding="utf-8") for sheet in ("common.css", *module.sheets)]
    assert styles == "\n".join(sheets)


def unpacked(text: str) -> str:
    return gzip.decompress(base64.b64decode(text)).decode()


def test_a_lab_sends_at_most_90_kb_before_its_page() -> None:
    lab = RankedListLab()
    assert len(lab._esm) + len(json.dumps(lab._examples)) < 90_000
    assert len(json.dumps(lab.get_state(), default=str)) < 100_000


def test_every_file_is_checked_in_an_editor_and_part_of_a_bundle() -> None:
    scripts = [path for path in FRONT.iterdir() if path.name.endswith(".js")]
    sources = {path.name: path.read_text(encoding="utf-8") for path in scripts}
    imported = {name for source in sources.values() for name in re.findall(r'from "\./([\w.]+)"', source)}
    for name, source in sources.items():
        assert source.startswith("// @ts-check\n"), name
        assert name in imported or BUNDLES.joinpath(name).is_file(), name


def test_no_two_widgets_mean_something_else_by_a_class() -> None:
    """Styles of all widgets hold for the whole page: a class that stands alone in two files is two things."""
    meant: dict[str, set[str]] = {}
    for path in FRONT.iterdir():
        if path.name.endswith(".css"):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            for selectors in re.findall(r"([^{}]+){", WITHIN.sub("", text)):
                for selector in selectors.split(","):
                    if alone := re.fullmatch(r"\s*(?:\.dm )?\.(dm-[\w-]+)(?:::?[\w-]+)*\s*", selector):
                        meant.setdefault(alone[1], set()).add(path.name)
    assert {name: where for name, where in meant.items() if len(where) > 1} == {}
