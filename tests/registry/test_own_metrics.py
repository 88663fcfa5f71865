"""Metrics of one's own by name: registered, replaced, removed, watched, and brought by plug-ins."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import warnings
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import divmetrics as dm
from divmetrics.explanations.catalogue import describe, table_of_rows
from divmetrics.notebook.expressions.parse_metric import write_metric
from divmetrics.parts import WrittenUtility
from divmetrics.registry import parse, session
from tests.support.asking import answer
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
QRELS, MIXED = str(EXAMPLES / "harry_potter.qrels"), str(EXAMPLES / "mixed.run")


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    for name in tuple(session.session_metrics()):
        dm.unregister(name)
    session._gone.clear()


def mine(text: str = "relevant", name: str = "mine") -> dm.Metric:
    return write_metric(name, text).metric


def test_a_registered_metric_is_known_by_name_everywhere():
    registered = dm.register(mine("M = relevant * a ** seen_before\na = 0.5"))
    ranked = dm.datasets.harry_potter().list("C", "0083")
    assert dm.metric("mine@3") == registered @ 3
    assert str(dm.metric("mine(a=0.25)@3")) == "mine(a=0.25)@3"
    assert dm.metric("mine-IS@5").score(ranked) > 0
    assert dm.metric("mine@3", "ndeval") == registered @ 3
    assert dm.explain("mine@3", ranked).contribution.sum() == pytest.approx((registered @ 3).score(ranked))
    scores = dm.evaluate(QRELS, MIXED, ["mine@5", "mine(a=0.25)@5", "ERR-IA@5"])
    assert list(scores.metric) == ["mine@5", "mine(a=0.25)@5", "ERR-IA@5"]
    both = (registered @ 5, dm.metric("mine(a=0.25)@5"))
    assert scores.score.tolist()[:2] == [m.score(ranked_of(MIXED)) for m in both]
    assert parse.metrics()[-1] == "mine"
    assert "mine " in table_of_rows()
    assert "Source: this session" in describe(registered)
    with pytest.raises(dm.DivmetricsError, match="no metric 'mine' in convention 'paper'"):
        dm.metric("paper:mine@3")


def ranked_of(run: str) -> dm.RankedList:
    collection = dm.load_collection(QRELS)
    return collection.with_runs(dm.load_runs(run, "score")).list("mixed", "potter")


def test_a_sum_of_metrics_can_be_registered_and_keeps_what_its_name_had_set():
    both = (0.5 * dm.metric("I-rec") + 0.5 * dm.metric("ERR-IA")).with_name("both")
    dm.register(both)
    assert dm.metric("both@5") == both @ 5
    dm.register(dm.metric("alpha-nDCG(alpha=0.3)").with_name("mild"))
    assert str(dm.metric("mild@5")) == "mild@5"
    assert dm.metric("mild@5").parameters()["alpha"] == 0.3
    dm.register(dm.metric("ndeval:ERR-IA").with_name("TREC"))
    assert str(dm.metric("TREC@5")) == "TREC@5"


REFUSED = {
    "ERR-IA": "'ERR-IA' is a metric of divmetrics itself",
    "nERR-IA": "'nERR-IA' is a metric of divmetrics itself in convention ndeval",
    "my-IS": "would be the intent-square form of 'my'",
    "a b": "because of a blank",
    "a@5": "because of '@'",
    "paper:x": "because of ':'",
    "-x": "because of '-'",
    "": "needs a name",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_cannot_be_given_is_refused(name):
    before = parse.metrics()
    with pytest.raises(dm.DivmetricsError, match=REFUSED[name]):
        dm.register(mine().with_name(name))
    assert parse.metrics() == before


def test_metric_with_a_cutoff_cannot_be_registered():
    with pytest.raises(dm.DivmetricsError, match="mine@5 has a cutoff"):
        dm.register(mine() @ 5)
    with pytest.raises(dm.DivmetricsError, match="is not a metric"):
        dm.register("mine")  # type: ignore[arg-type]


def test_registered_metrics_can_be_replaced_and_removed():
    dm.register(mine())
    dm.register(mine("grade"))
    assert WrittenUtility("grade") == dm.metric("mine").M
    dm.unregister("mine")
    for name in ("mine@5", "mine-IS@5"):
        with pytest.raises(dm.DivmetricsError, match="'mine' was removed in this session"):
            dm.metric(name)
    with pytest.raises(dm.DivmetricsError, match="no metric 'mine' was registered"):
        dm.unregister("mine")
    with pytest.raises(dm.DivmetricsError, match="no metric 'ERR-IA' was registered"):
        dm.unregister("ERR-IA")


class Owner:
    def __init__(self) -> None:
        self.heard: list[session.Change] = []
        session.watch(self.hear)

    def hear(self, change: session.Change) -> None:
        self.heard.append(change)


def test_watchers_are_called_and_not_kept_alive():
    owner = Owner()
    dm.register(mine())
    dm.register(mine())  # the same again is no change
    dm.register(mine("grade"))
    dm.unregister("mine")
    assert [(change.what, change.name) for change in owner.heard] == [
        ("new", "mine"),
        ("changed", "mine"),
        ("gone", "mine"),
    ]
    left, count = weakref.ref(owner), len(session._watchers)
    del owner
    gc.collect()
    assert left() is None
    dm.register(mine())
    assert len(session._watchers) < count


def test_failing_watcher_does_not_undo_the_registration():
    class Failing(Owner):
        def hear(self, change: session.Change) -> None:
            raise RuntimeError("no")

    failing, hearing = Failing(), Owner()
    with pytest.warns(dm.DivmetricsWarning, match="'mine' is new, but not everywhere: RuntimeError: no"):
        dm.register(mine())
    assert hearing.heard
    assert dm.metric("mine") == mine()
    del failing


# ------------------------------------------------------------------------------------------- open widgets


@pytest.fixture
def widgets() -> Any:
    import divmetrics_widgets

    return divmetrics_widgets


def rows(lab: Any) -> dict[str, dict[str, object]]:
    return {row["metric"]: row for row in lab._results["rows"]}


def offered(lab: Any) -> dict[str, list[str]]:
    """The names in each family of a lab's menu."""
    return {family["title"]: [of["name"] for of in family["metrics"]] for family in answer(lab, "families")}


