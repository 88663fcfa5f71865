"""Labels of a document in one line of text, as embedded examples write them: `film/watch:2 book:1`."""

from __future__ import annotations


def read_labels(text: str) -> dict[str | tuple[str, str], int]:
    """Parse `intent:grade` and `intent/subtopic:grade`, separated by blanks.

    Returns {intent, or (intent, subtopic): grade}; {} for empty text. Of a repeated label the last counts.
    Raises ValueError if a grade is missing or no whole number.
    """
    labels: dict[str | tuple[str, str], int] = {}
    for label in text.split():
        name, _, grade = label.partition(":")
        intent, slash, subtopic = name.partition("/")
        labels[(intent, subtopic) if slash else intent] = int(grade)
    return labels
