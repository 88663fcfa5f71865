"""The parts of metrics side by side: every formula is the part's own, and a name is no more than a name."""

from __future__ import annotations

import pytest

import divmetrics as dm
from divmetrics.conventions.convention import convention
from divmetrics.explanations.formulas import rows_with_roles
from divmetrics.explanations.part_descriptions import description_of
from divmetrics.notebook import PartTable, table_of_parts
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.notebook.magics.metrics_magic import MetricTable
from tests.support.hostile_names import PAYLOADS
from tests.support.markdown_tables import on_one_line, rows_of_markdown

ROWS = [name for name, row in convention("paper").rows.items() if len(rows_with_roles(row)) == 1]


def test_the_text_is_that_of_percent_metrics() -> None:
    table = MetricTable.of("paper").table.set_index("metric")
    head, _, *lines = repr(table_of_parts(["ERR-IA", "DIN-nDCG", "S-recall"])).splitlines()
    starts = [head.index(part) for part in "NfwM"]
    for line in lines:
        cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)]
        assert cells == table.loc[line.split()[0], ["N", "f", "w", "M"]].tolist()


@pytest.mark.parametrize("name", ROWS)
def test_every_formula_is_set_in_a_cell_of_its_own(name: str) -> None:
    text = table_of_parts([name])._repr_markdown_()
    head, rule, line = (row.strip("| ").split(" | ") for row in text.splitlines())
    assert len(head) == len(rule) == len(line) == 5
    ((_, row),) = rows_with_roles(dm.metric(name))
    for part, cell in zip("NfwM", line[1:], strict=True):
        latex = description_of(getattr(row, part)).latex
        if cell.startswith("$"):
            assert cell == f"${latex}$"
            assert mathml(latex)
        else:  # in words
            assert latex.startswith(r"\text")


def test_a_row_that_stops_says_where_and_one_that_does_not_has_a_dash() -> None:
    of_p, of_q = table_of_parts(["P+", "Q"], ["stop", "N"])._repr_markdown_().splitlines()[2:]
    assert of_p == "| P+ | $rp_i$ | $C_i(rp)$ |"
    assert of_q == r"| Q | - | $\min(l,R_i)$ |"


def test_metrics_of_one_row_that_read_different_things_are_told_apart() -> None:
    merged, averaged = rows_of_markdown(table_of_parts(["D-Q", "Q-IA"])._repr_markdown_())[1:]
    assert merged[0] == "D-Q: Q-IA on the global gain"
    assert averaged[0] == "Q-IA"
    assert merged[1:] == averaged[1:]


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_name_is_shown_as_it_is(name: str) -> None:
    row = dm.metric("ERR-IA").with_name("mine")
    made = PartTable(((name, row),), ("w",))
    assert rows_of_markdown(made._repr_markdown_())[1][0] == on_one_line(name)


def test_a_formula_that_would_be_more_than_one_is_told_in_words() -> None:
    class Mine(type(dm.metric("ERR-IA").M)):  # type: ignore[misc]
        latex = r"\href{javascript:alert(1)}{M}"
        text = "mine"

    row = dm.Metric("mine", **{part: getattr(dm.metric("ERR-IA"), part) for part in "Nfw"}, M=Mine())
    made = PartTable((("mine", row),), ("M",))
    assert made._repr_markdown_().splitlines()[2] == "| mine | mine |"


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ((["ERR-IA"], ["R"]), "there is no part 'R'; expected N, f, w, M, stop"),
        ((["D#-nDCG"],), "D#-nDCG is made of 2 rows; ask for these one by one: .*I-rec, .*D-nDCG"),
        ((["ERR-AI"],), "ERR-IA"),
        (([dm.metric("ERR-IA")],), "a metric is .*expected its name"),
        (("ERR-IA",), "metrics is the text 'ERR-IA', expected a list of names"),
    ],
)
def test_metrics_without_one_row_are_rejected(names: tuple, why: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=why):
        table_of_parts(*names)
