"""Checks of a notebook before it is committed, one function per rule.

    python -m tools.check_notebooks [NOTEBOOK ...]

A check takes a notebook and yields one sentence for each place that breaks its rule. nbval runs the cells
again and compares outputs; these checks cover the rest, such as cells that were never run, which nbval skips.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from decimal import Decimal
from html import escape, unescape
from itertools import zip_longest
from pathlib import Path

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from tools.close_solutions import solution_file
from tools.execute_notebooks import WIDGET_VIEW
from tools.markdown_text import headings
from tools.notebook_files import all_notebooks, folded, is_generated, read, tags

LONGEST_CELL = 20
LONGEST_LINE = 100  # letters: JupyterLab cuts longer ones in a window of 1000 pixels
LONGEST_FIRST = 98  # letters: what a folded cell shows, with three dots; JupyterLab alone never breaks it
LARGEST_FILE = 1_500_000

Check = Callable[[NotebookNode], Iterator[str]]


def executed_in_order(notebook: NotebookNode) -> Iterator[str]:
    for expected, (place, cell) in enumerate(_code_cells(notebook), 1):
        if cell.execution_count != expected:
            yield f"{place} has execution count {cell.execution_count}, expected {expected}: make notebooks"


def no_errors(notebook: NotebookNode) -> Iterator[str]:
    for place, cell in _code_cells(notebook):
        if "raises-exception" not in tags(cell):
            for output in cell.outputs:
                if output.output_type == "error":
                    yield f"{place} ended in {output.ename}: {output.evalue}"


def no_widget_state(notebook: NotebookNode) -> Iterator[str]:
    if "widgets" in notebook.metadata:
        yield "the notebook carries the state of widgets (metadata.widgets), stale at once: make notebooks"
    for place, cell in _code_cells(notebook):
        for output in cell.outputs:
            if WIDGET_VIEW in output.get("data", {}):
                yield f"{place} carries the view of a widget that only its own kernel knew: make notebooks"
            elif output.output_type in ("display_data", "execute_result") and not output.data:
                yield f"{place} shows nothing without a kernel: its widget needs a static form"


def one_title(notebook: NotebookNode) -> Iterator[str]:
    headings = list(_headings(notebook))
    titles = [place for place, level, _ in headings if level == 1]
    if len(titles) != 1:
        yield f"{len(titles)} titles (H1), expected one" + (f": {', '.join(titles)}" if titles else "")
    elif headings[0][1] != 1:
        yield f"{headings[0][0]}: {headings[0][2]!r} stands before the title"


def headings_in_order(notebook: NotebookNode) -> Iterator[str]:
    previous = 0
    for place, level, words in _headings(notebook):
        if level > previous + 1:
            yield f"{place}: {words!r} is a heading of level {level} below one of level {previous}"
        previous = level


def kernel_is_python3(notebook: NotebookNode) -> Iterator[str]:
    name = notebook.metadata.get("kernelspec", {}).get("name")
    if name != "python3":
        yield f"the kernel is {name!r}, expected 'python3': others have no kernel of that name"


def no_local_paths(notebook: NotebookNode) -> Iterator[str]:
    for place, cell in _code_cells(notebook):
        for text in _output_texts(cell):
            for match in LOCAL_PATH.finditer(text):
                yield f"{place} shows {match[0]!r}, a path of the machine it ran on"


def small(notebook: NotebookNode) -> Iterator[str]:
    size = len(nbformat.writes(notebook).encode())
    if size > LARGEST_FILE:
        yield f"the notebook has {size:,} bytes, expected at most {LARGEST_FILE:,}: show less"


def solutions_closed(notebook: NotebookNode) -> Iterator[str]:
    for place, cell in _cells(notebook):
        if "solution" in tags(cell):
            file = solution_file(cell.source)
            if file is None:
                yield f"{place} is a solution, and its code stands open on many pages: make notebooks"
            elif any(text.strip() and not text.endswith(file) for text in _open(cell)):
                yield f"{place} shows something of its solution outside <details>"


def answers_closed(notebook: NotebookNode) -> Iterator[str]:
    """Yield answers that a reader sees without opening them."""
    for place, cell in _cells(notebook):
        for text in [cell.source] if cell.cell_type == "markdown" else _html(cell):
            if re.search(r"<details\s[^>]*\bopen\b", text):
                yield f"{place} has <details> that stand open"
        if cell.cell_type == "code" and any(re.search(r"\b(The a|A)nswer: ", text) for text in _open(cell)):
            yield f"{place} shows the answer to a prediction"


def answers_computed(notebook: NotebookNode) -> Iterator[str]:
    """Yield answers to predictions that are literal: a cell's code is in view, so it must compute them."""
    for place, cell in _code_cells(notebook):
        if not folded(cell):
            for answer in _answers(cell.source):
                yield f"{place} writes the answer down, found({answer}, ...): let it be computed"


