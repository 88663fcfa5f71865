"""The lab without a browser: its text, its numbers, its presets, its errors."""

from __future__ import annotations

import re
import warnings
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.notebook.textformat.cell_parsers import read_entries, read_intents
from divmetrics.notebook.textformat.lab_state import LabState, document_labels
from divmetrics.notebook.textformat.lab_text import read_page, write_page
from divmetrics.notebook.textformat.marks import SHAPES
from divmetrics.notebook.textformat.topic_draft import TopicDraft
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.measuring import ListScorer
from tests.support.paths import ROOT

NAMES = (f"browser.{number}" for number in count())
EXAMPLES = ROOT / "examples"
QRELS, FILM, MIXED = (str(EXAMPLES / name) for name in ("harry_potter.qrels", "film.run", "mixed.run"))

letters = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp"))
words = st.text(letters, min_size=1, max_size=6)
names = words.filter(lambda word: word == word.strip() and not set(word) & set(":/"))


@st.composite
def pages(draw: st.DrawFn) -> LabState:
    def weighted(labels: list[str]) -> list[dict[str, object]]:
        chances = draw(st.lists(st.floats(0.01, 1), min_size=len(labels), max_size=len(labels)))
        return [
            {"id": label, "label": draw(st.just("") | words), "probability": chance / sum(chances)}
            for label, chance in zip(labels, chances, strict=True)
        ]

    intents = weighted(draw(st.lists(names, min_size=1, max_size=3, unique=True)))
    for intent in intents:
        intent["kind"] = draw(st.sampled_from(["informational", "navigational"]))
        intent["children"] = weighted(draw(st.lists(names, max_size=2, unique=True)))
    if draw(st.booleans()):
        for intent, own, shape in zip(intents, SHAPES, draw(st.permutations(SHAPES)), strict=False):
            intent |= {} if own == shape else {"mark": shape}
    keys = [key for t in intents for key in [t["id"], *(f"{t['id']}/{e['id']}" for e in t["children"])]]
    ids = sorted(draw(st.lists(words, max_size=4, unique=True).filter(lambda ids: "?" not in ids)))
    docs = [
        {
            "id": doc,
            "about": draw(st.just("") | words),
            "grades": draw(st.none() | st.dictionaries(st.sampled_from(keys), st.integers(1, 3), max_size=3)),
        }
        for doc in ids
    ]
    title = draw(st.just("") | words)
    topic = {"id": draw(words), "title": title, "scale": 3, "adhoc": draw(st.integers(1, 4))}
    lists = {side: draw(st.lists(st.sampled_from(ids), unique=True)) if ids else [] for side in "AB"}
    metrics = draw(st.lists(st.sampled_from(["ERR-IA@5", "D#-nDCG@10", "ndeval:NRBP"]), unique=True))
    return LabState({**topic, "intents": intents}, docs, lists, metrics)


def edit(lab: RankedListLab, **parts: Any) -> None:
    """What a browser sends when somebody has changed these parts of the page that it shows."""
    lab.set_state({"_edit": {"name": next(NAMES), "on": lab._shown["name"], **parts}})


@given(pages())
def test_the_text_of_a_page_reads_back_as_the_same_page(page: LabState) -> None:
    assert read_page(write_page(page)) == page


def test_marks_are_written_where_they_are_not_those_of_their_place() -> None:
    text = "topic 1\nintent a .5 informational triangle\nintent b .25\nintent c .25 nav\nA d\nB d"
    text = text.replace("nav", 'square "the third"')
    lab = RankedListLab(text + "\nmetrics ERR-IA@5")
    lines = [line for line in lab.state.splitlines() if line.startswith("intent")]
    # b would have the triangle, which is a's: it has the first that is free. c has that of its place.
    assert lines == [
        "intent a 0.5 informational triangle",
        "intent b 1/4 informational circle",
        'intent c 1/4 informational "the third"',
    ]
    assert RankedListLab(lab.state).page == lab.page
    assert [t.mark for t in lab.a.topic.intents] == ["triangle", "circle", None]
    assert LabState.of(lab.a, lab.b).topic == lab.page.topic
    plain = LabState.of(lab.a.reordered(["d"]), RankedListLab(text.replace(" triangle", "")).a)
    assert plain.topic == lab.page.topic  # how they look makes no other topic of them


