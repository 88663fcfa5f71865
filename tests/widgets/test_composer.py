"""MetricComposer without a browser: every row, every menu, parameters, names, and what is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Annotated
from xml.etree import ElementTree

import numpy as np
import pytest

import divmetrics as dm
from divmetrics import datasets, parts
from divmetrics.conventions.convention import conventions
from divmetrics.core.batch import Batch
from divmetrics.core.metric import Metric
from divmetrics.explanations.catalogue import COLUMNS
from divmetrics.explanations.formulas import latex, latex_terms
from divmetrics.explanations.part_descriptions import description_of
from divmetrics.explanations.user_model_texts import describe_columns, describe_users
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.parts import (
    GreedyIdeal,
    Linear,
    Novelty,
    One,
    Part,
    Reciprocal,
    Relevant,
    Setting,
    SortedIdeal,
    Utility,
)
from divmetrics.registry.parse import names_of
from divmetrics_widgets import MetricComposer, menus

Power = Annotated[float, Setting("how steep", 0)]
ALL = [row for table in conventions().values() for row in table.rows.values()]
ROWS = [row for row in ALL if isinstance(row, Metric)]
COMPOSED = [
    row @ 5 for row in ROWS if not isinstance(row.stop, parts.MinimalRank)
]  # a menu has the other stop
PASTED = {"Metric": Metric, **{name: getattr(parts, name) for name in parts.__all__}}


def edit(composer: MetricComposer, *edits: dict) -> None:
    """What the browser sends when a control is used."""
    composer._handle_custom_msg({"token": "t", "edits": list(edits)}, [])
    assert composer._shown["answered"] == "t"


def ids(shown: dict) -> list[str]:
    """Of the documents of the list that is shown."""
    return [doc["id"] for doc in shown["list"]["docs"]]


def pick(composer: MetricComposer, column: str, name: str) -> None:
    """Choose a part from a column's menu by its name."""
    labels = [option.split(": ")[0] for option in composer._menus[column]]
    edit(composer, {"column": column, "part": labels.index(name)})


def tune(composer: MetricComposer, column: str, name: str, value: object) -> None:
    assert name in [p["name"] for p in composer._shown["columns"][column]["parameters"]]
    edit(composer, {"column": column, "parameter": name, "value": value})


def problem(composer: MetricComposer) -> str:
    """What the widget says is wrong: one sentence."""
    (sentence,) = [composer._problem] if composer._problem else composer._shown["remarks"]
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("row", [row @ 5 for row in ROWS], ids=str)
def test_every_row_comes_back_as_it_went_in(row):
    """Loaded, shown, scored, and its code makes an equal metric again."""
    composer = MetricComposer(row)
    ranked = datasets.harry_potter().list("D", "0083")
    assert composer.metric is row
    assert str(row) in composer.table_names
    assert eval(composer.state, PASTED) == eval(repr(composer.metric), PASTED) == row
    assert composer.score == row.score(ranked)
    assert composer._shown["score"] == f"{row.score(ranked):.4f}"
    assert np.sum(composer._shown["cells"]) == pytest.approx(row.score(ranked), abs=1e-12)
    for column in COLUMNS:
        chosen = composer._menus[column][composer._shown["columns"][column]["place"]]
        assert chosen.split(": ")[0] == menus.label(getattr(row, column))
    assert [text for text in composer._shown["remarks"] if "above 1" not in text] == []


@pytest.mark.slow
@pytest.mark.parametrize("row", COMPOSED, ids=str)
def test_every_row_can_be_composed(row):
    """From another metric, by four menus and the parameters that differ; then the widget knows it."""
    composer = MetricComposer("I-rec@5")
    for column in ("f", "w", "M", "N"):
        part = getattr(row, column)
        edit(composer, {"column": column, "part": menus.place_of(part, composer._parts[column])})
        for name, value in menus.values_of(part).items():
            if menus.values_of(getattr(composer.metric, column))[name] != value:
                tune(composer, column, name, value)
    assert composer._problem == ""
    assert str(row) in composer.table_names
    assert composer._shown["known"]
    assert all(getattr(composer.metric, column) == getattr(row, column) for column in COLUMNS)
    assert composer.metric.name in {row.name for row in ROWS}


