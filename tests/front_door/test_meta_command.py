"""`divmetrics meta`: the statistics of divmetrics.research.meta, from files."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from divmetrics import datasets
from divmetrics.cli import main
from divmetrics.research import meta

NAMES = ["S-recall@10", "ERR-IA@10", "D#-nDCG@10", "alpha-nDCG@10"]
LEFT, RIGHT = "udel-D-E-1A", "UM13-D-E-1A"


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    table = datasets.imine_scores()
    runs = table["run"].unique()[:6]
    table = table[table["metric"].isin(NAMES) & table["run"].isin([*runs, LEFT, RIGHT])]
    return table.reset_index(drop=True)


@pytest.fixture
def file(scores: pd.DataFrame, tmp_path: Path) -> str:
    """As `divmetrics evaluate --mean` writes it."""
    means = scores.groupby(["run", "metric"], as_index=False)["score"].mean().assign(topic="all")
    path = tmp_path / "scores.csv"
    pd.concat([scores, means[scores.columns]]).to_csv(path, index=False)
    return str(path)


@pytest.fixture
def preferences(tmp_path: Path) -> Path:
    """Three judges, one column each."""
    path = tmp_path / "people.tsv"
    rows = ["left\tright\ttopic\tjudge1\tjudge2\tjudge3"]
    rows += [f"{LEFT}\t{RIGHT}\t{topic}\t{a}\t{b}\t{c}" for topic, a, b, c in ANSWERS]
    path.write_text("\n".join(rows) + "\n")
    return path


ANSWERS = [("0051", 1, 2, 0), ("0052", -1, -1, 1), ("0053", -2, -1, -1), ("0054", 1, -1, 0)]
MAJORITY = pd.DataFrame(
    {"topic": ["0051", "0052", "0053"], "left": LEFT, "right": RIGHT, "preference": [1, -1, -1]}
)


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> pd.DataFrame:
    assert main(["meta", *map(str, arguments), "--format", "csv"]) == 0
    return pd.read_csv(io.StringIO(capsys.readouterr().out))


def same(printed: pd.DataFrame, computed: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(printed, computed, check_dtype=False, rtol=0, atol=0)


@pytest.mark.parametrize("seed", [0, 3])
def test_power_and_overlap(capsys, scores, file, seed):
    pairs = meta.tukey_hsd(scores, trials=300, seed=seed)
    how = ["--trials", 300, "--seed", seed, "--level", 0.1]
    same(printed(capsys, "power", file, *how), meta.discriminative_power(pairs, 0.1))
    same(printed(capsys, "overlap", file, *how), meta.overlap(pairs, 0.1))


def test_power_by_the_bootstrap(capsys, scores, file):
    pairs = meta.paired_bootstrap(scores, NAMES[:2], trials=200, level=0.01)
    how = ["--test", "bootstrap", "--trials", 200, "--level", 0.01, "-m", NAMES[0], "-m", NAMES[1]]
    same(printed(capsys, "power", file, *how), meta.discriminative_power(pairs, 0.01))


def test_concordance_and_unanimity(capsys, scores, file):
    same(printed(capsys, "concordance", file, "--gold", NAMES[0]), meta.concordance(scores, NAMES[0]))
    same(
        printed(capsys, "concordance", file, "--gold", NAMES[0], "--gold", NAMES[1]),
        meta.concordance(scores, NAMES[:2]),
    )
    same(printed(capsys, "unanimity", file), meta.unanimity(scores))


def test_agreement_with_the_majority_of_people(capsys, scores, file, preferences):
    expected = meta.agreement(scores, MAJORITY)
    same(printed(capsys, "agreement", file, "--preferences", preferences), expected)
    unanimous = meta.agreement(scores, MAJORITY[2:])
    same(printed(capsys, "agreement", file, "--preferences", preferences, "--at-least", 3), unanimous)


@pytest.mark.parametrize("judge", [False, True])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_preferences_one_per_line(capsys, scores, file, tmp_path, judge, separator):
    path = tmp_path / "people.csv"
    table = MAJORITY.assign(judge="j") if judge else MAJORITY
    table.to_csv(path, index=False, sep=separator)
    same(printed(capsys, "agreement", file, "--preferences", path), meta.agreement(scores, MAJORITY))


def test_several_files_are_one_table(capsys, scores, file, tmp_path):
    parts = []
    for number, (_, part) in enumerate(scores.groupby("run", sort=False)):
        parts.append(tmp_path / f"{number}.csv.gz")
        part.to_csv(parts[-1], index=False)
    same(printed(capsys, "unanimity", *parts), meta.unanimity(scores))


def test_standard_input_table_json_and_output_file(capsys, monkeypatch, scores, file, tmp_path):
    expected = meta.unanimity(scores)
    stdin = io.TextIOWrapper(io.BytesIO(Path(file).read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["meta", "unanimity", "-"]) == 0
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == list(expected.columns)
    assert [line.split()[0] for line in lines] == expected["metric"].tolist()
    assert [line.split()[1] for line in lines] == [f"{value:.4f}" for value in expected["unanimity"]]
    target = tmp_path / "out.json"
    assert main(["meta", "unanimity", file, "--format", "json", "-o", str(target)]) == 0
    rows: list[dict[str, Any]] = json.loads(target.read_text())
    assert [row["unanimity"] for row in rows] == pytest.approx(expected["unanimity"].tolist(), abs=1e-14)


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["meta", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    return line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty; expected scores with the heading run,topic,metric,score, as `divmetrics evaluate`"),
        ("run topic ERR-IA@5\nA 1 0.5\n", "scores.csv:1: the heading has no column 'metric'"),
        ("runs,topic,metric,score\nA,1,P,1\n", "no column 'run' (did you mean 'runs'?)"),
        ("run,topic,metric,metric,score\nA,1,P,P,1\n", "names 'metric' twice"),
        ("run,topic,metric,score\n", "has a heading and nothing below it"),
        ("run,topic,metric,score\nA,1,P,x\n", "scores.csv:2: score 'x' is not a finite number"),
        ("run,topic,metric,score\nA,1,P,nan\n", "score 'nan' is not a finite number"),
        ("run,topic,metric,score\nA,1,P\n", "scores.csv:2: has 3 columns"),
        ("run,topic,metric,score\nA,all,P,1\n", "holds means over topics only"),
        ("run,topic,metric,score\nA,1,P,1\nB,1,P,0\n", "'P' is the only one; score at least two"),
        ("run,topic,metric,score\nA,1,P,1\nA,1,P,0\n", "has two scores"),
        ("run,topic,metric,score\nA,1,P,1\nB,1,P,1\nA,2,P,1\n", "1 of 4 scores are missing"),
    ],
)
def test_score_files_that_cannot_be_used(capsys, tmp_path, text, says):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    assert says in refused(capsys, "unanimity", path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("topic,left,preference\n0051,A,1\n", "people.csv:1: the heading has no column 'right'"),
        ("topic,left,right,answer\n0051,A,B,1\n", "the heading names no judge"),
        ("topic,left,right,preference\n0051,A,B,yes\n", "preference 'yes' is not a finite number"),
        ("topic,left,right,preference\n0051,A,A,1\n", "run 'A' is compared with itself"),
        ("topic,left,right,preference\n0051,A,B,0\n", "as many judges prefer one list as the other"),
        (f"topic,left,right,preference\n0051,{LEFT},udel-D-E-1,1\n", "(did you mean 'udel-D-E-1A'?)"),
    ],
)
def test_preferences_that_cannot_be_used(capsys, file, tmp_path, text, says):
    path = tmp_path / "people.csv"
    path.write_text(text)
    assert says in refused(capsys, "agreement", file, "--preferences", path)


def test_other_wrong_inputs(capsys, file, preferences, tmp_path):
    assert "did you mean 'S-recall@10'?" in refused(capsys, "concordance", file, "--gold", "S-recal@10")
    assert "metric 'none' is not in the score table" in refused(capsys, "power", file, "-m", "none")
    assert "level" in refused(capsys, "power", file, "--level", 2, "--trials", 10)
    assert "trials" in refused(capsys, "power", file, "--trials", 0)
    assert "3 judges" not in refused(capsys, "agreement", file, "--preferences", tmp_path / "nowhere")
    line = refused(capsys, "agreement", file, "--preferences", preferences, "--at-least", 4)
    assert "on no pair of lists do 4 judges prefer the same list" in line
    assert "scores.csv" in refused(capsys, "unanimity", file, "-o", file)
    assert "people.tsv" in refused(capsys, "agreement", file, "--preferences", preferences, "-o", preferences)
