"""The words of verdicts, and how a report shows numbers and claims."""

from __future__ import annotations

import pytest

from divmetrics.research.papers import Report
from divmetrics.research.papers.report import FOLDED, WIDTH
from divmetrics.research.papers.verdicts import VERDICT_MEANINGS, Claim, ClaimResult, ReproducedNumber


def number(ours: str | None, why: str = "") -> ReproducedNumber:
    return ReproducedNumber("Table 1", "topics", "24", ours, "", why)


def claim(result: ClaimResult) -> tuple[Claim, ClaimResult]:
    return Claim("5.1", "runs differ", lambda _: result), result


@pytest.mark.parametrize("verdict", VERDICT_MEANINGS)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_report_counts_and_explains_every_verdict(verdict, elsewhere):
    report = Report("p", (), (claim(ClaimResult(verdict, "7 of 9", elsewhere)),))
    word = f"{verdict} elsewhere" if elsewhere else verdict
    assert report.claims.loc[0, "verdict"] == word
    assert report.rows.loc[0, ["verdict", "evidence"]].tolist() == [word, "7 of 9"]
    lines = str(report).splitlines()
    assert max(map(len, lines)) <= WIDTH
    start = lines.index("1 claim in words:") + 1
    summary = " ".join(line.strip() for line in lines[start : lines.index("", start)])
    assert summary.startswith(f"1 {word}: {VERDICT_MEANINGS[verdict]}")
    assert ("another collection" in summary) == elsewhere


def test_a_number_is_the_same_or_differs_or_lacks_data_or_cannot_be_computed():
    numbers = (number("24"), number("25", "a slip"), number(None), number(None, "no runs are public"))
    report = Report("p", numbers, ())
    assert report.rows["verdict"].tolist() == ["same", "differs", "not computed", "cannot be computed"]
    assert report.rows["evidence"].tolist() == ["", "a slip", "", "no runs are public"]
    text = str(report)
    assert "1 of 2 printed numbers" in text
    assert "differs: a slip" in text
    assert "no runs are public" in text


@pytest.mark.parametrize("why", ["no runs are public", "a long reason, " * 9])
def test_a_reason_is_printed_once_for_a_table_and_never_beyond_the_width(why):
    for count, times in ((1, 1), (2, 2), (3, 1)):
        text = str(Report("p", (number(None, why),) * count, ()))
        assert " ".join(text.split()).count(why.strip()) == times
        assert max(map(len, text.splitlines())) <= WIDTH
    text = str(Report("p", (*[number(None, why)] * 3, number("24")), ()))
    assert " ".join(text.split()).count(why.strip()) == 3


@pytest.mark.parametrize(
    ("numbers", "lines"),
    [
        ([number("24")] * FOLDED, 0),
        ([number("24")] * (FOLDED - 1), FOLDED - 1),
        ([*[number("24")] * FOLDED, number("25")], FOLDED + 1),
        ([*[number("24")] * FOLDED, number(None)], FOLDED + 1),
    ],
)
def test_a_long_table_of_equal_numbers_is_one_line_of_the_text(numbers, lines):
    report = Report("p", tuple(numbers), ())
    text = str(report).splitlines()
    assert sum(line.startswith("  topics") for line in text) == lines
    assert sum(line == f"Table 1: {len(numbers)} numbers, all the same" for line in text) == (lines == 0)
    assert len(report.rows) == len(numbers)
