"""What a page without a kernel holds of a lab, read as a browser reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import divmetrics as dm
from divmetrics.research.counterfactual import Goal
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.factors import factors

# Ids that are words, digits and letters of the sentences that tell of them.
DOCS = ["film", "1", "grade", "s", "unjudged"]


def test_a_sentence_is_whole_whatever_its_document_is_called() -> None:
    """As `factors` tells it with a kernel."""
    topic = dm.Topic("potter", (dm.Intent("film", 0.6), dm.Intent("book", 0.4)))
    judged = {"film": {"film": 2}, "1": {"film": 1, "book": 1}, "grade": {"book": 2}, "s": {"film": 1}}
    lab = RankedListLab(dm.RankedList(topic, DOCS, judged), metrics=["ERR-IA@5"])
    measure, held = lab._scorer(), lab._tables()
    texts = factors(dm.metric("ERR-IA@5"), measure, {"A": DOCS})["lists"]["A"]
    above = [0] * len(topic.intents)  # relevant documents
    for k, doc in enumerate(DOCS):
        for i in range(len(topic.intents)):
            stands = held["standing"][i][held["docs"].index(doc)]
            words = stands[above[i]] if len(stands) > 1 else stands[0]
            sentence = held["words"]["cell"].format(
                rank=k + 1, doc=doc, stands=words, does="{does}", intent=topic.intents[i].id
            )
            before, after = sentence.split("{does}")
            assert texts[doc][i][0].startswith(before)
            assert texts[doc][i][0].endswith(after)
            above[i] += len(stands) > 1


@pytest.mark.parametrize("probabilities", [(0.5, 0.5), (0.0, 1.0), (1.0, 0.0)])
def test_a_goal_says_that_it_is_for_the_readers_of_its_page(probabilities: tuple[float, ...]) -> None:
    """The sentence of a lab with a kernel whose readers are mixed otherwise."""
    intents = [dm.Intent(name, p) for name, p in zip(("film", "book"), probabilities, strict=True)]
    topic = dm.Topic("potter", tuple(intents))
    a = dm.RankedList(topic, ["x", "y"], {"x": {"film": 2, "book": 2}, "y": {"film": 1, "book": 1}})
    lab = RankedListLab(a, a.reordered(["y", "x"]), goal=Goal("ERR-IA@5"))
    sentence = lab._tables()["goal"]["mixed"]
    page = lab.page
    mixed = [{**t, "probability": p} for t, p in zip(page.topic["intents"], (0.4, 0.6), strict=True)]
    lab._show(replace(page, topic={**page.topic, "intents": mixed}))
    assert sentence
    assert sentence == lab._results["goal"]["problem"]