def predictions_answered(notebook: NotebookNode) -> Iterator[str]:
    """Yield each `Predict` without `found` below it before the prose goes on."""
    waiting: set[str] = set()
    for place, cell in _cells(notebook):
        if cell.cell_type == "markdown":
            for name in sorted(waiting):
                yield f"{place} stands between the prediction {name!r} and its answer"
            waiting = set()
        else:
            waiting = {name for name in waiting if f"{name}.found(" not in cell.source}
            waiting |= set(re.findall(r"(\w+) :?= Predict\(", cell.source))


def predictions_stored(notebook: NotebookNode) -> Iterator[str]:
    """Yield prose that asks for a prediction without a `Predict` below it, which stores the answer.

    Exercises and closed text may ask without one. Headings, links, quotations and code do not count.
    """
    in_exercises = False
    following = [*notebook.cells[1:], None]
    for (place, cell), below in zip(_cells(notebook), following, strict=True):
        if cell.cell_type != "markdown":
            continue
        in_exercises = _in_exercises(cell, in_exercises)
        invitation = INVITES.search(" ".join(NO_INVITATION.sub(" ", CLOSED.sub(" ", cell.source)).split()))
        asks = below is not None and below.cell_type == "code" and "Predict(" in below.source
        if invitation and not asks and not in_exercises:
            yield f"{place} says {invitation[0]!r} and no Predict(...) stands below it to keep the answer"


def results_closed(notebook: NotebookNode) -> Iterator[str]:
    """Yield open outputs between a `Predict` and the prose after its answer.

    Outputs that reveal the result are closed with the answer, `found(..., show=...)`; those needed for the
    prediction come before the question; a lab or a walk comes after the next prose.
    """
    predicted = False
    for place, cell in _cells(notebook):
        if cell.cell_type == "markdown":
            predicted = False
            continue
        if (predicted or ".found(" in cell.source) and not all(map(_closed, cell.outputs)):
            yield f"{place} shows more than the closed answer to a prediction: found(..., show=[...])"
        predicted = predicted or "Predict(" in cell.source


def checks_computed(notebook: NotebookNode) -> Iterator[str]:
    """Yield literal answers to exercises: a cell's code is in view, so it must compute them."""
    for place, cell in _code_cells(notebook):
        for right in _right_answers(cell.source):
            yield f"{place} writes the right answer down, {right}: let it be computed"


def reasons_closed(notebook: NotebookNode) -> Iterator[str]:
    """Yield reasons for an answer that can be read in the code before the reader has tried."""
    for place, cell in _code_cells(notebook):
        if folded(cell):
            if REASON.match(cell.source):
                yield f"{place} begins with a reason; the first line of a folded cell is seen, put it below"
        else:
            for reason in _reasons(cell.source):
                yield (
                    f"{place} gives a reason away, {reason!r}: name it in the folded cell of the check, "
                    "or write it below the answer, in <details>"
                )


def short_lines(notebook: NotebookNode) -> Iterator[str]:
    for place, cell in _code_cells(notebook):
        longest = max(map(len, cell.source.splitlines()), default=0)
        if longest > LONGEST_LINE and not folded(cell):
            yield f"{place} has a line of {longest} letters, expected at most {LONGEST_LINE}"
        first = len(cell.source.partition("\n")[0])
        if first > LONGEST_FIRST and folded(cell):
            yield f"{place} is folded under a line of {first} letters, expected at most {LONGEST_FIRST}"


