"""TREC judgments and runs: what is read, and one sentence for everything that cannot be."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import load_qrel_columns, load_run_columns, read_qrels, read_run, read_topics
from tests.support.refused_files import refused, written

QRELS = "1 0 d9 -2\n1 1 d1 1\n1 2 d1 2\n2 1 d3 0\n1 1 d4 3"
RUN = "1 Q0 d1 1 9.5 mine\n2 Q0 d3 1 7 mine\n1 Q0 d2 2 9.5 mine\n1 Q0 d9 3 -1e-3 mine\n"


def test_judgments_are_raw_rows(tmp_path: Path) -> None:
    frame = read_qrels(written(tmp_path, QRELS))
    text = pd.Series(["text"]).dtype  # which pandas 2 calls object
    assert frame.dtypes.to_dict() == {"topic": text, "intent": text, "doc": text, "grade": np.int64}
    assert frame.to_numpy().tolist() == [
        ["1", "0", "d9", -2],
        ["1", "1", "d1", 1],
        ["1", "2", "d1", 2],
        ["2", "1", "d3", 0],
        ["1", "1", "d4", 3],
    ]


def test_a_run_is_raw_rows(tmp_path: Path) -> None:
    frame = read_run(written(tmp_path, RUN))
    text = pd.Series(["text"]).dtype
    texts = dict.fromkeys(("run", "topic", "doc"), text)
    assert frame.dtypes.to_dict() == {**texts, "rank": np.int64, "score": np.float64}
    assert frame.to_numpy().tolist() == [
        ["mine", "1", "d1", 1, 9.5],
        ["mine", "2", "d3", 1, 7.0],
        ["mine", "1", "d2", 2, 9.5],
        ["mine", "1", "d9", 3, -0.001],
    ]


@pytest.mark.parametrize(
    "content",
    [
        RUN.replace("\n", "\r\n"),
        RUN.replace("\n", "\r"),
        RUN.replace(" ", "\t"),
        RUN.replace(" ", " \t "),
        RUN.strip(),
        RUN + "\n \n\n",
        b"\xef\xbb\xbf" + RUN.encode(),
        RUN.encode("utf-16"),
        RUN.encode("utf-32"),
        RUN.replace(" ", ";"),
        RUN.replace(" ", ","),
        RUN.replace(" 1 ", " 1.0 ").replace("9.5", "9.50"),
        gzip.compress(RUN.encode(), mtime=0),
        gzip.compress(RUN[:40].encode(), mtime=0) + gzip.compress(RUN[40:].encode(), mtime=0) + b"\0\0",
        b"\xef\xbb\xbf<SYSDESC>two\nlines</SYSDESC>\n" + RUN.encode(),
        RUN.replace("1 Q0", "wt09-1 Q0"),
    ],
)
def test_the_same_run_in_other_clothes(tmp_path: Path, content: str | bytes) -> None:
    plain = read_run(written(tmp_path, RUN, "plain.txt"))
    assert read_run(written(tmp_path, content)).equals(plain)


def test_two_spellings_of_one_topic(tmp_path: Path) -> None:
    path = written(tmp_path, "wt09-101 1 a 1\n101 1 b 1\nwt9-7 1 c 0\nWT12-007 1 d 0\n")
    assert list(load_qrel_columns(path).topic) == ["101", "101", "wt9-7", "7"]
    written(tmp_path, "wt09-101 1 a 1\n101 1 a 2\n")
    assert refused(load_qrel_columns, path).startswith(
        ":2: topic 101, intent 1, document 'a' has grade 2 but grade 1 at "
    )


def test_headed_tables(tmp_path: Path) -> None:
    flat = read_qrels(written(tmp_path, QRELS))
    flat.to_csv(tmp_path / "flat.tsv", sep="\t", index=False)
    assert read_qrels(tmp_path / "flat.tsv").equals(flat)
    rows = "0051\t2\t1\td1\t2\n0051\t2\t2\td1\t2\n"
    two = read_qrels(written(tmp_path, "topic\tintent\tsubtopic\tdoc\tgrade\n" + rows))
    assert list(two.columns) == ["topic", "intent", "subtopic", "doc", "grade"]
    assert two.to_numpy().tolist() == [["0051", "2", "1", "d1", 2], ["0051", "2", "2", "d1", 2]]
    assert read_qrels(written(tmp_path, "topic\tfls\tsls\tdoc\tgrade\n" + rows)).equals(two)
    path = written(tmp_path, "topic\tfls\tsls\tdoc\tgrade\n" + rows + "0051 2 2 d1 one")
    assert refused(load_qrel_columns, path).startswith(
        ":4: grade 'one' is not an integer; expected an integer there, in "
    )
    path = written(tmp_path, "topic\tfls\tsls\tdoc\tgrade\n\n")
    assert refused(load_qrel_columns, path).startswith(": has a heading and nothing below it")


BAD_QRELS = {
    "a column missing": (
        "1 1 d1 1\n1 1 d2\n",
        ":2: has 3 columns ('1 1 d2'); expected TREC diversity judgments (4 columns: ",
    ),
    "a column too many": ("1 1 d1 1\n1 1 d2 1 x\n", ":2: has 5 columns"),
    "a word as grade": (
        "1 1 d1 1\n\n1 1 d2 one\n",
        ":3: grade 'one' is not an integer; expected an integer there",
    ),
    "a fraction as grade": ("1 1 d1 1\n1 1 d2 0.5\n", ":2: grade '0.5' is not an integer"),
    "a hexadecimal grade": ("1 1 d1 0x1\n", ":1: grade '0x1' is not an integer"),
    "a grade of 64 bits": (
        "1 1 d1 9223372036854775808\n",
        ":1: grade '9223372036854775808' is not an integer",
    ),
    "a run": (RUN, ":1: looks like a run (6 columns); expected TREC diversity judgments"),
    "a run below": ("1 1 d1 1\n" + RUN, ":2: has 6 columns"),
    "two grades": (
        "1 1 a 1\n2 1 a 0\n1 2 a 0\n1 1 a 2\n1 1 a 1\n",
        ":4: topic 1, intent 1, document 'a' has grade 2 but grade 1 at ",
    ),
    "nothing": ("", ": is empty; expected"),
    "blank lines": (" \r\n\n", ": is empty; expected"),
    "JSON": ("[\n{}]", ": is JSON of a form that is not known here"),
    "other XML": (
        "<data><topic/></data>",
        ": is XML with the root element <data>, which no judgment file has",
    ),
    "broken XML": ("<data>", ":1: is not well-formed XML (no element found, column 7)"),
    "topics": ('<w><topic number="1"/></w>', ": holds topics, not judgments"),
}


@pytest.mark.parametrize("case", BAD_QRELS)
def test_bad_judgments(tmp_path: Path, case: str) -> None:
    content, message = BAD_QRELS[case]
    assert refused(load_qrel_columns, written(tmp_path, content)).startswith(message)


GOOD_LINE = "1 Q0 d1 1 2.0 t\n"
BAD_RUNS = {
    "a column missing": (
        GOOD_LINE + "1 Q0 d2 2 1.0\n",
        ":2: has 5 columns ('1 Q0 d2 2 1.0'); expected a TREC run (6 ",
    ),
    "a word as rank": ("1 Q0 d1 one 2.0 t\n", ":1: rank 'one' is not an integer"),
    "a fraction as rank": ("1 Q0 d1 1.5 2.0 t\n", ":1: rank '1.5' is not an integer"),
    "a word as score": (
        GOOD_LINE + "1 Q0 d2 2 abc t\n",
        ":2: score 'abc' is not a finite number; expected a finite",
    ),
    "nan": (GOOD_LINE + "1 Q0 d2 2 nan t\n", ":2: score 'nan' is not a finite number"),
    "inf": (GOOD_LINE + "1 Q0 d2 2 -inf t\n", ":2: score '-inf' is not a finite number"),
    "a score too large": ("1 Q0 d1 1 1e999 t\n", ":1: score '1e999' is not a finite number"),
    "a comma among points": (GOOD_LINE + "1 Q0 d2 2 0,5 t\n", ":2: score '0,5' is not a finite number"),
    "a comma of thousands": ("1 Q0 a 1 1,234 t\n1 Q0 b 2 9 t\n", ":1: score '1,234' is not a finite number"),
    "judgments": (QRELS, ":1: looks like a judgment file (4 columns); expected a TREC run"),
    "a document twice": (
        "1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\n1 Q0 b 4 0 t\n",
        ":4: document 'a' stands in the list of topic 1",
    ),
    "two tags": (GOOD_LINE + "1 Q0 b 1 3 u\n", ":2: has the tag 'u' but the lines before have 't'"),
    "nothing": ("", ": is empty; expected a TREC run"),
    "a heading": ("<SYSDESC>only this</SYSDESC>\n", ": has a heading and nothing below it"),
    "XML": ("<data/>", ": is XML; expected a TREC run"),
}


@pytest.mark.parametrize("case", BAD_RUNS)
def test_bad_runs(tmp_path: Path, case: str) -> None:
    content, message = BAD_RUNS[case]
    assert refused(load_run_columns, written(tmp_path, content)).startswith(message)


def test_swapped_files_say_so(tmp_path: Path) -> None:
    assert "swap the arguments" in refused(load_run_columns, written(tmp_path, QRELS))
    assert "swap the arguments" in refused(load_qrel_columns, written(tmp_path, RUN))


PACKED = gzip.compress(QRELS.encode() * 500)
BAD_BYTES = {
    "a zero byte": (b"1 1 d1 1\n1 1 d\x00 1\n", ":2: is binary, not text (byte 15 of the file is zero)"),
    "half of UTF-16": (QRELS.encode("utf-16")[:-1], ": is damaged UTF-16 text"),
    "UTF-16 without a mark": (
        QRELS.encode("utf-16-le"),
        ":1: seems to be UTF-16 text without its byte order mark",
    ),
    "half a gz": (PACKED[:-20], ": is a truncated gz file (it breaks off after line "),
    "the head of a gz": (PACKED[:12], ": is a truncated gz file (it breaks off after line 0)"),
    "a wrong checksum": (PACKED[:-8] + b"12345678", ": is a damaged gz file ("),
    "a gz and more": (PACKED + b"tail", ": has 4 byte(s) that are not gz after its gz data"),
    "a gz, zeros and a line end": (PACKED + b"\0\0\n", ": has 1 byte(s) that are not gz after its gz data"),
    "a gz and half another": (PACKED + PACKED[:12], ": is a truncated gz file ("),
    "nothing in a gz": (gzip.compress(b"", mtime=0), ": is empty"),
    "bzip2": (bz2.compress(QRELS.encode()), ": is compressed with bzip2"),
    "zip": (b"PK\x03\x04 and so on", ": is compressed with zip"),
}


@pytest.mark.parametrize("case", BAD_BYTES)
@pytest.mark.parametrize("read", [load_qrel_columns, load_run_columns, read_topics])
def test_files_that_cannot_be_opened(tmp_path: Path, case: str, read: Callable[..., object]) -> None:
    content, message = BAD_BYTES[case]
    assert refused(read, written(tmp_path, content)).startswith(message)


def test_other_encodings_are_named_with_line_and_byte(tmp_path: Path) -> None:
    path = written(tmp_path, b"1 1 d1 1\n1 1 caf\xe9 1\n")
    message = ":2: doc 'caf\ufffd' is not UTF-8 (byte 8 of the line is 0xe9); expected UTF-8 text; "
    assert refused(load_qrel_columns, path).startswith(message)
    path = written(tmp_path, bytes(range(128, 256)))
    assert refused(load_run_columns, path).startswith(
        ":1: the line is not UTF-8 (byte 1 of the line is 0x80); expected UTF-8"
    )
    path = written(tmp_path, "1 1 \u00e9t\u00e9 1\n".encode() + b"1 \xc3\xa9\xff d1 1\n")
    assert refused(load_qrel_columns, path).startswith(
        ":2: intent '\u00e9\ufffd' is not UTF-8 (byte 5 of the line is 0xff)"
    )


@pytest.mark.parametrize("read", [load_qrel_columns, load_run_columns, read_topics])
def test_paths_that_lead_nowhere(tmp_path: Path, read: Callable[..., object]) -> None:
    assert refused(read, tmp_path).startswith(": is a directory; expected a file, ")
    assert refused(read, tmp_path / "no" / "file").startswith(": does not exist; expected ")
    written(tmp_path, QRELS, "qrels.txt")
    assert refused(read, tmp_path / "qerls.txt").startswith(
        ": does not exist (did you mean 'qrels.txt'?); expected "
    )
    assert refused(read, "\0").startswith(": cannot be read (")
    with pytest.raises(DivmetricsError, match=r"list object: is not a path|topics: holds 'a'"):
        read(["a"])


def test_repeats_are_counted_once_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 a 1\n1 1 b 0\n1 1 a 1\n1 2 a 1\n1 1 b 0\n1 1 a 1\n")
    message = r"file.txt: 3 judgment\(s\) repeat an earlier one word for word \(the first at .*file\.txt:3\)"
    with pytest.warns(DivmetricsWarning, match=message) as caught:
        frame = read_qrels(path)
    assert len(caught) == 1
    assert frame.to_numpy().tolist() == [["1", "1", "a", 1], ["1", "1", "b", 0], ["1", "2", "a", 1]]


def test_long_values_are_cut(tmp_path: Path) -> None:
    assert len(refused(load_qrel_columns, written(tmp_path, f"1 1 d {'9' * 5000}x"))) < 300
