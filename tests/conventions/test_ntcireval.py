"""The convention `ntcireval`, from NTCIREVAL's files to the numbers that it printed.

Every value for which we have a name is compared twice: as printed (`as_printed` rounds on the way where the
program rounds), where it must be equal to the last digit, and plainly, where it must be within 0.0005. The
sample has no grade above 1, so that its linear and its exponential gains are the same numbers; grades of 2
are in the toy collection and in IMine's, with linear gains.
"""

from __future__ import annotations

import csv
import io
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics import cli
from divmetrics.conventions.convention import convention
from divmetrics.conventions.printed_digits import as_printed
from divmetrics.io.run_loading import load_runs

PLAIN = 5e-4  # four digits, some of them sums of four-digit values
PLAIN_IMINE = 2e-4
GAINS = {"v190111": "linear", "v230128": "exponential"}

# ----------------------------------------------------------------------------- the sample of NTCIREVAL

# The program cuts lists at 10 first: its names without a cutoff see ten documents too, and divide by R.
STOPPING = {
    f"{n}{name}{cut}": f"{n}{name}@10"
    for name in ("ERR", "EBR", "RBP", "iRBU")
    for n in ("", "n")
    for cut in ("", "@10")
}
ONE_INTENT = {
    **STOPPING,
    "MSnDCG@10": "nDCG@10",
    "Q@10": "Q@10",
    "Q-measure": "Q(of=R)@10",
    "P-plus": "P+@10",
    "AP@10": "AP@10",
    "AP": "AP(of=R)@10",
    "P@10": "Prec@10",
    "Prec@10": "Prec@10",
    "RR": "RR@10",
    "O-measure": "O@10",
    "NCUrb,P": "NCUrb-P@10",
    "NCUrb,BR": "NCUrb-BR@10",
    "Hit@10": "1-call@10",
}
SUMS = {
    **{f"IA-{name}@10": f"{name}-IA@10" for name in ("ERR", "nERR", "Q", "iRBU")},
    "IA-MSnDCG@10": "nDCG-IA@10",
    "PplusQ@10": "P+Q@10",
}


def merged(prefix: str) -> dict[str, str]:
    """What is printed for the global gain of D or DIN; {n} is the number of intents that count."""
    return {
        **{theirs: f"{prefix}-{ours}" for theirs, ours in STOPPING.items()},
        "MSnDCG@10": f"{prefix}-nDCG@10",
        "Q@10": f"{prefix}-Q@10",
        "Q-measure": f"{prefix}-Q(of=R)@10",
        "AP@10": f"{prefix}-Q(beta=0)@10",
        "AP": f"{prefix}-Q(beta=0,of=R)@10",
        "RR": "RR@10",
        "I-rec@10": "I-rec@10",
        "I-rec@n": "I-rec@{n}",
        f"{prefix}#-MSnDCG@10": f"{prefix}#-nDCG@10",
        **{f"{prefix}#-{name}@10": f"{prefix}#-{name}@10" for name in ("Q", "nDCG", "RBP", "EBR", "RBU")},
    }


NAMES = {
    "Dnev": merged("D") | {"P@10": "Prec@10", "Prec@10": "Prec@10"},
    "DINnev": merged("DIN"),
    "nevIA": SUMS,
    "nevPQ": SUMS,
}

NO_NAME = {
    "P-measure": "the blended ratio at the preferred rank: no row (P-plus, the mean down to it, is P+)",
    "NCUrb,(P|BR)@10": "divided by min(l, R), not by the sum of the stopping probabilities: no row",
    "NCUrb,IE(@10)?": "a utility that the papers here do not define: no row",
    "nDCG@10": "Jarvelin and Kekalainen's, without a discount at the first ranks: ours is MSnDCG",
}
NO_P_PLUS = {"P-plus": "P+ goes by the grades of one intent, which say what is preferred: there is no D-P+"}
NO_MERGED = {
    "O-measure": "O reads the grades of one intent: there is no D-O",
    "NCUrb,(P|BR)": "NCUrb reads the grades of one intent: there is no D-NCUrb",
    "Hit@10": "1-call reads the grades of one intent",
}
NO_NAME_IN = {
    "Dnev": NO_P_PLUS | NO_MERGED,
    "DINnev": NO_P_PLUS
    | NO_MERGED
    | {"P(rec)?@10": "no repeated navigational document is relevant there: Ef-P, of the convention paper"},
}

