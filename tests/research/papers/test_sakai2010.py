"""`divmetrics reproduce sakai2010`: the numbers, every kind of claim with other evidence, the folders."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import datasets
from divmetrics.cli import main
from divmetrics.core.collection import Collection
from divmetrics.core.topics import Intent, Topic
from divmetrics.research.papers import Report, reproduce, sakai2010
from divmetrics.research.papers.report import WIDTH
from divmetrics.research.papers.sakai2010 import (
    definitions,
    evidence,
    power,
    ranges,
    rankings,
    runs,
    statements,
)
from divmetrics.research.papers.sakai2010.evidence import Evidence, scores, with_made_up_runs
from divmetrics.research.papers.sakai2010.printed import (
    ALPHA,
    DIV_NDCG,
    DIV_Q,
    I_REC,
    IA,
    IDIV_NDCG,
    IDIV_Q,
    METRICS,
    NAMED_RUNS,
    Printed,
)
from divmetrics.research.papers.verdicts import ClaimResult
from tools.sakai2010_scores import table

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def fewer_trials() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evidence, "TRIALS", 200)
        patch.setattr(evidence, "TEST_SEEDS", (0,))
        patch.setattr(evidence, "SEEDS", (0, 1))
        yield


@pytest.fixture(scope="module")
def embedded() -> Evidence:
    return Evidence.load()


@pytest.fixture(scope="module")
def folder(research_files: Path) -> Path:
    return research_files / "data" / "trec-web-2009"


@pytest.fixture(scope="module")
def from_data(folder: Path) -> Evidence:
    return Evidence.load(folder)


def named(collection: Collection) -> Collection:
    """The collection with its runs renamed, the first five as the paper names them."""
    names = [*NAMED_RUNS, *list(collection.runs)[len(NAMED_RUNS) :]]
    return collection.with_runs(
        replace(run, name=name) for name, run in zip(names, collection.runs.values(), strict=True)
    )


@pytest.fixture(scope="module")
def original(embedded: Evidence) -> Evidence:
    """Made-up runs in place of the paper's own."""
    collection = named(embedded.collection)
    return Evidence(collection, {"TREC 2009": [scores(collection)]}, collection, original=True)


# ------------------------------------------------------------------ numbers


def differing(report: Report) -> list[tuple[str, str]]:
    numbers = report.numbers
    return numbers.loc[numbers["same"].eq(False), ["printed", "ours"]].apply(tuple, axis=1).tolist()


def test_without_data_only_two_slips_of_an_index_differ(embedded):
    report = Report("sakai2010", tuple(sakai2010.numbers.compared(embedded)), ())
    assert differing(report) == [("i1", "i2"), ("i5", "i3")]
    assert report.rows["verdict"].value_counts().to_dict() == {
        "cannot be computed": 57,
        "same": 40,
        "not computed": 13,
        "differs": 2,
    }


def test_the_official_judgments_have_two_relevant_documents_fewer(from_data):
    report = Report("sakai2010", tuple(sakai2010.numbers.compared(from_data)), ())
    assert differing(report) == [("6501", "6499"), ("i1", "i2"), ("i5", "i3")]
    assert report.rows["verdict"].value_counts()["same"] == 52


def test_with_runs_every_number_but_two_is_computed(original):
    numbers = sakai2010.numbers.compared(original)
    assert [number.what for number in numbers if number.ours is None] == ["Web pages", "size"]
    ours = {number.what: number.ours for number in numbers if number.where == "Table 2"}
    means = scores(original.collection).groupby(["run", "metric"])["score"].mean().unstack()
    tau = dm.meta.kendall(means[IDIV_NDCG].to_numpy(), means[IA].to_numpy())
    assert ours["D#-nDCG, nDCG-IA"].split("/")[0] == f"{tau:.3f}"


def test_the_printed_taus_determine_one_another():
    printed = Printed()
    assert len(printed.triangles) == 28
    assert printed.swaps(printed.tau(DIV_NDCG, IDIV_NDCG)) == 20
    assert printed.swaps(printed.tau(I_REC, IDIV_NDCG)) == 11
    assert printed.swaps(printed.tau(I_REC, DIV_NDCG)) == 31


