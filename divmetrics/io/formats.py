"""The registry of file formats: how each is recognised, and the module that reads it.

A format is a line in `FORMATS` and a module, imported for a file that matches, with those of these functions
that it has them: `judgments(file, topics)`, `topics(file, probabilities)` and `run(file)`; and for pages of
blocks `queries(file, orientations)` and `pages(file)`. They get the `InputFile`; `topics` is a function that
returns the topics of the caller or None.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from divmetrics.core.checks import quote
from divmetrics.errors import some
from divmetrics.io.columns import INTENT_COLUMNS, JUDGMENT_COLUMNS, LIST_COLUMNS, name_in
from divmetrics.io.delimited import first_words
from divmetrics.io.file_contents import Contents, format_error, open_contents, read_head
from divmetrics.io.headings import first_cells, heading
from divmetrics.io.topic_hierarchy import LEAVE_OUT, WITHOUT_INTENTS

if TYPE_CHECKING:
    from divmetrics.core.topics import Topic
    from divmetrics.io.xml import Element

Path = str | os.PathLike[str]
Kind = Literal["judgments", "topics", "runs", "queries", "pages"]

DATASET_PREFIX = "irds:"
SYSTEM_DESCRIPTION = b"<SYSDESC>"  # the beginning of NTCIR's runs
NUGGET_ID = re.compile(r"(.+)_[0-9]+")  # FreshStack's: the id of its query, an underscore and a number
LEVEL = re.compile(r"L[0-9]{1,18}")  # any 18 digits fit into 64 bits
GRADE = re.compile(r"(?:L?|-)[0-9]+(?:\.0*)?")
FIRST_LINE = re.compile(rb"[^\s;][^\r\n]*")
QUERY_LINE = re.compile(rb"\s*[^\s:;<{\[]+[:;\t][^\t;\r\n]*[^\s;](?:[\r\n]|\Z)")  # an id and a text
NUMBER = re.compile(r"[-+.0-9]+(?:[eE][-+]?[0-9]+)?")
JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[\[{\]])')
FEDWEB_ITEM = rb"(?:FW[0-9]{2}-)?e[0-9]+-[^-\s]+-[0-9]+"
FEDWEB = {
    "judgments": re.compile(rb"\S+\s+\S+\s+%s\s+-?[0-9]+\s*?\n" % FEDWEB_ITEM),
    "duplicates": re.compile(rb"(?:[0-9]+\t)?%s\t%s" % (FEDWEB_ITEM, FEDWEB_ITEM)),
    "engines": re.compile(rb"(?:[^\n]*\n)?(?:FW[0-9]{2}-)?e[0-9]+\t"),
    "topics": re.compile(rb"[0-9]+:\S"),
}
JSON_ENDINGS = (".json", ".json.gz", ".jsonl", ".jsonl.gz")
JUDGED_NUGGETS = (
    "{topic: {document: {intent: grade}}}, or nuggets with the documents judged for them (nuggetizer's "
    "assignments, FreshStack's or a nugget bank)"
)
RESULTS = "a run as results ({query: {document: score}}) or lists ({query: [document, ...]})"
NUGGETIZER_FIELDS = {"qid", "query", "docid", "answer_text", "run_id"}
NUGGET_LABELS = {"importance", "assignment"}
IMINE_FIELDS = {"id", "title", "type", "fls"}


PAGE_INPUT: tuple[tuple[Kind, str, str], ...] = (
    ("queries", "holds judgments by vertical", "give pages of blocks as the run, to evaluate or explain"),
    ("pages", "holds pages of blocks", "give pages to evaluate or explain, with judgments by vertical"),
)


@dataclass
class InputFile:
    """The path of a file, a folder or a dataset, whose contents are read and parsed when first needed.

    `expected` are the formats that messages name; `expected_xml` those of messages about XML, if they differ.
    `ad_hoc` says whether judgments may have no intents. `further` are files of nuggetizer's assignments that
    are read with this one. All attributes but `members` raise DivmetricsError if the file cannot be read.
    """

    path: Path
    expected: str
    expected_xml: str = ""
    ad_hoc: bool = False
    further: tuple[InputFile, ...] = ()

    @cached_property
    def contents(self) -> Contents:
        """The contents, in which comments of files of lines (not JSON, not XML) are made empty lines."""
        contents = open_contents(self.path, self.expected)
        if JSON.match(contents.data) or contents.starts_with(b"<"):
            return contents
        return contents.without_comments(self.expected)

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The paths of all files in the folder, sorted; empty if this is no folder that can be read."""
        try:
            names = sorted(os.listdir(self.path)) if isinstance(self.path, (str, os.PathLike)) else []
        except (OSError, ValueError):
            return ()
        return tuple(os.path.join(self.path, name) for name in names)

    @property
    def json_members(self) -> tuple[str, ...]:
        """The `members` that end in .json or .jsonl, perhaps with .gz."""
        return tuple(path for path in self.members if path.endswith(JSON_ENDINGS))

    @property
    def is_json(self) -> bool:
        """Whether the file begins like a JSON object or a list of objects or lists."""
        return JSON.match(self.contents.data) is not None

    @cached_property
    def first_object(self) -> Mapping[str, Any]:
        """The first object of a JSON file, taken out of nuggetizer's envelope; {} if there is none.

        Also {} if it cannot be parsed, and for files that are not JSON.
        """
        if not self.is_json:
            return {}
        import json  # takes 1 ms, which other files do not need

        text = self.contents.data.decode(errors="replace").lstrip().removeprefix("[").lstrip()
        try:
            first = json.JSONDecoder().raw_decode(text)[0]
        except (ValueError, RecursionError):
            return {}
        return _out_of_envelope(first) if isinstance(first, dict) else {}

    @cached_property
    def root(self) -> Element | None:
        """The root of an XML file, None for other files; raises DivmetricsError if the XML is malformed."""
        if not self.contents.starts_with(b"<"):
            return None
        from divmetrics.io.xml import parse

        return parse(self.contents, self.expected_xml or self.expected)

    @cached_property
    def first_fields(self) -> list[str]:
        """The fields of the first line that is not blank, between white space or semicolons.

        If that is one field, the `first_cells` instead.
        """
        match = FIRST_LINE.search(self.contents.data)
        fields = first_words(match.group().replace(b";", b" ")) if match else []
        return self.first_cells if len(fields) == 1 else [field.decode(errors="replace") for field in fields]

    @cached_property
    def first_cells(self) -> list[str]:
        """The fields of the first line that is not blank, between tabs, semicolons, commas or bars.

        The first of these signs in the line separates them; without any, white space does.
        """
        cells, _ = first_cells(self.contents.from_first_text())
        return [cell.decode(errors="replace") for cell in cells]

    @cached_property
    def heading_of_intents(self) -> Mapping[str, str]:
        """{our name: name} of the columns that the first line names; {} if it is no heading of intents.

        A heading names topic, intent and probability, perhaps by other programs' names.
        """
        return heading(self.contents.from_first_text(), INTENT_COLUMNS, {"topic", "intent"}, {"probability"})

    def elements(self, path: str) -> Iterator[Element]:
        """Yield the elements of XML at a path below the root, such as "topic/fls", in order.

        The path is one of `xml.etree`. Yields nothing if the file is not XML.
        """
        return iter(()) if self.root is None else self.root.all(path)


