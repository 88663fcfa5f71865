"""Names that try to be code, and everything of divmetrics that puts names into a page."""

from __future__ import annotations

import ast
import cProfile
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pandas as pd
from IPython.utils.capture import RichOutput

import divmetrics as dm
import divmetrics_widgets as widgets
from divmetrics import aggregated, charts, meta
from divmetrics.conventions import as_printed
from divmetrics.conventions.convention import conventions
from divmetrics.core import IntentSquare
from divmetrics.explanations.formulas import latex
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.notebook.expressions.rule_checks import check_rules
from divmetrics.notebook.magics import extension, list_tables
from divmetrics.notebook.magics.diveval_magic import Evaluation
from divmetrics.notebook.magics.explain_magic import Explanation
from divmetrics.notebook.magics.inspection import metric_html
from divmetrics.notebook.magics.metric_magic import MetricTrial
from divmetrics.notebook.magics.metrics_magic import MetricDetails, MetricTable, in_words, inline_mathml
from divmetrics.notebook.part_table import PartTable
from divmetrics.parts import Cascade, Log2, One, Probability, Satisfaction
from divmetrics_widgets.lessons.ambiguous import LIST_B, side_by_side
from divmetrics_widgets.lessons.diversify import Slider
from divmetrics_widgets.lessons.trials import tried

# Without blanks, as an id is in a file. What runs says so: a dialog, or a request to evil.example.
PAYLOADS = (
    "</script><script>alert(1)</script>",
    '<img/src="x"onerror="alert(2)">',
    "<svg/onload=alert(3)>",
    "javascript:alert(4)",
    '"onmouseover=alert(5)//',
    "'autofocus/onfocus='alert(6)",
    '--><img/src="//evil.example/7"onerror="alert(7)">',
    "]]><script>alert(8)</script>",
    '&lt;img/src="x"onerror="alert(9)"&gt;',
    "${alert(10)}{{alert(10)}}",
    "[x](javascript:alert(11))![](//evil.example/11)",
    r"\href{javascript:alert(12)}{x}",
    r'}\text{<img/src="x"onerror="alert(13)">}',
    r"\unicode{x3c}\style{background:url(//evil.example/14)}{x}",
    '<annotation-xml/encoding="text/html"><iframe/src="javascript:alert(15)">',
    "\u2028*/alert(16)//\u2029<!--<script>",
    '\x00\x1b]8;;javascript:alert(17)\x07<b/onclick="alert(17)">',
    "\u202e');alert(18);('\"]+alert(18)+[\"",
    # Not code, but names that a language may read as something else.
    "__proto__",
    "image",
)
FIRST, LAST = PAYLOADS[:10], PAYLOADS[10:]

_TAG = re.compile(
    r"</?(?:a|b|br|caption|code|details|div|li|math|p|pre|script|small|span|svg|table|td|th|tr|tspan|ul)\b"
)
_NAME = re.compile("html|svg|mathml|latex|markdown|mimebundle")
SOURCES = (Path(dm.__file__).parent, Path(widgets.__file__).parent)
Place = tuple[str, int]


def producers() -> dict[Place, str]:
    """Every function that writes a tag, or says in its name that it gives markup: where it stands, its name.

    Left out are what Python itself shows (__repr__), and the LaTeX of parts, which have no names.
    """
    by_place: dict[Place, str] = {}
    for folder in SOURCES:
        for path in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and _produces(node, path):
                    first = min([node.lineno, *(above.lineno for above in node.decorator_list)])
                    by_place[str(path), first] = f"{path.relative_to(folder.parent)}: {node.name}"
    return by_place


def _produces(node: ast.FunctionDef, path: Path) -> bool:
    of_parts = path.match("expressions/*.py") or node.name == "factor_latex"
    to_be_written = isinstance(node.body[-1], ast.Raise)
    if node.name == "__repr__" or of_parts or to_be_written:
        return False
    docstring = ast.get_docstring(node, clean=False)
    texts = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant)]
    written = any(isinstance(text, str) and text != docstring and _TAG.search(text) for text in texts)
    return written or bool(_NAME.search(node.name))


def called_by(f: Callable[[], None]) -> set[Place]:
    """The functions that ran, by the place of their first line."""
    profile = cProfile.Profile(builtins=False)
    profile.runcall(f)
    ran = (entry.code for entry in profile.getstats())
    return {(code.co_filename, code.co_firstlineno) for code in ran if isinstance(code, CodeType)}


def collection() -> dm.Collection:
    """Two topics whose intents, subtopics, documents and runs have such names."""
    topics, judgments = [], {}
    for names, other in ((FIRST, LAST), (LAST, FIRST)):
        children = (dm.Intent(other[0], 0.5, label=other[1]), dm.Intent(other[2], 0.5))
        intents = [
            dm.Intent(name, 1 / len(names), label=other[at], children=children)
            for at, name in enumerate(names)
        ]
        topics.append(dm.Topic(names[1], tuple(intents), title=other[3]))
        grades: dict[str, Any] = {doc: {names[at % 10]: 1 + at % 2} for at, doc in enumerate(PAYLOADS[:-2])}
        grades[PAYLOADS[0]] = {(names[0], other[0]): 2, (names[1], other[2]): 1}
        judgments[names[1]] = grades
    runs = {
        name: {topic.id: [*PAYLOADS[at:], *PAYLOADS[:at]] for topic in topics}
        for at, name in enumerate(PAYLOADS)
    }
    return dm.Collection.of(topics, judgments, runs)


