"""Files in, checked columns out: judgments, runs and topics.

`read_qrels`, `read_run` and `read_topics` are for people and return DataFrames and `Topic` objects. The
`load_*` functions and `*_from_objects` return the same rows as columns (`JudgmentColumns`, `RunColumns`),
those of files without pandas. Rows are raw: subtopic 0 and negative grades stand as the file has them.

Every file may be plain text or gz (told by its content, not its name), with or without a byte order mark,
with any line ends. Every refusal is one `DivmetricsError` that names file, line, value, what was expected
and what to do.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from divmetrics.core.calls import public
from divmetrics.io.columns import JudgmentColumns, RunColumns

if TYPE_CHECKING:
    import pandas as pd

    from divmetrics.core.collection import Topic
    from divmetrics.io.in_memory import InMemoryJudgments

Path = str | os.PathLike[str]

__all__ = [
    "JudgmentColumns",
    "RunColumns",
    "load_judgments_and_topics",
    "load_qrel_columns",
    "load_run_columns",
    "qrels_from_objects",
    "read_qrels",
    "read_run",
    "read_topics",
    "runs_from_objects",
    "wrap_judgments",
]  # fmt: skip


@public
def read_qrels(path: Path, topics: Path | Sequence[Topic] | None = None) -> pd.DataFrame:
    """Read diversity judgments.

    Reads TREC diversity qrels (`topic subtopic doc grade`), NTCIREVAL's (`topic intent doc L1`), a table with
    the heading `topic intent [subtopic] doc grade`, IMine's judgments (the organisers' XML, which needs
    `topics`: a file or what `read_topics` returned; or the tidy `topic fls sls doc grade`), and, by an id
    such as `irds:clueweb09/en/trec-web-2012/diversity`, judgments from the package ir_datasets.

    Reads nuggets, too, each of which is an intent: nuggetizer's assignments to documents (support is grade
    2, partial_support 1; with `topics` the nuggets that were assigned, such as the TREC RAG track's, whose
    sub-narratives are the first level), FreshStack's rows or `qrels_nuggets`, and nugget banks that refer to
    documents (autojudge-base, Auto-ARGUE; a file, or a folder with one for each topic). Nuggets have their
    ids in FreshStack, elsewhere they count from 1.

    Returns one row per judgment in file order, columns topic, intent, [subtopic,] doc (str), grade (int64);
    subtopic is there for two-level judgments only. Grades are the file's (IMine XML: relevance - 1). A topic
    `wt09-101` becomes `101`. Repeats of a judgment are left out, with one warning that counts them.

    Raises DivmetricsError, one sentence, for anything else, e.g. a judgment given twice with two grades.
    """
    return load_qrel_columns(path, topics).frame()


@public
def read_run(path: Path) -> pd.DataFrame:
    """Read a TREC run: six columns `topic Q0 doc rank score tag`, after an NTCIR `<SYSDESC>` or none.

    Reads JSON as well, `{topic: {doc: score}}`, the `results` of FreshStack and BEIR.

    Returns one row per line in file order, columns run, topic, doc (str), rank (int64, as printed) and score
    (float64, finite); run is the file's tag, which must be the same on every line.

    Raises DivmetricsError, one sentence, e.g. for a document that stands twice in the list of a topic.
    """
    return load_run_columns(path).frame()


@public
def read_topics(path: Path, probabilities: str | None = None) -> tuple[Topic, ...]:
    """Read topics with their intents, in file order.

    Reads TREC Web track XML (uniform probabilities, kinds from nav/inf; a topic without subtopics has the one
    intent "0", itself), IMine's subtopic hierarchies (XML or topics.json; ids count from 1), NTCIREVAL's
    intent probabilities (`topic intent probability`, and perhaps nav or inf), by `irds:...` topics from the
    package ir_datasets, and nuggets (nuggetizer, TREC RAG, FreshStack, nugget banks; see `read_qrels`).

    `probabilities` says what to do where second-level probabilities do not sum to 1 within their first-level
    subtopic, as IMine's never do (they are a distribution over the whole topic):

    * None: refuse, naming the choices;
    * "normalise": divide by their sum within it (where that is 0: uniform, with a warning);
    * "uniform": every probability 1/m and 1/v, whatever is printed (as Yu et al. 2017 computed);
    * "flat": the first level only, without children.

    Nuggets have no probabilities and are equally probable on both levels. Where some are more important than
    others, a warning says that this is not counted; `probabilities` can be weights instead, such as
    "vital=2,okay=1": a nugget's share of the sum of its topic, and a group's the sum of its nuggets'.

    Raises DivmetricsError, one sentence, e.g. for probabilities that are negative or do not sum to 1 (0.001).
    """
    from divmetrics.core.checks import quote
    from divmetrics.io import imine, ir_datasets, ntcir, nugget_files, nuggets, topic_hierarchy, trec, xml
    from divmetrics.io.file_contents import format_error, open_contents
    from divmetrics.io.json_records import is_json

    expected = (
        "topics as TREC Web track XML, IMine XML or topics.json, NTCIREVAL intent probabilities, or nuggets"
    )
    weights = nuggets.importance_weights(probabilities)
    if weights is None:
        topic_hierarchy.check_choice(probabilities)
    if ir_datasets.is_identifier(path):
        return ir_datasets.topics(os.fspath(path))
    found = nugget_files.in_folder(path, judged=False)
    if found is not None:
        return nuggets.topics(found, probabilities)
    contents = open_contents(path, expected)
    found = nugget_files.topics(contents) if is_json(contents) else None
    if found is not None:
        return nuggets.topics(found, probabilities)
    if weights is not None:
        what = f"has no nuggets that probabilities={quote(probabilities)} could weigh"
        raise format_error(contents.source, what, "nuggets with their importance", "leave out the weights")
    if contents.starts_with(b"[", b"{"):
        return topic_hierarchy.topics(imine.hierarchies_from_json(contents), probabilities)
    if not contents.starts_with(b"<"):
        if ntcir.is_topics(contents):
            return ntcir.topics(contents, probabilities)
        beginning = quote(" ".join(ntcir.first_line(contents)))
        what = f"is neither XML nor JSON nor the probability of an intent ({beginning})"
        raise format_error(contents.line(0), what, expected, "give the topics file here")
    root = xml.parse(contents, expected)
    if trec.is_topics(root):
        return trec.topics(contents.source, root)
    if imine.is_topics(root):
        return topic_hierarchy.topics(imine.hierarchies_from_xml(contents.source, root), probabilities)
    if imine.is_judgments(root):
        raise format_error(
            contents.source, "holds IMine judgments, not topics", expected, "swap the two files"
        )
    what = f"has the root element <{root.tag}>, which is not a topics format known here"
    remedy = "convert it to one of them (INTENT's own topic XML is not read, its .Iprob or .DINprob is)"
    raise format_error(contents.source, what, expected, remedy)


def load_qrel_columns(path: Path, topics: Path | Sequence[Topic] | None = None) -> JudgmentColumns:
    """The judgments that `read_qrels` reads, as columns."""
    return _load_judgments(path, topics, described=False)[0]


def load_judgments_and_topics(
    path: Path, topics: Sequence[Topic] | None = None
) -> tuple[JudgmentColumns, tuple[Topic, ...]]:
    """The same, and the topics that the file describes itself, as files of nuggets do and others do not.

    Without `topics` only: where some are given, they are what counts.
    """
    return _load_judgments(path, topics, described=topics is None)


def _load_judgments(
    path: Path, topics: Path | Sequence[Topic] | None, described: bool
) -> tuple[JudgmentColumns, tuple[Topic, ...]]:
    from divmetrics.io import imine, ir_datasets, ntcir, nugget_files, nuggets, trec, xml
    from divmetrics.io.file_contents import format_error, open_contents
    from divmetrics.io.json_records import is_json

    if ir_datasets.is_identifier(path):
        return ir_datasets.judgments(os.fspath(path)), ()
    folder = nugget_files.in_folder(path, judged=True)
    if folder is not None:
        return nuggets.columns(folder), nuggets.topics(folder, None) if described else ()
    contents = open_contents(path, trec.QRELS.description)
    if is_json(contents):
        known = read_topics(topics, "uniform") if isinstance(topics, (str, os.PathLike)) else topics
        found = nugget_files.judgments(contents, known)
        return nuggets.columns(found), nuggets.topics(found, None) if described else ()
    if not contents.starts_with(b"<"):
        reader = ntcir if ntcir.is_judgments(contents) else trec
        return reader.judgments(contents), ()
    expected = f"{trec.QRELS.description} or IMine's judgments"
    root = xml.parse(contents, expected)
    if imine.is_judgments(root):
        return imine.judgments(contents.source, root, topics), ()
    if trec.is_topics(root) or imine.is_topics(root):
        raise format_error(
            contents.source, "holds topics, not judgments", expected, "give it as the topics file"
        )
    what = f"is XML with the root element <{root.tag}>, which no judgment file has"
    raise format_error(contents.source, what, expected, "give the judgment file here")


def load_run_columns(path: Path) -> RunColumns:
    """The run that `read_run` reads, as columns."""
    from divmetrics.io import nugget_files, trec
    from divmetrics.io.file_contents import format_error, open_contents
    from divmetrics.io.json_records import is_json

    contents = open_contents(path, trec.RUN.description)
    if is_json(contents):
        return nugget_files.run(contents, trec.RUN.description)
    if contents.starts_with(b"<") and not contents.starts_with(trec.SYSTEM_DESCRIPTION):
        raise format_error(contents.source, "is XML", trec.RUN.description, "give the run file here")
    return trec.run(contents)


def qrels_from_objects(held: Any) -> JudgmentColumns:
    """Check judgments as other programs hold them in memory: dicts, tuples, tables of pandas or polars."""
    return wrap_judgments(held).columns()


def runs_from_objects(held: Any) -> list[RunColumns]:
    """Check runs as other programs hold them in memory; one `RunColumns` per run."""
    from divmetrics.io import in_memory

    return in_memory.runs(held)


def wrap_judgments(held: Any, *, ad_hoc: bool = False) -> InMemoryJudgments:
    """The same judgments, to be read more than once; ad_hoc: those without subtopics will do."""
    from divmetrics.io import in_memory

    return in_memory.wrap_judgments(held, ad_hoc)