def test_an_edit_of_the_browser_may_carry_marks() -> None:
    lab = RankedListLab()
    intents = [{**t, "mark": SHAPES[place + 1]} for place, t in enumerate(lab.page.topic["intents"])]
    edit(lab, topic={**lab.page.topic, "intents": intents})
    assert not lab._problem
    assert read_page(lab.state).topic["intents"] == intents
    edit(lab, topic={**lab.page.topic, "intents": [{**intents[0], "mark": "heart"}, *intents[1:]]})
    assert "expected an edit of the page; the widget keeps what it had" in lab._problem
    assert read_page(lab.state).topic["intents"] == intents


@pytest.mark.parametrize("name", RankedListLab.presets())
def test_the_lines_of_a_lab_are_the_same_judgments_in_cells(name: str) -> None:
    text = RankedListLab(name).state
    page, lines = read_page(text), text.splitlines()
    draft = read_intents("\n".join(x for x in lines if x.split()[0] in ("scale", "intent", "subtopic")))
    docs = read_entries("\n".join(x.removeprefix("doc ") for x in lines if x.startswith("doc ")))
    sheet, _ = TopicDraft().with_intents(page.topic["id"], page.topic["title"], draft.intents, draft.scale)
    sheet, _ = sheet.with_list("A", docs)
    parsed, expected = sheet.judgments, page.judgments()
    assert parsed is not None
    assert (parsed.topic, parsed.docs) == (expected.topic, expected.docs)
    assert (parsed.scale, parsed.adhoc_scale) == (expected.scale, expected.adhoc_scale)
    assert sheet.keys == list(page.keys)
    judged = {doc["id"]: doc["grades"] for doc in page.docs}
    assert {doc: document_labels(parsed, doc) for doc in judged} == judged


@pytest.mark.parametrize("name", RankedListLab.presets())
def test_presets_show_what_the_library_says(name: str) -> None:
    lab = RankedListLab(name)
    assert len(lab.state) < 3000
    assert RankedListLab(lab.state).state == lab.state
    expected = {
        (run, metric): dm.metric(metric).score(ranked)
        for run, ranked in (("A", lab.a), ("B", lab.b))
        for metric in lab.metrics
    }
    scores = lab.scores
    assert list(scores.columns) == ["run", "topic", "metric", "score"]
    by_run = {(r, m): s for r, m, s in zip(scores.run, scores.metric, scores.score, strict=True)}
    assert by_run == pytest.approx(expected, abs=1e-12)
    for row in lab._results["rows"]:
        assert row["scores"] == [f"{expected[side, row['metric']]:.4f}" for side in "AB"]


def test_presets_disagree_as_their_papers_say() -> None:
    """Sakai et al. (2010), section 4.3: topic 38, nDCG-IA and D-nDCG against alpha-nDCG."""
    preferred = {
        row["metric"]: row["prefers"] for row in RankedListLab("Sakai et al. 2010, topic 38")._results["rows"]
    }
    assert preferred["alpha-nDCG@10"] == "B"
    assert preferred["nDCG-IA@10"] == "A"
    harry = {row["metric"]: row["prefers"] for row in RankedListLab()._results["rows"]}
    assert (harry["ERR-IA@5"], harry["ERR-IS@5"]) == ("B", "A")


