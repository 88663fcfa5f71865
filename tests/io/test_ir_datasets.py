"""Judgments by an id of ir_datasets, with a stand-in for the package and its network."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import read_qrels, read_topics
from divmetrics.optional import MissingPackage

ID = "irds:clueweb09/en/trec-web-2012/diversity"


class SubQrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int


class Subtopic(NamedTuple):
    number: str
    text: str
    type: str


class Query(NamedTuple):
    query_id: str
    query: str
    description: str
    type: str
    subtopics: tuple[Subtopic, ...]


class Dataset:
    def qrels_iter(self) -> Iterator[SubQrel]:
        yield SubQrel("151", "d1", 2, "1")
        yield SubQrel("151", "d1", -2, "2")

    def queries_iter(self) -> Iterator[Query]:
        subtopics = (Subtopic("1", " What is\n a plan?", "inf"), Subtopic("2", "Find it.", "nav"))
        yield Query("151", "plan", " What is a plan? ", "faceted", subtopics)


class Misprinted(Dataset):
    def queries_iter(self) -> Iterator[Query]:
        (query,) = super().queries_iter()
        yield query._replace(subtopics=(query.subtopics[0], query.subtopics[1]._replace(type="inv")))


class AdHoc:
    def qrels_iter(self) -> Iterator[Qrel]:
        yield Qrel("151", "d1", 2)


class Unreachable:
    def qrels_iter(self) -> Iterator[SubQrel]:
        raise ConnectionError("no route to host")
        yield


def stand_in(name: str) -> object:
    datasets = {
        ID.removeprefix("irds:"): Dataset,
        "clueweb09/en/trec-web-2012": AdHoc,
        "misprinted": Misprinted,
        "away": Unreachable,
        "documents-only": SimpleNamespace,
    }
    return datasets[name]()


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=stand_in))


@pytest.mark.usefixtures("package")
def test_judgments_and_topics() -> None:
    assert read_qrels(ID).to_numpy().tolist() == [["151", "1", "d1", 2], ["151", "2", "d1", -2]]
    (topic,) = read_topics(ID)
    assert (topic.id, topic.title, topic.description, topic.type) == (
        "151",
        "plan",
        "What is a plan?",
        "faceted",
    )
    assert [(t.id, t.probability, t.kind, t.label) for t in topic.intents] == [
        ("1", 0.5, "informational", "What is a plan?"),
        ("2", 0.5, "navigational", "Find it."),
    ]


@pytest.mark.usefixtures("package")
def test_an_unknown_kind_is_counted_as_in_a_file() -> None:
    with pytest.warns(
        DivmetricsWarning, match=r"1 of kind 'inv'; the first is intent 2 of topic 151"
    ) as caught:
        (topic,) = read_topics("irds:misprinted")
    assert len(caught) == 1
    assert [intent.kind for intent in topic.intents] == ["informational"] * 2


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "irds:nowhere",
            "^irds:nowhere: is not known to ir_datasets .*; expected .*irds:clueweb09/en/trec-web-2012/div",
        ),
        (
            "irds:clueweb09/en/trec-web-2012",
            "has no judgments of subtopics; expected .*; add /diversity to the id",
        ),
        (
            "irds:away",
            r"could not be fetched \(ConnectionError: no route to host\); expected .*the path of a file",
        ),
        ("irds:documents-only", "has no qrels"),
    ],
)
def test_what_cannot_be_had(name: str, message: str) -> None:
    with pytest.raises(DivmetricsError, match=message):
        read_qrels(name)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    for read in (read_qrels, read_topics):
        with pytest.raises(MissingPackage, match=r"^irds:.* pip install .divmetrics\[ir-datasets\]. brings"):
            read(ID)
