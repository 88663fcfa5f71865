"""What a name may set: declared by the parts, held to its range, found by short and by qualified names."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, dataclass, fields, is_dataclass
from inspect import signature
from typing import Annotated, Any

import pytest

import divmetrics as dm
from divmetrics import parts
from divmetrics.conventions.convention import conventions
from divmetrics.core.metric import Gamma, IntentSquare, Metric
from divmetrics.core.parts.setting import Setting, declared
from divmetrics.core.settings import settings, with_settings
from divmetrics.parts import (
    PART_OPTIONS,
    BlendedRatio,
    Cascade,
    Gain,
    Novelty,
    One,
    Part,
    Persistence,
    Probability,
    RelativeGain,
    Relevant,
    UpperBoundInfinite,
)
from divmetrics.registry.parse import names_of, with_defaults

ROWS = [row for table in conventions().values() for row in table.rows.values()]
KINDS = [kind for name in parts.__all__ if isinstance(kind := getattr(parts, name), type)]
KINDS = [*(kind for kind in KINDS if is_dataclass(kind) and issubclass(kind, Part)), Gamma]
WITHOUT_ARGUMENTS = [
    kind for kind in KINDS if all(p.default is not p.empty for p in signature(kind).parameters.values())
]
DECLARED = [(kind, name, setting) for kind in KINDS for name, setting in declared(kind).items()]
IDS = [f"{kind.__name__}.{name}" for kind, name, _ in DECLARED]

# Fields that belong to the part alone: what a row is made of, not what one tries.
FIXED = {("SortedIdeal", "per"), ("Gamma", "complement")}


def both() -> Metric:
    """A row of one's own in which beta and top stand for two settings each."""
    return Metric("both", N=One(), f=Probability(), w=Persistence(), M=RelativeGain() * Cascade())


def test_every_number_and_word_of_a_part_is_declared() -> None:
    """A part that gets a field by accident is found here: declare it, or say that it is the part's alone."""
    for kind in KINDS:
        for field in fields(kind):
            plain = isinstance(field.default, (int, float, str))
            assert not plain or field.name in declared(kind) or (kind.__name__, field.name) in FIXED, (
                kind,
                field.name,
            )


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_parameter_has_a_sentence_and_a_value_that_is_allowed(row: Any) -> None:
    settings = {setting.name: setting for setting in row.settings()}
    assert list(settings) == list(row.parameters())
    for name, value in row.parameters().items():
        assert settings[name].values == (value,)
        settings[name].setting.check(name, value)
        assert settings[name].setting.says


def inside(setting: Setting) -> list[Any]:
    if setting.words:
        return list(setting.words)
    high = min(setting.high, 1e6)
    ends = [end for end, sign in zip((setting.low, setting.high), setting.ends, strict=True) if sign in "[]"]
    return [(setting.low + high) / 2, *(end for end in ends if math.isfinite(end))]


def outside(setting: Setting) -> list[Any]:
    """One beyond each end, the ends that do not belong to it, and what is no number or no word."""
    ends = [end for end, sign in zip((setting.low, setting.high), setting.ends, strict=True) if sign in "()"]
    numbers = [] if setting.words else [setting.low - 0.001, setting.high + 0.001, *ends]
    return [*numbers, "no such word", math.nan, math.inf, None, True]


@pytest.mark.parametrize(("kind", "name", "setting"), DECLARED, ids=IDS)
def test_what_is_declared_is_what_is_enforced(kind: Any, name: str, setting: Setting) -> None:
    for value in inside(setting):
        assert getattr(kind(**{name: value}), name) == value
    for value in outside(setting):
        with pytest.raises(dm.DivmetricsError) as refused:
            kind(**{name: value})
        assert str(refused.value).startswith(f"{name} is {value!r}, expected ")
        assert str(refused.value).endswith(setting.allowed)


@pytest.mark.parametrize(
    ("kind", "name", "setting"), [entry for entry in DECLARED if entry[2].usual], ids=lambda value: str(value)
)
def test_a_slider_offers_only_allowed_values_and_the_default_is_among_them(
    kind: Any, name: str, setting: Setting
) -> None:
    """It covers the range: it ends at an end that is allowed, and one step before another one."""
    assert setting.usual is not None
    low, high, step = setting.usual
    for value in (low, high):
        setting.check(name, value)
    for value in (high, getattr(kind(), name)):
        steps = (value - low) / step
        assert steps == pytest.approx(round(steps))
        assert 0 <= steps <= 100
    for end, own, sign in ((setting.low, low, setting.ends[0]), (setting.high, high, setting.ends[1])):
        if math.isfinite(end):
            assert abs(own - end) == pytest.approx(0 if sign in "[]" else step)


@pytest.mark.parametrize("kind", WITHOUT_ARGUMENTS, ids=lambda kind: kind.__name__)
def test_a_part_cannot_change_and_equal_parts_are_one_key(kind: Any) -> None:
    """Scores, ideal lists and parsed names are cached by their parts."""
    part = kind()
    assert {part: 1}[kind()] == 1
    for name in [field.name for field in fields(part)] or ["anything"]:
        with pytest.raises(FrozenInstanceError):
            setattr(part, name, None)


def test_the_words_of_a_choice_are_those_that_there_are() -> None:
    for parameter, parts_by_word in PART_OPTIONS.items():
        for word, part in parts_by_word.items():
            assert part.choice is not None
            assert part.choice.words == tuple(parts_by_word)
            assert (part.parameter, part.word) == (parameter, word)
    with pytest.raises(dm.DivmetricsError, match="leaf is 'drop', expected one of refuse, self"):
        IntentSquare("x", both(), leaf="drop")  # type: ignore[arg-type]


