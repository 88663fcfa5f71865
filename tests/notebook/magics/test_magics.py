"""The magics in an IPython shell without a kernel: what they return, bind, say, and refuse."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import divmetrics as dm
from divmetrics import datasets
from divmetrics.io import file_contents
from divmetrics.notebook.magics.extension import MAGICS
from divmetrics.notebook.magics.magic import MagicError
from tests.support.paths import ROOT
from tests.support.shell import one_shell

EXAMPLES = ROOT / "examples"

INTENTS = """%%intents harry potter
film   0.5  inf  "the films"
book   0.3
games  0.2  nav
"""
A = """%%serp A
d1 film:2 book   # serves two intents
d2 games "the shop"
d3
d4 ?
"""
B = """%%serp B
d3
d1
d5 book:2
d2
"""


@dataclass
class Session:
    """A shell, and what a cell made of it."""

    shell: InteractiveShell
    said: str = ""

    def run(self, cell: str) -> Any:
        with capture_output() as captured:
            outcome = self.shell.run_cell(cell)
        self.said = captured.stdout + "".join(str(output) for output in captured.outputs)
        outcome.raise_error()
        return outcome.result

    def refused(self, cell: str) -> str:
        """The one sentence that a cell fails with."""
        with pytest.raises(MagicError) as failed:
            self.run(cell)
        assert "Traceback" not in self.said
        assert re.sub(r"\s+", " ", str(failed.value)) in re.sub(r"\s+", " ", self.said)
        return str(failed.value)

    def notes(self, cell: str) -> str:
        """What a cell says besides its result."""
        with capture_output() as captured:
            self.shell.run_cell(cell).raise_error()
        return "\n".join(o.data["text/plain"] for o in captured.outputs if "text/plain" in o.data)

    def __getitem__(self, name: str) -> Any:
        return self.shell.user_ns[name]


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with one_shell(colors="nocolor") as made:
        yield made
        made.run_line_magic("unload_ext", "divmetrics")


@pytest.fixture
def session(shell: InteractiveShell) -> Session:
    started = Session(shell)
    started.run("%load_ext divmetrics")
    return started


@pytest.fixture
def written(session: Session) -> Session:
    for cell in (INTENTS, A, B):
        session.run(cell)
    return session


# ------------------------------------------------------------------------------------------ what is written


def test_intents_are_a_topic(session: Session) -> None:
    topic = session.run(INTENTS)
    assert topic == dm.Topic(
        "harry potter",
        (
            dm.Intent("film", 0.5, label="the films"),
            dm.Intent("book", 0.3),
            dm.Intent("games", 0.2, "navigational"),
        ),
    )


def test_two_levels_an_id_with_a_title_and_a_scale(session: Session) -> None:
    topic = session.run(
        '%%intents 0083 "harry potter"\nfilm 2/3\n  cast 0.5\n  trailer 0.5 "in short"\nbook 1/3\n'
        "book/plot 1  # by its whole name\nscale 4"
    )
    assert (topic.id, topic.title) == ("0083", "harry potter")
    assert [[e.id for e in t.children] for t in topic.intents] == [["cast", "trailer"], ["plot"]]
    assert topic.intents[0].probability == pytest.approx(2 / 3)
    session.run("%%serp A\nd1 film/cast:3 book")
    pool = session["A"].judgments
    assert (pool.scale, pool.subtopic_grades.tolist(), pool.grades.tolist()) == (
        4,
        [[3], [0], [0]],
        [[3], [1]],
    )


def test_the_text_of_a_lab_can_be_pasted(session: Session) -> None:
    topic = session.run(
        '%%intents\nintent film 0.75 informational "the film"\n  subtopic cast 1\n'
        "intent book 1/4 navigational"
    )
    film, book = topic.intents
    assert (film.id, film.kind, film.children[0].id, book.kind) == (
        "film",
        "informational",
        "cast",
        "navigational",
    )


def test_probabilities_may_be_left_out(session: Session) -> None:
    assert "equally probable" in session.notes("%%intents\nfilm\nbook inf")
    topic = session.run("%%intents\nfilm\nbook inf")
    assert [t.probability for t in topic.intents] == [0.5, 0.5]


def test_a_list_is_bound_to_its_name(written: Session) -> None:
    a, b = written["A"], written["B"]
    assert isinstance(a, dm.RankedList)
    assert (a.docs, a.run) == (("d1", "d2", "d3", "d4"), "A")
    assert a.judgments is b.judgments
    assert a.judgments.docs == ("d1", "d2", "d3", "d5")  # d4 was never judged
    assert a.judgments.labels("d1") == {"film": 2, "book": 1}  # also where B names it alone
    assert a.judgments.labels("d3") == {}


def test_scores_are_those_of_plain_python(written: Session) -> None:
    judgments = {"d1": {"film": 2, "book": 1}, "d2": {"games": 1}, "d3": {}, "d5": {"book": 2}}
    topic = written["A"].topic
    by_hand = dm.RankedList(topic, ["d1", "d2", "d3", "d4"], judgments)
    names = ["ERR-IA@5", "D#-nDCG@5", "alpha-nDCG(alpha=0.3)@5", "ndeval:ERR-IA@5"]
    output = written.run("%diveval A B -m " + " -m ".join(names))
    for name in names:
        assert output.table.loc[name, "A"] == dm.metric(name).score(by_hand)


def test_intents_default_to_those_of_the_labels(session: Session) -> None:
    assert "film, book and games; all are equally probable" in session.notes(A)
    assert [t.probability for t in session["A"].topic.intents] == pytest.approx([1 / 3] * 3)
    assert session.notes("%%serp B\nd1") == "", "nothing new about the intents"
    session.run("%%serp B\nd9 music/score:2")
    assert [t.id for t in session["A"].topic.intents] == ["film", "book", "games", "music"]
    session.run(A)
    assert [t.id for t in session["B"].topic.intents] == ["film", "book", "games", "music"], "in their order"


def test_intents_may_come_after_the_lists(session: Session) -> None:
    session.run(A)
    assert "List A now stands on these intents" in session.notes(INTENTS)
    assert session["A"].topic.title == ""
    assert session["A"].topic.intents[0].probability == 0.5
    assert session["A"].judgments.topic == session["A"].topic


def test_a_list_run_again_replaces_itself(written: Session) -> None:
    written.run("%%serp A\nd1 film:1 book\nd7 games:2")
    assert written["A"].docs == ("d1", "d7")
    assert written["B"].judgments is written["A"].judgments
    assert written["A"].judgments.labels("d1") == {"film": 1, "book": 1}
    assert "d2" in written["A"].judgments.docs, "B still has it, without labels now"


def test_label_can_be_changed_in_two_lists(session: Session) -> None:
    session.run("%%serp A\nd1 film:1\nd2 book:1")
    session.run("%%serp B\nd2 book:1\nd1 film:1")
    assert "List B is set aside" in session.notes("%%serp A\nd1 film:2\nd2 book:1")
    assert "d1 is film:2 in list A, but film:1 in list B" in session.refused("%diveval A B")
    session.run("%%serp B\nd2 book:1\nd1 film:2")
    assert session.run("%diveval A B").best["S-recall@2"] == ("A", "B")


def test_lists_made_in_python_follow_the_judgments(written: Session) -> None:
    written.run('C = A.reordered(["d2", "d1"], "C")')
    before = written.run("%diveval A C -m alpha-nDCG@2").table.loc["alpha-nDCG@2", "C"]
    written.run("%%serp D\nd8 film:2 book:2 games:2\nd9 film:2 book:2 games:2")
    assert written["C"].judgments is written["D"].judgments
    assert written["C"].docs == ("d2", "d1")
    assert written.run("%diveval A C -m alpha-nDCG@2").table.loc["alpha-nDCG@2", "C"] < before


def test_intents_run_again_weigh_the_lists_anew(written: Session) -> None:
    assert "Lists A and B now stand on these intents" in written.notes(
        INTENTS.replace("0.5", "0.1").replace("0.2", "0.6")
    )
    assert written["A"].topic.intents[2].probability == 0.6


def test_contradicting_lists_are_set_aside(written: Session) -> None:
    note = written.notes("%%intents harry potter\nfilm 0.5\ngames 0.4\nmusic 0.1")
    assert "List A is set aside" in note
    assert "line 2 ('d1 film:2 book   # serves two intents'): 'book' is not an intent" in note
    assert "List B is set aside" in note
    assert "list A is set aside" in written.refused("%diveval A B")
    assert written.refused("%explain B").startswith("%explain: list B is set aside")
    written.run("%%serp A\nd1 film:2")
    assert list(written.run("%diveval").lists) == ["A"]


def test_another_topic_leaves_the_lists_before_it_alone(written: Session) -> None:
    scores = written.run("%diveval A B").values.tolist()
    written.run("%%intents jaguar\ncar\nanimal")
    written.run("%%serp C\nd1 car")
    assert written.run("%diveval A B").values.tolist() == scores
    assert list(written.run("%diveval").lists) == ["C"]
    mixed = written.run("%diveval A C -m ERR-IA@1")
    assert "different topics" in repr(mixed)
    assert "★" not in repr(mixed)
    written.run(INTENTS)
    assert list(written.run("%diveval").lists) == ["A", "B"]


def test_names_bound_to_something_else_are_forgotten(written: Session) -> None:
    written.run("B = 3")
    assert list(written.run("%diveval").lists) == ["A"]
    assert written.refused("%diveval A B") == "%diveval: 'B' is not a ranked list; there are A"
    assert "is the name of something else (int)" in written.refused(B)
    written.run("del A, B")
    assert "there is no ranked list yet" in written.refused("%diveval")


def test_reset_forgets_everything_but_the_magics(written: Session) -> None:
    written.run("%reset -f")
    assert "there is no ranked list yet" in written.refused("%diveval")
    assert "equally probable" in written.notes("%%serp A\nd1 film\nd2 book")


# ------------------------------------------------------------------------------------------------- results


def test_plain_python_lists_work_too(session: Session) -> None:
    collection = datasets.harry_potter()
    session.shell.user_ns |= {name: collection.list(name, "0083") for name in "AC"}
    output = session.run("scores = %diveval C A -m ERR-IA@5,S-recall@5\nscores")
    assert output is session["scores"]
    for name in "AC":
        for metric in ("ERR-IA@5", "S-recall@5"):
            assert output.table.loc[metric, name] == dm.metric(metric).score(collection.list(name, "0083"))
    expected = dm.evaluate(
        collection, [collection.list(name, "0083") for name in "CA"], ["ERR-IA@5", "S-recall@5"]
    )
    assert output.tidy.to_dict("records") == expected.to_dict("records")


def test_disagreements_of_metrics_are_named(session: Session) -> None:
    first, second = datasets.sakai2010().lists("21")
    session.shell.user_ns |= {"A": first, "B": second}
    output = session.run("%diveval A B -m alpha-nDCG@10 -m D-nDCG@10 -m I-rec@10")
    by_metric = {name: dm.metric(name).score(first) - dm.metric(name).score(second) for name in output.labels}
    prefers = {
        name: ("A",) if d > 1e-9 else ("B",) if d < -1e-9 else ("A", "B") for name, d in by_metric.items()
    }
    assert output.best == prefers
    assert ("disagree" in output.words) == (len({p for p in prefers.values() if len(p) == 1}) == 2)
    assert "The metrics disagree: " in session.run("%diveval A B -m S-recall@1,alpha-nDCG@10,D-nDCG@10").words


def test_best_and_ties_are_marked_in_text_and_html(written: Session) -> None:
    output = written.run("%diveval A B -m S-recall@5 -m ERR-IA@1")
    assert output.best == {"S-recall@5": ("A", "B"), "ERR-IA@1": ("A",)}
    rows = {line.split()[0]: line for line in repr(output).splitlines() if "★" in line or "neither" in line}
    assert "neither" in rows["S-recall@5"]
    assert "0.4500 ★" in rows["ERR-IA@1"]
    assert output._repr_html_().count('aria-label="best"') == 1
    assert "A has a document never judged in its top 5" in output._repr_html_()


def test_lists_that_differ_on_the_second_level_only_have_different_judgments(session: Session) -> None:
    children = (dm.Intent("x", 0.5), dm.Intent("y", 0.5))
    topic = dm.Topic("1", (dm.Intent("film", 1.0, children=children),))
    for name in ("x", "y"):
        judgments = {"d1": {("film", name): 1}}
        session.shell.user_ns[f"by_{name}"] = dm.RankedList(topic, ["d1"], judgments, f"by_{name}")
    assert "have different judgments" in repr(session.run("%diveval by_x by_y -m ERR-IS@1"))


def test_many_lists_stand_below_each_other(session: Session) -> None:
    collection = datasets.synthetic(seed=1)
    lists = {f"run_{name}": collection.list(name, "01") for name in collection.runs}
    session.shell.user_ns |= lists
    output = session.run("%diveval -m ERR-IA@10 -m S-recall@10")
    rows = repr(output).splitlines()
    assert rows[1].split() == ["list", "ERR-IA@10", "S-recall@10"]
    assert [row.split()[0] for row in rows[3 : 3 + len(lists)]] == list(lists)
    scores = {name: dm.metric("ERR-IA@10").score(ranked) for name, ranked in lists.items()}
    assert f"that {max(scores, key=scores.__getitem__)} is best" in output.words
    assert output._repr_html_().count('aria-label="best"') == sum(
        len(best) for best in output.best.values() if len(best) < len(lists)
    )


def test_the_usual_metrics_end_where_the_lists_end(written: Session) -> None:
    assert written.run("%diveval A B").labels == ("S-recall@4", "ERR-IA@4", "alpha-nDCG@4", "D#-nDCG@4")
    assert written.run("%diveval A --convention ndeval").labels == ("strec@4", "ERR-IA@4", "alpha-nDCG@4")


@pytest.mark.parametrize("name", ["ERR-IA@5", "RBU@20", "D#-nDCG@5", "ndeval:alpha-nDCG@5"])
def test_an_explanation_adds_up(written: Session, name: str) -> None:
    output = written.run(f"%explain A -m {name}")
    expected = dm.metric(name).score(written["A"])
    assert output.table["contribution"].sum() == pytest.approx(expected)
    html = output._repr_html_()
    body = html[html.index("<tbody>") : html.index("</tbody>")]
    rows = [re.findall(r">([−\d.]+|·)</td>", row) for row in body.split("<tr>")[1:-1]]
    numbers = [[0.0 if c == "·" else float(c.replace("−", "-")) for c in row] for row in rows]
    assert sum(row[-1] for row in numbers) == pytest.approx(expected, abs=3e-4)
    for row in numbers:
        assert sum(row[:-1]) == pytest.approx(row[-1], abs=1e-3)
    assert f"<b>{expected:.4f}</b>" in body
    assert "earns" in output.words
    assert output.figure.svg.startswith("<svg")


def test_an_explanation_of_two_levels(session: Session) -> None:
    session.run("%%serp A\nd1 film/cast:2 book/plot\nd2 film/trailer")
    output = session.run("%explain A -m ERR-IS@2")
    assert "film/trailer" in repr(output)
    assert output.table["contribution"].sum() == pytest.approx(dm.metric("ERR-IS@2").score(session["A"]))


def test_the_table_of_metrics_has_every_name(session: Session) -> None:
    from divmetrics.registry.parse import metrics

    for convention in ("paper", "ndeval", "ntcireval"):
        output = session.run(f"%metrics --convention {convention}")
        assert tuple(output.table["metric"]) == metrics(convention)
        for name in metrics(convention):
            assert f">{name}</th>" in output._repr_html_()


def test_one_metric_whole(session: Session) -> None:
    output = session.run("%metrics alpha-nDCG(alpha=0.3)@10")
    assert output.metric == dm.metric("alpha-nDCG(alpha=0.3)@10")
    assert set(output.table["part"]) == {"N", "f", "w", "M"}
    assert "<math" in output._repr_html_()
    assert "Clarke" in output._repr_html_()
    assert "alpha=0.3" in repr(output)


def test_a_lab_with_these_lists(written: Session) -> None:
    lab = written.run("lab = %lab B A -m ERR-IA@3\nlab")
    assert (lab.a.docs, lab.b.docs, lab.metrics) == (written["B"].docs, written["A"].docs, ("ERR-IA@3",))
    assert 'd2 games:1 "the shop"' in lab.state
    assert "In the lab B is list A and A is list B" in written.notes("%lab B A")
    assert (
        written.run("%diveval lab.a lab.b -m ERR-IA@3").tidy["score"].tolist() == lab.scores["score"].tolist()
    )


def test_two_lists_on_which_metrics_disagree(written: Session) -> None:
    output = written.run("found = %disagree S-recall@2 ERR-IA@2\nfound")
    assert isinstance(output, dm.research.disagreements.Disagreement)
    assert len(output.a) == 2
    assert output.a.judgments is written["A"].judgments
    same = written.run("%disagree S-recall@2 ERR-IA@2 A --length 2 --seed 3 --budget 1000 --edits")
    assert same.find == "edits"
    assert not written.run("%disagree S-recall@2 I-rec@2")


# ----------------------------------------------------------------------------------------------- from files


def test_a_run_and_its_judgments_from_files(session: Session) -> None:
    for name in ("film", "mixed"):
        session.run(f"%serp {name} {EXAMPLES}/{name}.run --qrels {EXAMPLES}/harry_potter.qrels")
    assert session["film"].judgments is session["mixed"].judgments
    expected = dm.evaluate(
        f"{EXAMPLES}/harry_potter.qrels", [f"{EXAMPLES}/{n}.run" for n in ("film", "mixed")], ["ERR-IA@5"]
    )
    assert session.run("%diveval film mixed -m ERR-IA@5").tidy.to_dict("records") == expected.to_dict(
        "records"
    )
    short = session.run(f"%serp short {EXAMPLES}/film.run --qrels {EXAMPLES}/harry_potter.qrels --depth 2")
    assert len(short) == 2


def test_a_list_in_a_text_file(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# my list\nd1 film:2\nd2 book\n", encoding="utf-8")
    assert session.run(f"%serp A {path}").judgments.labels("d1") == {"film": 2}
    path.write_text("d1 film:x\n", encoding="utf-8")
    message = session.refused(f"%serp A {path}")
    assert f"{path}, line 1 ('d1 film:x')" in message
    assert session["A"].docs == ("d1", "d2"), "what was there stays"


def test_a_file_for_a_list_is_opened_like_every_other(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    for content, message in (
        (b"d1 film\nd2 b\xe9b\xe9\n", f"{path}:2: is not UTF-8 (a byte is 0xe9)"),
        (b"d1\0film\n", f"{path}:1: is binary, not text"),
        (b"PK\x03\x04", f"{path}: is compressed with zip"),
        (b" \n", f"{path}: is empty; expected a list as in the cell of %%serp"),
    ):
        path.write_bytes(content)
        assert message in session.refused(f"%serp A {path}")
    assert f"{tmp_path}: is a directory" in session.refused(f"%serp A {tmp_path}")
    for content in (
        gzip.compress(b"\xef\xbb\xbfd1 film:2\rd2 film\r"),
        "d1 film:2\nd2 film".encode("utf-16"),
    ):
        path.write_bytes(content)
        assert session.run(f"%serp A {path}").docs == ("d1", "d2")


def test_endless_files_are_not_read_for_a_list(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_contents, "LARGEST", 10)
    monkeypatch.setattr(file_contents, "PIECE", 4)
    path = tmp_path / "mine.txt"
    path.write_text("d1 film\nd2 book\n")
    assert "holds more than 10 bytes of text" in session.refused(f"%serp A {path}")


def test_a_run_is_judged_by_the_lists_that_are_there(session: Session) -> None:
    session.run("%%serp A\ntrailer film:2\nauthor book")
    session.run(f"%serp mixed {EXAMPLES}/mixed.run")
    pool = session["mixed"].judgments
    assert pool.docs == ("author", "trailer")
    assert session["mixed"].docs[0] == "trailer"
    session.run("%%serp B\nwiki book:2")
    assert session["mixed"].judgments.labels("wiki") == {"book": 2}


# ------------------------------------------------------------------------------------------------ bad input

WRONG = {
    "%%intents\n\n": "the cell holds no intent",
    "%%intents\n# nothing": "the cell holds no intent",
    "%%intents\nfilm 0.5\nbook 0.3": "lines 2 to 3 (film, book): the probabilities of the intents sum to 0.8",
    "%%intents\nfilm 0.5\nbook": "line 3 ('book'): 'book' has no probability, but others have",
    "%%intents\nfilm 0.5 info\nbook 0.5": "'info' is not expected (did you mean 'inf'?)",
    "%%intents\nfilm many\nbook 0.5": "line 2 ('film many'): the probability is 'many'",
    "%%intents\nfilm -1\nbook 2": "line 2 ('film -1'): the probability is '-1', expected a number from 0",
    "%%intents\nfilm 0.5\nfilm 0.5": "line 3 ('film 0.5'): 'film' is given twice",
    "%%intents\nfilm 1\nfilms/cast 1": "there is no intent 'films' above (did you mean 'film'?)",
    "%%intents\nfilm 1\n  cast 0.4": "the probabilities below 'film' sum to 0.4",
    "%%intents\nfilm 1\n  cast 1 nav": "a second-level subtopic has no kind",
    '%%intents\nfilm 1 "the film': "a quotation mark is not closed",
    "%%intents\nscale none\nfilm 1": "line 2 ('scale none'): expected the highest grade",
    "%%serp A\n  \n": "the cell holds no document",
    "%%serp\nd1 film": "expected one word, the name of the list, as in %%serp A",
    "%%serp A B\nd1 film": "expected one word",
    "%%serp 1st\nd1 film": "'1st' cannot be the name of a list",
    "%%serp print\nd1 film": "'print' already means something in Python",
    "%%serp A\nd1 film:": "line 2 ('d1 film:'): the label 'film:' is not of the form intent:grade",
    "%%serp A\nd1 film:two": "the label 'film:two' is not of the form",
    "%%serp A\nd1 film\n\nd1 book": "line 4 ('d1 book'): document 'd1' is in line 2 already",
    "%%serp A\nd1 film:1 film:2": "the label 'film' is given twice",
    "%%serp A\nd1 ? film": "? says that the document was never judged",
    "%%serp A\nd1 flim:2": "line 2 ('d1 flim:2'): 'flim' is not an intent of harry potter (did you",
    "%%serp A\nd1 film/cast": "'film/cast' is not an intent of harry potter (did you mean",
    "%%serp C\nd9 film\nd1 film:1": "line 3 ('d1 film:1'): d1 is film:1 in list C, but film:2 book:1 in",
    "%%serp C\nd4 film:1": "d4 is film:1 in list C, but ? in list A",
    "%serp A": "expected the name of the list and a file",
    "%serp A nowhere.run": "nowhere.run: does not exist; expected a list as in the cell of %%serp",
    f"%serp A {EXAMPLES}/filn.run": "(did you mean 'film.run'?)",
    f"%serp A {EXAMPLES}/film.run --topic pottr": "has no topic 'pottr' (did you mean 'potter'?)",
    f"%serp A {EXAMPLES}/film.run --depth few": "--depth is 'few', expected a whole number",
    f"%serp A {EXAMPLES}/film.run --qrel x": "there is no option '--qrel' (did you mean '--qrels'?)",
    "%diveval A F": "there is no list 'F'; there are A, B",
    "%diveval A A": "list A is named twice",
    "%diveval A ERR-IA@5": "ERR-IA@5 is a metric, not a list; write -m ERR-IA@5",
    "%diveval A -m ERRRIA@5": "there is no metric 'ERRRIA'",
    "%diveval A -m ERR-IA@x": "the cutoff is 'x'",
    "%diveval A -m alpha-nDCG(alfa=1)@5": "has no parameter 'alfa' (did you mean 'alpha'?)",
    "%diveval A -m ERR-IA@5 -m ERR-IA@5": "metric 'ERR-IA@5' is asked for twice",
    "%diveval A -m P-IA": "P-IA",
    "%diveval A -m": "-m is to be followed by a metric",
    "%diveval A --covention ndeval": "there is no option '--covention' (did you mean '--convention'?)",
    "%diveval A --convention ndevil": "there is no convention 'ndevil' (did you mean 'ndeval'?)",
    '%diveval A -m "ERR-IA@5': "a quotation mark is not closed",
    "%explain A B": "expected one list, got A, B",
    "%explain": "expected one list, there are A, B; name one",
    "%explain A -m ERR-IA@5 -m D-nDCG@5": "-m is given twice",
    "%explain A -m ERR-IA@5,D-nDCG@5": "got 2 metrics",
    "%explain A -m ERR-IS@5": "second-level",
    "%diveval A -m ERR-IS@5": "second-level",
    "%metrics ERIA": "there is no metric 'ERIA'",
    "%metrics ERR-IA D-nDCG": "got 2 words (ERR-IA D-nDCG), expected one metric, or none",
    "%lab A B A": "got 3 words",
    "%lab Z": "there is no list 'Z'",
    "%disagree ERR-IA@5": "expected two metrics",
    "%disagree ERR-IA@5 ERR-IA@5": "a metric does not disagree with itself",
    "%disagree ERR-IA@5 D-nDCG@5 --length 9": "length is 9, but topic harry potter has 4 judged documents",
    "%disagree ERR-IA@5 D-nDCG@5 --edits=yes": "--edits takes no value",
}


@pytest.mark.parametrize("cell", WRONG, ids=[cell.replace(str(EXAMPLES), "") for cell in WRONG])
def test_bad_input_is_one_sentence_and_changes_nothing(written: Session, cell: str) -> None:
    before = {name: value for name, value in written.shell.user_ns.items() if not name.startswith("_")}
    expected = written.run("%diveval A B").values.tolist()
    message = written.refused(cell)
    assert WRONG[cell] in message
    assert message.startswith(re.match(r"%+\w+", cell)[0] + ": ")
    assert "\n" not in message
    after = {name: value for name, value in written.shell.user_ns.items() if not name.startswith("_")}
    assert after == before
    assert written.run("%diveval A B").values.tolist() == expected


def test_ipython_itself_refuses_a_cell_without_any_line(session: Session) -> None:
    for cell in ("%%intents\n", "%%serp A\n"):
        with pytest.raises(UsageError, match="the cell body is empty"):
            session.run(cell)


def test_bugs_are_not_hidden(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from divmetrics.notebook.magics import diveval_magic

    session.run(A)
    monkeypatch.setattr(diveval_magic, "batch_lists", lambda lists: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        session.run("%diveval A")


# ------------------------------------------------------------------------------------ loading and unloading


def everything(shell: InteractiveShell) -> tuple[Any, ...]:
    formatters = shell.display_formatter.formatters
    return (
        {kind: set(table) for kind, table in shell.magics_manager.magics.items()},
        list(shell.Completer.custom_matchers),
        {name: dict(formatter.type_printers) for name, formatter in formatters.items()},
        {name: list(formatter.deferred_printers) for name, formatter in formatters.items()},
    )


def test_extension_unloads_and_reloads_cleanly(shell: InteractiveShell) -> None:
    session = Session(shell)
    shell.register_magic_function(lambda line: "mine", "line", "metrics")
    before = everything(shell)
    session.run("%load_ext divmetrics")
    once = everything(shell)
    assert once != before
    assert {magic.name for magic in MAGICS} <= {*once[0]["line"], *once[0]["cell"]}
    assert len(once[1]) == len(before[1]) + 1
    session.run("%load_ext divmetrics")
    assert "already loaded" in session.said
    dm.load_ipython_extension(shell)
    assert [len(part) for part in everything(shell)] == [len(part) for part in once]
    assert len(shell.Completer.custom_matchers) == len(once[1])
    session.run("%reload_ext divmetrics")
    assert len(shell.Completer.custom_matchers) == len(once[1])
    session.run(A)
    session.run("%unload_ext divmetrics")
    assert everything(shell) == before
    assert session.run("%metrics") == "mine"
    assert "table" not in shell.display_formatter.format(session["A"])[0].get("text/html", "")
    session.run("%load_ext divmetrics")
    assert list(session.run("%diveval").lists) == ["A"], "what was written is still there"


def test_loading_is_light_and_brings_nothing_more() -> None:
    """Counted: a clock says more about what else the machine does. benchmarks/magics.py has the seconds."""
    code = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import divmetrics, numpy
before, calls = set(sys.modules), 0

def count(frame, event, argument):
    global calls
    calls += event == "call"

sys.setprofile(count)
shell.run_line_magic("load_ext", "divmetrics")
sys.setprofile(None)
print(calls, *{name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    calls, *brought = done.stdout.split()
    # What is still new of IPython and numpy, both loaded long since, is small.
    assert set(brought) - {"IPython", "numpy"} == {"divmetrics"}
    assert 1_000 < int(calls) < 50_000  # about 49,000: most make the classes and patterns


def test_the_help_shows_every_option_and_runs(written: Session) -> None:
    for magic in MAGICS:
        help_ = magic.run.__doc__ or ""
        assert help_.startswith(("%", "%%"))
        for option in magic.options:
            assert option.flag in help_, (magic.name, option.flag)
        assert magic.name in written.shell.magics_manager.magics["cell" if magic.kind == "cell" else "line"]
    for magic in MAGICS:
        if magic.kind != "line":
            continue
        lines = (magic.run.__doc__ or "").splitlines()
        examples = [line.strip() for line in lines if re.match(r" {8}(\w+ = )?%\w", line)]
        assert examples
        for example in examples:
            written.run(example)


def test_the_cells_in_the_help_run(session: Session) -> None:
    cells = [
        cell
        for magic in MAGICS
        if magic.kind in ("cell", "line_cell")
        for cell in re.findall(r"\n {8}(%%.*(?:\n {8}.+)+)", magic.run.__doc__ or "")
    ]
    assert len(cells) == 6
    for cell in cells[:2]:
        session.run(cell.replace("\n        ", "\n"))
    session.run("%reset -f")
    for cell in cells[2:]:
        session.run(cell.replace("\n        ", "\n"))
    for name in ("my-alpha", "my-ERR", "steps"):
        dm.unregister(name)


# ------------------------------------------------------------------------------------------------- display


def test_lists_and_topics_show_as_tables(written: Session) -> None:
    formatted, _ = written.shell.display_formatter.format(written["A"])
    assert "the shop" in formatted["text/html"]
    assert formatted["text/plain"].splitlines()[3].split() == ["1", "d1", "●●", "2", "▲", "1"]
    formatted, _ = written.shell.display_formatter.format([written["A"]])
    assert formatted["text/plain"] == "[List A for topic harry potter: 4 documents, grades 0 to 2]"
    formatted, _ = written.shell.display_formatter.format(written["A"].topic)
    assert "navigational" in formatted["text/html"]
    assert "■ games" in formatted["text/plain"]


def test_what_a_user_wrote_is_escaped(session: Session) -> None:
    session.run("%%intents\n<b>x 1")
    session.run('%%serp A\n<i>d <b>x:1 "<script>"')
    html = session.shell.display_formatter.format(session["A"])[0]["text/html"]
    html += session.run("%diveval A")._repr_html_() + session.run("%explain A")._repr_html_()
    assert not re.search(r"<(script|i>d|b>x)", html)