def columns_even(notebook: NotebookNode) -> Iterator[str]:
    """Yield columns of a table whose numbers differ in decimals, so that the points are not aligned."""
    for place, cell in _code_cells(notebook):
        for table in (match for html in _html(cell) for match in TABLE.findall(html)):
            rows = [[_words(entry) for entry in ENTRY.findall(row)] for row in table.split("</tr>")]
            for column in zip_longest(*filter(None, rows), fillvalue=""):
                decimals = {len(match[1]) for match in map(ONE_DECIMAL.fullmatch, column) if match}
                if len(decimals) > 1:
                    few, many = min(decimals), max(decimals)
                    yield f"{place} has a table with {few} to {many} decimals in one column"


def short_cells(notebook: NotebookNode) -> Iterator[str]:
    for place, cell in _code_cells(notebook):
        lines = len(cell.source.splitlines())
        if lines > LONGEST_CELL:
            yield f"{place} has {lines} lines, expected at most {LONGEST_CELL}"


def numbers_are_computed(notebook: NotebookNode) -> Iterator[str]:
    """Yield decimal numbers and percentages of the prose that are in no output and no code.

    Values must be equal: 0.43 matches 0.430, not 0.4312. A percentage may also match a share (37 % and 0.37).
    Formulas, code blocks, links' addresses, versions and numbers of equations and sections are not checked,
    nor are generated cells, whose numbers a tool has computed.
    """
    numbers = _numbers_of(notebook)
    for place, cell in _cells(notebook):
        if cell.cell_type == "markdown" and not is_generated(cell):
            prose = NOT_PROSE.sub(" ", cell.source)
            for match in NUMBER.finditer(prose):
                value, percent = _value(match)
                alternatives = {(value, True), (value / 100, False)} if percent else {(value, False)}
                if percent and "." in match["digits"]:
                    alternatives.add((value, False))
                if (percent or "." in match["digits"]) and not alternatives & numbers:
                    yield f"{place} says {match[0].strip()}, which no output and no code here shows"


CHECKS: tuple[Check, ...] = (
    executed_in_order,
    no_errors,
    no_widget_state,
    one_title,
    headings_in_order,
    kernel_is_python3,
    no_local_paths,
    small,
    solutions_closed,
    answers_closed,
    answers_computed,
    predictions_answered,
    predictions_stored,
    results_closed,
    checks_computed,
    reasons_closed,
    short_cells,
    short_lines,
    columns_even,
    numbers_are_computed,
)

# An absolute path of at least two parts, or one below a home folder, or a file's address; not a web address.
LOCAL_PATH = re.compile(r"(?<![\w.:/~<-])~?/(?:[\w.+-]+/)+[\w.+-]+|(?<!\w)[A-Za-z]:\\\w[\w\\.]*|file://\S+")

# What an expression without any name consists of.
WRITTEN_DOWN = (ast.Constant, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.JoinedStr)

# How prose asks a reader to predict: with words that begin a sentence; and what is no sentence of the prose.
INVITES = re.compile(
    r"(?<![\w'\u2019-])(?:Predict|Guess|(?:Make|Take|Write down) (?:a|your) (?:prediction|guess)"
    r"|Before you run|What (?:do|would|did) you expect|What is your (?:prediction|guess))\b"
)
NO_INVITATION = re.compile(r"^(?:#|>).*|```[\s\S]*?```|`[^`\n]*`|\[[^\]]*\]\([^()]*\)", re.MULTILINE)

CLOSED = re.compile(r"<details>[\s\S]*?</details>")
ALT = re.compile(r'<img\b[^<>]*\balt="([^"]*)"')  # what a figure says of itself
CODE = re.compile(r"<pre><code>([\s\S]*?)</code></pre>")
TABLE = re.compile(r'<table\b[^<>]*class="dataframe"[\s\S]*?</table>')
ENTRY = re.compile(r"<td\b[^<>]*>([\s\S]*?)</td>")
REASON = re.compile(r"why\w*\s*=|.*\.found\(")  # in the first line
ONE_DECIMAL = re.compile(r"\s*[-+\u2212]?\d*\.(\d+)\s*")

