"""What is given counts once or is refused in one sentence, however oddly a file or an object says it."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics.cli import main
from divmetrics.errors import printable
from divmetrics.io import delimited, file_contents, read_topics, trec

QRELS = "1 1 d1 2\n1 2 d2 1\n"
RUN = "1 Q0 d1 1 3.0 mine\n1 Q0 d2 2 2.0 mine\n"
TOPIC = dm.Topic("1", (dm.Intent("1", 0.5), dm.Intent("2", 0.5)))
JUDGED = {"d1": {"1": 2}, "d2": {"2": 1}}
WEB = """<webtrack><topic number="1" type="faceted"><query>{0}</query><description>{0}</description>
<subtopic number="1" type="inf">{0}</subtopic>
<subtopic number="2" type="nav">b</subtopic></topic></webtrack>"""
IMINE = '[{"id": "1", "title": "t", "type": "broad", "fls": [{"id": 1, "label": "a", "probability": 1}]}]'


def written(tmp_path: Path, content: str | bytes, name: str = "file") -> str:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def refused(*words: str):
    return pytest.raises(dm.DivmetricsError, match=".*".join(map(re.escape, words)))


# ------------------------------------------------------------------------------------------------ objects


def test_a_document_counts_once_however_a_run_is_made():
    with refused("list A, topic 1: document 'd1' stands at rank 1 and again at rank 2"):
        dm.Run.of("A", {"1": ["d1", "d1"]})
    with refused("list A, topic 1: document 'd1' stands at rank 1 and again at rank 3"):
        dm.Run("A", ["x", "d1", "d2", "d1"], {"0": (0, 1), "1": (1, 4)})
    dm.Run("A", ["d1", "d1"], {"1": (0, 1), "2": (1, 2)})  # once in each list


@pytest.mark.parametrize("docs", ["d1", b"d1", {"d1", "d2"}, frozenset({"d1"})])
def test_a_text_or_a_set_is_no_list(docs):
    for make in (
        lambda: dm.RankedList(TOPIC, docs, JUDGED),
        lambda: dm.Run.of("A", {"1": docs}),
        lambda: dm.Collection.of([TOPIC], {"1": JUDGED}, {"A": {"1": docs}}),
    ):
        with refused("list A, topic 1: the documents are", "best first"):
            make()


def test_two_of_one_name():
    with refused("two runs are called 'A'"):
        dm.Collection.of([TOPIC], {"1": JUDGED}).with_runs([dm.Run.of("A", {}), dm.Run.of("A", {})])
    with refused("two topics have the id '1'"):
        dm.Collection.of([TOPIC, TOPIC.uniform()], {"1": JUDGED})
    with refused("two topics have the id '1'"):
        dm.load_collection("examples/harry_potter.qrels", topics=[TOPIC, TOPIC.uniform()])
    with refused("judgments for topic '11'", "did you mean '1'"):
        dm.Collection.of([TOPIC], {"11": JUDGED})


@pytest.mark.parametrize("grade", [2**63, 2**63 + 1, 10**30, -(2**64), "9007199254740993", 2.0**60])
def test_grades_of_a_table_that_no_number_holds(grade):
    import pandas as pd

    table = pd.DataFrame({"topic": ["1"], "intent": ["1"], "doc": ["d"], "grade": [grade]})
    with refused("judgments DataFrame, row 0", "is not an integer", "at most 9007199254740991"):
        dm.evaluate(table, dm.RankedList(TOPIC, ["d"], JUDGED), "ERR-IA@5")


# -------------------------------------------------------------------------------------------------- lines


def test_a_document_beside_the_end_of_a_description(tmp_path):
    path = written(tmp_path, f"<SYSDESC>one\ntwo</SYSDESC>{RUN}1 Q0 d1 3 1.0 mine\n")
    with refused("file:4: document 'd1'", "first at", "file:2"):
        dm.read_run(path)
    path = written(tmp_path, f"<SYSDESC>one</SYSDESC> {RUN}")
    assert dm.read_run(path)["doc"].tolist() == ["d1", "d2"]


@pytest.mark.parametrize(("before", "after"), [(" ", "  "), (" ", "\t "), ("\n", " \n"), (" ", " \v")])
def test_unusual_white_space_is_parsed(before, after):
    columns = delimited.read_fast(
        file_contents.Contents("file", RUN.replace(before, after).encode()), trec.RUN
    )
    assert columns is not None
    assert columns["doc"].tolist() == ["d1", "d2"]


def test_numbers_of_any_length_and_digits_that_are_none(tmp_path):
    intents = ["10", "9", "\u00b2", "9" * 5000, "1" + "0" * 5000]
    path = written(tmp_path, "".join(f"wt12-{'1' * 5000} {intent} d1 1\n" for intent in intents))
    topic = dm.load_collection(path).topics[0]
    assert topic.id == "1" * 5000
    assert [i.id for i in topic.intents] == ["9", "10", "9" * 5000, "1" + "0" * 5000, "\u00b2"]
    with refused("file:1: grade", "is not an integer of 64 bits"):
        dm.read_qrels(written(tmp_path, f"1 1 d1 {'9' * 5000}\n"))
    with refused("file:1: score", "is not a finite number"):
        dm.read_run(written(tmp_path, f"1 Q0 d1 1 {'9' * 5000} mine\n"))


# ---------------------------------------------------------------------------------------------------- XML


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("GB2312", "\u6c49\u5b57"),
        ("GB2312", "\u9555\u9ec3"),  # the first is only in GBK, which is what files of that name hold
        ("GBK", "\u9555"),
        ("Big5", "\u6f22\u5b57"),
        ("EUC-JP", "\u6f22\u5b57"),
        ("Shift_JIS", "\u6f22\u5b57"),
        ("Shift_JIS", "\u2460"),
        ("UTF-7", "\u6f22 +"),
        ("ISO-8859-1", "\u00e9"),
        ("windows-1252", "\u20ac"),
        ("utf8", "\u6f22"),
    ],
)
def test_xml_in_the_encoding_that_it_declares(encoding, text, tmp_path):
    codec = {"GB2312": "gb18030", "Shift_JIS": "cp932"}.get(encoding, encoding)
    xml = f'<?xml version="1.0" encoding="{encoding}"?>\n' + WEB.format(text)
    (topic,) = read_topics(written(tmp_path, xml.encode(codec)))
    assert (topic.title, topic.intents[0].label) == (text, text)


@pytest.mark.parametrize(
    ("encoding", "word"),
    [
        *((n, "which is unknown") for n in ("klingon", "rot13", "hex", "idna", "unicode_escape", "\u00e9")),
        ("utf-16", "is not in the encoding 'utf-16' that it declares"),
        ("ascii", ":2: is not in the encoding 'ascii'"),
        ("EUC-JP", ":2: is not in the encoding 'EUC-JP'"),
    ],
)
def test_xml_in_no_such_encoding(encoding, word, tmp_path):
    xml = f'<?xml version="1.0" encoding="{encoding}"?>\n' + WEB.format("\u20ac")
    with refused("file", word):
        read_topics(written(tmp_path, xml.encode()))


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE webtrack SYSTEM "web.dtd">',
        "<!-- a <!DOCTYPE x> --><!DOCTYPE webtrack PUBLIC '-//x//y' 'web.dtd'>",
        "<!DOCTYPE webtrack SYSTEM 'web.dtd' [ <!-- nothing --> ]>",
        "<!DOCTYPE webtrack [ %outside; ]>",
    ],
)
def test_a_name_that_only_another_file_explains(doctype, tmp_path):
    with refused("file"):
        read_topics(written(tmp_path, doctype + "\n" + WEB.format("caf&eacute;")))
    quoted = WEB.replace('number="1" type="inf"', 'number="&one;" type="inf"').format("a")
    with refused("file"):
        read_topics(written(tmp_path, doctype + "\n" + quoted))
    if "%" not in doctype:
        assert read_topics(written(tmp_path, doctype + "\n" + WEB.format("a &amp; b")))[0].title == "a & b"


def test_what_is_nested_too_deep(tmp_path):
    for tag in ("a", "sls"):
        below = f'<{tag} poss="1">' * 900 + f"</{tag}>" * 900
        deep = f'<r><topic id="1"><fls poss="1">{below}</fls></topic></r>'
        with refused("file:1: has over 100 nested elements"):
            read_topics(written(tmp_path, deep))
    three = '<r><topic id="1"><fls poss="1"><sls poss="1"><sls poss="1"/></sls></fls></topic></r>'
    with refused("second-level subtopic 1 of topic 1, intent 1 has subtopics of its own"):
        read_topics(written(tmp_path, three))
    for deep in ("[" * 100_000, IMINE.replace("}]}]", "," + '"sls": [' * 2000 + "]" * 2000 + "}]}]")):
        with refused("file"):
            read_topics(written(tmp_path, deep))
    child = '"sls": [{"id": 1, "label": "b", "probability": 1, '
    for levels in (300, 900):
        below = child * levels + '"x": 1' + "}]" * levels
        with refused("file"):
            read_topics(written(tmp_path, IMINE.replace('"probability": 1', f'"probability": 1, {below}')))


# --------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ('"label": "a"', '"label": null', "fls number 1 has no label"),
        ('"title": "t"', '"title": null', "has no title"),
        ('"type": "broad"', '"type": 3', "has 3 as type, which is not a text"),
        ('"id": "1"', '"id": null', "has no id"),
        ('"id": 1', '"id": true', "has True as id, which is not a text"),
        ('"label": "a"', r'"label": "\ud800"', "has half a character in label"),
        ('"probability": 1', '"probability": 1' + "0" * 400, "which is not a finite number"),
        ('"probability": 1', '"probability": 1' + "0" * 5000, "4300 digits"),
        ('"probability": 1', '"probability": 1, "probability": 0', "'probability' is given twice"),
    ],
)
def test_json_that_cannot_be_used(before, after, word, tmp_path):
    assert before in IMINE
    with refused("file", word):
        read_topics(written(tmp_path, IMINE.replace(before, after, 1)))


def test_probabilities_whose_sum_is_no_number(tmp_path):
    with refused("sum to inf"):
        dm.Topic("1", (dm.Intent("1", 1e308), dm.Intent("2", 1e308)))
    with refused("file:1: the probabilities of topic 1", "sum to inf"):
        read_topics(written(tmp_path, "1 1 1e308\n1 2 1e308\n"))
    two = '<r><topic id="1"><fls poss="1"><sls poss="1e308"/><sls poss="1e308"/></fls></topic></r>'
    with refused("file:1: the second-level probabilities", "too large"):
        read_topics(written(tmp_path, two), "normalise")
    with refused("file:1: the second-level probabilities", "sum to inf"):
        read_topics(written(tmp_path, two))


def test_a_relevance_that_no_number_holds(tmp_path):
    topics = written(tmp_path, IMINE.replace('"probability": 1', '"probability": 1, "sls": ['
                     '{"id": 1, "label": "b", "probability": 1}]'), "topics.json")  # fmt: skip
    for relevance in ("9" * 30, "9" * 5000):
        judged = f'<r><relevance><doc docid="d" queryid="1" relevance="{relevance}" sls="b"/></relevance></r>'
        with refused("judged:1:", "both ids and an integer relevance"):
            dm.read_qrels(written(tmp_path, judged, "judged"), topics=topics)


# ---------------------------------------------------------------------------------------- paths and sizes


def test_errors_name_the_kind_of_path(tmp_path, monkeypatch):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "gone")
    with refused("link: is a link to", "gone, which does not exist"):
        dm.read_run(link)
    with refused("the path '': is empty"):
        dm.read_run("")
    for name in ("utf-32-le", "utf-32-be"):
        mark = "\ufeff"
        assert len(dm.read_run(written(tmp_path, (mark + RUN).encode(name)))) == 2

    def forbidden(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", forbidden)
    monkeypatch.setattr(Path, "iterdir", forbidden)
    with refused("nowhere: does not exist; expected"):
        dm.read_run(tmp_path / "nowhere")


def test_endless_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(file_contents, "LARGEST", 5_000_000)
    bomb = gzip.compress(bytes(6_000_000).replace(b"\0", b" "), 9)
    with refused("file: holds more than 5,000,000 bytes of text"):
        dm.read_run(written(tmp_path, bomb))
    with refused("file: holds more than 5,000,000 bytes of text"):
        dm.read_run(written(tmp_path, gzip.compress(b" " * 3_000_000, 9) * 2))
    with refused("file: holds more than 5,000,000 bytes of text"):
        dm.read_run(written(tmp_path, RUN * 200_000))
    if Path("/dev/zero").exists():
        with refused("/dev/zero:1: is binary, not text"):
            dm.read_run("/dev/zero")
    many = gzip.compress(b"", 1) * 20_000 + gzip.compress(RUN.encode()) + bytes(100)
    assert len(dm.read_run(written(tmp_path, many))) == 2


# ---------------------------------------------------------------------------------------- what is printed


def test_terminal_control_characters_are_escaped(tmp_path, capsys):
    assert printable("a\x1b[2Jb\r\nc\x9b\u2028\u202e\udce9d\u6f22") == (
        r"a\x1b[2Jb\r\nc\x9b\u2028\u202e\udce9d" "\u6f22"
    )
    with refused(r"a\nb\x1b[2J: does not exist"):
        dm.read_run("a\nb\x1b[2J")
    qrels = written(tmp_path, QRELS, "qrels")
    run = written(tmp_path, RUN.replace("d2", "\x1b[2J").replace("mine", "\x1b]0;x\x07"), "run")
    for arguments in (
        ["evaluate", qrels, run, "-m", "ERR-IA@2", "--format", "table"],
        ["explain", qrels, run, "--topic", "1", "-m", "ERR-IA@2"],
        ["evaluate", qrels, run, "-m", "\x1b[2J"],
        ["evaluate", qrels, run, "--\x1b[2J"],
    ):
        with contextlib.suppress(SystemExit):
            main(arguments)
        out, err = capsys.readouterr()
        assert "\x1b" not in out + err
        assert r"\x1b" in out + err


def test_an_error_is_one_line_whatever_a_name_holds(tmp_path, capsys):
    topics = written(
        tmp_path, '<r><topic id="0"><fls poss="1"/></topic><topic id="1&#10;2"><fls poss="-1"/></topic></r>'
    )
    qrels, run = written(tmp_path, QRELS, "qrels"), written(tmp_path, RUN, "a\nb")
    assert main(["evaluate", qrels, run, "-m", "ERR-IA@2", "--topics", topics]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert r"topic 1\n2 has the probability -1" in err
