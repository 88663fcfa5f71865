"""%%serp: write a ranked list, one document per line; %serp: read one from a file."""

from __future__ import annotations

import builtins
import keyword
from pathlib import Path

from divmetrics.core.checks import check_whole
from divmetrics.core.collection import Collection
from divmetrics.core.runs import RankedList, Run
from divmetrics.errors import DivmetricsError, did_you_mean, join_words, some
from divmetrics.io.file_contents import LINE_END, Contents, open_contents
from divmetrics.io.loading import load_collection
from divmetrics.io.run_loading import load_runs
from divmetrics.notebook.magics.arguments import Arguments, at_most, read_arguments
from divmetrics.notebook.magics.magic import Magic, Option
from divmetrics.notebook.magics.session import Session
from divmetrics.notebook.textformat.cell_parsers import ListEntry, read_entries
from divmetrics.notebook.textformat.source_lines import Line

TREC_COLUMNS = 6
EXPECTED = "a list as in the cell of %%serp, or a TREC run"


def _list_from_file(session: Session, name: str, arguments: Arguments) -> RankedList | tuple[ListEntry, ...]:
    """Return a list judged by other files, or entries to be judged together with the lists written so far.

    Raises DivmetricsError if a file or an option cannot be used.
    """
    path = Path(arguments.words[1]).expanduser()
    contents = open_contents(path, EXPECTED)
    if not _is_run(contents):
        if arguments.options:
            raise DivmetricsError(
                f"{path}: --{next(iter(arguments.options))} is for runs as TREC has them (topic Q0 document "
                "rank score tag), which this file is not"
            )
        return read_entries(contents.text(), first=1, source=str(path))
    depth = check_whole("--depth", arguments.number("depth", 0), 1) if arguments.has("depth") else None
    (run,) = load_runs(str(path), "score")
    if not arguments.has("qrels"):
        if arguments.has("topics"):
            raise DivmetricsError("--topics says the intents of judgments, so it needs --qrels")
        topic = _topic(run, arguments.one("topic", session.draft.id), path, explicit=arguments.has("topic"))
        if not session.draft.lists:
            raise DivmetricsError(
                f"{path} holds no judgments: give them with --qrels FILE, or write a list with labels first"
            )
        return tuple(
            ListEntry(Line(rank, doc, str(path)), doc, unjudged_by_default=True)
            for rank, doc in enumerate(run.list(topic)[:depth], 1)
        )
    collection = _collection(session, arguments)
    topic = _topic(run, arguments.one("topic"), path, explicit=arguments.has("topic"), judged=collection)
    judgments = collection.pools[topic]
    return RankedList(judgments.topic, run.list(topic)[:depth], judgments, name)


def _is_run(contents: Contents) -> bool:
    first = LINE_END.split(contents.data.lstrip(), maxsplit=1)[0].split()
    return len(first) == TREC_COLUMNS and first[3].lstrip(b"-").isdigit()


def _topic(run: Run, topic: str, path: Path, *, explicit: bool, judged: Collection | None = None) -> str:
    topics = [t for t in run.spans if judged is None or t in judged.pools]
    if topic in topics:
        return topic
    if explicit:
        raise DivmetricsError(
            f"{path} has no {'judged ' if judged else ''}topic {topic!r}{did_you_mean(topic, topics)}; "
            f"it has {some(topics) or 'none'}"
        )
    if len(topics) != 1:
        kind = "judged topics" if judged else "topics"
        what = f"{len(topics)} {kind} ({some(topics)})" if topics else f"no {kind}"
        raise DivmetricsError(f"{path} has {what}; say which one with --topic")
    return topics[0]


def _collection(session: Session, arguments: Arguments) -> Collection:
    """Read the judgments once while the files stay the same, so that lists share them."""
    paths = [arguments.one("qrels"), *arguments.all("topics")]
    key = tuple((str(p), Path(p).stat().st_mtime_ns if Path(p).exists() else 0) for p in paths)
    collections = session.state.collections
    if key not in collections:
        collections[key] = load_collection(*paths)
    return collections[key]


def _write_list(session: Session, line: str, cell: str | None = None) -> RankedList:
    """%%serp NAME
    %serp NAME FILE [--topic TOPIC] [--qrels FILE] [--topics FILE] [--depth NUMBER]

    A ranked list, best document first. In a cell: a document per line, with its labels; a label is an intent
    and a grade, which is 1 where it is left out. NAME becomes a RankedList in Python.

        %%serp A
        d1 film:2 book     # serves two intents
        d2 games "the shop"
        d3                 # judged and not relevant, or with the labels it has in another list
        d4 ?               # never judged
        d5 film/cast:2     # a second-level subtopic

    Lists of one topic share their judgments: a document is judged alike in all of them. Without %%intents,
    the intents are those of the labels, equally probable. To run the cell again replaces the list.

    From a file: one that is written like the cell, or a run as TREC has it. Judgments come from --qrels
    (TREC, NTCIR or IMine; intents with probabilities from --topics), or from the lists written so far.

        %serp B mine.txt
        %serp C mixed.run --topic potter --qrels harry_potter.qrels

    Returns the RankedList.
    """
    arguments = read_arguments(MAGIC, line)
    if cell is not None:
        if len(arguments.words) != 1:
            raise DivmetricsError("expected one word, the name of the list, as in %%serp A")
        if arguments.options:
            raise DivmetricsError(f"--{next(iter(arguments.options))} is for lists from files: %serp A FILE")
        entries = read_entries(cell)
    else:
        at_most(arguments.words, 2, "the name of the list and a file, as in %serp A mine.txt")
        if len(arguments.words) < 2:
            raise DivmetricsError(
                "expected the name of the list and a file, as in %serp A mine.txt; to write the list here, "
                "begin the cell with %%serp A"
            )
    name = _check_name(session, arguments.words[0])
    if cell is None:
        result = _list_from_file(session, name, arguments)
        if isinstance(result, RankedList):
            session.names[name] = result
            return result
        entries = result
    before = session.draft
    draft, rejected = before.with_list(name, entries)
    session.put(before, draft, rejected)
    topic = draft.lists[name].topic
    if draft.intents is None and topic != before.topic:
        ids = [intent.id for intent in topic.intents]
        alike = "; all are equally probable" if len(ids) > 1 else ""
        session.note(
            f"Without an %%intents cell, the intents are those of the labels: {join_words(ids)}{alike}."
        )
    return draft.lists[name]


def _check_name(session: Session, name: str) -> str:
    """Return the name if a list may be bound to it, else raise DivmetricsError."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise DivmetricsError(
            f"{name!r} cannot be the name of a list; expected a name as Python has them: letters, digits and "
            "_, no digit first"
        )
    if name.startswith("_") or hasattr(builtins, name):
        raise DivmetricsError(f"{name!r} already means something in Python; give the list another name")
    there = session.names.get(name)
    if there is not None and not isinstance(there, RankedList):
        raise DivmetricsError(
            f"{name} is the name of something else ({type(there).__name__}); give the list another name, or "
            f"write `del {name}` first"
        )
    return name


MAGIC = Magic(
    "serp",
    _write_list,
    kind="line_cell",
    options=(
        Option("--topic", "text"),
        Option("--qrels", "file"),
        Option("--topics", "file"),
        Option("--depth", "number"),
    ),
    words=("new name", "file", ""),
    body="labels",
)
