"""A score is a finite number or refused: no grade, scale or parameter ends as nan, infinity or a false 0."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics.aggregated import Item
from divmetrics.conventions.convention import conventions
from divmetrics.core.batch import HIGHEST_EXPONENT
from divmetrics.core.judgments import LARGEST_GRADE
from divmetrics.evaluation import Options, score_runs

EXPONENTIAL = ("ERR-IA", "EBR-IA", "iRBU-IA", "RBU", "RBU-original", "D-ERR", "D-EBR", "ERR", "EBR", "iRBU")
LINEAR = (
    "S-recall",
    "nDCG-IA",
    "Q-IA",
    "RBP-IA",
    "D-nDCG",
    "D#-Q",
    "D-RBP",
    "P+Q",
    "nDCG",
    "Q",
    "alpha-nDCG",
)


def judged(top: int, scale: int | None = None) -> dm.Collection:
    """One topic with its highest grade at (likely, best), and a list that has a smaller one first."""
    topic = dm.Topic("7", (dm.Intent("rare", 0.25), dm.Intent("likely", 0.75)))
    grades = {"good": {"rare": top - 1}, "best": {"likely": top, "rare": 1}, "other": {"likely": 1}}
    return dm.Collection.of([topic], {"7": grades}, {"r": {"7": ["good", "other", "best"]}}, scale=scale)


@pytest.mark.parametrize("name", EXPONENTIAL)
@pytest.mark.parametrize("top", [HIGHEST_EXPONENT + 1, 10**6, LARGEST_GRADE])
def test_a_grade_too_large_for_2_to_the_g_is_refused_where_it_stands(name: str, top: int) -> None:
    collection = judged(top)
    with pytest.raises(dm.DivmetricsError) as refused:
        dm.evaluate(collection, None, [f"{name}@3"])
    message = str(refused.value)
    assert str(top) in message
    assert "topic 7, document 'best', intent 'likely'" in message
    assert f"at most {HIGHEST_EXPONENT}" in message
    with pytest.raises(dm.DivmetricsError, match="document 'best'"):
        dm.explain(f"{name}@3", collection.list("r", "7"))


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("top", [HIGHEST_EXPONENT + 1, 10**6, LARGEST_GRADE])
def test_metrics_that_read_g_itself_take_any_grade(name: str, top: int) -> None:
    score = score_runs(judged(top), None, [f"{name}@3"]).values[0, 0, 0]
    assert 0 < score <= 1 + 1e-12


def test_no_metric_returns_nan() -> None:
    for top, scale in ((HIGHEST_EXPONENT, None), (2000, None), (3, 10**6)):
        collection = judged(top, scale)
        for table in conventions().values():
            for name in table.rows:
                for gain in (None, "exponential"):
                    try:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore", dm.DivmetricsWarning)
                            options = Options(gain=gain)
                            values = score_runs(
                                collection, None, [f"{name}@3"], None, table.name, options
                            ).values
                    except dm.DivmetricsError:
                        continue
                    assert math.isfinite(values[0, 0, 0]), (name, table.name, gain, top)
                    assert values[0, 0, 0] > 0, (name, table.name, gain, top)


def test_the_largest_exponent_is_scored_exactly() -> None:
    top = HIGHEST_EXPONENT
    score = score_runs(judged(top), None, ["ERR-IA@3"]).values[0, 0, 0]
    r = {g: Fraction(2**g - 1, 2**top) for g in (1, top - 1, top)}
    likely = Fraction(3, 4) * (r[1] / 2 + (1 - r[1]) * r[top] / 3)
    rare = Fraction(1, 4) * (r[top - 1] + (1 - r[top - 1]) * r[1] / 3)
    assert score == pytest.approx(float(likely + rare), rel=1e-15)


def test_an_ideal_list_that_overflows_is_no_false_0() -> None:
    topic = dm.Topic("7", (dm.Intent("a", 1.0),))
    grades = {f"d{i}": {"a": HIGHEST_EXPONENT} for i in range(9)} | {"low": {"a": 1}}
    ranked = dm.RankedList(topic, ["low"], grades)
    with pytest.raises(dm.DivmetricsError, match="larger than a computer holds"):
        dm.metric("nDCG-IA(gain=exponential)").score(ranked)


@pytest.mark.parametrize("scale", [10**6, 10**18, 10**400, 10**5000], ids=["6", "18", "400", "5000"])
def test_a_huge_scale_ends_at_once_in_a_sentence(scale: int) -> None:
    with pytest.raises(dm.DivmetricsError, match=r"scale's top is .*at most"):
        dm.evaluate(judged(3, scale), None, ["ERR-IA@3", "RBP-IA(gain=exponential)@3"])


@pytest.mark.parametrize(
    "grade", [LARGEST_GRADE + 1, 2**63, 10**400, 10**5000, math.nan, math.inf, "2", None], ids=range(8)
)
def test_invalid_grade_is_named_with_its_document(grade: object) -> None:
    topic = dm.Topic("7", (dm.Intent("a", 1.0),))
    with pytest.raises(dm.DivmetricsError, match=r"topic 7, document 'd': grade .* of 'a' is"):
        dm.Judgments.of(topic, {"d": {"a": grade}})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "name", ["Q-IA(beta=1e308)@3", "D-Q(beta=1e308)@3", "RBU(e=1e308)@3", "P+Q(beta=1e308)"]
)
def test_a_parameter_too_large_is_refused_by_name(name: str) -> None:
    ranked = judged(3).list("r", "7")
    with pytest.raises(dm.DivmetricsError, match=r"finite|larger than a computer holds"):
        dm.metric(name).score(ranked)
    with pytest.raises(dm.DivmetricsError, match=r"finite|larger than a computer holds"):
        dm.explain(name, ranked)


def test_weights_of_a_sum_that_overflow_are_refused() -> None:
    whole = 1e308 * dm.metric("S-recall@3") + 1e308 * dm.metric("S-recall@3")
    with pytest.raises(dm.DivmetricsError, match="expected a finite number"):
        whole.score(judged(3).list("r", "7"))


def test_command_line_reports_large_grades_in_one_line(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("7 likely best 1024\n7 rare other 1\n")
    run.write_text("7 Q0 other 1 2 r\n7 Q0 best 2 1 r\n")
    base = [sys.executable, "-m", "divmetrics", "evaluate", str(qrels), str(run), "-m"]
    for arguments in (
        ["ERR-IA@5"],
        ["nDCG-IA", "--gain", "exponential"],
        ["RBU@5", "--scale", "1" + 18 * "0"],
    ):
        done = subprocess.run([*base, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 2, done
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
        assert "1024 (topic 7, document 'best', intent 'likely')" in done.stderr
    assert subprocess.run([*base, "nDCG-IA"], capture_output=True, check=False).returncode == 0


def test_blocks_refuse_what_is_too_large() -> None:
    with pytest.raises(dm.DivmetricsError, match="at most 1,023"):
        Item("x", HIGHEST_EXPONENT + 1)
