"""The extension in a real kernel, as the launcher starts it: completion, inspection, failing cells."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import divmetrics as dm
from tests.support.paths import ROOT
from tests.support.real_kernel import PATIENCE, RealKernel, connected, started

pytestmark = pytest.mark.slow

KERNELS = ROOT / "share" / "jupyter" / "kernels"


class Kernel(RealKernel):
    """A cursor is written as |."""

    def value(self, expression: str) -> str:
        return self.run(expression).data["text/plain"]

    def complete(self, cell: str) -> tuple[str, list[str]]:
        """What would be replaced, and by what."""
        code, cursor = cell.replace("|", ""), cell.index("|")
        content = self.client.complete(code, cursor, reply=True, timeout=PATIENCE)["content"]
        assert content["cursor_end"] == cursor
        return code[content["cursor_start"] : content["cursor_end"]], content["matches"]

    def inspect(self, cell: str) -> dict[str, Any]:
        code, cursor = cell.replace("|", ""), cell.index("|")
        return self.client.inspect(code, cursor, reply=True, timeout=PATIENCE)["content"]


@pytest.fixture(scope="module")
def manager(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KernelManager]:
    specs = KernelSpecManager(kernel_dirs=[str(KERNELS)])
    made = KernelManager(kernel_name="divmetrics", kernel_spec_manager=specs)
    with started(made, tmp_path_factory.mktemp("ipython")) as manager:
        yield manager


@pytest.fixture(scope="module")
def running(manager: KernelManager) -> Iterator[Kernel]:
    with connected(manager) as client:
        yield Kernel(client)


@pytest.fixture
def kernel(running: Kernel) -> Kernel:
    """With two lists of three intents."""
    running.run("%reset -f")
    running.run("%%intents harry potter\nfilm 0.5\n  cast 1\nbook 0.3 inf\ngames 0.2 nav\nscale 3")
    running.run("%%serp A\nd1 film:2 book\nd2 games\nd3")
    running.run("%%serp B\nd3\nd1")
    return running


# -------------------------------------------------------------------------------------------------- cells


def test_each_magic_shows_html_and_text(kernel: Kernel) -> None:
    for cell, expected in {
        "%%intents harry potter\nfilm 0.5\nbook 0.5": "Topic harry potter: 2 intents",
        "%%serp C\nd9 film": "List C",
        "%diveval A B -m ERR-IA@5 -m D#-nDCG@5": "Scores of A and B",
        "scores = %diveval A B -m D#-nDCG@5\nscores": "Scores of A and B",
        "%explain A -m D#-nDCG@5": "D#-nDCG@5 of list A",
        "%metrics": "DIN-nDCG",
        "%metrics D#-nDCG@10": "D#-nDCG@10",
        "%disagree S-recall@2 ERR-IA@2": "S-recall@2 prefers A",
    }.items():
        kernel.run("%reset -f")
        kernel.run("%%serp A\nd1 film:2 book\nd2 games\nd3")
        kernel.run("%%serp B\nd3\nd2\nd1")
        if cell.startswith("%%intents"):
            kernel.run("%reset -f")
        ran = kernel.run(cell)
        assert (ran.status, ran.error, ran.stderr) == ("ok", "", ""), cell
        assert expected in ran.data["text/plain"], cell
        assert "<table" in ran.data["text/html"], cell


def test_a_lab_is_a_widget(kernel: Kernel) -> None:
    ran = kernel.run("%lab A B")
    assert ran.status == "ok"
    assert "application/vnd.jupyter.widget-view+json" in {mime for d in [ran.data, *ran.shown] for mime in d}


def test_a_bad_cell_fails_with_one_sentence(kernel: Kernel) -> None:
    ran = kernel.run("%%serp A\nd1 film:")
    assert ran.status == "error"
    assert "line 2 ('d1 film:')" in ran.error
    assert "Traceback" not in ran.error
    assert ran.stderr == ""
    assert kernel.value("A.docs") == "('d1', 'd2', 'd3')"


def test_a_notebook_stops_at_a_bad_cell(tmp_path: Path) -> None:
    cells = ["%load_ext divmetrics", "%%serp A\nd1 film:", "print('after')"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(notebook, kernel_name="python3", timeout=PATIENCE)
    with pytest.raises(CellExecutionError, match="is not of the form intent:grade"):
        client.execute(env={**os.environ, "IPYTHONDIR": str(tmp_path)})
    assert notebook.cells[1].outputs[0].output_type == "error"
    assert not notebook.cells[2].outputs


# -------------------------------------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("cell", "replaced", "some"),
    [
        ("%diveval A -m al|", "al", ["alpha-DCG", "alpha-nDCG"]),
        ("%diveval A -m AL|", "AL", ["alpha-nDCG"]),
        ("scores = %diveval A -m al|", "al", ["alpha-nDCG"]),
        ("%%time\n%diveval A -m al|", "al", ["alpha-nDCG"]),
        ("x = 1\n%diveval A -m al|", "al", ["alpha-nDCG"]),
        ("%diveval A -m D#-n|", "D#-n", ["D#-nDCG"]),
        ("%diveval A -m ERR-IA@5 -m D#|", "D#", ["D#-nDCG", "D#-Q"]),
        ("%diveval A -m ERR-IA@5,D#|", "D#", ["D#-nDCG", "D#-Q"]),
        ("%diveval A -m alpha-nD|", "alpha-nD", ["alpha-nDCG"]),
        ("%diveval A --metric=alpha-nD|", "alpha-nD", ["alpha-nDCG"]),
        ("%diveval A -m ndcg|", "ndcg", ["alpha-nDCG", "D-nDCG"]),
        ("%diveval A -m ERR-I|", "ERR-I", ["ERR-IA", "ERR-IS"]),
        ("%diveval A -m nde|", "nde", ["ndeval:"]),
        ("%diveval A -m ndeval:st|", "st", ["strec"]),
        ("%diveval A --convention ndeval -m st|", "st", ["strec"]),
        ("%diveval A -m alpha-nDCG(al|", "al", ["alpha="]),
        ("%diveval A -m alpha-nDCG(alpha=0.3,i|", "i", ["ideal="]),
        ("%diveval A -m alpha-nDCG(ideal=|", "", ["greedy", "exact"]),
        ("%diveval A -m ndeval:ERR-IA(alp|", "alp", ["alpha="]),
        ("%diveval A -m ERR-IA@|", "", ["5", "10", "20"]),
        ("%diveval A --conv|", "--conv", ["--convention"]),
        ("%diveval A -|", "-", ["-m", "--metric", "--convention"]),
        ("%diveval A --convention n|", "n", ["ndeval", "ntcireval", "nuggetizer"]),
        ("%diveval A --convention=n|", "n", ["ndeval", "ntcireval", "nuggetizer"]),
        ("%diveval |", "", ["A", "B"]),
        ("%diveval A |", "", ["B"]),
        ("%metrics nDCG-|", "nDCG-", ["nDCG-IA", "nDCG-IS"]),
        ("%disagree ERR-IA@5 alpha-n|", "alpha-n", ["alpha-nDCG"]),
        ("%disagree ERR-IA@5 D-nDCG@5 |", "", ["A", "B"]),
        ("%disagree ERR-IA@5 D-nDCG@5 --le|", "--le", ["--length"]),
        ("%%serp A\nd1 f|", "f", ["film", "film/cast"]),
        ("%%serp A\nd1 film:|", "", ["1", "2", "3"]),
        ("%%serp A\nd1 film:2 |", "", ["book", "games"]),
        ("%%serp A\nd1 film:2 \nd2 b|\nd3", "b", ["book"]),
        ("%%serp A\nd|", "d", ["d1", "d2", "d3"]),
        ("%%serp |", "", ["A", "B"]),
        ("%%intents\nfilm 0.5 n|", "n", ["nav", "navigational"]),
        ("%div|", "%div", ["%diveval"]),
        ("%%ser|", "%%ser", ["%%serp"]),
    ],
)
def test_tab_offers(kernel: Kernel, cell: str, replaced: str, some: list[str]) -> None:
    start, offered = kernel.complete(cell)
    assert start == replaced
    assert [name for name in some if name not in offered] == []
    if not cell.startswith(("%div|", "%%ser|")):
        assert not [name for name in offered if name.startswith("%") or name == "print"]


def test_tab_offers_nothing_twice_and_leaves_python_alone(kernel: Kernel) -> None:
    for cell in ("%diveval A -m |", "%diveval A -m ERR|", "%%serp A\nd1 |"):
        offered = kernel.complete(cell)[1]
        assert len(offered) == len(set(offered)) > 0
    assert "import" in kernel.complete("impo|")[1]
    assert "alpha-nDCG" not in kernel.complete("al|")[1]
    assert kernel.complete("x = 1\ny = 7 %al|")[1] != ["alpha-nDCG"]


def test_tab_offers_files(kernel: Kernel) -> None:
    kernel.run("open('mine.txt', 'w').close()")
    assert kernel.complete("%serp A mi|") == ("mi", ["mine.txt"])
    assert kernel.complete("%serp A mine.txt --qrels mi|") == ("mi", ["mine.txt"])


def test_names_added_later_are_offered_and_explained(kernel: Kernel) -> None:
    """Names are looked up when they are asked for; a test's own row stands for any that came later."""
    kernel.run(
        "import divmetrics as dm\nfrom divmetrics.conventions.convention import conventions\n"
        "paper = conventions()['paper']\n"
        "paper.rows['zebra-IA'] = dm.metric('ERR-IA').with_name('zebra-IA')"
    )
    try:
        assert kernel.complete("%diveval A -m zeb|") == ("zeb", ["zebra-IA", "zebra-IS"])
        assert kernel.inspect("%diveval A -m zebra-I|A@5")["found"]
        assert "zebra-IA@5" in kernel.run("%diveval A -m zebra-IA@5").data["text/plain"]
        assert "zebra-IA" in kernel.run("%metrics").data["text/html"]
    finally:
        kernel.run("del paper.rows['zebra-IA']")