def test_either_of_two_settings_of_one_name_can_be_set() -> None:
    first = both().with_parameters(**{"M.first.top": "ideal"})
    second = both().with_parameters(**{"M.second.top": "intent"})
    assert RelativeGain(top="ideal") * Cascade() == first.M
    assert RelativeGain() * Cascade(parts.Satisfaction(top="intent")) == second.M
    assert str(second) == "both(M.second.top=intent)"
    assert second.parameters()["M.second.top"] == "intent"
    assert second == both().with_parameters(**{"M.second.R.top": "intent"})
    for name in ("top", "M.top"):
        with pytest.raises(dm.DivmetricsError, match=r"say which one: M\.first\.top or M\.second\.top"):
            both().with_parameters(**{name: "intent"})
    with pytest.raises(dm.DivmetricsError, match=r"no parameter 'w\.top'"):
        both().with_parameters(**{"w.top": "intent"})


def test_a_name_with_qualified_parameters_parses_and_prints() -> None:
    dm.register(Metric("both", N=One(), f=Probability(), w=Persistence(), M=Relevant() * BlendedRatio()))
    try:
        chosen = dm.metric("both(M.beta=2,w.beta=0.25)@5")
        assert isinstance(chosen, Metric)
        assert (chosen.w, chosen.M) == (Persistence(0.25), Relevant() * BlendedRatio(beta=2))
        assert dm.metric(str(chosen)) == chosen
        with pytest.raises(dm.DivmetricsError, match=r"say which one: w\.beta or M\.beta"):
            dm.metric("both(beta=0.3)")
    finally:
        dm.unregister("both")


def test_qualified_setting_changes_one_part() -> None:
    """In any order, also against an option for all metrics; a later short name sets every place again."""
    apart = UpperBoundInfinite(alpha=0.1)
    for name in ("NRBP(alpha=0.3,N.alpha=0.1)", "NRBP(N.alpha=0.1,alpha=0.3)"):
        chosen = dm.metric(name)
        assert isinstance(chosen, Metric)
        assert (apart, Novelty(0.3)) == (chosen.N, chosen.M)
        assert dm.metric(str(chosen)) == chosen
        assert str(chosen.with_parameters(alpha=0.2)) == "NRBP(alpha=0.2)"
    assert names_of(dm.metric("NRBP(N.alpha=0.1)"))[0] == "NRBP(N.alpha=0.1,M.alpha=0.5)"
    defaults = with_defaults(dm.metric("NRBP(N.alpha=0.1)"), {"alpha": 0.3})
    assert isinstance(defaults, Metric)
    assert (apart, Novelty(0.3)) == (defaults.N, defaults.M)


def test_the_metrics_of_a_sum_stand_by_their_names() -> None:
    total = (0.5 * dm.metric("NRBP") + 0.5 * dm.metric("Q-IA")).with_name("total")
    with pytest.raises(dm.DivmetricsError, match=r"say which one: NRBP\.beta or Q-IA\.beta"):
        total.with_parameters(beta=0.3)
    changed = total.with_parameters(**{"NRBP.beta": 0.3})
    assert [term for _, term in changed.terms] == [dm.metric("NRBP(beta=0.3)"), dm.metric("Q-IA")]
    assert changed.parameters()["Q-IA.beta"] == 1
    assert dm.metric("D-Q(M.beta=2)") == dm.metric("D-Q(beta=2)")
    assert dm.metric("P+Q(informational.beta=2)").parameters()["navigational.beta"] == 1


def test_values_that_no_name_tells_apart_are_all_shown() -> None:
    row = dm.metric("RBP-IA")
    total = 0.5 * row + 0.5 * row.with_parameters(phi=0.8)
    (shared,) = [setting for setting in total.settings() if setting.setting.says.startswith("the chance")]
    assert shared.values == (0.99, 0.8)
    assert shared.values_text == "0.99, 0.8"


def test_a_choice_takes_what_was_set_in_the_part_before_it() -> None:
    """The exact ideal has no ties, so the name does not go on saying how they are broken."""
    chosen = dm.metric("alpha-nDCG(ties=descending)").with_parameters(ideal="exact")
    assert str(chosen) == "alpha-nDCG(ideal=exact)"
    assert settings(parts.ExactIdeal())[0].values == ("exact",)


Sharpness = Annotated[float, Setting("how sharp", 0, 10, "(]")]


@dataclass(frozen=True)
class Sharp(Part):
    """1/k^power."""

    power: Sharpness = 1.0
    offset: float = 0.0

    def __call__(self, view: dm.core.Batch) -> Any:
        return (view.ranks + self.offset) ** -self.power


def test_a_part_of_ones_own_declares_in_the_same_way() -> None:
    """A field without a declaration is the part's alone."""
    row = Metric("sharp", N=One(), f=One(), w=Sharp(), M=Relevant())
    assert row.parameters() == {"power": 1.0}
    assert row.with_parameters(power=2).w == Sharp(2)
    with pytest.raises(dm.DivmetricsError, match=r"sharp has no parameter 'offset'; it has power=1\.0"):
        row.with_parameters(offset=1)
    with pytest.raises(dm.DivmetricsError, match=r"power is 0, expected a number in \(0, 10\]"):
        Sharp(0)
    with pytest.raises(dm.DivmetricsError, match="Sharp: power is 11"):
        with_settings(Sharp(), "Sharp", {"power": 11})


def test_a_gain_of_ones_own_can_be_given() -> None:
    class Rooted(Gain):
        word = "rooted"

    row = dm.metric("nDCG-IA").with_parameters(gain=Rooted())  # type: ignore[arg-type]
    assert row.parameters()["gain"] == "rooted"
    assert str(row) == "nDCG-IA(gain=rooted)"
