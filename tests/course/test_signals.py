"""Signals of shared work: what gives one, what does not, and that the class may be large."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from course.grading import feedback, ps1, signals
from course.grading.course_files import Course, Release
from course.grading.release import generate
from course.grading.result import Result, nothing
from course.grading.submissions import Student

PS1 = ps1.ASSIGNMENT
LONG = (
    "*Your answer to w1*\n\nBoth documents serve the same readers, but at rank 3 a quarter of them is left."
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS1, 8)


def result(release: Release, student: str, w1: str = "", folder: str = "f", **answers: str) -> Result:
    one = nothing(Student(student, student, own_id=student.upper()), folder, PS1, release, [])
    one.written, one.answers = {"w1": w1} if w1 else {}, answers
    return one


def lines(release: Release, *results: Result) -> list[str]:
    return signals.report(list(results), PS1, release).partition(signals.NO_PROOF)[2].strip().splitlines()


@pytest.mark.parametrize(
    "again",
    [
        LONG,
        LONG.upper(),
        LONG.replace(" ", "\n\n  "),
        LONG.partition("\n\n")[2],
    ],
)
def test_the_same_words_are_a_signal(release: Release, again: str) -> None:
    others = result(release, "a", LONG + " More."), result(release, "d")
    assert lines(release, result(release, "b", LONG), *others, result(release, "c", again)) == [
        "w1 is the same, word for word: B, C"
    ]


def test_what_many_write_is_no_signal(release: Release) -> None:
    few = "*Your answer to w1*\n\nI do not know."
    assert lines(release, result(release, "b", few), result(release, "c", few)) == []
    assert lines(release, result(release, "b", LONG), result(release, "c", LONG, folder="")) == []


def test_documents_of_others_are_a_signal(release: Release) -> None:
    of = {student: set(release.data.of(student).ranking.docs) for student in ("ada", "alan")}
    own, foreign = min(of["ada"] & of["alan"]), sorted(of["ada"] - of["alan"])[:2]
    nobodys = next(f"d{n}" for n in range(10, 40) if f"d{n}" not in of["ada"] | of["alan"])
    ada = result(release, "ada", f"{foreign[0]} earns more than {foreign[1]}.")
    alan = result(
        release, "alan", f"Of {foreign[0]}, {own}.", q5_answer=f"adds_most = '{foreign[1]}'; x = '{nobodys}'"
    )
    assert lines(release, ada, alan) == [
        f"ALAN names documents that only others have: {foreign[1]} in q5; {foreign[0]} in w1"
    ]


def test_a_signal_is_called_no_proof_and_students_do_not_see_it(release: Release) -> None:
    results = [result(release, name, LONG) for name in ("a", "b")]
    report = signals.report(results, PS1, release)
    assert "no proof" in report
    assert report.startswith("ps1: 1 signal of")
    assert "word for word" not in feedback.page(results[0], PS1, release)
    assert "no proof" in signals.report([], PS1, release)


def test_a_class_of_any_size_is_read_once(release: Release) -> None:
    """Twice as many students ask for twice as many data sets and texts, not four times."""
    asked: list[str] = []

    def of(student: str) -> Any:
        asked.append(student)
        return release.data.of(student)

    class Text(str):
        def casefold(self) -> str:
            asked.append("text")
            return super().casefold()

    counts = []
    for size in (20, 40):
        asked.clear()
        module = ModuleType("data")
        module.of = of  # type: ignore[attr-defined] # as an assignment's module has it
        stand_in: Any = SimpleNamespace(data=module)
        class_of = [result(release, f"s{n}", Text(f"{LONG} {n}")) for n in range(size)]
        signals.report(class_of, PS1, stand_in)
        counts.append(len(asked))
    assert counts == [40, 80]
