"""Every bad input: status 2 and one sentence on the command line, the same sentence from Python."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics.cli import main

QRELS = "1 1 d1 2\n1 2 d2 1\n2 1 d3 1\n"
RUN = "1 Q0 d1 1 3.0 mine\n1 Q0 d2 2 2.0 mine\n2 Q0 d3 1 1.0 mine\n"
TOPICS = """<webtrack2012>
<topic number="1" type="faceted"><query>one</query><description>one</description>
<subtopic number="1" type="inf">a</subtopic><subtopic number="2" type="nav">b</subtopic></topic>
<topic number="2" type="faceted"><query>two</query><description>two</description>
<subtopic number="1" type="inf">c</subtopic></topic>
</webtrack2012>
"""
TOPIC_9 = """<topic number="9" type="faceted"><query>nine</query><description>nine</description>
<subtopic number="1" type="inf">d</subtopic></topic>
</webtrack2012>
"""


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    def write(qrels: str | bytes = QRELS, run: str | bytes = RUN) -> tuple[str, str]:
        paths = tmp_path / "judgments", tmp_path / "mine.run"
        for path, text in zip(paths, (qrels, run), strict=True):
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(paths[0]), str(paths[1])

    return write


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that the command line says, with status 2 and nothing on stdout."""
    try:
        status = main(arguments)
    except SystemExit as exit_:
        status = exit_.code
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    lines = [line for line in err.splitlines() if "warning:" not in line]
    assert len(lines) == 1, err
    assert "Traceback" not in err
    return lines[0]


def test_good_files_are_good(files, capsys):
    qrels, run = files()
    assert main(["evaluate", qrels, run, "-m", "ERR-IA@2"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "run,topic,metric,score"
    assert len(out.splitlines()) == 3
    assert err == ""


BAD_CONTENT = {
    "three columns in judgments": ({"qrels": QRELS + "2 1 d9\n"}, ["judgments:4", "3", "4"]),
    "five columns in a run": ({"run": RUN + "2 Q0 d4 2 0.5\n"}, ["mine.run:4", "5", "6"]),
    "a grade that is a word": ({"qrels": QRELS + "2 1 d9 high\n"}, ["judgments:4", "'high'", "integer"]),
    "a grade that is not whole": ({"qrels": QRELS + "2 1 d9 1.5\n"}, ["judgments:4", "'1.5'", "integer"]),
    "a score that is a word": ({"run": RUN + "2 Q0 d4 2 best mine\n"}, ["mine.run:4", "'best'", "number"]),
    "a score that is nan": ({"run": RUN + "2 Q0 d4 2 nan mine\n"}, ["mine.run:4", "nan", "number"]),
    "a score that is inf": ({"run": RUN + "2 Q0 d4 2 inf mine\n"}, ["mine.run:4", "inf", "number"]),
    "a document twice": (
        {"run": RUN + "2 Q0 d3 2 0.5 mine\n"},
        ["mine.run:4", "'d3'", "mine.run:3", "once"],
    ),
    "two grades": ({"qrels": QRELS + "2 1 d3 2\n"}, ["judgments:4", "'d3'", "judgments:3", "one grade"]),
    "judgments as a run": ({"run": QRELS}, ["mine.run:1", "judgment", "4"]),
    "a run as judgments": ({"qrels": RUN}, ["judgments:1", "run", "6"]),
    "an empty file": ({"qrels": ""}, ["judgments", "empty"]),
    "an empty run": ({"run": ""}, ["mine.run", "empty"]),
    "a truncated gz": ({"run": gzip.compress(RUN.encode() * 50)[:-20]}, ["mine.run", "gz"]),
    "a binary file": ({"qrels": bytes(range(256)) * 4}, ["judgments", "text"]),
}


@pytest.mark.parametrize("name", BAD_CONTENT)
def test_bad_content_is_one_sentence(name, files, capsys):
    content, expected = BAD_CONTENT[name]
    qrels, run = files(**content)
    message = refusal(capsys, "evaluate", qrels, run, "-m", "ERR-IA@2")
    for word in expected:
        assert word in message, message
    with pytest.raises(dm.DivmetricsError) as raised:
        dm.evaluate(qrels, run, ["ERR-IA@2"])
    assert message == f"divmetrics: {raised.value}"
    assert message.count("\n") == 0


def test_missing_file_and_directory(files, capsys, tmp_path):
    qrels, run = files()
    message = refusal(capsys, "evaluate", qrels, str(tmp_path / "nowhere"), "-m", "ERR-IA@2")
    assert "nowhere: does not exist; expected a TREC run" in message
    message = refusal(capsys, "evaluate", str(tmp_path), run, "-m", "ERR-IA@2")
    assert f"{tmp_path}: is a directory; expected a file" in message


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ERRRIA@5", "did you mean 'ERR-IA'"),
        ("alfa-nDCG@5", "did you mean 'alpha-nDCG'"),
        ("alpha-nDCG(alfa=0.3)@5", "did you mean 'alpha'"),
        ("alpha-nDCG(alpha=0.3,alpha=0.4)@5", "given twice"),
        ("alpha-nDCG(alpha=3)@5", "[0, 1]"),
        ("ERR-IA@0", "'0'"),
        ("ERR-IA@-1", "'-1'"),
        ("ERR-IA@2.5", "'2.5'"),
        ("P-IA", "P-IA@10"),
        ("ndevil:ERR-IA@5", "did you mean 'ndeval'"),
        ("ERR-IS@5", "second-level"),
    ],
)
def test_bad_metric_names(name, hint, files, capsys):
    qrels, run = files()
    message = refusal(capsys, "evaluate", qrels, run, "-m", name)
    assert hint in message, message
    with pytest.raises(dm.DivmetricsError) as raised:
        dm.evaluate(qrels, run, [name])
    assert message == f"divmetrics: {raised.value}"


