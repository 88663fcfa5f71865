"""Every verdict on a claim of Yu et al. (2017) is computed: other scores or judgments give another one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import datasets
from divmetrics.research.papers.verdicts import as_printed, combine_outcomes
from divmetrics.research.papers.yu2017 import CLAIMS, power
from divmetrics.research.papers.yu2017.evidence import CUTOFFS, METRICS, SQUARE, Evidence, java_order
from divmetrics.research.papers.yu2017.hierarchy import move_subtopics
from tests.support.fewer_trials import fewer_trials

pytestmark = pytest.mark.slow

RUN = "Sem13-D-E-1A"
Change = Callable[[pd.DataFrame], pd.DataFrame]


@cache
def embedded() -> Evidence:
    return Evidence.embedded()


def changed(evidence: Evidence, code: str, change: Change) -> Evidence:
    """Other scores for one language; `change` takes and returns a table (run, topic) x metric."""
    names = [f"{name}@{k}" for name in METRICS for k in CUTOFFS]
    wide = evidence.scores[code].pivot(index=["run", "topic"], columns="metric", values="score")[names]
    tidy = change(wide.copy()).reset_index().melt(["run", "topic"], var_name="metric", value_name="score")
    return replace(evidence, scores={**evidence.scores, code: tidy})


def copied(source: str, *targets: str) -> Change:
    def change(wide: pd.DataFrame) -> pd.DataFrame:
        for target in targets:
            for k in CUTOFFS:
                wide[f"{target}@{k}"] = wide[f"{source}@{k}"]
        return wide

    return change


def reversed_of(source: str, *targets: str) -> Change:
    return lambda wide: copied(source, *targets)(wide).assign(
        **{f"{target}@{k}": 1 - wide[f"{source}@{k}"] for target in targets for k in CUTOFFS}
    )


def noise(*targets: str) -> Change:
    def change(wide: pd.DataFrame) -> pd.DataFrame:
        random = np.random.default_rng(0)
        for target in targets:
            for k in CUTOFFS:
                wide[f"{target}@{k}"] = random.random(len(wide))
        return wide

    return change


def blurred(code: str, *targets: str) -> Callable[[Evidence], Evidence]:
    return lambda evidence: changed(evidence, code, noise(*targets))


def swapped(a: str, b: str) -> Change:
    return lambda wide: wide.rename(
        columns={f"{x}@{k}": f"{y}@{k}" for x, y in ((a, b), (b, a)) for k in CUTOFFS}
    )


def with_score(topic: str, metric: str, value: float) -> Change:
    def change(wide: pd.DataFrame) -> pd.DataFrame:
        wide.loc[(RUN, topic), metric] = value
        return wide

    return change


def all_agree(evidence: Evidence) -> Evidence:
    """Every metric says what ERR-IA says, and no list is empty."""
    for code in ("en", "cn"):
        evidence = changed(evidence, code, copied("ERR-IA", "alpha-nDCG", *SQUARE))
    return none_empty(evidence)


def only_english_disagrees(evidence: Evidence) -> Evidence:
    return changed(all_agree(evidence), "en", reversed_of("ERR-IA", *SQUARE))


def none_empty(evidence: Evidence) -> Evidence:
    return replace(evidence, lengths={c: table.assign(documents=20) for c, table in evidence.lengths.items()})


def only_broad_disagrees(evidence: Evidence) -> Evidence:
    agreeing = all_agree(evidence)
    for code in ("en", "cn"):
        broad = {topic for topic, kind in evidence.types[code].items() if kind == "broad"}

        def change(wide: pd.DataFrame, broad: set[str] = broad) -> pd.DataFrame:
            rows = wide.index.get_level_values("topic").isin(broad)
            wide.loc[rows] = reversed_of("ERR-IA", *SQUARE)(wide.copy()).loc[rows]
            return wide

        agreeing = changed(agreeing, code, change)
    return agreeing


def english_as_chinese(evidence: Evidence) -> Evidence:
    """The Chinese runs get the scores of ten English ones, on as many topics."""
    english, chinese = evidence.tables["en"], evidence.tables["cn"]
    runs = dict(zip(english.runs, chinese.runs, strict=False))
    topics = dict(zip(english.topics, chinese.topics, strict=False))
    frame = evidence.scores["en"]
    frame = frame[frame["run"].isin(runs) & frame["topic"].isin(topics)]
    frame = frame.assign(run=frame["run"].map(runs), topic=frame["topic"].map(topics))
    return replace(evidence, scores={**evidence.scores, "cn": frame})


def differences_only_where_lists_are_empty(evidence: Evidence) -> Evidence:
    """English: a different level for each run on half of the topics, which one run does not answer."""
    topics = list(evidence.tables["en"].topics)[:16]

    def change(wide: pd.DataFrame) -> pd.DataFrame:
        runs, of = (wide.index.get_level_values(name) for name in ("run", "topic"))
        return (noise(*METRICS)(wide) / 100).add(pd.factorize(runs)[0] * of.isin(topics), axis=0)

    lengths = evidence.lengths["en"].assign(documents=20)
    lengths.loc[(lengths["run"] == RUN) & lengths["topic"].isin(topics), "documents"] = 0
    return replace(changed(evidence, "en", change), lengths={**evidence.lengths, "en": lengths})


def other_lists(evidence: Evidence, **change: Any) -> Evidence:
    """The three queries of Table 3 with other judgments or shorter lists, in place of all English ones."""
    source = datasets.yu2017()
    topics, judgments, lists = [], {}, {}
    for query, pool in source.pools.items():
        topic = pool.topic
        more = change.get("more_subtopics", {}).get(query, {})
        topic = replace(
            topic,
            intents=tuple(
                replace(t, children=tuple(dm.Intent(f"e{e}", 1 / n) for e in range(1, n + 1)))
                for t in topic.intents
                for n in [more.get(t.id, len(t.children))]
            ),
        )
        leaves = [(t.id, e.id) for t in pool.topic.intents for e in t.children]
        top = change.get("top_grade", 2)
        judgments[query] = {
            doc: {leaf: min(int(g), top) for leaf, g in zip(leaves, pool.subtopic_grades[:, d], strict=True)}
            for d, doc in enumerate(pool.docs)
        }
        lists[query] = source.runs[RUN].list(query)[: change.get("length", {}).get(query, 20)]
        topics.append(topic)
    return replace(evidence, collections={"en": dm.Collection.of(topics, judgments, {RUN: lists}, scale=2)})


def childless(evidence: Evidence) -> Evidence:
    """All four discarded queries lack second-level subtopics."""
    queries = ("0003", "0017", "0033", "0070")
    return replace(evidence, topics={"cn": [dm.Topic(q, (dm.Intent("1", 1.0),)) for q in queries]})


def leaves_of_equal_weight(evidence: Evidence) -> Evidence:
    """The subtopics are nuggets, which weigh the same in whatever groups they are."""
    source = datasets.yu2017()
    pools = {t: replace(p, topic=replace(p.topic, nuggets="unset")) for t, p in source.pools.items()}
    return replace(evidence, collections={"en": replace(source, pools=pools)})


def one_parent_per_topic(evidence: Evidence) -> Evidence:
    """No other parent is there to which a subtopic could move."""
    made = datasets.synthetic(topics=6, intents=(1, 1, 1), subtopics=(3, 4, 6), runs=5)
    return replace(evidence, collections={"en": made})


# Part of what a claim says -> the verdict on the data of the paper, a change, and the verdict it leads to.
Case = tuple[str, str, Callable[[Evidence], Evidence], str]
CASES: tuple[Case, ...] = (
    ("R(g) =", "not what was computed", lambda e: other_lists(e, top_grade=1), "does not hold"),
    ("left out because they lack", "does not hold", childless, "holds"),
    ("every run answers every query", "does not hold", none_empty, "holds"),
    ("determine average tau_ap", "fragile", all_agree, "does not hold"),
    ("in the order of ERR-IA, curves rise at few", "fragile", only_english_disagrees, "holds"),
    ("in the order of alpha-nDCG, curves rise at few", "fragile", only_english_disagrees, "holds"),
    ("is best under S-recall-IS", "holds", only_english_disagrees, "does not hold"),
    ("on queries of either type", "holds", all_agree, "does not hold"),
    ("disagree with them as much", "holds", only_broad_disagrees, "does not hold"),
    ("on ambiguous queries, in the order of ERR-IA, curves", "holds", all_agree, "does not hold"),
    ("on ambiguous queries, in the order of alpha-nDCG, curves", "holds", all_agree, "does not hold"),
    ("on broad queries, in the order of ERR-IA, curves", "does not hold", only_english_disagrees, "holds"),
    (
        "on broad queries, in the order of alpha-nDCG, curves",
        "does not hold",
        only_english_disagrees,
        "holds",
    ),
    ("is the best Chinese run", "fragile", all_agree, "holds"),
    ("order the queries differently", "holds", all_agree, "does not hold"),
    ("query 0078 leaves", "holds", lambda e: other_lists(e, length={"0078": 1}), "does not hold"),
    (
        "query 0053 leaves",
        "does not hold",
        lambda e: other_lists(e, more_subtopics={"0053": {"t4": 4}}),
        "holds",
    ),
    (
        "0053 and 0080 more than 0078",
        "holds",
        lambda e: changed(e, "en", with_score("0078", "S-recall-IS@20", 1.0)),
        "does not hold",
    ),
    (
        "has a tie of 0053 and 0080",
        "does not hold",
        lambda e: changed(e, "en", with_score("0080", "S-recall-IS@20", 0.725)),
        "holds",
    ),
    (
        "are highest for 0078",
        "holds",
        lambda e: changed(e, "en", with_score("0053", "ERR-IA@5", 1.0)),
        "does not hold",
    ),
    (
        "metric is lowest for 0078",
        "holds",
        lambda e: changed(e, "en", with_score("0080", "ERR-IS@5", 0.0)),
        "does not hold",
    ),
    ("repeats more than", "fragile", lambda e: other_lists(e, length={"0053": 3, "0080": 3}), "holds"),
    (
        "leave fewer ties",
        "holds",
        lambda e: changed(changed(e, "en", swapped("S-recall-IS", "ERR-IS")), "cn", noise("S-recall-IS")),
        "does not hold",
    ),
    ("Chinese: ERR-IA and alpha-nDCG are closer", "holds", all_agree, "does not hold"),
    (
        "English: ERR-IA and alpha-nDCG are closer",
        "does not hold",
        lambda e: changed(changed(e, "en", copied("ERR-IA", "alpha-nDCG")), "en", noise(*SQUARE)),
        "holds",
    ),
    ("S-recall-IS is the farthest", "holds", all_agree, "does not hold"),
    ("lower for English than for Chinese", "fragile", only_english_disagrees, "holds"),
    ("English: tau_ap of S-recall-IS falls", "holds", all_agree, "does not hold"),
    ("Chinese: tau_ap of S-recall-IS falls", "holds", all_agree, "does not hold"),
    ("query by query, the intent-square", "holds", all_agree, "does not hold"),
    ("substantially change the ranking", "fragile", all_agree, "does not hold"),
    ("Chinese: no metric tells more", "holds", blurred("cn", "alpha-nDCG"), "does not hold"),
    ("English: no metric tells more", "holds", blurred("en", "alpha-nDCG"), "does not hold"),
    ("alpha-nDCG-IS tells more", "fragile", blurred("en", "alpha-nDCG"), "holds"),
    ("Chinese: ERR-IA tells fewer", "holds", blurred("cn", "S-recall-IS"), "does not hold"),
    ("Chinese: ERR-IS tells fewer", "holds", blurred("cn", "S-recall-IS"), "does not hold"),
    ("English: ERR-IA tells fewer", "does not hold", blurred("en", "ERR-IA"), "holds"),
    ("English: ERR-IS tells fewer", "fragile", blurred("en", "ERR-IS"), "holds"),
    (
        "ERR-IS tells fewer pairs apart than ERR-IA",
        "holds",
        lambda e: changed(changed(e, "en", swapped("ERR-IA", "ERR-IS")), "cn", swapped("ERR-IA", "ERR-IS")),
        "does not hold",
    ),
    ("skewed because there are few", "fragile", english_as_chinese, "holds"),
    ("Chinese: pairs of runs differ because", "fragile", none_empty, "holds"),
    (
        "English: pairs of runs differ because",
        "holds",
        differences_only_where_lists_are_empty,
        "does not hold",
    ),
    ("ERR-IS is ERR-IA over all", "holds", leaves_of_equal_weight, "does not hold"),
    ("a wrong hierarchy of subtopics", "fragile", one_parent_per_topic, "does not hold"),
    ("rank the runs of a query alike", "does not hold", all_agree, "holds"),
)


def claim(says: str) -> Any:
    (claims,) = [each for each in CLAIMS if says in each.says]
    return claims


@pytest.fixture(scope="module")
def fewer():
    with fewer_trials():
        yield


def test_every_claim_has_a_case_that_changes_its_verdict():
    weights = [each for each in CLAIMS if "the weight of a subtopic" in each.says]  # turned below
    assert len(weights) == 1
    turned = [claim(case[0]) for case in CASES]
    assert len(turned) + 1 == len(CLAIMS)
    assert all(each in turned or each in weights for each in CLAIMS)


@pytest.mark.usefixtures("fewer")
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_verdict_turns_with_the_data(case):
    says, verdict, change, other = case
    tested = claim(says)
    if not tested.needs_judgments:
        assert tested.find(embedded()).verdict == verdict
    assert tested.find(change(embedded())).verdict == other


@pytest.mark.parametrize("part", [0.0, 0.3, 1.0])
def test_moved_subtopics_keep_their_judgments(part):
    source = datasets.synthetic(topics=5, intents=(2, 3, 4), subtopics=(1, 3, 5), runs=1)
    moved = move_subtopics(source, part, seed=1)
    for topic, before in source.pools.items():
        after = moved.pools[topic]
        n = len(before.subtopic_grades)
        names = [e.id for t in after.topic.intents for e in t.children]
        assert sorted(map(int, names)) == list(range(n))
        assert (after.subtopic_grades == before.subtopic_grades[list(map(int, names))]).all()
        parent = [t.id for t in before.topic.intents for _ in t.children]
        now = {e.id: t.id for t in after.topic.intents for e in t.children}
        assert sum(now[str(i)] != parent[i] for i in range(n)) == round(part * n)
        assert after.grades.any(axis=1).sum() == sum(
            after.subtopic_grades[[now[e] == t.id for e in names]].any() for t in after.topic.intents
        )


def test_a_correlation_that_rises_with_the_cutoff_does_not_fall():
    first, last = CUTOFFS[0], CUTOFFS[-1]

    def change(wide: pd.DataFrame) -> pd.DataFrame:
        return reversed_of("ERR-IA", "S-recall-IS")(copied("ERR-IA", "alpha-nDCG")(wide)).assign(
            **{f"S-recall-IS@{last}": wide[f"ERR-IA@{last}"]}
        )

    result = claim("English: tau_ap of S-recall-IS falls").find(changed(embedded(), "en", change))
    assert f"from cutoff {first} to {last}" in result.evidence
    assert "p < 0.0001" in result.evidence
    assert result.verdict == "does not hold"


def test_runs_with_the_same_mean_stand_as_in_the_papers_program():
    """All means are tied under ERR-IA, so its order is the program's."""
    flat = {f"ERR-IA@{k}": 0.5 for k in CUTOFFS}
    evidence = changed(embedded(), "cn", lambda wide: wide.assign(**flat))
    evidence_text = claim("substantially change the ranking").find(evidence).evidence
    runs = list(evidence.tables["cn"].runs)
    place = {runs.index(run): at for at, run in enumerate(java_order(runs))}
    cells = []
    for walked in SQUARE:
        mean = evidence.values("cn", walked).mean(axis=0)
        walk = sorted(place, key=lambda run, mean=mean: -mean[run])
        above = [[place[up] < place[run] for up in walk[:i]] for i, run in enumerate(walk)]
        cells.append(2 * np.mean([np.mean(row) for row in above[1:]]) - 1)
    assert f"all topics, Chinese: {' '.join(f'{cell:.3f}' for cell in cells)} " in evidence_text


def test_a_p_value_at_the_level_is_not_significant(monkeypatch):
    pairs = pd.DataFrame({"metric": [f"{name}@20" for name in METRICS for _ in range(3)]})
    monkeypatch.setattr(power, "tukey_hsd", lambda *_, **__: pairs.assign(asl=[0.05, 0.04, 0.06] * 5))
    power.significant.cache_clear()
    significant = power.significant(embedded(), "en", 0)
    power.significant.cache_clear()
    assert [set(significant[level].values()) for level in (0.01, 0.05, 0.10)] == [{0}, {1}, {3}]


def test_verdicts_from_outcomes():
    assert combine_outcomes([True, True]) == "holds"
    assert combine_outcomes([True, False]) == "fragile"
    assert combine_outcomes([False, False]) == "does not hold"
    assert as_printed(30, 30, 30) == "holds"
    assert as_printed(18, 30, 30) == "not what was computed"
    assert as_printed(18, 29, 30) == "does not hold"


def test_the_order_of_a_java_hash_map():
    # "Aa" and "BB" have the same hash code, 2112, the classic collision: the same bucket, so as they came.
    assert java_order(["BB", "Aa", "a"]) == ["Aa", "BB", "a"]
