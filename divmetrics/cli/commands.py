"""The commands of the command line, their options, and their output."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import chain
from typing import IO, Any, NoReturn

from divmetrics._version import __version__
from divmetrics.atomic_files import atomic_writer, check_writable
from divmetrics.cli._process import print_error, silence
from divmetrics.cli.meta_commands import add_meta_commands, check_output, write_statistic
from divmetrics.conventions.convention import ORDERS, conventions
from divmetrics.core.metric import BaseMetric
from divmetrics.core.parts import GAINS
from divmetrics.errors import DivmetricsError, DivmetricsWarning, printable, printable_lines, some
from divmetrics.evaluation import MEANS, Options, Scores, resolve_metrics, score_runs
from divmetrics.formats import MEAN, NDEVAL_COLUMNS, write_csv, write_ndeval, write_table
from divmetrics.io import read_topics
from divmetrics.io.file_contents import StandardInput
from divmetrics.io.loading import load_collection
from divmetrics.io.page_sources import holds_pages
from divmetrics.io.topic_hierarchy import PROBABILITY_CHOICES
from divmetrics.registry.parse import metric

# Help texts that are long, or that several commands share.
QRELS = (
    "diversity judgments (TREC, NTCIR or IMine), or nuggets judged for documents (nuggetizer, FreshStack, "
    "nugget banks), or by vertical for pages (JSON, TREC FedWeb's folder); plain or gz; - reads standard "
    "input, here or for one run or the topics"
)
RUN = "a TREC run file, or JSON pages of blocks (plain or gz), or a run in QRELS"
RUNS = (
    "TREC run files, or JSON pages of blocks (plain or gz); none, or more such files, if QRELS are nuggets "
    "assigned to answers, which are runs"
)
METRICS = "such as ERR-IA@20 or 'alpha-nDCG(alpha=0.3)@10'; may be given several times"
TOPICS = (
    "topics with their intents (TREC Web, NTCIR INTENT, IMine, NTCIREVAL, nuggets), or of pages the share of "
    "users who want a vertical (lines `topic vertical share`); default: as judged"
)
PROBABILITIES = (
    "what to make of intent probabilities, for instance of those that do not sum to 1: "
    + "; ".join(f"{choice} ({meaning})" for choice, meaning in PROBABILITY_CHOICES.items())
    + "; or, of nuggets, weights of their importance such as vital=2,okay=1"
)
COVERED = (
    "leave out intents without a relevant document; the probabilities of the others are divided by their "
    "sum, or are those that --probabilities nonuniform gives them"
)
ORDER = "a list's order: by score (ties by id, descending), by rank, or as in the file"
MEAN_OVER = "mean over all judged topics, or over those that the run answers, too"
LEVEL = "measure first- or second-level subtopics; default: the first, or nuggets where they are in groups"
FORMATS = "csv (full precision), a table, or the CSV of ndeval (one run, fixed columns)"
AS_PRINTED = "round intermediate results as NTCIREVAL does (convention ntcireval)"
REPORTS = "text for a terminal, a table for a paper (latex: with booktabs), or csv (full precision)"
TEST = "tukey: randomised Tukey HSD; bootstrap: paired, with Holm's correction"
CONDENSED = "leave documents never judged out of every list; otherwise they are not relevant"
HEADROOM = "also score the best list found among the runs' documents, topic by topic"
OUTPUT = "write to this file instead of the screen"
PAPERS = (
    "yu2017: Yu et al. (2017), section 5; sakai2012: Sakai (2012); sakai2010: Sakai et al. (2010); "
    "sakaizeng2019: Sakai and Zeng (2019); zhou2013: Zhou et al. (2013); preferences: do metrics agree with "
    "people?"
)
DATA = (
    "folder of the paper's data (NTCIR-11 IMine; for sakai2012 and sakai2010, TREC Web 2009; for "
    "sakaizeng2019, its INTENT-1 runs and preferences; for zhou2013, TREC FedWeb 2013); without it, from the "
    "scores in the library"
)
# Not in a metric's name, such as V_strict(level=1).
ARGUMENT = (
    r"(?<![(,\w\"'-])(missing|level|probabilities|mean_over|convention)=(?:[\"']([^\"' ]+)[\"']|([0-9]+))"
)
RUNS_OF_A_PAPER = "folder of the paper's runs, where these are not public"


class _Parser(argparse.ArgumentParser):
    """Parse arguments; a wrong option ends in one line on stderr, like every other bad input."""

    def print_help(self, file: object = None) -> None:
        _say(self.format_help().rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {printable(message)}; `{self.prog} --help` shows how it is used\n")


class _Version(argparse.Action):
    """Print the version and exit, as argparse's own action does; an error if it cannot be printed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        _say(f"divmetrics {__version__}")
        parser.exit()