def test_bad_probabilities(tmp_path, capsys, files):
    qrels, run = files()
    for values, what in (((0.5, 0.4), "0.9"), ((1.5, -0.5), "-0.5")):
        topics = tmp_path / "hierarchy.xml"
        topics.write_text(
            '<root><topic id="1" content="one">'
            + "".join(f'<fls content="{c}" poss="{p}"/>' for c, p in zip("ab", values, strict=True))
            + "</topic></root>"
        )
        options = ("--topics", str(topics), "--probabilities", "flat")
        message = refusal(capsys, "evaluate", qrels, run, "-m", "ERR-IA@2", *options)
        assert "hierarchy.xml" in message
        assert what in message, message
        assert "expected" in message
    with pytest.raises(dm.DivmetricsError, match=r"sum to 0\.9"):
        dm.Topic("1", (dm.Intent("a", 0.5), dm.Intent("b", 0.4)))
    with pytest.raises(dm.DivmetricsError, match="at least 0"):
        dm.Topic("1", (dm.Intent("a", 1.5), dm.Intent("b", -0.5)))


def test_intent_that_is_not_in_the_topics_file(tmp_path, capsys, files):
    qrels, run = files(qrels=QRELS + "2 7 d4 1\n")
    topics = tmp_path / "topics.xml"
    topics.write_text(TOPICS)
    message = refusal(capsys, "evaluate", qrels, run, "-m", "ERR-IA@2", "--topics", str(topics))
    for word in ("judgments", "topic 2", "'7'", "its intents (1)"):
        assert word in message, message


def test_no_topic_in_common(files, capsys):
    qrels, run = files(run="7 Q0 d1 1 3.0 mine\n")
    message = refusal(capsys, "evaluate", qrels, run, "-m", "ERR-IA@2")
    assert "no topic in common" in message
    assert "'7'" in message


