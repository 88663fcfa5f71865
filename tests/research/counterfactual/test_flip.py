"""flip finds the smallest edit: what every single and double edit does is tried here one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core.tolerances import compare_scores
from divmetrics.research.counterfactual import Flip, Goal, Move, NoFlip, Regrade, flip, search
from divmetrics.research.counterfactual.edits import apply_regrades
from tests.support.strategies import quick

METRICS = ("ERR-IA@5", "D#-nDCG@5", "alpha-nDCG@5", "I-rec@3", "P+Q", "AP-IA@4", "RBU@5", "NRBP")
Labels = dict[str, dict[str, int]]


@st.composite
def pages(draw: st.DrawFn) -> tuple[dm.RankedList, dm.RankedList]:
    """Two lists of up to four of at most six documents."""
    intents = draw(st.integers(1, 3))
    kinds = draw(st.lists(st.sampled_from(["informational", "navigational"]), min_size=3, max_size=3))
    topic = dm.Topic("1", tuple(dm.Intent(f"t{i}", 1 / intents, kinds[i]) for i in range(intents)))
    docs = [f"d{i}" for i in range(draw(st.integers(2, 6)))]
    grades = st.dictionaries(
        st.sampled_from([t.id for t in topic.intents]), st.integers(0, 2), max_size=intents
    )
    judged = {doc: draw(grades) for doc in draw(st.sets(st.sampled_from(docs), min_size=1))}
    a, b = (draw(st.permutations(docs))[: draw(st.integers(1, 4))] for _ in "AB")
    pool = dm.Judgments.of(topic, judged, scale=2)
    return dm.RankedList(topic, a, pool, "A"), dm.RankedList(topic, b, pool, "B")


def moves(docs: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every list one move away, with the ranks that the document goes."""
    for i, j in product(range(len(docs)), repeat=2):
        if i != j:
            left = [doc for doc in docs if doc != docs[i]]
            left.insert(j, docs[i])
            yield abs(i - j), tuple(left)


def of_moves(docs: tuple[str, ...], count: int) -> dict[tuple[str, ...], int]:
    """The lists that take exactly so many moves, with the fewest steps."""
    edits_of = {docs: 0}
    reachable = {docs: 0}
    for _ in range(count):
        reachable = {}
        for before, steps in edits_of.items():
            for more, after in moves(before):
                if after not in edits_of:
                    reachable[after] = min(reachable.get(after, 99), steps + more)
        edits_of = {**reachable} if count == 1 else {**edits_of, **reachable}
    return {after: steps for after, steps in reachable.items() if after != docs}


def brute(
    metric: str, keep: tuple[str, ...], a: dm.RankedList, b: dm.RankedList, grades: bool
) -> tuple[int, int, int] | None:
    """(edits, new grades, steps) of the smallest edit of at most two, by trying all."""
    topic, scale = a.topic, a.judgments.scale
    docs = list(dict.fromkeys((*a.docs, *b.docs)))
    labels = {doc: {t.id: a.judgments.labels(doc).get(t.id, 0) for t in topic.intents} for doc in docs}
    every = {doc: a.judgments.labels(doc) for doc in a.judgments.docs}
    cells = [(doc, t.id) for doc in docs for t in topic.intents]

    def page_of(
        first: tuple[str, ...], second: tuple[str, ...], new: dict[tuple[str, str], int]
    ) -> list[int]:
        judged = {doc: {**every.get(doc, {})} for doc in {*every, *(doc for doc, _ in new)}}
        for (doc, intent), grade in new.items():
            judged[doc][intent] = grade
        pool = dm.Judgments.of(topic, judged, scale=scale).with_scale(scale, a.judgments.adhoc_scale)
        lists = dm.RankedList(topic, first, pool), dm.RankedList(topic, second, pool)
        return [compare_scores(*(dm.metric(name).score(one) for one in lists)) for name in (metric, *keep)]

    before = page_of(a.docs, b.docs, {})
    wanted = [-before[0], *before[1:]]
    for edits in (1, 2):
        for graded in range(edits + 1 if grades else 1):
            moved = edits - graded
            sizes = []
            for chosen in combinations(cells, graded):
                for new in product(*([g for g in range(scale + 1) if g != labels[d][i]] for d, i in chosen)):
                    change = sum(abs(g - labels[d][i]) for g, (d, i) in zip(new, chosen, strict=True))
                    for in_a in range(moved + 1):
                        ways_a, ways_b = of_moves(a.docs, in_a), of_moves(b.docs, moved - in_a)
                        ways_a = ways_a if in_a else {a.docs: 0}
                        ways_b = ways_b if moved - in_a else {b.docs: 0}
                        for (first, s1), (second, s2) in product(ways_a.items(), ways_b.items()):
                            if page_of(first, second, dict(zip(chosen, new, strict=True))) == wanted:
                                sizes.append(change + s1 + s2)
            if sizes:
                return edits, graded, min(sizes)
    return None


