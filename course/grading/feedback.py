"""Feedback for students, one page each, and a table of points by question for lecturers.

A page follows the notebook: each question with the student's answer, the judge's reason, a person's comment
and the section to read again. It holds no output of the student's code and, before the lecturer reveals them,
no right answers.
"""

from __future__ import annotations

from contextlib import suppress
from html import escape
from typing import Any

from course.grading.assignment import Assignment, Question, WrittenQuestion
from course.grading.course_files import Release
from course.grading.import_tables import csv_text
from course.grading.judge import DIGITS, QuestionVerdict, UnreadableAnswer, agree, read
from course.grading.known_submissions import by_rows
from course.grading.manual_points import ByHand
from course.grading.question_text import answer_html, question_texts, table_html
from course.grading.result import Result
from divmetrics_widgets import handing_in
from tools.markdown_text import anchored

STYLE = """
:root {
  --paper: #fff; --line: #ccc; --soft: #f4f4f2; --quiet: #555; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --paper: #111; --line: #444; --soft: #222; --quiet: #aaa; }
  body { color: #eee; } a { color: #8cb8ff; } }
body { background: var(--paper); font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; overflow-wrap: anywhere; }
h3, h4 { margin: 0 0 .3rem; } h4 { margin-top: 1rem; font-size: 1em; } p { margin: .4rem 0; }
.asked { color: var(--quiet); font-size: .92em; } .asked h2 { color: CanvasText; font-size: 1.3rem; }
section { border-left: .25rem solid var(--line); padding-left: .9rem; margin: 1.2rem 0 2rem; }
section.lost { border-color: currentcolor; }
.comment { white-space: pre-line; border-left: .25rem solid var(--quiet); padding-left: .6rem; }
pre { white-space: pre-wrap; background: var(--soft); padding: .6rem; margin: .4rem 0; }
.wide { overflow-x: auto; font-size: .92em; /* shaded at an edge beyond which it goes on */
  background: linear-gradient(90deg, var(--paper) 60%, transparent) 0 0 / 2em 100% no-repeat local,
    linear-gradient(270deg, var(--paper) 60%, transparent) 100% 0 / 2em 100% no-repeat local,
    linear-gradient(90deg, var(--line), transparent) 0 0 / 1em 100% no-repeat,
    linear-gradient(270deg, var(--line), transparent) 100% 0 / 1em 100% no-repeat; }
table { border-collapse: collapse; margin: .4rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .7rem .2rem 0; text-align: left;
  vertical-align: top; overflow-wrap: normal; }
@media (max-width: 30rem) {
  section { padding-left: .5rem; } .wide { font-size: .8em; } th, td { padding-right: .4rem; } }
@media print { :root { --quiet: #333; } body { font-size: 11pt; margin: 0; max-width: none; }
  h2, h3, h4 { break-after: avoid; } pre, table { break-inside: avoid; } .wide { overflow: visible; } }
"""


def page(result: Result, assignment: Assignment, release: Release, book: str = "", data: Any = None) -> str:
    """Return the page for one student as HTML, with every text escaped.

    book : the address of the lessons, for links to them
    data : the student's data, to reveal what is right for them; without them the page cannot
    """
    most = sum(verdict.of for verdict in result.verdicts)
    points = sum(verdict.points for verdict in result.numbers)
    if data is not None and assignment.given:
        data = assignment.given(data, {each.question: each.answer for each in result.verdicts})
    sections = {
        verdict.question: _number(verdict, result, assignment, book, data) for verdict in result.numbers
    }
    sections |= {written.name: _explanation(result, written) for written in assignment.written}
    links = [f'<a href="#{name}">{name}</a>' for name in sections]
    parts = [
        f"<h1>{escape(assignment.title)}</h1>",
        f"<p>{escape(result.student.name or result.student.id)}</p>",
        f"<p><strong>{_all_points(result, most)}</strong></p>",
        f"<p>Numbers: {points:g} of {most:g} points</p>",
        f"<p>{' · '.join(links)}</p>",
    ]
    if result.findings:
        parts += ["<h4>Noticed</h4><ul>", *(f"<li>{escape(each)}</li>" for each in result.findings), "</ul>"]
    if data is not None:
        parts.append(
            "<p>Below each question stands what is right for your data, with an asterisk where your value "
            "differs. In tables of factors, each contribution is the product of the factors before it. The "
            "code works in your notebook; it may use what the code of the questions above it defines.</p>"
        )
    for name, question in question_texts(release).items():
        parts += [f'<div class="asked">{question}</div>', sections[name]]
    title = f"{escape(assignment.title)}: feedback"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _number(verdict: QuestionVerdict, result: Result, assignment: Assignment, book: str, data: Any) -> str:
    question, hand = assignment.question(verdict.question), result.hand(verdict.question)
    full = verdict.points >= verdict.of
    lost = "" if full else ' class="lost"'
    parts = [
        f'<section id="{question.name}"{lost}>',
        f"<h3>{question.name}: {verdict.points:g} of {verdict.of:g} points{_and(hand)}</h3>",
        f"<p>{escape(verdict.reason)}</p>{_comment(hand)}",
    ]
    code = result.answers.get(f"{question.name}_answer")
    if verdict.answer is not None and verdict.answer != {"function": True}:
        parts += ["<h4>Your answer</h4>", answer_html(verdict.answer)]
    elif code:
        parts += ["<h4>Your answer</h4>", f"<pre>{escape(code)}</pre>"]
    if question.lesson and not full:
        parts.append(f"<p>Read again: {lesson_link(question.lesson, book)}.</p>")
    if data is not None:
        parts += _right(question, assignment, data, verdict.answer)
    return "\n".join([*parts, "</section>"])