def metric(name: str) -> dm.Metric:
    """A metric of one's own."""
    return dm.Metric(name, N=One(), f=Probability(), w=Log2(), M=Cascade(Satisfaction()))


def scores(names: tuple[str, ...] = PAYLOADS) -> pd.DataFrame:
    """A table as `dm.evaluate` gives it, all of whose names are such."""
    rows = [
        (run, topic, name, ((3 * r + 5 * t + 7 * m) % 11 + r + m) / 40)
        for r, run in enumerate(names[:6])
        for t, topic in enumerate(names)
        for m, name in enumerate(names[-4:])
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])


def figures(most: int = len(PAYLOADS)) -> Iterator[tuple[str, charts.Figure]]:
    """Every kind of chart, with at most so many names."""
    whole = collection()
    for topic in whole.topics[:most]:
        lists = [whole.list(run, topic.id) for run in PAYLOADS[4:6]]
        yield f"ranked_list {topic.id}", charts.ranked_list(lists)
        yield f"contributions {topic.id}", charts.contributions(metric(topic.id) @ 5, lists[0])
        yield f"contributions -IS {topic.id}", charts.contributions("ERR-IS@3", lists[0])
    for names in (PAYLOADS, PAYLOADS[::-1])[:most]:
        table = scores(names)
        runs, metrics = list(names[:6]), list(names[-4:])
        per = meta.rank_correlation(table, truth=metrics[0], per="topic")
        yield "trade_off", charts.trade_off(table, metrics[0], metrics[1])
        yield "run_rankings", charts.run_rankings(meta.means(table), metrics[0])
        yield "swapped_pairs", charts.swapped_pairs(meta.means(table), metrics[0], metrics[1])
        yield "null_distribution", charts.null_distribution({names[0]: [0.0, 1.0]}, 0.5, name=names[1])
        yield "topic_rankings", charts.topic_rankings(table, runs[0], metrics[0])
        yield "topic_differences", charts.topic_differences(meta.compare_runs(table, runs[0], runs[1]))
        yield "tau_per_topic", charts.tau_per_topic(per)
        sweep = pd.concat([per.assign(**{"</script>": at}) for at in (1, 2, 3)], ignore_index=True)
        yield "variation", charts.variation(sweep, "</script>")
        curves = pd.DataFrame({"metric": metrics[0], "run": runs, "mean": 0.5})
        yield (
            "cutoff_curves",
            charts.cutoff_curves(curves.merge(pd.DataFrame({"cutoff": [5, 10]}), how="cross")),
        )
        yield "asl_curves", charts.asl_curves(meta.tukey_hsd(table, trials=50))
        yield "concordance_map", charts.concordance_map(meta.concordance(table, metrics[0]))
        told = pd.DataFrame({"image": names, "title": 0.5, "low": 0.4, "high": 0.6})
        yield "forest", charts.forest(told, "title", name="image", reference=None)
        items = [aggregated.Item(name, at % 3) for at, name in enumerate(names[:6])]
        web = aggregated.Vertical("web", 1.0, items[:3])
        query = aggregated.Query(names[0], [web, aggregated.Vertical(names[1], 0.6, items[3:])])
        made = [("web", names[:3]), (names[1], names[3:6])]
        yield "pages", charts.pages("AS_DCG", aggregated.BlockPage(query, made, names[2]))


def tools(most: int = len(PAYLOADS)) -> Iterator[tuple[str, Any]]:
    """Every widget, with at most so many names."""
    whole = collection()
    for topic in whole.topics[:most]:
        a, b, *_ = (whole.list(run, topic.id) for run in PAYLOADS[4:])
        about = dict.fromkeys(PAYLOADS, PAYLOADS[0]) | {PAYLOADS[0]: PAYLOADS[1]}
        name, own = topic.id, metric(topic.id)
        lab = widgets.RankedListLab(a, b, about=about, metrics=["ERR-IA@5", "ERR-IS@5"])
        yield f"RankedListLab {name}", lab
        yield f"MetricComposer {name}", widgets.MetricComposer(own @ 5, a)
        finder = widgets.DisagreementFinder("S-recall@2", "D-nDCG@2", a, 2, budget=200)
        yield f"DisagreementFinder {name}", finder
        view = widgets.ContributionsView(own @ 5, a, about=about, metrics=["ERR-IS@3"])
        yield f"ContributionsView {name}", view
        yield f"ReaderWalk {name}", widgets.ReaderWalk(own @ 5, a, about=about, metrics=["ERR-IS@3"])
        judge = widgets.PreferenceJudge(
            [(a, b)], metrics="ERR-IA@5", questions={name: PAYLOADS[0]}, about=about, labels=True
        )
        yield f"PreferenceJudge {name}", judge
        question = widgets.Predict(f"`{name}` {PAYLOADS[0]}", list(PAYLOADS), key=name)
        question.answer = name
        yield f"Predict {name}", question
        yield f"Found {name}", question.found(PAYLOADS[0], f"`{PAYLOADS[1]}` {PAYLOADS[2]}", show=PAYLOADS[3])
        number = widgets.Predict("How many?", number=True, unit=PAYLOADS[1], key=f"{name} number")
        yield f"Predict number {name}", number
        yield f"HierarchyLab {name}", widgets.HierarchyLab(a, "ERR-IA@5")


