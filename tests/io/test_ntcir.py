"""NTCIREVAL's judgments and intent probabilities: any separators, and one sentence for what is wrong."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.errors import DivmetricsWarning
from divmetrics.io import load_qrel_columns, load_run_columns, read_qrels, read_topics
from tests.support.refused_files import refused, written
from tests.support.strategies import quick

DQRELS = "0001 0 d9 L0\n0001 1 d1 L1\n0001 2 d1 L2\n0002 1 d3 L0\n0001 1 d4 L10\n"
IPROB = "0002 1 0.75\n0001 1 0.5714\n0002 2 0.25\n0001 2 0.4286\n"
DINPROB = "0002 1 0.75 nav\n0001 1 0.5714 inf\n0002 2 0.25 inf\n0001 2 0.4286 nav\n"


def probabilities(path: Path) -> dict[str, list[tuple[str, float, str]]]:
    """{topic: [(intent, probability, kind)]}."""
    return {t.id: [(i.id, i.probability, i.kind) for i in t.intents] for t in read_topics(path)}


def test_judgments_are_those_of_the_same_file_without_levels(tmp_path: Path) -> None:
    plain = read_qrels(written(tmp_path, DQRELS.replace(" L", " "), "plain.txt"))
    assert plain["grade"].tolist() == [0, 1, 2, 0, 10]
    assert read_qrels(written(tmp_path, DQRELS)).equals(plain)


def test_topics_in_the_order_of_the_file(tmp_path: Path) -> None:
    inf, nav = "informational", "navigational"
    read = probabilities(written(tmp_path, DINPROB))
    assert read == {
        "0002": [("1", 0.75, nav), ("2", 0.25, inf)],
        "0001": [("1", 0.5714, inf), ("2", 0.4286, nav)],
    }
    assert list(read) == ["0002", "0001"]
    read = probabilities(written(tmp_path, IPROB))
    assert read == {
        "0002": [("1", 0.75, inf), ("2", 0.25, inf)],
        "0001": [("1", 0.5714, inf), ("2", 0.4286, inf)],
    }


CLOTHES = {
    "semicolons": lambda text: text.replace(" ", ";"),
    "semicolons and blanks": lambda text: text.replace(" ", " ; "),
    "tabs": lambda text: text.replace(" ", "\t"),
    "one line otherwise": lambda text: text.replace(" ", ";", 2),
    "a separator at the end": lambda text: text.replace("\n", ";\n"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "blank lines": lambda text: "\n ; \n" + text.replace("\n", "\n\n"),
    "no last line end": lambda text: text.strip(),
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "gz": lambda text: gzip.compress(text.encode()),
    "all at once": lambda text: gzip.compress(
        b"\xef\xbb\xbf" + text.replace(" ", ";").replace("\n", "\r\n").encode()
    ),
}


@pytest.mark.parametrize("how", CLOTHES)
def test_the_same_files_in_other_clothes(tmp_path: Path, how: str) -> None:
    dressed = CLOTHES[how]
    judged = read_qrels(written(tmp_path, DQRELS, "plain.txt"))
    assert read_qrels(written(tmp_path, dressed(DQRELS))).equals(judged)
    for text in (IPROB, DINPROB):
        topics = read_topics(written(tmp_path, text, "plain.txt"))
        assert read_topics(written(tmp_path, dressed(text))) == topics


IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters=";"),
    min_size=1,
    max_size=8,
)
TOPICS = IDS.filter(lambda text: text[0] not in "<[{#" and not text.lower().startswith("wt"))
SEPARATORS = st.sampled_from([" ", " ", ";", ";", "\t", "  ", " ; ", ";\t", "; "])
LINE_ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n", ";\n", " \n;\n"])


@st.composite
def dressed(draw: st.DrawFn, rows: list[tuple[str, ...]]) -> bytes:
    """Rows as lines, every separator and line end drawn anew or all alike."""
    consistent = draw(st.booleans())
    separator, line_end = draw(SEPARATORS), draw(LINE_ENDS)
    text = "".join(
        piece
        for row in rows
        for i, field in enumerate(row)
        for piece in (
            ("" if i == 0 else separator if consistent else draw(SEPARATORS)),
            field,
            ("" if i < len(row) - 1 else line_end if consistent else draw(LINE_ENDS)),
        )
    )
    data = (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()
    return gzip.compress(data) if draw(st.booleans()) else data


@given(
    st.data(),
    st.lists(
        st.tuples(TOPICS, IDS, IDS, st.integers(0, 10**18 - 1)),
        min_size=1,
        max_size=8,
        unique_by=lambda row: row[:3],
    ),
)
@quick(80)
def test_whatever_judgments_are_written_are_read(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, rows: list[tuple[str, str, str, int]]
) -> None:
    path = tmp_path_factory.mktemp("files") / "any.Dqrels"
    path.write_bytes(data.draw(dressed([(*row[:3], f"L{row[3]}") for row in rows])))
    columns = load_qrel_columns(path)
    texts = (list(columns.topic), list(columns.intent), list(columns.doc))
    assert list(zip(*texts, columns.grade.tolist(), strict=True)) == rows


@given(
    st.data(),
    st.lists(st.tuples(TOPICS, st.integers(1, 4)), min_size=1, max_size=3, unique_by=lambda row: row[0]),
    st.booleans(),
)
@quick(80)
def test_whatever_probabilities_are_written_are_read(
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    sizes: list[tuple[str, int]],
    with_kinds: bool,
) -> None:
    path = tmp_path_factory.mktemp("files") / "any.DINprob"
    dice = random.Random(data.draw(st.integers(0, 2**32)))
    rows = []
    for topic, size in sizes:
        weights = [dice.random() + 0.01 for _ in range(size)]
        rows += [
            (topic, f"i{i}", repr(weight / sum(weights)), dice.choice(["nav", "inf"]))
            for i, weight in enumerate(weights)
        ]
    dice.shuffle(rows)
    path.write_bytes(data.draw(dressed(rows if with_kinds else [row[:3] for row in rows])))
    expected: dict[str, list[tuple[str, float, str]]] = {}
    for topic, intent, probability, kind in rows:
        kind = {"nav": "navigational", "inf": "informational"}[kind if with_kinds else "inf"]
        expected.setdefault(topic, []).append((intent, float(probability), kind))
    read = probabilities(path)
    assert read == expected
    assert list(read) == list(expected)


BAD_JUDGMENTS = {
    "a plain grade": (
        "1 1 d1 L1\n1 1 d2 1\n",
        ":2: '1' is not a level (the file begins with 'L1'); expected L0, L1, L2 ... there, in NTCIREVAL ",
    ),
    "a level among plain grades": (
        "1 1 d1 1\n\n1;1;d2;L1\n",
        ":3: has 1 column ('1;1;d2;L1'); expected TREC",
    ),
    "a level under plain grades": (
        "1 1 d1 1\n1 1 d2 L1\n",
        ":2: grade 'L1' is not an integer; expected an integer",
    ),
    "a small l": ("1;1;d1;L1\n\n1;1;d2;l1\n1;1;d3;l1\n", ":3: 'l1' is not a level"),
    "a negative level": ("1 1 d1 L1\n1 1 d2 L-2\n", ":2: 'L-2' is not a level"),
    "a fraction": ("1 1 d1 L1\n1 1 d2 L1.0\n", ":2: 'L1.0' is not a level"),
    "a level of 64 bits": (
        "1 1 d1 L1\n1 1 d2 L9223372036854775808\n",
        ":2: 'L9223372036854775808' is not a level",
    ),
    "other digits": ("1 1 d1 L1\n1 1 d2 L\u0661\n", ":2: 'L\u0661' is not a level"),
    "no document": (
        "0001;1;d1;L1\n0001;1;;L1\n",
        ":2: has 3 columns ('0001 1 L1'); expected NTCIREVAL judgments (4 columns: topic intent doc level); ",
    ),
    "no document at first": ("0001 1 L1\n", ":1: has 3 columns ('0001 1 L1'); expected NTCIREVAL judgments"),
    "a column too many": ("0001 1 d1 L1\n0001 1 d;2 L1\n", ":2: has 5 columns ('0001 1 d 2 L1')"),
    "a run with the tag L1": (
        "1 Q0 d1 1 9.5 L1\n",
        ":1: looks like a run (6 columns); expected NTCIREVAL judgments",
    ),
    "two levels": (
        "1 1 a L1\n1 2 a L0\n1;1;a;L2\n",
        ":3: topic 1, intent 1, document 'a' has grade 2 but grade 1 at ",
    ),
    "another encoding": (
        b"1 1 d1 L1\n1;1;caf\xe9;L1\n",
        ":2: doc 'caf\ufffd' is not UTF-8 (byte 8 of the line is 0xe9)",
    ),
    "semicolons only": (" ; ; \n;\n", ":1: has 2 columns ('; ;'); expected TREC diversity judgments"),
    "probabilities": (IPROB, ":1: has 3 columns ('0002 1 0.75'); expected TREC diversity judgments"),
}


@pytest.mark.parametrize("case", BAD_JUDGMENTS)
def test_bad_judgments(tmp_path: Path, case: str) -> None:
    content, message = BAD_JUDGMENTS[case]
    assert refused(load_qrel_columns, written(tmp_path, content)).startswith(message)


BAD_PROBABILITIES = {
    "a word": (
        "1 1 0.5\n1 2 half\n",
        ":2: probability 'half' is not a finite number; expected a finite number there, in NTCIREVAL intent "
        "probabilities (3 columns: topic intent probability); ",
    ),
    "a word at first": ("1 1 half\n", ":1: probability 'half' is not a finite number"),
    "a word and a kind": ("1 1 half nav\n", ":1: probability 'half' is not a finite number"),
    "a comma among points": ("1;1;0.5\n1;2;0,5\n", ":2: probability '0,5' is not a finite number"),
    "nan": ("1 1 0.5\n1 2 nan\n", ":2: probability 'nan' is not a finite number"),
    "infinite": ("1 1 0.5 inf\n1 2 inf inf\n", ":2: probability 'inf' is not a finite number"),
    "negative": (
        "1 1 1.5\n\n1 2 -0.5\n",
        ":3: intent 2 of topic 1 has the probability -0.5; expected a finite number of at least 0; ",
    ),
    "a sum below 1": (
        "1 1 1\n2 1 0.5\n\n2 2 0.498\n",
        ":2: the probabilities of topic 2 sum to 0.998; expected 1 (within 0.001); correct them, or read the "
        "topics with probabilities='normalise'",
    ),
    "a sum above 1": (
        "1;1;0.5\n1;2;0.502\n",
        ":1: the probabilities of topic 1 sum to 1.002",
    ),
    "all zero": ("1 1 0\n", ":1: the probabilities of topic 1 sum to 0;"),
    "an intent twice": (
        "1 1 0.5\n2 1 1\n1;1;0.5\n",
        ":3: intent 1 of topic 1 is given again (first at {path}:1); expected every intent once; ",
    ),
    "an intent twice, topics spelled in two ways": (
        "wt09-7 1 0.5\n7 1 0.5\n",
        ":2: intent 1 of topic 7 is given again (first at {path}:1)",
    ),
    "a kind below": (
        "1 1 0.5\n1 2 0.5 nav\n",
        ":2: has 4 columns ('1 2 0.5 nav'); expected NTCIREVAL intent probabilities (3 columns: ",
    ),
    "a kind missing": (
        "1;1;0.5;nav\n1;2;0.5;\n",
        ":2: has 3 columns ('1 2 0.5'); expected NTCIREVAL intent probabilities with kinds (4 columns: ",
    ),
    "two columns": (
        "\n1 0.5\n",
        ":2: is neither XML nor JSON nor the probability of an intent ('1 0.5'); expected topics as ",
    ),
    "semicolons only": (" ; \n;\n", ":1: is neither XML nor JSON nor the probability of an intent ('')"),
    "judgments": (DQRELS, ":1: is neither XML nor JSON nor the probability of an intent ('0001 0 d9 L0')"),
    "judgments of numbers": ("1 1 25 -2\n", ":1: is neither XML nor JSON nor the probability of an intent"),
    "a run": ("1 Q0 d1 1 9.5 t\n", ":1: is neither XML nor JSON nor the probability of an intent"),
}


@pytest.mark.parametrize("case", BAD_PROBABILITIES)
def test_bad_probabilities(tmp_path: Path, case: str) -> None:
    content, message = BAD_PROBABILITIES[case]
    path = written(tmp_path, content)
    assert refused(read_topics, path).startswith(message.format(path=path))


def test_an_id_with_a_colon_is_no_query(tmp_path: Path) -> None:
    assert probabilities(written(tmp_path, "trec:1 film 0.25\ntrec:1 book .75\n")) == {
        "trec:1": [("film", 0.25, "informational"), ("book", 0.75, "informational")]
    }


def test_uniform_instead_of_what_is_printed(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1 0.5 nav\n1 2 0.2 inf\n")
    (topic,) = read_topics(path, "uniform")
    assert [(t.probability, t.kind) for t in topic.intents] == [(0.5, "navigational"), (0.5, "informational")]


def test_intent_0_is_judged_and_not_relevant(tmp_path: Path) -> None:
    collection = dm.load_collection(written(tmp_path, DQRELS), written(tmp_path, IPROB, "a.Iprob"))
    pool = collection.pools["0001"]
    assert pool.docs == ("d1", "d4", "d9")
    assert [intent.id for intent in pool.topic.intents] == ["1", "2"]
    assert pool.labels("d9") == {}
    assert list(collection.pools) == ["0001", "0002"], "topics in the order of the judgments"
    # A topic of which nothing but nonrelevant documents is known keeps the intents of the topics file.
    zero = dm.load_collection(written(tmp_path, "0002 0 d1 L0\n"), [collection.pools["0002"].topic])
    assert [intent.id for intent in zero.topics[0].intents] == ["1", "2"]
    with pytest.warns(DivmetricsWarning, match=r"1 topic\(s\) of the topics file have no judgments"):
        dm.load_collection(written(tmp_path, "0002 0 d1 L0\n"), tmp_path / "a.Iprob")


def test_rough_probabilities_are_used_and_said(tmp_path: Path) -> None:
    rough = "".join(f"1 {i} 0.3333\n" for i in (1, 2, 3))
    qrels, run = written(tmp_path, "1 1 a L1\n", "a.Dqrels"), written(tmp_path, "1 Q0 a 1 1 r\n", "a.run")
    with pytest.warns(
        DivmetricsWarning, match=r"of 1 topic\(s\) do not sum to exactly 1 \(topic 1: 0.9999\)"
    ):
        scores = dm.evaluate(qrels, run, "ERR-IA@10", written(tmp_path, rough, "a.Iprob"), "ntcireval")
    assert scores["score"].tolist() == [0.3333 / 2]


def test_lists_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    run = written(tmp_path, "1 Q0 b 7 0.1 r\n2 Q0 c 1 1 r\n1 Q0 a 1 9 r\n", "a.run")
    qrels = written(tmp_path, "1;1;a;L1\n1;0;b;L0\n2;1;c;L1\n", "a.Dqrels")
    reciprocal = {"file": 0.5, "rank": 1.0, "score": 1.0}
    for order, value in reciprocal.items():
        assert dm.evaluate(qrels, run, "RR@10", order=order)["score"].tolist() == [value, 1.0]
    assert dm.evaluate(qrels, run, "RR@10", convention="ntcireval")["score"].tolist() == [0.5, 1.0]


def test_the_sample_of_ntcireval(research_files: Path) -> None:
    folder = research_files / "data" / "ntcireval-sample"
    columns = load_qrel_columns(folder / "sample.Dqrels")
    assert (len(columns.grade), int(columns.grade.sum())) == (1498, 316)
    plain, kinds = probabilities(folder / "sample.Iprob"), probabilities(folder / "sample.DINprob")
    assert {t: [i[:2] for i in docs] for t, docs in plain.items()} == {
        t: [i[:2] for i in docs] for t, docs in kinds.items()
    }
    assert {t: "".join(i[2][0] for i in docs) for t, docs in kinds.items()} == {
        "0001": "nni",
        "0002": "iinn",
        "0003": "nnn",
    }
    run = load_run_columns(folder / "TRECRUN.txt")
    assert (run.tag, len(run.doc), run.topic.distinct.tolist()) == (
        "TRECRUN",
        2993,
        ["0001", "0002", "0003"],
    )
