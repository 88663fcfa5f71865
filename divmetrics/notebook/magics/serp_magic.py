"""%%serp: write a ranked list, one document per line; %serp: read one from a file."""

from __future__ import annotations

import builtins
import keyword

from divmetrics.core.collection import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.magics.arguments import at_most, read_arguments
from divmetrics.notebook.magics.magic import Magic, Option
from divmetrics.notebook.magics.run_file import list_from_file
from divmetrics.notebook.magics.session import Session
from divmetrics.notebook.textformat.cell_parsers import read_entries
from divmetrics.render.tables import join_words


def write_list(session: Session, line: str, cell: str | None = None) -> RankedList:
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
        result = list_from_file(session, name, arguments)
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
    write_list,
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
