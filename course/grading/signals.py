"""Signals of shared work, for the lecturer alone: the same words, and documents of somebody else's data."""

from __future__ import annotations

import re
from collections import defaultdict

from course.grading.assignment import Assignment
from course.grading.course_files import Release
from course.grading.result import Result

LEAST = 12  # words of an explanation that two students hardly write alike by chance
NO_PROOF = """\
A signal is no proof. Students who were allowed to work together, who quote the same sentence or who
mistype the name of a document give the same signals. Ask each of them for the cell that a number comes
from before you conclude anything.
"""


def report(results: list[Result], assignment: Assignment, release: Release) -> str:
    """Return a text with a line for each signal."""
    handed_in = [result for result in results if result.folder]
    lines = [*same_words(handed_in), *other_documents(handed_in, assignment, release)]
    count = f"{len(lines) or 'no'} signal{'' if len(lines) == 1 else 's'}"
    return "\n".join([f"{assignment.name}: {count} of shared work", "", NO_PROOF, *lines, ""])


def same_words(results: list[Result]) -> list[str]:
    """Return a line for each explanation that several hand in, whatever its blanks and capitals."""
    whose: dict[tuple[str, str], list[str]] = defaultdict(list)
    for result in results:
        for name, text in result.written.items():
            words = re.sub(r"^\W*your answer to \w+\W*", "", " ".join(text.casefold().split()))
            if len(words.split()) >= LEAST:
                whose[name, words].append(_called(result))
    return [
        f"{name} is the same, word for word: {', '.join(students)}"
        for (name, _), students in whose.items()
        if len(students) > 1
    ]


def other_documents(results: list[Result], assignment: Assignment, release: Release) -> list[str]:
    """Return a line for each student who names documents that only others' data have."""
    if assignment.documents is None:
        return []
    own = [set(assignment.documents(release.data.of(result.data_of))) for result in results]
    every = set().union(*own)
    lines = []
    for result, documents in zip(results, own, strict=True):
        foreign = {
            name.removesuffix("_answer"): sorted(set(re.findall(r"\w+", text)) & every - documents)
            for name, text in (result.answers | result.written).items()
        }
        places = [f"{', '.join(docs)} in {name}" for name, docs in foreign.items() if docs]
        if places:
            lines.append(f"{_called(result)} names documents that only others have: {'; '.join(places)}")
    return lines


def _called(result: Result) -> str:
    student = result.student
    return " ".join(filter(None, (student.own_id or student.id, student.name)))
