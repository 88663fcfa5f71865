"""Wrong calls are told in a sentence that names the argument; what was made once stays as it is."""

from __future__ import annotations

import ast
import math
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import aggregated, charts, core, meta, parts
from divmetrics.core.batch import make_batch
from divmetrics.notebook import expressions
from tools.explore import misuse
from tools.explore.misuse import every_call, findings, right_arguments, unsound

TOPIC = dm.Topic("7", (dm.Intent("a", 1.0),))
SCORES = pd.DataFrame(
    [(r, t, "M", s) for t in "12" for r, s in (("x", 0.1), ("y", 0.4))],
    columns=["run", "topic", "metric", "score"],
)
QUERY = dm.datasets.aggregated_search(1)[0]
TWICE = pd.concat([SCORES, SCORES[["score"]]], axis=1)

WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "holm of what is no probability": (lambda: meta.holm([2, -1]), "the p-values are .*from 0 to 1"),
    "holm of words": (lambda: meta.holm(["a"]), "p-values are .*expected numbers"),
    "holm of nan": (lambda: meta.holm([math.nan]), "the p-values are .*from 0 to 1"),
    "huge differences": (lambda: meta.sign_flip_test([10**9, 1]), "too much for an exact test"),
    "differences of words": (lambda: meta.sign_flip_test(["a"]), "the differences are"),
    "a tau of text": (lambda: meta.kendall_interval("a", 10), "tau is 'a', expected a number from -1 to 1"),
    "an interval of nothing": (
        lambda: meta.kendall_interval(0.5, None),
        "n is None, expected a finite number",
    ),
    "an error of nan": (lambda: meta.detectable(math.nan), "standard error is nan"),
    "too many pairs": (
        lambda: meta.preference_tau(10**400, 1),
        "agree is .*, expected a count",
    ),
    "scores with a column twice": (lambda: meta.means(TWICE), "the column 'score' twice"),
    "a table of nothing": (lambda: meta.means(None), "the scores are of type NoneType"),
    "metrics of nan": (lambda: meta.means(SCORES, [math.nan]), "metrics is .*each text|metric nan"),
    "a gold standard of nothing": (lambda: meta.concordance(SCORES, [None]), "gold"),
    "bytes for a path": (lambda: dm.read_qrels(b"x"), "path is b'x', expected a path as text or a Path"),
    "no path": (lambda: dm.read_run(None), "is not a path; expected the path of a TREC run"),
    "a number for a metric": (lambda: dm.evaluate(dm.datasets.harry_potter(), None, 5), "metrics is 5"),
    "a number for a convention": (lambda: dm.metric("ERR-IA", 5), "convention is 5, expected text or None"),
    "a batch of no such topic": (lambda: core.make_batch(made(), ["x"]), "topic 'x' has no judgments"),
    "a batch of no such run": (lambda: core.make_batch(made(), None, ["x"]), "there is no run 'x'"),
    "a method's argument of the wrong type": (
        lambda: made().judgments("7").with_scale("3", 1),
        "Judgments.with_scale: scale is '3', expected a whole number",
    ),
    "a list for a batch": (
        lambda: dm.metric("ERR-IA").scores(dm.RankedList(TOPIC, ["d"], {})),
        "BaseMetric.scores: batch is .*expected a Batch",
    ),
    "a level that does not exist": (lambda: made().on_level(3), "level is 3"),
    "an array of three axes": (
        lambda: core.Batch(("7",), np.zeros((1, 1, 1)), *[np.zeros((1, 1))] * 4, 1, 1),
        "linear has 3 axes, expected 4",
    ),
    "text to be summed": (lambda: core.exclusive_cumsum(np.array(["a"])), "x holds <U1 in 1 axes"),
    "a number without axis": (lambda: core.exclusive_cumprod(np.array(2.0)), "x holds float64 in 0 axes"),
    "a negative depth": (lambda: make_batch(made()).cut(-1), "depth is -1"),
    "a metric with a number for a part": (
        lambda: dm.Metric("m", N=1, f=parts.One(), w=parts.One(), M=parts.Relevant()),
        "m: N is 1, expected a part",
    ),
    "a metric of rank 0": (lambda: core.BaseMetric("m", cutoff=0), "m: the cutoff is 0"),
    "a metric without a name": (lambda: dm.metric("ERR-IA").with_name(3), "name is 3, expected text"),
    "a word for a gain": (lambda: parts.Graded("linear"), "Graded: gain is 'linear', expected a part"),
    "a class for a part": (lambda: parts.Cascade(parts.Satisfaction), "Cascade: R is .*expected a part"),
    "a product with a number": (lambda: parts.Relevant() * 5, "Product: second is 5, expected a part"),
    "a weight of text": (lambda: "a" * dm.metric("ERR-IA"), "the weight is 'a', expected a number"),
    "an expression of a number": (
        lambda: parts.WrittenWeight(5),
        "WrittenWeight: source is 5, expected text",
    ),
    "a negative seed": (
        lambda: dm.check("ERR-IA", dm.RankedList(TOPIC, ["d"], {}), seed=-1),
        "seed is -1",
    ),
    "an order of ranked ids": (lambda: dm.load_runs({"q": ["d"]}, "x"), "order is 'x', expected one of"),
    "a gain that no metric reads": (
        lambda: dm.evaluate(dm.datasets.harry_potter(), None, "ERR-IA", gain="x"),
        "gain is 'x', expected one of linear, exponential",
    ),
    "pages without queries": (lambda: dm.read_pages("p.json", []), "there are no queries"),
    "a block in no order": (lambda: aggregated.Block("web", {"w1"}), "items is .*a set has no order"),
    "a vertical of text": (lambda: aggregated.Vertical("news", 0.8, ["n1"]), "each an Item"),
    "ties in no order": (
        lambda: core.greedy_order(make_batch(made()).judged, dm.metric("alpha-nDCG"), "x", 1),
        "ties is 'x', expected one of ascending, descending",
    ),
    "a grade that the figure lacks": (lambda: dm.datasets.sakai2012(7), "j_at_rank_2 is 7.*at most 3"),
    "a key of more values than marks": (
        lambda: charts.marks_with_key("run", dict.fromkeys("abcdefghijk", "x")),
        "words has 11 values, expected 1 to 10",
    ),
    "a key of nothing": (lambda: charts.marks_with_key("run", {}), "words has 0 values"),
    "a column of no name": (lambda: expressions.meanings("x"), "column is 'x', expected one of"),
    "an argument passed on": (
        lambda: core.is_first_relevant([0, 1]),
        r"is_first_relevant: relevant is \[0, 1\], expected a ndarray",
    ),
    "grades for relevance": (
        lambda: core.is_first_relevant(np.array([0, 2, 1])),
        "relevant holds int64, expected bool; give grades > 0",
    ),
    "intents without subtopics, treated in no way": (
        lambda: core.split_by_intent(make_batch(made()), "Self"),
        "leaf is 'Self', expected one of refuse, self",
    ),
    "a list of numbers": (lambda: dm.RankedList(TOPIC, 5, {}), "docs is 5, expected several, each text"),
    "judgments of text": (lambda: dm.RankedList(TOPIC, ["d"], "x"), "judgments is 'x'"),
    "intents of text": (lambda: dm.Topic("7", ("a", "b")), r"intents is \('a', 'b'\), expected several"),
    "an explanation of text": (
        lambda: dm.explain("ERR-IA@5", "x"),
        "'x' comes without a run and a topic; give a RankedList, or judgments",
    ),
    "pools of text": (lambda: dm.Collection("x"), "pools is 'x', expected a Mapping"),
    "documents of nothing": (
        lambda: dm.Run.of("r", None),
        "Run.of: lists is None, expected a Mapping|Mapping",
    ),
    "a class method": (lambda: dm.Collection.of(None, {}), "Collection.of: topics is None, expected several"),
    "a topic of text": (lambda: dm.Judgments.of("x", {}), "Judgments.of: topic is 'x', expected a Topic"),
    "grades in a list": (lambda: dm.RankedList(TOPIC, ["d"], {"d": ["a"]}), "judgments is {'d': .*expected"),
    "spans of text": (lambda: dm.Run("r", ["d"], {"7": ["a", "b"]}), "spans is {'7': .*expected"),
    "wins of another table": (lambda: meta.wins(SCORES), "no column better, difference; expected the table"),
    "topics without end": (lambda: dm.datasets.aggregated_search(10**400), "at most 1,000,000"),
    "pages without end": (lambda: aggregated.best_page(QUERY, "AS_DCG", 10**400), "at most 1,000,000,000"),
    "an id that is a number": (lambda: dm.Topic(7, ()), "Topic: id is 7, expected text"),
    "an intent less probable than 0": (lambda: dm.Intent("a", -1), "intent 'a' has probability -1, expected"),
    "an intent more probable than 1": (lambda: dm.Topic("7", (dm.Intent("a", 2),)), "sum to 2, expected 1"),
    "a document that is a number": (
        lambda: dm.Run.of("r", {"7": ["d", 5]}),
        "list r, topic 7: the document at rank 2 is 5, expected its id as text",
    ),
    "letters for documents": (lambda: dm.RankedList(TOPIC, "xyz", {}), "documents are a single text"),
    "letters for documents of a run": (lambda: dm.Run.of("r", {"7": "xyz"}), "documents are a single text"),
    "documents without an order": (lambda: dm.RankedList(TOPIC, {"d", "e"}, {}), "a set, which has no order"),
    "metrics without an order": (
        lambda: dm.evaluate(made(), None, {"P-IA@1", "ERR-IA@1"}),
        "metrics is {.*, expected a metric or several in an order; a set has no order",
    ),
    "one name where several are asked": (
        lambda: charts.run_rankings(meta.means(SCORES), "M", marks="x"),
        "marks is 'x', expected several in an order",
    ),
    "no run in a collection": (lambda: dm.Collection({}, {"r": None}), "runs is {'r': None}, expected"),
    "a tie less than nothing": (lambda: meta.kendall([1, 2], [1, 2], tie=-1), "tie is -1, expected"),
    "decimals less than none": (
        lambda: meta.kendall_interval(0.5, 10, decimals=-1),
        "decimals is -1, expected a whole number of at least 0",
    ),
    "bytes for a spread": (lambda: dm.datasets.Recipe(intents=b"xyz"), "intents is b'xyz', expected"),
    "systems less than none": (lambda: dm.datasets.default_systems(-1), "count is -1, expected"),
    "grades of another shape": (
        lambda: dm.Judgments(TOPIC, ("d",), np.zeros((2, 1), dtype=int)),
        r"shape \(2, 1\).*expected whole numbers of the shape \(1, 1\)",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_calls_raise_one_sentence(what: str) -> None:
    call, pattern = WRONG[what]
    with pytest.raises(dm.DivmetricsError, match=pattern) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_a_name_that_no_argument_has_is_answered_with_the_one_that_was_meant() -> None:
    with pytest.raises(dm.DivmetricsError, match=r"^means: no argument is called 'confidnce' .*'confidence'"):
        meta.means(SCORES, confidnce=0.9)  # type: ignore[call-arg]
    with pytest.raises(dm.DivmetricsError, match=r"^Topic: no .* 'purpose'; expected one of id, "):
        dm.Topic("7", (), purpose="inf")  # type: ignore[call-arg]


@pytest.mark.parametrize("function", [dm.evaluate, dm.compare, dm.load_collection])
@pytest.mark.parametrize("name", ["intents", "probabilities"])
def test_separate_intents_are_refused_with_the_right_argument(function: Any, name: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=f"no argument is called '{name}'; .* topics=") as error:
        function({}, {}, ["P-IA@1"], **{name: {"7": {"film": 0.6, "book": 0.4}}})
    # What the sentence shows as an example is one.
    example = ast.literal_eval(str(error.value).split("such as ")[1])
    collection = dm.load_collection({"7": {"d": {"film": 1}}}, example)
    assert [intent.probability for intent in collection.topics[0].intents] == [0.6, 0.4]


def test_arguments_too_many_or_missing_are_told_by_python() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        meta.holm()  # type: ignore[call-arg]


def test_the_explorer_calls_everything_and_finds_nothing_here() -> None:
    calls = every_call(right_arguments())
    assert len({label for label, *_ in calls}) > 90
    assert [str(finding) for finding in findings(seed=5, tries=40)] == []


@dataclass
class Holds:
    number: float


def test_the_explorer_looks_at_results() -> None:
    run = made().runs["r"]
    assert unsound(run) == unsound(made()) == ""
    object.__setattr__(run, "docs", ("d", "d"))
    assert "lists" in unsound(run)
    assert unsound(math.nan) == "gives nan"
    for holds in (
        [[math.inf]],
        {"p": np.array([math.nan])},
        pd.DataFrame({"x": [math.nan]}),
        Holds(math.nan),
    ):
        assert "gives" in unsound(holds)
    assert unsound([0.0, 2.0]) == "" != unsound([0.0, 2.0], probable=True)


def planted(
    docs: Iterable[str],
    lists: Mapping[str, Sequence[str]],
    name: str | Sequence[str],
    p_values: Sequence[float],
) -> int:
    """What answers whatever it gets."""
    return 0


def test_the_explorer_finds_answers_to_what_should_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misuse, "callables", lambda: {"f": planted})
    sentences = [str(finding) for finding in findings(seed=0, tries=10**6)]
    assert "f(docs='xyz'): answered, although it got text for several" in sentences
    assert "f(docs={1, 2}): answered, although it got a set, which has no order" in sentences
    assert "f(lists={'x': 'xyz'}): answered, although it got text for several" in sentences
    assert "f(p_values=[2, -1]): answered, although it got 2 for a probability" in sentences
    assert "f(p_values=[nan]): answered, although it got nan for a probability" in sentences
    assert not any("name='xyz'" in each or "docs=['x', 'x']" in each for each in sentences)


