"""What only a part needs is asked for there, in one sentence; what cannot be had is done without."""

from __future__ import annotations

import re
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

import divmetrics as dm
from divmetrics import _threads, optional
from divmetrics.cli import main
from tests.support.missing_package import refused_without
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
FILES = [str(EXAMPLES / name) for name in ("harry_potter.qrels", "film.run", "mixed.run")]


def test_every_package_is_in_the_extra_that_is_named() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = declared["optional-dependencies"]
    for package, extra in optional.PACKAGES.values():
        assert any(re.fullmatch(rf"{package}>=.*", line) for line in extras[extra]), package
        assert not any(re.match(rf"{package}\b", line) for line in declared["dependencies"])
    together = {extra for _, extra in optional.PACKAGES.values()} - {"ir-datasets", "ir-measures"}
    assert extras["all"] == [f"divmetrics[{','.join(sorted(together))}]"]


@pytest.mark.parametrize(
    ("package", "use", "message"),
    [
        ("altair", lambda: dm.charts.pages, "divmetrics.notebook.charts.pages needs the package altair"),
        ("scipy", lambda: dm.meta.kendall([1, 2], [1, 2]), "tau-b needs the package scipy"),
        ("scipy", lambda: dm.meta.kendall_interval(0.5, 9), "the interval of tau needs the package scipy"),
    ],
)
def test_a_missing_package_is_named(
    package: str, use: Callable[[], object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [package, *(name for name in sys.modules if name.startswith(f"{package}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    command = rf'pip install "divmetrics\[{optional.PACKAGES[package][1]}\]" brings it'
    with pytest.raises(
        optional.MissingPackage, match=f"^{message}, which is not installed; {command}$"
    ) as found:
        use()
    assert isinstance(found.value, (ImportError, dm.DivmetricsError))
    assert found.value.name == package


def test_a_package_that_lacks_something_itself_is_not_called_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(module: str) -> NoReturn:
        raise ModuleNotFoundError("No module named 'inner'", name="inner")

    monkeypatch.setattr(optional, "import_module", broken)
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'inner'$"):
        optional.import_optional("scipy.stats", "a test")


def test_the_widgets_ask_for_their_packages() -> None:
    message = "divmetrics_widgets needs the package anywidget, which is not installed; "
    command = 'pip install "divmetrics[widgets]" brings it'
    refusal = refused_without("anywidget", "divmetrics_widgets")
    assert refusal == f"divmetrics.optional.MissingPackage: {message}{command}"


def test_command_line_names_a_missing_package_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"qrels": "1 1 a 1\n1 1 c 0\n2 1 b 1\n", "x": "1 Q0 a 1 2 x\n2 Q0 b 1 2 x\n"}
    files["y"] = files["x"].replace("x", "y").replace("a", "c")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert main(["compare", *(str(tmp_path / name) for name in files), "-m", "ERR-IA@5"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("divmetrics: ")
    assert line.endswith('joblib, which is not installed; pip install "divmetrics[statistics]" brings it')


def test_a_figure_that_cannot_be_drawn_tells_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without vl-convert, as in a browser; a front end that knows Vega-Lite has what it needs."""
    figure = dm.charts.contributions("ERR-IA@5", dm.datasets.harry_potter().list("A", "0083"))
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    data, _ = figure._repr_mimebundle_()
    sentence = "a drawn figure needs the package vl-convert-python, which is not installed; "
    sentence += 'pip install "divmetrics[charts]" brings it'
    assert data.pop("text/plain") == f"{figure.description}\n({sentence})"
    ((kind, spec),) = data.items()
    assert re.fullmatch(r"application/vnd\.vegalite\.v\d+\+json", kind)
    assert spec == figure.spec


def test_work_is_done_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    with_them = dm.evaluate(FILES[0], FILES[1:], ["ERR-IA@5"])

    monkeypatch.setattr(_threads, "sys", SimpleNamespace(platform="emscripten"))

    def refuse(self: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert not _threads.can_start()
    monkeypatch.setattr(sys.modules["divmetrics.evaluation"], "CELLS", 1)
    assert dm.evaluate(FILES[0], FILES[1:], ["ERR-IA@5"]).equals(with_them)
    assert len(dm.meta.tukey_hsd(dm.datasets.imine_scores(), ["ERR-IA@10"], trials=10)) == 105
