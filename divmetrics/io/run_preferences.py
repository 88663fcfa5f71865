"""Read people's preferences between runs, under a heading.

Lines are `left right topic judge1 judge2 ...`, with a column for each judge, or `left right topic
preference`, perhaps with the column judge. left and right are runs. An answer is a number: above 0 if the
left run's list is better, below 0 if the right one's, 0 neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.io.delimited import ColumnType, LineFormat, read_columns, read_heading
from divmetrics.io.file_contents import format_error, open_contents

if TYPE_CHECKING:
    import os

    import pandas as pd

NAME = "preferences between runs"
NEEDED = ("left", "right", "topic")
JUDGE, PREFERENCE = "judge", "preference"
EXPECTED = f"{NAME}, with the heading {' '.join(NEEDED)} {PREFERENCE}, or {JUDGE}1 {JUDGE}2 ... in its place"


def read_preferences(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read people's preferences between runs.

    Parameters
    ----------
    path : path-like
        The file: a heading with left, right, topic and either the column preference or columns whose names
        begin with judge.

    Returns
    -------
    pandas.DataFrame
        The columns left, right, topic and others of the file (str), and preference (float64): above 0 if the
        list of the run `left` is better, below 0 if that of `right`, 0 for neither. In a file with a column
        for each judge, the rows go judge by judge, and the column judge has the name of that column.

    Raises
    ------
    DivmetricsError
        If the file cannot be read, a column is missing, or an answer is not a number.
    """
    import pandas as pd

    contents = open_contents(path, EXPECTED).without_comments(EXPECTED).from_first_text()
    heading = read_heading(contents, NEEDED, EXPECTED)
    tidy = PREFERENCE in heading
    answers = [PREFERENCE] if tidy else [name for name in heading if name.startswith(JUDGE)]
    if not answers:
        where, what = f"{contents.source}:{contents.first_line}", "the heading names no judge"
        raise format_error(where, what, EXPECTED, "call the columns judge1, judge2, ...")
    types: dict[str, ColumnType] = {name: "number" if name in answers else "text" for name in heading}
    columns = read_columns(contents.without_first_line(), LineFormat(NAME, types))
    frame = pd.DataFrame({name: column.tolist() for name, column in columns.items()})
    if tidy:
        return frame
    others = [name for name in heading if name not in answers]
    return frame.melt(others, answers, var_name=JUDGE, value_name=PREFERENCE)