# Lines of the golden files that have a name of ours: lines per topic times 3, per counted intent times 8.
COMPARED = {
    "v190111": {"Dnev": 18 * 3, "DINnev": 17 * 3, "nevIA": 19 * 8 + 3 * 3, "nevPQ": 19 * 8 + 3},
    "v230128": {"Dnev": 26 * 3, "DINnev": 25 * 3, "nevIA": 24 * 8 + 3 * 3, "nevPQ": 24 * 8 + 3},
}


@pytest.fixture(scope="module")
def sample(research_files: Path) -> dm.Collection:
    folder = research_files / "data" / "ntcireval-sample"
    collection = dm.load_collection(folder / "sample.Dqrels", folder / "sample.DINprob")
    return collection.with_runs(load_runs(folder / "TRECRUN.txt", convention("ntcireval").order))


@pytest.fixture(scope="module")
def lists(sample: dm.Collection) -> dict[tuple[str, str], dm.RankedList]:
    """{(topic, intent or ""): the list}; for an intent, judged for that intent alone."""
    lists_by_topic = {}
    for topic in sample.topics:
        whole = lists_by_topic[topic.id, ""] = sample.list("TRECRUN", topic.id)
        for intent in topic.intents:
            alone = replace(topic, intents=(replace(intent, probability=1.0),))
            grades = {doc: whole.judgments.labels(doc) for doc in whole.judgments.docs}
            judged = {doc: {intent.id: labels.get(intent.id, 0)} for doc, labels in grades.items()}
            lists_by_topic[topic.id, intent.id] = dm.RankedList(alone, whole.docs, judged)
    return lists_by_topic


def printed(path: Path) -> Iterator[tuple[str, str, str, float]]:
    """topic, intent or "", name, value; an intent's lines have it second, then perhaps its kind."""
    for line in path.read_text().splitlines():
        words = line.split()
        if words[-2].endswith("="):
            intent = words[1] if words[1].isdigit() else ""
            yield words[0], intent, words[-2].removesuffix("=").replace("@0010", "@10"), float(words[-1])


def our_name(file: str, intent: str, name: str) -> str | None:
    """Our name for theirs, None for one of those that are known to have none."""
    ours = (ONE_INTENT if intent else NAMES[file]).get(name)
    nameless = NO_NAME if intent else NO_NAME | NO_NAME_IN.get(file, {})
    assert (ours is None) == any(re.fullmatch(pattern, name) for pattern in nameless), (file, name)
    return ours


@pytest.mark.parametrize("version", COMPARED)
@pytest.mark.parametrize("file", NAMES)
def test_every_value_of_the_sample(research_files, sample, lists, version, file):
    path = research_files / "golden" / "ntcireval" / version / f"TRECRUN.l10.{file}"
    compared = 0
    for topic, intent, name, value in printed(path):
        ours = our_name(file, intent, name)
        if ours is None:
            continue
        counted = int(sample.pools[topic].grades.any(axis=1).sum())
        metric = dm.metric(f"ntcireval:{ours}".format(n=counted))
        if "gain" in metric.parameters():
            metric = metric.with_parameters(gain=GAINS[version])
        ranked = lists[topic, intent]
        assert as_printed(metric).score(ranked) == value, (topic, intent, name, ours)
        assert metric.score(ranked) == pytest.approx(value, abs=PLAIN), (topic, intent, name, ours)
        compared += 1
    assert compared == COMPARED[version][file]


COMMAND_LINE = {  # ours: file and name of theirs
    "v190111": {
        "D#-nDCG": ("Dnev", "D#-nDCG"),
        "DIN#-nDCG": ("DINnev", "DIN#-nDCG"),
        "P+Q": ("nevPQ", "PplusQ"),
        "ERR-IA": ("nevIA", "IA-ERR"),
    },
    "v230128": {
        "D#-nDCG": ("Dnev", "D#-MSnDCG"),
        "DIN#-nDCG": ("DINnev", "DIN#-MSnDCG"),
        "P+Q": ("nevPQ", "PplusQ"),
        "Q-IA": ("nevIA", "IA-Q"),
    },
}