def size(result: Flip) -> tuple[int, int, int]:
    regrades = [edit for edit in result.edits if isinstance(edit, Regrade)]
    steps = sum(abs(e.start - e.end) if isinstance(e, Move) else abs(e.new - e.old) for e in result.edits)
    return len(result.edits), len(regrades), steps


@quick(30)
@given(page=pages(), data=st.data())
def test_flip_equals_brute_force_over_one_and_two_edits(
    page: tuple[dm.RankedList, dm.RankedList], data: st.DataObject
) -> None:
    a, b = page
    metric = data.draw(st.sampled_from(METRICS))
    keep = tuple(data.draw(st.sets(st.sampled_from(METRICS), max_size=1)) - {metric})
    assume(compare_scores(dm.metric(metric).score(a), dm.metric(metric).score(b)))
    grades = data.draw(st.booleans())
    assume(not grades or len(a) + len(b) <= 4)  # tried one by one in seconds, not minutes
    result = flip(metric, a, b, keep=keep, grades=grades)
    assert result.exact
    assert (size(result) if result else None) == brute(metric, keep, a, b, grades)


def page(a: str, b: str, **labels: str) -> tuple[dm.RankedList, dm.RankedList]:
    """Lists as "d1 d2"; labels as d1="film:2 book:1"."""
    topic = dm.Topic("1", (dm.Intent("film", 0.5), dm.Intent("book", 0.3), dm.Intent("game", 0.2)))
    judged = {
        doc: {intent: int(grade) for intent, _, grade in (label.partition(":") for label in text.split())}
        for doc, text in labels.items()
    }
    first = dm.RankedList(topic, a.split(), judged, "A")
    return first, first.reordered(b.split(), "B")


LISTS = page(
    "d1 d2 d3 d4", "d3 d1 d4 d2", d1="film:2", d2="film:1 game:1", d3="book:1", d4="game:2", d5="book:2"
)


def done(edits: tuple[Move | Regrade, ...], lists: tuple[dm.RankedList, dm.RankedList]) -> list[list[str]]:
    """The lists after the moves, made one after the other by hand."""
    docs = {side: list(ranked.docs) for side, ranked in zip("AB", lists, strict=True)}
    for edit in edits:
        if isinstance(edit, Move):
            assert docs[edit.side].pop(edit.start - 1) == edit.doc
            docs[edit.side].insert(edit.end - 1, edit.doc)
    return [docs["A"], docs["B"]]


