"""The groups of lessons, and the paths through the course with the time that each may take.

Lessons are named by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.chapters import Chapter


@dataclass(frozen=True)
class Track:
    """A path through the course.

    minutes: what its lessons may take together, without their exercises. without: a sentence that follows its
    name and says what to do about the lessons that it leaves out and yet builds on; {} stands for these.
    """

    name: str
    whom: str
    minutes: int
    lessons: tuple[str, ...]
    without: str = ""


# Every lesson stands in one group, in this order.
GROUPS: dict[str, tuple[str, ...]] = {
    "Begin": ("00",),
    "One query, many intents": ("01", "02", "03"),
    "Metrics intent by intent": ("04", "05", "06", "07"),
    "Novelty": ("08", "09"),
    "One ideal list for all": ("10", "11", "12", "13"),
    "Time, and intents within intents": ("14", "15"),
    "Which metric can you trust?": ("16", "17", "18", "19", "20", "21"),
    "Your own data and systems": ("22", "23", "24", "25", "26"),
}

TRACKS = (
    Track("Tutorial", "a first look, in one sitting", 45, ("00",)),
    Track(
        "Undergraduate",
        "two or three classes on how the diversity of search results is measured",
        200,
        ("01", "02", "03", "04", "05", "06", "08", "10", "11"),
    ),
    Track(
        "Graduate",
        "a seminar that derives every family of metrics and then doubts it",
        530,
        tuple(f"{number:02}" for number in range(1, 22)),
    ),
    Track(
        "Meta-evaluation",
        "researchers who choose a metric, or propose one",
        240,
        ("02", "03", "16", "17", "18", "19", "20", "21", "23"),
        "takes the metrics as given: its lessons build on {}, which derive them. If you meet a metric that "
        "you do not know, the tables at the end of this page lead to its derivation.",
    ),
    Track(
        "Retrieval for RAG",
        "people who evaluate it: coverage and novelty, nuggets, then their own files and tests",
        160,
        ("00", "01", "08", "24", "22", "18"),
        "goes without {}; where a metric is new to you, the tables at the end of this page lead to its "
        "derivation.",
    ),
)


def by_group(chapters: Sequence[Chapter]) -> dict[str, list[Chapter]]:
    """Return the lessons of each group that is not empty."""
    lessons = {chapter.number: chapter for chapter in chapters}
    groups = {name: [lessons[n] for n in numbers if n in lessons] for name, numbers in GROUPS.items()}
    return {name: members for name, members in groups.items() if members}


def in_words(minutes: int) -> str:
    """Format minutes: 45 min, 3 h, 7 h 40 min."""
    hours, rest = divmod(minutes, 60)
    return " ".join(filter(None, [f"{hours} h" if hours else "", f"{rest} min" if rest or not hours else ""]))


def supposed(track: Track, chapters: Sequence[Chapter]) -> list[Chapter]:
    """Return what the lessons of a track build on and the track leaves out, in reading order."""
    names = {
        name for chapter in chapters if chapter.number in track.lessons for name in chapter.lesson.builds_on
    }
    return [chapter for chapter in chapters if chapter.name in names and chapter.number not in track.lessons]


def complaints(
    chapters: Sequence[Chapter],
    groups: Mapping[str, tuple[str, ...]] = GROUPS,
    tracks: Sequence[Track] = TRACKS,
) -> Iterator[str]:
    """Yield lessons in no group or two, unknown names, and tracks that are too long or out of order."""
    lessons = {chapter.number: chapter for chapter in chapters if chapter.is_lesson}
    placed = [number for group in groups.values() for number in group]
    if placed != sorted(set(placed)):
        yield "the groups do not follow the order of the lessons, or name one twice"
    yield from (f"lesson {number} stands in no group" for number in lessons if number not in placed)
    yield from (f"the groups name {number}, which is no lesson" for number in placed if number not in lessons)
    for track in tracks:
        yield from (
            f"{track.name}: {number} is no lesson" for number in track.lessons if number not in lessons
        )
        yield from _out_of_order(track, lessons)
        taken = sum(lessons[number].minutes for number in track.lessons if number in lessons)
        if bool(supposed(track, chapters)) != bool(track.without):
            yield f"{track.name}: what it leaves out and builds on, and what it says of that, do not agree"
        if taken > track.minutes:
            yield f"{track.name}: its lessons take {in_words(taken)}, at most {in_words(track.minutes)}"


def _out_of_order(track: Track, lessons: Mapping[str, Chapter]) -> Iterator[str]:
    """Yield lessons that a track names twice, or before one that they build on."""
    places = {number: place for place, number in enumerate(track.lessons)}
    if len(places) < len(track.lessons):
        yield f"{track.name}: names a lesson twice"
    numbers = {lesson.name: number for number, lesson in lessons.items()}
    for number in places.keys() & lessons.keys():
        before = [numbers[name] for name in lessons[number].lesson.builds_on if name in numbers]
        late = sorted(other for other in before if places.get(other, -1) > places[number])
        yield from (f"{track.name}: {number} stands before {other}, on which it builds" for other in late)
