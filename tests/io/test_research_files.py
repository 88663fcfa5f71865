"""The public research files that the readers were made for; see DIVMETRICS_DATA in CONTRIBUTING.md."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics import datasets
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import (
    delimited,
    load_qrel_columns,
    load_run_columns,
    read_qrels,
    read_run,
    read_topics,
    trec,
)
from divmetrics.io.file_contents import open_contents

pytestmark = pytest.mark.slow

WEB_RUNS = {
    "trec-web-2009/runs/indri.txt.gz": (13781, 1),
    "trec-web-2012/runs/ql-cata-filtered.txt.gz": (8060, 1),
    "trec-web-2012/runs/ql-cata.txt.gz": (50000, 1),
    "trec-web-2012/runs/ql-catb-filtered.txt.gz": (21512, 1),
    "trec-web-2012/runs/ql-catb.txt.gz": (49413, 1),
    "trec-web-2012/runs/rm-cata-filtered.txt.gz": (8083, 1),
    "trec-web-2012/runs/rm-cata.txt.gz": (50000, 1),
    "trec-web-2012/runs/rm-catb-filtered.txt.gz": (22076, 1),
    "trec-web-2012/runs/rm-catb.txt.gz": (50000, 1),
}


@pytest.fixture
def data(research_files: Path) -> Path:
    return research_files / "data"


@pytest.mark.parametrize("name", WEB_RUNS)
def test_web_track_runs(data: Path, name: str) -> None:
    run = load_run_columns(data / name)
    assert len(run.doc) == WEB_RUNS[name][0]
    assert run.tag == "indri"
    contents = open_contents(data / name, "a run")
    fast, careful = delimited.read_fast(contents, trec.RUN), delimited.read_carefully(contents, trec.RUN)
    assert fast is not None
    assert all(fast[column].tolist() == careful[column].tolist() for column in trec.RUN.columns)


@pytest.mark.parametrize(
    ("name", "rows", "topics", "grades"),
    [
        ("trec-web-2009/qrels.diversity.gz", 27964, 50, [0, 1]),
        ("trec-web-2012/qrels.diversity.gz", 62394, 50, [-2, 0, 1, 2, 3, 4]),
        ("trec-web-2012/qrels.ndeval.gz", 59736, 50, [0, 1, 2, 3, 4]),
    ],
)
def test_web_track_judgments(data: Path, name: str, rows: int, topics: int, grades: list[int]) -> None:
    frame = read_qrels(data / name)
    assert (len(frame), frame["topic"].nunique()) == (rows, topics)
    assert sorted(frame["grade"].unique()) == grades


@pytest.mark.parametrize(("year", "first", "intents"), [("2009", 1, 243), ("2012", 151, 195)])
def test_web_track_topics(data: Path, year: str, first: int, intents: int) -> None:
    topics = read_topics(data / f"trec-web-{year}" / "topics.xml")
    assert [topic.id for topic in topics] == [str(n) for n in range(first, first + 50)]
    assert sum(len(topic.intents) for topic in topics) == intents
    assert {topic.type for topic in topics} == {"ambiguous", "faceted"}
    assert {t.kind for topic in topics for t in topic.intents} == {"informational", "navigational"}
    assert all(topic.title and topic.description and all(t.label for t in topic.intents) for topic in topics)


def test_the_published_statistics_of_the_web_track(data: Path) -> None:
    """Sakai et al. (2010) print two relevant pairs more than the judgments have, 6501; the rest is there."""
    folder = data / "trec-web-2009"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)
        collection = dm.load_collection(folder / "qrels.diversity.gz", folder / "topics.xml")
    table = datasets.statistics(collection)
    counted = dict(zip(table["statistic"], table["value"], strict=True))
    printed = datasets.published_statistics()
    printed = printed[(printed["preset"] == "trec-web-2009") & (printed["statistic"] != "runs")]
    differ = {
        row.statistic: (row.printed, counted[row.statistic])
        for row in printed.itertuples()
        if counted[row.statistic] != pytest.approx(row.printed)
    }
    assert differ == {"relevant documents over intents": (6501, 6499)}
    both = "navigational and informational documents"
    assert (counted["navigational documents"], counted[both]) == (197, 42)


def test_imine_runs(data: Path) -> None:
    runs = {path.name: read_run(path) for path in sorted((data / "imine" / "runs").glob("*/*.txt.gz"))}
    assert len(runs) == 25
    assert all(run["run"].unique().tolist() == [name.removesuffix(".txt.gz")] for name, run in runs.items())
    described = json.loads((data / "imine" / "runs.json").read_text())
    assert len(described) == 25


@pytest.mark.parametrize(("language", "letter", "rows"), [("en", "E", 1153), ("cn", "C", 1095)])
def test_imine_judgments(data: Path, language: str, letter: str, rows: int) -> None:
    folder = data / "imine"
    tidy = read_qrels(folder / f"qrels.{language}.tsv")
    assert len(tidy) == rows
    judged = folder / "raw" / f"IMine.Qrel.DR{letter}.xml.gz"
    topics = folder / "raw" / f"IMine.Qrel.SM{letter}.xml.gz"
    for source in (topics, folder / "topics.json", read_topics(topics, "uniform")):
        assert read_qrels(judged, topics=source).equals(tidy)
    with pytest.raises(DivmetricsError, match="names second-level subtopics by label only"):
        load_qrel_columns(judged)


@pytest.mark.parametrize("choice", ["uniform", "normalise", "flat"])
def test_imine_topics(data: Path, choice: str) -> None:
    folder = data / "imine"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tidy = {topic.id: topic for topic in read_topics(folder / "topics.json", choice)}
        raw = [
            topic
            for letter in "EC"
            for topic in read_topics(folder / "raw" / f"IMine.Qrel.SM{letter}.xml.gz", choice)
        ]
    assert all(issubclass(warning.category, DivmetricsWarning) for warning in caught)
    assert ["topic 0032, intent 4" in str(warning.message) for warning in caught] == (
        [True, True] if choice == "normalise" else []
    )
    assert [topic.id for topic in raw] == list(tidy)
    assert [(topic.id, topic.title, topic.intents) for topic in raw] == [
        (topic.id, topic.title, topic.intents) for topic in tidy.values()
    ]
    assert {topic.type for topic in tidy.values()} == {"ambiguous", "broad"}
    childless = [topic.id for topic in raw if not all(t.children for t in topic.intents)]
    assert childless == ([topic.id for topic in raw] if choice == "flat" else ["0070", "0003", "0017"])


def test_imine_topics_ask_for_a_choice(data: Path) -> None:
    for name in ("topics.json", "raw/IMine.Qrel.SME.xml.gz", "raw/IMine.Qrel.SMC.xml.gz"):
        with pytest.raises(DivmetricsError, match=r"'normalise' .*'uniform' .*'flat'"):
            read_topics(data / "imine" / name)
