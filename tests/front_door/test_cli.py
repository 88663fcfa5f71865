"""The command line as its users meet it: real processes on small files, and the formats it prints."""

from __future__ import annotations

import csv
import gzip
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics.cli import main
from tests.support.paths import ROOT

QRELS = "1 1 d1 2\n1 2 d2 1\n1 2 d1 0\n2 1 d3 1\n2 2 d4 -2\n"
RUN = "1 Q0 d1 1 3.0 mine\n1 Q0 d2 2 2.0 mine\n2 Q0 d3 1 1.0 mine\n"


@pytest.fixture
def qrels(tmp_path: Path) -> str:
    path = tmp_path / "qrels.txt.gz"
    path.write_bytes(gzip.compress(QRELS.encode()))
    return str(path)


@pytest.fixture
def run(tmp_path: Path) -> str:
    path = tmp_path / "mine.txt"
    path.write_text(RUN)
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_csv_has_full_precision_and_reads_back(capsys, qrels, run):
    # Of these only alpha-DCG, 1 + 1/log2(3) for topic 1, has more than a few digits.
    names = ["ERR-IA@2", "alpha-nDCG(alpha=0.3,ties=descending)@2", "D#-nDCG@2", "alpha-DCG@2"]
    text = printed(capsys, "evaluate", qrels, run, *(x for name in names for x in ("-m", name)))
    rows = list(csv.DictReader(io.StringIO(text)))
    scores = dm.evaluate(qrels, run, names)
    assert [(r["run"], r["topic"], r["metric"]) for r in rows] == list(
        scores[["run", "topic", "metric"]].itertuples(index=False, name=None)
    )
    assert [float(r["score"]) for r in rows] == scores["score"].tolist()


def test_mean_is_the_topic_all(capsys, qrels, run):
    text = printed(capsys, "evaluate", qrels, run, "-m", "ERR-IA@2", "--mean")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[-1]["topic"] == "all"
    assert float(rows[-1]["score"]) == pytest.approx(sum(float(r["score"]) for r in rows[:-1]) / 2)