def test_tau_ap_ranges_hold_every_permutation():
    random = np.random.default_rng(0)
    for _ in range(200):
        a, b = random.permutation(6), random.permutation(6)
        swaps = round((1 - dm.meta.kendall(a, b)) / 2 * 15)
        low, high = statements.tau_ap_range(swaps, 15)
        assert low - 1e-12 <= dm.meta.tau_ap(a, b) <= high + 1e-12


def test_taus_and_power_on_trec_2012(embedded):
    on_2012 = {s: t for s, t in embedded.scores.items() if s.startswith("TREC 2012")}
    chosen = replace(embedded, scores=on_2012)
    binary = [chosen.taus(name, IA)["TREC 2012"][0] for name, _ in rankings.against("nDCG", IA)]
    graded = [chosen.taus(name, IA)["TREC 2012 (graded)"][0] for name, _ in rankings.against("nDCG", IA)]
    assert np.round(binary, 3).tolist() == [0.857, 1, 1, 0.857, 0.786]
    assert np.round(graded, 3).tolist() == [0.929, 1, 0.786, 0.643, 0.571]
    (counts,) = power.counts(chosen)["TREC 2012"]
    assert counts[DIV_Q] > counts[IDIV_Q] >= counts[I_REC] == 12


def test_counts_of_the_definitions_on_the_official_judgments(from_data):
    best = ranges._of_best_lists(from_data.collection, [I_REC])
    assert int((best[I_REC] > 1 - 1e-9).sum()) == 20
    assert best[I_REC].min() == 0.25
    relevant = [len(pool.relevant) for pool in from_data.collection.pools.values()]
    assert sum(count <= 10 for count in relevant) == 4


def test_stored_scores_equal_computed_scores(research_files):
    with pytest.warns(dm.DivmetricsWarning, match="'indri' stands in more than one run file"):
        computed = table(research_files / "data" / "trec-web-2012")
    for judgments in ("binary", "graded"):
        of_one = computed[computed["judgments"] == judgments].drop(columns="judgments")
        of_one = of_one.melt(["run", "topic"], var_name="metric", value_name="score")
        stored = datasets.sakai2010_trec2012(judgments)
        pd.testing.assert_frame_equal(stored, of_one, check_dtype=False, rtol=0, atol=1e-12)
    with pytest.raises(dm.DivmetricsError, match="judgments is 'some', expected one of binary, graded"):
        datasets.sakai2010_trec2012("some")


def test_the_binary_scores_equal_the_graded_ones_under_metrics_of_binary_relevance():
    binary, graded = (datasets.sakai2010_trec2012(judgments) for judgments in ("binary", "graded"))
    same = binary["score"].sub(graded["score"]).abs().groupby(binary["metric"]).max() == 0
    assert set(same.index[same]) == {ALPHA, I_REC}


# ------------------------------------------------------------------ claims


Find = Callable[[Evidence], ClaimResult]


def printed(name: str, column: str, values: Mapping[tuple[str, str] | str, float]) -> Printed:
    """What the paper prints, with other values in one column of a table."""
    rows = getattr(Printed(), name).copy()
    keys = ["metric", "baseline"] if name == "correlations" else ["metric"]
    for key, value in values.items():
        wanted = key if isinstance(key, tuple) else (key,)
        rows.loc[rows[keys].apply(tuple, axis=1) == wanted, column] = value
    return replace(Printed(), **{name: rows})


def tau_of(metric: str, baseline: str, tau: float) -> Printed:
    return printed("correlations", "tau", {(metric, baseline): tau, (baseline, metric): tau})


BEST = {"one": {ALPHA: "MSDiv3"}, "two": {ALPHA: "MSDiv3", IA: "MSDiv2"}}


