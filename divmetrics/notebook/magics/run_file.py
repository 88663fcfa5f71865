"""Read a list for %serp from a file: a TREC run, or text as in the cell of %%serp."""

from __future__ import annotations

from pathlib import Path

from divmetrics.core.checks import whole
from divmetrics.core.collection import Collection, RankedList, Run
from divmetrics.errors import DivmetricsError, did_you_mean, some
from divmetrics.io.file_contents import LINE_END, Contents, open_contents
from divmetrics.io.loading import load_collection, load_runs
from divmetrics.notebook.magics.arguments import Arguments
from divmetrics.notebook.magics.session import Session
from divmetrics.notebook.textformat.cell_parsers import ListEntry, read_entries
from divmetrics.notebook.textformat.source_lines import Line

TREC_COLUMNS = 6
EXPECTED = "a list as in the cell of %%serp, or a TREC run"


def list_from_file(session: Session, name: str, arguments: Arguments) -> RankedList | tuple[ListEntry, ...]:
    """Return a list judged by other files, or entries to be judged together with the lists written so far."""
    path = Path(arguments.words[1]).expanduser()
    contents = open_contents(path, EXPECTED)
    if not _is_run(contents):
        if arguments.options:
            raise DivmetricsError(
                f"{path}: --{next(iter(arguments.options))} is for runs as TREC has them (topic Q0 document "
                "rank score tag), which this file is not"
            )
        return read_entries(contents.text(), first=1, source=str(path))
    depth = whole("--depth", arguments.number("depth", 0), 1) if arguments.has("depth") else None
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
    known = [t for t in run.spans if judged is None or t in judged.pools]
    if topic in known:
        return topic
    if explicit:
        raise DivmetricsError(
            f"{path} has no {'judged ' if judged else ''}topic {topic!r}{did_you_mean(topic, known)}; it has "
            f"{some(known) or 'none'}"
        )
    if len(known) != 1:
        kind = "judged topics" if judged else "topics"
        what = f"{len(known)} {kind} ({some(known)})" if known else f"no {kind}"
        raise DivmetricsError(f"{path} has {what}; say which one with --topic")
    return known[0]


def _collection(session: Session, arguments: Arguments) -> Collection:
    """Read the judgments once while the files stay the same, so that lists share them."""
    paths = [arguments.one("qrels"), *arguments.all("topics")]
    key = tuple((str(p), Path(p).stat().st_mtime_ns if Path(p).exists() else 0) for p in paths)
    known = session.state.collections
    if key not in known:
        known[key] = load_collection(*paths)
    return known[key]
