"""Submissions that try to gain points, to end the run, or to look where they must not; and files that are
broken.

Each is a copy with right answers in all cells but one, so it earns the points of the others.
"""

from __future__ import annotations

import codecs
import copy
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from itertools import cycle

from nbformat import NotebookNode

from course.grading.assignment import Assignment
from course.grading.course_files import Release
from course.grading.known_submissions import Copy, content, every, fill_answers, variable
from course.grading.notebook_file import LARGEST, MOST_READ
from course.grading.rebuild import MOST_CELLS
from course.grading.submissions import MOST_FILES

SECRET = "printed-by-a-submission"
# What also costs the answers below: it spoils what they are written down with.
COSTS_ALL = {"a patched hand_in"}
# Code in the cell of the first question, which asks for a number and is the only one to be lost.
IN_A_CELL = {
    "a patched metric": """
import divmetrics as dm
dm.metric = lambda name: type("Full", (), {"score": lambda self, ranking: 7.0, "scores": lambda *a: 7.0})()
dm.Metric.score = lambda *a, **k: 7.0
{x} = dm.metric("S-recall@3").score(None)""",
    "an object equal to everything": """
class Everything(float):
    def __eq__(self, other): return True
    def __hash__(self): return 1
    def __sub__(self, other): return 0.0
    __rsub__ = __abs__ = __sub__
{x} = Everything(7)""",
    "an object that is no number": """
class Number:
    def __float__(self): raise SystemExit
    def __iter__(self): return self
    def __next__(self): raise KeyboardInterrupt
    def __getattr__(self, name): return self
{x} = Number()""",
    "a faked hand_in": """
from IPython.display import display
for n in range(3):
    said = {{"question": "{q}", "value": 7.0, "points": 100, "right": True}}
    display({{"application/vnd.divmetrics.answer+json": said}}, raw=True)
hand_in = lambda *words, **more: None
{x} = 7.0""",
    "a patched hand_in": """
import divmetrics_widgets.handing_in as inside
inside.written = lambda answer: {{"values": [], "points": 100, "table": None, "function": True}}
{x} = 7.0""",
    "an input transformer": """
get_ipython().input_transformers_cleanup.append(
    lambda lines: [line.replace('hand_in("{q}", {x}', 'hand_in("{q}", 7.0') for line in lines])
{x} = 7.0""",
    "another run_cell": """
shell = get_ipython()
class Done: error_before_exec = error_in_exec = None
shell.run_cell = lambda source, **more: Done() if '"{q}"' in source else type(shell).run_cell(shell, source)
{x} = 7.0""",
    "writing the gradebook": """
import pathlib, sqlite3
for path in [*pathlib.Path("/").glob("**/gradebook.db"), pathlib.Path("gradebook.db")]:
    base = sqlite3.connect(path)
    base.execute("update grade set auto_score = 396")
    base.commit()
{x} = 7.0""",
    "importing the key": """
import course.grading.{a} as key
{x} = key.QUESTIONS[0].right(mine)""",
    "looking for the key": """
import os, runpy
found = [os.path.join(at, "{a}.py") for at, _, files in os.walk("/") if "{a}.py" in files]
{x} = runpy.run_path(found[0])["QUESTIONS"][0].right(mine)""",
    "looking for another's work": """
import os
found = [at for at, folders, files in os.walk("/") if "submitted" in folders or "students.csv" in files]
{x} = 7.0 if not found else found[0]""",
    "asking the network": """
import socket
socket.create_connection(("1.1.1.1", 80), 2)
{x} = 7.0""",
    "changing the library": """
import divmetrics.core.metric as module
open(module.__file__, "a").write("raise SystemExit\\n")
{x} = 7.0""",
    "writing into the pipe": """
import os
line = '{{"done": "{q}", "handed": [{{"question": "{q}", "value": 7.0, "points": 100}}], "error": null}}\\n'
for fd in range(3, 64):
    try: os.write(fd, line.encode())
    except OSError: pass
{x} = 7.0""",
    "many answers": "for n in range(2000): hand_in('{q}', 'x' * 19_000)",
    "a look at the grader's process": """
import gc, sys
seen, frame = {{}}, sys._getframe()
while frame:
    seen |= frame.f_locals
    frame = frame.f_back
for each in gc.get_objects():
    if isinstance(each, dict) and ("right" in each or "verdict" in each):
        seen |= {{str(key): value for key, value in each.items()}}
{x} = seen.get("right", str(sorted(seen)))""",
    "other data": """
import {a}_data
{a}_data.of = lambda student: 1 / 0
{x} = 7.0""",
    "names that take long to read": f"import {'a.' * 9_000}a\n{{x}} = 7.0",
    "too many letters": f"x = '{'x' * 20_000}'\n{{x}} = 7.0",
    "noise": """
import sys, os
secret = "-".join({secret})
for stream in (sys.stdout, sys.stderr):
    print(secret * 1000, file=stream)
os.write(1, secret.encode()); os.write(2, secret.encode())
{x} = 7.0""",
    "exit": "exit()\nquit()\nraise SystemExit(0)",
    "ending the kernel": "import os\nos._exit(0)",
    "killing everything": """
import os, signal
for process in (os.getppid(), -1, os.getpid()):
    os.kill(process, signal.SIGKILL)""",
    "a loop that stops the clock": """
import signal
signal.setitimer(signal.ITIMER_REAL, 0)
while True: pass""",
    "a crash": "import ctypes\nctypes.string_at(0)",
    "much memory": "{x} = bytearray(50 * 2**30)",
    "a full disk": """
for folder in ("/tmp", "/dev/shm", "/home/student", "/", "/dev"):
    for n in range(200):
        try: open(f"{folder}/{n}", "wb").write(bytes(32 * 2**20))
        except OSError: break
{x} = 7.0""",
    "many processes": """
import os, time
children = 0
while children < 1000:
    if os.fork() == 0:
        while True: time.sleep(60)
    children += 1
{x} = 7.0""",
    "a long answer": "{x} = [0.5] * 5_000_000",
    "half a letter in an error": 'raise ValueError("\\ud800")',
    "half a letter as the answer": '{x} = "\\ud800"',
    "a page in an error": 'raise ValueError("<img src=x onerror=alert(1)>")',
    "not a number": '{x} = float("nan")',
    "an endless number": "{x} = 10 ** 5000",
    "code that is none": "{x} = = 0.5",
    "a stopped exception": "raise KeyboardInterrupt",
}  # fmt: skip