def test_repeated_tags_take_the_files_names(tmp_path, files):
    qrels, run = files()
    other = tmp_path / "theirs.v2.txt.gz"
    other.write_bytes(gzip.compress(RUN.encode()))
    with pytest.warns(dm.DivmetricsWarning, match="'mine' stands in more than one run file"):
        scores = dm.evaluate(qrels, [run, other], ["ERR-IA@2"])
    assert list(scores["run"].unique()) == ["mine", "theirs.v2"]
    with pytest.raises(dm.DivmetricsError, match="was given twice"):
        dm.evaluate(qrels, [run, run], ["ERR-IA@2"])


def test_missing_topics_score_zero_and_are_counted(files):
    qrels, run = files(run=RUN.replace("2 Q0 d3 1 1.0 mine\n", ""))
    with pytest.warns(dm.DivmetricsWarning, match=r"does not answer 1 judged topic"):
        scores = dm.evaluate(qrels, run, ["ERR-IA@2"])
    assert scores["topic"].tolist() == ["1", "2"]
    assert scores["score"].tolist()[1] == 0
    with pytest.warns(dm.DivmetricsWarning):
        both = dm.evaluate(qrels, run, ["ERR-IA@2"], mean_over="both")
    assert both["topic"].tolist() == ["1"]


def test_topics_without_judgments_are_left_out_and_counted(tmp_path, files):
    qrels, run = files(run=RUN + "3 Q0 d9 1 1.0 mine\n")
    with pytest.warns(dm.DivmetricsWarning, match=r"answers 1 topic\(s\) without judgments"):
        scores = dm.evaluate(qrels, run, ["ERR-IA@2"])
    assert scores["topic"].tolist() == ["1", "2"]
    topics = tmp_path / "topics.xml"
    topics.write_text(TOPICS.replace("</webtrack2012>", TOPIC_9))
    qrels, run = files()
    with pytest.warns(dm.DivmetricsWarning, match=r"1 topic\(s\) of the topics file.*\(9\)"):
        dm.evaluate(qrels, run, ["ERR-IA@2"], topics=topics)


def test_documents_never_judged_are_counted(files):
    qrels, run = files(run=RUN + "2 Q0 d8 2 0.5 mine\n2 Q0 d9 3 0.4 mine\n")
    with pytest.warns(dm.DivmetricsWarning, match=r"has 1 document\(s\) in its top 2 that were never judged"):
        dm.evaluate(qrels, run, ["ERR-IA@2"])
    with pytest.warns(dm.DivmetricsWarning, match=r"has 2 document\(s\) that were never judged and count"):
        dm.evaluate(qrels, run, ["ERR-IA"])


def test_ties_are_counted_and_broken_by_document_id_descending(files):
    qrels, run = files(run="1 Q0 d1 1 3.0 mine\n1 Q0 d2 2 3.0 mine\n2 Q0 d3 1 1.0 mine\n")
    with pytest.warns(dm.DivmetricsWarning, match=r"2 document\(s\) with tied scores"):
        by_score = dm.evaluate(qrels, run, ["ERR-IA@1"])
    assert by_score["score"].tolist() == [0.5 * 0.25, 0.25]  # d2, of grade 1, comes first
    by_rank = dm.evaluate(qrels, run, ["ERR-IA@1"], order="rank")
    assert by_rank["score"].tolist() == [0.5 * 0.75, 0.25]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--order", "size"), ["--order", "'size'", "score"]),
        (("--alpha", "much"), ["--alpha", "'much'"]),
        (("--alpha", "2"), ["alpha", "[0, 1]"]),
        (("--scale", "1"), ["grade of 2", "scale"]),
        (("--scale", "0"), ["scale is 0"]),
        (("--relevance-level", "0"), ["relevance level is 0"]),
        (("--convention", "mine"), ["--convention", "'mine'"]),
        (("--probabilities", "uniform"), ["--topics"]),
        (("--format", "ndeval"), ["--convention ndeval"]),
        (("--as-printed",), ["ntcireval"]),
        (("--output", "nowhere/at/all.csv"), ["nowhere/at/all.csv", "written"]),
        (("--nonsense",), ["--nonsense"]),
    ],
)
def test_bad_options(arguments, words, files, capsys):
    qrels, run = files()
    message = refusal(capsys, "evaluate", qrels, run, "-m", "alpha-nDCG@2", *arguments)
    for word in words:
        assert word in message, message


