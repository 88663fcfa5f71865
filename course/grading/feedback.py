"""What students and lecturers read: a page for each student, and a table of points by question.

A page holds what the judge says and what the student wrote, never what the student's code printed, and no
key.
"""

from __future__ import annotations

import csv
import io
from html import escape
from typing import TYPE_CHECKING

from course.grading.assignment import Assignment
from course.grading.course_files import Release

if TYPE_CHECKING:
    from course.grading.grade import Result

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { border-bottom: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top; }
td.points { white-space: nowrap; text-align: right; }
pre { white-space: pre-wrap; background: #f5f5f5; padding: .6rem; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } pre { background: #222; } }
"""


def page(result: Result, assignment: Assignment) -> str:
    """The page for one student, as HTML; every text in it is escaped."""
    of = sum(verdict.of for verdict in result.verdicts)
    rows = [
        f'<tr><th>{escape(verdict.question)}</th><td class="points">{verdict.points:g} of {verdict.of:g}</td>'
        f"<td>{escape(verdict.reason)}</td></tr>"
        for verdict in result.verdicts
    ]
    parts = [
        f"<h1>{escape(assignment.title)}</h1>",
        f"<p>{escape(result.student.name or result.student.id)}</p>",
        f"<h2>Numbers: {result.automatic:g} of {of:g} points</h2>",
        "<table><tr><th>question</th><th>points</th><th>why</th></tr>", *rows, "</table>",
    ]  # fmt: skip
    if result.findings:
        parts += ["<h2>Noticed</h2><ul>", *(f"<li>{escape(each)}</li>" for each in result.findings), "</ul>"]
    for written in assignment.written:
        most = result.of_written[written.name]
        given = result.manual.get(written.name)
        points = (
            f"{given:g} of {most:g} points" if given is not None else f"{most:g} points, read by a person"
        )
        items = "".join(f"<li>{share:g}: {escape(says)}</li>" for share, says in written.rubric)
        own = result.written.get(written.name)
        parts.append(f"<h2>Explanation {escape(written.name)}: {points}</h2>")
        if given is not None:  # what points are given for is told with the points
            parts.append(f"<ul>{items}</ul>")
        parts.append(f"<pre>{escape(own)}</pre>" if own else "<p>Not answered.</p>")
    title = f"{escape(assignment.title)}: feedback"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def csv_of(results: list[Result], assignment: Assignment, release: Release) -> str:
    """Points by student and question, with totals and what was noticed."""
    questions = [question.name for question in assignment.questions]
    written = [each.name for each in assignment.written]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["folder", "id", "name", *questions, "automatic", *written, "total", "of", "findings"])
    for result in sorted(results, key=lambda result: result.student.folder):
        points = {verdict.question: verdict.points for verdict in result.verdicts}
        by_hand = [result.manual.get(name, "") for name in written]
        total = result.automatic + sum(result.manual.values())
        student = result.student
        notes = " ".join(result.findings)
        row = [student.folder, student.id, student.name, *(points[name] for name in questions)]
        table.writerow([*row, result.automatic, *by_hand, total, sum(release.points.values()), notes])
    return out.getvalue()