def test_ones_own_runs_get_the_scores_of_evaluate() -> None:
    names = ["ERR-IA@5", "D#-nDCG@5", "alpha-nDCG@3", "nDCG@5"]
    lab = RankedListLab.from_files(QRELS, FILM, MIXED, "potter", metrics=names)
    expected = dm.evaluate(QRELS, [FILM, MIXED], names)
    assert lab.scores.score.tolist() == pytest.approx(expected.score.tolist(), abs=1e-12)
    ndeval = RankedListLab.from_files(QRELS, FILM, MIXED, "potter", metrics="ERR-IA@5", convention="ndeval")
    assert ndeval.metrics == ("ndeval:ERR-IA@5",)
    expected = dm.evaluate(QRELS, [FILM, MIXED], "ERR-IA@5", convention="ndeval")
    assert ndeval.scores.score.tolist() == pytest.approx(expected.score.tolist(), abs=1e-12)
    short = RankedListLab.from_files(QRELS, FILM, MIXED, "potter", depth=2)
    assert (len(short.a), len(short.b)) == (2, 2)


def test_real_runs_get_the_scores_of_evaluate(research_files: Path) -> None:
    web = research_files / "data" / "trec-web-2012"
    files = [web / "runs" / f"{name}.txt.gz" for name in ("ql-cata", "ql-catb")]
    names = ["ERR-IA@20", "alpha-nDCG@20", "D#-nDCG@10"]
    collection = dm.load_collection(str(web / "qrels.diversity.gz"))
    with warnings.catch_warnings():  # of equal tags, ties, documents never judged: not what is tested here
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        runs = dm.load_runs(files, "score")
        expected = dm.evaluate(collection, runs, names)
    for topic in list(collection.pools)[:5]:
        lab = RankedListLab.from_files(collection, *runs, topic, metrics=names)
        of_topic = expected[expected.topic == topic].score.tolist()
        assert lab.scores.score.tolist() == pytest.approx(of_topic, abs=1e-12)


def test_lists_of_ones_own() -> None:
    potter = dm.datasets.harry_potter()
    lab = RankedListLab(potter.list("B", "0083"), metrics="ERR-IA@5", about={"d15": "a blog"})
    assert lab.a.docs == lab.b.docs == potter.list("B", "0083").docs
    states: list[str] = []
    lab.observe(lambda change: states.append(change["new"]), "state")
    lab.b = potter.list("D", "0083")
    lab.a = ["d1", "somewhere else"]
    assert lab.a.docs == ("d1", "somewhere else")
    assert lab.scores.score.tolist()[1] == dm.metric("ERR-IA@5").score(potter.list("D", "0083"))
    assert states[-1] == lab.state
    assert 'doc "somewhere else" ?' in lab.state
    before = lab.state
    lab.metrics = ["D-nDCG@3"]
    lab.state = before
    assert lab.metrics == ("ERR-IA@5",)
    with pytest.raises(dm.DivmetricsError, match="line 1 of the lab's text"):
        lab.state = "nonsense"
    assert lab.state == before


@pytest.mark.parametrize("name", ["D-nDCG@5", "D#-nDCG@5", "alpha-nDCG@5", "ERR-IA@5", "ERR-IS@5"])
def test_no_list_of_the_examples_beats_the_best_list(name: str) -> None:
    for preset in RankedListLab.presets():
        lab = RankedListLab(preset)
        if "IS" in name and not any(t.children for t in lab.a.topic.intents):
            continue
        metric = dm.metric(name)
        best = lab.a.reordered(ListScorer(lab.a.judgments).best(metric, 5))
        assert metric.score(best) >= max(metric.score(lab.a), metric.score(lab.b)) - 1e-9
        if name in ("D-nDCG@5", "alpha-nDCG@5"):
            assert metric.score(best) == pytest.approx(1)  # the ideal of the row, found again


