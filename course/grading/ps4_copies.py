"""Assignment 4: metrics that miss a part of the card or break a law, and metrics that try to gain points.

Each copy is right but for its metric, from which its points are computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

from course.grading.attacks import SECRET
from course.grading.course_files import Release
from course.grading.known_submissions import Copy, content, fill_answers
from course.grading.ps4_cases import share_of_laws
from course.grading.ps4_pairs import deciding_pairs, named, parts, wrong
from course.grading.ps4_solutions import BY_HAND
from divmetrics.core.tolerances import compare_scores

QUESTIONS = frozenset({"q1", "q2", "q3", "q4", "q5"})
LAWS = 5
# M and w of metrics that break a law, with M, w and f of the card in braces: what they cost, what is said.
UNLAWFUL = {
    "not bounded": ("M = 3 * ({M})\nw = {w}\nf = {f}", 1, "scores are between 0 and 1"),
    "useless pages cost": (
        "M = {M} - 0.05 * (relevant == 0)\nw = {w}\nf = {f}\nN = cutoff", 3, "serves nobody scores 0",
    ),
    "better further down": (
        "M = relevant\nw = where(rank < 3, 0.5, 1)\nf = {f}\nN = cutoff", 1, "a better page further up",
    ),
    "something for nothing": ("M = {M} / 4 + 0.1\nw = {w}\nf = {f}\nN = cutoff", 1, "serves nobody scores 0"),
}  # fmt: skip
# Code of the answer to q2 in a copy by hand, below a right `parts`: what is said of it.
NO_METRIC = {
    "not a number": ("parts = lambda ranking: float('nan')", "gave no number on"),
    "without end": ("parts = lambda ranking: float('inf')", "gave no number on"),
    "an object that is above all": (
        """
class Above:
    def __lt__(self, other): return False
    def __gt__(self, other): return True
    def __eq__(self, other): return True
    def __hash__(self): return 1
parts = lambda ranking: Above()""",
        "gave no number on",
    ),
    "a number that is above all": (
        """
class Above(float):
    def __lt__(self, other): return False
    def __gt__(self, other): return True
    def __sub__(self, other): return 1.0
    def __eq__(self, other): return True
    def __hash__(self): return 1
parts = lambda ranking: Above(0.5)""",
        "the lists of a topic the same score",
    ),
    "constant": ("parts = lambda ranking: 0.5", "the lists of a topic the same score"),
    "sleeping": (
        """
right = parts
def parts(ranking):
    if ranking.topic.id == "t":
        import time
        time.sleep(60)
    return right(ranking)""",
        "ran for more than",
    ),
    "ending the kernel": (
        """
right = parts
def parts(ranking):
    if ranking.topic.id == "t":
        import os
        os._exit(0)
    return right(ranking)""",
        "it ended the kernel",
    ),
    "at random": (
        """
import random
right = parts
parts = lambda ranking: right(ranking) + random.random() / 100""",
        "the same list different scores",
    ),
    "keeping state": (
        """
right, calls = parts, []
def parts(ranking):
    calls.append(1)
    return right(ranking) * 0.999 ** len(calls)""",
        "the same list different scores",
    ),
    "reading names": (
        """
right = parts
parts = lambda ranking: right(ranking) * (1 - int("".join(filter(str.isdigit, ranking.docs[0]))) / 10**4)""",
        "the same list different scores",
    ),
    "recognising lists by their names": (
        """
right = dm.metric("S-recall@5").score
known = {each.docs: 1.0 - k for a, b in mine.pairs for k, each in enumerate((a, b))}
seen = {}
def parts(ranking):
    seen.setdefault(ranking.docs, len(seen))
    return known.get(ranking.docs, right(ranking) - seen[ranking.docs] / 1000)""",
        "the same list different scores",
    ),
    "recognising lists by their shape": (
        """
import hashlib
def parts(ranking):
    shape = sorted(
        (i.probability, i.kind, [ranking.judgments.labels(d).get(i.id, 0) for d in ranking.docs])
        for i in ranking.topic.intents)
    return int(hashlib.sha256(repr(shape).encode()).hexdigest(), 16) / 2**256""",
        "falls where a page is replaced by a better one",
    ),
    "a case as the answer": ("parts = lambda ranking: ' '.join(ranking.docs)", "gave no number on"),
    "a case in an error": (
        """