@pytest.mark.parametrize(
    ("find", "as_is", "other", "then"),
    [
        (statements.taus_fit, "holds", tau_of(DIV_NDCG, ALPHA, 0.873), "contradicts itself"),
        (statements.taus_fit, "holds", tau_of(DIV_NDCG, ALPHA, 0.881), "contradicts itself"),
        (
            statements.taus_fit,
            "holds",
            printed("correlations", "tau_ap", {(DIV_NDCG, ALPHA): 0.99}),
            "contradicts itself",
        ),
        (
            statements.taus_fit,
            "holds",
            printed("correlations", "tau", {(DIV_Q, DIV_NDCG): 0.867}),
            "contradicts itself",
        ),
        (statements.gammas_fit, "holds", tau_of(I_REC, IDIV_NDCG, 0.907), "contradicts itself"),
        (statements.best_runs_fit, "contradicts itself", Printed(best_runs=BEST), "holds"),
        (
            statements.disagreements_fit,
            "fragile",
            Printed(disagreements={(IDIV_NDCG, IA): 7, (IDIV_NDCG, ALPHA): 6, (IA, ALPHA): 11}),
            "holds",
        ),
        (statements.disagreements_fit, "fragile", Printed(agreements=40), "does not hold"),
        (definitions.printed_discount, "contradicts itself", Printed(counts_itself=False), "holds"),
        (rankings.highly_correlated, "cannot be decided", tau_of(I_REC, DIV_NDCG, 0.947), "holds"),
        (rankings.highly_correlated, "cannot be decided", tau_of(I_REC, DIV_NDCG, 0.7), "does not hold"),
        (
            partial(rankings.monotone, pairs=rankings.BOTH_FAMILIES),
            "fragile",
            tau_of(DIV_NDCG, DIV_Q, 0.96),
            "contradicts itself",
        ),
        (
            partial(rankings.similar, pairs=rankings.against("nDCG", IA), different=True),
            "fragile",
            tau_of(I_REC, IA, 1),
            "contradicts itself",
        ),
        (
            partial(power.compare_power, metric=IDIV_Q, others=(I_REC,), strictly=False),
            "holds",
            printed("power", "significant", {I_REC: 193}),
            "contradicts itself",
        ),
        (runs.agree_on_topics, "holds", Printed(agreements=20), "contradicts itself"),
        (ranges.full_recall, "holds", Printed(most_intents=11), "does not hold"),
    ],
)
def test_other_printed_numbers_give_another_verdict(embedded, find: Find, as_is, other, then):
    assert find(embedded).verdict == as_is
    assert find(replace(embedded, printed=other)).verdict == then


