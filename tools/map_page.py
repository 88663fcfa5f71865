"""The map of the course: paths through it, every lesson's question, and where every metric is derived."""

from __future__ import annotations

from collections.abc import Sequence

from nbformat import NotebookNode

from divmetrics.errors import join_words
from tools.chapters import Chapter
from tools.derivations import Derivation, derivations, rows
from tools.map_pictures import EXPLANATION
from tools.notebook_files import BIBLIOGRAPHY, GLOSSARY, generated_page, wrap_up
from tools.tracks import TRACKS, Track, by_group, in_words, supposed

INTRODUCTION = f"""# Map of the course

Every lesson answers one question, in about half an hour. Follow one of the paths through the course, look
for your question among the lessons, or for a metric below them. Symbols and terms are explained on the page
[notation and glossary]({GLOSSARY}), and all sources are in the [bibliography]({BIBLIOGRAPHY})."""

MINUTES = "25 + 10 minutes are 25 for the lesson and 10 more for its exercises."

METRICS = f"""## Where every metric is derived

Every metric is one row of one formula. At each rank $k$, each intent $t_i$ adds the marginal utility $M$ of
the document there, multiplied by how much the rank counts, $w(k)$, and how much the intent counts, $f_i$. The
sum is divided by $N$:

$$T(L) = \\frac{{1}}{{N}} \\sum_k w(k) \\sum_i f_i\\, M_i(d_k \\mid L^{{k-1}})$$

The tables below are sorted by the questions that the metrics answer. They show each
metric's $M$ and, below it, $w(k)$, say what its readers do, and show it in a small picture. Each name leads
to the section that derives the metric, where its readers can be followed step by step. A metric that is made
up of others has theirs.

{EXPLANATION}"""


def map_page(chapters: Sequence[Chapter]) -> NotebookNode:
    by_number = {chapter.number: chapter for chapter in chapters}
    groups = by_group(chapters)
    if appendices := [chapter for chapter in chapters if not chapter.is_lesson]:
        groups["Appendices"] = appendices
    cells = {
        "title": INTRODUCTION,
        "ways": _ways(chapters, by_number),
        "lessons": f"## Lessons and appendices\n\n{MINUTES}\n\n{_table(groups)}",
        "metrics": METRICS,
    }
    sections: dict[Chapter, list[Derivation]] = {}
    for derivation in derivations(chapters):
        sections.setdefault(derivation.chapter, []).append(derivation)
    for chapter, derived in sections.items():
        cells[f"metrics-{chapter.number}"] = _metrics(chapter, derived)
    return generated_page(cells)


def _ways(chapters: Sequence[Chapter], by_number: dict[str, Chapter]) -> str:
    lines = ["## Paths through the course", "", "| path | time | exercises | lessons |", "|:--|--:|--:|:--|"]
    lines += [_way(track, by_number) for track in TRACKS]
    for track in TRACKS:
        if track.without and (needed := supposed(track, chapters)):
            links = join_words([chapter.link(chapter.number) for chapter in needed])
            lines += ["", f"**{track.name}** {track.without.format(links)}"]
    return "\n".join(lines)


def _way(track: Track, by_number: dict[str, Chapter]) -> str:
    members = [by_number[number] for number in track.lessons if number in by_number]
    time = _on_one_line(sum(chapter.minutes for chapter in members))
    exercises = _on_one_line(sum(chapter.exercise_minutes for chapter in members))
    lessons = " ".join(chapter.link(chapter.number) for chapter in members)
    return f"| **{track.name}**: {track.whom} | {time} | {exercises} | {lessons} |"


def _on_one_line(minutes: int) -> str:
    return in_words(minutes).replace(" ", "\u00a0")


def _table(groups: dict[str, list[Chapter]]) -> str:
    lines = ["| lesson | its question | minutes |", "|:--|:--|--:|"]
    for name, members in groups.items():
        lines.append(f"| **{name}** | | |")
        for chapter in members:
            more = f" + {chapter.exercise_minutes}" if chapter.exercise_minutes else ""
            time = f"{chapter.minutes}{more}".replace(" ", "\u00a0")
            lines.append(f"| {chapter.link()} | {chapter.lesson.question} | {time} |")
            if questions := wrap_up(chapter.path):
                lines.append(f"| [Wrap-up]({questions.name}) | Eight questions across these lessons | 15 |")
    return "\n".join(lines)


def _metrics(chapter: Chapter, derived: Sequence[Derivation]) -> str:
    lines = [f"**{chapter.lesson.question}** {chapter.link()}", ""]
    lines += ["| metric | $M$ and $w(k)$ | its readers | picture |", "|:--|:--|:--|:--|"]
    return "\n".join([*lines, *(row for derivation in derived for row in rows(derivation))])