@pytest.mark.slow
@pytest.mark.parametrize("column", COLUMNS)
def test_every_part_of_a_menu_can_be_chosen(column):
    """The metric has the chosen part, pastes back, and has a score or says why not."""
    for start in ("ERR-IA@5", "alpha-nDCG@5", "RBU@5"):
        for place, option in enumerate(MetricComposer()._menus[column]):
            composer = MetricComposer(start)
            edit(composer, {"column": column, "part": place})
            assert menus.label(getattr(composer.metric, column)) == option.split(": ")[0]
            assert eval(composer.state, PASTED) == composer.metric
            if composer._shown["score"]:
                assert composer._shown["score"] == f"{composer.score:.4f}"
            else:
                with pytest.raises(dm.DivmetricsError, match=re.escape(problem(composer))):
                    assert composer.score


def test_the_menus_have_every_part():
    """Whatever the library exports for a column is in its menu, or inside a part of it."""
    menu_text = " ".join(repr(part) for column in menus.parts_of_tables().values() for part in column)
    others = {"Part", "Gain", "Setting", "Utility", "Product", "Difference"}  # what parts are made with
    others |= {"Exponential", "ExactIdeal"}  # choices of a parameter
    others |= {"PreferredRank", "MinimalRank"}  # stops
    others |= {"ExpressionError"}  # no part
    others |= {
        "IdealRate",
        "Orientation",
        "GainPerEffort",
        "BlockContinuation",
    }  # for pages of blocks, not for ranked lists
    classes = {name for name in parts.__all__ if isinstance(getattr(parts, name), type)}
    others |= {name for name in classes if name.startswith("Written")} | {
        "ExpressionError"
    }  # written, not chosen
    assert {name for name in classes - others if f"{name}(" not in menu_text} == set()
    composer = MetricComposer("alpha-nDCG@5")
    tune(composer, "N", "ideal", "exact")
    assert composer.metric == dm.metric("alpha-nDCG(ideal=exact)@5")


def test_starting_points():
    """Every single row of every convention; the cutoff stays."""
    composer = MetricComposer("ERR-IA@3")
    assert [name for names in composer._starts.values() for name in names] == list(map(str, ROWS))
    for row in ROWS:
        edit(composer, {"start": str(row)})
        assert composer.metric == row @ 3
        assert str(composer.metric) == str(row @ 3)


def test_parameters_change_the_metric_and_its_name():
    """A metric whose parameters differ from its table's is known by a name that says so."""
    composer = MetricComposer("alpha-nDCG@5")
    tune(composer, "M", "alpha", 0.3)
    assert composer.metric == dm.metric("alpha-nDCG(alpha=0.3)@5")
    assert str(composer.metric) == composer._shown["known"][0] == "alpha-nDCG(alpha=0.3)@5"
    pick(composer, "M", "Graded")
    assert (composer.metric.name, composer.table_names) == ("mine", ())
    assert composer.metric.source == ""
    assert ["alpha-nDCG", "M"] in [list(near) for near in composer._shown["near"]]
    tune(composer, "M", "gain", "exponential")
    pick(composer, "N", "SortedIdeal(intent)")
    pick(composer, "f", "Probability")
    assert composer.metric == dm.metric("nDCG-IA(gain=exponential)@5")
    assert str(composer.metric) == "nDCG-IA(gain=exponential)@5"


def test_what_n_shares_with_another_column_is_one_number():
    """NRBP's ideal reads with the alpha of M and the beta of w; a difference that came from outside stays."""
    composer = MetricComposer("NRBP")
    assert [p["name"] for p in composer._shown["columns"]["N"]["parameters"]] == ["intents"]
    tune(composer, "M", "alpha", 0.2)
    tune(composer, "w", "beta", 0.8)
    assert composer.metric == dm.metric("NRBP(alpha=0.2,beta=0.8)")
    pick(composer, "M", "Cascade(Satisfaction)")
    tune(composer, "N", "alpha", 0.9)
    assert composer.metric.N.alpha == 0.9
    pick(composer, "M", "Novelty")
    assert composer.metric.N.alpha == composer.metric.M.alpha == 0.5
    apart = replace(dm.metric("NRBP"), N=parts.UpperBoundInfinite(alpha=0.1))
    composer.metric = apart
    assert composer.metric == apart
    tune(composer, "w", "beta", 0.6)
    assert (composer.metric.N.alpha, composer.metric.N.beta) == (0.1, 0.6)
    # The beta of a blended ratio is another one.
    composer.metric = "NRBP"
    pick(composer, "M", "Relevant * BlendedRatio")
    tune(composer, "M", "beta", 3)
    assert (composer.metric.w.beta, composer.metric.N.beta, composer.metric.M.second.beta) == (0.5, 0.5, 3)


