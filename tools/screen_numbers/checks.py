"""Compare what the screen shows of a widget with the library and with pyndeval."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pyndeval  # type: ignore[import-untyped]

import divmetrics as dm
from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList
from divmetrics.notebook.textformat.lab_text import read_page

EXACT = 1e-9  # what floating-point sums may differ by, beyond the rounding of a shown number
NUMBER = re.compile(r"[-+]?(?:\d[\d,]*)?\.?\d+")
Seen = dict[str, Any]


@dataclass
class Comparison:
    """The numbers compared so far, by what computed them and by their place, and the false ones."""

    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def number(self, where: str, shown: str, value: float, oracle: str = "library") -> None:
        """Compare a shown number, in its own decimals, with `value`; an empty place stands for zero."""
        text = shown.replace("\u2212", "-").replace(",", "").removesuffix("%").strip()
        if not text:
            if abs(value) > EXACT:
                self.wrong.append(f"{where}: nothing is shown, {oracle} has {value!r}")
            return
        self.counts[oracle] += 1
        self.kinds[where.split(":")[0]] += 1
        decimals = len(text.partition(".")[2])
        try:
            off = abs(float(text) - value)
        except ValueError:
            off = float("inf")
        if not off <= 0.5 * 10**-decimals + EXACT:
            self.wrong.append(f"{where}: {shown!r} is shown, {oracle} has {value!r}")

    @property
    def numbers(self) -> int:
        return self.counts["library"] + self.counts["pyndeval"]

    def text(self, where: str, shown: str, expected: str) -> None:
        """Compare words that state a result, and grades and ranks; they do not count as numbers."""
        self.counts["words"] += 1
        self.kinds[where.split(":")[0]] += 1
        if shown != expected:
            self.wrong.append(f"{where}: {shown!r} is shown, expected {expected!r}")


@lru_cache(maxsize=500)
def judged(text: str) -> Judgments:
    """Return the judgments in the text of a lab."""
    return read_page(text).judgments()


def ranked(judgments: Judgments, docs: Iterable[str]) -> RankedList:
    return RankedList(judgments.topic, docs, judgments)


Earned = list[dict[str, Any]]  # contributions: intent, rank and, for an intent-square metric, subtopic


@lru_cache(maxsize=20_000)
def earned(metric: str, text: str, docs: tuple[str, ...]) -> Earned:
    columns = ["intent", "subtopic", "rank", "contribution"]
    rows = dm.explain(metric, ranked(judged(text), docs)).reindex(columns=columns)
    return [dict(zip(columns, row, strict=True)) for row in rows.itertuples(index=False)]


def total(table: Earned, **where: object) -> float:
    """Return the sum of the contributions of an intent, a subtopic or a rank."""
    return float(
        sum(row["contribution"] for row in table if all(row[name] == value for name, value in where.items()))
    )


def check_lab(seen: Seen, text: str, checked: Comparison) -> None:
    """Compare all numbers of a lab with the lists on the screen and the topic in its text."""
    key = re.sub(r"(?m)^(A|B|metrics) .*\n?", "", text)  # the topic alone
    state, judgments = read_page(text), judged(key)
    docs = {side: tuple(row["doc"] for row in listed["rows"]) for side, listed in seen["lists"].items()}
    checked.text("text: lists", str({side: list(at) for side, at in docs.items()}), str(state.lists))
    checked.text("text: metrics", str([row["metric"] for row in seen["scores"]]), str(state.metrics))
    share = {intent.id: intent.probability for intent in judgments.topic.intents}
    for intent, words in seen["shares"]:
        if found := re.search(r"[\d.]+ %", words):
            checked.number(f"share: {intent}", found[0], 100 * share[intent])
    for intent, value in seen["probabilities"]:
        checked.number(f"probability: {intent}", value, share[intent])
    scores = [_check_scores(row, docs, key, judgments, checked) for row in seen["scores"]]
    _check_verdict(seen["verdict"], [score for score in scores if score], checked)
    for side, listed in seen["lists"].items():
        _check_list(side, listed, docs[side], key, judgments, checked)
    if found := re.match(r"Best list for (\S+) \((.+?)\): (.+?) Built from", seen["best"]):
        value = total(earned(found[1], key, tuple(found[3].split(", "))))
        checked.number(f"best: {found[1]} {found[3]}", found[2], value)
    _check_sentences(seen, docs, key, checked)
    if seen["walk"]:
        check_walk(seen["walk"], key, checked)


def _check_scores(
    row: Seen, docs: dict[str, tuple[str, ...]], key: str, judgments: Judgments, checked: Comparison
) -> tuple[float, str] | None:
    """Compare a row of scores, its difference and the list that it prefers; return these two."""
    metric = row["metric"]
    if not row["A"]:
        return None  # a sentence says why it has no score
    values = {side: total(earned(metric, key, docs[side])) for side in docs}
    for side, value in values.items():
        checked.number(f"score: {metric} of {side}", row[side], value)
        theirs = by_pyndeval(metric, judgments, docs[side])
        if theirs is not None:
            checked.number(f"score: {metric} of {side}", row[side], theirs, "pyndeval")
    ahead = values["A"] - values["B"]
    prefers = "" if abs(ahead) < EXACT else "A" if ahead > 0 else "B"
    _, _, _, difference, _, verdict, *_ = row["cells"]
    checked.number(f"difference: {metric}", difference, ahead)
    words = {"A": "◀ A", "B": "▶ B", "": "neither"}[prefers]
    checked.text(f"prefers: {metric}", verdict.removesuffix(" disagrees"), words)
    if prefers:
        said, _, by = row["tug"].partition(" by ")
        checked.text(f"tug: {metric}", said, prefers)
        checked.number(f"tug: {metric}", by, abs(ahead))
    return ahead, prefers


def _check_verdict(verdict: str, scores: Sequence[tuple[float, str]], checked: Comparison) -> None:
    a, b = (sum(prefers == side for _, prefers in scores) for side in "AB")
    if a and b:
        numbers = re.findall(r"(\d+) metrics? prefers? A, (\d+) metrics? prefers? B: they disagree", verdict)
        checked.text("verdict: both", str(numbers), str([(str(a), str(b))]))
    elif a or b:
        numbers = re.findall(r"No disagreement: (\d+) metrics? prefers? ([AB])", verdict)
        checked.text("verdict: one", str(numbers), str([(str(a or b), "A" if a else "B")]))
    else:
        checked.text("verdict: none", verdict, "")


def _check_list(
    side: str, listed: Seen, docs: tuple[str, ...], key: str, judgments: Judgments, checked: Comparison
) -> None:
    """Compare the rows of a list with its judgments, and what each label, row and intent earns."""
    foot = listed["foot"][0]
    metric = foot["name"].removesuffix("=").strip()
    table = earned(metric, key, docs) if metric else None
    for k, row in enumerate(listed["rows"], 1):
        checked.text(f"rank: {side} {row['doc']}", row["rank"], str(k))
        seen = row["doc"] in judgments.position  # by an assessor
        labels = judgments.labels(row["doc"]) if seen else {}
        for label in row["labels"]:
            if "/" not in label["of"]:
                grade = label["grade"].strip("·") or "0"
                expected = str(labels.get(label["of"], 0)) if seen else "?"
                checked.text(f"grade: {row['doc']} {label['of']}", grade, expected)
            if table is not None and label["earned"] is not None and "/" not in label["of"]:
                where = f"label: {metric} {side} {k} {label['of']}"
                if label["earned"]:
                    checked.number(where, label["earned"], total(table, intent=label["of"], rank=k))
        if table is not None:
            checked.number(f"row: {metric} {side} {k}", row["all"], total(table, rank=k))
    if table is None:
        return
    for intent, shown in foot["of"]:
        checked.number(f"intent: {metric} {side} {intent}", shown, total(table, intent=intent))
    checked.number(f"sum: {metric} {side}", foot["sum"], total(table))


BECAUSE = re.compile(r"(\S+) prefers ([AB]) because (.+?) earns? ([\d.]+) there and ([\d.]+) in ([AB])")
EARNS = re.compile(r"List ([AB]), for example. Rank (\d+): .*it (?:earns|costs) (-?[\d.]+) for (.+)\.$")


def _check_sentences(seen: Seen, docs: dict[str, tuple[str, ...]], key: str, checked: Comparison) -> None:
    for metric, winner, intents, there, here, loser in BECAUSE.findall(seen["parts"]):
        for side, shown in ((winner, there), (loser, here)):
            table = earned(metric, key, docs[side])
            named = map(_plain, intents.removesuffix(" together").split(" and "))
            value = sum(total(table, intent=intent) for intent in named)
            checked.number(f"because: {metric} {intents} {side}", shown, value)
    metric = seen["lists"]["A"]["foot"][0]["name"].removesuffix("=").strip()
    if found := EARNS.match(seen["words"]):
        side, rank, shown, intent = found.groups()
        value = total(earned(metric, key, docs[side]), rank=int(rank), intent=_plain(intent))
        checked.number(f"earns: {metric} {side} {rank} {intent}", shown, value)
    for line in seen["factors"] if len(seen["factors"]) == 1 and seen["factors"][0]["product"] else []:
        # Factors are rounded, so their product lies between two ends.
        low = high = 1.0
        for sign, factor in zip(["×", *line["values"][1::2]], line["values"][::2], strict=False):
            half = 0.5 * 10 ** -len(factor.partition(".")[2]) if "." in factor else 0
            near, far = abs(float(factor)) - half, abs(float(factor)) + half
            low, high = (low / far, high / near) if sign == "÷" else (low * near, high * far)
        product = abs(float(line["product"]))
        checked.number(f"factors: {metric} {line['values']}", str(product), min(max(product, low), high))


def _plain(intent: str) -> str:
    """Return the id of an intent; sentences write "intent 1" where it is a number."""
    return re.sub(r"^intent (?=\d+$)", "", intent)


@lru_cache(maxsize=20_000)
def _pyndeval(name: str, qrels: tuple[tuple[str, str, str, int], ...], docs: tuple[str, ...]) -> float:
    run = [("q", doc, -float(k)) for k, doc in enumerate(docs)]
    return float(pyndeval.ndeval(qrels, run, [name])["q"][name])


NDEVAL = {"S-recall": "strec", "alpha-nDCG": "alpha-nDCG", "P-IA": "P-IA", "ERR-IA": "ERR-IA", "NRBP": "NRBP"}


def by_pyndeval(metric: str, judgments: Judgments, docs: tuple[str, ...]) -> float | None:
    """Return pyndeval's score in the library's unit; None if the two define the metric differently here.

    pyndeval weights all judged intents equally, knows no grades, and divides from rank 2 on.
    """
    prefix, _, plain = metric.rpartition(":")
    name, _, depth = plain.partition("@")
    intents = judgments.topic.intents
    labels = {doc: judgments.labels(doc) for doc in judgments.docs}
    qrels = tuple(("q", t.id, doc, int(of.get(t.id, 0) > 0)) for doc, of in labels.items() for t in intents)
    covered = all(any(of.get(t.id) for of in labels.values()) for t in intents)
    if name not in NDEVAL or not depth.isdigit() or not 2 <= int(depth) <= 20 or prefix not in ("", "ndeval"):
        return None
    if not covered or not all(doc in labels for doc in docs):
        return None
    score = _pyndeval(f"{NDEVAL[name]}@{depth}", qrels, docs)
    uniform = max(t.probability for t in intents) - min(t.probability for t in intents) < EXACT
    if prefix or name in ("S-recall", "alpha-nDCG") or (name == "P-IA" and uniform):
        return score
    if name == "ERR-IA" and uniform and judgments.scale == 1:
        return score * sum(0.5 ** (k - 1) / k for k in range(1, int(depth) + 1)) / 2
    return None


def check_walk(seen: Seen, key: str, checked: Comparison) -> None:
    """Compare the baskets of a walk with what the library says of each rank."""
    found = re.search(r"in the end (\S+) = ([-\d.]+)", seen["end"][0])
    if not found:
        return
    metric, docs, judgments = found[1], tuple(row["doc"] for row in seen["rows"]), judged(key)
    table = earned(metric, key, docs)
    checked.number(f"walk end: {metric}", found[2], total(table))
    step = int(seen["step"])
    for k, row in enumerate(seen["rows"], 1):
        if k <= step and row["holds"]:
            checked.number(f"walk basket: {metric} {k}", row["holds"], total(table, rank=k))
    above = [row for row in table if row["rank"] <= step]
    shown = [seen["end"][-1], *re.findall(r"score is (-?[\d.]+) so far", seen["words"])]
    for number in filter(None, shown):
        checked.number(f"walk sum: {metric} {step}", number, total(above))
    if not re.match(r"ERR-IA(@|$)", metric):
        return
    for intent in judgments.topic.intents:
        left = 100 * intent.probability
        for doc in docs[:step]:
            grade = judgments.labels(doc).get(intent.id, 0) if doc in judgments.position else 0
            left *= 1 - (2**grade - 1) / 2**judgments.scale
        if here := re.match(r"[\d.]+", dict(seen["tiles"]).get(intent.id, "")):
            checked.number(f"readers: {intent.id} {step}", here[0], left)


def check_tables(seen: Seen, key: str, checked: Comparison, docs: tuple[str, ...] = ()) -> None:
    """Compare tables of contributions, intents or subtopics down and ranks across."""
    for shown in seen["tables"]:
        metric = shown["metric"]
        table = earned(metric, key, docs or tuple(shown["docs"]))
        below = isinstance(table[0]["subtopic"], str)
        for row in shown["rows"]:
            intent, _, subtopic = row["of"].partition("/")
            where = {"intent": intent, **({"subtopic": subtopic} if below else {})}
            if below and not subtopic:
                continue  # the heading of its subtopics
            for k, cell in enumerate(row["cells"][:-1], 1):
                if cell:
                    checked.number(f"cell: {metric} {row['of']} {k}", cell, total(table, rank=k, **where))
            checked.number(f"cells of: {metric} {row['of']}", row["cells"][-1], total(table, **where))
        for k, cell in enumerate(shown["foot"][:-1], 1):
            checked.number(f"cells at: {metric} {k}", cell, total(table, rank=k))
        checked.number(f"cells: {metric}", shown["foot"][-1], total(table))


def check_hierarchy(seen: Seen, key: str, checked: Comparison) -> None:
    """Compare the two scores of a list at both levels of subtopics, and their tables."""
    judgments = judged(key)
    if not all(intent.children for intent in judgments.topic.intents):
        return  # the text is of a lab with other judgments
    docs = tuple(row["doc"] for row in seen["lists"]["A"]["rows"])
    _check_list("A", seen["lists"]["A"], docs, key, judgments, checked)
    for card in seen["cards"]:
        metric, _, score = card["score"].rpartition(" ")
        if "@" in metric:
            checked.number(f"card: {metric}", score, total(earned(metric, key, docs)))
            top = docs[: dm.metric(metric).cutoff]
            if card["count"].endswith("intents served"):
                labels = [judgments.labels(doc) for doc in top if doc in judgments.position]
                ids = [t.id for t in judgments.topic.intents]
                served = sum(any(of.get(i, 0) for of in labels) for i in ids)
                checked.text(f"served: {metric}", card["count"], f"{served} of {len(ids)} intents served")
    check_tables(seen, key, checked, docs)


def check_finder(seen: Seen, key: str, checked: Comparison) -> None:
    """Compare the scores of the two lists that the finder shows."""
    docs = {side: tuple(doc for doc, _ in of) for side, of in seen["docs"].items()}
    for metric, a, b, difference, prefers in seen["scores"]:
        values = {side: total(earned(metric, key, docs[side])) for side in docs}
        checked.number(f"finder: {metric} A", a, values["A"])
        checked.number(f"finder: {metric} B", b, values["B"])
        checked.number(f"finder difference: {metric}", difference, values["A"] - values["B"])
        checked.text(f"finder prefers: {metric}", prefers, "◀ A" if values["A"] > values["B"] else "▶ B")


def check_judge(
    seen: Seen, answers: Sequence[tuple[str, Sequence[Sequence[str]], str]], key: str, checked: Comparison
) -> None:
    """Compare how often a metric chose as the user, whose answers are (question, both lists, answer)."""
    for table in seen["outcomes"]:
        own = [(lists, answer) for question, lists, answer in answers if question == table["question"]]
        decided = [(lists, answer) for lists, answer in own if answer != "same"]
        better, same = re.findall(r"\d+", table["count"])
        checked.number("judge: better", better, len(decided))
        checked.number("judge: same", same, len(own) - len(decided))
        for metric, agrees, disagrees, tied, tau, _ in table["rows"]:
            counts = Counter[int]()
            for (left, right), answer in decided:
                ahead = total(earned(metric, key, tuple(left))) - total(earned(metric, key, tuple(right)))
                counts[0 if abs(ahead) < EXACT else 1 if (ahead > 0) == (answer == "left") else -1] += 1
            for name, shown, sign in (("agrees", agrees, 1), ("disagrees", disagrees, -1), ("tied", tied, 0)):
                checked.number(f"judge: {metric} {name}", shown, counts[sign])
            checked.number(f"judge: {metric} tau", tau, (counts[1] - counts[-1]) / len(decided))