def test_static_html_has_tables() -> None:
    lab = RankedListLab()
    data, _ = lab._repr_mimebundle_()
    html = data["text/html"]
    numbers = set(re.findall(r"[+-]?\d\.\d{4}", html))
    assert {text for row in lab._results["rows"] for text in row["scores"]} <= numbers
    assert html.count("<table>") == 4
    assert len(html) < 20_000
    assert str(lab).startswith("<RankedListLab of topic 0083, A: d1 d4")


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        ("hary potter", "did you mean 'harry potter'?"),
        (7, "expected a preset's name"),
        ("topic 1\nintend b 0", "line 2 of the lab's text ('intend b 0'): it begins with 'intend'"),
        ("topic 1\nintent a many", "the probability is 'many', expected a number such as 0.25 or 1/4"),
        ("topic 1\nintent a 1/0", "the probability is '1/0'"),
        ("topic 1\nintent a 0.5\nintent b 0.4", "probabilities sum to 0.9, expected 1"),
        ("topic 1\nintent a 1\ndoc d1 b:1", "'b' is not an intent of the topic"),
        ("topic 1\nintent a 1\ndoc d1 a:x", "the label 'a:x' is not of the form intent:grade"),
        ("topic 1\nintent a 1\nscale 1\ndoc d1 a:3", "has a grade of 3, above the scale's top 1"),
        ("topic 1\nintent a 1\nA d1 d1", "document 'd1' stands in the list twice"),
        ("topic 1\nintent a 1\nA d1\nA d2", "list A has a line already"),
        ("topic 1\nintent a 1\ndoc d1 a:1 a:2", "('doc d1 a:1 a:2'): the label 'a' is given twice"),
        ("topic 1\nscale 2\nscale 3\nintent a 1", "line 3 of the lab's text ('scale 3'): a second scale; a"),
        ("topic 1\nintent a .5\nintent a .5", "('intent a .5'): 'a' is given twice; names must differ"),
        ("topic 1\nintent a 1\nsubtopic b .5\nsubtopic b .5", "'b' is given twice; names must differ"),
        ("topic 1\nintent a 1\ndoc d1\ndoc d1 a:1", "document 'd1' has a line already"),
        ("topic 1\nintent a 1 sometimes", "expected a name, a probability, perhaps informational or"),
        ("topic 1\nintent a 1 informational sqare", "perhaps its mark in pictures (circle, triangle, square"),
        ("topic 1\nintent a .5 plus\nintent b .5 plus", "the mark 'plus' stands for 'a' and 'b'; give each"),
        ("topic 1\nsubtopic a 1", "expected, below an intent"),
        ("topic 1\ntopic 2", "a second topic"),
        ("topic 1\nscale high", "expected the highest grade"),
        ('topic 1\nintent a 1 "half', "a quotation mark is not closed"),
        ("A d1\nB d2", "has no topic with intents"),
        ("topic 1 2 3\nintent a 1", "expected the topic's id and its title"),
    ],
)
def test_bad_constructor_arguments_raise_one_sentence(start: object, sentence: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=re.escape(sentence)):
        RankedListLab(start)


def test_other_bad_input_gets_one_sentence() -> None:
    potter, sakai = dm.datasets.harry_potter(), dm.datasets.sakai2012()
    a, other = potter.list("A", "0083"), sakai.list("Figure 1", "figure1")
    with pytest.raises(dm.DivmetricsError, match="differ in topic or judgments"):
        RankedListLab(a, other)
    with pytest.raises(dm.DivmetricsError, match="did you mean 'ERR-IA'"):
        RankedListLab(a, metrics="EER-IA@5")
    with pytest.raises(dm.DivmetricsError, match="depth is 0"):
        RankedListLab.from_files(QRELS, FILM, MIXED, "potter", depth=0)
    with pytest.raises(dm.DivmetricsError, match="topic 'poter' has no judgments"):
        RankedListLab.from_files(QRELS, FILM, MIXED, "poter")
    with pytest.raises(dm.DivmetricsError, match="a lab starts with"):
        RankedListLab("harry potter", a)
    lab = RankedListLab()
    with pytest.raises(dm.DivmetricsError, match="stands at rank 1 and again at rank 2"):
        lab.a = ["d1", "d1"]


