"""%%intents: write the intents of a query, one per line."""

from __future__ import annotations

from divmetrics.core.topics import Topic
from divmetrics.errors import join_words
from divmetrics.notebook.magics.arguments import split
from divmetrics.notebook.magics.magic import Magic
from divmetrics.notebook.magics.session import Session
from divmetrics.notebook.textformat.cell_parsers import read_intents
from divmetrics.notebook.textformat.tokens import split_trailing_text, tokens
from divmetrics.notebook.textformat.topic_draft import UNNAMED


def _write_intents(session: Session, line: str, cell: str) -> Topic:
    """%%intents [TOPIC] ["TITLE"]

    What readers may have meant by a query: one intent per line, with a name, its probability, inf
    (informational: several documents help; so it is where nothing is said) or nav (navigational: one is
    enough), and perhaps a few words in quotation marks. The lists below it, written with %%serp, are for
    this topic.

        %%intents harry potter
        film   0.5  inf  "the films"
        book   0.3
        games  0.2  nav

    Second-level subtopics stand below their intent, indented or as intent/subtopic, with their probability
    within it. `scale` says the highest grade that a label may have; without it, it is the highest that
    occurs. Probabilities left out everywhere are equal; 1/3 is a probability.

        %%intents 0083 "harry potter"
        film  2/3
          cast     0.5
          trailer  0.5
        book  1/3
        scale 3

    Run again, it re-weighs the lists of the topic; a list that does not fit any more is named. Another
    TOPIC begins another topic, and the lists written before keep theirs.

    Returns the Topic.
    """
    topic, title = _named(line)
    parsed = read_intents(cell)
    before = session.draft_for(topic)
    draft, rejected = before.with_intents(topic, title, parsed.intents, parsed.scale)
    session.put(before, draft, rejected)
    if parsed.equal:
        session.note("No probability is given, so all intents are equally probable.")
    if draft.lists:
        names = list(draft.lists)
        many = f"Lists {join_words(names)} now stand" if len(names) > 1 else f"List {names[0]} now stands"
        session.note(f"{many} on these intents.")
    return Topic(topic, parsed.intents, title)


def _named(line: str) -> tuple[str, str]:
    """Return the topic's id and title: 0083 "harry potter", or the query alone."""
    if line.count('"') == 2 and not line.strip().startswith('"'):
        words, title = split_trailing_text(tokens(line))
        return " ".join(words), title
    return " ".join(split(line)) or UNNAMED, ""


MAGIC = Magic("intents", _write_intents, kind="cell")
