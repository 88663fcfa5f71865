"""Intents with a relevant document, and the probabilities of Sakai et al. (2010)."""

from __future__ import annotations

import csv
import io
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import divmetrics as dm
from divmetrics.cli import main
from divmetrics.core.topics import nonuniform_probabilities
from divmetrics.evaluation import compute_scores
from divmetrics.io.topic_hierarchy import PROBABILITY_CHOICES
from divmetrics.research.datasets import sakai2010
from tests.support.strategies import quick, samples

QRELS = "1 1 d1 1\n1 2 d1 0\n1 3 d2 1\n1 3 d1 0\n"
TOPICS = "1 1 0.5\n1 2 0.3\n1 3 0.2\n"
RUN = "1 Q0 d1 1 2.0 mine\n1 Q0 d3 2 1.0 mine\n"


def test_the_probabilities_of_topics_21_28_and_38() -> None:
    """Section 4.2 prints 32/62 .. 2/62 for five intents, and 8/14, 4/14, 2/14 for three."""
    assert np.array(nonuniform_probabilities(5)) * 62 == pytest.approx([32, 16, 8, 4, 2], abs=1e-12)
    assert np.array(nonuniform_probabilities(3)) * 14 == pytest.approx([8, 4, 2], abs=1e-12)
    for topic in sakai2010().topics:
        printed = sorted((intent.probability for intent in topic.intents), reverse=True)
        assert printed == pytest.approx(nonuniform_probabilities(len(printed)))


@pytest.mark.parametrize("count", [0, 1, 2, 60, 5000])
def test_they_sum_to_one(count: int) -> None:
    """Thousands of intents neither overflow nor lose the sum."""
    assert sum(nonuniform_probabilities(count)) == pytest.approx(float(count > 0), abs=1e-12)


@quick(60)
@given(samples(levels=2, childless=True))
def test_laws_of_covered_intents(sample) -> None:
    """Covered intents are those with a relevant document, in order; the probabilities sum to 1."""
    collection = sample.collection()
    covered = collection.covered()
    assert list(covered.pools) == list(collection.pools)
    for topic, judgments in covered.pools.items():
        before = collection.pools[topic]
        relevant_intents = [
            t.id for t, row in zip(before.topic.intents, before.grades, strict=True) if row.any()
        ]
        assert [t.id for t in judgments.topic.intents] == relevant_intents
        assert judgments.grades.any(axis=1).all()
        if judgments.subtopic_grades is not None:
            assert judgments.subtopic_grades.any(axis=1).all()
        for weighted in (judgments.topic, judgments.topic.nonuniform(), judgments.topic.uniform()):
            for level in (weighted.intents, *(t.children for t in weighted.intents)):
                assert sum(t.probability for t in level) == pytest.approx(float(bool(level)))
    again = covered.covered()
    assert [again.pools[t].grades.tolist() for t in again.pools] == [
        covered.pools[t].grades.tolist() for t in covered.pools
    ]


@quick(40)
@given(samples())
def test_scores_over_covered_intents(sample) -> None:
    """S-recall of covered intents is a setting of S-recall, and alpha-nDCG knows no other intents."""
    collection = sample.collection()
    covered = collection.covered()
    over_relevant, alpha, recall = map(
        dm.metric, ("S-recall(intents=relevant)@5", "alpha-nDCG@5", "S-recall@5")
    )
    before, _ = compute_scores(collection, [over_relevant, alpha])
    after, _ = compute_scores(covered, [recall, alpha])
    assert after == pytest.approx(before)


def test_probabilities_of_covered_intents() -> None:
    """Probabilities are divided by their sum; if that is 0, they are equal."""
    topic = dm.Topic(
        "1", (dm.Intent("a", 0.5), dm.Intent("b", 0.3), dm.Intent("c", 0.2), dm.Intent("z", 0.0))
    )

    def covered(*intents: str) -> list[tuple[str, float]]:
        collection = dm.Collection.of([topic], {"1": {"d": dict.fromkeys(intents, 1)}}).covered()
        return [(t.id, t.probability) for t in collection.topics[0].intents]

    assert covered("a", "c") == [("a", pytest.approx(5 / 7)), ("c", pytest.approx(2 / 7))]
    assert covered("z") == [("z", 1.0)]
    assert covered() == []