def _out_of_envelope(first: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first object of castorini's envelope; an object that is no such envelope unchanged."""
    artifacts = first.get("artifacts")
    if "schema_version" not in first or not isinstance(artifacts, list) or not artifacts:
        return first
    held = artifacts[0].get("data", artifacts[0].get("value")) if isinstance(artifacts[0], dict) else None
    inner = held[0] if isinstance(held, list) and held else held
    return inner if isinstance(inner, dict) else first


Matcher = Callable[[InputFile], bool]
CallersTopics = Callable[[], "Sequence[Topic] | None"]


@dataclass(frozen=True)
class Format:
    """A file format: the name of the `module` of `divmetrics.io` that reads it, and how it is recognised.

    For each kind of data that the module reads, a function returns whether an InputFile is of this format;
    None for kinds that it does not read. `has_nuggets` says whether weights of importance apply to its
    topics.
    """

    module: str
    judgments: Matcher | None = None
    topics: Matcher | None = None
    runs: Matcher | None = None
    queries: Matcher | None = None
    pages: Matcher | None = None
    has_nuggets: bool = False

    @property
    def parser(self) -> Any:
        """The module itself, which is imported; the head of this file lists its functions."""
        return import_module(f"divmetrics.io.{self.module}")


def _has_element(file: InputFile, path: str) -> bool:
    return next(file.elements(path), None) is not None


def _is_dataset_id(file: InputFile) -> bool:
    """Return whether the path is an id of the package ir_datasets."""
    return isinstance(file.path, (str, os.PathLike)) and os.fspath(file.path).startswith(DATASET_PREFIX)


def fedweb_files(file: InputFile) -> dict[str, InputFile]:
    """Return {role: file} of TREC FedWeb's files in a folder, recognised by their first lines.

    The roles are "judgments", "duplicates", "engines" and "topics"; those without a file are missing. Raises
    DivmetricsError if two files have one role.
    """
    files: dict[str, InputFile] = {}
    for path in file.members:
        head = b"" if path.endswith(JSON_ENDINGS) else read_head(path)
        role = next((role for role, form in FEDWEB.items() if form.match(head)), None)
        if role is None:
            continue
        if role in files:
            what = f"looks like {role}, as {os.path.basename(files[role].path)} does"
            raise format_error(path, what, "one such file in a folder of TREC FedWeb", "take one of them out")
        files[role] = InputFile(path, f"TREC FedWeb's {role}")
    return files


def is_fedweb_folder(file: InputFile) -> bool:
    """Return whether this is a folder, and a file in it begins like judged results of TREC FedWeb."""
    return any(FEDWEB["judgments"].match(read_head(path)) for path in file.members)


def is_nugget_bank(file: InputFile) -> bool:
    """Return whether this is a folder with JSON files, or a file whose first object has a nugget bank."""
    return bool(file.json_members or {"nugget_bank", "claim_bank"} & file.first_object.keys())


def is_legacy_bank(file: InputFile) -> bool:
    """Return whether all values of the first object are pairs [mode, {answer: ...}], as Auto-ARGUE's banks.

    Such a bank is the file `nuggets_<topic>.json` of one topic.
    """
    return _all_values(file, lambda v: isinstance(v, list) and len(v) == 2 and isinstance(v[1], dict))


def _is_nuggetizer(file: InputFile) -> bool:
    """Return whether the first object is nuggetizer's output or input."""
    first = file.first_object.keys()
    return "candidates" in first or (
        "nuggets" in first and "nugget_bank" not in first and not has_query_rows(file)
    )


def _is_answers(file: InputFile) -> bool:
    """Return whether the first object is an answer with references."""
    first = file.first_object.keys()
    return "references" in first and bool({"run_id", "metadata"} & first)


def has_query_rows(file: InputFile) -> bool:
    """Return whether the first object is a row of FreshStack's data sets: query_id and nuggets.

    An object of nuggetizer may have these fields, too; it has others, or labels of nuggets, and is refused.
    """
    first = file.first_object
    if not {"query_id", "nuggets"} <= first.keys() or NUGGETIZER_FIELDS & first.keys():
        return False
    nuggets = first["nuggets"] if isinstance(first["nuggets"], list) else []
    return not any(isinstance(nugget, dict) and NUGGET_LABELS & nugget.keys() for nugget in nuggets)


def _has_numbers_by_id(file: InputFile) -> bool:
    """Return whether the first object is FreshStack's `qrels_nuggets` or `results`: objects of numbers."""
    return _all_values(
        file, lambda v: isinstance(v, dict) and all(isinstance(n, (int, float)) for n in v.values())
    )


def _has_values_by_id(file: InputFile) -> bool:
    """Return whether the values of the first object are objects, and theirs are neither lists nor objects."""
    return _all_values(file, lambda v: isinstance(v, dict) and not _holds_containers(v))


def _holds_containers(value: Mapping[str, Any]) -> bool:
    return any(isinstance(inner, (dict, list)) for inner in value.values())


def has_nugget_ids(file: InputFile) -> bool:
    """Return whether all names in the first object are like ids of FreshStack's nuggets: "query_number"."""
    return all(map(NUGGET_ID.fullmatch, file.first_object))


def has_lists_of_ids(file: InputFile) -> bool:
    """Return whether all values of the first object are lists of texts (FreshStack's `query_to_nuggets`)."""
    return _all_values(file, lambda v: isinstance(v, list) and all(isinstance(name, str) for name in v))


def _has_grades_by_document(file: InputFile) -> bool:
    """Return whether the first object is `{topic: {document: {intent: grade}}}` or such with other ids."""
    return _all_values(
        file,
        lambda docs: (
            isinstance(docs, dict)
            and bool(docs)
            and all(isinstance(labels, dict) and not _holds_containers(labels) for labels in docs.values())
        ),
    )


def has_judgment_rows(file: InputFile) -> bool:
    """Return whether the first object has topic, doc and grade, perhaps by other programs' names."""
    return _has_fields(file, JUDGMENT_COLUMNS, "topic", "doc", "grade")


def has_list_rows(file: InputFile) -> bool:
    """Return whether the first object has topic, doc and score, perhaps by other programs' names."""
    return _has_fields(file, LIST_COLUMNS, "topic", "doc", "score")


def has_intent_rows(file: InputFile) -> bool:
    """Return whether the first object has topic, intent and probability, perhaps by other programs' names."""
    return _has_fields(file, INTENT_COLUMNS, "topic", "intent", "probability")


def _has_fields(file: InputFile, others: Mapping[str, tuple[str, ...]], *names: str) -> bool:
    first = file.first_object
    fields = [name_in(first.keys(), name, others[name]) for name in names]
    return all(name and not isinstance(first[name], (dict, list)) for name in fields)


def _has_ranked_ids(file: InputFile) -> bool:
    return _all_values(file, lambda v: isinstance(v, list) and all(type(doc) in (str, int) for doc in v))


def _all_values(file: InputFile, test: Callable[[Any], bool]) -> bool:
    return bool(file.first_object) and all(map(test, file.first_object.values()))


def _is_bank(file: InputFile) -> bool:
    return is_nugget_bank(file) or is_legacy_bank(file)


def _is_freshstack(file: InputFile) -> bool:
    return has_query_rows(file) or _has_numbers_by_id(file) or has_lists_of_ids(file)


def _is_freshstack_topics(file: InputFile) -> bool:
    return _is_freshstack(file) and (has_nugget_ids(file) or not _has_numbers_by_id(file))


def _is_imine_topics(file: InputFile) -> bool:
    fields = IMINE_FIELDS & file.first_object.keys()
    return "fls" in fields or len(fields) == len(IMINE_FIELDS) - 1 or _has_element(file, "topic/fls")


def _is_level_lines(file: InputFile) -> bool:
    return any(LEVEL.fullmatch(field) for field in file.first_fields[-1:]) and _is_lines(file)


def _is_probability_lines(file: InputFile) -> bool:
    if not _is_lines(file):
        return False
    fields, cells = file.first_fields, file.first_cells
    if file.heading_of_intents or (_may_be_probability(cells) and NUMBER.fullmatch(cells[2])):
        return True
    return _may_be_probability(fields) and not _holds_queries(file)


def _may_be_probability(fields: Sequence[str]) -> bool:
    """Return whether fields may be topic, intent, probability and kind; judgments end in a grade."""
    return len(fields) == 3 or (len(fields) == 4 and not GRADE.fullmatch(fields[3]))


def _holds_queries(file: InputFile) -> bool:
    """Return whether the first line is the id and the text of a query, and its third field no probability."""
    fields = file.first_fields
    has_probability = len(fields) in (3, 4) and NUMBER.fullmatch(fields[2])
    return not has_probability and QUERY_LINE.match(file.contents.data) is not None


def _is_lines(file: InputFile) -> bool:
    return not file.is_json and not file.contents.starts_with(b"<")


def _is_trec_run(file: InputFile) -> bool:
    return _is_lines(file) or file.contents.starts_with(SYSTEM_DESCRIPTION)


# The first format that matches reads the file.
FORMATS = (
    Format("ir_datasets", _is_dataset_id, _is_dataset_id),
    Format("fedweb", queries=is_fedweb_folder),
    Format(
        "page_files",
        queries=lambda file: "verticals" in file.first_object,
        pages=lambda file: "blocks" in file.first_object,
    ),
    Format("nugget_bank", _is_bank, _is_bank, has_nuggets=True),
    Format("freshstack", _is_freshstack, _is_freshstack_topics, _has_values_by_id, has_nuggets=True),
    Format("nuggetizer", _is_nuggetizer, _is_nuggetizer, _is_nuggetizer, has_nuggets=True),
    Format("answers", runs=_is_answers),
    Format(
        "json_mappings",
        lambda file: _has_grades_by_document(file) or has_judgment_rows(file),
        lambda file: _has_numbers_by_id(file) or has_intent_rows(file),
        lambda file: _has_ranked_ids(file) or has_list_rows(file),
    ),
    Format("imine", lambda file: _has_element(file, "relevance/doc"), _is_imine_topics),
    Format("ntcir", _is_level_lines, _is_probability_lines),
    Format("trec", _is_lines, lambda file: _has_element(file, "topic[@number]"), _is_trec_run),
)


def find_format(kind: Kind, file: InputFile) -> Format | None:
    """Return the first of FORMATS that recognises the file as data of a kind, or None.

    The kind is "judgments", "topics" or "runs", or of pages of blocks "queries" or "pages". Raises
    DivmetricsError if the file cannot be read.
    """
    return next((form for form in FORMATS if (test := getattr(form, kind)) and test(file)), None)


def _outline(root: Element) -> str:
    """Return the tags of an XML file in words: `<query> with qid, content in <queries>`."""
    first = next(iter(root), None)
    if first is None:
        return f"the root element <{root.tag}> has nothing in it"
    parts = some(list(dict.fromkeys([*first.attrib, *(child.tag for child in first)])))
    return f"<{first.tag}>{f' with {parts}' if parts else ''} in <{root.tag}>"


def choose_format(kind: Kind, file: InputFile) -> Format:
    """Return the result of `find_format`, for judgments, topics or runs.

    Raises DivmetricsError, which says what the file seems to be instead, if no format recognises it or if it
    is about pages of blocks.
    """
    form = None if is_fedweb_folder(file) else find_format(kind, file)
    if form is not None:
        return form
    for other, what, remedy in PAGE_INPUT:
        if find_format(other, file):
            raise format_error(os.fspath(file.path), what, file.expected, remedy)
    expected, where = file.expected, file.contents.source
    if file.is_json:
        expected = {"judgments": JUDGED_NUGGETS, "runs": f"{expected}, or {RESULTS}"}.get(kind, expected)
        if "fls" in file.first_object and kind == "judgments":
            what, remedy = "holds topics, not judgments", "give it as the topics file"
        else:
            from divmetrics.io.json_records import records

            next(records(file.contents, expected))  # raises an error with the line if it is not JSON
            what = "is JSON of a form that is not known here"
            remedy = "check that it is the file meant, or convert it"
    elif kind == "runs":
        what, remedy = "is XML", "give the run file here"
    elif kind == "topics" and _holds_queries(file):
        where = file.contents.line(0)
        what, remedy = "holds queries only, no intents", WITHOUT_INTENTS
    elif file.root is None:
        where = file.contents.line(0)
        what = "is neither XML nor JSON nor the probability of an intent"
        what, remedy = f"{what} ({quote(' '.join(file.first_fields))})", "give the topics file here"
    elif kind == "judgments":
        expected = file.expected_xml
        what = f"is XML with the root element <{file.root.tag}>, which no judgment file has"
        remedy = "give the judgment file here"
        if find_format("topics", file):
            what, remedy = "holds topics, not judgments", "give it as the topics file"
    else:
        what = f"is XML of a form that is not known here ({_outline(file.root)})"
        remedy = f"convert it to one of them, or {LEAVE_OUT}"
        if find_format("judgments", file):
            what, remedy = "holds IMine judgments, not topics", "swap the two files"
    raise format_error(where, what, expected, remedy)