def lesson_link(place: str, book: str) -> str:
    """Return the lesson and section as a link to the book, or as text if it has no address."""
    lesson, _, section = place.partition("#")
    words = f"lesson {lesson[:2]}, “{escape(section)}”"
    if not book:
        return words
    return f'<a href="{escape(anchored(f"{book}/notebooks/{lesson}.html", section))}">{words}</a>'


def _right(question: Question, assignment: Assignment, data: Any, answer: Any) -> list[str]:
    """Return the right answer, the table that leads to it, and the code that computes it."""
    try:
        right = question.right(data)
    except UnreadableAnswer:  # it builds on another answer
        return []
    with_it = f", with {question.of} as above" if question.of else ""
    parts = [f"<h4>{'A right answer' if question.judged else 'Right'}{with_it}</h4>"]
    names = question.names(data) if question.names else None
    if question.judged or not question.cases:  # the cases of a function are hidden
        marked = by_rows(_marked(question, right, answer, names), names or ())
        parts.append(answer_html(handing_in.written(marked)))
    if question.computation:
        parts.append(table_html(question.computation(data), index=False))
    code = next(iter(assignment.solutions.values())).get(question.name)
    return [*parts, f"<pre>{escape(code.strip())}</pre>"] if code else parts


def _marked(question: Question, right: Any, answer: Any, names: tuple[list[Any], ...] | None) -> Any:
    """Return the right answer, with an asterisk after each value that differs from a readable answer."""
    if not isinstance(right, dict) or question.judged:
        return right
    own: Any = None
    with suppress(UnreadableAnswer):
        own = read(answer, right, names)
    return {
        name: f"{value:.6g}" + ("" if own is None or agree(own[name], value, question.within) else "\u00a0*")
        for name, value in right.items()
    }


def _all_points(result: Result, numbers: float) -> str:
    most, unread = numbers + sum(result.written_points.values()), result.unread
    wait = f", before {', '.join(unread)} {'is' if len(unread) == 1 else 'are'} read" if unread else ""
    return f"{result.total:g} of {most:g} points{wait}"


def _explanation(result: Result, written: WrittenQuestion) -> str:
    hand, most = result.hand(written.name), result.written_points[written.name]
    own = result.written.get(written.name)
    if hand.points is not None:
        points = f"{hand.points:g} of {most:g} points{_and(hand)}"
    else:
        points = f"{most:g} points, not yet read" if own else f"0 of {most:g} points{_and(hand)}"
    parts = [f'<section id="{written.name}"><h3>{written.name}: {points}</h3>']
    if hand.points is not None:  # students learn the rubric with their points
        items = "".join(f"<li>{share:g}: {escape(says)}</li>" for share, says in written.rubric)
        parts.append(f"<p>Points are given for</p><ul>{items}</ul>")
    parts.append(_comment(hand))
    parts.append(f"<h4>Your answer</h4><pre>{escape(own)}</pre>" if own else "<p>Not answered.</p>")
    return "\n".join([*parts, "</section>"])


def _and(hand: ByHand) -> str:
    return f" and {hand.extra:g} extra" if hand.extra else ""


def _comment(hand: ByHand) -> str:
    return f'<p class="comment">{escape(hand.comment)}</p>' if hand.comment else ""


def points_csv(results: list[Result], assignment: Assignment, release: Release) -> str:
    """Return points by student and question as CSV, with totals, findings and a person's comments."""
    questions = [question.name for question in assignment.questions]
    written = [each.name for each in assignment.written]
    about = ["folder", "id", "name"]
    sums = ["extra", "total", "of", "findings", "comments"]
    table: list[list[object]] = [[*about, *questions, "automatic", *written, *sums]]
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
        table.append([*row, " ".join(f"{name}: {comment}" for name, comment in comments if comment)])
    return csv_text(table)
