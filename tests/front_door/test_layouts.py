"""Layouts of files that people have: read as what they hold, or refused by the name of what they are."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import pickle
import sys
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import divmetrics as dm
from divmetrics.cli import main
from tests.support.doors import OPENS_FILES, Case, Door, through_every_door

# Half of the users stop at a with probability 1/2, the others at b: (1/2 + 1/2 * 1/2) / 2.
RIGHT = 0.375
JUDGED = [("1", "1", "a", 1), ("1", "2", "b", 1)]
LISTED = [("1", "a", 9.0), ("1", "b", 8.0)]
QRELS = "1 1 a 1\n1 2 b 1\n"
RUN = "1 Q0 a 1 9 r\n1 Q0 b 2 8 r\n"
NESTED = {"1": {"a": {"1": 1}, "b": {"2": 1}}}
ROWS = [dict(zip(("qid", "iteration", "docno", "label"), row, strict=True)) for row in JUDGED]
SCORED = [dict(zip(("qid", "docno", "score"), row, strict=True)) for row in LISTED]

OF_IMINE = [dict(zip(("topic", "fls", "doc", "grade"), row, strict=True)) for row in JUDGED]
PROBABLE = [
    dict(zip(("topic", "intent", "probability"), row, strict=True))
    for row in (("1", "1", 0.7), ("1", "2", 0.3))
]


def json_lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def in_archive(kind: str) -> bytes:
    """An archive that holds the judgments."""
    buffer = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("qrels.txt", QRELS)
    elif kind == "xlsx":
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("[Content_Types].xml", "<Types/>")
            archive.writestr("xl/workbook.xml", "<workbook/>")
    else:
        with tarfile.open(fileobj=buffer, mode=f"w{kind}") as archive:
            held = tarfile.TarInfo("qrels.txt")
            held.size = len(QRELS)
            archive.addfile(held, io.BytesIO(QRELS.encode()))
    return buffer.getvalue()


def read_qrels(name: str, text: str | bytes, *facts: str) -> Case:
    return Case(f"judgments: {name}", run=LISTED, text=text, scores={"1": RIGHT}, facts=facts)


def read_run(name: str, text: str | bytes, *facts: str) -> Case:
    return Case(
        f"a run: {name}", rows=JUDGED, run_text=text, scores={"1": RIGHT}, facts=facts, doors=OPENS_FILES
    )


def refused_qrels(name: str, text: str | bytes, *facts: str) -> Case:
    return Case(f"no judgments: {name}", run=LISTED, text=text, facts=("judgments", *facts))


def refused_run(name: str, text: str | bytes, *facts: str) -> Case:
    return Case(f"no run: {name}", rows=JUDGED, run_text=text, facts=("run", *facts), doors=OPENS_FILES)


CASES = [
    Case("grades of pandas", [(*row[:3], 1.0) for row in JUDGED], LISTED, scores={"1": RIGHT}),
    Case("half a grade", [*JUDGED, ("1", "2", "c", 0.5)], LISTED, facts=("0.5", "integer")),
    read_qrels("grades with points", "1 1 a 1.\n1 2 b 1.00\n"),
    read_qrels(
        "blanks in ids", "1\tthe films\ta\t1\n1\tthe books\tb\t1\n", "blanks inside a column", "2 time"
    ),
    read_qrels("grades with exponents, as numpy writes", "1 1 a 1.000e+00\n1 2 b 1e0\n"),
    refused_qrels("a fraction with an exponent", "1 1 a 1\n1 2 b 5e-1\n", ":2: grade '5e-1'", "integer"),
    read_qrels("blanks in one id", "1\tthe films\ta\t1\n1\tbooks\tb\t1\n", "1 time"),
    read_qrels("semicolons", "1;1;a;1\n1;2;b;1\n"),
    read_qrels("commas and quotes", '"1","1","a","1"\n"1","2","b","1"\n'),
    read_qrels("ir_measures' heading", f"query_id iteration doc_id relevance\n{QRELS}"),
    read_qrels("a csv of pandas", pd.DataFrame(ROWS).to_csv()),
    read_qrels("a csv for Excel", pd.DataFrame(ROWS).to_csv(sep=";", index=False)),
    Case(
        "judgments: a heading above what looks like numbers of columns",
        run=[("0", "2", 1)],
        text="topic,intent,doc,grade\n0,1,2,3\n",
        scores=7 / 8,
    ),
    read_qrels("columns in another order", "docno\tlabel\tqid\titeration\nb\t1\t1\t2\na\t1\t1\t1\n"),
    read_qrels("a heading between blanks and tabs", f"topic intent\tdoc\tgrade\n{QRELS}"),
    read_qrels("a heading in capitals", f"Topic Intent Doc Grade\n{QRELS}"),
    read_qrels("UTF-16 of PowerShell", QRELS.replace("\n", "\r\n").encode("utf-16")),
    read_qrels("big-endian UTF-16", b"\xfe\xff" + QRELS.encode("utf-16-be")),
    read_qrels("a mark, CRLF, blank lines, blanks around", "\ufeff" + QRELS.replace("\n", "  \r\n \r\n")),
    read_qrels("a mark twice", "\ufeff\ufeff" + QRELS),
    read_qrels("marks of two files that were joined", "\ufeff" + QRELS.replace("\n1", "\n\ufeff1")),
    read_qrels(
        "Excel's line of the separator", "\ufeffsep=;\r\ntopic;intent;doc;grade\r\n1;1;a;1\r\n1;2;b;1\r\n"
    ),
    read_qrels("JSON", json.dumps(NESTED)),
    read_qrels("JSON in gz", gzip.compress(json.dumps(NESTED, indent=1).encode())),
    read_qrels("JSON with grades 1.0", json.dumps(NESTED).replace(": 1}", ": 1.0}")),
    read_qrels("JSON, a row a line", json_lines(ROWS)),
    read_qrels("JSON, a list of rows", json.dumps(ROWS)),
    *(
        Case(
            f"topics as {name}",
            JUDGED,
            LISTED,
            topics={"1": {"1": 0.7, "2": 0.3}},
            topics_text=text,
            scores={"1": 0.7 * 0.5 + 0.3 * 0.25},
        )
        for name, text in (
            ("JSON", '{"1": {"1": 0.7, "2": 0.3}}'),
            ("JSON, a row a line", json_lines(PROBABLE)),
            ("JSON, a list of rows", json.dumps(PROBABLE)),
            ("a csv of pandas", pd.DataFrame(PROBABLE).to_csv()),
            ("csv", "1,1,0.7\n1,2,0.3\n"),
            ("csv with kinds", '"1","1","0.7","nav"\n"1","2","0.3","inf"\n'),
            ("a table in another order", "probability\tqid\titeration\n0.7\t1\t1\n0.3\t1\t2\n"),
        )
    ),
    Case(
        "judgments as topics",
        JUDGED,
        LISTED,
        topics_text="1\t1\t7\t1\n",
        facts=("nor the probability of an intent", "'1 1 7 1'"),
        doors=OPENS_FILES,
    ),
    *(
        Case(
            f"ad hoc judgments: {name}",
            run=LISTED,
            metric="RR@5",
            text=f"{heading}\n1\tb\t1\n1\ta\t0\n",
            scores=0.5,
            doors=OPENS_FILES,
        )
        for name, heading in (("BEIR", "query-id\tcorpus-id\tscore"), ("a table", "topic\tdoc\tgrade"))
    ),
    refused_qrels("BEIR", "query-id\tcorpus-id\tscore\n1\ta\t1\n", "no judgment names its subtopic"),
    refused_qrels("columns as JSON", pd.DataFrame(ROWS).to_json(), "JSON of a form that is not known"),
    refused_qrels("a fraction in a row", json_lines([*ROWS, {**ROWS[0], "label": 0.5}]), ":3: grade 0.5"),
    read_qrels("IMine's names as JSON", json_lines([{**row, "sls": "1"} for row in OF_IMINE])),
    Case(
        "IMine's names", run=LISTED, objects={"frame": pd.DataFrame(OF_IMINE)}, scores=RIGHT, doors=["frame"]
    ),
    read_run("an exponent", "1 Q0 a 1 9e-3 r\n1 Q0 b 2 8e-3 r\n"),
    read_run("decimal commas", "1 Q0 a 1 9,5 r\n1 Q0 b 2 8,25 r\n", "decimal comma", "2 time"),
    read_run(
        "words after the tag", "1 Q0 a 1 9 my run\n1 Q0 b 2 8 my run\n", "blanks inside a column", "2 time"
    ),
    read_run("a comment behind the tag", "1 Q0 a 1 9 r\n1 Q0 b 2 8 r second\n", "1 time"),
    read_run("no tag", "1 Q0 a 1 9\n1 Q0 b 2 8\n"),
    read_run("a tag for each line", "1 Q0 a 1 9 r1\n1 Q0 b 2 8 r2\n", "2 tags (r1 and r2)", "'run'"),
    read_run("sorted by document", "1 Q0 b 2 8 r\n1 Q0 a 1 9 r\n"),
    read_run("PyTerrier's heading", "qid docid docno rank score query\n1 7 a 0 9.0 q\n1 8 b 1 8.0 q\n"),
    read_run("scores without ranks", "query-id\tdocno\tscore\n1\tb\t8\n1\ta\t9\n".replace("-", "_")),
    Case(
        "a run: ranks without scores",
        JUDGED,
        run_text="topic doc rank\n1 b 2\n1 a 1\n",
        run_objects={"frame": pd.DataFrame({"topic": ["1", "1"], "doc": ["b", "a"], "rank": [2, 1]})},
        scores={"1": RIGHT},
        doors=[*OPENS_FILES, "frame"],
    ),
    read_run("ranks 1.0", RUN.replace(" 1 9", " 1.0 9")),
    read_run("JSON of scores", json.dumps({"1": {"b": 8.0, "a": 9.0}})),
    read_run("JSON of lists", json.dumps({"1": ["a", "b"]})),
    read_run("JSON, a row a line", json_lines(SCORED)),
    read_run("a mark twice", "\ufeff\ufeff" + RUN),
    read_run("Excel's line of the separator", "sep=,\ntopic,doc,score\n1,a,9\n1,b,8\n"),
    read_run("UTF-16", RUN.encode("utf-16")),
    refused_qrels(
        "blanks in ids between blanks", "1 1 the first page 1\n", ":1: has 6 columns", "put a tab between"
    ),
    refused_qrels("a run", RUN, ":1: looks like a run (6 columns)", "swap the arguments"),
    refused_qrels(
        "a fraction in JSON", json.dumps(NESTED).replace(": 1}", ": 0.5}"), "'a'", "0.5", "integer"
    ),
    refused_qrels("JSON without intents", '{"1": {"a": 1}}', "no judgment names its subtopic"),
    refused_qrels("lists of documents", '{"1": ["a", "b"]}', "no judgments", "may be a run"),
    refused_qrels("unknown JSON", '{"message": "Not Found"}', "JSON of a form that is not known"),
    refused_qrels("nested lists", '[["1", "1", "a", 1]]', ":1: ['1', '1', 'a', 1] is not a JSON object"),
    refused_qrels("nothing", "", "is empty"),
    refused_qrels("a zero byte", b"1 1 a\x00 1\n", ":1: is binary", "byte 6"),
    refused_qrels(
        "UTF-16 without a mark", QRELS.encode("utf-16-be"), "UTF-16 text without its byte order mark"
    ),
    refused_qrels(
        "Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS pointer"
    ),
    refused_qrels("git-annex", "../../.git/annex/objects/xx/qrels"[6:] + "\n", "git-annex pointer"),
    refused_qrels(
        "a page",
        "<!DOCTYPE html>\n<html><head><title>\n404: Not Found</title>",
        "is a web page ('404: Not Found')",
        "download the file",
    ),
    refused_qrels("a page in capitals", "\n<HTML><BODY>", "is a web page"),
    refused_qrels("zip", in_archive("zip"), "is compressed with zip"),
    refused_qrels("Excel", in_archive("xlsx"), "is an Excel workbook"),
    refused_qrels("tar", in_archive(""), "is a tar archive"),
    refused_qrels("tar in gz", in_archive(":gz"), "is a tar archive"),
    refused_qrels("bzip2", bz2.compress(QRELS.encode()), "is compressed with bzip2"),
    refused_qrels("pickle", pickle.dumps(NESTED), "is a pickle of Python"),
    refused_qrels("Parquet", b"PAR1\x15\x04", "is a Parquet file", "DataFrame"),
    Case(
        "a run: JSON of scores as text",
        JUDGED,
        run_text='{"1": {"b": "8.0", "a": "9"}}',
        run_objects={"dict": {"1": {"b": "8.0", "a": "9"}}},
        scores={"1": RIGHT},
        doors=[*OPENS_FILES, "dict"],
    ),
    Case(
        "no run: a score that is missing",
        JUDGED,
        run_text='{"1": {"b": 8.0, "a": null}}',
        run_objects={"dict": {"1": {"b": 8.0, "a": None}}},
        facts=("'a'", "score", "not a finite number"),
        doors=[*OPENS_FILES, "dict"],
    ),
    Case(
        "no run: a Series of documents",
        JUDGED,
        run_objects={"dict": {"1": pd.Series(["a", "b"])}},
        facts=("'a'", "(topic, document, score)"),
        doors=["dict"],
    ),
    Case(
        "ad hoc judgments: some ids end like those of nuggets",
        run=[("q_1", "b", 2), ("q_1", "a", 1), ("q2", "a", 1)],
        metric="RR@5",
        text='{"q_1": {"a": 1, "b": 0}, "q2": {"a": 1}}',
        scores={"q_1": 0.5, "q2": 1},
        doors=OPENS_FILES,
    ),
    refused_run("three columns", "1 a 1\n1 b 2\n", ":1: has 3 columns", "topic doc score"),
    refused_run("five other columns", "1 a 1 9 r\n", ":1: has 5 columns"),
    refused_qrels(
        "pandas' numbers of columns", "0,1,2,3\n1,1,a,1\n", ":1: numbers the columns", "header=False"
    ),
    refused_run(
        "pandas' numbers of columns", "0\t1\t2\t3\t4\t5\n1\tQ0\ta\t1\t9\tr\n", ":1: numbers the columns"
    ),
    refused_qrels(
        "pandas' numbers of columns between blanks",
        "0 1 2 3\n" + QRELS,
        ":1: numbers the columns",
        "header=False",
    ),
    read_qrels("bars", QRELS.replace(" ", "|")),
    read_qrels("bars between blanks", QRELS.replace(" ", " | ")),
    read_qrels("a heading between bars", "doc|topic|intent|grade\na|1|1|1\nb|1|2|1\n"),
    read_qrels("levels between bars", "1|1|a|L1\n1|2|b|L1\n"),
    Case(
        "judgments: topic 0, and columns that could be numbers",
        run=[("0", "2", 9.0), ("0", "b", 8.0)],
        text="0 1 2 3\n0 2 b 3\n",
        scores=(7 / 8 + 7 / 16) / 2,
    ),
    Case(
        "judgments: bars and non-breaking spaces in ids",
        [("1", "1", "a|\u00a0", 1), ("1", "2", "b|\u00a0", 1)],
        [("1", "a|\u00a0", 9.0), ("1", "b|\u00a0", 8.0)],
        text="1 1 a|\u00a0 1\n1 2 b|\u00a0 1\n",
        run_text="1 Q0 a|\u00a0 1 9 r\n1 Q0 b|\u00a0 2 8 r\n",
        scores={"1": RIGHT},
        doors=OPENS_FILES,
    ),
    read_qrels(
        "levels between non-breaking spaces",
        "1 1 a L1\n1 2 b L1\n".replace(" ", "\u00a0"),
        "non-breaking spaces between columns (2 time(s))",
    ),
    Case(
        "topics: probabilities between bars",
        JUDGED,
        LISTED,
        topics={"1": {"1": 0.7, "2": 0.3}},
        topics_text="1|1|0.7\n1|2|0.3\n",
        scores={"1": 0.7 / 2 + 0.3 / 4},
    ),
    Case(
        "topics: probabilities between non-breaking spaces",
        JUDGED,
        LISTED,
        topics_text="1 1 0.7 inf\n1 2 0.3 inf\n".replace(" ", "\u00a0"),
        scores={"1": 0.7 / 2 + 0.3 / 4},
        facts=("non-breaking spaces between columns (2 time(s))",),
    ),
    read_run("bars", RUN.replace(" ", "|")),
    read_qrels(
        "non-breaking spaces",
        QRELS.replace(" ", "\u00a0"),
        "non-breaking spaces between columns (2 time(s)) in 2 line(s)",
    ),
    read_qrels("one non-breaking space", QRELS.replace("1 a", "1\u00a0a"), "(1 time(s)) in 2 line(s)"),
    read_run("wide spaces", RUN.replace(" ", "\u3000"), "non-breaking spaces between columns (2 time(s))"),
    read_qrels(
        "a heading between non-breaking spaces",
        ("topic intent doc grade\n" + QRELS).replace(" ", "\u00a0"),
        "(2 time(s)) in 2 line(s)",
    ),
    refused_qrels(
        "too few columns beside a non-breaking space",
        "1 1\u00a0a\n",
        ":1: has 2 columns",
        "1 non-breaking space(s) in them",
    ),
    refused_run("a csv with an index", "0,1,Q0,a,1,9,r\n", ":1: has 7 columns"),
    refused_run(
        "judgments as csv", "1,1,a,1\n1,2,b,1\n", ":1: looks like a judgment file (4 columns)", "swap"
    ),
    refused_run("blanks in ids", "1 Q0 the first page 1 9 r\n", ":1: has 8 columns", "put a tab between"),
    refused_run("judgments", QRELS, ":1: looks like a judgment file (4 columns)", "swap the arguments"),
    refused_run("two runs", RUN + RUN.replace("r\n", "s\n"), ":3: has the tag 's'", "split the file"),
    refused_run(
        "two runs of other documents",
        "1 Q0 a 1 9 r\n1 Q0 b 1 8 s\n",
        ":2: has the tag 's'",
        "one tag on all lines",
    ),
    refused_run("commas of thousands", "1 Q0 a 1 1,234 r\n1 Q0 b 2 9 r\n", ":1: score '1,234'"),
    refused_run(
        "pairs", '{"1": [["a", 9.0]]}', "JSON of a form that is not known", "{query: {document: score}}"
    ),
    refused_run("a document twice in a list", '{"1": ["a", "a"]}', "topic 1, rank 2", "document 'a'"),
]


@through_every_door(CASES)
def test_a_layout(case: Case, door: Door, tmp_path: Path) -> None:
    case.check(door, tmp_path)


@pytest.mark.parametrize("case", [case for case in CASES if case.scores is None], ids=lambda case: case.name)
def test_advice_fits_what_is_there(case: Case, tmp_path: Path) -> None:
    refusal = case.outcome("file", tmp_path).refusal
    assert ("swap the arguments" in refusal) == ("looks like" in refusal)
    assert ("split the file" in refusal) == ("has the tag" in refusal)


def test_blanks_in_ids_are_read_alike_in_judgments_and_runs(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1\t1\tthe first page\t1\n1\t2\tb\t1\n")
    run.write_text("1\tQ0\tthe first page\t1\t9\tmy run\n1\tQ0\tb\t2\t8\tmy run\n")
    with pytest.warns(dm.DivmetricsWarning, match="blanks inside a column"):
        scores = dm.evaluate(qrels, run, "ERR-IA@5")
    assert scores.values.tolist() == [["my run", "1", "ERR-IA@5", RIGHT]]


def test_a_run_without_a_tag_has_the_name_of_its_file(tmp_path: Path) -> None:
    for name, text in (
        ("bm25.txt.gz", "1 Q0 a 1 9\n"),
        ("ql.json", '{"1": ["a"]}'),
        ("rm.csv", "topic,doc,score\n1,a,9"),
    ):
        (tmp_path / name).write_text(text)
    assert [run.name for run in dm.load_runs(sorted(tmp_path.iterdir()))] == ["bm25", "ql", "rm"]


# -------------------------------------------------------------------------------------------- names of runs


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["ql/results.txt", "rm/results.txt"], ["ql/results", "rm/results"]),
        (["ql/results.txt", "rm/results.txt", "rm/other.run"], ["ql/results", "rm/results", "other"]),
        (["a/2012/x/r.txt", "a/2013/x/r.txt"], ["2012/x/r", "2013/x/r"]),
        (["r.txt", "a/r.txt"], ["{here}/r", "a/r"]),
        (["a/r.txt", "a/r.run"], ["r.txt", "r.run"]),
        (["a/r.txt", "a/../b/r.txt.gz"], ["a/r", "b/r"]),
    ],
)
def test_equal_tags_are_replaced_by_the_shortest_ends_of_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: list[str], names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [name.format(here=tmp_path.name) for name in names]
    for n_docs, path in enumerate(paths, 1):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        Path(path).write_text(RUN + "2 Q0 a 1 9 r\n2 Q0 b 2 8 r\n"[: 13 * n_docs])
    with pytest.warns(dm.DivmetricsWarning, match="named after their files"):
        assert [run.name for run in dm.load_runs(paths)] == names
    with pytest.warns(dm.DivmetricsWarning, match="named after their files"):
        scores = dm.evaluate(QRELS_OF_TWO, [Path(path) for path in paths], "ERR-IA@5")
    assert scores["run"].unique().tolist() == names
    from divmetrics.research.report import compare

    with pytest.warns(dm.DivmetricsWarning, match="named after their files"):
        compared = compare(QRELS_OF_TWO, paths, "ERR-IA@5", trials=10)
    assert compared.means["run"].tolist() == names


QRELS_OF_TWO = dict.fromkeys("12", NESTED["1"])


def test_one_file_twice(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text(RUN)
    for paths in ([tmp_path / "r.txt"] * 2, [tmp_path / "r.txt", f"{tmp_path}/./r.txt"]):
        with pytest.raises(dm.DivmetricsError, match=r"r\.txt' was given twice; give each run once"):
            dm.load_runs(paths)


# --------------------------------------------------------------------------------------------- standard input


TOPICS = "1 1 0.5\n1 2 0.5\n"


@pytest.mark.parametrize("dash", ["qrels", "run", "topics"])
def test_a_dash_is_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], dash: str
) -> None:
    contents = {"qrels": QRELS, "run": RUN, "topics": TOPICS}
    paths = {name: "-" if name == dash else str(tmp_path / name) for name in contents}
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    standard_input = SimpleNamespace(buffer=io.BytesIO(gzip.compress(contents[dash].encode())))
    monkeypatch.setattr(sys, "stdin", standard_input)
    assert (
        main(["evaluate", paths["qrels"], paths["run"], "-m", "ERR-IA@5", "--topics", paths["topics"]]) == 0
    )
    assert capsys.readouterr().out.splitlines()[1:] == [f"r,1,ERR-IA@5,{RIGHT}"]


def test_standard_input_is_read_once_for_all_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(RUN.encode())))
    assert main(["which", str(tmp_path / "qrels"), "-", "--reported", "0.375", "-m", "ERR-IA@5"]) == 0
    assert "ERR-IA@5" in capsys.readouterr().out


def test_standard_input_serves_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["evaluate", "-", "-", "-m", "ERR-IA@5"]) == 2
    assert "standard input) was given 2 times; give it once" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["evaluate", "-", "run", "-m", "ERR-IA@5"]) == 2
    assert "-: is empty; expected" in capsys.readouterr().err


def test_topics_of_cast_taken_for_nuggets(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text('{"31_1": {"a": 1}, "31_2": {"b": 1}}')
    with pytest.raises(dm.DivmetricsError, match=r"'31_1'.*FreshStack's qrels_nuggets.*topic '31'.*intent 0"):
        dm.evaluate(tmp_path / "q.json", {"31_1": ["a"], "31_2": ["b"]}, "nDCG@2")
    (tmp_path / "q.txt").write_text("31_1 0 a 1\n31_2 0 b 1\n")  # the way out
    assert dm.evaluate(tmp_path / "q.txt", {"31_1": ["a"], "31_2": ["b"]}, "nDCG@2")["score"].tolist() == [
        1,
        1,
    ]


def test_ad_hoc_metrics_take_judgments_without_intents(tmp_path: Path) -> None:
    nested = {"1": {"a": 1, "b": 0}}
    (tmp_path / "qrels.json").write_text(json.dumps(nested))
    frame = pd.DataFrame([("1", "a", 1), ("1", "b", 0)], columns=["topic", "doc", "grade"])
    for judgments in (tmp_path / "qrels.json", nested, frame):
        assert dm.evaluate(judgments, {"1": ["b", "a"]}, "RR@2")["score"].tolist() == [0.5]
        with pytest.raises(dm.DivmetricsError, match="no judgment names its subtopic"):
            dm.evaluate(judgments, {"1": ["b", "a"]}, ["RR@2", "ERR-IA@2"])


@pytest.mark.parametrize("named", [False, True], ids=["files", "names of files"])
def test_one_warning_counts_the_untidy_files(tmp_path: Path, named: bool) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(9)]
    for path in paths:
        path.write_text("# made today\n" + RUN.replace("r\n", f"r{path.stem} again\n"))
    with pytest.warns(dm.DivmetricsWarning) as caught:
        assert len(dm.load_runs({path.stem: path for path in paths} if named else paths)) == 9
    sentences = sorted(str(warning.message) for warning in caught)
    for sentence, what in zip(
        sentences, ("1 line(s) begin with #", "has blanks inside a column"), strict=True
    ):
        assert sentence.startswith(f"{paths[0]}: {what}")
        assert "8 other file(s)" in sentence
