"""Every metric equals its naive transcription (reference.py) on random collections, at every cutoff."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core.batch import make_batch
from tests.support.reference import ADHOC, DIVERSITY, GOLD, INTENT_SQUARE, METRICS, NEED_A_CUTOFF, cases_of
from tests.support.strategies import DOCS, Sample, cutoffs, quick, samples

CLOSE = 1e-9

# name, parameters as a name has them, parameters as the reference has them
PARAMETERS = [
    ("alpha-DCG", "alpha=0.3", {"alpha": 0.3}),
    ("alpha-nDCG", "alpha=0.3", {"alpha": 0.3}),
    ("alpha-nDCG", "alpha=0", {"alpha": 0}),
    ("alpha-nDCG", "alpha=1", {"alpha": 1}),
    ("alpha-nDCG", "ties=descending", {"ties": "descending"}),
    ("alpha-nDCG", "ideal=exact", {"ideal": "exact"}),
    ("alpha-nDCG", "ideal=exact,alpha=0.3", {"ideal": "exact", "alpha": 0.3}),
    ("alpha-nDCG-IS", "ideal=exact", {"ideal": "exact"}),
    ("NRBP", "alpha=0.1,beta=0.8", {"alpha": 0.1, "beta": 0.8}),
    ("NRBP", "alpha=1", {"alpha": 1}),
    ("AP-IA", "of=R", {"of": "R"}),
    ("AP", "of=R", {"of": "R"}),
    ("AP", "of=l", {"of": "l"}),
    ("ERR-IA", "over=2^Y-1", {"denominator": "2^Y-1"}),
    ("ERR", "over=2^Y-1", {"denominator": "2^Y-1"}),
    ("iRBU-IA", "phi=0.85", {"phi": 0.85}),
    ("RBU", "phi=0.85,e=0.1", {"phi": 0.85, "e": 0.1}),
    ("RBU-original", "phi=0.85,e=0.1", {"phi": 0.85, "e": 0.1}),
    ("RBP-IA", "phi=0.85,gain=exponential", {"phi": 0.85, "kind": "exponential"}),
    ("D-RBP", "phi=0.85,gain=exponential", {"phi": 0.85, "kind": "exponential"}),
    ("RBP", "phi=0.85,gain=exponential", {"phi": 0.85, "kind": "exponential"}),
    ("DIN#-nDCG", "gain=exponential,gamma=0.2", {"kind": "exponential", "gamma": 0.2}),
    ("D#-nDCG", "gamma=0.2", {"gamma": 0.2}),
    ("D#-ERR", "gamma=0", {"gamma": 0}),
    ("D#-RBP", "gamma=1", {"gamma": 1}),
    *(
        (name, "gain=exponential", {"kind": "exponential"})
        for name in ("nDCG-IA", "D-nDCG", "DIN-nDCG", "nDCG")
    ),
    *(
        (name, "gain=exponential,beta=0.3", {"kind": "exponential", "beta": 0.3})
        for name in (
            "Q-IA",
            "D-Q",
            "DIN-Q",
            "Q",
            "P+Q",
            "P+",
            "P+Q#",
            "D#-Q",
            "DIN#-Q",
            "EBR-IA",
            "D-EBR",
            "EBR",
        )
    ),
    ("alpha-nDCG-IS", "alpha=0.3", {"alpha": 0.3}),
    ("nDCG-IS", "gain=exponential", {"kind": "exponential"}),
    ("D#-Q-IS", "gain=exponential,gamma=0.2,beta=3", {"kind": "exponential", "gamma": 0.2, "beta": 3}),
    ("NRBP-IS", "beta=0.9", {"beta": 0.9}),
    ("S-precision", "level=0.5", {"level": 0.5}),
    ("S-precision", "level=0.1", {"level": 0.1}),
    ("WS-precision", "level=0.7", {"level": 0.7}),
    ("WS-precision", "a=0.3", {"a": 0.3}),
    ("WS-precision", "a=0", {"a": 0}),
    ("O", "gain=exponential,beta=0.3", {"kind": "exponential", "beta": 0.3}),
    ("NCUrb-P", "alpha=0.3", {"alpha": 0.3}),
    ("NCUrb-P", "alpha=1", {"alpha": 1}),
    ("NCUrb-BR", "gain=exponential,beta=0.3,alpha=0", {"kind": "exponential", "beta": 0.3, "alpha": 0}),
]


def compare(sample: Sample, name: str, cutoff: int | None, inside: str = "", **parameters: object) -> None:
    """Every list of the sample: the library on the whole collection at once, the reference list by list."""
    label = f"{name}({inside})" if inside else name
    label += "" if cutoff is None else f"@{cutoff}"
    scores = dm.metric(label).scores(make_batch(sample.collection(), leaves=True))
    cases = cases_of(sample)
    for r, run in enumerate(sample.runs):
        for t, topic in enumerate(sample.topics):
            expected = METRICS[name](cases[run, topic.id], cutoff, **parameters)
            assert scores[t, r] == pytest.approx(expected, abs=CLOSE), (run, topic.id)


@pytest.mark.parametrize("name", [*DIVERSITY, *ADHOC, *GOLD])
@quick(30)
@given(samples(), cutoffs)
def test_equals_reference(name, sample, cutoff):
    """Cut at 1..12, most lists being shorter than 12."""
    compare(sample, name, cutoff)


@pytest.mark.parametrize("name", [name for name in [*DIVERSITY, *ADHOC, *GOLD] if name not in NEED_A_CUTOFF])
@quick(15)
@given(samples())
def test_equals_reference_without_cutoff(name, sample):
    """The whole list, and the whole ideal list."""
    compare(sample, name, None)


@pytest.mark.parametrize("ties", ["ascending", "descending"])
def test_ties_of_the_greedy_ideal(ties):
    """Their direction changes few values: these collections are made so that it changes some."""
    topic = dm.Topic("1", tuple(dm.Intent(f"t{i}", 1 / 6) for i in range(6)))
    moved = 0
    for seed in range(100):
        rng = random.Random(seed)
        judged = {doc: {t.id: int(rng.random() < 0.3) for t in topic.intents} for doc in DOCS[:8]}
        sample = Sample((topic,), {"1": judged}, {"A": {"1": list(DOCS[:8])}})
        compare(sample, "alpha-nDCG", 3, f"ties={ties}", ties=ties)
        case = cases_of(sample)["A", "1"]
        one, other = (METRICS["alpha-nDCG"](case, 3, ties=way) for way in ("ascending", "descending"))
        moved += one != pytest.approx(other, abs=CLOSE)
    assert moved >= 3


@pytest.mark.parametrize("name", INTENT_SQUARE)
@quick(15)
@given(samples(levels=2), st.none() | cutoffs)
def test_intent_square_equals_reference(name, sample, cutoff):
    """The same over second-level subtopics."""
    compare(sample, name, 5 if cutoff is None and name in NEED_A_CUTOFF else cutoff)


@pytest.mark.parametrize("name", [*DIVERSITY, *ADHOC, *GOLD])
@quick(8)
@given(samples(levels=2, childless=True), cutoffs)
def test_first_level_of_two_equals_reference(name, sample, cutoff):
    """A first-level grade is the largest among its second-level ones and its own."""
    compare(sample, name, cutoff)


@pytest.mark.parametrize("name", INTENT_SQUARE)
@quick(10)
@given(samples(levels=2, childless=True), cutoffs)
def test_leaf_self_equals_reference(name, sample, cutoff):
    """leaf=self: a first-level subtopic without children is its own only child."""
    topics, judgments = [], {t: dict(docs) for t, docs in sample.judgments.items()}
    for topic in sample.topics:
        intents = []
        for intent in topic.intents:
            own = () if intent.children else (replace(intent, probability=1.0),)
            intents.append(replace(intent, children=intent.children + own))
            if own:
                for doc, labels in judgments[topic.id].items():
                    judgments[topic.id][doc] = labels | {(intent.id, intent.id): labels[intent.id]}
        topics.append(replace(topic, intents=tuple(intents)))
    spelled_out = sample.changed(topics=tuple(topics), judgments=judgments)
    cases = cases_of(spelled_out)
    scores = dm.metric(f"{name}(leaf=self)@{cutoff}").scores(make_batch(sample.collection(), leaves=True))
    for r, run in enumerate(sample.runs):
        for t, topic in enumerate(topics):
            expected = METRICS[name](cases[run, topic.id], cutoff)
            assert scores[t, r] == pytest.approx(expected, abs=CLOSE), (run, topic.id)


@pytest.mark.parametrize(
    ("name", "inside", "parameters"), PARAMETERS, ids=lambda x: x if isinstance(x, str) else ""
)
@quick(12)
@given(samples(), samples(levels=2), cutoffs)
def test_parameters_equal_reference(name, inside, parameters, flat, deep, cutoff):
    """Parameters other than the defaults."""
    compare(deep if name in INTENT_SQUARE else flat, name, cutoff, inside, **parameters)


def test_a_topic_with_one_intent_does_not_raise_the_scale_of_ad_hoc_grades():
    """Its own grades are on the scale of intents; merged ones are floor(log2(S + 1)), here at most 1."""
    one = dm.Topic("one", (dm.Intent("a", 1.0),))
    two = dm.Topic("two", (dm.Intent("a", 0.5), dm.Intent("b", 0.5)))
    judged = {"one": {"d1": {"a": 3}}, "two": {"d1": {"a": 1, "b": 0}}}
    sample = Sample((one, two), judged, {"A": {"one": ["d1"], "two": ["d1"]}})
    for name in ("ERR", "RBP", "iRBU", "EBR"):
        compare(sample, name, 1)
    # Y = 1 for topic two: a document of grade 1 satisfies with probability (2^1 - 1)/2^1.
    assert dm.metric("ERR@1").score(sample.collection().list("A", "two")) == 0.5


def test_random_samples_contain_edge_cases():
    """The comparisons above are worth something only if the collections have in them what they claim to.

    The same collections each time: what is rare among 60 may be rarer among 60 others.
    """
    seen: Counter[str] = Counter()

    @settings(max_examples=60, derandomize=True, database=None)
    @given(samples(levels=2, childless=True, most_runs=3), samples(most_runs=3))
    def look(deep, flat):
        for sample in (deep, flat):
            seen["higher scale"] += sample.scale == 5
            all_grades = [
                g for docs in sample.judgments.values() for labels in docs.values() for g in labels.values()
            ]
            seen["negative grade"] += min(all_grades) < 0
            for (run, topic), case in cases_of(sample).items():
                good = {doc for grades in case.grades for doc, g in grades.items() if g > 0}
                seen["missing list"] += topic not in sample.runs[run]
                seen["empty list"] += sample.runs[run].get(topic) == []
                seen["never judged"] += not set(case.ranking) <= set(case.judged)
                seen["nothing relevant"] += not good
                seen["three relevant in the list"] += len(good & set(case.ranking)) >= 3
                seen["intent never covered"] += bool(good) and any(max(g.values()) <= 0 for g in case.grades)
                seen["probability 0"] += 0 in case.weights
                seen["navigational"] += "navigational" in case.kinds
                seen["no children"] += sample is deep and any(not below.weights for below in case.children)
                seen["grades up to 3"] += any(g == 3 for grades in case.grades for g in grades.values())

    look()
    rare = {what: n for what, n in seen.items() if n < 10}
    assert len(seen) == 12
    assert not rare