@quick(40)
@given(page=pages(), data=st.data())
def test_its_edits_lead_to_the_lists_after_it(
    page: tuple[dm.RankedList, dm.RankedList], data: st.DataObject
) -> None:
    metric = dm.metric(data.draw(st.sampled_from(METRICS)))
    assume(compare_scores(*map(metric.score, page)))
    result = flip(metric, *page)
    if not result:
        assert f"flips {metric}" in repr(result)
        return
    assert done(result.edits, page) == [list(ranked.docs) for ranked in result.after]
    pool = result.after[0].judgments
    for edit in result.edits:
        if isinstance(edit, Regrade):
            assert page[0].judgments.labels(edit.doc).get(edit.intent, 0) == edit.old
            assert pool.labels(edit.doc).get(edit.intent, 0) == edit.new
    was, now = result.scores[metric]
    assert was == tuple(map(metric.score, page))
    assert compare_scores(*was) == -compare_scores(*now)
    progress = Goal(metric, edits=2, grades=True).progress(page, result.after)
    assert progress.reached
    assert progress.edits == len(result.edits)


def test_words_say_what_to_do_and_what_it_flips() -> None:
    result = flip("ERR-IA@3", *LISTS, keep="I-rec@1")
    assert result
    assert result.words == (
        "Move d1 in B up from rank 2 to rank 1: ERR-IA@3 then prefers B (0.4625 against 0.4406 for A) "
        "instead of A (0.4406 against 0.3125 for B). I-rec@1 still prefers neither (0.3333 both). Exact: all "
        "18 pages with no more edits were compared."
    )
    assert str(result).startswith(result.words)
    assert "<table" in result._repr_html_()


def test_no_flip_is_reported() -> None:
    lists = page("d1 d2", "d2 d1", d1="film:1", d2="film:1 book:1")
    result = flip("ERR-IA@2", *lists, grades=False, keep="I-rec@1")
    assert isinstance(result, NoFlip)
    assert result.exact
    assert repr(result) == (
        "No edit of at most 2 moves flips ERR-IA@2 and leaves I-rec@1: all 3 pages were compared."
    )
    alone = flip("ERR-IA@2", *lists, grades=False, keep="I-rec@1", edits=1)
    assert repr(alone) == "No single move flips ERR-IA@2 and leaves I-rec@1: all 2 pages were compared."


def test_a_small_budget_proves_nothing() -> None:
    docs = [f"d{i:02d}" for i in range(30)]
    topic = dm.Topic("1", (dm.Intent("film", 1.0),))
    judged = {doc: {"film": int(i < 12)} for i, doc in enumerate(docs)}
    a = dm.RankedList(topic, docs, judged, "A")
    result = flip("nDCG-IA@30", a, a.reordered(docs[::-1], "B"), budget=500)
    assert not result
    assert not result.exact
    assert "That proves nothing; try a larger budget." in repr(result)


