"""The data of assignment 4: each student's own need, pairs of lists, and systems to compare.

Leave this file as it is: the notebook is graded with the file that was released.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

import divmetrics as dm
from divmetrics.core.tolerances import compare_scores
from divmetrics.notebook.expressions import check_rules, write_metric
from divmetrics.notebook.expressions.rule_checks import WITHIN_RANGE
from divmetrics_widgets.own_data import StableRandom, student_number

COURSE = ""
TERM = ""
DRAWS: tuple[int, ...] = ()
GIVEN: dict[int, tuple] = {}  # `make course` fills these in

CUTOFF = 5
TOP_GRADE = 2
GOLDS = ("I-rec@5", "Ef-P@5")
LOOKED_AT = 8  # topics on which law 2 is looked at

SERVICES = (
    "the search of a city's health line",
    "the search of a museum",
    "the search of a farmers' advice service",
    "the search of a public library",
    "the search of a travel office",
    "the search of a university's help desk",
)
PAGES = {
    "one": "One useful page on her subject answers a reader. A second one adds nothing. Every page of grade "
    "1 or 2 is useful, and grade 2 is worth no more.",
    "two": "A reader believes what two pages say. The first two useful pages on her subject count the same, "
    "a third adds nothing. Every page of grade 1 or 2 is useful, and grade 2 is worth no more.",
    "half": "Every useful page on her subject helps a reader, about half as much as the useful one before "
    "it. Every page of grade 1 or 2 is useful, and grade 2 is worth no more.",
    "fill": "Pages add up. A page of grade 1 gives a reader of that subject a third of what she needs, a "
    "page of grade 2 two thirds. Once she has all she needs, more adds nothing.",
    "kinds": "A reader of a navigational subject is done with the first useful page. To a reader of an "
    "informational subject every useful page is worth the same, however many she has seen. Every page of "
    "grade 1 or 2 is useful, and grade 2 is worth no more.",
}
RANKS = {
    "all": "Everybody reads all five pages, and it does not matter which comes first.",
    "tired": "At every rank about a third of the readers who are still there give up and read no further.",
    "screen": "Three pages fit on the screen, and everybody reads these. Only about one reader in four "
    "scrolls down to the fourth and the fifth.",
}
READERS = {
    "people": "Every reader counts the same, so a subject counts as much as it is asked for.",
    "subjects": "Every subject counts the same, however few readers ask for it.",
    "few": "The service is there for those whom others forget. A subject counts in proportion to the share "
    "of readers who want something else.",
}
SHARES = ((0.6, 0.3, 0.1), (0.65, 0.25, 0.1), (0.7, 0.2, 0.1), (0.6, 0.25, 0.15), (0.7, 0.25, 0.05))


@dataclass(frozen=True)
class Need:
    """A need card: whose search it is, and what its readers do."""

    service: str
    pages: str
    ranks: str
    readers: str

    def _repr_markdown_(self) -> str:
        return (
            f"**The need.** You measure {self.service}; a list has five pages.\n\n"
            f"* **Pages.** {PAGES[self.pages]}\n"
            f"* **Ranks.** {RANKS[self.ranks]}\n"
            f"* **Readers.** {READERS[self.readers]}\n"
        )


@dataclass(frozen=True)
class Mine:
    """What belongs to one student.

    `need` is the card; `topic` has the subjects with their probabilities and kinds; `judged` says which
    grade, 1 or 2, each document has for which subject; `pairs` are three pairs of lists, the better one
    first; `collection` has eight systems on 24 other topics; `rival` is the name of a metric.
    """

    number: int
    need: Need
    topic: dm.Topic
    judged: dict[str, dict[str, int]]
    pairs: tuple[tuple[dm.RankedList, dm.RankedList], ...]
    collection: dm.Collection
    rival: str

    def documents(self, place: int = 0) -> dm.RankedList:
        """All documents of the topic; those of other topics at other places."""
        return pool(self.number, place)


def of(student: str) -> Mine:
    """The data of the student with that id; capitals, blanks and signs in the id do not count."""
    return drawn(student_number(student, DRAWS, COURSE, TERM, "ps4"))


def drawn(number: int) -> Mine:
    """The data of that number; the pairs and the rival only where `make course` has filled them in."""
    chosen, rival = GIVEN.get(number, ((), ""))
    every = pool(number, 0)
    pairs = tuple(
        tuple(every.reordered(docs, run=f"{k}{side}") for docs, side in zip(pair, "AB", strict=True))
        for k, pair in enumerate(chosen, 1)
    )
    judged = {doc: every.judgments.labels(doc) for doc in every.docs[1:]}
    return Mine(number, need(number), every.topic, judged, pairs, systems(number), rival)


def need(number: int) -> Need:
    """The card of that number."""
    below = StableRandom(f"need {number}").below
    pages, ranks, readers = (list(each)[below(len(each))] for each in (PAGES, RANKS, READERS))
    return Need(SERVICES[below(len(SERVICES))], pages, ranks, readers)


def pool(number: int, place: int) -> dm.RankedList:
    """A topic of three subjects with ten documents, as a list of all of them; place 0 is the student's."""
    below = StableRandom(f"pool {number} {place}").below
    shares = SHARES[below(len(SHARES))]
    alone = below(3)  # the subject whose kind is not that of the other two
    most, other = (("navigational", "informational"), ("informational", "navigational"))[below(2)]
    topic = dm.Topic(
        f"{place}",
        tuple(
            dm.Intent(name, share, other if n == alone else most)
            for n, (name, share) in enumerate(zip("abc", shares, strict=True))
        ),
    )
    docs = [f"d{n}" for n in range(10, 20)]
    judged = {}
    for doc in docs[1:]:  # the first serves nobody
        grades = {name: below(TOP_GRADE) + 1 for name in "abc" if below(3) == 0}
        judged[doc] = grades or {"abc"[below(3)]: below(TOP_GRADE) + 1}
    return dm.RankedList(topic, docs, dm.Judgments.of(topic, judged, scale=TOP_GRADE), run="all")