def _with_options(sentence: str) -> str:
    """Write Python's arguments that a sentence names, such as missing="drop", as options."""
    return re.sub(ARGUMENT, lambda match: f"--{match[1].replace('_', '-')} {match[2] or match[3]}", sentence)


def run(arguments: Sequence[str] | None) -> int:
    """Run one command and return its exit status; if None, the arguments are those of the process."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DivmetricsWarning)
        try:
            options = _parser().parse_args(arguments)
            _open_standard_input(options)
            options.command(options)
        except DivmetricsError as error:
            print_error(f"divmetrics: {_with_options(str(error))}")
            return 2
        except MemoryError:
            print_error(
                "divmetrics: there is not enough memory for this; give fewer runs at a time, or shorter ones"
            )
            return 2
        except BrokenPipeError:
            silence(sys.stdout)  # the reading program (`| head`) has closed the pipe; this is no error
        finally:
            for message in dict.fromkeys(str(warning.message) for warning in caught):
                print_error(f"divmetrics: warning: {_with_options(message)}")
    return 0


def _parser() -> _Parser:
    parser = _Parser(
        prog="divmetrics", description="Diversity metrics for search results, and where scores come from."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    def command(
        name: str, run: Callable[[argparse.Namespace], None], description: str
    ) -> Callable[..., object]:
        """Add a command; return the function that adds an argument to it."""
        added = commands.add_parser(name, help=description)
        added.set_defaults(command=run)
        return added.add_argument

    add = command("evaluate", _evaluate, "score runs, topic by topic")
    add("qrels", metavar="QRELS", help=QRELS)
    add("runs", metavar="RUN", nargs="*", help=RUNS)
    _add_metric_option(add, required=False)
    _add_collection_options(add)
    add("--mean-over", choices=MEANS, help=MEAN_OVER)
    add("--format", choices=("csv", "table", "ndeval"), default="csv", help=FORMATS)
    add("--as-printed", action="store_true", help=AS_PRINTED)
    add("--mean", action="store_true", help=f"also print the mean over topics, as topic {MEAN!r}")
    add("-o", "--output", metavar="FILE", help=OUTPUT)

    add = command("explain", _explain, "say where a score comes from, rank by rank, in words and numbers")
    add("qrels", metavar="QRELS", help=QRELS)
    add("run", metavar="RUN", nargs="?", help=RUN)
    add("--topic", required=True, metavar="T", help="the topic's id")
    _add_metric_option(add)
    _add_collection_options(add)

    description = (
        "compare runs in a table for a terminal or a paper: means, intervals, letters, how much was judged"
    )
    add = command("compare", _compare, description)
    add("qrels", metavar="QRELS", help=QRELS)
    add("runs", metavar="RUN", nargs="*", help=f"two or more {RUNS}")
    _add_metric_option(add)
    _add_collection_options(add)
    add("--mean-over", choices=MEANS, help=MEAN_OVER)
    add(
        "--missing",
        choices=("fail", "drop"),
        default="fail",
        help="what to do about topics on which a run has no score",
    )
    add("--condensed", action="store_true", help=CONDENSED)
    add("--headroom", action="store_true", help=HEADROOM)
    add("--test", choices=("tukey", "bootstrap"), default="tukey", help=TEST)
    add(
        "--trials",
        type=int,
        default=10_000,
        metavar="B",
        help="number of trials of the test (default: 10000)",
    )
    add("--seed", type=int, default=0, metavar="S", help="seed of the trials (default: 0)")
    add(
        "--confidence",
        type=float,
        default=0.95,
        metavar="C",
        help="confidence level of the intervals (default: 0.95)",
    )
    add("--format", choices=("text", "markdown", "latex", "html", "csv"), default="text", help=REPORTS)
    add("-o", "--output", metavar="FILE", help=OUTPUT)

    description = (
        "find the metrics, conventions, cutoffs and ways to read the files that give a reported number"
    )
    add = command("which", _which, description)
    add("qrels", metavar="QRELS", help=QRELS)
    add("run", metavar="RUN", help="a TREC run file (plain or gz)")
    add(
        "--reported",
        required=True,
        metavar="NUMBER",
        help="the number with all its digits, such as 0.4150 or 41.5%%",
    )
    add("-m", "--metric", metavar="NAME", help="try only this metric, also with other parameters")
    add("--topic", metavar="T", help="the number is this topic's score (default: a mean over topics)")
    add("--topics", metavar="FILE", help=TOPICS)
    add("--probabilities", metavar="CHOICE", help=PROBABILITIES)

    description = "run a paper's experiments again: its numbers beside ours, its claims with a verdict"
    add = command("reproduce", _reproduce, description)
    add("paper", metavar="PAPER", help=PAPERS)
    add("--data", metavar="DIR", help=DATA)
    add("--runs", metavar="DIR", help=RUNS_OF_A_PAPER)
    add(
        "--format",
        choices=("table", "csv", "json"),
        default="table",
        help="text to read, or a row for each number and claim",
    )
    add("-o", "--output", metavar="FILE", help=OUTPUT)

    description = (
        "say how good metrics are, from score files: power, overlap, concordance, unanimity, agreement"
    )
    meta = commands.add_parser("meta", help=description)
    statistics = meta.add_subparsers(required=True, metavar="STATISTIC", parser_class=_Parser)

    def statistic(
        name: str, compute: Callable[[argparse.Namespace], Any], description: str
    ) -> Callable[..., object]:
        added = statistics.add_parser(name, help=description)
        added.set_defaults(command=_meta, compute=compute)
        return added.add_argument

    add_meta_commands(statistic)

    add = command("metrics", _metrics, "print the table of rows, or one metric: formula, parts, source")
    add("name", metavar="NAME", nargs="?", help="a metric's name")
    add("--convention", default="paper", choices=tuple(conventions()))
    add(
        "--plugins",
        action="store_true",
        help="list the metrics that other packages bring, each with its package",
    )

    differences = "show where programs that use the same name differ"
    command("conventions", _conventions, differences)
    return parser


def _open_standard_input(options: argparse.Namespace) -> None:
    """Let `-` stand for standard input among the input files; raise if it occurs twice."""
    n_read = 0
    for name in vars(options).keys() & {"qrels", "run", "runs", "topics", "scores", "preferences"}:
        value = getattr(options, name)
        paths = value if isinstance(value, list) else [value]
        n_read += paths.count("-")
        paths = [StandardInput(path) if path == "-" else path for path in paths]
        setattr(options, name, paths if isinstance(value, list) else paths[0])
    if n_read > 1:
        raise DivmetricsError(
            f"- (standard input) was given {n_read} times; give it once, and files otherwise"
        )


def _add_metric_option(add: Callable[..., object], required: bool = True) -> None:
    add("-m", "--metric", dest="metrics", metavar="NAME", action="append", required=required, help=METRICS)


def _add_collection_options(add: Callable[..., object]) -> None:
    add("--topics", metavar="FILE", help=TOPICS)
    add("--probabilities", metavar="CHOICE", help=PROBABILITIES)
    add("--covered", action="store_true", help=COVERED)
    add(
        "--convention",
        default="paper",
        choices=tuple(conventions()),
        help="whose definitions bare names stand for",
    )
    add("--order", choices=ORDERS, help=ORDER)
    add("--scale", type=int, metavar="Y", help="the top grade; default: the highest in the judgments")
    add("--gain", choices=tuple(GAINS), help="gain of a grade g: g, or 2^g - 1")
    add("--alpha", type=float, help="alpha of alpha-nDCG, alpha-DCG, NRBP")
    add("--beta", type=float, help="beta of NRBP (persistence) and of Q, EBR, P+ (the blended ratio)")
    add("--gamma", type=float, help="gamma of D#-measures: the weight of I-rec")
    add("--level", type=int, choices=(1, 2), help=LEVEL)
    add("--relevance-level", type=int, default=1, metavar="G", help="grades below G count as not relevant")


def _topics(options: argparse.Namespace) -> Any:
    if options.topics is None:
        if options.probabilities is not None:
            raise DivmetricsError(
                "--probabilities says how to read a topics file; give one with --topics FILE"
            )
        return None
    return read_topics(options.topics, probabilities=options.probabilities)


def _judgments(options: argparse.Namespace) -> tuple[Any, Any]:
    """Return the judgments and the topics: paths, or with --covered a Collection and no topics.

    A Collection has its scale and relevance level; the options of these are then reset.
    """
    topics = _topics(options)
    if not options.covered:
        return options.qrels, topics
    collection = load_collection(
        options.qrels, topics, scale=options.scale, relevance_level=options.relevance_level
    ).covered()
    options.scale, options.relevance_level = None, 1
    return collection.nonuniform() if options.probabilities == "nonuniform" else collection, None


def _evaluate(options: argparse.Namespace) -> None:
    as_ndeval = options.format == "ndeval"
    if as_ndeval:
        _check_ndeval_format(options)
    elif not options.metrics:
        raise DivmetricsError("no metric was asked for; name at least one with -m, such as -m ERR-IA@20")
    _check_output(options)
    scores = _scores(options, NDEVAL_COLUMNS if as_ndeval else options.metrics)
    with _output(options.output) as file:
        if as_ndeval:
            write_ndeval(scores, scores.runs[0], options.mean_over == "judged", file)
        elif options.format == "csv":
            write_csv(scores, options.mean, file)
        else:
            write_table(scores, options.mean, file)


def _check_output(options: argparse.Namespace) -> None:
    """Raise DivmetricsError, before any work, if the output cannot be written or would replace an input."""
    if options.output is not None:
        inputs = (options.qrels, *options.runs, *([options.topics] if options.topics else []))
        check_writable(options.output, inputs)


def _scores(options: argparse.Namespace, metrics: Sequence[str]) -> Scores:
    pages = holds_pages(options.runs)
    qrels, topics = (options.qrels, _orientations(options)) if pages else _judgments(options)
    return score_runs(qrels, options.runs or None, metrics, topics, options.convention, _options(options))


def _orientations(options: argparse.Namespace) -> str | None:
    """Return the path of the orientations of pages, which `score_runs` reads."""
    useless = [name for name in ("probabilities", "covered") if getattr(options, name)]
    if useless:
        raise DivmetricsError(
            f"--{useless[0]} is for intents of ranked lists, and these are pages; leave it out"
        )
    topics: str | None = options.topics
    return topics


def _options(options: argparse.Namespace) -> Options:
    """Return the options of `evaluate` that the command defines."""
    names = {field.name for field in fields(Options)} & set(vars(options))
    return Options(**{name: getattr(options, name) for name in names}, progress=True)


def _check_ndeval_format(options: argparse.Namespace) -> None:
    if options.convention != "ndeval":
        raise DivmetricsError("--format ndeval prints ndeval's numbers; add --convention ndeval")
    if options.metrics:
        raise DivmetricsError("--format ndeval has its own fixed columns; leave out -m, or use --format csv")
    if len(options.runs) > 1:
        raise DivmetricsError(
            f"--format ndeval prints one run, but {len(options.runs)} were given; give one at a time"
        )


def _say(text: str) -> None:
    with _output(None) as screen:
        print(printable_lines(text), file=screen)


@contextlib.contextmanager
def _output(path: str | None) -> Iterator[IO[str]]:
    """Open the output file, which is written completely or not at all; standard output if `path` is None.

    Raises DivmetricsError if the output cannot be written; a closed pipe (BrokenPipeError) is passed on.
    """
    if path is not None:
        with atomic_writer(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
            yield text
            text.detach()  # flushes
        return
    if sys.stdout is None:
        raise DivmetricsError("standard output is closed; leave it open")
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence(sys.stdout)
        raise DivmetricsError(
            f"standard output cannot be written ({error.strerror}), so what stands there is not whole; send "
            "it where there is room"
        ) from None


def _explain(options: argparse.Namespace) -> None:
    from divmetrics.explanations import explain_in_words

    _, chosen = resolve_metrics(options.metrics, options.convention, _options(options).parameters)
    if holds_pages(options.run):
        _say("\n\n".join(_explain_pages(options, chosen)))
        return
    qrels, topics = _judgments(options)
    how = {
        name: getattr(options, name) for name in ("convention", "order", "scale", "relevance_level", "level")
    }
    read = qrels, options.run, options.topic
    _say("\n\n".join(explain_in_words(m, *read, topics=topics, **how) for m in chosen))


def _explain_pages(options: argparse.Namespace, chosen: Sequence[BaseMetric]) -> Iterator[str]:
    """Yield, for each metric, the contributions of the blocks of a page as a table, and the score."""
    from divmetrics.aggregated import explain_page
    from divmetrics.io.page_loading import load_queries, read_pages

    queries = load_queries(options.qrels, _orientations(options), options.scale, options.relevance_level)
    pages = [page for page in read_pages(options.run, queries) if page.query.id == options.topic]
    if len(pages) != 1:
        which = f" (of {some([page.run for page in pages])})" if pages else ""
        raise DivmetricsError(
            f"{options.run} has {len(pages)} pages for topic {options.topic!r}{which}, expected one; name a "
            "topic that it has, and give the pages of one run"
        )
    (page,) = pages
    for row in chosen:
        table = explain_page(row, page)
        head = f"{row} of run {page.run}, topic {options.topic}: {table['contribution'].sum():.4f}"
        yield f"{head}\n{table.round(4).to_string(index=False)}"


def _compare(options: argparse.Namespace) -> None:
    _check_output(options)
    # Imports pandas, which takes half a second and is not needed by other commands.
    from divmetrics.research.report.comparing import compare_with_options
    from divmetrics.research.report.options import ComparisonOptions

    how = ComparisonOptions(
        **{field.name: getattr(options, field.name) for field in fields(ComparisonOptions)}
    )
    qrels, topics = _judgments(options)
    files = qrels, options.runs or None, options.metrics, topics
    text = getattr(compare_with_options(*files, _options(options), how, options.missing), options.format)
    with _output(options.output) as file:
        file.write(text if options.format == "csv" else f"{printable_lines(text.rstrip())}\n")


def _which(options: argparse.Namespace) -> None:
    from divmetrics.research.identify import identify_score

    files = options.qrels, options.run, options.reported, options.metric, _topics(options)
    _say(str(identify_score(*files, topic=options.topic, progress=True)))


def _reproduce(options: argparse.Namespace) -> None:
    from divmetrics.research.papers import reproduce

    if options.output is not None:  # check before the work, which takes half a minute
        check_writable(options.output, chain(_files_in(options.data), _files_in(options.runs)))
    report = reproduce(options.paper, options.data, options.runs, progress=True)
    with _output(options.output) as file:
        if options.format == "csv":
            report.rows.to_csv(file, index=False, lineterminator="\n")
        elif options.format == "json":
            print(report.rows.to_json(orient="records", force_ascii=False, indent=1), file=file)
        else:
            print(report, file=file)


def _meta(options: argparse.Namespace) -> None:
    check_output(options)
    table = options.compute(options)
    with _output(options.output) as file:
        write_statistic(table, options.format, file)


def _files_in(folder: str | None) -> Iterator[str]:
    return (os.path.join(where, name) for where, _, names in os.walk(folder or "") for name in names)


def _conventions(_: argparse.Namespace) -> None:
    from divmetrics.explanations.catalogue import table_of_differences

    _say(table_of_differences())


def _metrics(options: argparse.Namespace) -> None:
    from divmetrics.explanations.catalogue import describe, table_of_further_rows, table_of_rows

    if options.plugins:
        if options.name is not None:
            raise DivmetricsError(f"--plugins lists all of them; leave out {options.name!r}, or --plugins")
        _say(table_of_further_rows())
    elif options.name is None:
        _say(table_of_rows(options.convention))
    else:
        _say(describe(metric(options.name, options.convention)))