def test_cutoff_and_stop():
    """With both, P+ can be composed, which is half of P+Q."""
    composer = MetricComposer("Q-IA@5")
    edit(composer, {"stop": True}, {"cutoff": 7})
    pick(composer, "N", "RelevantRetrieved")
    p_plus = dm.metric("P+Q@7").navigational
    assert replace(composer.metric, name=p_plus.name, source=p_plus.source) == p_plus
    assert "down to rp" in composer._shown["formula"]["text"]
    edit(composer, {"stop": False}, {"cutoff": None})
    assert (composer.metric.stop, composer.metric.cutoff) == (None, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"column": "M", "parameter": "alpha", "value": 2}, "alpha is 2, expected a number in [0, 1]"),
        ({"column": "M", "parameter": "alpha", "value": "none"}, "alpha is 'none', expected a number"),
        ({"column": "M", "parameter": "alpha", "value": None}, "alpha is None, expected a number"),
        ({"column": "N", "parameter": "ties", "value": "random"}, "ties is 'random', expected one of"),
        ({"cutoff": 0}, "the cutoff is 0, expected a whole number of at least 1"),
        ({"cutoff": 2.5}, "the cutoff is 2.5, expected a whole number"),
        ({"cutoff": "no number"}, "the cutoff is 'no number', expected a whole number"),
        ({"start": "ERR-IAA"}, "did you mean 'ERR-IA'"),
    ],
)
def test_invalid_edits_are_reported_and_change_nothing(change, message):
    """The last good metric stays, with its score; the next good edit takes the sentence away."""
    composer = MetricComposer("alpha-nDCG@5")
    before = composer.metric
    edit(composer, change)
    assert message in problem(composer)
    assert composer.metric is before
    assert composer._shown["score"] == f"{before.score(composer.ranked_list):.4f}"
    edit(composer, {"cutoff": 4})
    assert composer._problem == ""
    assert composer.metric == dm.metric("alpha-nDCG@4")


def test_what_is_wrong_with_a_combination_is_said_in_words():
    """Each combination is a Metric all the same; what has no score says so, also from Python."""
    composer = MetricComposer("P-IA@5")
    edit(composer, {"cutoff": None})
    assert "needs a cutoff" in problem(composer)
    assert composer._shown["score"] == ""
    with pytest.raises(dm.DivmetricsError, match="needs a cutoff"):
        assert composer.score
    assert "no score" in repr(composer)

    composer = MetricComposer("alpha-nDCG@5")
    pick(composer, "N", "SortedIdeal(topic)")
    assert any("sorts the ideal list" in remark for remark in composer._shown["remarks"])
    assert composer._shown["score"]

    composer = MetricComposer("D-nDCG@5")
    pick(composer, "N", "GreedyIdeal")
    tune(composer, "N", "ideal", "exact")
    assert "ideal=exact is only known for alpha-nDCG" in problem(composer)

    composer = MetricComposer("RBU@5")
    pick(composer, "f", "One")
    assert "weights f sum to 5" in problem(composer)


