"""Points as CSV in the layouts that Moodle's and Canvas' gradebooks import.

Only complete results are written. A student who handed in no notebook, or has an answer that nobody read, is
left out, so that an import neither overwrites what was entered there nor publishes points that will change.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from course.grading.result import Result
from course.grading.submissions import CANVAS
from course.grading.untrusted import inert


def complete(results: Iterable[Result]) -> list[Result]:
    """Return the results that have all their points."""
    return [result for result in results if result.graded and not result.unread]


def moodle_csv(results: Iterable[Result], name: str) -> str:
    """Return the total of every complete result for Moodle: Grades, Import, CSV file.

    Moodle lets the lecturer choose the column by which it knows students, and refuses the whole file for one
    student whom it does not know.
    """
    rows = complete(results)
    by_email = any(result.student.email for result in rows)
    table = [["ID number", *(["Email address"] if by_email else []), name]]
    for result in rows:
        student = result.student
        table.append([_id(result), *([student.email] if by_email else []), f"{result.total:g}"])
    return csv_text(table)


def canvas_csv(results: Iterable[Result], name: str, points: float) -> str:
    """Return the total of every complete result for Canvas: Gradebook, Import.

    Canvas looks students up by its own ID, then by the SIS User ID, then by name. The first is in the name of
    a file that comes from Canvas.
    """
    about = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    table = [[*about, name], ["    Points Possible", "", "", "", "", f"{points:g}"]]
    for result in complete(results):
        table.append([result.student.name, _canvas_id(result), _id(result), "", "", f"{result.total:g}"])
    return csv_text(table)


def _id(result: Result) -> str:
    return result.student.own_id or result.student.id


def _canvas_id(result: Result) -> str:
    """Return the number in the name of a student's own file; that of a group names one of its students."""
    match, own = CANVAS.match(result.folder), result.student.folder
    ways = (match["name"], f"{match['name']}_{match['number']}") if match else ()
    return match["number"] if match and own in ways else ""


def csv_text(table: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV in which no cell is a formula."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([inert(str(cell)) for cell in row] for row in table)
    return out.getvalue()