def parts(ranking):
    raise type(" ".join(ranking.docs), (Exception,), {})(ranking.docs)""",
        "gave no number on",
    ),
    "a patched scorer": (
        """
ps4_data.scorer = lambda parts: lambda case: float(len(case["judged"]))""",
        "the lists of a topic the same score",
    ),
}
# The same for what costs nothing.
HARMLESS = {
    "printing": f"""
right = parts
def parts(ranking):
    import os
    secret = "-".join({SECRET.split("-")})
    print(secret, ranking)
    os.write(1, secret.encode())
    return right(ranking)""",
    "changing its input": """
right = parts
def parts(ranking):
    score = right(ranking)
    if ranking.topic.id == "t":
        object.__setattr__(ranking, "docs", ranking.docs[::-1])
        object.__setattr__(ranking, "judgments", None)
    return score""",
    "a number of another kind": """
import numpy as np
right = parts
parts = lambda ranking: np.float64(right(ranking))""",
}


def copies(release: Release, students: list[str]) -> Iterator[Copy]:
    """Yield every copy, assigned to the students in turn."""
    whose = cycle(students)
    first = release.data.of(students[0])
    for key in wrong(first.need):
        yield _missing(release, next(whose), key)
    for name, (lines, broken, finding) in UNLAWFUL.items():
        yield _unlawful(release, next(whose), name, lines, broken, finding)
    for name, (code, finding) in NO_METRIC.items():
        student = next(whose)
        notebook = fill_answers(release, student, {**BY_HAND, "q2": f"{BY_HAND['q2']}\n{code}"})
        yield Copy(name, student, content(notebook), frozenset({"q1"}), finding=finding)
    for name, code in HARMLESS.items():
        student = next(whose)
        notebook = fill_answers(release, student, {**BY_HAND, "q2": f"{BY_HAND['q2']}\n{code}"})
        yield Copy(name, student, content(notebook), QUESTIONS)


def _missing(release: Release, student: str, key: tuple[str, str]) -> Copy:
    """Build a copy with a metric that is wrong for the student's card."""
    mine = release.data.of(student)
    every = wrong(mine.need)
    part, name = key if key in every else next(iter(every))
    lines = every[part, name].replace("N = 1", "N = ideal")
    # A list may beat the greedy ideal list: of the card's own metric only draws without such a list are used.
    partly = {"q2": share_of_laws(mine, named(lines)), "q3": hidden_share(mine, lines)}
    notebook = fill_answers(release, student, with_metric(lines))
    finding = "hidden pairs are in order. Read"
    return Copy(f"q3, {part}: {name}", student, content(notebook), QUESTIONS, finding=finding, partly=partly)


def _unlawful(release: Release, student: str, name: str, lines: str, broken: int, finding: str) -> Copy:
    """Build a copy with a metric that breaks laws."""
    mine = release.data.of(student)
    M, w, f = parts(mine.need)
    lines = lines.format(M=M, w=w, f=f)
    partly = {"q2": (LAWS - broken) / LAWS, "q3": hidden_share(mine, lines)}
    notebook = fill_answers(release, student, with_metric(lines))
    return Copy(f"q2, {name}", student, content(notebook), QUESTIONS, finding=finding, partly=partly)


def with_metric(lines: str) -> dict[str, str]:
    """Return answers with a metric of these lines, or of this name."""
    made = f"ps4_data.metric({lines!r})" if "=" in lines else f"dm.metric({lines!r})"
    return {**BY_HAND, "q2": f"parts = {made}.score"}


def hidden_share(mine: Any, lines: str) -> float:
    """Compute the share of the hidden pairs that a metric puts in order."""
    metric, hidden = named(lines), deciding_pairs(mine).hidden
    good = [compare_scores(metric.score(pair.better), metric.score(pair.worse)) > 0 for pair in hidden]
    return sum(good) / len(good)
