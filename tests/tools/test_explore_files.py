"""The explorer of files: a few of its tries, and that it notices a program that does not do as it should."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from divmetrics.cli import main
from divmetrics.core import batch, metric
from tools.explore import Effort, files, malformed_files, random_collections

pytestmark = pytest.mark.slow


def test_a_few_tries_find_nothing(monkeypatch):
    monkeypatch.setattr(files, "TRIES", 40)
    monkeypatch.setattr(files, "PROCESSES", 20)
    tried = list(files.explore(Effort(1, 0)))
    assert sum(each.examples for each in tried) == 40
    assert [each.failure for each in tried if each.failed] == []


def raises(arguments: list[str]) -> int:
    raise KeyError("a line in a file")


def says_two_lines(arguments: list[str]) -> int:
    sys.stderr.write("divmetrics: one\ntwo\n")
    return 2


def lets_a_terminal_obey(arguments: list[str]) -> int:
    sys.stderr.write("divmetrics: \x1b[2J\n")
    return 2


def refuses_all(arguments: list[str]) -> int:
    sys.stderr.write("divmetrics: no\n")
    return 2


def leaves_out_the_last_line(arguments: list[str]) -> int:
    """Of every file it is given."""
    for name in arguments:
        if name.endswith(".txt"):
            path = Path(name)
            path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    return main(arguments)


def always_ends_well(arguments: list[str]) -> int:
    sys.stdout.write("run,topic,metric,score\n")
    return 0


@pytest.mark.parametrize(
    "program",
    [raises, says_two_lines, lets_a_terminal_obey, refuses_all, leaves_out_the_last_line, always_ends_well],
)
def test_a_program_that_is_wrong_is_found(program: Callable[[list[str]], int], monkeypatch, tmp_path):
    monkeypatch.setattr(files, "main", program)
    problems = [files.one_try(random.Random(number), tmp_path, alone=False)[1] for number in range(8)]
    assert any(problems)


def test_grades_that_are_too_large_for_a_float_are_tried(monkeypatch, tmp_path):
    """Without what looks at scores, at what is on the way and at 2^g, some scores are no numbers."""
    monkeypatch.setattr(batch, "HIGHEST_EXPONENT", 10**30)
    monkeypatch.setattr(metric.Metric, "contributions", lambda row, view: row._multiplied(row.truncate(view)))
    monkeypatch.setattr(
        metric.BaseMetric, "scores", lambda row, view: row.contributions(view).sum(axis=(2, 3))
    )
    texts = []
    for number in range(12):
        rng = random.Random(number)
        made = random_collections.world(rng)
        made.files["qrels"] = malformed_files.with_grades(rng, made.files["qrels"].decode(), "1100")
        with np.errstate(all="ignore"):
            texts.append(files.check_form(files.in_process(made.write(tmp_path))))
    assert any("a score that is no number" in each for each in texts)
