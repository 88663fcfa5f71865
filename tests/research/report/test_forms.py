"""A comparison in Markdown, LaTeX, HTML and CSV: a reader gets the names and numbers that are in it."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.render.escaping import escape_latex, escape_markdown
from divmetrics.render.tables import format_score
from divmetrics.research.report import Comparison
from tests.support.hostile_names import PAYLOADS
from tests.support.markdown_tables import on_one_line, rows_of_markdown
from tests.support.strategies import quick

NAMES = (r"a&b_%#$", r"{x}\y~z^", "[x]*", "x|`y`<b>", "--''``,,???", '"q" *k* _u_', *PAYLOADS)
# What LaTeX makes of a command, by the manuals; whatever else stands in a cell must be harmless.
SIGNS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\textasciigrave{}": "`", r"$\pm$": "±", "{[}": "[",
    "{]}": "]", "{*}": "*", "{}": "", **{f"\\{sign}": sign for sign in "{}_$&%#"},
}  # fmt: skip
TOKEN = re.compile("|".join(re.escape(written) for written in SIGNS) + r"|[^\\{}$&%#_^~<>|`\[\]*±]")


def read_latex(written: str) -> str:
    """The text that TeX would set: fails for anything that it would obey, or join to one sign."""
    tokens = TOKEN.findall(written)
    assert "".join(tokens) == written
    assert not re.search("--|''|,,", written)
    return "".join(SIGNS.get(token, token) for token in tokens)


any_name = st.text(min_size=1, max_size=12) | st.text("\\{}[]&%_#$~^-'`|*<>\"@!:/ \n1a", min_size=1)


@quick(300)
@given(any_name)
def test_names_are_escaped_in_latex(name: str) -> None:
    assert read_latex(escape_latex(name)) == on_one_line(name)


@quick(300)
@given(any_name.filter(str.strip))
def test_names_are_escaped_in_markdown(name: str) -> None:
    table = f"| a | b |\n| --- | --- |\n| {escape_markdown(name)} | 1 |\n"
    (_, (cell, _)) = rows_of_markdown(table)
    assert cell == on_one_line(name)


class Cells(HTMLParser):
    """The cells of a table, and every tag."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside &= tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def compared() -> Comparison:
    """Runs and metrics whose names are not made for a table."""
    random = np.random.default_rng(5)
    topics = [dm.Topic(f"t{n}", (dm.Intent("a", 0.5), dm.Intent("b", 0.5))) for n in range(12)]
    docs = [f"d{n}" for n in range(20)]
    grades = {
        t.id: {d: {"a": int(random.integers(3)), "b": int(random.integers(2))} for d in docs} for t in topics
    }
    runs = {}
    for at, name in enumerate(NAMES):
        lists = {}
        for t in topics:
            value = {d: random.random() + at / 60 * sum(grades[t.id][d].values()) for d in docs}
            lists[t.id] = sorted(docs, key=value.__getitem__, reverse=True)[:10]
        runs[name] = lists
    collection = dm.Collection.of(topics, grades, runs)
    metrics = [replace(dm.metric("ERR-IA"), name=name) @ 5 for name in NAMES[:3]]
    return dm.compare(collection, None, metrics, trials=100)


def test_markdown_is_a_table_with_the_numbers(compared: Comparison) -> None:
    head, *rows = rows_of_markdown(compared.markdown)
    metrics = [name for metric in compared.metrics for name in (on_one_line(metric), "±")]
    assert head == ["run", *metrics, "judged@5"]
    assert [row[0] for row in rows] == [on_one_line(run) for run in compared.runs]
    for row, run in zip(rows, compared.runs, strict=True):
        assert row[1:] == expected_cells(compared, run)
    strong = re.findall(r"\*\*([\d.]+)\*\*", compared.markdown)
    assert strong == [format_score(mean) for mean in bold(compared)]


def expected_cells(compared: Comparison, run: str) -> list[str]:
    means = compared.means.set_index(["metric", "run"])
    cells = []
    for metric in compared.metrics:
        row = means.loc[(metric, run)]
        cells += [f"{format_score(row['mean'])} {row.letters}", format_score(row.high - row["mean"])]
    return [*cells, format_score(compared.judged.at[run, "judged@5"])]


def bold(compared: Comparison) -> list[float]:
    """The best means, run by run."""
    wide = compared.table
    return [mean for _, row in wide.iterrows() for metric, mean in row.items() if mean == wide[metric].max()]


