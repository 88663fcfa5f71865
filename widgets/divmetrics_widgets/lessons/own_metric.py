"""Lesson 23: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pandas as pd

import divmetrics.parts
from divmetrics import Metric
from divmetrics.core import batch_lists
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.errors import DivmetricsError
from divmetrics.explanations import explain
from divmetrics.notebook.expressions import check_rules, meanings, write_metric
from divmetrics.registry.parse import metric, metrics
from divmetrics.registry.rules import check
from divmetrics.research.datasets import harry_potter, mercury
from divmetrics.research.disagreements import Disagreement, disagree
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.lists import POTTER, TITLES

NAMES = ("film", "poor", "good", "mixed")
LISTS = [x.reordered(x.docs, run=name) for x, name in zip(harry_potter().lists("0083"), NAMES, strict=True)]
FILM, POOR, GOOD, MIXED = LISTS
GRADES = {doc: POTTER.labels(doc) for doc in POTTER.docs}
INTENTS = [intent.id for intent in POTTER.topic.intents]
ABOUT = TITLES
CLOSE = 1e-9
QUESTION = "alpha-nDCG@5 says mixed, poor, good, film. Which neighbours change places under our M?"
NEIGHBOURS = ["mixed and poor", "poor and good", "good and film", "none"]

COURSE = {  # metrics of the course, written as cells
    "S-recall": "M = first\nf = 1 / intents",
    "P-IA": "M = relevant\nN = cutoff",
    "nDCG-IA": "M = grade\nw = 1 / log2(rank + 1)\nN = own_ideal",
    "ERR-IA": "M = satisfied * unsatisfied_before\nw = 1 / rank",
    "RBP-IA": "M = grade / top\nw = (1 - phi) * phi ** (rank - 1)\nphi = 0.99",
    "alpha-nDCG": "M = relevant * 0.5 ** seen_before\nw = 1 / log2(rank + 1)\nf = 1\nN = ideal",
    "D-nDCG": "M = grade\nw = 1 / log2(rank + 1)\nN = sorted_ideal",
}


def greedy(value: Callable[[list[str]], float], length: int) -> list[str]:
    """Return a list built greedily of the pages for harry potter; of ties, the first id is taken."""
    docs: list[str] = []
    while len(docs) < length:
        docs.append(max(sorted(set(GRADES) - set(docs)), key=lambda doc: value([*docs, doc])))
    return docs


def _best_page(
    discount: str = "1 / log2(rank + 1)", weight: str = "1", divisor: str = "ideal", off: float = 1
) -> Metric:
    gain = f"M = max(grade - {off} * before_max(grade), 0) / top"
    return write_metric("best-page", f"{gain}\nw = {discount}\nf = {weight}\nN = {divisor}").metric


def _prefers(row: BaseMetric, one: RankedList, other: RankedList) -> bool:
    return bool(row.score(one) > row.score(other) + CLOSE)


# -- conclusions under other choices ------------------------------------------------------------------------

DISCOUNTS = ("1", "1 / log2(rank + 1)", "1 / rank", "0.8 ** rank", "0.5 ** rank")


def good_first(discount: str, weight: str, divisor: str, cutoff: int) -> bool:
    """Return whether best-page prefers `good` to `poor`."""
    return _prefers(_best_page(discount, weight, divisor) @ cutoff, GOOD, POOR)


def poor_first(alpha: float, cutoff: int) -> bool:
    """Return whether alpha-nDCG prefers `poor` to `good`."""
    return _prefers(metric(f"alpha-nDCG(alpha={alpha})@{cutoff}"), POOR, GOOD)


def turns(shares: Sequence[float], weight: str, discount: str = "1 / log2(rank + 1)") -> list[float]:
    """Return the largest share with which best-page prefers `film` to `poor`, at cutoffs 3 to 8.

    It is nan at a cutoff at which best-page does not prefer `film` with all smaller shares.
    """
    found = []
    for cutoff in range(3, 9):
        rows = {off: _best_page(discount, weight, off=off) @ cutoff for off in shares}
        ahead = [off for off, row in rows.items() if _prefers(row, FILM, POOR)]
        found.append(max(ahead) if ahead and ahead == list(shares[: len(ahead)]) else float("nan"))
    return found


def leads(shares: Sequence[float]) -> pd.DataFrame:
    """Return by how much best-page@5 prefers `film` to `poor`, with both weights and each share taken off."""
    rows = []
    for weight, off in product(("1", "probability"), shares):
        row = _best_page(weight=weight, off=off) @ 5
        rows.append((f"best-page@5, f = {weight}", off, row.score(FILM) - row.score(POOR)))
    return pd.DataFrame(rows, columns=["metric", "off", "film - poor"])


def agrees(name: str, cutoff: int) -> bool:
    """Return whether a metric of the course, written as a cell, scores the four lists as the library does."""
    mine, theirs = write_metric("mine", COURSE[name]).metric @ cutoff, metric(name) @ cutoff
    return all(abs(mine.score(x) - theirs.score(x)) < CLOSE for x in LISTS)


def recreated(name: str) -> bool:
    """Return whether the repr of a metric of the course, written as a cell, is Python that recreates it."""
    mine = write_metric("mine", COURSE[name]).metric
    return bool(eval(repr(mine), {**vars(divmetrics.parts), "Metric": Metric}) == mine)


def read_by(column: str) -> set[str]:
    """Return the words that a column of a cell may read."""
    return set(meanings(column))


def like_best_page(names: Sequence[str] = ()) -> pd.Series:
    """Count the lists of three pages for one intent where a metric rewards a page iff it beats all above.

    The pages have grades 0, 1 and 2, so there are 27 lists. By default the metrics are all of the library
    that score lists; of an informational and a navigational intent, the one with the larger count is taken.
    """
    grades = list(product(range(3), repeat=3))
    better = np.array([[g > max((0, *x[:k])) for k, g in enumerate(x)] for x in grades])
    views = [
        batch_lists([_for_one_intent(x, kind) for x in grades]) for kind in ("informational", "navigational")
    ]
    counts = {}
    lists_only = [name for name in metrics() if not name.startswith("AS_")]  # AS_ scores pages of blocks
    for name in names or lists_only:
        row = metric(name) @ 3
        rewards = [row.contributions(view).sum(axis=2)[0] > CLOSE for view in views]
        counts[name] = max(int((each == better).all(axis=1).sum()) for each in rewards)
    return pd.Series(counts, name="of 27 lists").sort_values(ascending=False, kind="stable")


def _for_one_intent(grades: Sequence[int], kind: str) -> RankedList:
    topic = Topic("t", (Intent("one", 1.0, kind),))  # type: ignore[arg-type]
    pool = Judgments.of(topic, {f"{grade}{copy}": {"one": grade} for grade in range(3) for copy in range(3)})
    docs = [f"{grade}{list(grades[:k]).count(grade)}" for k, grade in enumerate(grades)]
    return RankedList(topic, docs, pool)


def disagreements(*lengths: int) -> pd.DataFrame:
    """Compare the lists on which best-page and alpha-nDCG disagree most, in 20 searches for each length.

    The searches differ in the topic, the weight f of best-page, the length of the lists (the cutoff) and
    alpha. `better`: whether best-page's list has better pages, by the mean of each page's best grade.
    `total`: by how much the sum of all grades of best-page's list is larger. `broader`: whether
    alpha-nDCG's list serves more, counting each page once for each intent.
    """
    rows = []
    pools = {"harry potter": POTTER, "mercury": mercury().pools["mercury"]}
    for topic, weight, length, alpha in product(
        pools, ("1", "probability"), lengths, (0, 0.3, 0.5, 0.7, 0.9)
    ):
        ours = _best_page(weight=weight) @ length
        pair = disagree(ours, f"alpha-nDCG(alpha={alpha})@{length}", pools[topic], length)
        if isinstance(pair, Disagreement):
            labels = [[pools[topic].labels(doc).values() for doc in each.docs] for each in (pair.a, pair.b)]
            best_a, best_b = (sum(max([0, *grades]) for grades in each) for each in labels)
            served_a, served_b = (sum(grade > 0 for grades in each for grade in grades) for each in labels)
            total_a, total_b = (sum(map(sum, each)) for each in labels)
            better, broader, total = best_a > best_b, served_b > served_a, total_a - total_b
            rows.append((topic, weight, length, alpha, better, total, broader))
    return pd.DataFrame(rows, columns=["topic", "f", "length", "alpha", "better", "total", "broader"])


def swaps() -> list[tuple[RankedList, RankedList]]:
    """Return all pairs of two-page lists with the same first page and second pages of the same grades."""
    return [
        (GOOD.reordered([first, one]), GOOD.reordered([first, other]))
        for first, one, other in permutations(POTTER.docs, 3)
        if one < other and POTTER.labels(one) == POTTER.labels(other)
    ]


def tells_apart(row: BaseMetric, pairs: Sequence[tuple[RankedList, RankedList]]) -> int:
    """Count the pairs of lists to which a metric gives different scores."""
    return sum(abs(row.score(one) - row.score(other)) > CLOSE for one, other in pairs)


# -- slips --------------------------------------------------------------------------------------------------

UTILITIES = (
    "max(grade - before_max(grade), 0) / top",
    "relevant * 0.5 ** seen_before",
    "satisfied * unsatisfied_before",
    "relevant",
    "grade / top",
    "relevant * max(1 - seen_before / 3, 0)",
)
SLIPS = {
    "M: share of the whole list": "M = ({}) / max(seen[..., -1:], 1)",
    "M: divided by the length": "M = ({}) / depth",
    "M: divided by 0 at rank 1": "M = ({}) / seen_before",
    "M: the logarithm of 0": "M = log({})",
    "M: share of all lists": "M = ({}) / max(relevant.sum(axis=1, keepdims=True), 1)",
    "w: infinite at rank 1": "M = {}\nw = 1 / log2(rank)",
    "w: reads grades": "M = {}\nw = grade",
    "f: negative": "M = {}\nf = probability - 0.5",
    "N: 0 for one judged page": "M = {}\nN = judged_relevant - 1",
    "M: divided by 0 at rank 15": "M = ({}) / (rank - 15)",
    "w: negative from rank 17 on": "M = {}\nw = 1 - rank / 16",
    "M: halved in lists of 16 or more": "M = ({}) * where(depth > 15, 0.5, 1)",
}
ON_LARGE_TOPICS = (
    "M = relevant\nf = where(intents > 6, -1, 1)",
    "M = relevant * where(top > 3, log(0), 1)",
    "M = relevant\nN = 10 - judged_relevant",
)
_BEST_PAGE = "M = max(grade - before_max(grade), 0) / top\nw = 1 / log2(rank + 1)\nf = 1\nN = ideal"
_ALPHA_nDCG = "M = relevant * 0.5 ** seen_before\nw = 1 / log2(rank + 1)\nf = 1\nN = ideal"
IN_THE_FORMULA = {
    "seen for seen_before": _ALPHA_nDCG.replace("seen_before", "seen"),
    "relevant for grade": _BEST_PAGE.replace("grade", "relevant"),
    "no / top": _BEST_PAGE.replace(" / top", ""),
    "rank + 2 for rank + 1": _BEST_PAGE.replace("rank + 1", "rank + 2"),
    "no f = 1": _BEST_PAGE.replace("f = 1\n", ""),
    "rank for rank + 1": _BEST_PAGE.replace("rank + 1", "rank"),
    "min for max": _BEST_PAGE.replace("max(grade -", "min(grade -"),
}


def _refused(text: str) -> bool:
    try:
        return any(result.verdict == "broken" for result in check_rules(write_metric("slip", text).metric))
    except DivmetricsError:
        return True


def slips() -> pd.DataFrame:
    """Count for each slip in how many of six metrics it is refused, and how many of the rest `check` finds.

    `check` tries the metric on the list of all 18 pages.
    """
    deep = RankedList(POTTER.topic, POTTER.docs, POTTER)
    rows = []
    for slip, form in SLIPS.items():
        texts = [form.format(utility) for utility in UTILITIES]
        passed = [text for text in texts if not _refused(text)]
        found = [bool(check(write_metric("slip", text).metric @ len(deep), deep)) for text in passed]
        rows.append((slip, len(texts) - len(passed), sum(found)))
    table = pd.DataFrame(rows, columns=["slip", "refused at once", "found on 18 pages"])
    return table.set_index("slip")


def passing_on_small_topics() -> int:
    """Count the slips that show only on larger topics: nothing is refused, but `check` finds them there."""
    intents = tuple(Intent(f"i{n}", 1 / 8) for n in range(8))
    topic = Topic("large", intents)
    pool = Judgments.of(topic, {f"d{n}": {intent.id: 4 for intent in intents} for n in range(10)})
    large = RankedList(topic, pool.docs, pool)
    passed = [text for text in ON_LARGE_TOPICS if not _refused(text)]
    return sum(bool(check(write_metric("slip", text).metric @ 3, large)) for text in passed)


def unnoticed() -> list[str]:
    """Return the slips in the formula that keep every rule, so that nothing is refused."""
    return [slip for slip, text in IN_THE_FORMULA.items() if not _refused(text)]


# -- a plug-in, as if it were installed ---------------------------------------------------------------------


def _install(package: str) -> str:
    """Write the note that pip leaves about the example's entry point; return the folder to import from."""
    note = Path(tempfile.mkdtemp()) / f"{package.replace('-', '_')}-0.1.dist-info"
    note.mkdir()
    (note / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1\n")
    (note / "entry_points.txt").write_text("[divmetrics.metrics]\nexample = divmetrics_example:metrics\n")
    return str(note.parent)


def install_example() -> str:
    """Put the plug-in of examples/plugin where Python looks for packages; return the command divmetrics."""
    sys.path += [_install("divmetrics-example"), str(Path("../examples/plugin").resolve())]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    return f'"{sys.executable}" -m divmetrics'


def claimed_twice(name: str) -> str:
    """Return what happens to a plug-in's name if a second package brings it as well."""
    sys.path.append(_install("another-package"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return str(metric(name))
    except DivmetricsError as error:
        return str(error)
    finally:
        sys.path.pop()


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "History is in `seen_before`."


def _by_hand(ranked: RankedList) -> float:
    labels = [ranked.judgments.labels(doc) for doc in ranked.docs[:5]]
    total = 0.0
    for intent in ranked.topic.intents:
        first, *later = [*(each[intent.id] for each in labels if intent.id in each), 0]
        total += intent.probability * (first / 2 + sum(later) / 4)
    return total


def first_counts_most(answer: str) -> bool | str:
    """Check an M with which the first relevant document of an intent counts in full, later ones half."""
    mine = write_metric("answer", answer).metric @ 5
    wrong = [x for x in LISTS if abs(mine.score(x) - _by_hand(x)) > CLOSE]
    return "; ".join(f"{x.run} gets {mine.score(x):.4f}, not {_by_hand(x):.4f}" for x in wrong) or True


# Exercise 2
WHY_2 = "A minor intent at rank 1 costs best-page little, and ERR-IA a lot."


def rewarded() -> object:
    """Return the check of five documents that best-page@5 rewards and ERR-IA@5 does not.

    best-page must be registered.
    """
    each_there = "is each subject's best page there?"
    too_soon = "too many readers are served too soon"
    return Check.lists(
        GOOD,
        {"yours": 5},
        Check.rule("yours", "best-page@5", ">=", 0.85, f"best-page@5 is {{left}}: {each_there}"),
        Check.rule("yours", "ERR-IA@5", "<", 0.35, f"ERR-IA@5 is {{left}}: {too_soon}"),
    )


# Exercise 3
WHY_3 = "It reads what is below rank k."
CANDIDATES = {
    "a": "relevant * (1 - seen / depth)",
    "b": "relevant * (1 - seen_before / (rank + 1))",
    "c": "relevant * unsatisfied_before / top",
}
_LENGTHS = range(1, len(GOOD) + 1)


@Check.several([CANDIDATES, _LENGTHS, _LENGTHS], make=tuple, names=["metric", "short", "long"])
def looks_ahead(answer: tuple[str, int, int]) -> bool | str:
    """Check which M looks ahead, and two lengths at which rank 1 earns half as much again."""
    letter, short, long = answer
    if letter not in CANDIDATES or not 1 <= short < long <= len(GOOD):
        return 'expected "a", "b" or "c", and how long each list is, the second longer than the first'
    mine = write_metric("answer", CANDIDATES[letter]).metric
    tables = [explain(mine, GOOD.reordered(GOOD.docs[:length])) for length in (short, long)]
    once, again = (table.loc[table["rank"] == 1, "contribution"].sum() for table in tables)
    grown = bool(once > 0 and abs(again - 1.5 * once) < CLOSE)
    return grown or f"rank 1 earns {once:.4f} in the one and {again:.4f} in the other"