def test_an_open_lab_shows_a_new_metric_and_follows_it(widgets):
    lab = widgets.RankedListLab()
    before = lab.metrics
    registered = dm.register(mine())
    assert lab.metrics == (*before, "mine@5")
    assert offered(lab)["Your own"] == ["mine"]
    assert "mine-IS" in offered(lab)["Within each intent (-IS)"]
    assert rows(lab)["mine@5"]["scores"] == [
        f"{(registered @ 5).score(ranked):.4f}" for ranked in (lab.a, lab.b)
    ]
    registered = dm.register(mine("grade"))
    assert lab.metrics == (*before, "mine@5")
    assert rows(lab)["mine@5"]["scores"] == [
        f"{(registered @ 5).score(ranked):.4f}" for ranked in (lab.a, lab.b)
    ]
    dm.unregister("mine")
    assert "removed in this session" in str(rows(lab)["mine@5"]["problem"])
    assert "Your own" not in offered(lab)
    lab.metrics = before  # taken away by hand
    dm.register(mine())
    dm.register(mine("grade"))
    assert lab.metrics == (*before, "mine@5")
    lab.metrics = before
    dm.register(mine("first"))  # another metric under the name is no reason to bring it back
    assert lab.metrics == before


def test_a_lab_takes_the_cutoff_of_its_other_metrics(widgets):
    menus: list[list[str]] = [["ERR-IA@7", "NRBP@7", "S-recall@3"], ["NRBP"], []]
    deep, bare, none = (widgets.RankedListLab(metrics=metrics) for metrics in menus)
    dm.register(mine())
    assert (deep.metrics[-1], bare.metrics[-1], none.metrics) == ("mine@7", "mine", ("mine@10",))


def test_closed_labs_are_not_notified(widgets):
    closed = widgets.RankedListLab()
    before = closed.metrics
    closed.close()
    dm.register(mine())
    assert closed.metrics == before
    left = weakref.ref(closed)
    del closed
    gc.collect()
    assert left() is None


def test_other_widgets_follow(widgets):
    ranked = dm.datasets.harry_potter().list("C", "0083")
    dm.register(mine())
    by_name, given = (widgets.ContributionsView(given, ranked) for given in ("mine@5", dm.metric("mine@5")))
    walk = widgets.ReaderWalk("mine@5", ranked)
    finder, levels = widgets.DisagreementFinder("mine@3", "ERR-IA@3"), widgets.HierarchyLab(ranked, "mine@5")
    composer = widgets.MetricComposer("mine@5")
    first = given._picture["score"]
    registered = dm.register(mine("grade"))
    assert by_name._picture["score"] == f"{(registered @ 5).score(ranked):.4f}"
    assert walk._picture["score"] == by_name._picture["score"]
    assert given._picture["score"] == first
    assert by_name._picture["score"] != first
    assert levels.scores["mine@5"] == (registered @ 5).score(ranked)
    assert finder.answer.metrics[0] == registered @ 3
    dm.register(mine(name="other"))
    assert composer._starts["your own"] == ["mine", "other"]
    assert "other" in finder._names
    assert "other" in levels._squared
    dm.unregister("mine")
    for widget in (by_name, levels):
        assert "removed in this session" in widget._problem
    assert composer._starts["your own"] == ["other"]