@pytest.mark.parametrize("budget", [1, 3, 10, 100, 1000])
def test_no_more_lists_are_scored_than_the_budget_allows(
    budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored = []

    def counted(pages: search._Pages, graded: list[dm.Judgments], lists: list[tuple[str, ...]]) -> np.ndarray:
        scored.append(len(graded) * len(lists))
        return score(pages, graded, lists)

    score = search._Pages._scores
    monkeypatch.setattr(search._Pages, "_scores", counted)
    result = flip(
        "ERR-IA@5", *(dm.datasets.harry_potter().list(run, "0083") for run in "AB"), edits=3, budget=budget
    )
    assert not result
    assert not result.exact
    assert scored[0] == 2
    assert sum(scored[1:]) <= budget


def test_a_document_that_was_never_judged_can_be_graded() -> None:
    lists = page("d9", "d1", d1="film:1", d2="film:2")
    result = flip("ERR-IA@1", *lists, edits=1)
    assert result
    assert result.edits == (Regrade("d9", "film", 0, 2),)
    assert result.after[0].judgments.labels("d9") == {"film": 2}


def test_with_second_level_subtopics_documents_are_only_moved() -> None:
    children = (dm.Intent("x", 0.5), dm.Intent("y", 0.5))
    topic = dm.Topic("1", (dm.Intent("film", 1.0, children=children),))
    pool = dm.Judgments.of(topic, {"d1": {("film", "x"): 1}, "d2": {("film", "y"): 1, ("film", "x"): 1}})
    a = dm.RankedList(topic, ["d2", "d1"], pool, "A")
    result = flip("ERR-IS@1", a, a.reordered(["d1", "d2"], "B"))
    assert result
    assert all(isinstance(edit, Move) for edit in result.edits)


def test_grades_change_if_only_the_first_level_is_judged() -> None:
    children = (dm.Intent("x", 0.5), dm.Intent("y", 0.5))
    topic = dm.Topic("1", (dm.Intent("film", 1.0, children=children),))
    pool = dm.Judgments(topic, ("d1", "d2"), np.array([[1, 0]]))
    a = dm.RankedList(topic, ["d1"], pool, "A")
    result = flip("ERR-IA@1", a, a.reordered(["d2"], "B"))
    assert result
    assert {type(edit) for edit in result.edits} == {Regrade}


def test_lists_that_differ_on_the_second_level_only_are_refused() -> None:
    a, b = with_subtopics(1, 0), with_subtopics(0, 1)
    assert (a.judgments.grades == b.judgments.grades).all()
    for refuse in (lambda: flip("ERR-IS@1", a, b), lambda: dm.reader_mix("ERR-IS@1", a, b, "film")):
        with pytest.raises(dm.DivmetricsError, match="lists A and A have different judgments"):
            refuse()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"metric": "I-rec@4"}, "I-rec@4 prefers neither of the two lists, so there is nothing to flip"),
        ({"keep": ["ERR-IA@3"]}, "ERR-IA@3 cannot both flip and stay; leave it out of keep"),
        ({"edits": 4}, "edits is 4, expected a whole number from 1 to 3"),
        ({"budget": 0}, "budget is 0, expected a whole number of at least 1"),
        ({"metric": "ERR-IAA@3"}, "ERR-IAA"),
        ({"b": page("d1", "d1", d1="film:1")[1]}, "lists A and B have different judgments; make both"),
    ],
)
def test_wrong_input_gets_one_sentence(wrong: dict[str, object], sentence: str) -> None:
    arguments = {"metric": "ERR-IA@3", "a": LISTS[0], "b": LISTS[1], **wrong}
    with pytest.raises(dm.DivmetricsError) as refused:
        flip(**arguments)  # type: ignore[arg-type]
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


# -------------------------------------------------------------------------------- goals

GOAL = Goal("ERR-IA@3", ("I-rec@3",), edits=1)


def test_goal_names_the_list_that_each_metric_has_to_prefer() -> None:
    first, second = (dm.metric("ERR-IA@3").score(each) for each in LISTS)
    wish = f"Make ERR-IA@3 prefer {'B' if first > second else 'A'}"
    assert GOAL.describe(LISTS) == f"{wish} in 1 move; I-rec@3 must still prefer neither."
    assert Goal("ERR-IA@3", "D-nDCG@3").describe(LISTS[::-1]).startswith(wish)
    assert Goal("ERR-IA@3", grades=True, edits=2).describe(LISTS).endswith(" in 2 edits.")
    assert Goal("ERR-IA@3").describe(LISTS) == f"{wish}."
    with pytest.raises(dm.DivmetricsError, match="ERR-IA@3 prefers neither"):
        GOAL.describe((LISTS[0], LISTS[0]))


def test_progress_counts_the_fewest_moves_however_many_were_made() -> None:
    a, b = LISTS
    start = GOAL.progress(LISTS, LISTS)
    assert not start
    assert str(start) == "✗ ERR-IA@3 has not flipped; ✓ I-rec@3 has stayed; ✓ 0 of 1 moves"
    there = GOAL.progress(LISTS, (a, b.reordered(["d1", "d3", "d4", "d2"])))
    assert there
    assert (there.moves, there.grades) == (1, 0)
    far = GOAL.progress(LISTS, (a, b.reordered(["d1", "d2", "d4", "d3"])))
    assert not far
    assert "✗ 2 of 1 moves" in str(far)