def test_a_score_above_1_is_said():
    """The case in which a greedy ideal is not the best list there is; with the exact one it is 1."""
    judged = {"e": (3, 4), "d": (0, 1), "c": (2,), "b": (2, 3), "a": (1, 3)}
    topic = dm.Topic("1", tuple(dm.Intent(f"t{i}", 0.2) for i in range(5)))
    labels = {doc: {f"t{i}": 1 for i in intents} for doc, intents in judged.items()}
    ranked = dm.RankedList(topic, ["e", "d", "b"], labels)
    composer = MetricComposer("alpha-nDCG@3", ranked)
    assert composer._shown["score"] == "1.0853"
    assert "above 1" in problem(composer)
    tune(composer, "N", "ideal", "exact")
    assert (composer._shown["score"], composer._shown["remarks"]) == ("1.0000", [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "D#-nDCG@5"}, "D#-nDCG@5 is made of several rows"),
        ({"metric": "ERR-IS@5"}, "made of several rows"),
        ({"metric": "ERR-IAA@5"}, "did you mean 'ERR-IA'"),
        ({"metric": 5}, "neither a metric nor the name of one"),
        ({"ranked_list": ["d1"]}, "expected a RankedList"),
    ],
)
def test_wrong_arguments(arguments, message):
    """Said in one sentence, when made and when set later."""
    with pytest.raises(dm.DivmetricsError, match=re.escape(message)):
        MetricComposer(**arguments)
    composer = MetricComposer()
    ((name, value),) = arguments.items()
    with pytest.raises(dm.DivmetricsError, match=re.escape(message)):
        setattr(composer, name, value)
    assert composer.state == MetricComposer().state


def test_ones_own_parts_are_in_the_menu_too():
    """A part that the library does not have is offered from then on, keeps its name, and is checked."""

    @dataclass(frozen=True)
    class Root(Part):
        """1/k^power: slower than 1/k."""

        power: Power = 0.5

        def __call__(self, view: Batch):
            return view.ranks**-self.power

    @dataclass(frozen=True)
    class Broken(Utility):
        latex = r"\left(1"

        def factors(self, view: Batch):
            return {"nan": np.full(view.linear.shape, np.nan)}

    own = Metric("root", N=One(), f=One(), w=Root(), M=Relevant())
    composer = MetricComposer(own)
    assert composer.metric is own
    assert composer._menus["w"][-1].startswith("Root: ")
    assert composer._shown["columns"]["w"]["words"] == ["1/k^power: slower than 1/k."]
    tune(composer, "w", "power", 0.25)
    assert composer.metric == Metric("root", N=One(), f=One(), w=Root(0.25), M=Relevant())
    pick(composer, "w", "Reciprocal")
    pick(composer, "w", "Root")
    assert composer.metric.w == Root()
    composer.metric = replace(own, M=Broken())
    assert composer._shown["columns"]["M"]["formula"]["mathml"] == ""
    assert "expected a finite number" in problem(composer)
    assert MetricComposer()._menus["w"] == [*composer._menus["w"][:-1]]


def test_an_error_in_ones_own_part_is_said_and_changes_nothing():
    """Whatever the part raises: the last good metric is shown again, and can be edited."""

    @dataclass(frozen=True)
    class Fragile(Part):
        """1/k^power, and an error where it is steep."""

        power: Power = 0.5

        def __call__(self, view: Batch):
            if self.power > 1:
                raise ZeroDivisionError("too steep")
            return view.ranks**-self.power

    composer = MetricComposer(Metric("own", N=One(), f=One(), w=Fragile(), M=Relevant()))
    score = composer._shown["score"]
    tune(composer, "w", "power", 2)
    assert composer._problem == "ZeroDivisionError: too steep"
    assert (composer.metric.w, composer._shown["score"]) == (Fragile(), score)
    tune(composer, "w", "power", 0.25)
    assert (composer.metric.w, composer._problem) == (Fragile(0.25), "")


def test_observers_of_state_see_metric_and_score():
    """Once for each change, when metric and score are there; two composers stay apart."""
    one, other = MetricComposer("ERR-IA@5"), MetricComposer("ERR-IA@5")
    calls: list[tuple[str, float]] = []
    one.observe(lambda change: calls.append((change["new"], one.score)), "state")
    one.metric = "alpha-nDCG@3"
    tune(one, "M", "alpha", 1)
    expected = [dm.metric("alpha-nDCG@3"), dm.metric("alpha-nDCG(alpha=1)@3")]
    assert [(eval(code, PASTED), score) for code, score in calls] == [
        (metric, metric.score(one.ranked_list)) for metric in expected
    ]
    assert other.metric == dm.metric("ERR-IA@5")
    with pytest.raises(Exception, match="read-only"):
        one.state = "something else"