def test_a_lab_takes_metrics_that_are_known_by_their_names(widgets):
    own = mine()
    for each in (own, own @ 5, 0.5 * own):
        with pytest.raises(dm.DivmetricsError, match=r"shows metrics by name, and .* not the name of one"):
            widgets.RankedListLab(metrics=[each])
    with pytest.raises(dm.DivmetricsError, match="'ERR-IA@5' means another metric than the one given"):
        widgets.RankedListLab(metrics=own.with_name("ERR-IA") @ 5)
    dm.register(own)
    lab = widgets.RankedListLab(metrics=[own @ 5, "mine@3", dm.metric("alpha-nDCG(alpha=0.3)@5")])
    assert lab.metrics == ("mine@5", "mine@3", "alpha-nDCG(alpha=0.3)@5")
    lab.metrics = own @ 2
    assert lab.metrics == ("mine@2",)
    with pytest.raises(dm.DivmetricsError, match="means another metric"):
        widgets.HierarchyLab(metric=mine("grade") @ 5)


# ----------------------------------------------------------------------------------------------- plug-ins

PLUGINS = {
    "good": "from divmetrics.parts import *\nfrom divmetrics import Metric\n"
    "one = Metric('one', N=One(), f=Probability(), w=Log2(), M=Relevant())\n"
    "def two(): return one.with_name('two')\n",
    "late": "import divmetrics\ndef it(): return [divmetrics.metric('ERR-IA').with_name('late')]\n",
    "missing": "import no_such_module\n",
    "raises": "def it(): 1 / 0\n",
    "wrong": "it = 3\n",
    "several": "def it(): return ['no metric']\n",
    "taken": "import divmetrics\ndef it(): return divmetrics.metric('ERR-IA')\n",
    "cut": "import divmetrics\ndef it(): return divmetrics.metric('ERR-IA@5').with_name('cut')\n",
    "rival": "import divmetrics\ndef it(): return divmetrics.metric('ERR-IA').with_name('two')\n",
}


def install(folder: Path, *packages: str) -> None:
    """What pip leaves behind: a module, and metadata with entry points."""
    for name in packages:
        (folder / f"plug_{name}.py").write_text(PLUGINS[name])
        info = folder / f"plug_{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: plug-{name}\nVersion: 1.0\n")
        points = [f"it = plug_{name}:it"]
        if name == "good":
            points = ["one = plug_good:one", "two = plug_good:two"]
        (info / "entry_points.txt").write_text("\n".join(["[divmetrics.metrics]", *points]))


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, [ROOT, ROOT / "widgets", folder]))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_metrics_of_a_plug_in_are_listed_and_usable(tmp_path):
    install(tmp_path, "good", "late")
    done = run(tmp_path, "-m", "divmetrics", "metrics", "--plugins")
    assert [line.split()[:3] for line in done.stdout.splitlines()[2:]] == [
        ["one", "plug-good", "1.0"],
        ["two", "plug-good", "1.0"],
        ["late", "plug-late", "1.0"],
    ]
    assert done.stderr == ""
    options = ("-m", "late@5", "-m", "ERR-IA@5", "-m", "two@5")
    done = run(tmp_path, "-m", "divmetrics", "evaluate", QRELS, MIXED, *options)
    late, err, two = (line.split(",")[-1] for line in done.stdout.splitlines()[1:])
    assert late == err != two
    done = run(tmp_path, "-m", "divmetrics", "metrics", "two")
    assert "Source: plug-good 1.0" in done.stdout
    done = run(tmp_path, "-m", "divmetrics", "metrics")
    assert "late " in done.stdout