def test_nonuniform_is_a_choice_of_read_topics() -> None:
    """Percentages in another order than the file's are replaced by the position of each intent."""
    (topic,) = dm.read_topics({"1": {"a": 10, "b": 60, "c": 30}}, "nonuniform")
    assert [t.probability for t in topic.intents] == pytest.approx([4 / 7, 2 / 7, 1 / 7])
    assert "nonuniform" in PROBABILITY_CHOICES


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ([], 0.5),
        (["--probabilities", "nonuniform"], 4 / 7),
        (["--covered"], 5 / 7),
        (["--covered", "--probabilities", "uniform"], 1 / 2),
        (["--covered", "--probabilities", "nonuniform"], 2 / 3),
        (["--covered", "--scale", "3", "--relevance-level", "1"], 5 / 7),
    ],
)
def test_command_line(tmp_path: Path, capsys, options: list[str], score: float) -> None:
    """The weights are those of the covered intents, also where the choice is nonuniform."""
    paths = [str(tmp_path / name) for name in ("qrels", "run", "topics")]
    for path, text in zip(paths, (QRELS, RUN, TOPICS), strict=True):
        Path(path).write_text(text)
    assert main(["evaluate", *paths[:2], "--topics", paths[2], "-m", "P-IA@1", *options]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert float(row["score"]) == pytest.approx(score)
    assert main(["explain", *paths[:2], "--topics", paths[2], "-m", "P-IA@1", "--topic", "1", *options]) == 0
    assert f"{score:.4f}" in capsys.readouterr().out


def test_pages_have_no_intents_to_cover(tmp_path: Path, capsys) -> None:
    """Options of intents are refused for pages of blocks, by name."""
    page = tmp_path / "pages.json"
    page.write_text('[{"run": "r", "topic": "1", "blocks": [{"vertical": "web", "docs": ["d1"]}]}]')
    assert main(["evaluate", str(page), str(page), "-m", "AS-RBP", "--covered"]) == 2
    assert "--covered is for intents of ranked lists" in capsys.readouterr().err


def test_the_intents_of_sakai_2010(research_files: Path) -> None:
    """199 of 243 subtopics have a relevant document (Table 1); with them I-rec of a run rises."""
    folder = research_files / "data" / "trec-web-2009"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        collection = dm.load_collection(folder / "qrels.diversity.gz", folder / "topics.xml")
        run = next((folder / "runs").iterdir())
        means = [
            dm.evaluate(each, str(run), "S-recall@10", mean=True).iloc[0, 0]
            for each in (collection, collection.covered())
        ]
    assert len([t for topic in collection.topics for t in topic.intents]) == 243
    assert len([t for topic in collection.covered().topics for t in topic.intents]) == 199
    assert [f"{mean:.4f}" for mean in means] == ["0.3372", "0.3847"]
    covered = collection.covered()
    navigational = [
        topic.intents for topic in covered.topics if "navigational" in {t.kind for t in topic.intents}
    ]
    kinds = Counter(intent.kind for intents in navigational for intent in intents)
    assert (len(navigational), kinds) == (
        24,
        {"informational": 68, "navigational": 31},
    )  # Sakai 2012, Table 1
    # I-div and its D-measure cannot both be 1 at 10 documents on these topics.
    weighted = covered.nonuniform().pools.values()
    assert sum(not _ideal_covers_all(judgments, 10) for judgments in weighted) == 30


def _ideal_covers_all(judgments: dm.Judgments, cutoff: int) -> bool:
    """Whether the documents with the largest global gains are relevant to every intent."""
    gains = np.array([intent.probability for intent in judgments.topic.intents]) @ judgments.grades
    best = np.argsort(-gains, kind="stable")[:cutoff]
    return bool(judgments.grades[:, best].any(axis=1).all())


def test_compare_measures_covered_intents(tmp_path: Path, capsys) -> None:
    """The means of the comparison are those of evaluate."""
    second = [line.replace("1 ", "2 ", 1) for line in (*QRELS.splitlines(), *TOPICS.splitlines())]
    qrels = "\n".join([*QRELS.splitlines(), *second[:4]]) + "\n"
    topics = "\n".join([*TOPICS.splitlines(), *second[4:]]) + "\n"
    paths = [str(tmp_path / name) for name in ("qrels", "topics", "A", "B")]
    runs = [
        f"1 Q0 {a} 1 2 {run}\n2 Q0 {b} 1 2 {run}\n" for run, a, b in (("A", "d1", "d2"), ("B", "d2", "d2"))
    ]
    for path, text in zip(paths, (qrels, topics, *runs), strict=True):
        Path(path).write_text(text)
    how = ["--topics", paths[1], "--covered", "--probabilities", "nonuniform", "-m", "P-IA@1"]
    assert main(["compare", paths[0], *paths[2:], *how, "--trials", "10", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["mean"]) for row in rows] == pytest.approx([(2 / 3 + 1 / 3) / 2, 1 / 3])
