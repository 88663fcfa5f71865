"""Names parse to metrics and print back; rows' reprs paste back; mistakes are told in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import datasets, parts
from divmetrics.conventions.convention import conventions
from divmetrics.core.metric import ByIntentType, Collapsed, Gamma, IntentSquare, Metric, Weight, WeightedSum
from divmetrics.registry import parse
from tests.support.reference import ADHOC, DIVERSITY, GOLD, INTENT_SQUARE, METRICS
from tests.support.strategies import quick

# The names that others rely on, as the papers write them (the square forms follow below).
NAMES = """
    S-recall P-IA AP-IA ERR-IA nDCG-IA Q-IA RBP-IA EBR-IA iRBU-IA RBU alpha-DCG alpha-nDCG NRBP
    D-nDCG D-Q D-ERR D-EBR D-RBP DIN-nDCG DIN-Q P+Q
    D#-nDCG D#-Q D#-ERR D#-EBR D#-RBP DIN#-nDCG DIN#-Q P+Q#
    Prec nDCG Q ERR EBR RBP iRBU P+ AP RR I-rec Ef-P RBU-original
"""
PROMISED = NAMES.split()
KINDS = (ByIntentType, Collapsed, Gamma, IntentSquare, Metric, Weight, WeightedSum)
PASTED = vars(parts) | {kind.__name__: kind for kind in KINDS}

# Other allowed values for every parameter that a name may set; the first that differs from the row's
# own is taken.
OTHER_VALUES = {
    "alpha": ["0.3"],
    "beta": ["0.25"],
    "gamma": ["0.75"],
    "phi": ["0.85"],
    "e": ["0.1"],
    "gain": ["exponential"],
    "over": ["2^Y-1"],
    "top": ["intent", "collection", "ideal"],
    "of": ["R"],
    "ties": ["descending"],
    "charged": ["documents", "cutoff"],
    "intents": ["relevant", "all"],
    "level": ["0.5"],
    "a": ["0.5"],
    "ideal": ["exact"],
    "leaf": ["self"],
}


def other_value(name: str, parameter: str) -> str:
    """A value for the parameter that the metric takes and does not have."""
    own = dm.metric(name).parameters()[parameter]
    for value in OTHER_VALUES.get(parameter, []):
        try:
            dm.metric(f"{name}({parameter}={value})")
        except dm.DivmetricsError:
            continue
        if value != own:
            return value
    return "no-other-value-is-known-to-this-test"


def names_with_parameters() -> list[str]:
    """Every name with each of its parameters set, one at a time and all at once."""
    with_parameters = []
    for name in METRICS:
        settings = [f"{p}={other_value(name, p)}" for p in dm.metric(name).parameters()]
        with_parameters += [f"{name}({one})" for one in settings]
        # Another kind of ideal list has other parameters: `ties` is the greedy one's alone.
        together = [one for one in settings if one != "ideal=exact"]
        with_parameters += [f"{name}({','.join(together)})"] if len(together) > 1 else []
    return with_parameters


def test_all_promised_names_are_there():
    """And every row in the tables has a naive transcription to be compared with."""
    assert set(PROMISED) <= set(parse.metrics())
    assert set(parse.metrics(of="lists")) == set(DIVERSITY) | set(ADHOC) | set(GOLD)
    assert parse.metrics() == (*parse.metrics(of="lists"), "AS_DCG", "AS_RBP", "AS_ERR")


@pytest.mark.parametrize("cutoff", ["", "@1", "@20"])
@pytest.mark.parametrize("name", METRICS)
def test_names_print_back(name, cutoff):
    """str(metric(name)) == name, metric(str(m)) == m; `paper:` may be said and is not printed."""
    parsed = dm.metric(name + cutoff)
    assert str(parsed) == name + cutoff
    assert dm.metric(str(parsed)) == parsed
    assert hash(dm.metric(str(parsed))) == hash(parsed)
    assert dm.metric(f"paper:{name}{cutoff}") == parsed
    assert str(dm.metric(f"paper:{name}{cutoff}")) == name + cutoff
    assert dm.metric(name, convention="paper") == dm.metric(name)
    assert dm.metric(parsed) is parsed


@pytest.mark.parametrize("name", names_with_parameters())
def test_names_with_parameters_print_back(name):
    """The same with parameters, which change the metric and are found again in `parameters`."""
    parsed = dm.metric(f"{name}@7")
    assert str(parsed) == f"{name}@7"
    assert dm.metric(str(parsed)) == parsed
    assert eval(repr(parsed), PASTED) == parsed
    plain = dm.metric(f"{name.split('(')[0]}@7")
    values = dict(pair.split("=") for pair in name.split("(")[1].removesuffix(")").split(","))
    assert parsed != plain
    before, now = ({p: str(v) for p, v in m.parameters().items()} for m in (plain, parsed))
    assert values.items() <= now.items()
    if "ideal" not in values:
        assert now == before | values


@pytest.mark.parametrize("name", ["AP-IA", "Q-IA", "AP", "D-Q"])
def test_every_value_of_a_parameter_prints_back(name):
    """A metric whose parameters were set in Python has a name that parses, whatever the values."""
    for of in ("l", "R", "min"):
        changed = dm.metric(f"{name}@5").with_parameters(of=of)
        assert dm.metric(str(changed)) == changed


def test_defaults_given_by_name_are_the_same_metric():
    """Two metrics are equal when they compute the same, however they were named."""
    assert dm.metric("alpha-nDCG(alpha=0.5)@5") == dm.metric("alpha-nDCG@5")
    assert str(dm.metric("alpha-nDCG(alpha=0.5)@5")) == "alpha-nDCG(alpha=0.5)@5"
    assert dm.metric("ERR-IA") @ 5 == dm.metric("ERR-IA@5")
    assert str(dm.metric("D#-nDCG(gamma=0.2)") @ 5) == "D#-nDCG(gamma=0.2)@5"
    assert dm.metric("ERR-IA@5") != dm.metric("ERR-IA@6")


@quick(100)
@given(
    st.sampled_from([name for name in METRICS if dm.metric(name).parameters()]),
    st.floats(0.001, 0.999),
    st.integers(1, 10**6),
)
def test_any_number_prints_back(name, number, cutoff):
    """Numbers keep all their digits in a name."""
    values = {p: number for p in ("alpha", "beta", "gamma", "phi") if p in dm.metric(name).parameters()}
    changed = dm.metric(name).with_parameters(**values) @ cutoff
    assert dm.metric(str(changed)) == changed
    assert str(dm.metric(str(changed))) == str(changed)


@pytest.mark.parametrize("name", METRICS)
def test_repr_pastes_back(name):
    """A row is a value: its repr is Python that makes it again."""
    for chosen in (dm.metric(name), dm.metric(f"{name}@10")):
        pasted = eval(repr(chosen), PASTED)
        assert pasted == chosen
        assert repr(pasted) == repr(chosen)
        assert pasted.source == chosen.source


ROWS = [row for table in conventions().values() for row in table.rows.values() if isinstance(row, Metric)]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_is_known_by_its_names(row):
    """Whatever a row is called, its names are found, and each of them means a metric that scores the same."""
    nameless = (row @ 3).with_name("nameless")
    names = parse.names_of(nameless)
    assert str(row @ 3) in names
    ranked = datasets.harry_potter().list("C", "0083")
    for name in names:
        assert dm.metric(name).score(ranked) == nameless.score(ranked), name


@pytest.mark.parametrize(
    "name",
    [n for n in names_with_parameters() if "ideal=exact" not in n and isinstance(dm.metric(n), Metric)],
)
def test_a_row_is_known_with_its_parameters(name):
    """One of its names sets the same parameters; a combination of rows is not looked for."""
    chosen = dm.metric(f"{name}@4")
    assert chosen in [dm.metric(name_of_row) for name_of_row in parse.names_of(chosen.with_name("nameless"))]


def test_metric_outside_the_tables_has_no_name():
    """One other part is another metric."""
    err = dm.metric("ERR-IA@5")
    assert parse.names_of(replace(err, w=parts.Log2())) == ()
    assert parse.names_of(replace(err, stop=parts.PreferredRank())) == ()
    assert parse.names_of(replace(dm.metric("P-IA@5"), N=parts.Count("R"))) == ("P-IA(of=R)@5",)
    assert parse.names_of(dm.metric("I-rec"))[:2] == ("S-recall", "I-rec")


# -------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("part", "values"),
    [
        (parts.UpperBound, {"alpha": 1.5}),
        (parts.UpperBound, {"intents": "some"}),
        (parts.UpperBoundInfinite, {"alpha": -1}),
        (parts.UpperBoundInfinite, {"alpha": 0, "beta": 1}),
        (parts.UpperBoundInfinite, {"intents": "some"}),
        (parts.GeometricTotal, {"phi": 1}),
    ],
)
def test_normalisers_reject_zero_divisors(part, values):
    """Their formulas have poles, at beta = 1 and phi = 1, and no meaning beyond them."""
    with pytest.raises(dm.DivmetricsError, match="expected"):
        part(**values)


@pytest.mark.parametrize("name", PROMISED + sorted(INTENT_SQUARE))
def test_typos_get_a_hint(name):
    """A name with a letter doubled or a word added is refused."""
    for typo in (name + name[-1], f" {name} x"):
        with pytest.raises(dm.DivmetricsError) as caught:
            dm.metric(typo)
        sentence = str(caught.value)
        assert "\n" not in sentence
        assert typo.strip() in sentence


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ERR-IA@0", "'0', expected a whole number of at least 1"),
        ("ERR-IA@-1", "'-1', expected a whole number of at least 1"),
        ("ERR-IA@2.5", "'2.5', expected a whole number of at least 1"),
        ("ERR-IA@", "'', expected a whole number of at least 1"),
        ("ERR-IA@/x", "'/x', expected a whole number of at least 1"),
        ("ERR-IA@ten", "'ten', expected a whole number of at least 1"),
        ("ERR-IA@5@6", "'5@6', expected a whole number of at least 1"),
        ("ERR-IA@1e3", "'1e3', expected a whole number of at least 1"),
        ("ERR-IA@+5", "expected a whole number of at least 1"),
        ("alpha-nDCG(alfa=0.5)@5", "did you mean 'alpha'"),
        ("ERR-IA(alpha=0.5)", "has no parameter 'alpha'"),
        ("RR(alpha=0.5)", "it has none"),
        ("alpha-nDCG(alpha=0.5,alpha=0.3)@5", "'alpha' is given twice"),
        ("alpha-nDCG(alpha=0.5,alpha=0.5)@5", "'alpha' is given twice"),
        ("alpha-nDCG(alpha)@5", "not of the form parameter=value"),
        ("alpha-nDCG(alpha=)@5", "not of the form parameter=value"),
        ("alpha-nDCG(=0.5)@5", "not of the form parameter=value"),
        ("alpha-nDCG(0.5)@5", "not of the form parameter=value"),
        ("alpha-nDCG(alpha=2)@5", "alpha is 2, expected a number in [0, 1]"),
        ("alpha-nDCG(alpha=-0.1)@5", "expected a number in [0, 1]"),
        ("alpha-nDCG(alpha=nan)@5", "expected a number in [0, 1]"),
        ("alpha-nDCG(alpha=half)@5", "expected a number in [0, 1]"),
        ("alpha-nDCG(ties=random)@5", "expected one of ascending, descending"),
        ("D#-nDCG(gamma=1.5)", "expected a number in [0, 1]"),
        ("NRBP(beta=1)", "expected a number in (0, 1)"),
        ("RBP(phi=0)", "expected a number in (0, 1)"),
        ("RBU(e=-1)@5", "e is -1.0, expected a number"),
        ("Q-IA(beta=inf)", "expected a number"),
        ("D-nDCG(gain=square)", "expected one of linear, exponential"),
        ("ERR-IA(over=Y)", "expected one of 2^Y, 2^Y-1"),
        ("ERR-IS(leaf=drop)", "expected one of refuse, self"),
        ("alpha-nDCG(alpha=0.5", "cannot be read"),
        ("alpha-nDCG alpha=0.5", "cannot be read"),
        ("", "cannot be read"),
        ("@5", "cannot be read"),
        ("nosuch:ERR-IA", "there is no convention 'nosuch'"),
        ("ERR-IS-IS", "did you mean"),
        ("ERR-AI@5", "did you mean 'ERR-IA'"),
        ("nDCG-AI", "did you mean 'nDCG-IA'"),
    ],
)
def test_mistakes_in_names(name, hint):
    """One sentence with what was written and what was expected; never a metric that was not asked for."""
    with pytest.raises(dm.DivmetricsError) as caught:
        dm.metric(name)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "strec",
        "StRecall",
        "Coverage",
        "coverage",
        "subtopic recall",
        "Subtopic_Recall",
        "st-recall",
        "NuggetCoverage",
    ],
)
@pytest.mark.parametrize(
    ("convention", "printed"), [("paper", "S-recall"), ("ndeval", "strec"), ("ntcireval", "I-rec")]
)
def test_subtopic_recall_by_any_name(name, convention, printed):
    """Each convention knows what the others, ir_measures and FreshStack call it, and prints its own name."""
    for row in (dm.metric(f"{name}@20", convention), dm.metric(f"{convention}:{name}@20")):
        assert row == dm.metric(f"{convention}:{printed}@20")
        assert str(row).removeprefix(f"{convention}:") == f"{printed}@20"


@pytest.mark.parametrize("convention", sorted(conventions()))
def test_case_hyphens_and_underscores_do_not_matter(convention):
    """Every spelling of a name, that of ir_measures too, means the metric, which prints its own name."""
    rows = conventions()[convention].rows
    for name in dict.fromkeys([*rows, *(f"{row.removesuffix('-IA')}-IS" for row in rows)]):
        expected = dm.metric(f"{name}@7", convention)
        for spelling in (
            name.lower(),
            name.upper(),
            name.replace("-", ""),
            name.replace("-", "_"),
            name.replace("#", "sharp"),
            name.replace("#", "Sharp_").replace("+", "_plus_"),
            name.replace("alpha", "\N{GREEK SMALL LETTER ALPHA}"),
            name.replace("-", "\N{EN DASH}"),
        ):
            for parsed in (dm.metric(f"{spelling}@7", convention), dm.metric(f"{convention}:{spelling}@7")):
                assert parsed == expected
                assert str(parsed) == str(expected)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("alpha_nDCG(alpha=0.3)@10", "alpha-nDCG(alpha=0.3)@10"),
        ("alpha-ndcg@20", "alpha-nDCG@20"),
        ("D#nDCG@5", "D#-nDCG@5"),
        ("Dsharp-nDCG", "D#-nDCG"),
        ("err-ia@5", "ERR-IA@5"),
        ("ERR_IA", "ERR-IA"),
        ("strec", "S-recall"),
        ("ST_RECALL@5", "S-recall@5"),
    ],
)
def test_spellings_of_papers_and_programs(name, printed):
    assert dm.metric(name) == dm.metric(printed)
    assert str(dm.metric(name)) == printed


@pytest.mark.parametrize("name", ["alpha-nDCG(Alpha=0.3)", "D-nDCG(gain=Linear)", "NDEVAL:ERR-IA"])
def test_parameters_and_conventions_keep_their_spelling(name):
    with pytest.raises(dm.DivmetricsError):
        dm.metric(name)


@pytest.mark.parametrize(
    ("name", "convention", "qualified"),
    [
        ("nERR-IA", None, "'ndeval:nERR-IA' or 'ntcireval:nERR-IA'"),
        ("nerr_ia@5", None, "'ndeval:nERR-IA@5' or 'ntcireval:nERR-IA@5'"),
        ("MAP-IA", "ntcireval", "'ndeval:MAP-IA'"),
        ("RBU@5", "ndeval", "'paper:RBU@5'"),
        ("niRBU-IS", "paper", "'ntcireval:niRBU-IS'"),
        ("ndeval:D#-nDCG", None, "'paper:D#-nDCG' or 'ntcireval:D#-nDCG'"),
    ],
)
def test_a_name_of_other_conventions_is_refused_with_these(name, convention, qualified):
    with pytest.raises(dm.DivmetricsError) as caught:
        dm.metric(name, convention)
    assert qualified in str(caught.value)
    assert "did you mean" not in str(caught.value)


def test_a_registered_name_is_matched_exactly_first():
    """An own Err-Ia is another metric than ERR-IA: each has its exact name, other spellings are refused."""
    own = dm.register(dm.metric("P-IA").with_name("Err-Ia"))
    try:
        assert dm.metric("Err-Ia@5") == own @ 5
        assert str(dm.metric("ERR-IA@5")) == "ERR-IA@5"
        assert dm.metric("ERR-IA@5") != own @ 5
        with pytest.raises(dm.DivmetricsError, match="'ERR-IA' or 'Err-Ia'"):
            dm.metric("ERR_IA@5")
        assert dm.metric("paper:err_ia") == dm.metric("ERR-IA")
    finally:
        dm.unregister("Err-Ia")


def test_a_registered_name_is_known_in_other_spellings():
    own = dm.register(dm.metric("P-IA").with_name("My-Own"))
    try:
        assert dm.metric("my_own@5") == own @ 5
        assert str(dm.metric("MYOWN-IS")) == "My-Own-IS"
    finally:
        dm.unregister("My-Own")


def test_metrics_lists_the_names_of_a_convention():
    assert dm.metrics() == dm.metrics(convention="paper")
    assert set(dm.metrics(convention="ndeval")) == set(conventions()["ndeval"].rows)
    with pytest.raises(dm.DivmetricsError, match="no convention 'ndevil'"):
        dm.metrics(convention="ndevil")


def test_custom_metric_keeps_its_name():
    """Whoever registers a metric called Nugget-Coverage means that one, until it is removed."""
    own = dm.metric("P-IA").with_name("Nugget-Coverage")
    dm.register(own)
    try:
        assert dm.metric("Nugget-Coverage@5").parameters() == dm.metric("P-IA@5").parameters()
        assert dm.metric("Nugget-Coverage@5") != dm.metric("S-recall@5")
    finally:
        dm.unregister("Nugget-Coverage")
    with pytest.raises(dm.DivmetricsError, match="was removed in this session"):
        dm.metric("Nugget-Coverage@5")


@pytest.mark.parametrize("name", [5, None, ["ERR-IA@5"]])
def test_invalid_names_are_rejected(name):
    """Neither a name nor a metric: said in a sentence."""
    with pytest.raises(dm.DivmetricsError):
        dm.metric(name)


@pytest.mark.parametrize("cutoff", [0, -1, 2.5, "5", True, None])
def test_mistakes_in_cutoffs_from_python(cutoff):
    """`metric @ cutoff` refuses what `@` in a name refuses."""
    with pytest.raises(dm.DivmetricsError, match="expected a whole number of at least 1"):
        dm.metric("ERR-IA") @ cutoff


@pytest.mark.parametrize("name", ["P-IA", "AP-IA", "RBU", "Prec", "Ef-P", "P-IS", "RBU-IS"])
def test_a_missing_cutoff_is_asked_for(name):
    """An average over the cutoff, or an effort down to it, has no value without one."""
    topic = dm.Topic("1", (dm.Intent("t", 1.0, children=(dm.Intent("e", 1.0),)),))
    ranked = dm.RankedList(topic, ["d"], {"d": {("t", "e"): 1}})
    with pytest.raises(dm.DivmetricsError, match="needs a cutoff"):
        dm.metric(name).score(ranked)


def test_intent_square_needs_a_second_level():
    """A topic without second-level subtopics is refused by its id; leaf=self makes it its own child."""
    topic = dm.Topic("wt-7", (dm.Intent("t", 0.5), dm.Intent("u", 0.5, children=(dm.Intent("e", 1.0),))))
    ranked = dm.RankedList(topic, ["a", "b"], {"a": {"t": 1}, "b": {("u", "e"): 1}})
    with pytest.raises(dm.DivmetricsError, match=r"topic wt-7.*leaf=self"):
        dm.metric("ERR-IS@5").score(ranked)
    assert dm.metric("ERR-IS(leaf=self)@5").score(ranked) == pytest.approx(0.5 * 0.5 + 0.5 * 0.5 / 2)
