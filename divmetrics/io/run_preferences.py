"""Read people's preferences between runs: lines `left right topic judge1 judge2 ... status` under a heading.

left and right are runs. A judge's answer is a number: above 0 if the left run's list is better, below 0 if
the right one's, 0 neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.errors import did_you_mean
from divmetrics.io.delimited import ColumnType, LineFormat, read_columns
from divmetrics.io.file_contents import Contents, format_error, open_contents

if TYPE_CHECKING:
    import os

    import pandas as pd

NAME = "preferences between runs"
NEEDED = ("left", "right", "topic")
EXPECTED = f"{NAME}, with the heading {' '.join(NEEDED)} judge1 judge2 ..."
JUDGE = "judge"


def read_preferences(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read people's preferences between runs.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    pandas.DataFrame
        A row per line and judge, judge by judge: left, right, topic and other columns of the file (str),
        judge (the name of the judge's column), preference (float64).

    Raises
    ------
    DivmetricsError
        If a column is missing, or an answer is not a number.
    """
    import pandas as pd

    contents = open_contents(path, EXPECTED).without_comments(EXPECTED).from_first_text()
    heading = _heading(contents)
    judges = [name for name in heading if name.startswith(JUDGE)]
    types: dict[str, ColumnType] = {name: "number" if name in judges else "text" for name in heading}
    columns = read_columns(contents.without_first_line(), LineFormat(NAME, types))
    frame = pd.DataFrame({name: column.tolist() for name, column in columns.items()})
    others = [name for name in heading if name not in judges]
    return frame.melt(others, judges, var_name=JUDGE, value_name="preference")


def _heading(contents: Contents) -> list[str]:
    first = contents.data.splitlines()[0].decode(errors="replace")
    heading, where = first.split(), f"{contents.source}:{contents.first_line}"
    for name in NEEDED:
        if name not in heading:
            what = f"the heading has no column {name!r}{did_you_mean(name, heading)}"
            raise format_error(where, what, EXPECTED, "add or rename it")
    if not any(name.startswith(JUDGE) for name in heading):
        remedy = "call the columns judge1, judge2, ..."
        raise format_error(where, "the heading names no judge", EXPECTED, remedy)
    twice = next((name for name in heading if heading.count(name) > 1), None)
    if twice is not None:
        raise format_error(where, f"the heading names {twice!r} twice", EXPECTED, "rename one")
    return heading