NUMBER = re.compile(
    r"(?<![\w.])(?<!\d,)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)(?![\w]|\.\d|,\d{3})(?P<percent>\s?%(?!\w))?"
)

NOT_PROSE = re.compile(
    r"""
      ^(?P<fence>```+|~~~+)[\s\S]*?^(?P=fence)                 # code blocks
    | <!--[\s\S]*?-->
    | <[a-zA-Z/][^<>]*>                                        # HTML tags, not what they enclose
    | \$\$[\s\S]+?\$\$ | (?<![\\$])\$(?!\s)(?:[^$\n]|\n(?!\n))+?(?<!\s)\$(?!\d)   # formulas
    | \\\[[\s\S]+?\\\] | \\\([\s\S]+?\\\) | \\begin\{(?P<env>\w+\*?)\}[\s\S]+?\\end\{(?P=env)\}
    | \]\([^()\s]*(?:\([^()]*\)[^()\s]*)?(?:\s"[^"]*")?\)      # the address of a link, not its words
    | https?://\S+ | \b10\.\d{4,9}/\S+                         # bare addresses and DOIs
    | (?:\b(?:Python|versions?|Sections?|Sec\.|Equations?|Eqs?\.|Figures?|Figs?\.|Tables?|CC[ -]BY)|§)
      [\s\u00a0]*\d[\d.]*(?:(?:[-\u2013]|,\s|\sand\s|\sto\s)\d[\d.]*)*\b
    """,
    re.VERBOSE | re.MULTILINE,
)


def _numbers_of(notebook: NotebookNode) -> set[tuple[Decimal, bool]]:
    """Return each number in code and outputs, with whether a percent sign follows it."""
    numbers = set()
    for _, cell in _code_cells(notebook):
        for text in [_without_comments(cell.source), *_output_texts(cell)]:
            numbers |= {_value(match) for match in NUMBER.finditer(text)}
    return numbers


def _value(match: re.Match[str]) -> tuple[Decimal, bool]:
    return Decimal(match["digits"].replace(",", "")), match["percent"] is not None


def _without_comments(source: str) -> str:
    """Return Python code without comments: a number in a comment has not been computed."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return source  # a cell in another language, after %%
    return " ".join(token.string for token in tokens if token.type != tokenize.COMMENT)


def _output_texts(cell: NotebookNode) -> Iterator[str]:
    """Yield the visible texts below a code cell; the numbers in pictures mean nothing."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.text
        elif output.output_type == "error":
            yield f"{output.evalue}\n" + "\n".join(output.traceback)
        else:
            for kind, content in output.data.items():
                if kind == "text/html":
                    yield _words(CODE.sub(lambda code: escape(_without_comments(unescape(code[1]))), content))
                    yield from map(unescape, ALT.findall(content))
                elif kind.startswith("text/"):
                    yield content
                elif kind == "application/json":
                    yield json.dumps(content)


def _answers(source: str) -> Iterator[str]:
    """Yield literal answers to predictions in code: `"none"`, `-1` or `answers[0]`."""
    for node in ast.walk(ast.parse(TransformerManager().transform_cell(source))):
        match node:
            case ast.Call(func=ast.Attribute(attr="found"), args=args, keywords=keywords):
                for answer in [*args[:1], *(keyword.value for keyword in keywords if keyword.arg == "value")]:
                    match answer:
                        case ast.Subscript(ast.Name(), ast.Constant(int())):
                            yield ast.unparse(answer)
                        case _ if _written_down(answer):
                            yield ast.unparse(answer)


