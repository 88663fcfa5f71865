"""Metrics written as text: the library's numbers from other words, and every slip said with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import parts
from divmetrics.core.batch import make_batch
from divmetrics.core.metric import IntentSquare
from divmetrics.explanations.formulas import formula, latex
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.notebook.expressions.parse_metric import write_metric
from divmetrics.notebook.expressions.rule_checks import CAUSAL, check_rules
from divmetrics.notebook.expressions.vocabulary import LISTS, WORDS, meanings
from divmetrics.parts import WrittenDiscount, WrittenNormaliser, WrittenUtility, WrittenWeight
from tests.support.strategies import cutoffs, quick, samples

SPACE = {"Metric": dm.Metric, **{name: getattr(parts, name) for name in parts.__all__}}
ALPHA_NDCG = """
M = relevant * (1 - alpha) ** seen_before
w = 1 / log2(1 + rank)
f = 1
N = ideal
alpha = 0.5
"""
ERR_IA = "w = rank ** -1\nsatisfied * unsatisfied_before"
ERR_IA_BY_LOOP = """
left = 1.0
M = zeros_like(grade)
for k in range(depth):
    stop = satisfied[..., k]
    M[..., k] = left * stop
    left = left * (1 - stop)
w = 1 / rank
"""
S_RECALL = "f = 1 / intents\nM = relevant * (seen_before == 0)"
SAME = {
    "alpha-nDCG": ALPHA_NDCG,
    "alpha-nDCG(alpha=0.3)": ALPHA_NDCG.replace("0.5", "0.3"),
    "ERR-IA": ERR_IA,
    "S-recall": S_RECALL,
    "Q-IA": "N = min(judged_relevant, cutoff)\n"
    "M = relevant * (seen + so_far(gain)) / (rank + so_far(ideal_gain))",
    "RBP-IA": "w = (1 - phi) * phi ** (rank - 1)\nphi = 0.99\nM = gain / top_gain",
    "nDCG-IA": "N = own_ideal\nw = 1 / log2(rank + 1)\nM = gain",
    "D-nDCG": "N = sorted_ideal\nw = 1 / log2(rank + 1)\nM = grade",
    "DIN-nDCG": None,
    "AP-IA": "N = cutoff\nw = 1 / rank\nM = relevant * seen",
}
SAME["ERR-IA "] = ERR_IA_BY_LOOP
SAME = {name: text for name, text in SAME.items() if text}


def written(text: str, name: str = "mine") -> dm.Metric:
    return write_metric(name, text).metric


@pytest.mark.parametrize("name", SAME)
@quick(25)
@given(samples(), cutoffs)
def test_written_metrics_equal_library_metrics(name, sample, cutoff):
    """Every contribution of a metric of the tables, to 1e-12, from a text (Yu et al. 2017, Table 1)."""
    mine, ours = written(SAME[name]) @ cutoff, dm.metric(name.strip()) @ cutoff
    seen = make_batch(sample.collection())
    assert mine.contributions(seen) == pytest.approx(ours.contributions(seen), abs=1e-12)
    assert not any(repr(mine.M).startswith(part) for part in ("Novelty", "Cascade", "FirstCover"))


@quick(25)
@given(samples(levels=2), cutoffs)
def test_the_intent_square_form_and_parameters_of_a_written_metric(sample, cutoff):
    """Over second-level subtopics, with the gain and the number that a name may set."""
    square = dm.metric("ERR-IS") @ cutoff
    mine = IntentSquare("mine-IS", written(ERR_IA)) @ cutoff
    seen = make_batch(sample.collection(), leaves=True)
    assert mine.scores(seen) == pytest.approx(square.scores(seen), abs=1e-12)
    gain = written("N = own_ideal\nw = 1 / log2(rank + 1)\nM = gain").with_parameters(gain="exponential")
    ours = dm.metric("nDCG-IA(gain=exponential)")
    assert (gain @ cutoff).scores(seen) == pytest.approx((ours @ cutoff).scores(seen), abs=1e-12)


@pytest.mark.parametrize("text", [*SAME.values(), "f = probability ** a\nw = b ** rank\nN = max(ideal, 1)\n"
                                  "M = gain - a * gain_before\na = 2\nb = 1 / 3"])  # fmt: skip
def test_the_repr_pastes_back_and_two_spellings_are_equal(text):
    metric = written(text) @ 7
    again = eval(repr(metric), dict(SPACE))
    assert again == metric
    assert hash(again) == hash(metric)
    assert repr(again) == repr(metric)
    assert written(text.replace(" * ", "*").replace(" / ", " /  ")) @ 7 == metric


def test_parameters_are_set_by_name_in_every_column():
    metric = written("M = relevant * a ** seen_before\nw = a ** rank\na = 0.5\n")
    assert metric.parameters() == {"a": 0.5}
    changed = metric.with_parameters(a=0.25)
    assert changed == written("M = relevant * a ** seen_before\nw = a ** rank\na = 0.25\n")
    assert str(changed @ 3) == "mine(a=0.25)@3"
    with pytest.raises(dm.DivmetricsError, match="a is 'x', expected a number"):
        metric.with_parameters(a="x")


def test_words_that_name_a_part_are_the_part():
    metric = written("relevant\n", "x")
    assert (metric.N, metric.f, metric.w) == (parts.One(), parts.Probability(), parts.One())
    metric = written("N = ideal\nw = 1/log2(rank + 1)\nf = 1/intents\nM = relevant")
    assert (metric.N, metric.f, metric.w) == (parts.GreedyIdeal(), parts.Uniform(), parts.Log2())
    assert WrittenUtility("relevant") == metric.M
    assert WrittenNormaliser("max(ideal, 1)") == written("N = max(ideal, 1)\nM = relevant").N


def test_formulas_use_the_fields_notation():
    metric = written("worth = grade / top\nM = worth * (1 - alpha) ** seen_before\nalpha = 0.5")
    assert "grade / top * (1 - alpha) ** seen_before" in formula(metric)
    assert r"\frac{g_i^k}{Y}\,\left(1-\alpha\right)^{c_i^{k-1}}" in latex(metric)
    loop = written(ERR_IA_BY_LOOP)
    assert "M as written" in formula(loop)
    for text in SAME.values():
        assert mathml(latex(written(text))).startswith("<math"), text


def test_explanations_show_factors_of_written_parts():
    ranked = dm.datasets.harry_potter().list("C", "0083")
    text = dm.explain_in_words(written(ALPHA_NDCG) @ 3, ranked)
    assert "discount 0.6309 x relevant 1 x (1 - alpha) ** seen_before 0.5 / 4.446" in text
    assert "M " in dm.explain_in_words(written(ERR_IA_BY_LOOP) @ 3, ranked)


def test_what_a_written_part_reads_makes_documents_interchangeable():
    assert WrittenUtility("relevant * seen_before").reads == ("relevant",)
    assert WrittenUtility("where(grade > 1, relevant, 0)").reads == ("linear", "exponential", "relevant")
    for name, word in LISTS.items():
        assert set(word.reads) <= {"linear", "exponential", "relevant"}, name


WRONG = {
    "M = relevnt": r"line 2 \(M = relevnt\): there is no 'relevnt' in M \(did you mean 'relevant'\?\)",
    "M = zzzz": r"line 2 .*there is no 'zzzz' in M; it may read grade, gain, relevant",
    "M = relevant *": r"line 2 \(M = relevant \*\): this is not valid Python",
    "M = relevant\n\nw = grade": r"line 4 \(w = grade\): w reads 'grade', which is for M only",
    "M = relevant\nf = 1 / rank": "line 3 .*f reads 'rank', which is for M and w only",
    "M = cutoff": "line 2 .*M reads 'cutoff', which is for N only",
    "M = w\nw = 1": "line 2 .*M reads w; columns do not read one another",
    "M = y * relevant\ny = x\nx = grade": "line 2 .*'y' is read before it is set",
    "M = M + relevant": "line 2",
    "beta = 1\nrelevant": "line 2 .*no column reads 'beta'",
    "x = grade\nrelevant": "line 2 .*no column reads x",
    "relevant\ngrade": "line 2 .*'relevant' is computed and lost; name it",
    "grade = 3\nM = grade": r"line 2 .*'grade' has a meaning here \(g, the document's grade",
    "source = 3\nM = grade * source": "line 2 .*'source' cannot be a name of one's own",
    "for rank in range(3):\n    pass\nM = relevant": "line 2 .*'rank' has a meaning here",
    "import numpy\nrelevant": "line 2 .*nothing can be imported here",
    "M = relevant\nreturn M": "line 3 .*nothing is returned",
    "alpha: float = 3\nM = relevant * alpha": "line 2 .*write the name alone",
    "": "there is no M, which says what a document adds",
    "alpha = 0.5": "there is no M",
}


@pytest.mark.parametrize("text", WRONG)
def test_errors_name_their_line(text):
    with pytest.raises(dm.DivmetricsError, match=WRONG[text]) as raised:
        write_metric("mine", text, 2)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("part", [WrittenUtility, WrittenDiscount, WrittenWeight, WrittenNormaliser])
def test_a_part_knows_its_words(part):
    with pytest.raises(dm.DivmetricsError, match="there is no 'nothing' in"):
        part("nothing")
    with pytest.raises(dm.DivmetricsError, match="does not read it"):
        part("1", alpha=3)
    with pytest.raises(dm.DivmetricsError, match="x is nan, expected a number"):
        part("x", x=float("nan"))
    with pytest.raises(dm.DivmetricsError, match="cannot be read"):
        part("1 +")
    assert set(WORDS[part.column]) <= set(meanings(part.column))


# What goes wrong only when it is computed: the text, the line, and what is said.
BREAKS = {
    "M = relevant / (0 * grade)": (2, "M is nan at rank 1, expected a finite number"),
    "M = relevant\nw = log2(rank - 1)": (3, "w is -inf at rank 1"),
    "x = relevant\nM = x[..., :2]": (3, "M gives an array of the shape"),
    "x = relevant.nothing\nM = 2 * x": (2, "M fails: AttributeError"),
    "M = relevant and grade": (2, "a condition over ranks has no single yes or no"),
    "x = grade\nx[..., 0] = 2\nM = x": (3, "a quantity cannot be changed"),
    "M = 'a'": (2, "M gives a str, expected numbers"),
    "M = relevant\nw = rank - 2": (3, "w gives a negative weight (-1)"),
    "M = relevant\nf = probability - 1": (3, "f gives a negative weight"),
    "M = first\nN = sorted_ideal": (3, "N sorts the ideal list by what each document earns on its own"),
    "M = relevant\nN = 0": (3, "the normaliser N is 0 where something was earned"),
    "M = 1 - relevant": (2, "changes when other lists or topics are scored too"),
    "M = relevant / (1 + grade.max(axis=0))": (2, "changes when other lists or topics are scored too"),
    "M = relevant * relevant[..., ::-1]": (2, "M looks ahead: its value at rank 1"),
    "M = relevant * relevant.mean()": (2, "M looks ahead: its value at rank 1"),  # numpy imports for it
    # Only which documents stand below matters here, not their order: a permutation would not show it.
    "M = relevant * relevant.sum(axis=-1, keepdims=True)": (2, "M looks ahead: its value at rank 1"),
    "M = (rank > 1) * grade.max(axis=-1, keepdims=True) * relevant": (2, "its value at rank 2"),
    "M = relevant / depth": (2, "M looks ahead: its value at rank 1"),
    "M = relevant * (rank > 2) / max(listed.sum(axis=-1, keepdims=True), 1)": (2, "M looks ahead"),
    "bounded\nM = relevant": (0, "the cell says bounded, but scores go from 0 to"),
}  # fmt: skip


@pytest.mark.parametrize("text", BREAKS)
def test_broken_rules_name_their_line(text):
    line, pattern = BREAKS[text]
    draft = write_metric("mine", text, 2)
    broken = [finding for finding in check_rules(draft.metric, draft.bounded) if finding.verdict == "broken"]
    assert len(broken) == 1
    assert pattern in broken[0].message
    assert "\n" not in broken[0].message
    assert draft.where(broken[0].column, broken[0].line).startswith(f"line {line} (" if line else "")


@pytest.mark.parametrize("name", dm.metrics(of="lists"))
def test_every_library_metric_passes_the_rules(name):
    """What is asked of a reader's metric is asked of the library's."""
    assert [finding for finding in check_rules(dm.metric(name)) if finding.verdict == "broken"] == []


def test_a_score_above_1_is_noted_and_not_held_against_a_metric():
    trap = "N = ideal\nM = relevant * where(seen_before == 0, 1 - grade / 10, before_max(grade))"
    greedy = write_metric("mine", trap).metric
    by_rule = {finding.rule: finding for finding in check_rules(greedy)}
    assert by_rule["scores are between 0 and 1"].verdict == "noted"
    assert "the greedy ideal is not always the best list" in by_rule["scores are between 0 and 1"].message
    assert by_rule[CAUSAL].verdict == "kept"


@quick(30)
@given(st.data())
def test_a_look_ahead_is_found_whatever_rank_it_hides_at(data):
    """From rank k on, M reads the document just below."""
    k = data.draw(st.integers(1, 4))
    text = f"below = 0 * grade\nbelow[..., :-1] = relevant[..., 1:]\nM = relevant + (rank == {k}) * below"
    broken = [finding for finding in check_rules(written(text)) if finding.verdict == "broken"]
    assert f"M looks ahead: its value at rank {k} changes" in broken[0].message
