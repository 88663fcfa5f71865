"""Read judgments, runs and topics from files or from other programs' objects, and check them.

`read_qrels`, `read_run` and `read_topics` return DataFrames and `Topic` objects. The `load_*` functions and
`*_from_objects` return the same rows as columns (`JudgmentColumns`, `RunColumns`); files are read without
importing pandas. Rows are raw: subtopic 0 and negative grades are as in the file.

Every file may be plain text or gz (recognised by its content, not its name), in UTF-8 or, with a byte order
mark, UTF-16, with any line ends. Columns are between white space or, where ids hold blanks, between tabs,
semicolons, commas or bars; a first line may name them. Every error is a `DivmetricsError` of one sentence:
file, line, value, what was expected and what to do. `formats` is the registry of the file formats.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from divmetrics.core.calls import public
from divmetrics.io.columns import JudgmentColumns, RunColumns

if TYPE_CHECKING:
    import pandas as pd

    from divmetrics.core.topics import Topic
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
    r"""Read diversity judgments as a DataFrame.

    These formats are recognised: TREC diversity qrels (`topic subtopic doc grade`); NTCIREVAL's judgments
    (`topic intent doc L1`); a table with a heading, in any order, such as `topic intent [subtopic] doc
    grade`, ir_measures' `query_id iteration doc_id relevance` or IMine's `topic fls sls doc grade`; JSON,
    `{topic: {document: {intent: grade}}}` or rows with the names of columns; IMine's XML, whose grades are
    relevance - 1, and which needs `topics`; and the id of a dataset of the package ir_datasets, such as
    `irds:clueweb09/en/trec-web-2012/diversity`.

    Nuggets are read, too, each as an intent. nuggetizer's assignments are of documents or of answers; an
    answer counts as a document with the name of its run. The labels support, partial_support and not_support
    are the grades 2, 1 and 0. An assignment with another label has failed: a document's is left out, as if
    not judged, an answer's is grade 0, and one warning counts them. `topics` may then be the file of the
    nuggets that were assigned, such as that of the TREC RAG track. The other formats are FreshStack's rows
    or `qrels_nuggets`, and nugget banks that refer to documents (autojudge-base, Auto-ARGUE; a file, or a
    folder with a file for each topic). FreshStack's nuggets have ids; other nuggets are numbered from 1.

    Parameters
    ----------
    path : path-like
        The file, folder or dataset.
    topics : path-like or sequence of Topic, optional
        The topics of judgments that name subtopics or nuggets by their text; ignored with all others.

    Returns
    -------
    pandas.DataFrame
        One row per judgment in file order: topic, intent, [subtopic,] doc (str), grade (int64, as in the
        file, so that it may be negative). The column subtopic exists for two-level judgments only. Topic
        `wt09-101` is `101`. Repeated judgments are left out, with one warning. A second column that is 0
        throughout, as in ad hoc qrels, is read as the intent 0.

    Raises
    ------
    DivmetricsError
        If the file cannot be read, is in none of the formats, has an invalid line, gives one judgment two
        grades, has no column or key for subtopics, or needs `topics` that are missing or do not fit.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "qrels")
    >>> _ = path.write_text("1 1 d1 2\n1 2 d1 0\n")
    >>> read_qrels(path).grade.tolist()
    [2, 0]
    """
    return load_qrel_columns(path, topics).frame()


@public
def read_run(path: Path) -> pd.DataFrame:
    r"""Read a run as a DataFrame.

    Parameters
    ----------
    path : path-like
        A TREC run, six columns `topic Q0 doc rank score tag`, perhaps after an NTCIR `<SYSDESC>` and
        without tags; a table whose heading names topic, doc and score or rank; JSON, `{topic: {doc: score}}`
        (the `results` of FreshStack and BEIR), `{topic: [doc, ...]}` or rows with such names; nuggetizer's
        pools of `candidates`; or the TREC RAG track's answers, whose `references` are the documents.

    Returns
    -------
    pandas.DataFrame
        One row per document in file order: run, topic, doc (str), [rank (int64, as printed),] score (float64,
        finite). A table without ranks has no column rank; without scores, the scores are minus the ranks; the
        scores of a JSON object get ranks by decreasing score (ties in file order). Topic `wt09-101` is `101`.
        The run is the file's tag, or the name of the file if it has none or several (then with a warning).

    Raises
    ------
    DivmetricsError
        If the file cannot be read, is in none of the formats, has an invalid line or several runs, or lists a
        document twice for a topic.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "run")
    >>> _ = path.write_text("1 Q0 d1 1 0.5 mine\n")
    >>> read_run(path).values.tolist()
    [['mine', '1', 'd1', 1, 0.5]]
    """
    return load_run_columns(path).frame()


@public
def read_topics(source: Any, probabilities: str | None = None) -> tuple[Topic, ...]:
    r"""Read topics with their intents.

    These formats are recognised: TREC Web track XML (uniform probabilities, kinds from nav/inf; a topic
    without subtopics has the one intent "0", with a warning), NTCIR INTENT's XML (intents with
    probabilities), IMine's subtopic hierarchies (XML or topics.json; ids are numbered from 1), NTCIREVAL's
    intent probabilities (`topic intent probability`, perhaps with nav or inf, or below a heading with such
    names), nuggets, and ids of ir_datasets (see `read_qrels`).
    An intent of another kind than nav or inf is taken to be informational, with a warning.

    Parameters
    ----------
    source : path-like, mapping, DataFrame or Topics
        The file, folder or dataset; {topic: {intent: probability}}; a table (topic, intent, probability[,
        kind]) of pandas or polars; or Topics, which are returned as they are.
    probabilities : str, optional
        What to make of probabilities that do not sum to 1, because they are rounded or percentages, or
        because IMine's second level is not conditional on the first (it is a distribution over the whole
        topic): "normalise" divides by their sum, within the topic and within each first-level subtopic (all
        equal, with a warning, if the sum is 0); "uniform" makes all probabilities equal on both levels (as Yu
        et al. 2017 computed); "nonuniform" makes the j-th of n probabilities 2^(n-j+1) / (2^1 + ... + 2^n),
        on both levels (Sakai et al. 2010); "flat" leaves out the second level. None accepts sums of 1 only.

        Nuggets are equally probable on both levels. Weights such as "vital=2,okay=1" make each nugget's
        probability its share of the weights in the topic, and the probability of a group the sum over its
        nuggets; a label that is neither vital nor okay weighs 0, with a warning.

    Returns
    -------
    tuple of Topic
        The topics in file order.

    Raises
    ------
    DivmetricsError
        If the file cannot be read or is in none of the formats, a topic or intent is invalid or repeated,
        probabilities are negative or do not sum to 1 (within 0.001), or `probabilities` is none of these
        words or weights, or does not apply: to Topics, or weights to other topics than nuggets.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "topics")
    >>> _ = path.write_text("1 film 0.6\n1 book 0.4\n")
    >>> [(intent.id, intent.probability) for intent in read_topics(path)[0].intents]
    [('film', 0.6), ('book', 0.4)]
    """
    from divmetrics.core.checks import quote
    from divmetrics.io.file_contents import format_error
    from divmetrics.io.formats import InputFile, choose_format
    from divmetrics.io.topic_hierarchy import check_choice, importance_weights

    if not isinstance(source, (str, os.PathLike)):
        from divmetrics.io.topic_objects import topics

        check_choice(probabilities)
        return topics(source, probabilities)
    file = InputFile(
        source,
        "topics as TREC Web track XML, NTCIR INTENT XML, IMine XML or topics.json, NTCIREVAL intent "
        "probabilities, or nuggets",
    )
    weights = importance_weights(probabilities)
    if weights is None:
        check_choice(probabilities)
    form = choose_format("topics", file)
    if weights is not None and not form.has_nuggets:
        what = f"has no nuggets that probabilities={quote(probabilities)} could weigh"
        raise format_error(os.fspath(source), what, "nuggets with their importance", "leave out the weights")
    return form.parser.topics(file, probabilities)


def load_qrel_columns(
    path: Path,
    topics: Path | Sequence[Topic] | None = None,
    *,
    ad_hoc: bool = False,
    further: Sequence[Path] = (),
) -> JudgmentColumns:
    """Read judgments as `read_qrels` does, but return columns.

    Parameters
    ----------
    path : path-like
        The file, folder or dataset.
    topics : path-like or sequence of Topic, optional
        The topics of judgments that name subtopics or nuggets by their text.
    ad_hoc : bool
        Whether judgments without subtopics are accepted; their intent is then "0".
    further : sequence of path-like
        Other files, whose judgments are added. All files must then be nuggetizer's assignments.

    Returns
    -------
    JudgmentColumns
        The judgments, one row each, in file order.

    Raises
    ------
    DivmetricsError
        In the cases of `read_qrels`, or if one of several files does not hold nuggetizer's assignments.
    """
    from divmetrics.io.file_contents import format_error
    from divmetrics.io.formats import InputFile, choose_format
    from divmetrics.io.trec import QRELS

    def callers_topics() -> Sequence[Topic] | None:
        return read_topics(topics, "uniform") if isinstance(topics, (str, os.PathLike)) else topics

    file, *others = (
        InputFile(each, QRELS.description, f"{QRELS.description} or IMine's judgments", ad_hoc)
        for each in (path, *further)
    )
    file.further = tuple(others)
    form = choose_format("judgments", file)
    for each in (file, *others) if others else ():
        if choose_format("judgments", each).module != "nuggetizer":
            what = "is one of several files of judgments"
            raise format_error(os.fspath(each.path), what, "one, or nuggetizer's assignments", "join them")
    return form.parser.judgments(file, callers_topics)


def load_judgments_and_topics(
    path: Path, topics: Sequence[Topic] | None = None, *, ad_hoc: bool = False, further: Sequence[Path] = ()
) -> tuple[JudgmentColumns, tuple[Topic, ...]]:
    """Read judgments, and the topics that a file of nuggets holds besides.

    Parameters
    ----------
    path, topics, ad_hoc, further
        As in `load_qrel_columns`.

    Returns
    -------
    tuple of (JudgmentColumns, tuple of Topic)
        The judgments, and the topics of the file: an empty tuple if it does not hold nuggets, or if `topics`
        are passed, which replace those of the file.

    Raises
    ------
    DivmetricsError
        In the cases of `load_qrel_columns`, or if the topics of the file are invalid.
    """
    columns = load_qrel_columns(path, topics, ad_hoc=ad_hoc, further=further)
    return columns, columns.own_topics() if topics is None else ()


def load_run_columns(path: Path) -> RunColumns:
    """Read a run as `read_run` does, but return columns.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    RunColumns
        The run, one row for each document, in file order.

    Raises
    ------
    DivmetricsError
        In the cases of `read_run`.
    """
    from divmetrics.io.formats import InputFile, choose_format
    from divmetrics.io.trec import RUN

    file = InputFile(path, RUN.description)
    return choose_format("runs", file).parser.run(file)


def qrels_from_objects(judgments: Any, *, ad_hoc: bool = False) -> JudgmentColumns:
    """Check judgments in memory and return them as columns.

    Parameters
    ----------
    judgments : mapping, tuples or DataFrame
        {topic: {document: {intent: grade}}}, tuples such as ir_measures.Qrel, or a table of pandas or polars.
    ad_hoc : bool
        Whether judgments without subtopics are accepted; their intent is then "0".

    Returns
    -------
    JudgmentColumns
        The judgments, one row each, in their order; repeated ones are left out, with a warning.

    Raises
    ------
    DivmetricsError
        If they have another structure, a column is missing, an id or a grade is invalid, or a judgment has
        two grades.
    """
    return wrap_judgments(judgments, ad_hoc=ad_hoc).columns()


def runs_from_objects(runs: Any) -> list[RunColumns]:
    """Check one or several runs in memory and return each as columns.

    Parameters
    ----------
    runs : mapping, tuples, DataFrame or ranx.Run
        {topic: {document: score}}, tuples such as ir_measures.ScoredDoc, a table of pandas or polars, which
        may hold several runs, or ranx.Run.

    Returns
    -------
    list of RunColumns
        The runs, in order of appearance; a run without a name is called "run". Documents are in the order of
        the object, or, of a mapping, by descending score and, for equal scores, descending id.

    Raises
    ------
    DivmetricsError
        If they have another structure, a column is missing, an id or a score is invalid, or a run lists a
        document twice for a topic.
    """
    from divmetrics.io import in_memory

    return in_memory.runs(runs)


def wrap_judgments(judgments: Any, *, ad_hoc: bool = False) -> InMemoryJudgments:
    """Return judgments in memory as a table that can be checked more than once.

    Parameters
    ----------
    judgments : mapping, tuples or DataFrame
        The judgments, as in `qrels_from_objects`.
    ad_hoc : bool
        Whether judgments without subtopics are accepted.

    Returns
    -------
    InMemoryJudgments
        The table; its method `columns` checks the judgments. If `judgments` is one, it is returned itself.

    Raises
    ------
    DivmetricsError
        If the judgments have another structure, or name no subtopics and `ad_hoc` is False.
    """
    from divmetrics.io import in_memory

    return in_memory.wrap_judgments(judgments, ad_hoc)
