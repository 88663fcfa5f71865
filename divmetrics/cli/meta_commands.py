"""The statistics of `divmetrics meta`: how good metrics are, from score files."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

from divmetrics.atomic_files import check_writable
from divmetrics.errors import DivmetricsError, printable

if TYPE_CHECKING:
    import pandas as pd

    AddCommand = Callable[[str, Callable[[argparse.Namespace], pd.DataFrame], str], Callable[..., object]]

SCORES = "scores of runs on topics under metrics, as `divmetrics evaluate` writes them (csv); - reads stdin"
METRICS = "compare only these metrics, as the files name them; may be given several times (default: all)"
MISSING = "what to do about topics on which a run has no score"
GOLD = "a metric in the files that measures one property, such as I-rec@10; if several, all must agree"
PREFERENCES = (
    "people's preferences between two runs on a topic: columns topic, left, right and preference (above 0: "
    "left is better), or a column judge1, judge2, ... for each judge, whose majority counts"
)
AT_LEAST = "only pairs of lists on which at least N judges prefer the same list"
TEST = "tukey: randomised Tukey HSD; bootstrap: paired"
TRIALS = "number of trials of the test (default: 10000, of the bootstrap 1000)"
FORMATS = "a table to read, or all digits"


def add_meta_commands(command: AddCommand) -> None:
    """Add the statistics; `command` adds one and returns the function that adds an argument to it."""
    for name, run, description in (
        (
            "power",
            _power,
            "count the pairs of runs that each metric tells apart, and the difference it needs",
        ),
        ("overlap", _overlap, "count the pairs of runs that both, or only one, of two metrics tell apart"),
    ):
        add = command(name, run, description)
        _add_score_options(add)
        add("--test", choices=("tukey", "bootstrap"), default="tukey", help=TEST)
        add("--trials", type=int, metavar="B", help=TRIALS)
        add("--seed", type=int, default=0, metavar="S", help="seed of the trials (default: 0)")
        add("--level", type=float, default=0.05, metavar="P", help="significance level (default: 0.05)")
    add = command(
        "concordance", _concordance, "count how often each of two metrics agrees with a gold standard"
    )
    _add_score_options(add)
    add("--gold", metavar="NAME", action="append", required=True, help=GOLD)
    add = command("unanimity", _unanimity, "compute how much each metric agrees with all others at once")
    _add_score_options(add)
    add = command(
        "agreement", _agreement, "count the pairs of lists of which a metric prefers what people prefer"
    )
    _add_score_options(add)
    add("--preferences", metavar="FILE", required=True, help=PREFERENCES)
    add("--at-least", type=int, metavar="N", help=AT_LEAST)


def _add_score_options(add: Callable[..., object]) -> None:
    add("scores", metavar="SCORES", nargs="+", help=SCORES)
    add("-m", "--metric", dest="metrics", metavar="NAME", action="append", help=METRICS)
    add("--missing", choices=("fail", "drop"), default="fail", help=MISSING)
    add("--format", choices=("table", "csv", "json"), default="table", help=FORMATS)
    add("-o", "--output", metavar="FILE", help="write to this file instead of the screen")


def check_output(options: argparse.Namespace) -> None:
    """Raise DivmetricsError, before any work, if the output cannot be written or would replace an input."""
    if options.output is not None:
        preferences = getattr(options, "preferences", None)
        check_writable(options.output, chain(options.scores, [preferences] if preferences else []))


def write_statistic(table: pd.DataFrame, form: str, file: IO[str]) -> None:
    """Write the table as csv or json with all digits, or aligned with four decimals."""
    if form == "csv":
        table.to_csv(file, index=False, lineterminator="\n")
    elif form == "json":
        print(table.to_json(orient="records", force_ascii=False, double_precision=15, indent=1), file=file)
    else:
        from divmetrics.render.tables import Cell, text_table

        numeric = [kind.kind in "if" for kind in table.dtypes]
        head = [Cell(name, right=right) for name, right in zip(table.columns, numeric, strict=True)]
        rows = [[_cell(value) for value in row] for row in table.itertuples(index=False, name=None)]
        print(text_table(head, rows), file=file)


def _cell(value: Any) -> Any:
    from divmetrics.render.tables import Cell, format_score

    if isinstance(value, str):
        return Cell(printable(value))
    if isinstance(value, float):
        return Cell("-" if value != value else format_score(value), right=True)
    return Cell(str(value), right=True)


def _scores(options: argparse.Namespace) -> pd.DataFrame:
    import pandas as pd

    from divmetrics.io.score_files import read_scores

    return pd.concat([read_scores(path) for path in options.scores], ignore_index=True)


def _pairs(options: argparse.Namespace) -> pd.DataFrame:
    from divmetrics.research.meta import paired_bootstrap, tukey_hsd

    how: dict[str, Any] = {"seed": options.seed, "missing": options.missing, "progress": True}
    if options.trials is not None:
        how["trials"] = options.trials
    if options.test == "bootstrap":
        return paired_bootstrap(_scores(options), options.metrics, level=options.level, **how)
    return tukey_hsd(_scores(options), options.metrics, **how)


def _power(options: argparse.Namespace) -> pd.DataFrame:
    from divmetrics.research.meta import discriminative_power

    return discriminative_power(_pairs(options), options.level)


def _overlap(options: argparse.Namespace) -> pd.DataFrame:
    from divmetrics.research.meta import overlap

    return overlap(_pairs(options), options.level)


def _concordance(options: argparse.Namespace) -> pd.DataFrame:
    from divmetrics.research.meta import concordance

    return concordance(_scores(options), options.gold, options.metrics, missing=options.missing)


def _unanimity(options: argparse.Namespace) -> pd.DataFrame:
    from divmetrics.research.meta import unanimity

    return unanimity(_scores(options), options.metrics, missing=options.missing)


def _agreement(options: argparse.Namespace) -> pd.DataFrame:
    from divmetrics.io.run_preferences import read_preferences
    from divmetrics.research.meta import agreement, high_agreement, majority

    preferences = read_preferences(options.preferences)
    if options.at_least is not None:
        preferences = high_agreement(preferences, options.at_least)
        if not len(preferences):
            raise DivmetricsError(
                f"{options.preferences}: on no pair of lists do {options.at_least} judges prefer the same "
                "list; give a smaller number with --at-least"
            )
    decided = majority(preferences)
    if not len(decided):
        raise DivmetricsError(
            f"{options.preferences}: on every pair of lists as many judges prefer one list as the other; "
            "give preferences that decide"
        )
    return agreement(_scores(options), decided, options.metrics, missing=options.missing)
