"""Charts: right numbers, readable in grey and by those who cannot see them, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import charts
from divmetrics.notebook.appearance import palette
from divmetrics.notebook.appearance.marks import MARKS
from divmetrics.notebook.charts.contours import Window, contours
from divmetrics.notebook.charts.dark_mode import FILLS, STROKES, dark_mode_css
from divmetrics.notebook.charts.dark_mode import ROOT as OF_FIGURE
from divmetrics.notebook.charts.figure import WIDTH
from divmetrics.notebook.charts.label_placement import Box, place_labels
from divmetrics.notebook.charts.png_palette import recompress
from divmetrics.notebook.charts.text_width import shorten, text_width, wrap
from divmetrics.notebook.charts.trade_off_plot import sharp_name
from tests.support.chart_numbers import minus, spec_rows
from tests.support.meta_figures import FIGURES as META_FIGURES
from tests.support.paths import ROOT
from tests.support.strategies import quick

METRICS = [
    "ERR-IA@5",
    "RBU@5",
    "alpha-nDCG@3",
    "D#-nDCG@5",
    "nDCG-IA",
    "nDCG@5",
    "P+Q@5",
    "ERR-IS@5",
    "RBU-IS@4",
]


def harry_potter():
    book = dm.Intent(
        "book", 0.4, label="the novels", children=(dm.Intent("quotes", 0.5), dm.Intent("cast", 0.5))
    )
    film = dm.Intent("film", 0.35, children=(dm.Intent("trailer", 0.3), dm.Intent("stars", 0.7)))
    games = dm.Intent("games", 0.25, kind="navigational", children=(dm.Intent("download", 1.0),))
    return dm.Topic("1", (book, film, games), title="harry potter")


JUDGMENTS = {
    "d1": {"film": 2, ("film", "stars"): 2},
    "d2": {"book": 1, ("book", "quotes"): 1},
    "d3": {"film": 2, "book": 1, ("book", "cast"): 1, ("film", "trailer"): 1},
    "d4": {"games": 1, ("games", "download"): 1},
    "d5": {},
    "d6": {"book": 2, ("book", "cast"): 2},
}
A = dm.RankedList(harry_potter(), ["d3", "d5", "d1", "d2", "d9"], JUDGMENTS)
B = A.reordered(["d1", "d4", "d6"], "B")


def wide(intents=10, docs=60, listed=50):
    """Ten intents, long ids, grades 0 to 3, every fourth document never judged."""
    topic = dm.Topic(
        "151",
        tuple(
            dm.Intent(str(i), 1 / intents, label=f"aspect {i} of " + "a long story " * 6)
            for i in range(intents)
        ),
        title="obama family tree",
    )
    ids = [f"clueweb09-en{i:04d}-{i % 97:02d}-{i * 31:05d}" for i in range(docs)]
    grades = {
        doc: {str(i): (n * 7 + i * 5) % 11 % 4 for i in range(intents) if (n + i) % 3 == 0}
        for n, doc in enumerate(ids)
        if n % 4
    }
    return dm.RankedList(topic, ids[:listed], grades, run="a-run-with-a-long-name")


def scores(points, x="I-rec@10", y="D-nDCG@10"):
    """A tidy table with two topics whose means are these points, {run: (x, y)}."""
    rows = [
        (run, topic, metric, value + shift)
        for run, point in points.items()
        for metric, value in zip((x, y), point, strict=True)
        for topic, shift in (("1", -0.01), ("2", 0.01))
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])


POINTS = {"plain": (0.4, 0.5), "diverse": (0.7, 0.35), "both": (0.65, 0.55)}

SEARCHED = dm.datasets.aggregated_search(1)

FIGURES = {
    "contributions": lambda: charts.contributions("ERR-IA@5", A),
    "contributions with costs": lambda: charts.contributions("RBU@5", A),
    "contributions on two levels": lambda: charts.contributions("ERR-IS@5", A),
    "contributions down to rank 20": lambda: charts.contributions("RBU@20", wide()),
    "contributions of a long list": lambda: charts.contributions("nDCG-IA", wide()),
    "a list": lambda: charts.ranked_list(A),
    "a long list": lambda: charts.ranked_list(wide()),
    "two lists": lambda: charts.ranked_list([A, B]),
    "two long lists": lambda: charts.ranked_list([wide(), wide().reordered(["x"], "B")]),
    "four lists": lambda: charts.ranked_list([A, B, A.reordered(["d2"], "C"), A.reordered(["d3"], "D")]),
    "trade-off": lambda: charts.trade_off(scores(POINTS)),
    "trade-off with three gammas": lambda: charts.trade_off(scores(POINTS), gamma=(0.5, 0.2, 0.8)),
    "four pages": lambda: charts.pages("AS_ERR", dm.datasets.simulated_pages(SEARCHED)[:4]),
    "two pages": lambda: charts.pages("AS_DCG", dm.datasets.simulated_pages(SEARCHED)[34:36]),
    **META_FIGURES,
}


@pytest.fixture(scope="module")
def drawn():
    """Every figure, drawn once."""
    return {name: make() for name, make in FIGURES.items()}


# -- every figure -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_is_a_valid_specification_without_anything_to_fetch(drawn, name):
    figure = drawn[name]
    figure.chart.to_dict(validate=True)
    assert figure.spec["description"] == figure.description
    assert '"url"' not in str(figure.spec).replace("'", '"')


@pytest.mark.parametrize("name", FIGURES)
def test_shows_itself_as_one_bundle_of_svg_png_and_words(drawn, name):
    figure = drawn[name]
    data, metadata = figure._repr_mimebundle_()
    assert list(data) == ["image/svg+xml", "image/png", "text/plain"]
    root = ElementTree.fromstring(data["image/svg+xml"])
    assert root.get("role") == "img"
    assert root.get("aria-label") == figure.description == data["text/plain"]
    width, height = figure.size
    assert struct.unpack(">II", base64.b64decode(data["image/png"])[16:24]) == (2 * width, 2 * height)
    assert metadata["image/png"] == {"width": width, "height": height, "alt": figure.description}


@pytest.mark.parametrize("name", FIGURES)
def test_fits_a_page_and_is_large_enough_to_read(drawn, name):
    figure = drawn[name]
    assert figure.size[0] <= WIDTH
    sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)px"', figure.svg)}
    assert sizes
    assert min(sizes) >= 11
    assert ElementTree.fromstring(figure.svg).find("{*}rect").get("fill") == "white"


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_in_the_svg_depends_on_what_was_drawn_before(drawn, name):
    # Vega counts up its ids, so a figure with any would differ from run to run, and clash on a page.
    assert not re.search(r'\bid="', drawn[name].svg)


@pytest.mark.parametrize("name", ["contributions", "trade-off", "runs under two metrics", "two runs"])
def test_text_backgrounds_without_paint_are_removed_from_svg(drawn, name):
    """A ground without fill or stroke is as wide as its letters, and another machine has other fonts."""
    whole = vl_convert.vegalite_to_svg(drawn[name].spec)
    grounds = [path for path in re.findall("<path [^>]*>", whole) if 'class="background"' in path]
    unseen = [path for path in grounds if "fill=" not in path and "stroke=" not in path]
    assert not any(path in drawn[name].svg for path in unseen)
    assert all(path in drawn[name].svg for path in grounds if path not in unseen)
    less = whole
    for path in unseen:
        less = less.replace(path, "")
    assert np.array_equal(pixels(vl_convert.svg_to_png(less)), pixels(vl_convert.svg_to_png(whole)))


@pytest.mark.slow
def test_another_process_draws_the_same_bytes(drawn):
    names = ["contributions with costs", "two lists", "trade-off with three gammas"]
    names += ["runs under two metrics", "two runs", "concordance of two metrics", "agreement of two metrics"]
    code = (
        "import hashlib, tests.notebook.charts.test_charts as t\n"
        f"for name in {names}:\n"
        "    print(hashlib.sha256(repr(t.FIGURES[name]()._repr_mimebundle_()).encode()).hexdigest())"
    )
    path = [str(ROOT), *filter(None, sys.path)]
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "7", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    ours = [hashlib.sha256(repr(drawn[name]._repr_mimebundle_()).encode()).hexdigest() for name in names]
    assert run.stdout.split() == ours


def test_a_theme_for_other_charts_changes_nothing(drawn):
    with alt.theme.enable("dark"):
        assert charts.contributions("ERR-IA@5", A).svg == drawn["contributions"].svg


def test_ipython_displays_one_output(drawn):
    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    data, metadata = formatter.format(drawn["a list"])
    assert set(data) == {"image/svg+xml", "image/png", "text/plain"}
    assert data["text/plain"] == drawn["a list"].description
    assert set(metadata) == {"image/png"}


def test_saves_as_its_ending_says(drawn, tmp_path):
    figure = drawn["contributions"]
    for ending in ("svg", "png", "html"):
        figure.save(tmp_path / f"figure.{ending}")
    assert (tmp_path / "figure.svg").read_text(encoding="utf-8") == figure.svg
    assert (tmp_path / "figure.png").read_bytes() == figure.png
    page = (tmp_path / "figure.html").read_text(encoding="utf-8")
    assert figure.description in page
    assert "<title>ERR-IA@5 = " in page
    assert not re.search(r'(src|href)="https?:|cdn\.|@import|import\(', page)
    with pytest.raises(dm.DivmetricsError, match=r"'figure\.pdf'; expected a name ending in \.svg, \.png or"):
        figure.save(tmp_path / "figure.pdf")


@pytest.mark.slow
def test_altair_is_imported_with_the_first_chart_only():
    code = (
        "import sys, divmetrics as dm\n"
        "dm.charts.OKABE_ITO\n"
        "before = 'altair' in sys.modules\n"
        "dm.charts.trade_off\n"
        "print(before, 'altair' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]


# -- png ----------------------------------------------------------------------------------------------------


def pixels(png):
    """Height x width x RGB, by the rules of the png format."""
    parts, at = {}, 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + data)
        parts[kind] = parts.get(kind, b"") + data
        at += length + 12
    width, height, _, colour_type = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    channels = {2: 3, 3: 1, 6: 4}[colour_type]
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, 1 + channels * width)
    out = np.zeros((height, width, channels), dtype=np.uint8)
    for y, row in enumerate(rows):
        line = row[1:].reshape(width, channels)
        assert row[0] in (0, 1)
        out[y] = np.cumsum(line, axis=0, dtype=np.uint8) if row[0] else line
    if colour_type == 3:
        return np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)[out[..., 0]]
    return out[..., :3]


@pytest.mark.parametrize("name", ["contributions", "contributions down to rank 20", "trade-off"])
def test_a_png_loses_bytes_and_no_pixel(drawn, name):
    plain = vl_convert.vegalite_to_png(drawn[name].spec, scale=2)
    assert np.array_equal(pixels(drawn[name].png), pixels(plain))
    assert len(drawn[name].png) < len(plain) / 3


def test_a_transparent_png_is_left_alone():
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="4" height="4"/></svg>'
    plain = vl_convert.svg_to_png(svg)
    assert recompress(plain) == plain


# -- contributions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("ranked", [A, B], ids=["A", "B"])
def test_cells_add_up_to_the_score(metric, ranked):
    figure = charts.contributions(metric, ranked)
    score = dm.metric(metric).score(ranked)
    cells = spec_rows(figure, "contribution", "fill")
    assert sum(cell["contribution"] for cell in cells) == pytest.approx(score, abs=1e-12)
    explained = dm.explain(metric, ranked)
    assert (
        len(cells) == explained.groupby(["intent", *explained.columns[5:]]).ngroups * explained["rank"].max()
    )
    assert f"the score {score:.4f}" in figure.description
    assert figure.spec["title"]["text"][0].startswith(f"{metric} = {score:.4f}")


@pytest.mark.parametrize("metric", ["RBU@20", "nDCG-IA", "alpha-nDCG@20"])
def test_a_long_list_adds_up_too(metric):
    ranked = wide()
    figure = charts.contributions(metric, ranked)
    cells = spec_rows(figure, "contribution", "fill")
    assert sum(cell["contribution"] for cell in cells) == pytest.approx(
        dm.metric(metric).score(ranked), abs=1e-12
    )
    columns = list(dict.fromkeys(cell["rank"] for cell in cells))
    assert columns == [*map(str, range(1, 20)), "20" if "@" in metric else "≥20"]


@pytest.mark.parametrize("metric", METRICS)
def test_a_reader_can_add_up_what_is_printed(metric):
    figure = charts.contributions(metric, A)
    printed = {}
    for row in spec_rows(figure, "row", "rank", "text"):
        printed[row["row"], row["rank"]] = minus(row["text"] or "0")
    rows = list(dict.fromkeys(row for row, _ in printed if row != "total"))
    columns = list(dict.fromkeys(rank for _, rank in printed if rank != "total"))
    half = 0.5e-4 + 1e-9
    for row in rows:
        by_hand = sum(printed[row, rank] for rank in columns)
        assert by_hand == pytest.approx(printed[row, "total"], abs=half * (len(columns) + 1))
    for rank in [*columns, "total"]:
        by_hand = sum(printed[row, rank] for row in rows)
        assert by_hand == pytest.approx(printed["total", rank], abs=half * (len(rows) + 1))


def test_lists_below_each_other_share_one_scale():
    figure = charts.contributions("ERR-IA@5", [A, B])
    cells = spec_rows(figure, "contribution", "fill", "opacity")
    assert len({cell["contribution"] for cell in cells}) == len(
        {(cell["contribution"], cell["opacity"]) for cell in cells}
    )
    top = max(cell["contribution"] for cell in cells)
    assert all(cell["opacity"] == palette.tint(cell["contribution"], top).opacity for cell in cells)
    scores = {ranked.run: dm.metric("ERR-IA@5").score(ranked) for ranked in (A, B)}
    assert figure.spec["title"]["text"] == [f"ERR-IA@5 prefers A by {scores['A'] - scores['B']:.4f}"]
    for name, score in scores.items():
        assert f"list {name}: {score:.4f}" in figure.svg
        assert f"the score {score:.4f}" in figure.description
    columns = [panel["layer"][0]["encoding"]["x"]["scale"]["domain"] for panel in figure.spec["vconcat"]]
    assert columns[0] == columns[1] == [*"12345", "total"]


def test_rows_carry_the_mark_of_their_intent():
    own = [replace(t, mark=mark) for t, mark in zip(A.topic.intents, ("star", None, "circle"), strict=True)]
    ranked = dm.RankedList(replace(A.topic, intents=own), A.docs, A.judgments)
    for metric, count in (("ERR-IA@5", 3), ("ERR-IS@5", 5)):
        rows = spec_rows(charts.contributions(metric, ranked), "row", "colour", "shape")
        assert len(rows) == count
        marks_by_intent = {
            row["row"].split(":")[0].split(" /")[0]: (row["colour"], row["shape"]) for row in rows
        }
        assert marks_by_intent == {"book": MARKS[6], "film": MARKS[1], "games": MARKS[0]}


def test_costs_differ_in_colour_sign_and_words():
    figure = charts.contributions("RBU@5", A)
    cells = spec_rows(figure, "contribution", "fill")
    costs = [cell for cell in cells if cell["contribution"] < 0]
    assert costs
    assert all(cell["text"].startswith("−") for cell in costs)
    assert not {cell["fill"] for cell in costs} & {
        cell["fill"] for cell in cells if cell["contribution"] >= 0
    }
    assert "orange: a cost" in figure.spec["title"]["subtitle"][1]
    assert "below 0 add up to −0.0339" in figure.description
    assert "orange" not in str(charts.contributions("ERR-IA@5", A).spec["title"])


def test_second_level_subtopics_stand_below_each_other_by_intent():
    cells = spec_rows(charts.contributions("ERR-IS@5", A), "contribution", "fill")
    rows = list(dict.fromkeys((cell["intent"], cell["subtopic"]) for cell in cells))
    assert rows == [(t.id, e.id) for t in A.topic.intents for e in t.children]


def test_labels_stand_by_the_ids_where_they_are_short():
    names = {cell["row"] for cell in spec_rows(charts.contributions("ERR-IA@5", A), "contribution", "fill")}
    assert names == {"book: the novels", "film", "games"}
    names = [
        cell["row"] for cell in spec_rows(charts.contributions("ERR-IA@5", wide()), "contribution", "fill")
    ]
    assert sorted(set(names)) == [str(i) for i in range(10)]


def test_rows_stay_apart_whatever_their_ids():
    ids = ["total", "http://example.org/subtopics/one/", "http://example.org/subtopics/one//", "x" * 200]
    topic = dm.Topic("1", tuple(dm.Intent(i, 0.25) for i in ids))
    ranked = dm.RankedList(topic, [f"d{k}" for k in range(20)], {"d0": dict.fromkeys(ids, 1)})
    figure = charts.contributions("P-IA@20", ranked)
    cells = spec_rows(figure, "contribution", "fill")
    assert len({cell["row"] for cell in cells} - {"total"}) == 4
    assert figure.size[0] <= WIDTH


# -- lists --------------------------------------------------------------------------------------------------


def test_a_mark_for_every_grade_and_another_for_what_was_never_judged():
    figure = charts.ranked_list(A)
    marks = {(row["rank"], row["intent"]): row["grade"] for row in spec_rows(figure, "area")}
    assert marks == {(1, "book"): 1, (1, "film"): 2, (3, "film"): 2, (4, "book"): 1}
    others = [row for row in spec_rows(figure, "rank", "intent", "grade") if "area" not in row]
    assert {(row["rank"], row["intent"]) for row in others} == {
        (k, t) for k in range(1, 6) for t in ("book", "film", "games")
    } - set(marks)
    states = {row["doc"]: row["state"] for row in spec_rows(figure, "state")}
    assert states == {"d3": "relevant", "d5": "judged", "d1": "relevant", "d2": "relevant", "d9": "unjudged"}
    assert "1 d3: book 1, film 2; 2 d5: not relevant" in figure.description
    assert "5 d9: never judged" in figure.description
    assert figure.spec["title"]["text"] == ["List A serves 2 of 3 intents"]
    assert figure.spec["title"]["subtitle"] == [
        "List A for topic 1 (harry potter)",
        "mark: relevant, with its grade (1 to 2); dot: judged, not relevant; ?: never judged",
    ]


def test_signs_that_do_not_occur_are_not_explained():
    figure = charts.ranked_list(A.reordered(["d9"]))
    assert figure.spec["title"]["subtitle"][1:] == ["?: never judged"]


def test_lists_side_by_side_show_both_and_the_rest_is_counted():
    figure = charts.ranked_list([A, B], depth=2)
    assert figure.spec["title"]["text"] == ["A serves 2 of 3 intents, B 2 in the first 2 ranks"]
    assert "List B: 1 d1: film 2; 2 d4: games 1; and 1 more." in figure.description
    assert figure.spec["columns"] == 2
    assert "ranks 1 to 2 of 5" in figure.spec["title"]["subtitle"]


def test_long_ids_keep_their_ends():
    figure = charts.ranked_list([wide(), wide().reordered(["another-" * 8 + "end"], "B")])
    short = {row["short"] for row in spec_rows(figure, "short")}
    assert any(name.startswith("…") and name.endswith("another-end") for name in short)


# -- trade-off ----------------------------------------------------------------------------------------------


def test_points_are_means_over_topics():
    figure = charts.trade_off(scores(POINTS))
    points = {row["run"]: (row["x"], row["y"], row["combined"]) for row in spec_rows(figure, "combined")}
    for run, (x, y) in POINTS.items():
        assert points[run] == pytest.approx((x, y, (x + y) / 2), abs=1e-9)
    assert "both 0.6500, 0.5500 and 0.6000; diverse 0.7000, 0.3500 and 0.5250" in figure.description
    assert "3 runs, mean over 2 topics" in figure.description
    assert "D#-nDCG@10" in figure.description


def test_a_collection_is_evaluated_first():
    collection = dm.Collection.of(
        [harry_potter()], {"1": JUDGMENTS}, {"A": {"1": A.docs[:4]}, "B": {"1": B.docs}}
    )
    from_scores = charts.trade_off(dm.evaluate(collection, None, ["D-Q@3", "I-rec@3"]))
    figure = charts.trade_off(collection, "I-rec@3", "D-Q@3")
    assert figure.svg == from_scores.svg
    assert "D-nDCG@10" in charts.trade_off(collection).description


def test_runs_on_the_same_spot_share_a_name():
    figure = charts.trade_off(scores(POINTS | {"twin": POINTS["both"]}))
    assert "both, twin" in {row["run"] for row in spec_rows(figure, "combined")}


@pytest.mark.parametrize("gamma", [0, 0.2, 0.5, 0.8, 1])
def test_along_a_line_the_combined_score_is_the_same(gamma):
    figure = charts.trade_off(scores(POINTS), gamma=gamma)
    lines = spec_rows(figure, "gamma", "value", "x2")
    assert 3 <= len(lines) <= 8
    for line in lines:
        for x, y in ((line["x"], line["y"]), (line["x2"], line["y2"])):
            assert gamma * x + (1 - gamma) * y == pytest.approx(line["value"], abs=1e-9)


@given(
    gamma=st.floats(0, 1),
    points=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=5),
)
@quick(200)
def test_lines_stay_in_a_window_with_all_points(gamma, points):
    window = Window.around(points, 570, 420)
    (left, right), (bottom, top) = window.across, window.up
    slack = 1e-6
    for x, y in points:
        assert left - slack <= x <= right + slack
        assert bottom - slack <= y <= top + slack
        assert window.point(window.pixel((x, y))) == pytest.approx((x, y))
    for line in contours(gamma, window):
        for x, y in (line.start, line.end):
            assert left - slack <= x <= right + slack
            assert bottom - slack <= y <= top + slack


@given(points=st.lists(st.tuples(st.floats(5, 565), st.floats(5, 415)), min_size=1, max_size=25, unique=True))
@quick(50)
def test_names_overlap_neither_each_other_nor_points(points):
    names = [f"run-{i}" for i in range(len(points))]
    boxes = place_labels(names, points, (570, 420), 4.5, 12)
    placed = [(n, box) for n, box in enumerate(boxes) if box is not None]
    assert placed or len(points) > 1
    for n, box in placed:
        assert box.within(570, 420)
        assert not any(box.overlaps(other) for m, other in placed if m != n)
        assert not any(box.overlaps(Box.around(point, 4.5)) for m, point in enumerate(points) if m != n)


def test_a_run_without_room_for_its_name_is_named_in_the_subtitle():
    crowd = {f"a-run-with-a-long-name-{i}": (0.5 + i * 1e-3, 0.5) for i in range(25)}
    figure = charts.trade_off(scores(crowd | {"far": (0.1, 0.9)}))
    labelled = {row["name"] for row in spec_rows(figure, "name")}
    assert "far" in labelled
    assert len(labelled) < 26
    assert "Not named, as there is no room: " in figure.spec["title"]["subtitle"][1]


@pytest.mark.parametrize(
    ("name", "sharp"),
    [
        ("D-nDCG@10", "D#-nDCG@10"),
        ("DIN-Q", "DIN#-Q"),
        ("P+Q@5", "P+Q#@5"),
        ("ntcireval:D-Q@10", "ntcireval:D#-Q@10"),
        ("ERR-IA@10", None),
    ],
)
def test_sharp_names(name, sharp):
    assert sharp_name(name) == sharp


# -- errors -------------------------------------------------------------------------------------------------

EMPTY = A.reordered([])
MANY = dm.RankedList(dm.Topic("7", tuple(dm.Intent(f"i{n}", 1 / 11) for n in range(11))), ["a"], {})
FORTY_ONE = {f"i{n}": 1 for n in range(41)}
ROWS = dm.RankedList(dm.Topic("8", tuple(dm.Intent(i, 1 / 41) for i in FORTY_ONE)), ["a"], {"a": FORTY_ONE})
OTHER = dm.RankedList(dm.Topic("2", (dm.Intent("x", 1.0),)), ["a"], {}, run="C")
GAP = scores(POINTS).assign(score=lambda frame: frame["score"].where(frame["run"] != "diverse"))
HALF = scores(POINTS).query("run != 'both' or metric != 'I-rec@10'")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: charts.contributions("ERR-IA@5", EMPTY), "list A for topic 1 has no documents"),
        (lambda: charts.contributions("ERR-IA@5", ROWS), "topic 8 has 41 rows .* expected at most 40"),
        (lambda: charts.contributions("EER-IA@5", A), r"no metric 'EER-IA' .*did you mean 'ERR-IA'\?"),
        (lambda: charts.ranked_list(EMPTY), "no document to show"),
        (lambda: charts.ranked_list([]), "no document to show"),
        (lambda: charts.ranked_list(MANY), "topic 7 has 11 intents, more than the 10"),
        (lambda: charts.ranked_list([A] * 5), "5 lists do not fit side by side; give at most 4"),
        (lambda: charts.ranked_list([A, OTHER]), "of one topic, but list C is of topic 2, list A of topic 1"),
        (lambda: charts.ranked_list(A, depth=0), "depth is 0, expected a whole number of at least 1"),
        (lambda: charts.trade_off(pd.DataFrame({"run": []})), "no column topic, metric, score; expected"),
        (lambda: charts.trade_off(scores({})), "hold no row"),
        (lambda: charts.trade_off(scores(POINTS), "I-rec@10", "D-nDCG@1"), r"did you mean 'D-nDCG@10'\?"),
        (lambda: charts.trade_off(scores(POINTS), "I-rec@10"), "no metric is named for the y axis"),
        (lambda: charts.trade_off(GAP), "run 'diverse', topic '1': the score of I-rec@10 is nan"),
        (lambda: charts.trade_off(HALF), "run 'both' has no score of I-rec@10"),
        (lambda: charts.trade_off(scores(POINTS), gamma=1.5), "gamma is 1.5, expected a number from 0 to 1"),
        (lambda: charts.trade_off(scores(POINTS), gamma="0.5"), "gamma is '0.5', expected a number"),
        (lambda: charts.trade_off(scores(POINTS), gamma=[]), r"gamma is \[\], expected 1 to 3 different"),
    ],
)
def test_bad_input_raises_one_sentence(make, words):
    with pytest.raises(dm.DivmetricsError, match=words) as error:
        make()
    assert "\n" not in str(error.value)


# -- colours ------------------------------------------------------------------------------------------------


PAGES = {palette.WHITE: palette.INK, FILLS["white"]: FILLS[palette.INK]}  # ground and ink, light and dark


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("ground", PAGES)
def test_tint_contrast_grows_with_the_value(sign, ground):
    away = [palette.contrast(palette.tint(sign * n / 20, 1.0).on(ground), ground) for n in range(21)]
    assert away[0] == 1.0
    assert all(after - before > 0.02 for before, after in pairwise(away))
    assert away[-1] > 2
    # A value of 0.03 beside one of 0.5 is seen.
    assert palette.contrast(palette.tint(sign * 0.03, 0.5).on(ground), ground) > 1.2


@given(st.floats(-1, 1))
@quick(200)
def test_numbers_can_be_read_on_every_tint(value):
    for ground, ink in PAGES.items():
        assert palette.contrast(ink, palette.tint(value, 1.0).on(ground)) >= 4.5


def test_small_print_can_be_read_in_the_dark():
    for ink in (palette.INK, palette.QUIET_INK):
        assert palette.contrast(FILLS[ink], FILLS["white"]) >= 7


@pytest.mark.parametrize("name", FIGURES)
def test_what_is_drawn_in_the_inks_of_a_page_has_a_look_in_the_dark(drawn, name):
    """Whatever is not coloured is one of those that change, or can be seen on both grounds."""
    drawing = drawn[name]._drawn
    for what, looks in (("fill", FILLS), ("stroke", STROKES)):
        matches = set(re.findall(rf'\b{what}="(#[0-9A-Fa-f]{{6}}|[a-z]+)"', drawing)) - {
            "none",
            "transparent",
        }
        marks = {colour for colour, _ in MARKS} if what == "fill" else set()
        for colour in matches - set(looks) - marks:
            for ground in PAGES:
                least = 1.9 if colour in palette.OKABE_ITO.values() else 2.3
                assert palette.contrast(colour, ground) >= least
    style = ElementTree.fromstring(drawn[name].svg).find("{*}style").text
    assert style == dark_mode_css(OF_FIGURE)


def test_small_print_can_be_read_on_white():
    for ink in (palette.INK, palette.QUIET_INK):
        assert palette.contrast(ink, palette.WHITE) >= 7


def test_every_intent_has_a_shape_of_its_own():
    shapes = [shape for _, shape in MARKS]
    colours = [colour for colour, _ in MARKS]
    assert len(set(shapes)) == len(set(colours)) == len(MARKS) == 10
    own = {palette.GREY, palette.WHITE, palette.BROWN}
    assert set(colours) - own == set(palette.OKABE_ITO.values()) - {palette.OKABE_ITO["black"]}
    # In the light a pale one has a dark rim; in the dark none is lost, in figures or in widgets.
    for ground in ("#111111", "#212121"):
        assert all(palette.contrast(colour, ground) >= 3 for colour in colours)
    # Neighbours also differ in grey, so that two marks beside each other never depend on their shape alone.
    assert all(palette.contrast(a, b) >= 1.25 for a, b in pairwise(colours))


def test_contrast_is_that_of_wcag():
    assert palette.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert palette.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


# -- letters ------------------------------------------------------------------------------------------------


@given(st.text(min_size=1, max_size=60), st.integers(20, 200), st.sampled_from(["start", "end"]))
@quick(200)
def test_shortened_texts_fit(text, width, keep):
    short = shorten(text, width, 12, keep)
    assert text_width(short, 12) <= width
    assert short == text or "…" in short


@given(st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=12), max_size=30), st.integers(60, 300))
@quick(100)
def test_wrapped_lines_fit_and_lose_no_word_that_fits(words, width):
    lines = wrap(" ".join(words), width, 12)
    assert all(text_width(line, 12) <= width for line in lines)
    fitting = [word for word in words if text_width(word, 12) <= width]
    assert [word for word in " ".join(lines).split() if "…" not in word] == fitting
