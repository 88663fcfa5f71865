"""Every magic with lines and cells that nobody should write: one sentence each; then right ones work."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from divmetrics import DivmetricsError
from divmetrics.notebook.magics.extension import MAGICS
from tools.explore import malformed_cells

HUGE = "9" * 5000
LINES = (
    *('"not closed', "'", "--convention", "--convention=", "--convention none", "--metric ERR-IA@0", "-m ''"),
    *("--metric=ERR-IA@" + "9" * 400, "-m ERR-IA@1e3", "-m RBU(e=1e400)@5", "-m @", "-m :@()", "-m (((,"),
    *("--length 0", "--length -1", f"--length {HUGE}", "--length \u00b2", "--length 1e99999999"),
    *("--lenght 3", "A --depth=0", "A /dev/zero", "A . --qrels .", "A \x00", "\ud800 \u2028", "--", "---"),
    *("-", "A A A A A", HUGE, "</script>", "{1/0} $nothing", "__class__ A.docs"),
    "ERR-IA@5 nDCG@99999999999999999999",
)
BELOW = (
    *("film 0.5 0.5", "film 1e99999999", f"film {HUGE}", "film nan", "film -0.0 inf", "film 1\n\n  x/y 1"),
    *("d1 film:", f"d1 film:{HUGE}", "d1 film:-1", "d1 film:1e3", "d1 film:\u00b2", "d1 :1", "d1 film:1:2"),
    *('d1 film "not closed', "\ud800 1", "scale 0", f"scale {HUGE}", "?", "? ?", ":", "=", "\t", "# nothing"),
    *("M", "M =", "M = \ud800", "M = nothing", "M = 1\nM = 2", "return 1", "import os", "M = [1,"),
    *("M = " + "-" * 3000 + "1", "M = " + "1+" * 5000 + "1", "M = " + "(" * 300 + ")" * 300),
)


@pytest.fixture(scope="module")
def shell() -> Iterator[InteractiveShell]:
    with malformed_cells.shell() as made:
        yield made


@pytest.mark.parametrize("name", [magic.name for magic in MAGICS])
def test_a_line_or_a_cell_ends_in_one_sentence(name: str, shell: InteractiveShell) -> None:
    for cell in malformed_cells.GOOD:
        assert malformed_cells.ending(shell, *cell) == ""
    of = {magic.name: magic.kind for magic in MAGICS}[name]
    lines = LINES if "line" in of else ()
    below = [f"{line}\n{body}" for body in BELOW for line in ("A", '"not closed')] if "cell" in of else []
    assert [
        problem for text in (*lines, *below) if (problem := malformed_cells.ending(shell, name, text))
    ] == []
    for cell in (*malformed_cells.GOOD, ("diveval", "A B -m ERR-IA@2,mine@2")):
        assert malformed_cells.ending(shell, *cell) == ""


def test_error_messages_are_bounded_in_length(shell: InteractiveShell) -> None:
    with pytest.raises(DivmetricsError, match=r"^%explain: there is no list '999.* \.\.\. .*$") as refused:
        malformed_cells.run(shell, "explain", HUGE)
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("M = relevant\na = \ud800", r"line 3 \(a = .*\): half of a character stands there; write it whole"),
        ("M = " + "-" * 3000 + "1", "the metric 'mine' is nested too deeply to be read"),
    ],
)
def test_a_metric_that_python_cannot_even_parse(body: str, message: str, shell: InteractiveShell) -> None:
    with pytest.raises(DivmetricsError, match=message):
        malformed_cells.run(shell, "metric", f"mine\n{body}")


def test_the_explorer_notices_a_traceback(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(malformed_cells, "run", lambda *cell: 1 / 0)
    assert malformed_cells.ending(shell, "diveval", "A") == "ZeroDivisionError: division by zero"
