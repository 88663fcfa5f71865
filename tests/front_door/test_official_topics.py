"""Topics as organisers print them: kinds, rounded probabilities, XML of TREC, INTENT and IMine, queries only.

The layouts are those of public files: TREC Web 2009 to 2014 (2011 has the kinds `inv` and `inav`), NTCIR-9
INTENT, NTCIR-11 IMine (its Japanese topics have some without subtopics), NTCIR WWW, FedWeb, TREC-COVID.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import divmetrics as dm
from tests.support.doors import Case, Door, through_every_door
from tests.support.refused_files import written

JUDGED = [("1", "1", "a", 1), ("1", "2", "b", 1)]
RUN = [("1", "a", 9.0), ("1", "b", 8.0)]
# A user of intent 1 stops at a with probability 1/2; one of intent 2, at b, whose discount is 1/2: p/2 + q/4.
EQUAL, SIXTY_TO_FORTY, THIRDS = 0.375, 0.4, 0.25
NO_INTENTS = "leave the topics out"

WEB = """<webtrack2011><topic number="1" type="faceted"><query>q</query><description>d</description>
<subtopic number="1" type="inf">x</subtopic>
<subtopic number="2" type="nav">y</subtopic></topic></webtrack2011>
"""
INTENT = """<topics><topic number="1"><query>q</query>
<intent number="1" probability="0.6"><description>x &amp; y</description></intent>
<intent number="2" probability="0.4"><description>\u5148\u77e5</description></intent></topic></topics>
"""
IMINE = """<root><topic content="q" id="1">
<fls content="x" poss="0.6"><sls content="x1" poss="0.3"/><sls content="x2" poss="0.3"/></fls>
<fls content="y" poss="0.4"><sls content="y1" poss="0.4"/></fls></topic></root>
"""
IMINE_JSON = """[{"id": 1, "title": "q", "type": "broad", "fls": [
{"id": 1, "label": "x", "probability": 60}, {"id": 2, "label": "y", "probability": 40}]}]
"""
BARE = '<topic number="2" type="faceted"><query>r</query><description>e</description></topic>'


def topics_file(
    name: str, text: str | bytes, scores: Any = None, *facts: str, choice: str | None = None
) -> Case:
    """An input that only a file can hold."""
    return Case(name, JUDGED, RUN, scores=scores, facts=facts, topics_text=text, probabilities=choice)


def mapping(
    name: str, values: tuple[float, ...], scores: Any = None, *facts: str, choice: str | None = None
) -> Case:
    """Probabilities of the intents 1, 2, ... of the topic, through every door."""
    topics = {"1": {str(i): p for i, p in enumerate(values, 1)}}
    return Case(name, JUDGED, RUN, scores=scores, facts=facts, topics=topics, probabilities=choice)


KINDS = [
    topics_file(
        "a kind is misprinted",
        WEB.replace("nav", "inv"),
        EQUAL,
        "1 of kind 'inv'",
        "topics:3",
        "informational",
    ),
    topics_file(
        "two kinds are misprinted",
        WEB.replace("nav", "inav").replace('"inf"', '"inv"'),
        EQUAL,
        "2 intent(s)",
        "'inv'",
        "'inav'",
    ),
    topics_file(
        "kinds in capitals and at length", WEB.replace("nav", "NAV ").replace("inf", "Informational"), EQUAL
    ),
    topics_file("no kinds", re.sub(' type="(inf|nav)"', "", WEB), EQUAL),
    topics_file("an empty kind", WEB.replace("nav", ""), EQUAL),
    topics_file(
        "an unknown kind of NTCIREVAL", "1 1 0.6 nav\n1 2 0.4 trans\n", SIXTY_TO_FORTY, "'trans'", "topics:2"
    ),
]
PROBABILITIES = [
    mapping("rounded to two digits", (0.33, 0.33, 0.33), None, "topic 1", "0.99", "normalise"),
    mapping("rounded to two digits, normalised", (0.33, 0.33, 0.33), THIRDS, choice="normalise"),
    mapping("rounded to three digits", (0.333, 0.333, 0.333), 0.333 * 0.75, "0.999"),
    mapping("rounded to three digits, normalised", (0.333, 0.333, 0.333), THIRDS, choice="normalise"),
    mapping("rounded up", (0.334, 0.334, 0.333), 0.334 * 0.75, "1.001"),
    mapping("percentages", (33, 33, 34), None, "topic 1", "sum to 100", "normalise"),
    mapping("percentages, normalised", (33, 33, 34), 0.33 * 0.75, choice="normalise"),
    mapping("percentages, uniform", (60, 20, 20), THIRDS, choice="uniform"),
    mapping("all zero", (0, 0), None, "sum to 0", "normalise"),
    mapping("all zero, normalised", (0, 0), EQUAL, "topic 1", "taken to be equal", choice="normalise"),
    mapping(
        "a negative one, normalised", (1.5, -0.5), None, "intent 2 of topic 1", "-0.5", choice="normalise"
    ),
    topics_file(
        "a table of pandas",
        pd.DataFrame([(1, 1, 0.6), (1, 2, 0.4)], columns=["topic", "intent", "probability"]).to_csv(),
        SIXTY_TO_FORTY,
    ),
    topics_file(
        "columns in another order",
        "kind;probability;query_id;subtopic_id\ninf;0.6;1;1\nnav;0.4;1;2\n",
        SIXTY_TO_FORTY,
    ),
    topics_file(
        "a fault below a heading", "topic intent probability\n1 1 0.6\n1 2 x\n", None, "topics:3", "'x'"
    ),
    topics_file("percentages with kinds", "1 1 60 nav\n1 2 40 inf\n", SIXTY_TO_FORTY, choice="normalise"),
    topics_file("IMine's JSON in percent", IMINE_JSON, None, "topics:1", "100", "normalise"),
    topics_file("IMine's JSON in percent, normalised", IMINE_JSON, SIXTY_TO_FORTY, choice="normalise"),
    topics_file("IMine's XML, rounded", IMINE.replace('"0.6"', '"0.58"'), None, "0.98", choice="flat"),
    topics_file(
        "IMine's XML, normalised",
        IMINE.replace('"0.6"', '"6"').replace('"0.4"', '"4"'),
        SIXTY_TO_FORTY,
        choice="normalise",
    ),
]
INTENTS = [
    topics_file("INTENT", INTENT, SIXTY_TO_FORTY),
    topics_file(
        "INTENT, attributes in the other order",
        re.sub('(number=".") (prob[^>]*)', r"\2 \1", INTENT),
        SIXTY_TO_FORTY,
    ),
    topics_file(
        "INTENT in capitals", re.sub(r"</?\w+|\w+=", lambda match: match[0].upper(), INTENT), SIXTY_TO_FORTY
    ),
    topics_file(
        "INTENT, CRLF, comments and CDATA",
        INTENT.replace("x &amp;", "<!-- <intent> --><![CDATA[x & ]]>").replace("\n", "\r\n"),
        SIXTY_TO_FORTY,
    ),
    topics_file("INTENT with a DTD", "<!DOCTYPE topics SYSTEM 'intent.dtd'>" + INTENT, SIXTY_TO_FORTY),
    topics_file(
        "INTENT in GB18030",
        f"<?xml version='1.0' encoding='GB18030'?>{INTENT}".encode("gb18030"),
        SIXTY_TO_FORTY,
    ),
    topics_file(
        "INTENT below an empty line", f"\n<?xml version='1.0' encoding='utf8'?>\n{INTENT}", SIXTY_TO_FORTY
    ),
    topics_file("INTENT without a root element", re.sub("</?topics>", "", INTENT), SIXTY_TO_FORTY),
    topics_file(
        "INTENT in percent",
        INTENT.replace("0.6", "60").replace("0.4", "40"),
        None,
        "topics:1",
        "100",
        "normalise",
    ),
    topics_file(
        "INTENT in percent, normalised",
        INTENT.replace("0.6", "60").replace("0.4", "40"),
        SIXTY_TO_FORTY,
        choice="normalise",
    ),
    topics_file("subtopics with probabilities", INTENT.replace("intent", "subtopic"), SIXTY_TO_FORTY),
    topics_file(
        "INTENT in GB18030 that is not declared",
        INTENT.encode("gb18030"),
        None,
        "topics:3",
        "not UTF-8",
        "declare",
    ),
    topics_file(
        "INTENT in UTF-16",
        f"<?xml version='1.0' encoding='UTF-16'?>{INTENT}".encode("utf-16"),
        SIXTY_TO_FORTY,
    ),
    topics_file(
        "an intent has no probability",
        INTENT.replace(' probability="0.4"', ""),
        None,
        "topics:3",
        "<intent> has no probability",
    ),
    topics_file("a probability in words", INTENT.replace("0.4", "high"), None, "topics:3", "'high'"),
    topics_file(
        "an intent twice",
        INTENT.replace('number="2"', 'number="1"'),
        None,
        "topics:3",
        "first at",
        "topics:2",
    ),
]
WITHOUT_INTENTS = [
    Case(
        "a topic without subtopics",
        [*JUDGED, ("2", "0", "a", 1)],
        [*RUN, ("2", "a", 9.0)],
        scores={"1": EQUAL, "2": 0.5},
        facts=("1 topic(s) have no subtopics (2)",),
        topics_text=WEB.replace("</web", f"{BARE}</web"),
    ),
    topics_file(
        "a single topic",
        WEB.replace("</web", BARE.replace("faceted", "single") + "</web"),
        EQUAL,
        "1 topic(s) of the topics file have no judgments",
    ),
    topics_file(
        "no topic has intents",
        f"<topics>{BARE.replace('2', '1')}</topics>",
        None,
        "topics:1",
        "none of the 1 topic(s)",
        NO_INTENTS,
    ),
    topics_file(
        "NTCIR WWW",
        "<queries><query><qid>1</qid><content>q</content></query></queries>",
        None,
        "<query> with qid and content in <queries>",
        NO_INTENTS,
    ),
    topics_file(
        "topics by id",
        '<topics><topic id="1"><query>q</query></topic></topics>',
        None,
        "<topic> with id and query in <topics>",
        NO_INTENTS,
    ),
    topics_file(
        "TREC's ad hoc topics",
        "<top>\n<num> Number: 1\n<title> q\n</top>\n",
        None,
        "ad hoc topics (<top>)",
        NO_INTENTS,
    ),
    topics_file(
        "FedWeb's queries",
        "1:LHC collision publications\n2:z-machine\n",
        None,
        "topics:1",
        "queries only",
        NO_INTENTS,
    ),
    topics_file(
        "queries by tabs", "1\twhat is a plan\n2\twhere\n", None, "topics:1", "queries only", NO_INTENTS
    ),
    topics_file("two files in one", WEB + WEB, None, "topics:4", "one file at a time"),
    topics_file(
        "an entity of HTML",
        INTENT.replace("&amp;", "&eacute;"),
        None,
        "topics:2",
        "undefined entity",
        "write the character",
    ),
]
CASES = [*KINDS, *PROBABILITIES, *INTENTS, *WITHOUT_INTENTS]


@through_every_door(CASES)
def test_the_doors_decide_alike(case: Case, door: Door, tmp_path: Path) -> None:
    case.check(door, tmp_path)


def test_intents_of_ntcir_have_texts(tmp_path: Path) -> None:
    (topic,) = dm.read_topics(written(tmp_path, INTENT))
    assert (topic.id, topic.title) == ("1", "q")
    read = [(intent.id, intent.probability, intent.label) for intent in topic.intents]
    assert read == [("1", 0.6, "x & y"), ("2", 0.4, "\u5148\u77e5")]


def test_normalise_divides_on_both_levels(tmp_path: Path) -> None:
    doubled = re.sub("0[.]([346])", lambda match: f"0.{2 * int(match[1]):02}", IMINE)
    (topic,) = dm.read_topics(written(tmp_path, doubled), "normalise")
    assert [intent.probability for intent in topic.intents] == pytest.approx([0.6, 0.4])
    assert [[e.probability for e in t.children] for t in topic.intents] == [[0.5, 0.5], [1.0]]


def test_topics_without_subtopics_are_counted_once(tmp_path: Path) -> None:
    bare = "".join(f'<topic content="r" id="{number}"/>' for number in range(2, 9))
    path = written(tmp_path, IMINE.replace("</root>", f"{bare}</root>"))
    with pytest.warns(
        dm.DivmetricsWarning, match=r"7 topic\(s\) have no subtopics \(2, .* and 2 more\)"
    ) as caught:
        topics = dm.read_topics(path, "flat")
    assert len(caught) == 1
    assert [intent.id for intent in topics[-1].intents] == ["0"]


def test_a_table_with_kinds() -> None:
    table = pd.DataFrame(
        {"qid": [1, 1], "intent": ["a", "b"], "probability": [60, 40], "kind": ["nav", "trans"]}
    )
    with pytest.warns(
        dm.DivmetricsWarning, match=r"1 of kind 'trans'; the first is intent b of topic 1 at .*row 1"
    ):
        (topic,) = dm.read_topics(table, "normalise")
    assert [(t.id, t.probability, t.kind) for t in topic.intents] == [
        ("a", 0.6, "navigational"),
        ("b", 0.4, "informational"),
    ]


def test_topics_in_memory_may_be_any_iterable() -> None:
    topics = dm.read_topics({"1": {"1": 0.6, "2": 0.4}})
    judgments, run = {"1": {"a": {"1": 1}, "b": {"2": 1}}}, {"1": ["a", "b"]}
    for source in (
        topics,
        list(topics),
        iter(topics),
        topics[0],
        {"1": topics[0]},
        {"1": topics[0]}.values(),
    ):
        assert dm.evaluate(judgments, run, ["ERR-IA@5"], source)["score"].tolist() == [SIXTY_TO_FORTY]


@pytest.mark.parametrize(
    ("source", "choice", "fact"),
    [
        ({"1": 0.5}, None, "holds 0.5"),
        ({"1": {}}, None, "topic 1 has no intent"),
        ({"1": {"a": "0.5"}}, None, "intent a of topic 1 has the probability '0.5'"),
        ([{"id": 1}], None, "holds {'id': 1}"),
        (None, None, "holds None"),
        (dm.Topic("1", (dm.Intent("a", 1.0),)), "uniform", "Topic objects, whose probabilities are final"),
        ({"1": {"a": 1}, 1: {"b": 1}}, "normalise", "topic 1 is given again"),
    ],
)
def test_topics_in_memory_that_are_refused(source: Any, choice: str | None, fact: str) -> None:
    with pytest.raises(dm.DivmetricsError) as caught:
        dm.read_topics(source, choice)
    assert str(caught.value).startswith("topics: ")
    assert fact in str(caught.value)
