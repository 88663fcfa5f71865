"""Read scores as `divmetrics evaluate` writes them: lines `run,topic,metric,score` under a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.io.delimited import ColumnType, LineFormat, read_columns, read_heading
from divmetrics.io.file_contents import format_error, open_contents

if TYPE_CHECKING:
    import os

    import pandas as pd

NAME = "scores"
NEEDED = ("run", "topic", "metric", "score")
EXPECTED = f"{NAME} with the heading {','.join(NEEDED)}, as `divmetrics evaluate` writes (--format csv)"
MEAN = "all"  # the topic of a mean over topics


def read_scores(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the scores of runs on topics.

    Parameters
    ----------
    path : path-like
        The file, as `divmetrics evaluate --format csv` writes it: run, topic, metric and score under a
        heading. Means over topics, whose topic is "all", are left out, and so are other columns; their
        fields must not be empty.

    Returns
    -------
    pandas.DataFrame
        A row for each score, in file order: run, topic, metric (str), score (float64).

    Raises
    ------
    DivmetricsError
        If the file cannot be read, a column is missing, a score is not a finite number, or there are only
        means.
    """
    import pandas as pd

    contents = open_contents(path, EXPECTED).without_comments(EXPECTED).from_first_text()
    heading = read_heading(contents, NEEDED, EXPECTED)
    types: dict[str, ColumnType] = {name: "number" if name == "score" else "text" for name in heading}
    columns = read_columns(contents.without_first_line(), LineFormat(NAME, types))
    frame = pd.DataFrame({name: columns[name].tolist() for name in NEEDED})
    frame = frame[frame["topic"] != MEAN]
    if not len(frame):
        what = "holds means over topics only"
        raise format_error(contents.source, what, EXPECTED, "write the scores of the topics, too")
    return frame.reset_index(drop=True)