# -------------------------------------------------------------------------------------------- inspection


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("%diveval A -m ERR-I|A@5", "ERR-IA@5"),
        ("%diveval A -m ERR-IA@5|", "ERR-IA@5"),
        ("%diveval A -m |D#-nDCG@5 -m ERR-IA", "D#-nDCG@5"),
        ("%diveval A -m alpha-nDCG(alp|ha=0.3)@5", "alpha-nDCG(alpha=0.3)@5"),
        ("%diveval A -m alpha-nDCG(alp|", "alpha-nDCG"),
        ("%diveval A -m ERR-IA@5,D-nD|CG", "D-nDCG"),
        ("%diveval A --metric=D-nD|CG", "D-nDCG"),
        ("%diveval A --convention ndeval -m ERR|-IA", "ndeval:ERR-IA"),
        ("%explain A -m ndeval:ERR|-IA", "ndeval:ERR-IA"),
        ("%metrics RB|U", "RBU"),
        ("%disagree ERR-IA@5 D#-nD|CG@5", "D#-nDCG@5"),
        ("x = dm.metric('ERR-IA@|5')", "ERR-IA@5"),
        ('scores = dm.evaluate(q, r, ["D-nDCG", "alpha-nD|CG@10"])', "alpha-nDCG@10"),
    ],
)
def test_shift_tab_shows_the_metric(kernel: Kernel, cell: str, name: str) -> None:
    text = kernel.inspect(cell)
    assert text["found"]
    assert text["data"]["text/plain"].splitlines()[0] == name
    row = dm.metric(name)
    assert f"{row.name}(L) = " in text["data"]["text/plain"]
    assert "Source: " in text["data"]["text/plain"]
    assert "<table" in text["data"]["text/html"]
    assert "<math" not in text["data"]["text/html"], "JupyterLab takes it apart there"