def test_latex_is_a_table_with_the_numbers(compared: Comparison) -> None:
    text = compared.latex
    assert unescaped(text, "{") == unescaped(text, "}")
    for environment in ("table", "tabular"):
        assert text.count(f"\\begin{{{environment}}}") == text.count(f"\\end{{{environment}}}") == 1
    columns = re.search(r"\\begin\{tabular\}\{(.*)\}", text)[1].replace(r"@{\,}", "")
    inside = text[text.index(r"\toprule") : text.index(r"\bottomrule")]
    head, *rows = [re.split(r"(?<!\\)&", line) for line in inside.splitlines() if line.endswith(r"\\")]
    assert [len(row) for row in rows] == [len(columns)] * len(compared.runs)
    assert len(head) == len(columns) - len(compared.metrics)
    for metric, cell in zip(compared.metrics, head[1::2], strict=False):
        assert read_latex(re.fullmatch(r" \\multicolumn\{2\}\{c\}\{(.*)\} ", cell)[1]) == on_one_line(metric)
    for cells, run in zip(rows, compared.runs, strict=True):
        assert read_latex(cells[0].removesuffix(" ")) == on_one_line(run)
        row_text = re.sub(r"\\text(?:bf|superscript)\{(\w+(?:\.\d+)?)\}", r"\1", " ".join(cells[1:]))
        assert row_text.removesuffix(r"\\").split() == " ".join(expected_cells(compared, run)).split()
    assert re.findall(r"\\textbf\{([\d.]+)\}", text) == [format_score(mean) for mean in bold(compared)]
    caption = re.search(r"\\caption\{(.*)\}", text)[1]
    assert read_latex(caption) == on_one_line(compared.caption)


def unescaped(text: str, sign: str) -> int:
    return len(re.findall(rf"(?<!\\)(?:\\\\)*{re.escape(sign)}", text))


def test_html_is_a_table_with_the_numbers(compared: Comparison) -> None:
    for page in (compared._repr_html_(), compared.html):
        parsed = Cells(page)
        assert parsed.tags <= {
            "html", "head", "meta", "title", "body", "div", "b", "span", "table", "thead", "tbody", "tr",
            "th", "td",
        }  # fmt: skip
        head, *rows = parsed.rows[: 1 + len(compared.runs)]
        assert head[0] == "run"
        assert head[1:-1:2] == compared.metrics
        for cells, run in zip(rows, compared.runs, strict=True):
            assert cells[0] == run
            text = " ".join(cells[1:]).replace("★", "")
            assert text.split() == " ".join(expected_cells(compared, run)).split()
    assert compared.html.startswith("<!DOCTYPE html>")
    assert compared.html.count('aria-label="best"') == len(bold(compared))


def test_csv_reads_back(compared: Comparison) -> None:
    back = pd.read_csv(io.StringIO(compared.csv), keep_default_na=False)
    shares = compared.judged.loc[compared.means["run"], "judged@5"].to_numpy()
    pd.testing.assert_frame_equal(
        back, compared.means.assign(judged=shares), check_dtype=False, check_exact=True
    )


def test_minus_signs_and_runs_of_which_nothing_could_be_judged() -> None:
    topics = [dm.Topic(f"{n}", (dm.Intent("a", 1.0),)) for n in range(3)]
    grades = {t.id: {"d": {"a": n}, "e": {"a": 0}} for n, t in enumerate(topics, 1)}
    runs = {"x": {t.id: ["d", "e"] for t in topics}, "y": {"0": []}}
    with pytest.warns(dm.DivmetricsWarning, match="does not answer"):
        compared = dm.compare(dm.Collection.of(topics, grades, runs), None, ["P-IA@2"], trials=20)
    assert compared.notes == []
    assert [row.shares for row in compared.layout.rows] == [["1.0000"], ["–"]]
    below = replace(compared, means=compared.means.assign(mean=-0.25, high=-0.2))
    assert r"x & \textbf{$-$0.2500} & \textsuperscript{" in below.latex
    assert "| x | **-0.2500** " in below.markdown
    assert " & -- \\\\" in below.latex
    assert "judged@2 –\n" in below.text


def test_the_best_is_bold_and_where_all_tie_none_is(compared: Comparison) -> None:
    ranks = compared.means.assign(rank=1)
    level = replace(compared, means=ranks)
    assert "textbf" in compared.latex
    assert "textbf" not in level.latex
    assert "Bold" in compared.caption
    assert "Bold" not in level.caption
    first_two = compared.means["run"].isin(compared.runs[:2])
    tied = replace(compared, means=compared.means.assign(rank=np.where(first_two, 1, 3)))
    assert tied.latex.count("textbf") == 2 * len(compared.metrics)
