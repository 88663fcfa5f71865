"""PreferenceJudge: a reader says which of two lists is better, and sees which metrics agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from divmetrics import datasets
from divmetrics.core import checks
from divmetrics.core.batch import batch_lists
from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets import tables_html
from divmetrics_widgets.judge_pairs import Pair, check_pairs, harry_potter_pairs, pair_to_json
from divmetrics_widgets.judge_tables import agreement_tables, describe_outcome
from divmetrics_widgets.judge_words import describe_agreement
from divmetrics_widgets.lab import RankedListLab
from divmetrics_widgets.lab_below import EmbeddedLabMixin
from divmetrics_widgets.messages import one_of, record, several, whole
from divmetrics_widgets.tool import Module

if TYPE_CHECKING:
    import pandas as pd

METRICS = ("nDCG@5", "S-recall@5", "ERR-IA@5", "alpha-nDCG@5", "D#-nDCG@5")
QUESTIONS = {
    "relevance": "Which list has more useful results?",
    "diversity": "Which list has something for more kinds of readers?",
}
SIDES = ("left", "right")
PREFERENCE = {"left": 1, "same": 0, "right": -1}  # the coding of divmetrics.research.meta.agreement
CONFIDENCE = 0.95


class PreferenceJudge(EmbeddedLabMixin):
    """Pairs of lists, questions about each pair, and how often metrics agree with the answers.

    Parameters
    ----------
    pairs : Collection or iterable of pairs of RankedList, optional
        Pairs of lists of one topic with the same judgments and different names, or a collection (all pairs of
        its runs on each of its topics); by default ten pairs of the query "harry potter", drawn at random.
    metrics : str or iterable of str
        Names such as "ERR-IA@5"; five metrics at cutoff 5 by default.
    questions : mapping of str to str
        The questions about every pair, {name: question}, at least one; by default "relevance" (more useful
        results?) and "diversity" (something for more kinds of readers?).
    about : mapping of str to str, optional
        A short description of documents, {document: description}; the others have none. Required for `pairs`
        without `labels`: every list needs a document with a description.
    labels : bool
        Whether to display intents and grades beside the documents. A judge should not see them, unless there
        is nothing else to judge by.
    depth : int
        The number of documents of each list to display and score, at least 1.
    seed : int
        The seed, at least 0, of the draw, and of which list of a pair is placed on the left.

    Raises
    ------
    DivmetricsError
        If there is no metric of a name, a metric lacks a cutoff that it needs, there is no pair or no
        question, two lists of a pair have different topics or judgments or the same name, a list has no
        description without `labels`, or a number is out of range; if `answers` is set to something else.

    Notes
    -----
    `answers` holds one of "left", "same", "right" or "" for each question of each pair, in the
    order of the questions; it may be observed, stored, and set again. `results`, `agreement()` and
    `disagreements()` are tables, `sentences()` says in words how often each metric chose as the reader did,
    and `lab(3)` opens pair 3 in a RankedListLab.

    Examples
    --------
    >>> PreferenceJudge(metrics="ERR-IA@5")
    <PreferenceJudge: 10 pairs of lists, 2 questions about each, 0 of 20 answered>
    """

    _esm = Module("judge.js", ("judge.css",))
    _hears = staticmethod(record(open=whole(1), token=whole(0)))
    _pairs: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _questions: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _found: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _ends = traitlets.Int(0).tag(sync=True, echo_update=False, reads=whole(0))
    _compared = traitlets.Int(0).tag(sync=True, echo_update=False)  # the value of _ends for _found
    answers: traitlets.List[Any] = traitlets.List().tag(
        sync=True, echo_update=False, reads=several(one_of(["", *PREFERENCE]))
    )

    def __init__(
        self,
        pairs: Collection | Iterable[Pair] | None = None,
        *,
        metrics: Iterable[str] | str = METRICS,
        questions: Mapping[str, str] = QUESTIONS,
        about: Mapping[str, str] | None = None,
        labels: bool = False,
        depth: int = 10,
        seed: int = 0,
    ) -> None:
        for name, number, least in (("depth", depth, 1), ("seed", seed, 0)):
            checks.check_whole(name, number, least)
        if not isinstance(questions, Mapping) or not questions:
            raise DivmetricsError(
                f"the questions are {questions!r}, expected at least one, as {{name: question}}"
            )
        self._metrics = [metric_named(m) for m in ([metrics] if isinstance(metrics, str) else metrics)]
        rng = np.random.default_rng(seed)
        if pairs is None:
            pairs, about = harry_potter_pairs(rng), about or datasets.harry_potter_documents()
        self._about = dict(about or {})
        truncated = [
            (a.reordered(a.docs[:depth]), b.reordered(b.docs[:depth])) for a, b in check_pairs(pairs)
        ]
        self._lists = [(b, a) if rng.random() < 0.5 else (a, b) for a, b in truncated]
        self._names = list(questions)
        super().__init__(
            _pairs=[pair_to_json(*pair, self._about, labels) for pair in self._lists],
            _questions=list(questions.values()),
            answers=[""] * (len(self._lists) * len(questions)),
        )
        self._scores = list(self._measured())
        self._pages: dict[int, LabState] = {}
        self._set_place(" ".join(pair["title"] for pair in self._pairs))
        # A trait rather than a message, which could overtake the last answers.
        self.observe(self._compare, "_ends")
        self.on_msg(self._on_message)

    @traitlets.validate("answers")
    def _validate_answers(self, proposal: Any) -> list[str]:
        answers, steps = proposal["value"], len(self._lists) * len(self._names)
        if len(answers) != steps or not all(answer in ("", *PREFERENCE) for answer in answers):
            raise DivmetricsError(
                f"the answers are {answers!r}, expected {steps}, each of them {', '.join(PREFERENCE)}, or an "
                "empty text for none"
            )
        return list(answers)

    def _check_written(self, written: dict[str, Any]) -> None:
        if "answers" in written:
            self._validate_answers({"value": written["answers"]})

    @property
    def results(self) -> pd.DataFrame:
        """A DataFrame with a row for each answer so far; empty without answers.

        Columns pair (from 1), topic (its id), left, right (the names of the runs), question (its name),
        answer ("left", "same", "right"), preference (1 for left, 0 for the same, -1 for right, as
        `divmetrics.research.meta.agreement` takes it).
        """
        import pandas as pd

        rows = [
            (number, left.topic.id, left.run, right.run, name, answer, PREFERENCE[answer])
            for (number, (left, right), name), answer in zip(self._steps(), self.answers, strict=True)
            if answer
        ]
        columns = ["pair", "topic", "left", "right", "question", "answer", "preference"]
        return pd.DataFrame(rows, columns=columns)

    def agreement(self, *, confidence: float = 0.95) -> pd.DataFrame:
        """Count how often each metric prefers the list that the reader prefers, question by question.

        Pairs that the reader judges about the same are left out.

        Parameters
        ----------
        confidence : float
            The confidence level of the interval, between 0 and 1.

        Returns
        -------
        DataFrame
            One row per question and metric. Columns question (its name), metric; agree, disagree, ties
            (numbers of pairs of lists on which the metric prefers the reader's list, the other one, and
            neither); pairs (their sum); tau ((agree - disagree) / pairs); low, high (its interval, nan for 6
            pairs or fewer).

        Raises
        ------
        DivmetricsError
            If the reader has not preferred any list yet, or `confidence` is not between 0 and 1.
        """
        import pandas as pd

        from divmetrics.research.meta.agreement import agreement

        scores = self._table_of_scores()
        tables = [
            agreement(scores, rows, confidence=confidence).assign(question=name)
            for name, rows in self._decided().groupby("question", sort=False)
        ]
        return pd.concat(tables, ignore_index=True).set_index("question").reset_index()

    def sentences(self, *, confidence: float = CONFIDENCE) -> dict[str, list[str]]:
        """Describe by question how often each metric chose as the reader did, and whether a coin might.

        A coin might if 1/2 lies in the interval of Clopper & Pearson (1934) for the share of the pairs on
        which the metric prefers a list.

        Parameters
        ----------
        confidence : float
            The confidence level of the interval, between 0 and 1.

        Returns
        -------
        dict of str to list of str
            {name of a question: sentences}, one sentence per metric; no entry for a question without a
            preference.

        Raises
        ------
        DivmetricsError
            If the reader has not preferred any list yet, or `confidence` is not between 0 and 1.
        """
        table = self.agreement(confidence=confidence)
        return {
            str(name): [
                describe_agreement(metric, agree, disagree, ties, confidence)["words"]
                for metric, agree, disagree, ties in _counts_by_metric(rows)
            ]
            for name, rows in table.groupby("question", sort=False)
        }

    def disagreements(self) -> pd.DataFrame:
        """Return the pairs on which a metric prefers the list that the reader does not prefer.

        Returns
        -------
        DataFrame
            One row per case, none if there is no case. Columns question (its name), metric, pair (from 1, as
            in `lab`).

        Raises
        ------
        DivmetricsError
            If the reader has not preferred any list yet.
        """
        import pandas as pd

        from divmetrics.research.meta.agreement import agreement_outcomes

        scores, pairs_against = self._table_of_scores(), []
        for name, rows in self._decided().groupby("question", sort=False):
            for metric, outcomes in agreement_outcomes(scores, rows).items():
                pairs = rows["pair"].to_numpy()[outcomes.to_numpy() < 0]
                pairs_against += [(name, metric, pair) for pair in pairs.tolist()]
        return pd.DataFrame(pairs_against, columns=["question", "metric", "pair"])

    def lab(self, pair: int) -> RankedListLab:
        """Open a pair in a lab with all the metrics; the list on the left is A.

        There is one lab, in which each pair replaces the one before.

        Parameters
        ----------
        pair : int
            The number of the pair, from 1.

        Returns
        -------
        RankedListLab
            The lab.

        Raises
        ------
        DivmetricsError
            If there is no pair of this number.
        """
        checks.check_whole("pair", pair, 1, most=len(self._lists))
        if pair not in self._pages:
            left, right = self._lists[pair - 1]
            self._pages[pair] = LabState.of(left, right, list(map(str, self._metrics)), self._about)
        return self._lab_of(self._pages[pair])

    def _on_message(self, _: Any, content: Any, __: Any) -> None:
        def act() -> None:
            self.lab(content["open"])
            self._opened, self._problem = True, ""

        self._do(content["token"], act)

    def _decided(self) -> pd.DataFrame:
        """Return the preferences as `divmetrics.research.meta.agreement` reads them."""
        decided = self.results.query("preference != 0")
        if not len(decided):
            raise DivmetricsError("no list has been preferred yet; answer left or right at least once")
        # Each pair is a topic of its own, since the names of its lists need not be unique beyond it.
        return decided.assign(topic=decided["pair"], left="left", right="right")

    def _table_of_scores(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self._scores, columns=["run", "topic", "metric", "score"])

    def _steps(self) -> Iterator[tuple[int, Pair, str]]:
        """Yield the steps in order: the number of a pair, the pair, the name of a question."""
        for number, pair in enumerate(self._lists, 1):
            yield from ((number, pair, name) for name in self._names)

    def _measured(self) -> Iterator[tuple[str, int, str, float]]:
        for number, pair in enumerate(self._lists, 1):
            lists = batch_lists(pair)
            for metric in self._metrics:
                for side, score in zip(SIDES, metric.scores(lists)[0].tolist(), strict=True):
                    yield side, number, str(metric), score

    def _compare(self, *_: Any) -> None:
        """Compute how often each metric agrees, and on which pairs it does not, for the browser."""
        preferred = bool(set(SIDES) & set(self.answers))
        table = self.agreement(confidence=CONFIDENCE) if preferred else None
        against = self.disagreements() if preferred else None
        results = self.results
        results_by_question = []
        for name in self._names:
            answers = results[results["question"] == name]
            rows = []
            if table is not None and against is not None:
                pairs_against = against[against["question"] == name].groupby("metric")["pair"].agg(list)
                rows = [
                    {
                        "metric": metric,
                        "pairs": pairs_against.get(metric, []),
                        **describe_outcome(metric, agree, disagree, ties, CONFIDENCE),
                    }
                    for metric, agree, disagree, ties in _counts_by_metric(table[table["question"] == name])
                ]
            decided = int((answers["preference"] != 0).sum())
            results_by_question.append(
                {"name": name, "decided": decided, "same": len(answers) - decided, "rows": rows}
            )
        with self.hold_sync():
            self._found, self._compared = results_by_question, self._ends

    def _tables(self) -> dict[str, Any]:
        return {
            "names": self._names,
            **agreement_tables(self._table_of_scores(), len(self._lists), SIDES, CONFIDENCE),
        }

    def __repr__(self) -> str:
        answered = sum(map(bool, self.answers))
        return (
            f"<PreferenceJudge: {len(self._lists)} pairs of lists, {len(self._names)} questions about each, "
            f"{answered} of {len(self.answers)} answered>"
        )

    def static_html(self) -> str:
        """Return the topic, the questions, and the first pair."""
        pair = self._pairs[0]
        intents = ", ".join(f"{escape(label)} {share:.0%}" for label, share in pair["intents"])
        questions = "".join(f"<li>{escape(question)}</li>" for question in self._questions)
        docs = {side: [doc for doc, *_ in listed] for side, listed in zip(SIDES, pair["sides"], strict=True)}
        about = {doc: f"{text} {labels}".strip() for listed in pair["sides"] for doc, text, labels in listed}
        return (
            f"<p><b>{escape(pair['title'])}</b>. Readers may mean: {intents}.</p>"
            f"<p>Pair 1 of {len(self._pairs)}. Left, about the same, or right?</p><ul>{questions}</ul>"
            f"{tables_html.lists_table(docs, about)}"
        )


def _counts_by_metric(table: pd.DataFrame) -> Iterator[Any]:
    """Iterate over the rows of a table of agreement, as (metric, agree, disagree, ties)."""
    return table[["metric", "agree", "disagree", "ties"]].itertuples(index=False, name=None)