def test_documents_have_the_titles_that_are_known_of_this_list():
    """Those of the example, or given ones; never those of the example for documents of another list."""

    def titles(composer):
        return {doc["id"]: doc["about"] for doc in composer._shown["list"]["docs"]}

    potter = datasets.harry_potter_documents()
    example = MetricComposer()
    assert titles(example) == {doc: potter[doc] for doc in example.ranked_list.docs}
    some = MetricComposer(about={"d7": "an article"})
    assert titles(some) == {**titles(example), "d7": "an article"}
    assert set(titles(MetricComposer("P-IA@5", example.ranked_list)).values()) == {""}
    assert titles(MetricComposer("P-IA@5", example.ranked_list, about=potter)) == titles(example)
    topic = dm.Topic("t", (dm.Intent("a", 1.0),))
    some.ranked_list = example.ranked_list = dm.RankedList(topic, ["d7", "d1"], {"d1": {"a": 1}})
    assert titles(example) == {"d7": "", "d1": ""}
    assert titles(some) == {"d7": "an article", "d1": ""}


def test_another_list():
    """The same metric on a list of one's own; documents, intents and score follow."""
    composer = MetricComposer("ERR-IA@5")
    composer.ranked_list = datasets.sakai2012().list("Figure 1", "figure1")
    assert ids(composer._shown) == ["d1", "d2", "d3", "d4", "d5"]
    assert composer._shown["score"] == f"{composer.score:.4f}"
    empty = composer.ranked_list.reordered([])
    composer.ranked_list = empty
    assert composer.score == 0
    assert composer._shown["score"] == "0.0000"


def test_without_a_kernel():
    """Parts, formula, score and contributions as plain tables, all text escaped."""
    intent = "<img src=x onerror=alert(1)>"
    topic = dm.Topic("1", (dm.Intent(intent, 1.0),), "<b>title</b>")
    composer = MetricComposer("nDCG-IA@2", dm.RankedList(topic, ["<i>"], {"<i>": {intent: 1}}, "<u>"))
    page = composer.static_html()
    assert "<img" not in page
    assert "<u>" not in page
    tree = ElementTree.fromstring(f"<html>{page}</html>")
    cells = ["".join(cell.itertext()) for cell in tree.iter() if cell.tag in ("td", "th")]
    for column in COLUMNS:
        assert repr(getattr(composer.metric, column)) in cells
    assert "1.0000" in cells
    assert "nDCG-IA@2" in page
    assert "sum_k 1/log2(k+1)" in page
    assert repr(composer) == "<MetricComposer of nDCG-IA@2: 1.0000 on list <u>>"
    assert page in composer._repr_mimebundle_()[0]["text/html"]


@pytest.mark.parametrize("metric", [*ALL, *map(dm.metric, ("ERR-IS", "alpha-nDCG(ideal=exact)"))], ids=str)
def test_every_formula_is_typeset(metric):
    """The MathML of every row of every table is well-formed, nothing but MathML, and has no LaTeX left."""
    tree = ElementTree.fromstring(mathml(latex(metric)))
    assert all(element.tag.startswith("{http://www.w3.org/1998/Math/MathML}") for element in tree.iter())
    text = "".join(tree.itertext())
    assert "\\" not in text
    assert ("γ" if metric.name.startswith(("D#", "DIN#", "P+Q#")) else "∑") in text
    letters = re.sub(r"[^A-Za-z]", "", metric.name)
    assert letters in re.sub(r"[^A-Za-z]", "", text)


def test_parts_are_told_apart_by_kind():
    """A menu's part is the same whatever its parameters, and another where it is made of other parts."""
    assert menus.place_of(Novelty(0.1), [Relevant(), Novelty()]) == 1
    assert menus.place_of(SortedIdeal("topic"), [SortedIdeal("intent"), GreedyIdeal()]) is None
    assert menus.place_of(parts.ExactIdeal(), [GreedyIdeal()]) == 0
    assert menus.values_of(Reciprocal()) == {}
    both = parts.Cascade() * parts.BlendedRatio(Linear(), 2)
    assert menus.label(both) == "Cascade(Satisfaction) * BlendedRatio"
    assert names_of(dm.metric("ERR-IA")) == ("ERR-IA",)


