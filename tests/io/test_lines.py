"""The fast and the careful way of reading lines agree on whatever a file may hold."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import delimited, load_qrel_columns, load_run_columns, trec
from divmetrics.io.file_contents import Contents
from tests.support.strategies import quick

IDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
TOPICS = IDS.filter(lambda text: not text.startswith(("<", "#")) and not text.lower().startswith("wt"))
ODD_IDS = st.one_of(
    IDS, st.sampled_from(["0x1F", '"quoted', "a,b", "NaN", "null", "\u00a0", "x\u2028y", "#1", "\\"])
)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
ODD_INTEGERS = st.sampled_from(
    [
        "007",
        "+3",
        "-0",
        "1.0",
        "0x10",
        "1_000",
        "",
        "9223372036854775808",
        "-9223372036854775808",
        "\u0663",
        "NA",
    ]
)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
ODD_SCORES = st.sampled_from(
    [
        "1.",
        ".5",
        "+2",
        "1e5",
        "1E-400",
        "1e400",
        "nan",
        "inf",
        "-Infinity",
        "1_0",
        "0,5",
        "1e",
        ".",
        "",
        "0x1p3",
        "2d3",
    ]
)
BLANKS = st.sampled_from([" "] * 12 + ["\t", "  ", " \t", "\v", "\f"])
LINE_ENDS = st.sampled_from(["\n"] * 12 + ["\r\n", "\r", "\n\n", " \n", "\n ", ""])


@st.composite
def run_text(draw: st.DrawFn) -> str:
    """A run file as people might hand it in: odd everywhere, or in one line at most."""
    separator = draw(st.sampled_from([" ", "\t"]))
    mostly, odd_line = draw(st.booleans()), draw(st.integers(0, 11))
    pieces = []
    for line in range(draw(st.integers(1, 6))):
        regular = mostly and line != odd_line
        fields = [
            draw(ODD_IDS),
            "Q0",
            draw(ODD_IDS),
            str(draw(INTEGERS)) if mostly else draw(st.one_of(INTEGERS.map(str), ODD_INTEGERS)),
            repr(draw(SCORES)) if mostly else draw(st.one_of(SCORES.map(repr), ODD_SCORES)),
            "tag" if regular else draw(st.sampled_from(["tag", "tag", "tag", ""])),
        ]
        pieces.append("" if regular else draw(st.sampled_from(["", "", "", " "])))
        for i, field in enumerate(fields):
            pieces += ([separator if mostly else draw(BLANKS)] if i else []) + [field]
        pieces.append("\n" if regular else draw(LINE_ENDS))
    return "".join(pieces)


def outcome(read: Callable[..., Any], contents: Contents) -> Any:
    """What a reader makes of a file, in a form that can be compared."""
    try:
        columns = read(contents, trec.RUN)
    except DivmetricsError as error:
        return str(error)
    return columns and {name: column.tolist() for name, column in columns.items()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*read as such")
@given(run_text())
@quick(1000)
@example("1 Q0  1 2.0 tag\n")
@example("1 Q0 d 0x10 2.0 tag\n")
@example("1 Q0 d\vd 1 2.0 tag\n")
@example("1 Q0 d\fd 1 2.0 tag\n")
@example('1 Q0 "d" 1 2.0 "tag"\n')
@example("1\tQ0\td e\t1\t2.0\ttag\n")
@example("1\tQ0\td  e\t1\t2.0 \t my tag\r\n\r\n2\tQ0\td\t1\t1\ttag\n")
@example("1 Q0 d 1 2.0 my tag\r 1  Q0 e 2 1.0 my  other\ttag")
@example("1;Q0;d e;1;2.0;my tag\n1;Q0;e;2;1.0;my tag\n")
@example("1 Q0 d 1 2.0 tag\r\n\r\n2 Q0 e 1 2.0 tag\r\n")
def test_fast_and_careful_agree(text: str) -> None:
    contents = Contents("file", text.encode())
    fast = outcome(delimited.read_fast, contents)
    if fast is not None:
        assert fast == outcome(delimited.read_carefully, contents)


@given(
    st.lists(st.tuples(TOPICS, IDS, IDS, INTEGERS), min_size=1, max_size=20, unique_by=lambda row: row[:3]),
    st.sampled_from([" ", "\t", "  ", " \t "]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_whatever_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str, str, int]],
    separator: str,
    line_end: str,
    last_line_end: bool,
    mark: bool,
    packed: bool,
) -> None:
    text = line_end.join(separator.join(map(str, row)) for row in rows) + (line_end if last_line_end else "")
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    path = tmp_path_factory.mktemp("files") / "qrels.txt"
    path.write_bytes(gzip.compress(data) if packed else data)
    columns = load_qrel_columns(path)
    assert columns.subtopic is None
    read = zip(
        list(columns.topic),
        list(columns.intent),
        list(columns.doc),
        columns.grade.tolist(),
        strict=True,
    )
    assert list(read) == rows


@pytest.mark.filterwarnings("ignore:.*blanks inside a column")
@pytest.mark.parametrize(
    ("separator", "doc", "tag"),
    [(" ", "d", "tag"), ("\t", "d", "tag"), ("\t", "d ", "tag"), (";", "d ", "my tag"), (" ", "d", "my tag")],
)
def test_regular_files_take_the_fast_way(separator: str, doc: str, tag: str) -> None:
    """Otherwise nothing would fail if the fast way always gave up."""
    text = "".join(
        f"{separator.join(['1', 'Q0', f'{doc}{k}', str(k), str(-k / 3), tag])}\r\n" for k in range(100)
    )
    columns = delimited.read_fast(Contents("file", text.encode()), trec.RUN)
    assert columns is not None
    assert columns["rank"].dtype == np.int64
    assert columns["score"].tolist() == [-k / 3 for k in range(100)]


def test_the_line_is_named_among_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_bytes(b"\n1 Q0 a 1 2 t\r\n\r\n1 Q0 b 2 x t\n")
    with pytest.raises(DivmetricsError, match=r"run\.txt:4: score 'x' is not a finite number; expected"):
        load_run_columns(path)
    path.write_bytes(b"\n1 Q0 a 1 2 t\r\n\r\n1 Q0 a 2 1 t\n")
    with pytest.raises(DivmetricsError, match=r"run\.txt:4: document 'a' .* \(first at .*run\.txt:2\)"):
        load_run_columns(path)


FEW = st.sampled_from("abcdefgh")


@given(
    st.lists(
        st.tuples(st.sampled_from("12"), st.sampled_from("12"), FEW, st.integers(0, 1)),
        min_size=1,
        max_size=80,
    )
)
def test_repeats_are_found_in_the_order_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str, int]]
) -> None:
    path = tmp_path_factory.mktemp("files") / "qrels.txt"
    path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    lines_by_key: dict[tuple[str, str, str], int] = {}
    repeats, contradiction = [], None
    for line, (*key, grade) in enumerate(rows, 1):
        first = lines_by_key.setdefault((key[0], key[1], key[2]), line)
        if first != line:
            repeats.append(line)
            if rows[first - 1][3] != grade and contradiction is None:
                contradiction = (line, first)
    if contradiction:
        with pytest.raises(DivmetricsError, match=r"txt:{}: .* at .*txt:{}; ".format(*contradiction)):
            load_qrel_columns(path)
    elif repeats:
        with pytest.warns(DivmetricsWarning, match=rf"{len(repeats)} judgment.*txt:{repeats[0]}\)"):
            assert len(load_qrel_columns(path).doc) == len(lines_by_key)
    else:
        assert len(load_qrel_columns(path).doc) == len(rows)


@given(st.lists(st.tuples(st.sampled_from("12"), FEW), min_size=1, max_size=60))
def test_the_first_repeated_document_is_named(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("files") / "run.txt"
    path.write_text("".join(f"{topic} Q0 {doc} 1 1.0 t\n" for topic, doc in rows))
    first: dict[tuple[str, str], int] = {}
    for line, row in enumerate(rows, 1):
        if row in first:
            with pytest.raises(
                DivmetricsError, match=rf"txt:{line}: .*'{row[1]}'.* topic {row[0]} .*txt:{first[row]}\)"
            ):
                load_run_columns(path)
            return
        first[row] = line
    assert load_run_columns(path).doc.tolist() == [doc for _, doc in rows]