def test_unscorable_metrics_are_reported_and_the_page_is_kept() -> None:
    lab = RankedListLab(metrics=["ERR-IA@5", "P-IA", "ERR-IS@5"])
    problem = next(row["problem"] for row in lab._results["rows"] if "problem" in row)
    assert problem == "P-IA needs a cutoff: write P-IA@10 (any whole number of at least 1)"
    topic = lab.page.topic
    uneven = [{**t, "probability": 0.5} for t in topic["intents"]]
    edit(lab, topic={**topic, "intents": uneven})
    assert "probabilities sum to 2.5, expected 1" in lab._problem
    assert lab._results["rows"] == []
    assert "intent film 0.5" in lab.state
    edit(lab, topic=topic)
    assert lab._problem == ""
    assert len(lab._results["rows"]) == 3


@pytest.fixture
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, the next steps are measured."""
    monkeypatch.setattr("divmetrics_widgets.bench.AT_MOST", float("inf"))


@pytest.mark.usefixtures("_patient")
@pytest.mark.parametrize("name", RankedListLab.presets())
def test_the_next_steps_are_measured_in_advance(name: str) -> None:
    """The numbers are those that the page would have, were it made."""
    lab = RankedListLab(name)
    docs = lab.page.lists["A"]
    lab.set_state({"_hand": {"side": "A", "doc": docs[1]}})
    steps = [[docs[1], docs[0], *docs[2:]], [docs[0], *docs[2:3], docs[1], *docs[3:]]]
    assert [page["lists"]["A"] for page in lab._ahead["pages"]] == steps[: len(docs) - 1]
    for page in lab._ahead["pages"]:
        moved = RankedListLab(name)
        edit(moved, lists=page["lists"])
        assert {"of": moved._edit["name"], **page["results"]} == moved._results


@pytest.mark.usefixtures("_patient")
def test_the_next_steps_follow_the_page_and_the_hand() -> None:
    lab = RankedListLab("harry potter")
    first, *rest = lab.page.lists["B"]
    assert lab._ahead["pages"] == []  # nothing in hand
    lab.set_state({"_hand": {"side": "B", "doc": first}})
    assert [page["lists"]["B"] for page in lab._ahead["pages"]] == [[rest[0], first, *rest[1:]]]
    lab.b = [*rest, first]
    assert [page["lists"]["B"] for page in lab._ahead["pages"]] == [[*rest[:-1], first, rest[-1]]]
    lab.b = rest
    assert lab._ahead["pages"] == []


@pytest.mark.usefixtures("_patient")
def test_only_what_is_quick_and_works_is_measured_in_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = RankedListLab("harry potter")
    first, second, third, *_ = lab.page.lists["A"]
    rows = ListScorer.rows

    def fails(self: ListScorer, lists: dict[str, list[str]], metrics: list[str]) -> object:
        if lists["A"][0] == second:
            raise ValueError("a metric of one's own that fails on this page")
        return rows(self, lists, metrics)

    monkeypatch.setattr(ListScorer, "rows", fails)
    lab.set_state({"_hand": {"side": "A", "doc": second}})
    assert [page["lists"]["A"][:3] for page in lab._ahead["pages"]] == [[first, third, second]]
    assert lab._problem == ""
    monkeypatch.setattr(ListScorer, "rows", rows)
    monkeypatch.setattr("divmetrics_widgets.bench.AT_MOST", 0.0)
    lab.set_state({"_hand": {"side": "A", "doc": first}})
    edit(lab)
    assert lab._results["of"] == lab._edit["name"]
    assert lab._ahead == {}


def test_a_small_difference_does_not_look_like_a_tie() -> None:
    """With so patient a reader, two documents that change places matter in the ninth decimal."""
    docs = "doc d1 x:2\ndoc d2 x:1\nA d1 d2\nB d2 d1"
    page = f"topic 1\nscale 2\nintent x 1\n{docs}\nmetrics RBP-IA(phi=0.9999)@2"
    lab = RankedListLab(page)
    row = lab._results["rows"][0]
    assert row["scores"][0] == row["scores"][1]
    assert (row["prefers"], row["difference"]) == ("A", "+5e-09")
    assert "+5e−09" in lab.static_html()
