"""Feedback for students, one page each, and a table of points by question for lecturers.

A page holds the judge's reasons, a person's comments and the student's text, but no output of the student's
code and no part of the key.
"""

from __future__ import annotations

import csv
import io
from html import escape

from course.grading.assignment import Assignment, WrittenQuestion
from course.grading.course_files import Release
from course.grading.judge import DIGITS
from course.grading.manual_points import ByHand
from course.grading.result import Result

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { border-bottom: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top; }
.points { white-space: nowrap; width: 1%; }
p.comment { white-space: pre-line; border-left: .25rem solid #2a7; margin: .6rem 0; padding-left: .6rem; }
pre { white-space: pre-wrap; background: #f5f5f5; padding: .6rem; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } pre { background: #222; } }
"""


def page(result: Result, assignment: Assignment) -> str:
    """Return the page for one student as HTML, with every text escaped."""
    most = sum(verdict.of for verdict in result.verdicts)
    points = sum(verdict.points for verdict in result.numbers)
    parts = [
        f"<h1>{escape(assignment.title)}</h1>",
        f"<p>{escape(result.student.name or result.student.id)}</p>",
        f"<p><strong>{_all_points(result, most, assignment)}</strong></p>",
        f"<h2>Numbers: {points:g} of {most:g} points</h2>",
        '<table><tr><th>question</th><th class="points">points</th><th>why</th></tr>',
    ]
    for verdict in result.numbers:
        hand = result.hand(verdict.question)
        parts.append(
            f"<tr><th>{escape(verdict.question)}</th>"
            f'<td class="points">{verdict.points:g} of {verdict.of:g}{_and(hand)}</td>'
            f"<td>{escape(verdict.reason)}{_comment(hand)}</td></tr>"
        )
    parts.append("</table>")
    if result.findings:
        parts += ["<h2>Noticed</h2><ul>", *(f"<li>{escape(each)}</li>" for each in result.findings), "</ul>"]
    for written in assignment.written:
        parts += _explanation(result, written)
    title = f"{escape(assignment.title)}: feedback"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _all_points(result: Result, numbers: float, assignment: Assignment) -> str:
    most = numbers + sum(result.written_points.values())
    unread = [
        each.name
        for each in assignment.written
        if each.name in result.written and result.hand(each.name).points is None
    ]
    wait = f", before {', '.join(unread)} {'is' if len(unread) == 1 else 'are'} read" if unread else ""
    return f"{result.total:g} of {most:g} points{wait}"


def _explanation(result: Result, written: WrittenQuestion) -> list[str]:
    hand, most = result.hand(written.name), result.written_points[written.name]
    own = result.written.get(written.name)
    if hand.points is not None:
        points = f"{hand.points:g} of {most:g} points{_and(hand)}"
    else:
        points = f"{most:g} points, not yet read" if own else f"0 of {most:g} points{_and(hand)}"
    parts = [f"<h2>Explanation {escape(written.name)}: {points}</h2>"]
    if hand.points is not None:  # students learn the rubric with their points
        items = "".join(f"<li>{share:g}: {escape(says)}</li>" for share, says in written.rubric)
        parts.append(f"<p>Points are given for</p><ul>{items}</ul>")
    parts.append(_comment(hand))
    parts.append(f"<pre>{escape(own)}</pre>" if own else "<p>Not answered.</p>")
    return parts


def _and(hand: ByHand) -> str:
    return f" and {hand.extra:g} extra" if hand.extra else ""


def _comment(hand: ByHand) -> str:
    return f'<p class="comment">{escape(hand.comment)}</p>' if hand.comment else ""


def points_csv(results: list[Result], assignment: Assignment, release: Release) -> str:
    """Return points by student and question as CSV, with totals, findings and a person's comments."""
    questions = [question.name for question in assignment.questions]
    written = [each.name for each in assignment.written]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    about = ["folder", "id", "name"]
    sums = ["extra", "total", "of", "findings", "comments"]
    table.writerow([*about, *questions, "automatic", *written, *sums])
    for result in sorted(results, key=lambda result: result.student.folder):
        points = {verdict.question: verdict.points for verdict in result.numbers}
        by_hand = [result.hand(name).points for name in written]
        student = result.student
        comments = [(name, " ".join(result.hand(name).comment.split())) for name in [*questions, *written]]
        row = [
            student.folder,
            student.own_id or student.id,
            student.name,
            *(points[name] for name in questions),
        ]
        row += [round(sum(points.values()), DIGITS), *("" if share is None else share for share in by_hand)]
        row += [result.extra, result.total, sum(release.points.values()), " ".join(result.findings)]
        table.writerow([*row, " ".join(f"{name}: {comment}" for name, comment in comments if comment)])
    return out.getvalue()