def test_the_list_comes_with_its_numbers() -> None:
    """One value for the browser: no list is drawn with the cells of the list before it."""
    composer = MetricComposer()
    before, after = composer.ranked_list, dm.datasets.sakai2012().list("Figure 1", "figure1")
    seen: list[dict] = []
    composer.observe(lambda change: seen.append(composer._shown), composer.keys)
    composer.ranked_list = after
    for traits in seen:
        ranked = after if ids(traits) == list(after.docs) else before
        assert [intent["id"] for intent in traits["list"]["intents"]] == [t.id for t in ranked.topic.intents]
        assert traits["score"] == f"{composer.metric.score(ranked):.4f}"
    assert ids(seen[-1]) == list(after.docs)


@pytest.mark.slow
def test_what_is_shown_of_a_metric_is_enough_to_compose_it_again() -> None:
    """The browser does so with a metric that it has kept: `kept` in front/composer.js makes these edits."""
    again = MetricComposer()
    for name in [name for names in again._starts.values() for name in names][::3]:
        traits = MetricComposer(f"{name}@5")._shown
        columns = traits["columns"].items()
        edits = [
            {"stop": traits["stop"]},
            {"cutoff": traits["cutoff"]},
            *({"column": column, "part": message["place"]} for column, message in columns),
            *(
                {"column": column, "parameter": each["name"], "value": each["value"]}
                for column, message in columns
                for each in message["parameters"]
            ),
        ]
        again._on_message(None, {"token": name, "edits": edits}, None)
        assert again._problem == ""
        for what in ("known", "cutoff", "stop", "columns", "score", "cells"):
            assert again._shown[what] == traits[what]


def test_every_part_of_a_menu_says_in_plain_words_what_its_readers_do():
    """A sentence; all that have words of their own together are what the library says of the row."""
    for column, choices in menus.parts_of_tables().items():
        for part in choices:
            row = replace(dm.metric("ERR-IA@5"), **{column: part})
            message = describe_columns(row)
            assert re.fullmatch(r"[A-Za-z].+\.", message[column]), part
            own = [message[c] for c in message if description_of(getattr(row, c)).user_model]
            assert "; ".join(text[:-1].lower() for text in own) == describe_users(row)[:-1].lower()


def test_the_readers_are_told_from_top_to_bottom_with_the_parameters_as_they_are():
    composer = MetricComposer("alpha-nDCG(alpha=0.3)@5")
    words = dict(composer._shown["reader"])
    assert list(words) == ["M", "w", "f", "N"]
    assert "leaves only 0.7 of their interest" in words["M"]
    assert words["f"] == "Every intent counts 1."
    tune(composer, "M", "alpha", 0.75)
    edit(composer, {"stop": True})
    words = dict(composer._shown["reader"])
    assert list(words) == ["M", "stop", "w", "f", "N"]
    assert words == describe_columns(composer.metric)
    assert "leaves only 0.25 of their interest" in words["M"]
    assert words["M"] in composer.static_html()


def test_a_part_of_ones_own_is_told_by_its_documentation():
    @dataclass(frozen=True)
    class Steep(Part):
        """Falls steeply."""

        def __call__(self, view: Batch) -> np.ndarray:
            return 1 / view.ranks**3

    assert describe_columns(replace(dm.metric("ERR-IA@5"), w=Steep()))["w"] == "Falls steeply."


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_the_terms_of_a_formula_are_the_formula_and_each_menu_has_its_own(row):
    terms = latex_terms(row)
    assert "".join(term for _, term in terms) == latex(row)
    for column in COLUMNS:
        (own,) = [term for of, term in terms if of == column]
        part = getattr(row, column)
        assert (own == "") if isinstance(part, One) else (description_of(part).latex in own)
    drawn = MetricComposer(row)._shown["formula"]["terms"]
    assert [of for of, _ in drawn if of] == [of for of, term in terms if of and term]
    assert all(ElementTree.fromstring(math).tag.endswith("math") for _, math in drawn)