def test_broken_plug_ins_are_named_once_and_break_nothing(tmp_path):
    install(tmp_path, "missing", "raises", "wrong", "several", "taken", "cut", "good")
    code = "import divmetrics as dm; print(dm.metric('two@5'), dm.metric('one')); dm.metrics()"
    done = run(tmp_path, "-c", code)
    assert done.stdout == "two@5 one\n"
    warnings = [line for line in done.stderr.splitlines() if "DivmetricsWarning" in line]
    for name, why in {
        "missing": "ModuleNotFoundError: No module named 'no_such_module'",
        "raises": "ZeroDivisionError",
        "wrong": "it gives 3, expected a Metric or several",
        "several": "it gives 'no metric', expected a Metric",
        "taken": "'ERR-IA' is a metric of divmetrics itself",
        "cut": "cut@5 has a cutoff",
    }.items():
        of_plugin = [line for line in warnings if f"plug-{name} 1.0" in line]
        assert len(of_plugin) == 1, name
        assert why in of_plugin[0]
    done = run(tmp_path, "-m", "divmetrics", "metrics", "--plugins")
    assert done.returncode == 0
    assert "divmetrics: warning: plug-in 'it' of plug-raises 1.0 (plug_raises:it) is left out" in done.stderr


def test_name_claimed_by_two_plug_ins_is_left_out(tmp_path):
    install(tmp_path, "good", "rival")
    done = run(tmp_path, "-m", "divmetrics", "metrics", "two")
    assert done.returncode == 2
    warning = done.stderr.splitlines()[0]
    assert "'two' is a metric of several plug-ins, plug-good 1.0 and plug-rival 1.0" in warning
    done = run(tmp_path, "-m", "divmetrics", "metrics", "one")
    assert done.returncode == 0


def test_a_plug_ins_name_is_not_to_be_registered_over(tmp_path):
    install(tmp_path, "good")
    code = "import divmetrics as dm; dm.register(dm.metric('ERR-IA').with_name('two'))"
    done = run(tmp_path, "-c", code)
    assert "'two' is a metric of the plug-in plug-good 1.0; take another name" in done.stderr


def test_plug_ins_are_not_looked_for_without_need(widgets, tmp_path):
    install(tmp_path, "raises")
    code = f"""if True:
        import importlib.metadata as metadata, json
        asked = []
        original = metadata.entry_points
        metadata.entry_points = lambda **given: asked.append(given) or original(**given)
        import divmetrics as dm, divmetrics_widgets
        dm.metric("ERR-IA@5"); dm.metric("ERR-IS@5"); dm.metric("ndeval:strec@5")
        dm.evaluate({QRELS!r}, {MIXED!r}, ["ERR-IA@5"])
        before = len([given for given in asked if given == dict(group="divmetrics.metrics")])
        dm.metrics()
        print(json.dumps([before, len(asked) > before]))
    """
    done = run(tmp_path, "-c", code)
    assert json.loads(done.stdout) == [0, True], done.stderr


def test_a_package_that_is_installed_meanwhile_is_found(tmp_path, monkeypatch):
    with pytest.raises(dm.DivmetricsError, match="no metric 'late'"):
        dm.metric("late@5")
    install(tmp_path, "late")
    monkeypatch.syspath_prepend(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dm.metric("late@5").M == dm.metric("ERR-IA").M
    assert session.origins()["late"] == "plug-late 1.0"


@pytest.mark.slow
def test_the_example_can_be_installed_and_used(tmp_path):
    """As its README says; without a network, into a folder of its registered."""
    source = tmp_path / "plugin"
    source.mkdir()
    for path in (EXAMPLES / "plugin").iterdir():
        if path.is_file():
            (source / path.name).write_bytes(path.read_bytes())
    pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", "--no-deps"]
    done = run(tmp_path, *pip, "--no-build-isolation", "--target", str(tmp_path / "there"), str(source))
    assert done.returncode == 0, done.stderr
    done = run(tmp_path / "there", "-m", "divmetrics", "metrics", "--plugins")
    assert [line.split()[:3] for line in done.stdout.splitlines()[2:]] == [
        ["ERR-log-IA", "divmetrics-example", "0.1"],
        ["fading", "divmetrics-example", "0.1"],
    ]
    done = run(tmp_path / "there", "-m", "divmetrics", "evaluate", QRELS, MIXED, "-m", "fading(patience=2)@5")
    assert done.stdout.splitlines()[1].startswith("mixed,potter,fading(patience=2)@5,0.")


def test_failed_widgets_are_not_notified(widgets):
    """It lives on in the error's traceback; a warning here would be an error."""
    with pytest.raises(dm.DivmetricsError) as error:
        widgets.DisagreementFinder("ERR-IA@5", "no-such-metric@5")
    dm.register(mine())
    assert "no-such-metric" in str(error.value)