def test_every_run_has_its_own_mean(capsys, qrels, run, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("1 Q0 d2 1 1.0 other\n2 Q0 x 1 1.0 other\n")
    text = printed(capsys, "evaluate", qrels, run, str(other), "-m", "ERR-IA@2", "--mean")
    rows = list(csv.DictReader(io.StringIO(text)))
    for name in ("mine", "other"):
        *topics, mean = (float(row["score"]) for row in rows if row["run"] == name)
        assert mean == pytest.approx(sum(topics) / 2)


def test_table_and_output_file(capsys, qrels, run, tmp_path):
    text = printed(capsys, "evaluate", qrels, run, "-m", "ERR-IA@2", "--format", "table", "--mean")
    assert text.splitlines()[0].split() == ["run", "topic", "ERR-IA@2"]
    assert len({len(line) for line in text.splitlines()}) == 1
    target = tmp_path / "scores.csv"
    assert printed(capsys, "evaluate", qrels, run, "-m", "ERR-IA@2", "-o", str(target)) == ""
    assert target.read_text().startswith("run,topic,metric,score\nmine,1,ERR-IA@2,")


def test_a_table_has_four_digits_and_ends_with_the_mean(capsys, qrels, run):
    """1 + 1/log2(3) for topic 1, 1 for topic 2, and half of their sum."""
    text = printed(capsys, "evaluate", qrels, run, "-m", "alpha-DCG@2", "--format", "table", "--mean")
    assert [line.split() for line in text.splitlines()[1:]] == [
        ["mine", "1", "1.6309"],
        ["mine", "2", "1.0000"],
        ["mine", "all", "1.3155"],
    ]


def test_options_reach_the_metrics(capsys, qrels, run):
    def score(*options: str) -> float:
        text = printed(capsys, "evaluate", qrels, run, "-m", options[0], *options[1:])
        return float(text.splitlines()[1].rsplit(",", 1)[1])

    assert score("alpha-DCG@2", "--alpha", "1") == score("alpha-DCG(alpha=1)@2")
    assert score("NRBP@2", "--beta", "0.8") == score("NRBP(beta=0.8)@2")
    assert score("D#-nDCG@2", "--gamma", "1") == score("I-rec@2") == 1
    assert score("D-Q@2", "--gain", "exponential") == score("D-Q(gain=exponential)@2")
    assert score("P-IA@2", "--relevance-level", "2") == 0.25
    assert score("ERR-IA@1", "--scale", "4") == pytest.approx(0.5 * 3 / 16)
    # A name that sets a parameter itself keeps it.
    assert score("alpha-DCG(alpha=0)@2", "--alpha", "1") == score("alpha-DCG(alpha=0)@2")


def test_explain_ends_in_the_score(capsys, qrels, run):
    text = printed(capsys, "explain", qrels, run, "--topic", "1", "-m", "ERR-IA@2", "-m", "D#-Q@2")
    assert "ERR-IA@2 of list mine for topic 1 = 0.4375" in text
    assert "rank 1  d1  earns 0.3750" in text
    assert "rank 2  d2  earns 0.0625" in text


def test_explain_reads_files_as_the_convention_does(capsys, tmp_path):
    """ndeval's run goes by rank; the score is that of evaluate."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 1 d1 1\n1 2 d2 1\n1 2 d1 1\n")
    run.write_text("1 Q0 d1 2 9 A\n1 Q0 d2 1 8 A\n")
    options = "--convention", "ndeval", "-m", "ERR-IA@2"
    text = printed(capsys, "explain", str(qrels), str(run), "--topic", "1", *options)
    score = float(printed(capsys, "evaluate", str(qrels), str(run), *options).splitlines()[1].split(",")[3])
    assert text.splitlines()[0].endswith(f"= {score:.4f}")
    assert text == dm.explain_in_words("ERR-IA@2", qrels, run, "1", convention="ndeval") + "\n"


def test_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"divmetrics {dm.__version__}\n"


def test_metrics_prints_every_row_and_one_of_them(capsys):
    from divmetrics.conventions.convention import conventions

    for name, convention in conventions().items():
        table = printed(capsys, "metrics", "--convention", name)
        first_words = {line.split()[0] for line in table.splitlines() if line.strip()}
        assert set(convention.rows) <= first_words
        for row in convention.rows:
            output = printed(capsys, "metrics", row, "--convention", name)
            assert "Source: " in output
            assert "not given" not in output
            assert f"{row}(L) = " in output


def test_metrics_shows_what_a_name_may_set(capsys):
    """Each with its value, its range and a sentence, by the name that sets it."""
    cells = [line.split("  ") for line in printed(capsys, "metrics", "alpha-nDCG(alpha=0.3)").splitlines()]
    rows = [[cell.strip() for cell in line if cell.strip()] for line in cells]
    assert ["parameter", "value", "may be", "what it means"] in rows
    assert ["alpha", "0.3", "[0, 1]", "how much less each further document for an intent adds"] in rows
    assert ["ideal", "greedy", "greedy, exact", "how the ideal list is found"] in rows
    assert ["over", "2^Y", "2^Y, 2^Y-1"] in [
        [cell for cell in map(str.strip, line.split("  ")) if cell][:3]
        for line in printed(capsys, "metrics", "ERR-IA").splitlines()
    ]


def test_conventions_names_every_difference_of_ERR_IA(capsys):
    table = printed(capsys, "conventions")
    lines = table.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("ERR-IA"))
    assert [lines[start + n][:20].split()[-1] for n in range(3)] == ["N", "f", "M"]
    assert "R(g) = g/(h + 1)" in lines[start + 2]


def test_a_module_and_a_pipe_that_closes(qrels, run):
    command = [sys.executable, "-m", "divmetrics", "metrics"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("T(L) = ")
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert first.stdout is not None
    first.stdout.close()
    _, err = first.communicate()
    assert err == ""


def test_no_progress_bar_and_no_pandas_in_a_pipe(qrels, run):
    script = (
        "import sys, divmetrics.cli as cli\n"
        f"assert cli.main(['evaluate', {qrels!r}, {run!r}, '-m', 'ERR-IA@2']) == 0\n"
        "assert 'pandas' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""


NDEVAL = {
    "2009-indri.rank": ("trec-web-2009", "qrels.diversity.gz", "indri.txt.gz", ()),
    "2009-indri.traditional": ("trec-web-2009", "qrels.diversity.gz", "indri.txt.gz", ("--order", "score")),
    **{
        f"2012-{run}.c-traditional": (
            "trec-web-2012",
            "qrels.ndeval.gz",
            f"{run}.txt.gz",
            ("--order", "score", "--mean-over", "judged"),
        )
        for run in ("ql-cata", "ql-catb", "rm-cata", "rm-cata-filtered")
    },
}


@pytest.mark.parametrize("golden", NDEVAL)
def test_ndevals_files_byte_for_byte(golden, capsys, research_files):
    folder, judged, run_file, options = NDEVAL[golden]
    data = research_files / "data" / folder
    text = printed(
        capsys,
        *("evaluate", str(data / judged), str(data / "runs" / run_file)),
        *("--convention", "ndeval", "--format", "ndeval", *options),
    )
    assert text == (research_files / "golden" / "ndeval" / f"{golden}.csv").read_text()


@pytest.mark.parametrize(("options", "divisor"), [((), 2), (("--mean-over", "judged"), 3)])
def test_amean_of_ndeval_divides_by_topics_answered_or_judged(options, divisor, capsys, tmp_path):
    """ndeval divides by the topics of the run, and with its option -c by all topics of the judgments.

    Three topics are judged and the run answers two. For topic 1 each of its two intents has one relevant
    document in the list: strec@5 is 1 and P-IA@5 is (1/5 + 1/5)/2. For topic 2 nothing relevant is listed.
    """
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 1 d1 1\n1 2 d2 1\n2 1 d3 1\n3 1 d4 1\n")
    run.write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n2 Q0 x 1 1 a\n")
    text = printed(
        capsys, "evaluate", str(qrels), str(run), *("--convention", "ndeval", "--format", "ndeval"), *options
    )
    *topics, mean = csv.DictReader(io.StringIO(text))
    assert [(row["topic"], row["strec@5"]) for row in topics] == [("1", "1.000000"), ("2", "0.000000")]
    assert mean["topic"] == "amean"
    assert mean["strec@5"] == f"{1 / divisor:.6f}"
    assert mean["P-IA@5"] == f"{1 / 5 / divisor:.6f}"


def test_ndeval_prints_zeros_for_a_topic_without_judgments(capsys, tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 1 d1 1\n")
    run.write_text("1 Q0 d1 1 1 a\n7 Q0 d1 1 1 a\n")
    text = printed(
        capsys, "evaluate", str(qrels), str(run), *("--convention", "ndeval", "--format", "ndeval")
    )
    rows = {row.pop("topic"): row for row in csv.DictReader(io.StringIO(text))}
    assert list(rows) == ["1", "7", "amean"]
    assert {value for name, value in rows["7"].items() if name != "runid"} == {"0.000000"}


def test_the_table_for_a_paper_of_the_guide(capsys, tmp_path, monkeypatch):
    import scipy  # noqa: F401 - the table has intervals

    written = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    lines = written.replace("\\\n", "").splitlines()
    (line,) = [line for line in lines if line.startswith("divmetrics compare ")]
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    assert printed(capsys, *shlex.split(line)[1:]) == ""
    table = (tmp_path / "table.tex").read_text(encoding="utf-8")
    assert r"\multicolumn{2}{c}{ERR-IA@20}" in table
    assert re.search(r"^plain & 0\.\d{4}", table, re.MULTILINE)
