"""Read a folder of NTCIR-11 IMine files as the collection that Yu et al. (2017) used."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from divmetrics.core.collection import Collection
from divmetrics.core.runs import Run
from divmetrics.core.topics import Topic
from divmetrics.errors import DivmetricsError
from divmetrics.io import read_qrels, read_topics
from divmetrics.io.loading import load_collection
from divmetrics.io.run_loading import load_runs
from divmetrics.research.papers.data_folders import data_folder, first_file


@dataclass(frozen=True)
class Language:
    """A language: its name, the letter in file names, its topic numbers, and the first broad topic.

    No file of the organisers states which topics are ambiguous: their script CalculateHMeasure.py decides by
    number.
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

# Candidate paths, the first that exists counts: the tidy re-encoding, the organisers' working repository, a
# folder with only their files.
TOPICS = ("topics.json", "{xml}/IMine.Qrel.SM{letter}.xml")
JUDGMENTS = ("qrels.{code}.tsv", "{xml}/IMine.Qrel.DR{letter}.xml")
XML = ("validate/data", "raw", ".")
RUNS = ("runs/{code}", "dr/{folder}/data/run")


def imine(folder: str | os.PathLike[str], language: str) -> Collection:
    """Read the topics of one language that the paper uses, with judgments and all submitted runs.

    The folder holds topics.json, qrels.en.tsv, qrels.cn.tsv, runs/en and runs/cn, or the organisers' files
    (IMine.Qrel.SME.xml, .DRE.xml, .SMC.xml, .DRC.xml in validate/data, runs in dr/english/data/run and
    dr/chinese/data/run); files may be gz. The language is "en" or "cn".

    Probabilities are the organisers', second-level ones divided by their sum within the first-level subtopic;
    `.uniform()` gives those of the paper. Topics with a first-level subtopic without second-level ones are
    left out, as in the paper. A run is named after its file (one file carries another run's tag) and read in
    file order (scores are tied, or do not descend). A type missing in the topics file follows from the
    topic's number.

    Raises DivmetricsError if the folder or a file is missing or invalid, and KeyError for another language.
    """
    topics, root = imine_topics(folder, language), Path(folder)
    judgments = read_qrels(_find(root, JUDGMENTS, language, "judgments"), topics=topics)
    judged = set(judgments["topic"])
    used = [t for t in topics if t.id in judged and all(intent.children for intent in t.intents)]
    of_used_topics = judgments[judgments["topic"].isin([topic.id for topic in used])]
    return load_collection(of_used_topics, used).with_runs(_runs(root, language))


def imine_topics(folder: str | os.PathLike[str], language: str) -> tuple[Topic, ...]:
    """Read the ambiguous and broad topics of a language ("en" or "cn"), also those that `imine` leaves out.

    Raises DivmetricsError if the folder or the topics file is missing or invalid.
    """
    root = data_folder(folder, "the folder of the IMine files")
    file, info = _find(root, TOPICS, language, "topics"), LANGUAGES[language]
    topics = [t for t in read_topics(file, "normalise") if t.id.isdigit() and int(t.id) in info.numbers]
    if not topics:
        raise DivmetricsError(
            f"{file}: holds no {info.name} topic, expected numbers from {info.numbers[0]:04d} to "
            f"{info.numbers[-1]:04d}; give the file that has them"
        )
    wrong = next((topic for topic in topics if topic.type not in ("", *KINDS)), None)
    if wrong is not None:
        raise DivmetricsError(
            f"{file}: topic {wrong.id} has the type {wrong.type!r}, expected {' or '.join(KINDS)}; correct it"
        )
    return tuple(replace(t, type=t.type or KINDS[int(t.id) >= info.first_broad]) for t in topics)


def _find(root: Path, candidates: tuple[str, ...], language: str, content: str) -> Path:
    """Return the first of the `candidates` that exists; raise DivmetricsError if none does.

    `content` names the contents of the file in the error message.
    """
    info = LANGUAGES[language]
    names = dict.fromkeys(
        str(Path(candidate.format(code=language, letter=info.letter, folder=info.name.lower(), xml=xml)))
        for candidate in candidates
        for xml in XML
    )
    path = first_file(root, names)
    if path is not None:
        return path
    raise DivmetricsError(
        f"{root}: the {info.name} {content} are missing, expected {' or '.join(names)}; add them or name the "
        "folder that has them"
    )


def _runs(root: Path, language: str) -> list[Run]:
    folder = _find(root, RUNS, language, "runs")
    files = sorted([*folder.glob("*.txt"), *folder.glob("*.txt.gz")])
    if not files:
        raise DivmetricsError(f"{folder}: holds no run, expected files *.txt or *.txt.gz; add them")
    return [replace(load_runs(path, "file")[0], name=path.name.split(".")[0]) for path in files]
