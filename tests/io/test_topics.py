"""Topics: TREC Web track XML, IMine's two forms, and what neither of them is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from divmetrics.core.topics import Intent, Topic
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import load_qrel_columns, read_qrels, read_topics

WEB = """<?xml version="1.0"?>
<!DOCTYPE webtrack2012 [
  <!ELEMENT webtrack2012 (topic)*>
  <!ATTLIST subtopic type (nav|inf) "inf">
]>
<webtrack2012>
<!-- a comment with <topic number="9"> in it -->
<topic number="wt12-151" type="faceted">
  <query>bicycle
     repair</query>
  <description> How are bicycles repaired? </description>
  <subtopic number="1" type="inf"> How is a
    flat tyre repaired? </subtopic>
  <subtopic number="2" type="nav">Find a shop &amp; its address.</subtopic>
  <subtopic number="3">What tools are needed?</subtopic>
</topic>
<topic number="201" type="single">
  <query>spoke</query><description>What is a spoke?</description>
</topic>
</webtrack2012>
"""

IMINE = """<?xml version='1.0' encoding='utf8'?>
<root><topic content="jaguar" id="0051">
<fls content="jaguar_animal" poss="0.75"><examples><example>jaguar cat</example></examples>
<sls content="jaguar_animal_food" poss="0.4"><example>prey</example></sls>
<sls content="jaguar_animal_zoo" poss="0.1" /></fls>
<fls content="jaguar_car" poss="0.25">
<sls content="jaguar_car_price" poss="0.5" /></fls></topic>
<topic content="\u5148\u77e5" id="0002">
<fls content="t1" poss="0.5"><sls content="e1" poss="0" /><sls content="e2" poss="0" /></fls>
<fls content="t2" poss="0.5" /></topic></root>
"""

JUDGED = """<?xml version='1.0' encoding='utf8'?>
<data><comment>0 means unaccessable</comment><relevance>
<doc docid="d9" queryid="0099" relevance="1" /></relevance><relevance>
<doc docid="d1" queryid="0051" relevance="3" sls="jaguar_car_price" />
<doc docid="d1" queryid="0051" relevance="3" sls="jaguar_animal_zoo" />
<doc docid="d2" queryid="0002" relevance="1" sls="e2" /></relevance></data>
"""


def written(tmp_path: Path, content: str, name: str = "topics.xml") -> Path:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


def refused(path: Path, probabilities: str | None = None) -> str:
    with pytest.raises(DivmetricsError) as caught:
        read_topics(path, probabilities)
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert "; expected " in sentence
    assert "\n" not in sentence
    return sentence.removeprefix(str(path))


def test_web_track_topics(tmp_path: Path) -> None:
    third = 1 / 3
    assert read_topics(written(tmp_path, WEB)) == (
        Topic(
            "151",
            (
                Intent("1", third, "informational", "How is a flat tyre repaired?"),
                Intent("2", third, "navigational", "Find a shop & its address."),
                Intent("3", third, "informational", "What tools are needed?"),
            ),
            "bicycle repair",
            "How are bicycles repaired?",
            "faceted",
        ),
        Topic("201", (Intent("0", 1.0, label="What is a spoke?"),), "spoke", "What is a spoke?", "single"),
    )


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("&amp;", "&", ":14: is not well-formed XML (not well-formed (invalid token), column"),
        ("</description>\n  <sub", "\n  <sub", ":16: is not well-formed XML (mismatched tag, column"),
        ("</webtrack2012>", "", ":21: is not well-formed XML (no element found, column"),
        ('subtopic number="2"', "subtopic", ":14: <subtopic> has no number; expected <topic"),
        ('"201"', '"151"', ":17: topic 151 is given again (first at "),
        ('number="2"', 'number="1"', ":14: intent 1 of topic 151 is given again (first at "),
        ('number="201"', "", ":17: <topic> has no number"),
    ],
)
def test_bad_web_track_topics(tmp_path: Path, before: str, after: str, message: str) -> None:
    with pytest.raises(DivmetricsError, match="^" + re.escape(str(tmp_path / "topics.xml") + message)):
        read_topics(written(tmp_path, WEB.replace(before, after, 1)))


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    for entity in ('<!ENTITY a "aaaa">', '<!ENTITY a SYSTEM "file:///etc/passwd">'):
        path = written(tmp_path, WEB.replace("<!ATTLIST", f"{entity}<!ATTLIST").replace("&amp;", "&a;"))
        assert refused(path).startswith(":4: declares an entity")


def test_what_is_no_topics_file(tmp_path: Path) -> None:
    assert "is neither XML nor JSON" in refused(written(tmp_path, "1 1 d1 1\n"))
    unknown = refused(written(tmp_path, "<queries><query/></queries>"))
    assert "a form that is not known here (<query> in <queries>)" in unknown
    assert "leave the topics out" in unknown
    assert "holds IMine judgments, not topics" in refused(written(tmp_path, JUDGED))
    assert refused(written(tmp_path, '[{"id": 1,\n2}]')).startswith(":2: is not JSON (")
    without = '[\n{"id": 1, "title": "", "type": ""}]'
    assert refused(written(tmp_path, without)).startswith(":2: has no fls; expected a list of topics")
    unknown = refused(written(tmp_path, '{"id": "1", "rubrics": []}\n{"id": "2", "rubrics": []}\n'))
    assert unknown.startswith(": is JSON of a form that is not known here; expected topics as ")
    assert refused(written(tmp_path, '{"id": 1, "fls": 1}')).startswith(":1: has 1 as fls, which is")
    assert "holds an empty list" in refused(written(tmp_path, "[]"))


def test_second_level_probabilities_are_a_choice(tmp_path: Path) -> None:
    path = written(tmp_path, IMINE)
    sentence = refused(path)
    assert sentence.startswith(":2: the second-level probabilities of topic 0051, intent 1 sum to 0.5 (")
    for choice in ("probabilities='normalise' (", "probabilities='uniform' (", "probabilities='flat' ("):
        assert choice in sentence
    with pytest.raises(
        DivmetricsError, match=r"'uniforn' is unknown \(did you mean 'uniform'\?\); expected None, "
    ):
        read_topics(path, "uniforn")


def test_uniform_and_flat(tmp_path: Path) -> None:
    path = written(tmp_path, IMINE)
    jaguar, prophet = read_topics(path, "uniform")
    assert jaguar == Topic(
        "0051",
        (
            Intent(
                "1",
                0.5,
                label="jaguar_animal",
                children=(
                    Intent("1", 0.5, label="jaguar_animal_food"),
                    Intent("2", 0.5, label="jaguar_animal_zoo"),
                ),
            ),
            Intent("2", 0.5, label="jaguar_car", children=(Intent("1", 1.0, label="jaguar_car_price"),)),
        ),
        "jaguar",
    )
    assert prophet.title == "\u5148\u77e5"
    assert prophet.intents[1].children == ()
    flat = read_topics(path, "flat")
    assert [[t.probability for t in topic.intents] for topic in flat] == [[0.75, 0.25], [0.5, 0.5]]
    assert not any(t.children for topic in flat for t in topic.intents)


def test_normalise(tmp_path: Path) -> None:
    path = written(tmp_path, IMINE)
    message = "second-level probabilities of topic 0002, intent 1 are all 0"
    with pytest.warns(DivmetricsWarning, match=message) as caught:
        jaguar, prophet = read_topics(path, "normalise")
    assert len(caught) == 1
    assert [t.probability for t in jaguar.intents] == [0.75, 0.25]
    assert [e.probability for t in jaguar.intents for e in t.children] == [0.8, 0.2, 1.0]
    assert [e.probability for t in prophet.intents for e in t.children] == [0.5, 0.5]


def test_proper_second_level_probabilities_need_no_choice(tmp_path: Path) -> None:
    proper = (
        IMINE.replace('"0.4"', '"0.8"').replace('"0.1"', '"0.2"').replace('price" poss="0.5"', 'p" poss="1"')
    )
    jaguar, _ = read_topics(written(tmp_path, proper.replace('poss="0"', 'poss="0.5"')))
    assert [e.probability for t in jaguar.intents for e in t.children] == [0.8, 0.2, 1.0]


@pytest.mark.parametrize("choice", [None, "normalise", "flat"])
def test_first_level_probabilities(tmp_path: Path, choice: str | None) -> None:
    if choice != "normalise":
        off = refused(written(tmp_path, IMINE.replace("0.75", "0.7")), choice)
        assert off.startswith(":2: the probabilities of topic 0051 sum to 0.95; expected 1 (within 0.001); ")
        assert "probabilities='normalise'" in off
    negative = refused(written(tmp_path, IMINE.replace('"0.75"', '"-0.75"')), choice)
    assert negative.startswith(
        ":2: intent 1 of topic 0051 has the probability -0.75; expected a finite number"
    )
    no_number = refused(written(tmp_path, IMINE.replace('"0.75"', '"most"')), choice)
    assert no_number.startswith(":3: poss 'most' of fls 'jaguar_animal' is not a number")
    infinite = refused(written(tmp_path, IMINE.replace('"0.4"', '"inf"')), choice)
    assert infinite.startswith(":2: subtopic 1 of topic 0051, intent 1 has the probability inf")


def test_broken_hierarchies(tmp_path: Path) -> None:
    assert refused(written(tmp_path, IMINE.replace('"0002"', '"0051"')), "flat").startswith(
        ":8: topic 0051 is given again"
    )
    assert refused(written(tmp_path, IMINE.replace('id="0002"', "")), "flat").startswith(
        ":8: a topic has no id"
    )


def as_json(topics: tuple[Topic, ...]) -> str:
    """Topics in the tidy form."""
    entries = [
        {
            "id": topic.id,
            "language": "en",
            "title": topic.title,
            "type": "broad",
            "excluded": None,
            "fls": [
                {
                    "id": int(t.id),
                    "label": t.label,
                    "probability": t.probability,
                    "sls": [
                        {"id": int(e.id), "label": e.label, "probability": e.probability} for e in t.children
                    ],
                }
                for t in topic.intents
            ],
        }
        for topic in topics
    ]
    return json.dumps(entries)


def test_tidy_topics(tmp_path: Path) -> None:
    topics = read_topics(written(tmp_path, IMINE), "uniform")
    tidy = read_topics(written(tmp_path, as_json(topics), "topics.json"))
    assert [topic.type for topic in tidy] == ["broad", "broad"]
    assert [topic.intents for topic in tidy] == [topic.intents for topic in topics]


def test_judgments_by_label(tmp_path: Path) -> None:
    judged, topics = written(tmp_path, JUDGED, "judged.xml"), written(tmp_path, IMINE)
    rows = [["0051", "2", "1", "d1", 2], ["0051", "1", "2", "d1", 2], ["0002", "1", "2", "d2", 0]]
    tidy = written(tmp_path, as_json(read_topics(topics, "uniform")), "topics.json")
    for source in (topics, str(topics), tidy, read_topics(topics, "uniform")):
        frame = read_qrels(judged, topics=source)
        assert list(frame.columns) == ["topic", "intent", "subtopic", "doc", "grade"]
        assert frame.to_numpy().tolist() == rows


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "zoo",
            "zoos",
            r":5: document 'd1' is judged for 'jaguar_animal_zoos', .*did you mean 'jaguar_animal_zoo'",
        ),
        ('"0002"', '"0003"', ":6: topic 0003 is judged but not among the topics given"),
        ('"3" sls', '"high" sls', ":4: <doc docid='d1' queryid='0051' relevance='high'>"),
        ('docid="d2"', "", ":6: <doc docid='' "),
        ("sls=", "fls=", ": has no judgment of a subtopic"),
        (
            "</relevance></data>",
            '<doc docid="d2" queryid="0002" relevance="2" sls="e2" /></relevance></data>',
            ":6: topic 0002, intent 1/2, document 'd2' has grade 1 but grade 0 at .*judged.xml:6",
        ),
    ],
)
def test_bad_judgments_by_label(tmp_path: Path, before: str, after: str, message: str) -> None:
    count = -1 if before == "sls=" else 1
    judged = written(tmp_path, JUDGED.replace(before, after, count), "judged.xml")
    with pytest.raises(DivmetricsError, match="^" + re.escape(str(judged)) + message):
        load_qrel_columns(judged, topics=written(tmp_path, IMINE))


def test_judgments_by_label_need_topics(tmp_path: Path) -> None:
    judged, topics = written(tmp_path, JUDGED, "judged.xml"), written(tmp_path, IMINE)
    with pytest.raises(
        DivmetricsError, match=r"judged\.xml: names second-level subtopics by label only; .*SME\.xml"
    ):
        load_qrel_columns(judged)
    with pytest.raises(DivmetricsError, match=r"topics given have no second-level subtopics, .*='uniform'"):
        load_qrel_columns(judged, topics=read_topics(topics, "flat"))
    twice = written(tmp_path, IMINE.replace('"e2"', '"e1"'))
    with pytest.raises(DivmetricsError, match="topic 0002: two second-level subtopics have the label 'e1'"):
        load_qrel_columns(judged, topics=twice)