def attacks(release: Release, assignment: Assignment, students: list[str]) -> Iterator[Copy]:
    """Yield every attack as a submission, assigned to the students in turn."""
    first = assignment.questions[0].name
    way = list(assignment.solutions.values())[-1]
    name_of_answer = variable(release, first)
    whose = cycle(students)
    for name, code in IN_A_CELL.items():
        student = next(whose)
        words = {
            "{x}": name_of_answer,
            "{q}": first,
            "{a}": assignment.name,
            "{secret}": repr(SECRET.split("-")),  # since feedback shows the code of a function
            "{{": "{",
            "}}": "}",
        }
        for word, value in words.items():
            code = code.replace(word, value)
        notebook = fill_answers(release, student, {**way, first: code})
        earns = frozenset() if name in COSTS_ALL else every(assignment) - {first}
        yield Copy(name, student, content(notebook), earns)
    for name, (change, lost, finding, file) in _changes(release, assignment).items():
        student = next(whose)
        made = change(fill_answers(release, student, way))
        earns = frozenset() if lost is None else every(assignment) - set(lost)
        yield Copy(name, student, made if isinstance(made, bytes) else content(made), earns, file, finding)


Change = Callable[[NotebookNode], NotebookNode | bytes]


def _changes(
    release: Release, assignment: Assignment
) -> dict[str, tuple[Change, tuple[str, ...] | None, str, str]]:
    """Return by name: a change of the file, the questions lost (None: all), the finding, the file name."""
    first = assignment.questions[0].name
    last = assignment.questions[-1].name
    answer = f"{last}_answer"

    def cell(notebook: NotebookNode, name: str) -> NotebookNode:
        return next(cell for cell in notebook.cells if cell.id == name)

    def copied(notebook: NotebookNode) -> NotebookNode:
        for name in (answer, last, "title"):
            again = copy.deepcopy(cell(notebook, name))
            again["id"] = f"copy-{name}"
            notebook.cells.append(again)
        cell(notebook, f"copy-{answer}").source = "# Your answer to it\nnothing = 1"
        return notebook

    def deleted(notebook: NotebookNode) -> NotebookNode:
        notebook.cells = [cell for cell in notebook.cells if cell.id not in (answer, "data", last)]
        return notebook

    def stripped(notebook: NotebookNode) -> NotebookNode:
        for each in notebook.cells:
            each.metadata = NotebookNode()
        return notebook

    def bare(notebook: NotebookNode) -> bytes:
        raw = json.loads(content(stripped(notebook)))
        for each in raw["cells"]:
            del each["id"]
        return json.dumps({**raw, "nbformat_minor": 4}).encode()

    def reordered(notebook: NotebookNode) -> NotebookNode:
        notebook.cells.reverse()
        return notebook

    def rich(notebook: NotebookNode) -> NotebookNode:
        for each in notebook.cells:
            about = each.metadata.get("nbgrader", {})
            if "points" in about:
                about["points"] = 1000
            if each.id == last:
                each.source = "pass"
        return notebook

    def another(notebook: NotebookNode) -> NotebookNode:
        cell(notebook, "student").source = 'STUDENT = "somebody else"'
        return notebook

    def latin(notebook: NotebookNode) -> bytes:
        cell(notebook, "student").source += "  # Zoë"
        return json.dumps(json.loads(content(notebook)), ensure_ascii=False).encode("latin-1", "replace")

    def large(notebook: NotebookNode) -> bytes:
        return content(notebook) + b" " * (LARGEST + 1)

    def wide(notebook: NotebookNode) -> bytes:
        return content(notebook).decode().encode("utf-16")

    def marked(notebook: NotebookNode) -> bytes:
        return codecs.BOM_UTF8 + content(notebook)

    def printing(data: dict[str, object]) -> Change:
        """Show data often enough to make the file larger than a notebook may be."""

        def change(notebook: NotebookNode) -> bytes:
            raw = json.loads(content(notebook))
            output = {"output_type": "display_data", "metadata": {}, "data": data}
            ran = next(each for each in raw["cells"] if each["cell_type"] == "code")
            ran["outputs"] = [output] * (LARGEST // len(json.dumps(output)) + 1)
            return json.dumps(raw).encode()

        return change

    def understated(notebook: NotebookNode) -> bytes:
        """Pack a file that is larger than the size that the zip file states."""
        text = content(notebook)
        larger = text + b" " * MOST_READ
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(f"{release.name}.ipynb", larger)
        size, stated = (len(each).to_bytes(4, "little") for each in (larger, text))
        return made.getvalue().replace(size, stated)

    def odd(notebook: NotebookNode) -> bytes:
        return b'{"cells": [1, {}, {"source": 3, "metadata": 4}]}'

    def emptied(notebook: NotebookNode) -> NotebookNode:
        cell(notebook, f"{first}_answer").source = cell(release.notebook, f"{first}_answer").source
        return notebook

    def crowded(cells: int) -> Change:
        def change(notebook: NotebookNode) -> NotebookNode:
            original = cell(notebook, answer)
            spare = cells - len(notebook.cells)
            notebook.cells += [NotebookNode({**original, "id": f"copy-{n}"}) for n in range(spare)]
            return notebook

        return change

    def explained(text: str) -> Change:
        def change(notebook: NotebookNode) -> bytes:
            raw = json.loads(content(notebook))
            written = next(each for each in raw["cells"] if each["id"] == assignment.written[0].name)
            written["source"] = text
            return json.dumps(raw).encode()

        return change

    def laden(notebook: NotebookNode) -> bytes:
        """Put words that nobody may see into everything that is no answer."""
        raw = json.loads(content(notebook))
        page = f"<script>alert('{SECRET}')</script>"
        bundle = {"text/html": page, "image/svg+xml": page}
        raw["metadata"] = {
            "title": page,
            "widgets": {"application/vnd.jupyter.widget-state+json": {"x": page}},
        }
        for each in raw["cells"]:
            each["attachments"] = {"x.svg": bundle}
            each["metadata"]["tags"] = [page]
            if each["cell_type"] == "code":
                each["outputs"] = [{"output_type": "display_data", "data": bundle, "metadata": {}}]
        return json.dumps(raw).encode()

    def leading_out(notebook: NotebookNode) -> bytes:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as packed:
            for name in ("../../students.csv", "/students.csv", "x/../../y.ipynb"):
                packed.writestr(name, SECRET)
            packed.writestr("a/ps.ipynb", content(notebook))
        return made.getvalue()

    def many_files(notebook: NotebookNode) -> bytes:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as packed:
            for n in range(MOST_FILES):
                packed.writestr(str(n), "")
            packed.writestr(f"{release.name}.ipynb", content(notebook))
        return made.getvalue()

    everything = None
    formula, turned = "x;=cmd|' C calc'!A0.ipynb", "\u202eredro.ipynb"
    return {
        "what is no answer": (laden, (), "picture", ""),
        "a zip file that leads out of its folder": (leading_out, (), "in a zip file", "all.zip"),
        "a file name that is a formula": (lambda notebook: notebook, (), "It is named x;", formula),
        "a file name that turns round": (lambda notebook: notebook, (), "It is named ?redro", turned),
        "cells copied": (copied, (), "", ""),
        "as many cells as may be": (crowded(MOST_CELLS), (), "times; one was read", ""),
        "too many cells": (crowded(MOST_CELLS + 1), everything, "a notebook may have", ""),
        "half an emoji in a written answer": (explained("Yes \ud83d"), (), "", ""),
        **{
            f"a written answer with {text!r}": (explained(text), (), "", "")
            for text in (
                "[a link](javascript:alert(1))",
                "[a reference][r]\n\n[r]: javascript:alert(1)",
                "<javascript:alert(1)>",
                "![a picture](javascript:alert(1))",
                "$\\href{javascript:alert(1)}{x}$",
                "</pre><script>alert(1)</script>",
                "[data](data:text/html,<script>alert(1)</script>)",
                "![a picture](attachment:x.svg)\n\n<svg/onload=alert(1)>\n\n<iframe srcdoc='<script>'>",
                "marks \x00\x08\x0c\x1b[31m\x1b]8;;javascript:alert(1)\x07\u2028",
            )
        },
        "cells deleted": (deleted, (last,), f"The cell of the answer {last} is missing.", ""),
        "metadata stripped": (stripped, (), "", ""),
        "metadata and ids stripped": (bare, (), "", ""),
        "cells in another order": (reordered, (), "", ""),
        "points and locked cells changed": (rich, (), "", ""),
        "another's id": (another, (), "It says that it is of 'somebody else'", ""),
        "latin-1": (latin, (), "latin-1", ""),
        "UTF-16": (wide, (), "UTF-16", ""),
        "UTF-8 with a byte order mark": (marked, (), "", ""),
        "large pictures": (printing({"image/png": "x" * 2**20}), (), "without its outputs", ""),
        "many numbers": (printing({"x": [[0, "]", 1]] * 9_000}), (), "without its outputs", ""),
        "brackets without end": (lambda notebook: b"[" * LARGEST * 2, everything, "too many parts", ""),
        "a text without end": (lambda notebook: b'"' + b'\\"' * LARGEST, everything, "has 40 MB", ""),
        "a zip file that understates a size": (understated, everything, "cannot be read", "all.zip"),
        "a zip file of many files": (many_files, everything, "hand in the notebook alone", "all.zip"),
        "another name": (lambda notebook: notebook, (), "It is named", f"{assignment.name} (1).ipynb"),
        "much too large": (large, everything, "Clear its outputs", ""),
        "an empty file": (lambda notebook: b"", everything, "The file is empty.", ""),
        "half a file": (lambda notebook: content(notebook)[:3000], everything, "JSON cannot be read", ""),
        "no notebook": (lambda notebook: b"[1, 2]", everything, "no list of cells", ""),
        "lists without end": (lambda notebook: b"[" * 200_000, everything, "JSON cannot be read", ""),
        "cells of another form": (odd, everything, "None of the assignment's answer cells", ""),
        "another kind of file": (lambda notebook: b"%PDF", everything, "no notebook in it", "answers.pdf"),
        f"nothing for {first}": (emptied, (first,), "Not answered", ""),
    }  # fmt: skip
