"""Of dozens of intents those that nobody serves are one line, which says what it stands for."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics import charts
from divmetrics.explanations.contributions import FEW, Contributions
from divmetrics.notebook.magics.explain_magic import Explanation
from divmetrics_widgets import ContributionsView, RankedListLab
from tests.support.many_nuggets import COUNT, COVERAGE, LISTS, lab_text, ranked_lists

SERVED = {int(nugget.rstrip("*")) for d in LISTS["A"] for nugget in COVERAGE[d].split()}
IDLE = COUNT - len(SERVED)
METRICS = [("ERR-IA@10", False), ("RBU@10", False), ("D#-nDCG", False), ("ERR-IS@10", True)]


@pytest.mark.parametrize(("name", "grouped"), METRICS)
def test_rows_shown_and_their_fold_add_up(tmp_path: Path, name: str, grouped: bool) -> None:
    ranked, _ = ranked_lists(tmp_path, grouped)
    metric = dm.metric(name)
    earned = Contributions.of_list(metric, ranked)
    fold = earned.fold
    assert fold is not None
    assert len(fold.places) == IDLE
    assert sorted([*fold.places, *earned.unfolded_rows]) == [*range(COUNT)]
    assert earned.unfolded_rows == sorted(earned.unfolded_rows)
    assert not earned.grades[sorted(fold.places)].any()
    assert earned.grades[earned.unfolded_rows].any(axis=1).all()
    assert math.fsum(earned.fold_values(8).ravel()) == pytest.approx(metric.score(ranked))
    assert bool(fold.values.any()) == (name == "RBU@10")
    share = sum(earned.rows[place].probability for place in fold.places)
    if not grouped:
        assert share == pytest.approx(IDLE / COUNT)
    assert f"serves {IDLE} of the {COUNT}" in fold.words
    assert f"probability {share:.4f} together" in fold.words


def test_a_cutoff_above_the_end_is_named(tmp_path: Path) -> None:
    ranked, _ = ranked_lists(tmp_path)
    fold = Contributions.of_list(dm.metric("ERR-IA@2"), ranked).fold
    assert fold is not None
    assert fold.words.startswith("No document down to rank 2 serves 48 of the 57 intents (probability 0.8421")


def test_few_rows_are_all_shown() -> None:
    intents = tuple(dm.Intent(f"i{n}", 1 / FEW) for n in range(FEW))
    ranked = dm.RankedList(dm.Topic("1", intents), ["d"], {"d": {"i3": 1}})
    earned = Contributions.of_list(dm.metric("ERR-IA@5"), ranked)
    assert earned.fold is None
    assert earned.unfolded_rows == [*range(FEW)]
    assert dm.explain_in_words("ERR-IA@5", ranked).count("0.0000  i") == FEW - 1


def test_the_table_of_explain_keeps_every_row(tmp_path: Path) -> None:
    ranked, _ = ranked_lists(tmp_path)
    assert len(dm.explain("ERR-IA@10", ranked)) == COUNT * 10


@pytest.mark.parametrize(("name", "grouped"), METRICS)
def test_text_and_html_say_what_is_folded(tmp_path: Path, name: str, grouped: bool) -> None:
    ranked, _ = ranked_lists(tmp_path, grouped)
    explanation = Explanation.of(dm.metric(name), "A", ranked)
    assert explanation.earned.fold is not None
    for text in (repr(explanation), explanation._repr_html_()):
        assert explanation.earned.fold.words in text
        assert explanation.earned.fold.name in text
    html = explanation._repr_html_()
    body = html[html.index("<tbody>") : html.index("</tbody>")]
    assert body.count("<tr>") == len(SERVED) + 2
    if not grouped:
        words = dm.explain_in_words(name, ranked)
        assert words.endswith(explanation.earned.fold.words)
        lines = re.findall(r"^  (-?\d\.\d{4})  ", words.partition("By intent:")[2], re.MULTILINE)
        assert len(lines) == len(SERVED) + 1
        assert math.fsum(map(float, lines)) == pytest.approx(explanation.score, abs=5.1e-5 * (len(lines) + 1))


@pytest.mark.parametrize(("name", "grouped"), METRICS)
def test_a_figure_has_one_row_for_them(tmp_path: Path, name: str, grouped: bool) -> None:
    ranked, _ = ranked_lists(tmp_path, grouped)
    figure = charts.contributions(name, ranked)
    fold = Contributions.of_list(dm.metric(name), ranked).fold
    assert fold is not None
    assert fold.words in figure.description
    values = [layer["data"]["values"] for layer in figure.spec["layer"]]
    cells = next(rows for rows in values if "contribution" in rows[0])
    assert len({cell["row"] for cell in cells}) == len(SERVED) + 1
    assert math.fsum(cell["contribution"] for cell in cells) == pytest.approx(dm.metric(name).score(ranked))
    assert fold.name in json.dumps(figure.spec)


@pytest.mark.parametrize(("name", "grouped"), METRICS)
def test_without_a_kernel_a_view_says_it_too(tmp_path: Path, name: str, grouped: bool) -> None:
    ranked, _ = ranked_lists(tmp_path, grouped)
    view = ContributionsView(name, ranked)
    fold = Contributions.of_list(dm.metric(name), ranked).fold
    assert fold is not None
    page = view.static_html()
    assert fold.words in page
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    assert body.count("<tr>") == len(SERVED) + 2
    assert fold.name in body


def test_without_a_kernel_a_lab_says_it_too(tmp_path: Path) -> None:
    page = RankedListLab(lab_text(tmp_path)).static_html()
    assert f"No document of the list serves {IDLE} of the {COUNT} intents" in page
    assert page.count("intents not served") == 2
    assert page.count("<tr>") < COUNT * 2
