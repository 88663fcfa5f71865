"""A folder of NTCIR-11 IMine files as the collection that Yu et al. (2017) used."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from divmetrics.core.collection import Collection, Run, Topic
from divmetrics.errors import DivmetricsError
from divmetrics.io import read_qrels, read_topics
from divmetrics.io.loading import load_collection, load_runs


@dataclass(frozen=True)
class Language:
    """What the organisers call the files of a language, the numbers of its topics, and the first broad one.

    No file of theirs says which topics are ambiguous: their script CalculateHMeasure.py goes by the number.
    """

    name: str
    letter: str
    numbers: range
    first_broad: int


LANGUAGES = {
    "en": Language("English", "E", range(51, 84), 67),
    "cn": Language("Chinese", "C", range(1, 34), 17),
}

KINDS = ("ambiguous", "broad")

# Where each thing is looked for, the first that is there is taken: in the tidy re-encoding, in the
# organisers' working repository, in a folder that holds only their files.
TOPICS = ("topics.json", "{xml}/IMine.Qrel.SM{letter}.xml")
JUDGMENTS = ("qrels.{code}.tsv", "{xml}/IMine.Qrel.DR{letter}.xml")
XML = ("validate/data", "raw", ".")
RUNS = ("runs/{code}", "dr/{folder}/data/run")


def imine(folder: str | os.PathLike[str], language: str) -> Collection:
    """The topics of one language that the paper uses, with judgments and all submitted runs.

    folder: with topics.json, qrels.en.tsv, qrels.cn.tsv, runs/en and runs/cn, or the organisers' files
    (IMine.Qrel.SME.xml, .DRE.xml, .SMC.xml, .DRC.xml in validate/data, runs in dr/english/data/run and
    dr/chinese/data/run); files may be gz. language: "en" or "cn".

    Probabilities are the organisers', second-level ones divided by their sum within the first-level subtopic;
    `.uniform()` has those of the paper. Topics with a first-level subtopic that has no second-level ones are
    left out, as in the paper. A run has the name of its file (one file carries another run's tag) and is read
    in file order (scores are tied, or do not descend). A type that the topics file does not say goes by the
    topic's number.

    Raises DivmetricsError, one sentence, for a folder or file that is missing or cannot be used.
    """
    topics, root = imine_topics(folder, language), Path(folder)
    judgments = read_qrels(_find(root, JUDGMENTS, language, "judgments"), topics=topics)
    judged = set(judgments["topic"])
    used = [t for t in topics if t.id in judged and all(intent.children for intent in t.intents)]
    of_used = judgments[judgments["topic"].isin([topic.id for topic in used])]
    return load_collection(of_used, used).with_runs(_runs(root, language))


def imine_topics(folder: str | os.PathLike[str], language: str) -> tuple[Topic, ...]:
    """All unclear queries of one language, those too that `imine` leaves out; errors as there."""
    root = Path(folder)
    if not root.is_dir():
        what = "is a file" if root.exists() else "does not exist"
        raise DivmetricsError(f"{root}: {what}, expected the folder of the IMine files; name that folder")
    file, told = _find(root, TOPICS, language, "topics"), LANGUAGES[language]
    topics = [t for t in read_topics(file, "normalise") if t.id.isdigit() and int(t.id) in told.numbers]
    if not topics:
        raise DivmetricsError(
            f"{file}: holds no {told.name} topic, expected numbers from {told.numbers[0]:04d} to "
            f"{told.numbers[-1]:04d}; give the file that has them"
        )
    wrong = next((topic for topic in topics if topic.type not in ("", *KINDS)), None)
    if wrong is not None:
        raise DivmetricsError(
            f"{file}: topic {wrong.id} has the type {wrong.type!r}, expected {' or '.join(KINDS)}; correct it"
        )
    return tuple(replace(t, type=t.type or KINDS[int(t.id) >= told.first_broad]) for t in topics)


def _find(root: Path, places: tuple[str, ...], language: str, what: str) -> Path:
    told = LANGUAGES[language]
    names = dict.fromkeys(
        str(Path(place.format(code=language, letter=told.letter, folder=told.name.lower(), xml=xml)))
        for place in places
        for xml in XML
    )
    for name in names:
        for path in (root / name, root / f"{name}.gz"):
            if path.exists():
                return path
    raise DivmetricsError(
        f"{root}: the {told.name} {what} are missing, expected {' or '.join(names)}; add them or name the "
        "folder that has them"
    )


def _runs(root: Path, language: str) -> list[Run]:
    folder = _find(root, RUNS, language, "runs")
    files = sorted([*folder.glob("*.txt"), *folder.glob("*.txt.gz")])
    if not files:
        raise DivmetricsError(f"{folder}: holds no run, expected files *.txt or *.txt.gz; add them")
    return [replace(load_runs(path, "file")[0], name=path.name.split(".")[0]) for path in files]