def with_scores(of: Evidence, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Evidence:
    """Other scores: `change` takes and returns a table (run, topic) x metric."""

    def changed(tidy: pd.DataFrame) -> pd.DataFrame:
        wide = tidy.pivot(index=["run", "topic"], columns="metric", values="score")[list(METRICS)]
        return change(wide).reset_index().melt(["run", "topic"], var_name="metric", value_name="score")

    return replace(of, scores={source: list(map(changed, tables)) for source, tables in of.scores.items()})


def all_alike(wide: pd.DataFrame) -> pd.DataFrame:
    """Every metric scores as alpha-nDCG does."""
    return wide.apply(lambda column: wide[ALPHA])


def opposed(*metrics: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """These metrics score as 1 minus alpha-nDCG, all others as alpha-nDCG."""
    return lambda wide: all_alike(wide).assign(**dict.fromkeys(metrics, 1 - wide[ALPHA]))


def powerless(*metrics: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Under these metrics the scores do not depend on the run, but for noise."""
    noise = np.random.default_rng(0)
    return lambda wide: all_alike(wide).assign(**{name: noise.random(len(wide)) for name in metrics})


NDCG_GAMMAS = tuple(name for name, _ in rankings.against("nDCG", IA))


@pytest.mark.parametrize(
    ("find", "change", "verdict"),
    [
        (partial(rankings.similar, pairs=rankings.against("nDCG", IA), different=False), all_alike, "holds"),
        (
            partial(rankings.similar, pairs=rankings.against("nDCG", IA), different=True),
            all_alike,
            "does not hold",
        ),
        (
            partial(rankings.similar, pairs=rankings.against("nDCG", IA), different=False),
            opposed(IA),
            "does not hold",
        ),
        (partial(rankings.monotone, pairs=rankings.against("nDCG", IA)[::-1]), all_alike, "holds"),
        (
            partial(rankings.monotone, pairs=rankings.against("nDCG", IA)[::-1]),
            opposed(DIV_NDCG),
            "does not hold",
        ),
        (
            partial(power.compare_power, metric=IDIV_Q, others=(I_REC, DIV_Q), strictly=True),
            powerless(I_REC, DIV_Q),
            "holds",
        ),
        (
            partial(power.compare_power, metric=IDIV_Q, others=(I_REC, DIV_Q), strictly=True),
            all_alike,
            "does not hold",
        ),
        (runs.agree_on_topics, all_alike, "holds"),
        (runs.agree_on_topics, opposed(IA), "does not hold"),
    ],
)
def test_other_scores_give_another_verdict(embedded, find: Find, change, verdict):
    result = find(with_scores(embedded, change))
    assert (result.verdict, result.elsewhere) == (verdict, True)


def test_large_differences_that_are_not_significant_give_another_verdict(embedded):
    assert power.usually_significant(embedded).verdict == "holds"
    other = replace(embedded)
    other.__dict__["tests"] = {s: [t.assign(asl=1.0) for t in tests] for s, tests in embedded.tests.items()}
    assert power.usually_significant(other).verdict == "does not hold"


def topic_with(labels: Mapping[str, Mapping[str, int]], intents: int = 2) -> Collection:
    """One topic with halving weights, and a run that returns its documents in this order."""
    topic = Topic("1", tuple(Intent(f"i{j}", 1 / intents) for j in range(1, intents + 1))).nonuniform()
    return Collection.of([topic], {"1": labels}, {"r": {"1": list(labels)}})


ONE_EACH = topic_with({"d1": {"i1": 1}, "d2": {"i2": 1}})
# Ten documents serve every intent but the last, a little less likely, whose only document is the first.
MINOR = Collection.of(
    [Topic("1", tuple(Intent(f"i{j}", 0.09 if j == 10 else 0.91 / 9) for j in range(1, 11)))],
    {"1": {"a": {"i10": 1}, **{f"d{k:02d}": {f"i{j}": 1 for j in range(1, 10)} for k in range(10)}}},
    {"r": {"1": ["a", *(f"d{k:02d}" for k in range(10))]}},
)
MANY_OF_ONE = topic_with({**{f"d{k:02d}": {"i1": 1} for k in range(1, 11)}, "e": {"i2": 1}})
# The best list covers all intents of topic 2, not of topic 1.
ONE_OF_TWO = Collection.of(
    [replace(topic, id=name) for name in "12" for topic in MANY_OF_ONE.topics],
    {
        "1": {**{f"d{k:02d}": {"i1": 1} for k in range(1, 11)}, "e": {"i2": 1}},
        "2": {"d1": {"i1": 1}, "d2": {"i2": 1}},
    },
)


@pytest.mark.parametrize(
    ("find", "collection", "verdict"),
    [
        (ranges.full_range, ONE_EACH, "holds"),
        (ranges.full_range, MANY_OF_ONE, "does not hold"),
        (ranges.full_range, ONE_OF_TWO, "fragile"),
        (ranges.never_one, ONE_EACH, "holds"),
        (ranges.never_one, topic_with({"d1": {"i1": 1, "i2": 1}, "d2": {"i2": 1}}), "does not hold"),
        (ranges.above_one, ONE_EACH, "does not hold"),
        (ranges.long_enough, MANY_OF_ONE, "holds"),
        (definitions.ignores_minor_intents, ONE_EACH, "holds"),
        (definitions.ignores_minor_intents, MINOR, "fragile"),
        (definitions.without_novelty, ONE_EACH, "holds"),
        (partial(definitions.without_novelty, alpha=0.5), MINOR, "does not hold"),
        (partial(ranges.best_is_one, name="D-nDCG"), MANY_OF_ONE, "holds"),
        (partial(ranges.best_is_one, name="D-Q(of=R)"), MANY_OF_ONE, "fragile"),
        (partial(ranges.best_is_one, name="nDCG-IA"), ONE_EACH, "does not hold"),
    ],
)
def test_other_judgments_give_another_verdict(embedded, find: Find, collection, verdict):
    result = find(replace(embedded, collection=collection))
    assert (result.verdict, result.elsewhere) == (verdict, True)
    assert not find(replace(embedded, collection=collection, judged=collection)).elsewhere


def test_judgments_are_asked_too_whether_a_list_can_cover_all_intents(embedded):
    many = topic_with({"d1": {"i1": 1}}, intents=11)
    for judged, verdict in ((None, "holds"), (ONE_EACH, "holds"), (many, "fragile")):
        other = replace(embedded, collection=judged or many, judged=judged)
        result = ranges.full_recall(other)
        assert (result.verdict, result.elsewhere) == (verdict, False)


def test_a_list_scores_1_under_ndcg_ia_where_the_rule_says_so(embedded):
    labels = [{}, {"i1": 1}, {"i2": 1}, {"i1": 1, "i2": 1}]
    for chosen in itertools.combinations_with_replacement(labels, 4):
        docs = {f"d{k}": label for k, label in enumerate(chosen)}
        if not all(any(intent in label for label in chosen) for intent in ("i1", "i2")):
            continue
        collection = topic_with(docs)
        best = max(
            dm.metric(IA).score(collection.list("r", "1").reordered(order))
            for order in itertools.permutations(docs)
        )
        verdict = ranges.never_one(replace(embedded, collection=collection)).verdict
        assert (verdict == "does not hold") == (best > 1 - 1e-9)


def test_one_page_for_all_intents_divides_the_metrics(embedded):
    def verdict(metric: str, one_is_better: bool) -> str:
        return definitions.one_page_or_ten(embedded, (metric,), one_is_better=one_is_better).verdict

    for metric in (ALPHA, DIV_NDCG, IDIV_NDCG):
        assert (verdict(metric, True), verdict(metric, False)) == ("holds", "does not hold")
    assert (verdict(I_REC, True), verdict(I_REC, False)) == ("does not hold", "holds")


def of_single_runs(of: Evidence) -> dict[str, str]:
    return {claim.says: claim.find(of).verdict for claim in runs.CLAIMS[:4]}


def test_statements_on_single_runs_need_the_runs(embedded, original):
    assert set(of_single_runs(embedded).values()) == {"cannot be computed"}
    assert "cannot be computed" not in of_single_runs(original).values()


def test_statements_on_single_runs_depend_on_the_scores(original):
    means = original.means["TREC 2009"][0]
    best = {"text": {name: str(means[name].idxmax()) for name in (ALPHA, IA)}}
    assert runs.best_as_printed(replace(original, printed=Printed(best_runs=best))).verdict == "holds"
    none = {"text": dict.fromkeys((ALPHA, IA), "nobody's")}
    assert runs.best_as_printed(replace(original, printed=Printed(best_runs=none))).verdict == "does not hold"

    def as_if(run: str, **other: str) -> Evidence:
        """The named runs score as another run does."""

        def change(wide: pd.DataFrame) -> pd.DataFrame:
            for name, source in {run: run, **other}.items():
                wide.loc[name] = wide.loc[source].to_numpy()
            return wide

        return with_scores(original, change)

    assert runs.same_contour(as_if("MSDiv3", MSRACS="MSDiv3")).verdict == "holds"
    ranking = means[IDIV_NDCG].sort_values().index
    far = as_if("MSDiv3", MSDiv3=ranking[-1], MSRACS=ranking[0])
    assert runs.same_contour(far).verdict == "does not hold"
    top = means[IDIV_NDCG].nlargest(5).index
    alike = as_if(top[0], **dict.fromkeys(top[1:], top[0]))
    assert runs.top_five(alike, with_msdiv1=False).verdict == "holds"
    worst = as_if("MSDiv1", MSDiv1=ranking[0])
    assert runs.top_five(worst, with_msdiv1=True).verdict == "holds"
    no_worse = with_scores(original, lambda wide: wide * 0 + 0.5 + 1e-3 * powerless(*METRICS)(wide))
    assert runs.top_five(no_worse, with_msdiv1=True).verdict == "does not hold"


def test_the_topics_of_fig_3_are_counted_with_ties(original):
    topics = runs.fig_3(original)
    assert topics[runs.COMPARED] + max(count for pair, count in topics.items() if len(pair) == 2) <= 50
    alike = runs.fig_3(with_scores(original, all_alike))
    assert list(alike.values()) == [50, 0, 0, 0]


# ------------------------------------------------------------------ folders, command


def test_runs_are_read_from_a_folder(from_data, folder, tmp_path):
    collection = named(from_data.collection)
    for name, run in collection.runs.items():
        lines = [
            f"{topic} Q0 {doc} {rank} {-rank} {name}\n"
            for topic in collection.pools
            for rank, doc in enumerate(run.list(topic), 1)
        ]
        (tmp_path / f"input.{name}").write_text("".join(lines))
    read = Evidence.load(folder, tmp_path)
    assert read.original
    (ours,) = read.scores["TREC 2009"]
    expected = scores(collection)
    keys = ["run", "topic", "metric"]
    pd.testing.assert_frame_equal(
        ours.sort_values(keys, ignore_index=True), expected.sort_values(keys, ignore_index=True)
    )
    (tmp_path / "input.MSRACS").unlink()
    with pytest.raises(dm.DivmetricsError, match="lacks run MSRACS, which the paper names, expected MSDiv1"):
        Evidence.load(folder, tmp_path)


def test_made_up_runs_differ_by_seed_and_not_by_call(from_data):
    a, b, again = (with_made_up_runs(from_data.collection, seed) for seed in (0, 1, 0))
    lists = [{name: run.list("1") for name, run in c.runs.items()} for c in (a, b, again)]
    assert lists[0] == lists[2] != lists[1]
    assert len(a.runs) == 25


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["reproduce", "sakai2010", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_folders_that_cannot_be_used_are_refused_in_one_line(capsys, tmp_path):
    assert "runs were given without the judgments" in refused(capsys, "--runs", str(tmp_path))
    assert "does not exist, expected the folder" in refused(capsys, "--data", str(tmp_path / "nowhere"))
    (tmp_path / "file").write_text("x")
    assert "is a file, expected the folder" in refused(capsys, "--data", str(tmp_path / "file"))
    line = refused(capsys, "--data", str(tmp_path))
    assert "the topics of TREC Web 2009 are missing, expected topics.xml or wt09.topics.full.xml" in line


def test_another_track_is_refused(capsys, folder):
    line = refused(capsys, "--data", str(folder.parent / "trec-web-2012"))
    assert "topic 1 is not judged, expected topics 1 to 50 of TREC Web 2009" in line


def test_an_empty_folder_of_runs_is_refused(capsys, folder, tmp_path):
    line = refused(capsys, "--data", str(folder), "--runs", str(tmp_path))
    assert "holds no run of TREC Web 2009, expected a file for each" in line
    line = refused(capsys, "--data", str(folder), "--runs", str(tmp_path / "nowhere"))
    assert "does not exist, expected the folder with the runs of TREC Web 2009" in line
    (tmp_path / "file").write_text("x")
    line = refused(capsys, "--data", str(folder), "--runs", str(tmp_path / "file"))
    assert "is a file, expected the folder with the runs of TREC Web 2009" in line


def test_the_command_prints_the_report(capsys):
    assert main(["reproduce", "sakai2010"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert max(map(len, out.splitlines())) <= WIDTH
    report = reproduce("sakai2010")
    assert out == f"{report}\n"
    assert len(report.claims) == len(sakai2010.CLAIMS)