def systems(number: int) -> dm.Collection:
    """Eight systems on 24 topics of three to five subjects."""
    return dm.datasets.synthetic(
        seed=number, topics=24, runs=8, depth=CUTOFF, intents=(3, 4.0, 5), relevant=(1, 4.0, 8),
        nonrelevant=1.0, navigational=0.4, difficulty=0.2,
    )  # fmt: skip


def metric(parts: str, name: str = "mine") -> dm.Metric:
    """The metric that these lines write, at cutoff 5; raises DivmetricsError where they write none."""
    return write_metric(name, parts).metric @ CUTOFF


def scorer(parts: object) -> Callable[[dict], float]:
    """What is handed in of a metric: a function that scores a list given as plain text and numbers.

    `parts` is the text of a metric, a metric of the library, or a function of a `dm.RankedList`; `...` where
    there is none yet.
    """
    score = scored_by(parts)
    return ... if score is ... else lambda case: score(listed(case))


def scored_by(parts: object) -> Callable[[dm.RankedList], float]:
    """The function that scores a ranked list; `...` where there is none yet."""
    made = metric(parts) if isinstance(parts, str) else parts
    return ... if made is None or made is ... else getattr(made, "score", made)


def scores(mine: Mine, parts: object) -> pd.DataFrame:
    """The scores of all lists of `mine.collection` as `dm.evaluate` gives them: run, topic, metric, score.

    `parts` is the text of a metric, a metric of the library, or a function of a `dm.RankedList`.
    """
    score, lists = scored_by(parts), mine.collection
    rows = [
        (run, topic, f"mine@{CUTOFF}", score(lists.list(run, topic)))
        for run in lists.runs
        for topic in lists.pools
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])


def case(ranked: dm.RankedList) -> dict:
    """A list as plain text and numbers, which is what a metric is called with when it is tried."""
    topic, judged = ranked.topic, ranked.judgments
    intents = [[intent.id, intent.probability, intent.kind] for intent in topic.intents]
    grades = {doc: judged.labels(doc) for doc in judged.docs}
    return {
        "topic": topic.id,
        "intents": intents,
        "scale": judged.scale,
        "judged": grades,
        "docs": list(ranked.docs),
    }


def listed(case: dict) -> dm.RankedList:
    """The list that a case describes."""
    topic = dm.Topic(case["topic"], tuple(dm.Intent(*each) for each in case["intents"]))
    return dm.RankedList(topic, case["docs"], dm.Judgments.of(topic, case["judged"], scale=case["scale"]))


def rules(parts: object) -> pd.DataFrame | None:
    """The rules of the framework and law 2, and whether a metric keeps them; of a function only law 2."""
    score = scored_by(parts)
    if score is ...:
        return None
    made = metric(parts) if isinstance(parts, str) else parts
    found = check_rules(made) if isinstance(made, dm.Metric) else ()
    rows = [(each.rule, each.verdict, each.message) for each in found if each.rule != WITHIN_RANGE]
    if all(each.verdict != "broken" for each in found):
        low, high, count = extremes(score)
        verdict = "kept" if compare_scores(low, 0) >= 0 and compare_scores(1, high) >= 0 else "law 2 fails"
        rows.append((f"law 2: {WITHIN_RANGE}", verdict, f"from {low:.4g} to {high:.4g} on {count} lists"))
    return pd.DataFrame(rows, columns=["rule", "verdict", "what was found"]).set_index("rule")


def extremes(score: Callable[[dm.RankedList], float]) -> tuple[float, float, int]:
    """The lowest and the highest score of lists that are built, rank by rank, to score high; and how many."""
    found: list[float] = []
    for place in range(LOOKED_AT):
        every, best = pool(0, place), []
        for _ in range(CUTOFF):
            of = {doc: score(every.reordered([*best, doc])) for doc in every.docs if doc not in best}
            best.append(max(of, key=of.get))
            found += of.values()
    return min(found), max(found), len(found)


def table_of_pairs(mine: Mine, parts: object = ...) -> pd.DataFrame:
    """The three pairs, of which the need prefers list A; with a metric its scores, and whether it does."""
    score = scored_by(parts)
    rows = {}
    for k, (a, b) in enumerate(mine.pairs, 1):
        rows[f"pair {k}"] = {"A, the better one": " ".join(a.docs), "B": " ".join(b.docs)}
        if score is not ...:
            of_a, of_b = score(a), score(b)
            told = "yes" if compare_scores(of_a, of_b) > 0 else "no"
            rows[f"pair {k}"] |= {"score of A": of_a, "score of B": of_b, "in order": told}
    return pd.DataFrame.from_dict(rows, "index")