def test_ordered_arguments_are_accepted() -> None:
    """The keys of a mapping are a set to Python, but they are in order."""
    docs = {"d": 1, "e": 2}.keys()
    assert dm.RankedList(TOPIC, docs, {}).docs == dm.Run.of("r", {"7": docs}).list("7") == ("d", "e")
    numbered = SCORES.assign(run=SCORES["run"].map({"x": 1, "y": 2}))
    assert meta.compare_runs(numbered, 1, 2)["better"].tolist() == ["2", "2"]


def test_a_defect_of_ours_stays_a_traceback() -> None:
    """A function that fails although every argument fits is not blamed on its caller."""
    with pytest.raises(ZeroDivisionError):
        meta.apply_per_value(SCORES, "topic", lambda part: 1 / 0)


def made() -> dm.Collection:
    return dm.Collection.of([TOPIC], {"7": {"d": {"a": 2}}}, {"r": {"7": ["d", "e"]}})


def test_objects_are_immutable() -> None:
    collection = made()
    pool, run, seen = collection.pools["7"], collection.runs["r"], make_batch(collection)
    with pytest.raises(TypeError):
        collection.pools["8"] = pool  # type: ignore[index]
    with pytest.raises(TypeError):
        del collection.runs["r"]  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        run.spans["7"] = (0, 1)  # type: ignore[index]
    for array in (pool.grades, seen.linear, seen.probability, seen.judged.linear):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert dm.metric("P-IA@1").score(collection.list("r", "7")) == 1.0


def test_inputs_may_change_after_construction() -> None:
    grades, docs, spans = np.array([[2]]), ["d", "e"], {"7": (0, 2)}
    pool = dm.Judgments(TOPIC, ("d",), grades, scale=2)
    run = dm.Run("r", docs, spans)
    pools = {"7": pool}
    collection = dm.Collection(pools, {"r": run})
    grades[...] = 0
    docs.clear()
    spans.clear()
    pools.clear()
    assert collection.list("r", "7").docs == ("d", "e")
    assert collection.pools["7"].labels("d") == {"a": 2}


def test_a_collection_can_be_sent_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(made()))
    assert again.list("r", "7").docs == ("d", "e")
    assert again.pools["7"].labels("d") == {"a": 2}