@pytest.mark.parametrize("version", COMMAND_LINE)
def test_scores_from_files_equal_those_of_the_tool(research_files, version):
    """The command line on the program's own files, with the gains of either version."""
    folder = research_files / "data" / "ntcireval-sample"
    metrics = COMMAND_LINE[version]
    command = [
        sys.executable,
        "-m",
        "divmetrics",
        "evaluate",
        folder / "sample.Dqrels",
        folder / "TRECRUN.txt",
    ]
    command += ["--topics", folder / "sample.DINprob", "--convention", "ntcireval", "--as-printed"]
    command += ["--gain", GAINS[version], *(word for name in metrics for word in ("-m", f"{name}@10"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    scores = {
        (row["topic"], row["metric"].removesuffix("@10")): float(row["score"])
        for row in csv.DictReader(io.StringIO(done.stdout))
    }
    golden = research_files / "golden" / "ntcireval" / version
    expected = {
        (topic, name): value
        for name, (file, theirs) in metrics.items()
        for topic, _, label, value in printed(golden / f"TRECRUN.l10.{file}")
        if label == f"{theirs}@10"
    }
    assert len(expected) == 3 * len(metrics)
    assert scores == expected


# ----------------------------------------------------------------------------------- the toy collection

TOY_GRADES = (
    "101 1 d1 2|101 1 d2 1|101 2 d2 1|101 3 d3 3|101 2 d4 1|101 1 d5 0|101 4 d5 0|"
    "102 1 e1 1|102 2 e1 1|102 2 e2 1"
)
TOY_PROBABILITIES = "101;1;0.25;inf|101;2;0.25;nav|101;3;0.25;inf|101;4;0.25;nav|102;1;0.7;inf|102;2;0.3;nav"
TOY_LISTS = {"101": "d2 d9 d1 d5 d3 d4", "102": "e2 e1"}
TOY_NDEVAL = {
    "ERR-IA@10": (0.58917, 0.631254),
    "nERR-IA@10": (0.877612, 0.777778),
    "alpha-DCG@10": (0.609685, 0.632348),
    "alpha-nDCG@5": (0.851623, 0.840606),
    "alpha-nDCG@10": (0.909145, 0.840606),
    "NRBP": (0.550781, 0.65625),
    "nNRBP": (0.819767, 0.777778),
    "MAP-IA": (0.566667, 0.75),
    "P-IA@10": (0.166667, 0.15),
    "strec@10": (1, 1),
}
TOY_NTCIREVAL = {
    "D-Q@10": (0.7293, 0.825),
    "D-nDCG@10": (0.7935, 0.7828),
    "D-RBP@10": (0.117, 0.0625),
    "D-ERR@10": (0.4044, 0.3625),
    "D-EBR@10": (0.5534, 0.5225),
    "I-rec@10": (1, 1),
    "D#-Q@10": (0.8646, 0.9125),
    "D#-nDCG@10": (0.8967, 0.8914),
    "DIN-nDCG@10": (0.7309, 0.6236),
    "DIN#-nDCG@10": (0.8655, 0.8118),
    "ERR-IA@10": (0.2933, 0.3625),
    "nERR-IA@10": (0.4333, 0.65),
    "nDCG-IA@10": (0.4947, 0.7416),
    "P+Q@10": (0.5625, 0.7667),
}


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A folder with the toy collection in TREC's and in NTCIREVAL's formats."""
    grades = TOY_GRADES.replace("|", "\n")
    (tmp_path / "toy.qrels").write_text(grades)
    (tmp_path / "toy.Dqrels").write_text(re.sub(r" (\d)$", r" L\1", grades, flags=re.MULTILINE))
    (tmp_path / "toy.DINprob").write_text(TOY_PROBABILITIES.replace("|", "\n"))
    rows = [
        f"{topic} Q0 {doc} {rank} {-rank} toy\n"
        for topic, docs in TOY_LISTS.items()
        for rank, doc in enumerate(docs.split(), 1)
    ]
    (tmp_path / "toy.run").write_text("".join(rows))
    return tmp_path


def from_command_line(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> dict[str, tuple[float, float]]:
    """{metric: (score of topic 101, of topic 102)}."""
    assert cli.main(["evaluate", *map(str, arguments)]) == 0
    scores: dict[str, tuple[float, ...]] = {}
    for row in csv.DictReader(io.StringIO(capsys.readouterr().out)):
        scores[row["metric"]] = (*scores.get(row["metric"], ()), float(row["score"]))
    return scores


def test_toy_in_ntcireval(toy, capsys):
    files = [
        toy / "toy.Dqrels",
        toy / "toy.run",
        "--topics",
        toy / "toy.DINprob",
        "--convention",
        "ntcireval",
    ]
    options = [word for name in TOY_NTCIREVAL for word in ("-m", name)]
    assert from_command_line(capsys, *files, *options, "--as-printed") == TOY_NTCIREVAL
    plain = from_command_line(capsys, *files, *options)
    assert plain != TOY_NTCIREVAL
    assert {name: pytest.approx(values, abs=PLAIN) for name, values in TOY_NTCIREVAL.items()} == plain


@pytest.mark.parametrize("qrels", ["toy.qrels", "toy.Dqrels"])
def test_toy_in_ndeval(toy, capsys, qrels):
    """The same grades in either format; ndeval knows no topics file."""
    options = [word for name in TOY_NDEVAL for word in ("-m", name)]
    scores = from_command_line(capsys, toy / qrels, toy / "toy.run", "--convention", "ndeval", *options)
    assert scores == {name: pytest.approx(values, abs=5.1e-7) for name, values in TOY_NDEVAL.items()}


# -------------------------------------------------------------------------- IMine's official evaluation


def table(path: Path, separator: str = "\t") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=separator, quoting=csv.QUOTE_NONE))


# Said of the runs: topics not answered or not judged, documents never judged (only the positives are there).
@pytest.mark.filterwarnings("ignore:run '.*:divmetrics.errors.DivmetricsWarning")
@pytest.mark.parametrize("level", ["coarse", "fine"])
@pytest.mark.parametrize(("language", "topics", "runs"), [("en", 33, 15), ("cn", 32, 10)])
def test_official_imine_scores(research_files, tmp_path, language, topics, runs, level):
    """I-rec, D-nDCG and D#-nDCG of every run and topic, out of a .Dqrels and an .Iprob.

    The official probabilities sum to 1 on both levels: there is no warning that they do not. It is the
    hierarchy in topics.json, not the one evaluated with, that lacks a subtopic in topics 0068 and 0077.
    """
    folder = research_files / "data" / "imine"
    judged = [row for row in table(folder / f"official/positives.{language}.tsv") if row["level"] == level]
    intents = [row for row in table(folder / f"official/intents.{language}.tsv") if row["level"] == level]
    official = [
        row for row in table(folder / f"official/scores.{language}.csv", ",") if row["level"] == level
    ]
    (cutoff,) = {row["cutoff"] for row in official}
    columns = ("I-rec", "D-nDCG", "D#-nDCG")
    qrels, probabilities = tmp_path / "imine.Dqrels", tmp_path / "imine.Iprob"
    qrels.write_text("".join("{topic} {intent} {doc} L{grade}\n".format_map(row) for row in judged))
    probabilities.write_text("".join("{topic} {intent} {probability}\n".format_map(row) for row in intents))
    lists = sorted((folder / "runs" / language).glob("*.gz"))
    names = [f"{name}@{cutoff}" for name in columns]
    assert len(official) == topics * runs
    for rounded in (True, False):
        frame = dm.evaluate(qrels, lists, names, probabilities, "ntcireval", as_printed=rounded)
        scores = {tuple(key): score for *key, score in frame.itertuples(index=False, name=None)}
        assert len(scores) == topics * runs * len(columns)
        for row in official:
            for column in columns:
                value = float(row[column])
                expected = value if rounded else pytest.approx(value, abs=PLAIN_IMINE)
                assert scores[row["run"], row["topic"], f"{column}@{cutoff}"] == expected, row


@pytest.mark.parametrize(
    ("probabilities", "grades", "expected"),
    [
        ((0.2587919, 0.6064416, 0.1347665), ((15, 3, 7), (15, 1, 15), (15, 3, 7), (3, 7, 0)), 0.9988),
        ((0.2861167, 0.3009678, 0.4129155), ((15, 1, 7), (3, 7, 7), (1, 1, 15), (3, 7, 0)), 0.9917),
    ],
)
def test_global_gains_are_rounded_as_text(probabilities, grades, expected):
    """Terms and ideal gains with six significant digits, gains of the list with four decimals.

    Plain arithmetic, and five digits, give another last digit in both cases.
    """
    intents = tuple(dm.Intent(f"{i}", p) for i, p in enumerate(probabilities))
    judged = {f"d{n}": {f"{i}": g for i, g in enumerate(row)} for n, row in enumerate(grades)}
    ranked = dm.RankedList(dm.Topic("1", intents), ["d0", "d1", "d2"], judged)

    def text(x: float, digits: str) -> float:
        return float(digits % x)

    merged = [
        text(sum(text(p * g, "%.6g") for p, g in zip(probabilities, row, strict=True)), "%.6g")
        for row in grades
    ]
    listed = sum(text(gain, "%.4f") / math.log2(k + 2) for k, gain in enumerate(merged[:3]))
    ideal = sum(gain / math.log2(k + 2) for k, gain in enumerate(sorted(merged, reverse=True)[:3]))
    assert text(listed / ideal, "%.4f") == expected
    metric = dm.metric("ntcireval:D-nDCG@3")
    assert as_printed(metric).score(ranked) == expected
    assert text(metric.score(ranked), "%.4f") != expected
