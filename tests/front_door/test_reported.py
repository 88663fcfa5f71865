"""Which readings give a reported number: those that we know, those that must not, and what is refused."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.cli import main
from divmetrics.research.identify import (
    ScoringVariant,
    VariantSearchResult,
    _matches_reported,
    _parse_reported,
)
from tests.support.strategies import quick

QRELS = "1 1 d1 1\n1 2 d2 2\n1 2 d4 1\n2 1 d1 1\n2 2 d3 2\n3 1 d9 1\n"
RUN = "1 Q0 d2 1 3 r\n1 Q0 d4 2 2 r\n1 Q0 d1 3 9 r\n2 Q0 d5 1 2 r\n2 Q0 d1 2 2 r\n2 Q0 d3 3 1 r\n"


@pytest.fixture
def paths(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("qrels", QRELS), ("run", RUN)):
        (tmp_path / name).write_text(text)
    return str(tmp_path / "qrels"), str(tmp_path / "run")


def mean(qrels: str, run: str, metric: str, **options: str) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        return float(dm.evaluate(qrels, run, metric, **options)["score"].mean())  # type: ignore[arg-type]


def named(readings: VariantSearchResult) -> set[tuple[str, str]]:
    return {(reading.convention, reading.metric) for reading in readings.matches}


# ------------------------------------------------------------------------------------- numbers that we know


@pytest.mark.parametrize("topic", ["0078", "0053", "0080"])
def test_table_4_of_yu_et_al(topic: str) -> None:
    """Thirty printed numbers; the cutoff is not told."""
    printed = dm.datasets.yu2017_table4()
    for row in printed[printed["query"] == topic].itertuples():
        settings = dm.identify_score(
            dm.datasets.yu2017(), None, f"{row.printed:.4f}", row.metric, topic=topic
        )
        assert ("paper", f"{row.metric}@{row.cutoff}") in named(settings), row


@pytest.mark.parametrize("column", ["alpha-nDCG@20", "ERR-IA@10", "strec@5", "NRBP", "P-IA@10", "MAP-IA"])
def test_means_that_ndeval_printed(research_files: Path, column: str) -> None:
    data = research_files / "data" / "trec-web-2012"
    with (research_files / "golden" / "ndeval" / "2012-ql-catb.c-traditional.csv").open() as file:
        mean = next(row for row in csv.DictReader(file) if row["topic"] == "amean")[column]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        run = data / "runs" / "ql-catb.txt.gz"
        settings = dm.identify_score(data / "qrels.ndeval.gz", run, mean, column.partition("@")[0])
    assert ("ndeval", column) in named(settings)


@quick(40)
@given(data=st.data())
def test_scores_of_evaluate_are_identified(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("which")
    (folder / "qrels").write_text(QRELS)
    (folder / "run").write_text(RUN)
    convention = data.draw(st.sampled_from(["paper", "ndeval", "ntcireval"]))
    of_convention = {"paper": ["ERR-IA", "I-rec"], "ndeval": ["alpha-nDCG"], "ntcireval": ["nDCG-IA", "D-Q"]}
    name = data.draw(st.sampled_from(of_convention[convention]))
    cutoff = data.draw(st.integers(1, 20))
    order = data.draw(st.sampled_from(["score", "rank", "file"]))
    over = data.draw(st.sampled_from(["judged", "both"]))
    files, metric = (str(folder / "qrels"), str(folder / "run")), f"{name}@{cutoff}"
    wanted = mean(*files, metric, convention=convention, order=order, mean_over=over)
    settings = dm.identify_score(*files, f"{wanted:.9f}", metric)
    of_these = [reading for reading in settings.matches if reading.convention == convention]
    assert metric in {reading.metric for reading in of_these}
    assert all(abs(reading.score - wanted) < 1e-9 for reading in of_these)


def test_a_choice_is_named_where_it_makes_the_difference(paths: tuple[str, str]) -> None:
    """Topic 1 has d1 first by its score and last by its rank."""
    by_rank = mean(*paths, "ERR-IA@1", order="rank")
    settings = dm.identify_score(*paths, f"{by_rank:.6f}", "ERR-IA@1")
    first = settings.matches[0]
    assert (first.convention, first.order, first.over, first.level) == ("paper", "rank", "judged", 1)
    by_score = dm.identify_score(*paths, f"{mean(*paths, 'ERR-IA@1'):.9f}", "ERR-IA@1").matches[0]
    assert by_score.other_than(first) == "lists by score, not lists by rank"
    assert "lists by rank" in str(settings)


def test_number_of_digits_is_that_of_the_reported_text(paths: tuple[str, str]) -> None:
    exact = mean(*paths, "ERR-IA@2")
    coarse, fine = (dm.identify_score(*paths, f"{exact:.{d}f}", "ERR-IA@2") for d in (1, 12))
    assert named(fine) <= named(coarse)
    assert dm.identify_score(*paths, f"{100 * exact:.2f}%", "ERR-IA@2").matches
    shifted = f"{exact + 0.001:.6f}"
    off = dm.identify_score(*paths, shifted, "ERR-IA@2")
    assert all(f"{reading.score:.6f}" == shifted for reading in off.matches)
    assert off.nearest
    distances = [abs(reading.score - float(shifted)) for reading in off.nearest]
    assert distances == sorted(distances)


@pytest.mark.parametrize(
    ("reported", "score", "gives"),
    [
        ("0.41", 0.4149, True),
        ("0.41", 0.4199, True),  # cut off
        ("0.41", 0.42, False),
        ("0.41", 0.4049, False),
        ("0.42", 0.4151, True),
        ("0.4100", 0.4149, False),
        ("41%", 0.4149, True),
        ("1", 1.0, True),
    ],
)
def test_rounded_or_cut_off(reported: str, score: float, gives: bool) -> None:
    assert _matches_reported(score, _parse_reported(reported)) is gives


def test_all_metrics_are_tried_without_a_name(paths: tuple[str, str]) -> None:
    wanted = mean(*paths, "D#-nDCG@3")
    settings = dm.identify_score(*paths, f"{wanted:.10f}")
    assert ("paper", "D#-nDCG@3") in named(settings)
    frame = settings.frame()
    assert len(frame) == len(settings.matches) + len(settings.nearest)
    assert (frame["off"].abs() < 1e-9).equals(frame["match"])


def test_variants_describe_their_choices() -> None:
    reading = ScoringVariant("ERR-IA@5", "ndeval", "rank", 2, "both", 4, 0.25, 0)
    assert str(reading) == (
        "ndeval:ERR-IA@5 = 0.250000; lists by rank, grades from 2 count, mean over topics that are judged "
        "and answered, each rounded to 4 digits"
    )


# ------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reported": "nan"}, "the reported number is 'nan', expected a score such as 0.4153 or 41.53%"),
        ({"reported": "0,41"}, "the reported number is '0,41'"),
        ({"reported": ""}, "the reported number is ''"),
        ({"metric": "alpha-nDCGG"}, "no convention has a metric 'alpha-nDCGG' (did you mean 'alpha-nDCG'?)"),
        ({"topic": "9"}, "topic '9' has no judgments"),
        ({"run": "missing"}, "missing"),
    ],
)
def test_what_is_refused(paths: tuple[str, str], change: dict[str, str], message: str) -> None:
    arguments = {"qrels": paths[0], "run": paths[1], "reported": "0.5", "metric": "ERR-IA@2", **change}
    with pytest.raises(dm.DivmetricsError) as failed:
        dm.identify_score(**arguments)
    assert message in str(failed.value)
    assert "\n" not in str(failed.value)


def test_one_run(paths: tuple[str, str]) -> None:
    with pytest.raises(dm.DivmetricsError, match="2 runs were given, expected the one"):
        dm.identify_score(paths[0], [paths[1], dm.Run.of("other", {"1": ["d1"]})], "0.5", "ERR-IA@2")


def test_the_command_line(paths: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    wanted = f"{mean(*paths, 'ERR-IA@2'):.6f}"
    assert main(["which", *paths, "--reported", wanted, "-m", "ERR-IA"]) == 0
    out, err = capsys.readouterr()
    assert f"paper:ERR-IA@2 = {wanted}" in out
    assert "the nearest others" in out
    assert len(err.splitlines()) == len(set(err.splitlines()))
    assert main(["which", *paths, "--reported", "much"]) == 2
    assert capsys.readouterr().err.startswith("divmetrics: the reported number is 'much'")
