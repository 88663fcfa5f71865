"""reader_mix: its lines are the library's scores, and what it says of the shares holds at every share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core.tolerances import compare_scores
from divmetrics.research.counterfactual import ReaderMix
from divmetrics.research.counterfactual.user_mix import with_intent_share
from tests.support.strategies import quick, samples

METRICS = (
    "ERR-IA@5", "nDCG-IA@5", "D#-nDCG@5", "D-nDCG@3", "D-ERR@5", "D-Q", "alpha-nDCG@5", "I-rec@3", "P+Q",
    "DIN#-nDCG@5", "RBU@5", "NRBP", "AP-IA@4", "D-nDCG(gain=exponential)@4",
)  # fmt: skip
TWO_LEVELS = ("ERR-IS@5", "nDCG-IS@5", "D#-nDCG@5")
NEAR = 2e-6  # of a share that words name: there, anything may be preferred
Pair = tuple[dm.RankedList, dm.RankedList]


@st.composite
def pairs(draw: st.DrawFn, levels: int = 1) -> Pair:
    """Two lists of a topic with at least two intents."""
    sample = draw(samples(levels=levels, most_topics=1, most_runs=2, most_intents=5))
    assume(len(sample.topics[0].intents) > 1 and len(sample.runs) == 2)
    collection = sample.collection()
    pool = next(iter(collection.pools.values()))
    a, b = (run.list(pool.topic.id) for run in collection.runs.values())
    return dm.RankedList(pool.topic, a, pool, "A"), dm.RankedList(pool.topic, b, pool, "B")


def at(pair: Pair, intent: str, share: float) -> Pair:
    """The same lists, read by other readers."""
    a, b = pair
    topic = with_intent_share(a.topic, intent, share)
    return dm.RankedList(topic, a.docs, a.judgments), dm.RankedList(topic, b.docs, b.judgments)


def preferences(mix: ReaderMix, share: float) -> set[str]:
    """What the mix says is preferred at a share; near the shares that it names, whatever is around."""
    near = {side for point, side in mix.points if abs(point - share) <= NEAR}
    around = {s.prefers for s in mix.spans if s.low - NEAR <= share <= s.high + NEAR}
    return near | around | ({""} if len(around) > 1 else set())


def preferred(pair: Pair, metric: str, intent: str, shares: np.ndarray) -> list[tuple[float, float]]:
    return [
        (dm.metric(metric).score(a), dm.metric(metric).score(b))
        for a, b in (at(pair, intent, float(s)) for s in shares)
    ]


@quick(60)
@given(pair=pairs(), share=st.floats(0, 1))
def test_other_readers_keep_the_sum_and_the_proportions_of_the_others(pair: Pair, share: float) -> None:
    topic = pair[0].topic
    chosen, *others = topic.intents
    changed = with_intent_share(topic, chosen.id, share)
    assert sum(t.probability for t in changed.intents) == pytest.approx(1)
    assert changed.intents[0].probability == pytest.approx(share)
    rest = sum(t.probability for t in others)
    for before, after in zip(others, changed.intents[1:], strict=True):
        wanted = before.probability / rest if rest else 1 / len(others)
        assert after.probability == pytest.approx(wanted * (1 - share))
        assert replace(after, probability=before.probability) == before


def test_other_readers_keep_a_sum_that_is_not_quite_1() -> None:
    topic = dm.Topic("1", (dm.Intent("a", 0.3), dm.Intent("b", 0.6995)))
    assert sum(t.probability for t in with_intent_share(topic, "a", 0.7).intents) == pytest.approx(0.9995)


@quick(40)
@given(pair=pairs(), data=st.data())
def test_the_lines_are_the_scores_at_every_share(pair: Pair, data: st.DataObject) -> None:
    metric = data.draw(st.sampled_from(METRICS))
    intent = data.draw(st.sampled_from([t.id for t in pair[0].topic.intents]))
    mix = dm.reader_mix(metric, *pair, intent, points=11)
    assert mix.shares[0] == 0
    assert mix.shares[-1] == 1
    assert (np.diff(mix.shares) > 0).all()
    assert mix.now in mix.shares
    for place in data.draw(st.lists(st.integers(0, len(mix.shares) - 1), max_size=8)):
        (scores,) = preferred(pair, metric, intent, mix.shares[place : place + 1])
        assert (mix.a[place], mix.b[place]) == pytest.approx(scores, abs=1e-12)


@pytest.mark.parametrize(("levels", "metrics"), [(1, METRICS), (2, TWO_LEVELS)])
@quick(30)
@given(data=st.data())
def test_words_hold_at_every_share_of_a_fine_grid(
    levels: int, metrics: tuple[str, ...], data: st.DataObject
) -> None:
    pair = data.draw(pairs(levels=levels))
    metric = data.draw(st.sampled_from(metrics))
    intent = data.draw(st.sampled_from([t.id for t in pair[0].topic.intents]))
    mix = dm.reader_mix(metric, *pair, intent)
    shares = np.unique([0, 1, *np.linspace(0.0007, 0.9993, 799)])
    topic, lists = pair[0].topic, [ranked.docs for ranked in pair]
    pools = {
        f"{i}": replace(
            pair[0].judgments, topic=replace(with_intent_share(topic, intent, float(s)), id=f"{i}")
        )
        for i, s in enumerate(shares)
    }
    runs = [dm.Run.of(f"{r}", dict.fromkeys(pools, docs)) for r, docs in enumerate(lists)]
    batch = dm.core.batch.make_batch(dm.Collection(pools).with_runs(runs), leaves=True)
    for share, (a, b) in zip(shares, dm.metric(metric).scores(batch), strict=True):
        side = {1: "A", 0: "", -1: "B"}[compare_scores(a, b)]
        assert side in preferences(mix, float(share)), (metric, intent, share, a, b, mix.words)


@quick(30)
@given(data=st.data())
def test_preference_differs_on_both_sides_of_a_crossing(data: st.DataObject) -> None:
    """On its two sides the preference differs, and so it is said."""
    pair = data.draw(pairs())
    metric = data.draw(st.sampled_from(METRICS))
    intent = data.draw(st.sampled_from([t.id for t in pair[0].topic.intents]))
    mix = dm.reader_mix(metric, *pair, intent)
    assert mix.spans[0].low == 0
    assert mix.spans[-1].high == 1
    for crossing, before, after in zip(mix.crossings, mix.spans, mix.spans[1:], strict=False):
        assert before.high == after.low == crossing.share
        assert (before.prefers, after.prefers) == (crossing.below, crossing.above)
        assert crossing.below != crossing.above
        around = preferred(pair, metric, intent, np.array([crossing.share - 6e-5, crossing.share + 6e-5]))
        sides = [{1: "A", 0: "", -1: "B"}[compare_scores(*scores)] for scores in around]
        if before.high - before.low > 2e-4 < after.high - after.low:
            assert sides == [crossing.below, crossing.above]
        assert mix.format_share(crossing.share) in mix.words


def page(grades: dict[str, dict[str, int]], a: list[str], b: list[str], *probabilities: float) -> Pair:
    names = ("film", "book", "game")[: len(probabilities)]
    topic = dm.Topic("1", tuple(map(dm.Intent, names, probabilities)))
    pool = dm.Judgments.of(topic, grades)
    return dm.RankedList(topic, a, pool, "A"), dm.RankedList(topic, b, pool, "B")


FILM, BOOK = {"f": {"film": 1}, "g": {"film": 1}}, {"b": {"book": 1}, "c": {"book": 1}}


def test_two_lines_that_cross_once() -> None:
    pair = page({**FILM, **BOOK}, ["f", "g"], ["b"], 0.5, 0.5)
    mix = dm.reader_mix("P-IA@2", *pair, "film")
    (crossing,) = mix.crossings  # p = (1 - p) / 2
    assert crossing.share == pytest.approx(1 / 3, abs=1e-6)
    assert not crossing.jumps
    assert mix.words == "B wins below 33.3 % film readers, A above."


@pytest.mark.parametrize(
    ("metric", "a", "b", "words"),
    [
        ("ERR-IA@2", ["f"], ["b"], "B wins below 50 % film readers, A above."),
        ("ERR-IA@2", ["f"], [], "A wins at every share of film readers except 0 %, where they tie."),
        (
            "ERR-IA@2",
            ["b"],
            [],
            "A wins at every share of film readers except 100 %, where they tie.",
        ),
        ("ERR-IA@2", ["f", "b"], ["f", "c"], "A and B tie at every share of film readers."),
        (
            "I-rec@2",
            ["f", "b"],
            ["f"],
            "A wins at every share of film readers. The share changes neither score.",
        ),
    ],
)
def test_the_words(metric: str, a: list[str], b: list[str], words: str) -> None:
    assert dm.reader_mix(metric, *page({**FILM, **BOOK}, a, b, 0.4, 0.6), "film").words == words


def test_several_crossings() -> None:
    """The ideal list depends on the share, so the lines are not straight."""
    grades = {
        "d1": {"film": 1, "book": 2},
        "d2": {"film": 2, "book": 2, "game": 2},
        "d5": {"film": 2, "book": 1},
        "d6": {"game": 2},
    }
    pair = page(grades, ["d1"], ["d3", "d2"], 0.313, 0.271, 0.416)
    mix = dm.reader_mix("D-Q@4", *pair, "film")
    assert mix.words == "A wins below 28.3 % film readers, B from 28.3 % to 29.2 %, A above 29.2 %."
    middles = [sum((s.low, s.high)) / 2 for s in mix.spans]
    scores = preferred(pair, "D-Q@4", "film", np.array(middles))
    assert ["A" if a > b else "B" for a, b in scores] == ["A", "B", "A"]


def test_jumps_are_named() -> None:
    """A metric of one's own whose scores change places at once."""
    from dataclasses import dataclass

    from divmetrics.parts import One, Relevant

    @dataclass(frozen=True)
    class Majority:
        def __call__(self, view: dm.core.Batch) -> np.ndarray:
            return (view.probability > 0.5).astype(float)[:, None, :, None]

    metric = dm.Metric("majority", N=One(), f=Majority(), w=One(), M=Relevant())
    pair = page({**FILM, **BOOK}, ["f"], ["b"], 0.3, 0.7)
    mix = dm.reader_mix(metric, *pair, "film")
    (crossing,) = mix.crossings
    assert crossing.jumps
    assert mix.words == "B wins below 50 % film readers, A above. The scores jump at 50 %."


def test_the_words_tell_shares_apart_that_are_near() -> None:
    grades = {f"f{i}": {"film": 1} for i in range(1000)} | {"b": {"book": 1}}
    pair = page(grades, [f"f{i}" for i in range(999)], ["b"], 0.4, 0.6)
    mix = dm.reader_mix("P-IA@1000", *pair, "film")
    assert mix.words == "B wins below 0.1 % film readers, A above."


@pytest.mark.parametrize(
    ("intent", "metric", "sentence"),
    [
        ("movie", "ERR-IA@2", "'movie' is not an intent of the topic"),
        ("film", "P-IA", "needs a cutoff"),
        ("film", "ERR-IAA@2", "ERR-IA"),
    ],
)
def test_invalid_arguments_raise_one_sentence(intent: str, metric: str, sentence: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=sentence):
        dm.reader_mix(metric, *page({**FILM, **BOOK}, ["f"], ["b"], 0.4, 0.6), intent)


def test_topic_of_one_intent_is_rejected() -> None:
    with pytest.raises(dm.DivmetricsError, match="only one intent"):
        dm.reader_mix("ERR-IA@2", *page(FILM, ["f"], ["g"], 1.0), "film")