def test_grades_do_not_count_as_moves() -> None:
    other = page(
        "d1 d2 d3 d4", "d3 d1 d4 d2", d1="film:2", d3="book:2 film:2", d4="game:2", d2="film:1 game:1"
    )
    progress = GOAL.progress(LISTS, other)
    assert progress.grades == 3
    assert not progress
    assert "✗ 3 new grades, where none may change" in str(progress)


def test_a_goal_needs_the_documents_of_the_start() -> None:
    with pytest.raises(dm.DivmetricsError, match=r"list B has other documents than at the start"):
        GOAL.progress(LISTS, (LISTS[0], LISTS[1].reordered(["d1"])))


def with_subtopics(x: int, y: int) -> dm.RankedList:
    children = (dm.Intent("x", 0.5), dm.Intent("y", 0.5))
    topic = dm.Topic("1", (dm.Intent("film", 1.0, children=children),))
    judged = {"d1": {("film", "x"): x, ("film", "y"): y}, "d2": {("film", "y"): 1}}
    return dm.RankedList(topic, ["d1", "d2"], dm.Judgments.of(topic, judged, scale=2), "A")


@pytest.mark.parametrize(("x", "y", "changed"), [(2, 1, 0), (2, 0, 1), (1, 1, 1), (1, 2, 2), (0, 0, 2)])
def test_grades_of_second_level_subtopics_count(x: int, y: int, changed: int) -> None:
    start, now = with_subtopics(2, 1), with_subtopics(x, y)
    pages = [(ranked, ranked.reordered(["d2", "d1"], "B")) for ranked in (start, now)]
    assert Goal("ERR-IA@1").progress(*pages).grades == changed


def test_a_goal_needs_the_topic_of_the_start() -> None:
    lists = page("d1 d2", "d2 d1", d1="film:2", d2="book:1")
    intents = lists[0].topic.intents
    even = dm.Topic("1", tuple(dm.Intent(t.id, 1 / len(intents), "navigational") for t in intents))
    other = tuple(dm.RankedList(even, r.docs, r.judgments.with_topic(even), r.run) for r in lists)
    with pytest.raises(
        dm.DivmetricsError, match="topic 1 has other intents, weights, kinds or possible grades"
    ):
        GOAL.progress(lists, (other[0], other[1]))


def test_goal_needs_a_preference_to_flip() -> None:
    with pytest.raises(dm.DivmetricsError, match=r"ERR-IA@3 prefers neither of the two lists"):
        GOAL.progress((LISTS[0], LISTS[0]), LISTS)


def test_new_grades_raise_the_top_of_the_pseudo_ad_hoc_grades() -> None:
    """As where the judgments were made with them."""
    pool = dm.Judgments.of(LISTS[0].topic, {"d1": {"film": 1}}, scale=2)
    assert pool.adhoc_scale == 1
    after = apply_regrades(pool, [Regrade("d1", "film", 1, 2), Regrade("d1", "book", 0, 2)])
    assert (after.scale, after.adhoc_scale) == (2, 2)


def test_a_first_grade_scores_as_where_the_judgments_were_made_with_it() -> None:
    """Where nothing is relevant, both top grades are 1, which the grade does not raise."""
    topic = LISTS[0].topic
    empty = dm.Collection.of([topic], {topic.id: {"d1": {"film": 0}}}).pools[topic.id]
    regraded = apply_regrades(empty, [Regrade("d1", "film", 0, 1)])
    judged = dm.Judgments.of(topic, {"d1": {"film": 1}})
    one, other = (dm.RankedList(topic, ["d1"], judgments) for judgments in (regraded, judged))
    assert dm.metric("ERR@1").score(one) == dm.metric("ERR@1").score(other) == 0.5
