"""The embedded examples are what their docstrings say, and a synthetic collection is what its knobs say."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

import divmetrics as dm
from divmetrics import datasets
from divmetrics.research.datasets import PRESETS, Recipe
from divmetrics.research.datasets.simulated_judgments import judge, make_topics
from tests.support.paths import ROOT

EXAMPLES = (datasets.harry_potter, datasets.yu2017, datasets.sakai2010, datasets.sakai2012)


def mean(collection: dm.Collection, metric: str) -> dict[str, float]:
    """{run: mean score}."""
    scores = dm.evaluate(collection, None, metric)
    return dict(scores.groupby("run")["score"].mean())


def never_judged(collection: dm.Collection) -> int:
    return sum(
        doc not in pool.position
        for run in collection.runs.values()
        for topic, pool in collection.pools.items()
        for doc in run.list(topic)
    )


def fingerprint(collection: dm.Collection) -> str:
    """One string for everything in a collection."""
    digest = hashlib.sha256()
    for topic, pool in collection.pools.items():
        digest.update(repr((pool.topic, pool.docs, pool.scale, pool.adhoc_scale)).encode())
        digest.update(pool.grades.tobytes())
        digest.update(b"" if pool.subtopic_grades is None else pool.subtopic_grades.tobytes())
        digest.update(repr([(name, run.list(topic)) for name, run in collection.runs.items()]).encode())
    return digest.hexdigest()


# ------------------------------------------------------------------ the papers' examples


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_listed_document_is_judged_and_every_topic_answered(example: Any) -> None:
    collection = example()
    assert never_judged(collection) == 0
    assert all(collection.list(run, topic).docs for run in collection.runs for topic in collection.pools)
    dm.evaluate(
        collection, None, ["ERR-IA@5", "D#-nDCG@5"]
    )  # without a warning, which would be an error here


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_say_their_source_and_what_is_ours(example: Any) -> None:
    assert "From" in example.__doc__
    assert "ours" in example.__doc__.lower()


def test_importing_the_examples_does_not_import_pandas() -> None:
    code = "import sys, divmetrics.research.datasets; sys.exit(bool({'pandas', 'scipy'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ------------------------------------------------------------------ harry potter


def test_harry_potter_is_figure_1() -> None:
    (topic,) = datasets.harry_potter().topics
    assert topic.id == "0083"
    assert [(t.id, round(t.probability, 4), len(t.children)) for t in topic.intents] == [
        ("series", 0.2222, 2),
        ("book", 0.2222, 5),
        ("film", 0.3333, 5),
        ("themepark", 0.1111, 2),
        ("games", 0.1111, 3),
    ]
    assert [t.id for t in topic.intents if t.kind == "navigational"] == ["themepark"]
    film = {e.id: e.probability for e in topic.intents[2].children}
    # 0.1046 of the printed 0.3638 for all of film.
    assert film["watch"] == pytest.approx(0.104575163399 / 0.363834422659, abs=1e-9)


def test_harry_potter_documents_are_described_and_judged() -> None:
    collection = datasets.harry_potter()
    pool = collection.pools["0083"]
    described = datasets.harry_potter_documents()
    assert set(described) == set(pool.docs) == {f"d{n}" for n in range(1, 19)}
    assert all(described.values())
    assert collection.scale == pool.top_grade == 2
    assert [doc for doc in pool.docs if not pool.labels(doc)] == ["d18"]
    assert pool.subtopic_grades is not None
    # Every label of the first level comes from one of the second.
    assert ((pool.grades > 0).sum(axis=1) > 0).all()
    assert set(pool.labels("d7")) == {"series", "book", "film"}


def test_mercury_is_judged_text_by_text() -> None:
    collection = datasets.mercury()
    pool = collection.pools["mercury"]
    texts = datasets.mercury_documents()
    assert set(texts) == set(pool.docs) == {f"m{n}" for n in range(1, 21)}
    assert all(title and text for title, text in texts.values())
    assert collection.scale == pool.top_grade == 2
    assert [doc for doc in pool.docs if not pool.labels(doc)] == ["m19", "m20"]
    assert pool.labels("m15") == {"planet": 1, "god": 1}
    assert (pool.grades > 0).any(axis=1).all()


@pytest.mark.parametrize(
    ("metric", "best_first"), [("S-recall@5", "BDCA"), ("ERR-IA@5", "DCAB"), ("D#-nDCG@5", "DBCA")]
)
def test_harry_potter_metrics_order_the_lists_differently(metric: str, best_first: str) -> None:
    means = mean(datasets.harry_potter(), metric)
    assert len(set(means.values())) == 4
    assert "".join(sorted(means, key=lambda run: -means[run])) == best_first


def test_harry_potter_intent_square_and_flat_disagree_on_a_and_c() -> None:
    flat, square = (mean(datasets.harry_potter(), m) for m in ("ERR-IA@5", "ERR-IS@5"))
    assert flat["C"] > flat["A"] + 0.02
    assert square["A"] > square["C"] + 0.02


def test_harry_potter_din_sees_that_c_repeats_the_theme_park() -> None:
    plain, din = (mean(datasets.harry_potter(), m) for m in ("D-nDCG@5", "DIN-nDCG@5"))
    assert din["C"] < plain["C"]
    assert all(din[run] == pytest.approx(plain[run]) for run in "ABD")


def test_harry_potter_list_d_wins_only_on_average() -> None:
    best = datasets.harry_potter().list("D", "0083")
    averages = mean(datasets.harry_potter(), "ERR-IA@5")
    assert max(averages, key=lambda run: averages[run]) == "D"
    pool = best.judgments
    mine = dm.explain("ERR-IA@5", best).groupby("intent")["contribution"].sum()
    for i, intent in enumerate(pool.topic.intents):
        by_grade = sorted(pool.docs, key=lambda doc: -int(pool.grades[i, pool.position[doc]]))
        theirs = dm.explain("ERR-IA@5", best.reordered(by_grade[:8])).groupby("intent")["contribution"].sum()
        assert theirs[intent.id] > mine[intent.id] + 1e-3


# ------------------------------------------------------------------ synthetic collections


@cache
def preset(name: str, seed: int) -> dm.Collection:
    return datasets.synthetic(name, seed=seed)


def counts(collection: dm.Collection) -> dict[str, float]:
    table = datasets.statistics(collection)
    assert list(table.columns) == ["statistic", "value"]
    return dict(zip(table["statistic"], table["value"], strict=True))


# How far a preset may be from the printed value, as a share of it; 0 for what is not named, apart from the
# rounding of printed decimals.
TOLERANCE = {"relevant documents": 0.01, "intents with one relevant document": 0.35}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", PRESETS)
def test_presets_have_the_published_statistics(name: str, seed: int) -> None:
    statistics = counts(preset(name, seed))
    published = datasets.published_statistics()
    published = published[published["preset"] == name]
    assert len(published) >= 4
    for row in published.itertuples():
        if row.statistic == "most intents of a document":
            assert 2 < statistics[row.statistic] <= row.printed
        else:
            expected = pytest.approx(row.printed, rel=TOLERANCE.get(row.statistic, 0), abs=0.005)
            assert statistics[row.statistic] == expected, row.statistic


def test_every_preset_is_held_against_published_statistics() -> None:
    published = datasets.published_statistics()
    assert set(published["preset"]) == set(PRESETS)
    assert published["source"].str.contains(r"\d{4}").all()
    assert set(published["statistic"]) <= set(counts(datasets.harry_potter()))


def test_statistics_of_a_collection_counted_by_hand() -> None:
    intents = (
        dm.Intent("a", 0.5, children=(dm.Intent("a1", 0.5), dm.Intent("a2", 0.5))),
        dm.Intent("b", 0.25, "navigational"),
        dm.Intent("c", 0.25),
    )
    judgments = {"x": {("a", "a1"): 3, "b": 1}, "y": {"a": 1}, "z": {}}
    topics = [dm.Topic("1", intents), dm.Topic("2", (dm.Intent("d", 1.0),))]
    statistics = counts(dm.Collection.of(topics, {"1": judgments, "2": {}}, {"R": {"1": ["x"]}}))
    assert statistics == {
        "topics": 2,
        "intents": 4,
        "intents per topic": 2,
        "most intents of a topic": 3,
        "share navigational": 0.25,
        "subtopics per intent": 0.5,
        "covered intents": 2,
        "covered navigational intents": 1,
        "most covered intents of a topic": 2,
        "intents with one relevant document": 1,
        "relevant documents": 2,
        "relevant documents over intents": 3,
        "relevant documents per intent": 1.5,
        "intents per relevant document": 1.5,
        "most intents of a document": 2,
        "navigational documents": 1,
        "navigational and informational documents": 1,
        "judged documents": 3,
        "top grade": 3,
        "runs": 1,
    }


def test_statistics_of_nothing() -> None:
    assert set(counts(dm.Collection({})).values()) == {0.0, 1.0}  # 1: the top grade


def test_the_same_seed_gives_the_same_collection_whatever_the_hash_seed() -> None:
    code = (
        "from tests.research.datasets.test_datasets import fingerprint;"
        " from divmetrics.research.datasets import synthetic;"
        "print(fingerprint(synthetic('imine', seed=7, topics=6)))"
    )
    outputs = {fingerprint(datasets.synthetic("imine", seed=7, topics=6))}
    for hash_seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        outputs.add(done.stdout.strip())
    assert len(outputs) == 1
    assert fingerprint(datasets.synthetic("imine", seed=8, topics=6)) not in outputs


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_fully_judged_and_measured_without_a_warning(name: str) -> None:
    collection = preset(name, 0)
    assert never_judged(collection) == 0
    assert {len(collection.list(run, topic)) for run in collection.runs for topic in collection.pools} == {20}
    square = ["ERR-IS@10"] if name.startswith("imine") else []
    scores = dm.evaluate(collection, None, ["D#-nDCG@10", "ERR-IA@10", *square])["score"]
    assert 0.05 < scores.mean() < 0.95


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["imine", "intent-1", "trec-web-2009"])
def test_better_systems_score_better(name: str, seed: int) -> None:
    levels = (0.0, 0.2, 0.4, 0.6, 0.8)
    runs = {f"{diversity}/{quality}": (quality, diversity) for diversity in (0.0, 1.0) for quality in levels}
    means = mean(datasets.synthetic(name, seed=seed, topics=40, runs=runs), "D-nDCG@10")
    for diversity in (0.0, 1.0):
        ladder = [means[f"{diversity}/{quality}"] for quality in levels]
        assert all(np.diff(ladder) > 0.01), ladder


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["imine", "intent-1", "trec-web-2009"])
def test_diversifying_systems_cover_more_intents(name: str, seed: int) -> None:
    levels = (0.0, 0.5, 1.0)
    runs = {f"{quality}/{d}": (quality, d) for quality in (0.6, 0.8) for d in levels}
    means = mean(datasets.synthetic(name, seed=seed, topics=40, runs=runs), "I-rec@5")
    for quality in (0.6, 0.8):
        ladder = [means[f"{quality}/{d}"] for d in levels]
        assert all(np.diff(ladder) > 0.005), ladder


def test_a_run_does_not_depend_on_the_other_runs() -> None:
    alone = datasets.synthetic(seed=3, runs={"plain": (0.5, 0.0)})
    both = datasets.synthetic(seed=3, runs={"diverse": (0.5, 1.0), "plain": (0.5, 0.0)})
    assert fingerprint(alone) == fingerprint(both.with_runs([both.runs["plain"]]))


def test_unjudged_documents_are_left_out_of_the_judgments_and_change_no_score() -> None:
    whole, holes = (datasets.synthetic(seed=5, unjudged=share) for share in (0.0, 0.5))
    assert never_judged(holes) > 0
    assert sum(len(p.relevant) for p in holes.pools.values()) == sum(
        len(p.relevant) for p in whole.pools.values()
    )
    expected = dm.evaluate(whole, None, ["D#-nDCG@10", "ERR-IA@10"])
    with pytest.warns(dm.DivmetricsWarning, match="never judged"):
        scores = dm.evaluate(holes, None, ["D#-nDCG@10", "ERR-IA@10"])
    assert scores.equals(expected)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [("uniform", [1 / 3] * 3), ("nonuniform", [8 / 14, 4 / 14, 2 / 14])],
)
def test_probabilities_by_scheme(scheme: str, expected: list[float]) -> None:
    collection = datasets.synthetic(
        probabilities=scheme, intents=(3, 3, 3), subtopics=(3, 3, 3), topics=2, runs=0
    )
    for topic in collection.topics:
        assert [t.probability for t in topic.intents] == pytest.approx(expected)
        assert [e.probability for t in topic.intents for e in t.children] == pytest.approx(expected * 3)


def test_drawn_probabilities_fall_and_are_more_alike_with_more_evenness() -> None:
    def spread(evenness: float) -> float:
        collection = datasets.synthetic(evenness=evenness, topics=50, runs=0)
        chances = [[t.probability for t in topic.intents] for topic in collection.topics]
        assert all(c == sorted(c, reverse=True) for c in chances)
        assert all(sum(c) == pytest.approx(1) for c in chances)
        return float(np.mean([max(c) - min(c) for c in chances]))

    assert spread(1) > spread(10) > spread(100)


def test_grades_overlap_aspects_and_types_follow_the_recipe() -> None:
    collection = datasets.synthetic(
        topics=40, scale=3, grades=(6, 3, 1), overlap=1.5, subtopics=(4, 4, 4), aspects=2.0,
        relevant=(5, 20.0, 40), types={"ambiguous": 1, "faceted": 3}, runs=0,
    )  # fmt: skip
    grades = np.concatenate([pool.grades.ravel() for pool in collection.pools.values()])
    shares = np.bincount(grades[grades > 0])[1:] / (grades > 0).sum()
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.03)
    assert collection.scale == 3
    assert counts(collection)["intents per relevant document"] == pytest.approx(1.5, rel=0.02)
    labels = (grades > 0).sum()
    leaves = sum((pool.subtopic_grades > 0).sum() for pool in collection.pools.values())
    assert leaves / labels == pytest.approx(2.0, rel=0.05)
    types = [topic.type for topic in collection.topics]
    assert (types.count("ambiguous"), types.count("faceted")) == (10, 30)


@pytest.mark.parametrize("seed", range(4))
def test_navigational_documents_of_trec_2009_serve_other_intents_as_rarely_as_in_its_judgments(seed):
    statistics = counts(preset("trec-web-2009", seed))
    both = statistics["navigational and informational documents"]
    assert both / statistics["navigational documents"] == pytest.approx(42 / 197, abs=0.005)


@pytest.mark.parametrize("share", [0, 0.3, 0.8])
def test_the_share_of_navigational_documents_that_are_informational(share: float) -> None:
    """The other counts stay as they are asked for: labels of each kind, and intents per document."""
    collection = datasets.synthetic(
        topics=30, intents=(4, 4, 4), navigational=0.5, relevant=(8, 12, 20), relevant_navigational=(2, 4, 8),
        overlap=1.3, shared_navigational=share, runs=0,
    )  # fmt: skip
    statistics = counts(collection)
    assert statistics["navigational documents"] == 4 * 60
    assert statistics["navigational and informational documents"] == round(share * 4 * 60)
    assert statistics["relevant documents over intents"] == (4 + 12) * 60
    assert statistics["intents per relevant document"] == pytest.approx(1.3, rel=0.02)
    for pool in collection.pools.values():
        navigational = [t.kind == "navigational" for t in pool.topic.intents]
        assert (pool.grades[navigational] > 0).sum(axis=0).max(initial=0) <= 1
        assert (pool.grades > 0).sum(axis=1).min() >= 2


def test_topics_of_one_kind_share_nothing() -> None:
    for share in (0.0, 0.5, 1.0):
        collection = datasets.synthetic(topics=5, navigational=1.0, shared_navigational=share, runs=2)
        assert counts(collection)["navigational and informational documents"] == 0
        collection = datasets.synthetic(topics=5, navigational=0.0, shared_navigational=share, runs=2)
        assert counts(collection)["navigational documents"] == 0


def test_a_document_has_the_grade_of_its_second_level_labels() -> None:
    collection = datasets.synthetic("imine", seed=2, topics=5, runs=0)
    for pool in collection.pools.values():
        assert pool.subtopic_grades is not None
        row = 0
        for i, intent in enumerate(pool.topic.intents):
            below = pool.subtopic_grades[row : row + len(intent.children)]
            assert (below.max(axis=0) == pool.grades[i]).all()
            row += len(intent.children)


def test_document_names_say_nothing_about_relevance() -> None:
    collection = datasets.synthetic("trec-web-2009", seed=1, runs=0)
    places = [pool.relevant / (len(pool.docs) - 1) for pool in collection.pools.values()]
    assert np.concatenate(places).mean() == pytest.approx(0.5, abs=0.02)
    for pool in collection.pools.values():
        assert list(pool.docs) == sorted(pool.docs)


def test_every_topic_keeps_a_covered_intent() -> None:
    collection = datasets.synthetic(topics=20, uncovered=1.0, runs=0)
    assert all(pool.grades.any(axis=1).sum() == 1 for pool in collection.pools.values())


def test_lists_fill_their_depth_where_there_is_little_to_find() -> None:
    collection = datasets.synthetic(topics=3, intents=(1, 1, 1), relevant=(1, 1, 1), nonrelevant=0, depth=30)
    assert {len(ranked) for topic in collection.pools for ranked in collection.lists(topic)} == {30}


def test_a_perfect_diversified_system_finds_what_there_is() -> None:
    collection = datasets.synthetic(topics=20, runs={"perfect": (1.0, 1.0)}, intents=(3, 3, 3))
    scores = dm.evaluate(collection, None, ["I-rec@10", "Prec@1"])
    assert set(scores.loc[scores["metric"] == "I-rec@10", "score"]) == {1.0}


def test_a_recipe_can_be_given_instead_of_a_preset() -> None:
    recipe = Recipe(topics=3, scale=1, runs=2)
    assert fingerprint(datasets.synthetic(recipe, seed=4)) == fingerprint(
        datasets.synthetic(seed=4, topics=3, scale=1, runs=2)
    )
    judged = judge(recipe, make_topics(recipe, np.random.default_rng(1)), np.random.default_rng(2))
    assert all(topic.truth.shape[1] == len(topic.docs) for topic in judged)


def test_a_negative_number_of_unretrieved_documents_raises() -> None:
    with pytest.raises(dm.DivmetricsError, match="unretrieved documents of 'i1' is -1"):
        datasets.sakai2010_topic21(1, (2, 3), {"i1": -1})


def test_default_systems_vary_both_parameters_independently() -> None:
    knobs = np.array(list(datasets.default_systems(25).values()))
    assert abs(np.corrcoef(knobs.T)[0, 1]) < 0.1
    assert (np.diff(knobs[:, 0]) < 0).all()
    assert knobs.min() >= 0
    assert knobs.max() <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"preset": "imin"}, "did you mean 'imine'"),
        ({"preset": 3}, "there is no preset 3"),
        ({"topic": 5}, "no knob 'topic' .did you mean 'topics'"),
        ({"seed": -1}, "seed is -1, expected a whole number"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"topics": 0}, "topics is 0, expected a whole number of at least 1"),
        ({"topics": 2.0}, "topics is 2.0"),
        ({"runs": -1}, "runs is -1"),
        ({"runs": {"a": (0.5, 1.2)}}, "diversification of run 'a' is 1.2, expected a number from 0 to 1"),
        ({"runs": {"a": 0.5}}, "run 'a' has 0.5, expected .quality, diversification."),
        ({"navigational": float("nan")}, "navigational is nan"),
        ({"unjudged": None}, "unjudged is None"),
        ({"uncovered_navigational": 2}, "uncovered_navigational is 2"),
        ({"shared_navigational": -0.1}, "shared_navigational is -0.1, expected a number from 0 to 1"),
        ({"overlap": 0.5}, "overlap is 0.5, expected a number of at least 1"),
        ({"intents": (3, 2, 4)}, "expected least <= mean <= most"),
        ({"intents": None}, "intents is None, expected .least, mean, most."),
        ({"relevant": (0, 2, 4)}, "relevant is .0, 2, 4."),
        ({"subtopics": "abc"}, "subtopics is 'abc'"),
        (
            {"probabilities": "zipf"},
            "probabilities is 'zipf', expected one of uniform, nonuniform, dirichlet",
        ),
        ({"grades": (1, 2, 3)}, "a weight of at least 0 for each grade from 1 to 2"),
        ({"grades": (0, 0)}, "not all of them 0"),
        ({"types": {"ambiguous": -1}}, "types is"),
    ],
)
def test_bad_recipe_parameters_raise_one_sentence(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=message):
        datasets.synthetic(**arguments)
