"""Recognise a first line that names the columns below it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from divmetrics.io.columns import LEVELS, name_in
from divmetrics.io.delimited import SEPARATORS, ColumnType, LineFormat, first_words
from divmetrics.io.file_contents import Contents, format_error

TOPIC_0_AGAIN = re.compile(rb"[\r\n][ \t]*0[ \t]")
TYPES: dict[str, ColumnType] = {  # others are text
    "grade": "integer",
    "rank": "integer",
    "score": "number",
    "probability": "number",
}


def first_cells(contents: Contents) -> tuple[list[bytes], list[bytes]]:
    """Return the fields of the first line in two ways: between a sign, and between white space.

    The sign is the first of tab, semicolon, comma and bar that is in the line; quotation marks are removed.
    Without any, both ways are between white space.
    """
    line = contents.first_line_bytes.rstrip()
    separator = next((sign.encode() for sign in SEPARATORS if sign.encode() in line), None)
    return [cell.strip().strip(b'"') for cell in line.split(separator)], first_words(line)


def heading(
    contents: Contents, others: Mapping[str, tuple[str, ...]], needed: set[str], values: set[str]
) -> dict[str, str]:
    """Return {our name: name in the file} of the columns, in the order of the first line.

    The result is {} if the line is no heading: that has all columns in `needed` and one of `values` (our
    names), and no name twice. Case does not count, and hyphens are underscores. others: {our name: other
    names for it}; a column that has none of these keeps its own name.
    """
    for cells in first_cells(contents):
        words = [cell.decode(errors="replace").lower().replace("-", "_") for cell in cells]
        words = [LEVELS.get(word, word) or f"column {place}" for place, word in enumerate(words, 1)]
        ours = {original: name for name, alias in others.items() if (original := name_in(words, name, alias))}
        names = {ours.get(word, word): word for word in words}
        if len(names) == len(words) and needed <= names.keys() and names.keys() & values:
            return names
    return {}


def refuse_numbered(contents: Contents, form: LineFormat) -> None:
    """Raise DivmetricsError if the first line numbers the columns of `form` from 0, as pandas does.

    Between blanks, such a line may be a document of topic 0, and passes, if another line is of topic 0, too.
    """
    cells, words = first_cells(contents)
    numbers = [b"%d" % place for place in range(len(form.columns))]
    between_blanks = words == numbers and TOPIC_0_AGAIN.search(contents.data) is None
    if cells == numbers != words or between_blanks:
        what = "numbers the columns, as pandas does where they have no names"
        names = ", ".join(form.columns)
        remedy = f"write the names there (perhaps {names}), or no heading (header=False in to_csv)"
        raise format_error(contents.line(0), what, form.description, remedy)


def headed(form: LineFormat, names: Mapping[str, str]) -> LineFormat:
    """Return a format with the name of `form` and the columns of a heading, {our name: name in the file}.

    Grades and ranks are integers, scores and probabilities numbers, all others text.
    """
    return LineFormat(form.name, {name: TYPES.get(name, "text") for name in names})