def test_shift_tab_elsewhere_is_unchanged(kernel: Kernel) -> None:
    assert "RankedList" in kernel.inspect("%diveval A|")["data"]["text/plain"]
    assert "Docstring" in kernel.inspect("pri|nt")["data"]["text/plain"]
    assert not kernel.inspect("nothing_at_al|l")["found"]
    assert not kernel.inspect("x = 'no metri|c'")["found"]


def test_the_help_of_a_magic(kernel: Kernel) -> None:
    reply = kernel.client.execute("%diveval?", reply=True, timeout=PATIENCE)
    (page,) = reply["content"]["payload"]
    assert "%diveval A B -m ERR-IA@5" in page["data"]["text/plain"]


# ----------------------------------------------------------------------------------------------- unloading


def test_unloading_takes_completion_and_inspection_out_and_loading_brings_them_back(kernel: Kernel) -> None:
    kernel.run("%unload_ext divmetrics")
    assert "alpha-nDCG" not in kernel.complete("%diveval A -m al|")[1]
    assert not kernel.inspect("x = 'ERR-IA@|5'")["found"]
    assert kernel.value("'do_inspect' in vars(get_ipython().kernel)") == "False"
    assert kernel.run("%diveval A").status == "error"
    for _ in range(2):
        kernel.run("%load_ext divmetrics")
    kernel.run("import divmetrics\ndivmetrics.load_ipython_extension(get_ipython())")
    assert kernel.complete("%diveval A -m alpha-n|") == ("alpha-n", ["alpha-nDCG", "alpha-nDCG-IS"])
    assert kernel.inspect("x = 'ERR-IA@|5'")["found"]
    assert kernel.run("%diveval A").status == "ok"
    assert kernel.value("len(get_ipython().Completer.custom_matchers)") == "1"
