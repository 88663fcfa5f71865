"""The pair of lists on which two metrics disagree: compared with every pair of every list, one by one."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.research.disagreements import Agreement
from divmetrics.research.disagreements.best_pairs import ScoredLists, count_edits, fewest_edits
from divmetrics.research.disagreements.orderings import Orderings
from tests.support.reference import DIVERSITY, INTENT_SQUARE
from tests.support.strategies import one_list, quick

CLOSE = 1e-9
PRINTED = 5.1e-5  # numbers in a sentence have four decimals

NAMED = [("ERR-IA", "D#-nDCG"), ("alpha-nDCG", "nDCG-IA"), ("alpha-nDCG", "alpha-nDCG-IS")]


def small_pool(sample, documents):
    """The judgments of the first few documents."""
    (topic,) = sample.topics
    judged = dict(itertools.islice(sample.judgments[topic.id].items(), documents))
    return dm.Collection.of([topic], {topic.id: judged}, scale=sample.scale).pools[topic.id]


def every_list(pool, length):
    return [dm.RankedList(pool.topic, docs, pool) for docs in itertools.permutations(pool.docs, length)]


def smaller_margins(m1, m2, lists):
    """(A, B): the smaller of m1(A) - m1(B) and m2(B) - m2(A), from the scores of one list after the other."""
    first, second = (np.array([dm.metric(name).score(ranked) for ranked in lists]) for name in (m1, m2))
    return np.minimum(first[:, None] - first, second - second[:, None])


def edits_by_trying(lists, pool):
    """(A, B): how many single edits, tried one after the other, lead from A to B."""
    place = {ranked.docs: i for i, ranked in enumerate(lists)}
    steps = np.full((len(lists), len(lists)), -1)
    next_to = [[place[docs] for docs in set(one_edit(ranked.docs, pool))] for ranked in lists]
    for start in range(len(lists)):
        steps[start, start], reached = 0, [start]
        while reached:
            now, *reached = reached
            for other in next_to[now]:
                if steps[start, other] < 0:
                    steps[start, other] = steps[start, now] + 1
                    reached.append(other)
    return steps


def one_edit(docs, pool):
    for i, j in itertools.combinations(range(len(docs)), 2):
        swapped = list(docs)
        swapped[i], swapped[j] = docs[j], docs[i]
        yield tuple(swapped)
    for i, doc in itertools.product(range(len(docs)), set(pool.docs) - set(docs)):
        yield (*docs[:i], doc, *docs[i + 1 :])


def check_pair(result, m1, m2, pool, length):
    """What is said of a pair is true of its two lists."""
    for ranked in (result.a, result.b):
        assert len(ranked) == length == len(set(ranked.docs))
        assert set(ranked.docs) <= set(pool.docs)
    scores = [[dm.metric(name).score(ranked) for ranked in (result.a, result.b)] for name in (m1, m2)]
    assert np.allclose(result.scores, scores, rtol=0, atol=CLOSE)
    assert result.margins == (
        result.scores[0][0] - result.scores[0][1],
        result.scores[1][1] - result.scores[1][0],
    )
    assert min(result.margins) > CLOSE / 2
    assert result


@pytest.mark.parametrize("levels", [1, 2])
@quick(25)
@given(st.data())
def test_exact_search_equals_brute_force(levels, data):
    """Both ways to choose: the largest smaller margin, and the fewest edits with at least some margin."""
    pool = small_pool(data.draw(one_list(levels=levels)), data.draw(st.integers(1, 5)))
    length = data.draw(st.integers(1, min(3, len(pool.docs))))
    names = [*DIVERSITY, *INTENT_SQUARE] if levels == 2 else [*DIVERSITY]
    m1, m2 = (f"{name}@{data.draw(st.integers(1, 4))}" for name in data.draw(st.permutations(names))[:2])
    lists = every_list(pool, length)
    margins = smaller_margins(m1, m2, lists)
    result = dm.disagree(m1, m2, pool, length)
    assert result.exact
    if margins.max() <= CLOSE:
        assert isinstance(result, Agreement)
        assert not result
        return
    check_pair(result, m1, m2, pool, length)
    assert min(result.margins) == pytest.approx(margins.max(), abs=CLOSE)
    edits = edits_by_trying(lists, pool)
    place = {ranked.docs: i for i, ranked in enumerate(lists)}
    assert result.edits == edits[place[result.a.docs], place[result.b.docs]]
    assert result.edits == edits[margins >= margins.max() - CLOSE].min()

    least = data.draw(st.sampled_from([CLOSE, margins.max() / 2, margins.max() * 0.99]))
    near = dm.disagree(m1, m2, pool, length, find="edits", margin=least)
    assert near.exact
    check_pair(near, m1, m2, pool, length)
    enough = margins >= least - CLOSE / 2
    assert near.edits == edits[place[near.a.docs], place[near.b.docs]] == edits[enough].min()
    assert min(near.margins) == pytest.approx(margins[edits == near.edits].max(), abs=CLOSE)


@pytest.mark.parametrize("find", ["margin", "edits"])
def test_a_margin_that_is_as_large_as_asked_for_but_for_rounding_counts(find):
    """P-IA prefers the better list by 0.2 / 2 - 0.1 / 2, which is a little less than 0.05 in floats."""
    topic = dm.Topic("7", tuple(dm.Intent(f"t{i}", p) for i, p in enumerate((0.1, 0.2, 0.7))))
    pool = dm.Judgments.of(topic, {f"d{i}": {f"t{i}": 1} for i in range(3)})
    result = dm.disagree("P-IA@2", "ERR-IA@2", pool, 2, find=find, margin=0.05)
    assert result
    assert 0 < 0.05 - min(result.margins) < CLOSE
    assert not dm.disagree("P-IA@2", "ERR-IA@2", pool, 2, find=find, margin=0.051)


@pytest.mark.slow
@pytest.mark.parametrize(("m1", "m2"), NAMED)
@pytest.mark.parametrize("length", [2, 3, 4])
def test_seven_documents(m1, m2, length):
    """All 840 lists of 4 of 7 documents, and shorter ones, of topics with two levels."""
    for seed in range(2):
        random = np.random.default_rng([seed, length])
        children = tuple(dm.Intent(f"e{i}", 0.5) for i in range(2))
        intents = (dm.Intent(f"t{i}", p, children=children) for i, p in enumerate((0.6, 0.4)))
        topic = dm.Topic("7", tuple(intents))
        keys = [(intent.id, child.id) for intent in topic.intents for child in intent.children]
        grades = random.integers(0, 4, (7, len(keys))) * random.integers(0, 2, (7, len(keys)))
        judged = {f"d{d}": dict(zip(keys, row.tolist(), strict=True)) for d, row in enumerate(grades)}
        pool = dm.Judgments.of(topic, judged)
        names = f"{m1}@{length}", f"{m2}@{length}"
        margins = smaller_margins(*names, every_list(pool, length))
        result = dm.disagree(*names, pool, length)
        assert result.exact
        assert margins.max() > 0.01, "the metrics should disagree for the test to say something"
        check_pair(result, *names, pool, length)
        assert min(result.margins) == pytest.approx(margins.max(), abs=CLOSE)


@pytest.mark.parametrize(("documents", "length"), [(4, 4), (5, 3), (5, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_fewest_edits_equal_brute_force(documents, length, seed):
    """Any scores: swaps and replacements, as many as it takes; of the nearest pairs the largest margin."""
    topic = dm.Topic("1", (dm.Intent("a", 1.0),))
    pool = dm.Judgments.of(topic, {f"d{i}": {} for i in range(documents)})
    lists = every_list(pool, length)
    edits = edits_by_trying(lists, pool)
    first, second = np.random.default_rng(seed).integers(0, 1000, (2, len(lists))) / 1000
    margins = np.minimum(first[:, None] - first, second - second[:, None])
    largest = [margins[edits == e].max() for e in range(1, edits.max() + 1)]
    docs = np.array([[pool.position[doc] for doc in ranked.docs] for ranked in lists])
    for least in largest:
        a, b, _ = fewest_edits(docs, first, second, least)
        assert edits[a, b] == edits[margins >= least].min()
        assert margins[a, b] == largest[edits[a, b] - 1]
    assert fewest_edits(docs, first, second, margins.max() + 0.001) is None


@quick(60)
@given(st.data())
def test_pairs_equal_brute_force(data):
    """Many equal scores, one group or several."""
    n = data.draw(st.integers(1, 25))
    few = st.lists(st.integers(0, 5), min_size=n, max_size=n)
    first, second, key = (np.array(data.draw(few)) / 8 for _ in range(3))
    key = (key * 8).astype(int) if data.draw(st.booleans()) else None
    a, b, margins = ScoredLists.of(first, second).pairs(key)
    every = np.minimum(first[:, None] - first, second - second[:, None])
    if key is not None:
        every[key[:, None] != key] = -np.inf
    assert sorted(a) == list(range(n))
    assert np.array_equal(margins, every[a, b])
    assert np.array_equal(margins, every.max(axis=1)[a])


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        ({}, "; no two disagree more."),
        ({"budget": 100}, "; others may disagree more."),
        ({"find": "edits"}, "; of those one edit apart, no two disagree more."),
        ({"find": "edits", "budget": 100}, "; of those one edit apart, others may disagree more."),
        ({"find": "edits", "margin": 0.15}, "; no such lists are nearer to each other."),
    ],
)
def test_how_states_exact_or_searched(options, ends):
    """Exact or searched, and for what."""
    result = dm.disagree("ERR-IA@3", "D#-nDCG@3", dm.datasets.harry_potter(), 3, **options)
    assert result.how.startswith(
        "Searched: 100 of 1,112 lists" if "budget" in options else "Exact: all 1,112"
    )
    assert result.how.endswith(ends)


@pytest.mark.parametrize("topic", ["0083", "21", "28", "38"])
def test_rbu_is_irbu_with_a_constant(topic):
    """The effort term is the same for every list at one cutoff: proved to change no preference."""
    pools = {**dm.datasets.harry_potter().pools, **dm.datasets.sakai2010().pools}
    for find in ("margin", "edits"):
        result = dm.disagree("RBU@3", "iRBU-IA@3", pools[topic], 3, find=find)
        assert isinstance(result, Agreement)
        assert result.exact
        assert result.largest == 0
        assert f"all {result.searched.lists:,} lists" in repr(result)
        assert "disagree on no two" in repr(result)


def test_inexact_agreement_claims_no_proof():
    """A search that finds nothing says that it proves nothing."""
    result = dm.disagree("RBU@8", "iRBU-IA@8", dm.datasets.harry_potter(), 8, budget=500)
    assert isinstance(result, Agreement)
    assert not result.exact
    assert result.searched.lists == 500
    assert "No two" in repr(result)
    assert "500 of more than 10^" in repr(result)
    assert "That proves nothing" in repr(result)


def test_unreachable_margin_is_an_agreement():
    """The nearest that there is, is told."""
    result = dm.disagree("ERR-IA@3", "D#-nDCG@3", dm.datasets.harry_potter(), 3, margin=0.5)
    best = dm.disagree("ERR-IA@3", "D#-nDCG@3", dm.datasets.harry_potter(), 3)
    assert not result
    assert result.largest == pytest.approx(min(best.margins), abs=CLOSE)
    assert "by 0.5 or more on no two lists of 3 of the 18 judged documents" in repr(result)
    assert f"the largest smaller margin is {min(best.margins):.4g}" in repr(result)


@quick(25)
@given(st.data())
def test_a_search_is_bounded_repeatable_and_never_exact(data):
    """It compares no more lists than it may; its pair disagrees, and not more than the best one."""
    pool = small_pool(data.draw(one_list()), 10)
    length = min(3, len(pool.docs))
    names = [f"{name}@3" for name in data.draw(st.permutations([*DIVERSITY]))[:2]]
    best = dm.disagree(*names, pool, length)
    every = best.searched.lists
    assume(every > 1)
    budget, seed = data.draw(st.integers(1, every - 1)), data.draw(st.integers(0, 9))
    for find in ("margin", "edits"):
        result, again = (
            dm.disagree(*names, pool, length, find=find, budget=budget, seed=seed) for _ in range(2)
        )
        assert repr(result) == repr(again)
        assert not result.exact
        assert not re.search("Exact|all .* lists|no two", repr(result))
        assert 0 < result.searched.lists <= budget
        assert result.searched.total == every
        if result:
            check_pair(result, *names, pool, length)
            assert min(result.margins) <= min(best.margins) + CLOSE


@pytest.mark.parametrize(("m1", "m2"), NAMED)
def test_a_search_comes_close(m1, m2):
    """With a tenth of the lists it finds nine tenths of the margin, whatever the seed."""
    potter = dm.datasets.harry_potter()
    names = f"{m1}@4", f"{m2}@4"
    best = dm.disagree(*names, potter, 4)
    for seed in range(3):
        result = dm.disagree(*names, potter, 4, budget=best.searched.lists // 10, seed=seed)
        assert min(result.margins) > 0.9 * min(best.margins)


def test_seeds_differ():
    """Otherwise the same seed giving the same answer says nothing."""
    lists = {
        dm.disagree("ERR-IA@10", "D#-nDCG@10", dm.datasets.harry_potter(), 10, budget=300, seed=seed).a.docs
        for seed in range(4)
    }
    assert len(lists) > 1


def test_a_large_pool(research_files):
    """Hundreds of judged documents and lists of 10: far too many for a proof, and yet a pair is found."""
    folder = research_files / "data" / "trec-web-2012"
    collection = dm.load_collection(folder / "qrels.diversity.gz", topics=folder / "topics.xml")
    pool = max(collection.pools.values(), key=lambda pool: len(pool.docs))
    for find in ("margin", "edits"):
        result = dm.disagree("ERR-IA@10", "D#-nDCG@10", pool, 10, find=find, budget=5000)
        check_pair(result, "ERR-IA@10", "D#-nDCG@10", pool, 10)
        assert not result.exact
        assert result.searched.lists == 5000
    assert result.edits == 1


def test_edits_are_counted_as_they_are_made():
    """A swap or a replacement is one edit; a round of three documents two."""
    topic = dm.Topic("1", (dm.Intent("a", 1.0),))
    pool = dm.Judgments.of(topic, {doc: {} for doc in "pqrst"})
    ranked = dm.RankedList(topic, list("pqrs"), pool)
    swaps = (("pqrs", 0), ("qprs", 1), ("qpsr", 2), ("qrps", 2), ("qrsp", 3))
    for docs, edits in (*swaps, ("tqrs", 1), ("tprs", 2)):
        assert count_edits(ranked, ranked.reordered(list(docs))) == edits
    lists = every_list(pool, 3)
    steps = edits_by_trying(lists, pool)
    assert [[count_edits(a, b) for b in lists] for a in lists] == steps.tolist()


def test_neighbours_are_one_edit_away():
    """All of them, once; or some of them."""
    topic = dm.Topic("1", (dm.Intent("a", 1.0),))
    pool = dm.Judgments.of(topic, {doc: {"a": grade} for grade, doc in enumerate("pqrs")})
    orderings, random = Orderings.of(pool, 3, leaves=False), np.random.default_rng(0)
    first = [pool.docs[places[0]] for places in orderings.members]
    docs = {tuple(row): tuple(first[kind] for kind in row) for row in orderings.all()}
    assert len(docs) == orderings.count() == 24
    for chosen, chosen_docs in docs.items():
        around = [docs[tuple(row)] for row in orderings.neighbours(np.array(chosen), random, 99)]
        assert sorted(around) == sorted(one_edit(chosen_docs, pool))
        some = [docs[tuple(row)] for row in orderings.neighbours(np.array(chosen), random, 4)]
        assert len(set(some)) == 4
        assert set(some) <= set(around)


@pytest.mark.parametrize(
    ("m1", "m2"),
    [
        *NAMED,
        ("D#-nDCG", "P+Q#"),
        ("RBU", "P-IA"),
        ("D-Q", "I-rec"),
        ("ERR-IS", "D#-nDCG-IS"),
        ("nDCG", "Ef-P"),
    ],
)
def test_reasons_are_contributions(m1, m2):
    """Every number of a sentence is a score, a term, what an intent earns, or what it earns at one rank."""
    potter = dm.datasets.harry_potter()
    result = dm.disagree(f"{m1}@4", f"{m2}@4", potter, 4)
    for metric, reason, better, worse in (
        (result.metrics[0], result.reasons[0], result.a, result.b),
        (result.metrics[1], result.reasons[1], result.b, result.a),
    ):
        lists = better, worse
        scores = [metric.score(ranked) for ranked in lists]
        head, _, rest = reason.partition(": ")
        assert head.startswith(f"{metric} prefers {better.run}, ")
        assert numbers(head.removeprefix(f"{metric}"), "to") == [pytest.approx(scores, abs=PRINTED)]
        earning, weight = metric, 1.0
        if hasattr(metric, "terms"):
            terms, _, rest = rest.partition("; in ")
            added = [[w() * term.score(ranked) for ranked in lists] for w, term in metric.terms]
            assert numbers(terms, "to") == [pytest.approx(pair, abs=PRINTED) for pair in added]
            assert np.sum(added, axis=0) == pytest.approx(scores)
            decides = max(range(len(added)), key=lambda i: added[i][0] - added[i][1])
            weight, earning = metric.terms[decides][0](), metric.terms[decides][1]
            assert rest.startswith(f"{earning}, ")
        tables = [dm.explain(earning, ranked) for ranked in lists]
        clauses = list(CLAUSE.finditer(rest))
        assert clauses
        ahead = [earned_by(tables[0], name) - earned_by(tables[1], name) for name in earners(tables[0])]
        first = clauses[0]["name"]
        assert earned_by(tables[0], first) - earned_by(tables[1], first) == max(ahead)
        assert any(clause["although"] for clause in clauses) == (min(ahead) < -CLOSE)
        for clause in clauses:
            of_intent = [weight * earned_by(table, clause["name"]) for table in tables]
            assert numbers(clause["whole"], "against") == [pytest.approx(of_intent, abs=PRINTED)]
            assert (of_intent[0] > of_intent[1]) == (clause["although"] is None)
            if clause["rank"]:
                rank = int(clause["rank"])
                assert clause["docs"] == " against ".join(ranked.docs[rank - 1] for ranked in lists)
                here = [weight * earned_by(table[table["rank"] == rank], clause["name"]) for table in tables]
                values = [here] if clause["here"] else [of_intent]
                assert values == [pytest.approx(here, abs=CLOSE)]
                if clause["here"]:
                    assert numbers(clause["here"], "against") == [pytest.approx(here, abs=PRINTED)]


AMOUNT = r"(?:\d+\.\d+|-\d+\.\d+|nothing)"
CLAUSE = re.compile(
    rf"(?P<although>although )?(?P<name>(?:intent|subtopic) \S+) earns (?P<whole>{AMOUNT} against {AMOUNT})"
    rf"(?:, (?:above all )?at rank (?P<rank>\d+) \((?P<docs>\S+ against [^\s:)]+)"
    rf"(?:: (?P<here>{AMOUNT} against {AMOUNT}))?\))?"
)


def numbers(text, between):
    pairs = re.findall(rf"({AMOUNT}) {between} ({AMOUNT})", text)
    return [[0.0 if x == "nothing" else float(x) for x in pair] for pair in pairs]


def earners(table):
    if "subtopic" not in table:
        return {f"intent {intent}" for intent in table["intent"]}
    return {f"subtopic {i}/{e}" for i, e in zip(table["intent"], table["subtopic"], strict=True)}


def earned_by(table, name):
    kind, _, where = name.partition(" ")
    intent, _, child = where.partition("/")
    own = table[table["intent"] == intent]
    return float((own[own["subtopic"] == child] if kind == "subtopic" else own)["contribution"].sum())


def test_result_renders_as_text_and_html():
    """Lists with their labels, scores, reasons, and what was compared; labels are text, never HTML."""
    topic = dm.Topic("<b>1</b>", (dm.Intent("x", 0.7), dm.Intent("y", 0.3)), title="a & b")
    judged = {"<img src=x>": {"x": 1}, "d2": {"x": 1}, "d3": {"y": 1}, "d4": {}}
    result = dm.disagree("ERR-IA@2", "S-recall@2", dm.RankedList(topic, [], judged), 2)
    text, html = repr(result), result._repr_html_()
    assert result.a.docs == ("<img src=x>", "d2")
    assert "   1  <img src=x>  x:1  d3  y:1" in text
    for metric, scores in zip(result.metrics, result.scores, strict=True):
        difference = f"{scores[0] - scores[1]:+.4f}".replace("-", "−")
        cells = [f"{metric}", *(f"{score:.4f}" for score in scores), difference]
        assert cells in [line.split() for line in text.splitlines()]
        assert " ".join(cells) in " ".join(re.sub("<[^>]*>", " ", html).split())
    assert result.words == " ".join(text.splitlines()[-3:])
    assert f"Exact: all {result.searched.lists:,} lists" in text
    assert "<img" not in html
    assert "<b>1" not in html
    assert "&lt;b&gt;1&lt;/b&gt; (a &amp; b)" in html


def test_the_topic_in_several_forms():
    """Its judgments, a list of it, or a collection that has no other topic."""
    potter = dm.datasets.harry_potter()
    forms = (potter, potter.pools["0083"], potter.list("A", "0083"))
    answers = {repr(dm.disagree("ERR-IA@2", "D#-nDCG@2", form, 2)) for form in forms}
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"m2": "ERR-IA@3"}, "a metric does not disagree with itself (ERR-IA@3); give two different metrics"),
        ({"m2": "paper:ERR-IA@3"}, "does not disagree with itself"),
        ({"m1": "ERR-AI@3"}, "there is no metric 'ERR-AI'"),
        ({"m1": "P-IA"}, "P-IA needs a cutoff: write P-IA@10"),
        ({"m1": "ERR-IS@3", "topic": "21"}, "topic 21: an intent has no second-level subtopics"),
        ({"length": 0}, "length is 0, expected a whole number of at least 1"),
        ({"length": 2.5}, "length is 2.5, expected a whole number"),
        ({"length": True}, "length is True, expected a whole number"),
        ({"length": 19}, "length is 19, but topic 0083 has 18 judged documents; give a length of at most 18"),
        ({"budget": -1}, "budget is -1, expected a whole number of at least 1"),
        ({"seed": -1}, "seed is -1, expected a whole number of at least 0"),
        ({"find": "swaps"}, "find is 'swaps', expected one of margin, edits"),
        ({"margin": 0}, "margin is 0, expected a number of at least 1e-09"),
        ({"margin": float("nan")}, "margin is nan, expected a number of at least 1e-09"),
        (
            {"topic": "several"},
            "the collection has 3 topics (21, 28 and 38), expected one; give the judgments",
        ),
        ({"topic": "name"}, "the topic is '0083', expected its Judgments, such as"),
        ({"topic": "unjudged"}, "topic 5 has no judged documents to make lists from"),
    ],
)
def test_bad_input_raises_one_sentence(changed, message):
    sakai = dm.datasets.sakai2010()
    topics = {
        "21": sakai.pools["21"],
        "several": sakai,
        "name": "0083",
        "unjudged": dm.Judgments.of(dm.Topic("5", (dm.Intent("a", 1.0),)), {}),
    }
    arguments = {
        "m1": "ERR-IA@3",
        "m2": "D#-nDCG@3",
        "topic": dm.datasets.harry_potter(),
        "length": 3,
        **changed,
    }
    arguments["topic"] = topics.get(changed.get("topic"), arguments["topic"])
    with pytest.raises(dm.DivmetricsError, match=re.escape(message)) as refused:
        dm.disagree(**arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("length", "most"), [(3, 1112), (6, 900)])
def test_progress_callback_does_not_change_the_result(length, most):
    question = ("ERR-IA@5", "D#-nDCG@5", dm.datasets.harry_potter(), length)
    calls: list[tuple[int, int]] = []
    budget = 900 if length == 6 else 50_000
    result = dm.disagree(*question, budget=budget, progress=lambda *how: calls.append(how))
    assert repr(result) == repr(dm.disagree(*question, budget=budget))
    scored = [scored for scored, _ in calls]
    assert scored[0] == 0
    assert scored == sorted(scored)
    assert scored[-1] < result.searched.lists
    assert {of for _, of in calls} == {most}
    with pytest.raises(dm.DivmetricsError, match="progress is 3, expected a function of two numbers"):
        dm.disagree(*question, progress=3)
