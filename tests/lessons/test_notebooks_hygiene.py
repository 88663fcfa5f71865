"""The notebooks are fit to be read: every rule holds for every notebook, and every rule can fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import check_notebooks
from tools.check_notebooks import CHECKS, Check
from tools.close_solutions import closed, solution_file
from tools.execute_notebooks import WIDGET_VIEW, execute
from tools.notebook_files import FOLDER, all_notebooks, generated_cell, read, reading_order, tags, write

NOTEBOOKS = all_notebooks()
KEPT = {"derives": ["P-IA"]}


def test_there_are_notebooks() -> None:
    assert reading_order(), f"no notebook NN_topic.ipynb in {FOLDER}: nothing below would be checked"
    assert reading_order()[0].name == "00_start_here.ipynb"


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, check: Check) -> None:
    complaints = list(check(read(path)))
    assert not complaints, "\n".join(["", *complaints])


# From here on: notebooks made for the purpose, one good and many bad.


def text(source: str) -> NotebookNode:
    return new_markdown_cell(source)


def code(source: str, *outputs: NotebookNode, count: int | None = 1, **metadata: Any) -> NotebookNode:
    return new_code_cell(source, outputs=list(outputs), execution_count=count, metadata=metadata)


def shown(plain: str | None = None, html: str | None = None, **others: Any) -> NotebookNode:
    data = {"text/plain": plain, "text/html": html} | others
    return new_output("display_data", data={kind: value for kind, value in data.items() if value is not None})


def said(words: str) -> NotebookNode:
    return new_output("stream", name="stdout", text=words)


def notebook(*cells: NotebookNode, **metadata: Any) -> NotebookNode:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=list(cells), metadata={"kernelspec": kernel} | metadata)


ERROR = new_output("error", ename="ValueError", evalue="no such list", traceback=[])
TITLE = text("# A question")

SOLUTION = 'from divmetrics_widgets import Solution\n\nSolution("solutions/00_1.py")'
CLOSED = "<details><summary>Solution 1</summary><pre><code>answer = 1  # 0.77</code></pre>Answer: 1</details>"
TABLE = shown("x", "<table><tr><td>x</td></tr></table>")


def data_frame(*rows: tuple[str, ...]) -> str:
    """As pandas writes one."""
    body = "".join(f"<tr><th>x</th>{''.join(f'<td>{entry}</td>' for entry in row)}</tr>" for row in rows)
    return (
        f'<table border="1" class="dataframe"><thead><tr><th></th></tr></thead><tbody>{body}</tbody></table>'
    )


FOUND = shown("The answer is closed: predict first, or print it.", CLOSED)

GOOD = {
    "of all kinds": notebook(
        text("# A question\n\nERR-IA prefers the mixed list: 0.43 against 0.25, 72 % more."),
        code("print(score)", said("0.4300 0.25 72%")),
        text("## An answer\n\n```python\n# no heading, and 0.99 is no prose\n```"),
        code("1 / 0", ERROR, count=2, tags=["raises-exception"]),
        text("### In detail\n\nSee [the paper](https://example.org/a/0.77/b) and 10.1145/2071389.2071390."),
        code("", count=None),
        code(SOLUTION, shown("Closed; it is in solutions/00_1.py", CLOSED), count=3, tags=["solution"]),
        text("## Summary"),
    ),
    "without code": notebook(text("# Sources\n\n- Section 4.2, Eq. 2.1, Python 3.11")),
}

BAD: dict[str, list[tuple[NotebookNode, str]]] = {
    "executed_in_order": [
        (notebook(TITLE, code("1", count=None)), "cell 2 has execution count None, expected 1"),
        (notebook(TITLE, code("1", count=2)), "cell 2 has execution count 2, expected 1"),
        (notebook(code("1", count=1), code("2", count=3)), "cell 2 has execution count 3, expected 2"),
        (notebook(code("1", count=2), code("2", count=1)), "cell 1 has execution count 2, expected 1"),
    ],
    "no_errors": [(notebook(code("1 / 0", ERROR)), "cell 1 ended in ValueError: no such list")],
    "no_widget_state": [
        (notebook(widgets={"application/vnd.jupyter.widget-state+json": {}}), "metadata.widgets"),
        (notebook(code("lab", shown("lab", **{WIDGET_VIEW: {"model_id": "1"}}))), "cell 1 carries the view"),
        (notebook(code("lab", new_output("display_data"))), "cell 1 shows nothing"),
    ],
    "one_title": [
        (notebook(text("Words.")), "0 titles"),
        (notebook(text("# One"), text("# Two")), "2 titles (H1), expected one: cell 1, cell 2"),
        (notebook(text("# One\n\n<h1>Two</h1>")), "2 titles"),
        (notebook(text("# One\n\nTwo\n===")), "2 titles"),
        (notebook(text("## Before"), text("# Title")), "'Before' stands before the title"),
    ],
    "headings_in_order": [
        (notebook(text("# One\n\n### Three")), "'Three' is a heading of level 3 below one of level 1"),
        (notebook(text("# One"), text("## Two"), text("#### Four")), "cell 3: 'Four'"),
    ],
    "kernel_is_python3": [
        (notebook(kernelspec={"name": "my-venv", "display_name": "x"}), "the kernel is 'my-venv'"),
        (new_notebook(), "the kernel is None"),
    ],
    "no_local_paths": [
        (notebook(code("p", said("read /home/me/runs/a.run"))), "'/home/me/runs/a.run'"),
        (notebook(code("p", shown("PosixPath('/srv/runs')"))), "'/srv/runs'"),
        (notebook(code("p", shown(html="<td>~/runs/a.run</td>"))), "'~/runs/a.run'"),
        (notebook(code("p", shown(r"C:\Users\me"))), r"'C:\\Users\\me'"),
        (
            notebook(code("p", new_output("error", ename="E", evalue="file:///a", traceback=[]))),
            "'file:///a'",
        ),
    ],
    "small": [(notebook(code("p", said("x" * 1_500_000))), "expected at most 1,500,000")],
    "solutions_closed": [
        (notebook(code("answer = 1", tags=["solution"])), "cell 1 is a solution, and its code stands open"),
        (notebook(code("answer = 1", tags=["solution"], jupyter={"source_hidden": True})), "stands open"),
        (notebook(code(f"{SOLUTION}\nprint(1)", tags=["solution"])), "stands open"),
        (notebook(code("%%time\nx", tags=["solution"])), "stands open"),
        (notebook(code(SOLUTION, said("1"), tags=["solution"])), "shows something of its solution"),
        (notebook(code(SOLUTION, shown("It is 1."), tags=["solution"])), "shows something of its solution"),
        (notebook(code(SOLUTION, shown(html=f"{CLOSED}1"), tags=["solution"])), "outside <details>"),
    ],
    "answers_closed": [
        (notebook(text("<details open><summary>Why?</summary>So.</details>")), "cell 1 has <details> that"),
        (notebook(code("s", shown(html="<details class='a' open></details>"))), "cell 1 has <details> that"),
        (notebook(code("s", shown(html="<p><b>Answer: 1.</b></p>"))), "cell 1 shows the answer to a"),
        (notebook(code("s", shown(html=f"{CLOSED}<b>You said 1. The answer: 2.</b>"))), "shows the answer"),
        (notebook(code("s", shown("Answer: 1.", html=CLOSED))), "shows the answer"),
        (notebook(code("s", said("Answer: 1."))), "shows the answer"),
    ],
    "answers_computed": [
        (notebook(code('guess.found("none", why)')), "cell 1 writes the answer down, found('none', ...)"),
        (notebook(code("x = 1\ndisplay(guess.found(-2, tolerance=1))")), "found(-2, ...)"),
        (notebook(code("guess.found(value=0.25 * 3)")), "found(0.25 * 3, ...)"),
        (notebook(code("scores = %diveval A\nguess.found(answers[0])")), "found(answers[0], ...)"),
    ],
    "reasons_closed": [
        (notebook(code('Check(answer, test, "So it is.")')), "cell 1 gives a reason away, 'So it is.'"),
        (notebook(code("Check(answer, test, why='So it is.')")), "gives a reason away, 'So it is.'"),
        (notebook(code('why = "So it is."\nguess.found(x, why, show=t)')), "a reason away, 'So it is.'"),
        (
            notebook(code('t = "So it is."\nguess.found(x, show=forest(a).titled(t))')),
            "a reason away, 'So it is.'",
        ),
        (
            notebook(code('x, why = 1 + y, "So it is."\nguess.found(x, why=why)')),
            "a reason away, 'So it is.'",
        ),
        (notebook(code('why_1 = "So."\nx', jupyter={"source_hidden": True})), "cell 1 begins with a reason"),
        (notebook(code('x.found(y, "So.")', jupyter={"source_hidden": True})), "cell 1 begins with a reason"),
    ],
    "predictions_answered": [
        (
            notebook(code("guess = Predict('?')"), text("So it is B."), code("guess.found(x)")),
            "cell 2 stands between the prediction 'guess' and its answer",
        ),
    ],
    "predictions_stored": [
        (notebook(text("**Predict.** Where?"), code("x", said("There."))), "cell 1 says 'Predict' and no"),
        (notebook(text("**Predict.** Where?\n\n<details>There.</details>")), "cell 1 says 'Predict'"),
        (notebook(text("So. Guess which."), text("More."), code("Predict('?')")), "cell 1 says 'Guess'"),
        (notebook(text("Before you run this: where?"), code("x")), "cell 1 says 'Before you run'"),
        (notebook(text("What do you\nexpect?")), "cell 1 says"),
        (notebook(text("## Exercises"), text("## Summary\n\nTake a guess."), code("x")), "cell 2 says"),
    ],
    "results_closed": [
        (notebook(code("print(x)\nguess.found(x)", said("x"), FOUND)), "cell 1 shows more than the closed"),
        (notebook(code("guess.found(x, show=t)", shown(html=f"{CLOSED}<table></table>"))), "cell 1 shows"),
        (
            notebook(code("display(guess.found(x))", FOUND, shown("a figure", **{"image/png": "AA=="}))),
            "cell 1 shows",
        ),
        (notebook(code("g = Predict('?')"), code("t", TABLE), code("g.found(x)", FOUND)), "cell 2 shows"),
        (notebook(code("g = Predict('?')"), code("g.found(x)", FOUND), code("t", TABLE)), "cell 3 shows"),
    ],
    "checks_computed": [
        (notebook(code("Check(answer_1, 1 / 5_000, 'Why.')")), "Check(answer_1, 1 / 5000, 'Why.')"),
        (notebook(code("Check(x, lambda letter: why.get(letter, letter == 'a'))")), "letter == 'a'"),
        (notebook(code("def right(x):\n    return 2 == x\n\nCheck(answer, right)")), "2 == x"),
        (notebook(code("Check(a, lambda x: abs(x - 2 / 9) < 0.005)")), "right answer down, abs(x - 2 / 9)"),
    ],
    "short_cells": [(notebook(code("x = 1\n" * 21)), "cell 1 has 21 lines, expected at most 20")],
    "short_lines": [
        (notebook(code("x" * 101)), "cell 1 has a line of 101 letters, expected at most 100"),
        (
            notebook(code("x" * 99, jupyter={"source_hidden": True})),
            "cell 1 is folded under a line of 99 letters",
        ),
    ],
    "columns_even": [
        (
            notebook(code("t", shown("t", data_frame(("1.0", "2"), ("0.25", "3"))))),
            "cell 1 has a table with 1 to 2 decimals in one column",
        ),
        (
            notebook(code("t", shown("t", data_frame(("2", "\u22121.50"), ("3", "1.5"))))),
            "with 1 to 2 decimals in one",
        ),
    ],
    "numbers_are_computed": [
        (notebook(text("It scores 0.43."), code("s", said("0.4312"))), "cell 1 says 0.43,"),
        (notebook(text("A gain of 12 %."), code("s", said("12"))), "cell 1 says 12 %,"),
        (notebook(text("A gain of 12.5%."), code("s")), "cell 1 says 12.5%,"),
        (notebook(text("p is .05"), code("p = 0  # .05")), "cell 1 says .05,"),
        (notebook(text("**0.43**"), code("s", shown(html='<td width="0.43">0.34</td>'))), "says 0.43,"),
        (notebook(text("0.43"), code("s", shown("chart", **{"image/svg+xml": "0.43"}))), "says 0.43,"),
        (notebook(text("| A | 0.43 |"), text("0.43")), "cell 2 says 0.43,"),
        (notebook(text("[0.43](https://example.org)")), "says 0.43,"),
        (notebook(text("costs $5 and 0.43, or $6")), "says 0.43,"),
        (notebook(text("0.77"), code(SOLUTION, shown(html=CLOSED))), "says 0.77,"),
    ],
}

FINE = {
    "no_local_paths": [
        "relevant/judged/all",
        "https://example.org/data/runs",
        "and/or",
        "1/2/3",
        "runs/a.run",
        "</td></tr>",
    ],
    "numbers_are_computed": [
        "topics 21, 28 and 38 of 2010",
        "$p = 0.43$, $$\n0.43\n$$ and \\(0.43\\)",
        "[words](runs_0.43.html) and https://example.org/0.43",
        "Python 3.11 to 3.13, version 0.1.0, Sections 4.2 and 4.3, Eqs. 2.1-2.4, CC BY 4.0",
        "<img width='0.43'>",
        "<!-- 0.43 -->",
        "ERR-IA@10 of run1.2b",
        "```\n0.43\n```",
    ],
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", GOOD)
def test_a_good_notebook_passes(name: str, check: Check) -> None:
    assert list(check(GOOD[name])) == []


@pytest.mark.parametrize(
    ("name", "bad", "complaint"), [(name, bad, complaint) for name in BAD for bad, complaint in BAD[name]]
)
def test_broken_notebook_reports_its_problem(name: str, bad: NotebookNode, complaint: str) -> None:
    check: Check = getattr(check_notebooks, name)
    assert complaint in "\n".join(check(bad))


def test_every_check_has_a_failing_case() -> None:
    assert set(BAD) == {check.__name__ for check in CHECKS}


@pytest.mark.parametrize("words", FINE["numbers_are_computed"])
def test_numbers_in_prose_ignore_code_and_names(words: str) -> None:
    assert list(check_notebooks.numbers_are_computed(notebook(text(words)))) == []


@pytest.mark.parametrize("words", FINE["no_local_paths"])
def test_local_path_false_positives(words: str) -> None:
    assert list(check_notebooks.no_local_paths(notebook(code("p", said(words))))) == []


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("It scores 0.43.", said("score 0.4300")),
        ("It loses 0.05.", said("-0.05")),
        ("12 % more", said("0.12")),
        ("12 % more", shown(html="<td>12%</td>")),
        ("12.5% more", said("percent: 12.5")),
        ("1,234.5 in all", said("1234.5")),
        ("ERR-IA is 0.43;", shown("ERR-IA=0.43")),
        ("It scores 0.43.", shown(html='<img src="x" alt="ERR-IA &lt; 0.43" width="9">')),
        ("It scores 0.43.", shown(html="<pre><code>if s &lt; 1:\n    assert s == 0.43</code></pre>")),
    ],
)
def test_numbers_of_prose_may_come_from_outputs(words: str, output: NotebookNode) -> None:
    assert list(check_notebooks.numbers_are_computed(notebook(text(words), code("show()", output)))) == []
    assert list(check_notebooks.numbers_are_computed(notebook(text(words), code("show()")))) != []


@pytest.mark.parametrize(
    "source",
    [
        "guess.found(len(pages), 'Why.', tolerance=1)",
        "guess.found(answers[best])",
        "'.found(1)'",
        "%%script\nx =",
    ],
)
def test_where_an_answer_is_not_written_down(source: str) -> None:
    assert list(check_notebooks.answers_computed(notebook(code(source)))) == []


@pytest.mark.parametrize(
    "source",
    [
        "Check(answer_1, metric.score(C), 'Why.', tolerance=0.0005)",
        "Check(answer_2, lambda effort: rates(effort - 0.01)[2] > 1)",
        "def five(docs):\n    return len(docs) == 5 or 'five, please'\n\nCheck(answer_3, five)",
        "def right(x):\n    return abs(1 - x - share) < 0.005 or x > highest\n\nCheck(answer_1, right)",
        "def exchange(top):\n    return top == 1",
    ],
)
def test_where_a_right_answer_is_not_written_down(source: str) -> None:
    assert list(check_notebooks.checks_computed(notebook(code(source)))) == []


def test_where_a_prediction_is_answered() -> None:
    cells = [code("(a := Predict('?'))"), code("x"), code("a.found(x)\nb = Predict('?')"), code("b.found(x)")]
    assert list(check_notebooks.predictions_answered(notebook(*cells))) == []


@pytest.mark.parametrize(
    "cells",
    [
        [text("Predict where it stands."), code("where = Predict('Where?')")],
        [text("Readers predict what they like, and guess.\n\n## Ask: Predict\n\n`Predict` asks."), code("x")],
        [text("<details><summary>Where?</summary>Predict it, or guess. Guess first.</details>"), code("x")],
        [text("## Exercises\n\n### 1. Where?"), code("x"), text("### 2. How?\n\nGuess first."), code("y")],
        [text("See [Before you run](a.ipynb#Predict) and `Guess`:\n\n```\nPredict(x)\n```"), code("x")],
    ],
)
def test_prediction_prose_is_accepted(cells: list[NotebookNode]) -> None:
    assert list(check_notebooks.predictions_stored(notebook(*cells))) == []


@pytest.mark.parametrize(
    "cells",
    [
        [
            code("t", TABLE),
            code("g = Predict('?')\ng", TABLE, shown("?")),
            code("x"),
            code("g.found(x)", FOUND),
        ],
        [code("g = Predict('?')"), code("g.found(x)", FOUND), text("So it is."), code("t", TABLE)],
        [
            code(
                "g.found(x, show=t)",
                shown(html=CLOSED),
                shown(html=CLOSED.replace("Answer: 1", TABLE.data["text/html"])),
            )
        ],
    ],
)
def test_where_a_result_is_closed(cells: list[NotebookNode]) -> None:
    assert list(check_notebooks.results_closed(notebook(*cells))) == []


def test_a_closed_cell_may_write_an_answer_down() -> None:
    hidden = code("guess.found(1)", jupyter={"source_hidden": True})
    assert list(check_notebooks.answers_computed(notebook(hidden))) == []


def test_a_reason_may_be_computed_and_a_closed_cell_may_name_it() -> None:
    hidden = code('x = 1\nwhy = "So it is."\nguess.found(x, why)', jupyter={"source_hidden": True})
    computed = code(
        'Check(answer, test, f"It is {x}.")\nguess.found("a", f"It has {x}.")\nCheck(answer, test)'
    )
    assert list(check_notebooks.reasons_closed(notebook(hidden, computed, code("Check(a, b, why_1)")))) == []


def test_line_limit_applies_to_visible_lines() -> None:
    hidden = code("x\n" + "x" * 101, jupyter={"source_hidden": True})
    assert list(check_notebooks.short_lines(notebook(hidden, code("x" * 100)))) == []


def test_decimals_are_compared_within_columns_only() -> None:
    rows = (("1.0", "1.25", "3"), ("0.5", "\u22120.50", "4"), ("", "taken: 1", "2.5 %"))
    assert list(check_notebooks.columns_even(notebook(code("t", shown("t", data_frame(*rows)))))) == []


def test_a_number_that_a_tool_wrote_was_computed() -> None:
    made = generated_cell("head", "0.43 of 12 %")
    assert list(check_notebooks.numbers_are_computed(notebook(TITLE, made))) == []
    made.metadata["tags"] = ["mine"]
    assert len(list(check_notebooks.numbers_are_computed(notebook(TITLE, made)))) == 2


def test_an_assertion_covers_a_number() -> None:
    prose = text("It scores 0.43.")
    assert not list(check_notebooks.numbers_are_computed(notebook(prose, code("assert round(s, 2) == 0.43"))))


def test_solutions_move_into_files_and_stay_there() -> None:
    path = Path("notebooks/05_more.ipynb")
    made = notebook(
        code("# Solution 1\n# Easy.\nx = 1", tags=["solution"], jupyter={"outputs_hidden": True}),
        code("# 2. No trial\n#    got there.\n\nx  # so\n# far", tags=["solution"]),
        code("# What the lab shows\nlab", tags=["solution"]),
        code("# Solution 4\nx"),
    )
    assert closed(made, path) == {
        Path("notebooks/solutions/05_1.py"): "# Solution 1\n# Easy.\nx = 1\n",
        Path("notebooks/solutions/05_2.py"): "# Solution 2\n# No trial\n# got there.\n\nx  # so\n# far\n",
        Path("notebooks/solutions/05_what_the_lab_shows.py"): "# What the lab shows\nlab\n",
    }
    assert [solution_file(cell.source) for cell in made.cells] == [
        "solutions/05_1.py",
        "solutions/05_2.py",
        "solutions/05_what_the_lab_shows.py",
        None,
    ]
    assert made.cells[0].metadata.jupyter == {"source_hidden": True}
    assert closed(made, path) == {}
    with pytest.raises(SystemExit, match="two solutions begin with '1'"):
        closed(notebook(*[code("# 1. x", tags=["solution"]) for _ in "ab"]), path)


def test_every_solution_is_shown_by_a_notebook() -> None:
    cells = [cell for path in NOTEBOOKS for cell in read(path).cells if "solution" in tags(cell)]
    files = [path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("solutions/*")]
    assert sorted(files) == sorted(filter(None, (solution_file(cell.source) for cell in cells)))


def test_execution_output_is_machine_independent(tmp_path: Path) -> None:
    path = tmp_path / "00_start.ipynb"
    view = f"display({{'text/plain': 'static', '{WIDGET_VIEW}': {{'model_id': '1'}}}}, raw=True)"
    write(
        notebook(
            TITLE,
            code("6 * 7", said("stale"), count=9, collapsed=True, tags=["kept"], divmetrics=KEPT),
            code(view, count=None),
            code("1 / 0", count=None, tags=["raises-exception"]),
            widgets={"state": {}},
        ),
        path,
    )
    write(execute(path), path)
    made = read(path)
    _, product, widget, error = made.cells
    assert made.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert [cell.execution_count for cell in made.cells[1:]] == [1, 2, 3]
    assert product.metadata == {"tags": ["kept"], "divmetrics": KEPT}
    assert product.outputs[0].data == {"text/plain": "42"}
    assert widget.outputs[0].data == {"text/plain": "static"}
    assert error.outputs[0].ename == "ZeroDivisionError"
    before = path.read_bytes()
    write(execute(path), path)
    assert path.read_bytes() == before


def test_notebooks_do_not_share_state(tmp_path: Path) -> None:
    """Each runs in a kernel of its own; and among ours there is no file that one of them could have left."""
    for name, source in {"00_start": "metric = 'RBU'", "01_more": "'metric' in globals()"}.items():
        path = tmp_path / f"{name}.ipynb"
        write(notebook(TITLE, code(source, count=None)), path)
        write(execute(path), path)
    (_, cell) = read(tmp_path / "01_more.ipynb").cells
    assert cell.outputs[0].data == {"text/plain": "False"}
    left = [path for path in FOLDER.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts]
    kinds = {(path.parent.relative_to(FOLDER).as_posix(), path.suffix) for path in left}
    assert kinds == {(".", ".ipynb"), ("solutions", ".py")}


def test_a_notebook_that_fails_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "00_start.ipynb"
    write(notebook(TITLE, code("1 / 0", count=None)), path)
    before = path.read_bytes()
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute(path)
    assert path.read_bytes() == before