def test_no_metric_and_no_command(files, capsys):
    qrels, run = files()
    assert "-m" in refusal(capsys, "evaluate", qrels, run)
    assert "COMMAND" in refusal(capsys)
    assert "-m" in refusal(capsys, "explain", qrels, run, "--topic", "1")
    message = refusal(capsys, "explain", qrels, run, "--topic", "11", "-m", "ERR-IA@5")
    assert "'11'" in message
    assert "did you mean" in message
    assert "did you mean 'ERR-IA'" in refusal(capsys, "metrics", "ERRRIA")


def test_frames_say_the_same_kind_of_sentence():
    import pandas as pd

    qrels = pd.DataFrame({"topic": ["1"], "intent": ["1"], "doc": ["d1"], "grade": [1]})
    run = pd.DataFrame({"run": ["A"], "topic": ["1"], "doc": ["d1"], "rank": [1], "score": [float("nan")]})
    with pytest.raises(dm.DivmetricsError, match=r"nan"):
        dm.evaluate(qrels, run, ["ERR-IA@2"])
    with pytest.raises(dm.DivmetricsError, match="grade"):
        dm.evaluate(qrels.drop(columns="grade"), run, ["ERR-IA@2"])


def test_option_without_effect_warns(files):
    qrels, run = files()
    for name in ("ERR-IA@2", "alpha-nDCG(alpha=0.1)@2"):
        with pytest.warns(dm.DivmetricsWarning, match=r"alpha=0\.3 has no effect"):
            dm.evaluate(qrels, run, [name], alpha=0.3)


def test_options_of_evaluate_from_python(files):
    qrels, run = files()
    for options, words in (
        ({"order": "size"}, "order is 'size'"),
        ({"mean_over": "none"}, "mean_over is 'none'"),
        ({"scale": 2.5}, "scale is 2.5"),
        ({"convention": "mine"}, "no convention 'mine'"),
        ({"gain": "cubic"}, "gain is 'cubic'"),
    ):
        with pytest.raises(dm.DivmetricsError, match=words):
            dm.evaluate(qrels, run, ["D-nDCG@2"], **options)
    with pytest.raises(dm.DivmetricsError, match="asked for twice"):
        dm.evaluate(qrels, run, ["ERR-IA@2", "ERR-IA@2"])
    with pytest.raises(dm.DivmetricsError, match="no metric"):
        dm.evaluate(qrels, run, [])
    with pytest.raises(dm.DivmetricsError, match="no runs"):
        dm.evaluate(qrels, [], ["ERR-IA@2"])


@pytest.mark.parametrize(
    ("options", "consequence"),
    [
        ({}, "which score 0"),
        ({"mean_over": "both"}, "which are left out"),
        ({"convention": "ndeval"}, "which are left out"),
        ({"convention": "ndeval", "mean_over": "judged"}, "which score 0"),
    ],
)
def test_the_warning_of_unanswered_topics_says_what_becomes_of_them(options, consequence):
    qrels = {"1": {"d": {"a": 1}}, "2": {"d": {"a": 1}}}
    with pytest.warns(dm.DivmetricsWarning, match=rf"does not answer 1 judged topic\(s\), {consequence}"):
        scores = dm.evaluate(qrels, {"1": ["d"]}, "ERR-IA@5", **options)
    assert len(scores) == (2 if consequence == "which score 0" else 1)