class _Shell:
    """Keeps what a magic publishes beside its result."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.display_pub = self

    def publish(self, data: dict[str, str]) -> None:
        self.said.append(data["text/html"])


def pieces(most: int = len(PAYLOADS)) -> Iterator[tuple[str, str]]:
    """Every piece of HTML that is no chart and no widget, with at most so many names."""
    whole = collection()
    for topic in whole.topics[:most]:
        lists = {run: whole.list(run, topic.id) for run in PAYLOADS[:3]}
        name, ranked = topic.id, next(iter(lists.values()))
        own = metric(name) @ 5
        yield f"topic {name}", list_tables.topic_html(topic)
        yield f"list {name}", list_tables.list_html(ranked, dict.fromkeys(PAYLOADS, PAYLOADS[0]))
        yield f"%explain {name}", Explanation.of(own, PAYLOADS[0], ranked)._repr_html_()
        yield f"%explain -IS {name}", Explanation.of(dm.metric("ERR-IS@3"), PAYLOADS[1], ranked)._repr_html_()
        yield f"%diveval {name}", Evaluation.of(lists, [own], [name])._repr_html_()
        yield f"%disagree {name}", dm.disagree("S-recall@2", "D-nDCG@2", ranked, 2, budget=200)._repr_html_()
        flipped = dm.flip("S-recall@1", ranked, ranked.reordered(ranked.docs[::-1]), edits=3)
        yield f"{name} flipped", flipped._repr_html_()
        if len(topic.intents) > 1:
            mix = dm.reader_mix("ERR-IA@5", ranked, ranked.reordered(()), topic.intents[0].id, points=5)
            yield f"{name} read by others", mix._repr_html_()
        yield f"a check {name}", widgets.Check(1, lambda _: PAYLOADS[1])._repr_mimebundle_()[0]["text/html"]
        yield f"a closed answer {name}", widgets.Predict(name).found(name, PAYLOADS[1]).static_html()
        yield f"a solution {name}", _solution(name)._repr_html_()
        yield f"trials {name}", tried(lambda choice: choice is None, choice=[name])._repr_html_()
        yield f"a slider {name}", Slider(description=name)._repr_mimebundle_()["text/html"]
        yield f"lists side by side {name}", side_by_side({name: LIST_B}, 1).data
        shell = _Shell()
        extension._show(_desk(shell))
        yield f"notes {name}", shell.said[0]
    compared = dm.compare(
        whole, None, [metric(name) @ 5 for name in PAYLOADS[:most]], trials=20, condensed=True
    )
    yield "compare", compared._repr_html_()
    assert all((compared.html, compared.markdown, compared.latex))  # no pieces of a page; read elsewhere
    findings = check_rules(metric("mine"))
    yield "%metrics", MetricTable.of("paper")._repr_html_()
    for name in PAYLOADS[:most]:
        own = metric(name)
        assert PartTable(((name, own),), ("w",))._repr_markdown_()  # no piece of a page; read elsewhere
        yield f"%metrics NAME {name}", MetricDetails(own)._repr_html_()
        yield f"Shift+Tab {name}", metric_html(own, in_words)
        yield f"%%metric {name}", MetricTrial(own, name, findings, {}, name)._repr_html_()
        yield f"LaTeX as code {name}", inline_mathml(name, name)
        for form in (own, IntentSquare(f"{name}-IS", own), as_printed(own)):
            yield f"LaTeX of a name {name}, {type(form).__name__}", mathml(latex(form))
    for convention in list(conventions().values())[:most]:
        for row in convention.rows.values():
            yield f"{row}", mathml(latex(row))


def _solution(name: str) -> widgets.Solution:
    """One that has been run: its file, and what it showed."""
    run = object.__new__(widgets.Solution)
    picture = {"image/png": "", "text/plain": name}
    outputs = [RichOutput(picture), RichOutput({"text/plain": name})]
    vars(run).update(_title=name, _path=name, _code=name, _printed=name, _outputs=outputs)
    return run


def _desk(shell: Any) -> Any:
    from divmetrics.notebook.magics.session import Session

    desk = Session(shell)
    desk.notes += PAYLOADS
    return desk