def _right_answers(source: str) -> Iterator[str]:
    """Yield literal answers to exercises in code: `Check(answer, 5)`, `answer == "a"`."""
    nodes = list(ast.walk(ast.parse(TransformerManager().transform_cell(source))))
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name("Check"), args=[_, expected, *_]) if _written_down(expected):
                yield ast.unparse(node)
    if not any(isinstance(node, ast.Call) and ast.unparse(node.func) == "Check" for node in nodes):
        return
    for function in nodes:
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            parameters = {argument.arg for argument in function.args.args}
            for node in ast.walk(function):
                match node:
                    case ast.Compare(left=one, comparators=[other]):
                        pass
                    case ast.Call(func=ast.Name("abs"), args=[ast.BinOp(one, ast.Sub(), other)]):
                        pass
                    case _:
                        continue
                for answer, right in ((one, other), (other, one)):
                    if isinstance(answer, ast.Name) and answer.id in parameters and _written_down(right):
                        yield ast.unparse(node)


def _reasons(source: str) -> Iterator[str]:
    """Yield the literal texts for right answers in code, also as a figure's title."""
    nodes = list(ast.walk(ast.parse(TransformerManager().transform_cell(source))))
    texts: dict[str, str] = {}
    answered = any(isinstance(node, ast.Attribute) and node.attr == "found" for node in nodes)
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(str(text))):
                texts[name] = text
            case ast.Assign(targets=[ast.Tuple(names)], value=ast.Tuple(values)):
                for one, value in zip(names, values, strict=False):
                    match one, value:
                        case ast.Name(name), ast.Constant(str(text)):
                            texts[name] = text
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name("Check"), args=[_, _, *positional], keywords=named):
                pass
            case ast.Call(func=ast.Attribute(attr="found"), args=[_, *positional], keywords=named):
                pass
            case ast.Call(func=ast.Attribute(attr="titled"), args=positional, keywords=named) if answered:
                pass
            case _:
                continue
        for reason in [*positional[:1], *(each.value for each in named if each.arg == "why")]:
            match reason:
                case ast.Constant(str(text)):
                    yield text
                case ast.Name(name) if name in texts:
                    yield texts[name]


def _written_down(expression: ast.expr) -> bool:
    return all(isinstance(part, WRITTEN_DOWN) for part in ast.walk(expression))


def _html(cell: NotebookNode) -> Iterator[str]:
    for output in cell.outputs:
        if "text/html" in output.get("data", {}):
            yield output.data["text/html"]


def _open(cell: NotebookNode) -> Iterator[str]:
    """Yield what is visible in outputs without opening anything, also where there is no HTML."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.text
        for kind, content in output.get("data", {}).items():
            if kind == "text/html":
                yield _words(CLOSED.sub(" ", content))
            elif kind.startswith("text/"):
                yield content


def _closed(output: NotebookNode) -> bool:
    """Return whether an output shows nothing before it is opened."""
    html = output.get("data", {}).get("text/html", "")
    return html != "" and CLOSED.sub("", html).strip() == ""


def _words(html: str) -> str:
    without_styles = re.sub(r"<(style|script|svg)\b[\s\S]*?</\1>", " ", html)
    return re.sub(r"<[^<>]*>", " ", without_styles)


def _in_exercises(cell: NotebookNode, before: bool) -> bool:
    """Return whether the exercises go on, or begin, with this cell of prose."""
    sections = [words for level, words in headings(cell.source) if level == 2]
    return sections[-1] == "Exercises" if sections else before


def _headings(notebook: NotebookNode) -> Iterator[tuple[str, int, str]]:
    for place, cell in _cells(notebook):
        if cell.cell_type == "markdown":
            for level, words in headings(cell.source):
                yield place, level, words


def _cells(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    for number, cell in enumerate(notebook.cells, 1):
        yield f"cell {number}", cell


def _code_cells(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    for place, cell in _cells(notebook):
        if cell.cell_type == "code" and cell.source.strip():
            yield place, cell


def main(names: list[str]) -> int:
    complaints = [
        f"{path}: {complaint}"
        for path in ([Path(name) for name in names] or all_notebooks())
        for check in CHECKS
        for complaint in check(read(path))
    ]
    print("\n".join(complaints) or "nothing to complain about")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
