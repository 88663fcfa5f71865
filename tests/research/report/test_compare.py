"""`divmetrics compare`: what it prints, what it refuses, and that it is the library's numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics import meta
from divmetrics.cli import main

TOPICS = range(1, 7)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two intents; `good` has both first, `narrow` more of one first, `poor` neither. Topic 6: backwards."""
    (tmp_path / "qrels").write_text(
        "".join(f"{t} 1 a{t} 1\n{t} 1 b{t} 1\n{t} 2 c{t} 1\n{t} 2 x{t} 0\n{t} 2 y{t} 0\n" for t in TOPICS)
    )
    lists = {"good": "acxby", "narrow": "abcxy", "poor": "xyacb"}
    for run, docs in lists.items():
        (tmp_path / f"{run}.run").write_text(
            "".join(
                f"{t} Q0 {doc}{t} {rank} {10 - rank} {run}\n"
                for t in TOPICS
                for rank, doc in enumerate(docs if t < 6 else docs[::-1], 1)
            )
        )
    return [str(tmp_path / name) for name in ("qrels", "good.run", "narrow.run", "poor.run")]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["compare", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    try:
        status = main(["compare", *arguments])
    except SystemExit as exit_:
        status = exit_.code
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    lines = [line for line in err.splitlines() if "warning:" not in line]
    assert len(lines) == 1
    return lines[0]


def test_means_and_tests_equal_those_of_meta(capsys, files):
    metrics = ["ERR-IA@5", "Prec@3"]
    text = printed(
        capsys, *files, *(x for m in metrics for x in ("-m", m)), "--trials", "900", "--seed", "2",
        "--confidence", "0.9",
    )  # fmt: skip
    scores = dm.evaluate(files[0], files[1:], metrics)
    assert text.startswith("3 runs, 6 topics.\nMeans with 90% intervals (Student's t over topics).\n")
    assert "(900 trials, seed 2); * below 0.1." in text
    for row in meta.means(scores, confidence=0.9).itertuples():
        line = rf" {row.rank}\. {row.run} +{row.mean:.4f}  \[{row.low:.4f}, {row.high:.4f}\]"
        assert re.search(line, text)
    for row in meta.tukey_hsd(scores, trials=900, seed=2).itertuples():
        one, other = (row.run_a, row.run_b) if row.difference >= 0 else (row.run_b, row.run_a)
        star = r" \*" if row.asl < 0.1 else ""
        p = f"p = {row.asl:.4f}" if row.asl else "p < 0.0011"
        assert re.search(rf"{one} > {other} +by {abs(row.difference):.4f}  {p}{star}\n", text)
    disagreements = meta.disagreements(scores)
    assert f"The metrics disagree on {len(disagreements)} of 18 pairs of lists" in text
    assert re.search(
        r"topic 1 \(1 pair\): good by 0\.\d{4} under ERR-IA@5; narrow by 0.3333 under Prec@3", text
    )
    assert text == printed(
        capsys, *files, *(x for m in metrics for x in ("-m", m)), "--trials", "900", "--seed", "2",
        "--confidence", "0.9",
    )  # fmt: skip


def test_small_p_value_is_printed_as_a_bound(files):
    compared = dm.compare(files[0], files[1:], ["ERR-IA@5"], trials=10)
    for p, trials, message in (
        (0.00002, 100_000, "p < 0.0001 *"),
        (0, 100_000, "p < 0.0001 *"),
        (0, 300, "p < 0.0033 *"),
        (0.0002, 100_000, "p = 0.0002 *"),
    ):
        other = replace(
            compared, pairs=compared.pairs.assign(p=p), conditions=replace(compared.conditions, trials=trials)
        )
        assert other.text.count(message) == len(compared.pairs)
    by_holm = replace(other, conditions=replace(compared.conditions, test="bootstrap", trials=300))
    assert "p < 0.01 *" in replace(by_holm, pairs=compared.pairs.assign(p=0.0)).text  # three times 1 / 300


def test_one_metric_has_nothing_to_disagree_with(capsys, files):
    text = printed(capsys, *files, "-m", "ERR-IA@5", "--trials", "50")
    assert "disagree" not in text
    assert text.count("\n\n") == 1


def test_a_run_that_lacks_a_topic(capsys, files, tmp_path):
    short = tmp_path / "short.run"
    short.write_text("".join(f"{t} Q0 a{t} 1 1 short\n" for t in TOPICS if t != 3))
    options = [files[0], files[1], str(short), "-m", "ERR-IA@5", "--trials", "50"]
    assert "2 runs, 6 topics" in printed(capsys, *options)  # it scores 0 there
    message = refused(capsys, *options, "--mean-over", "both")
    assert "on 1 of 6 topics (3); the first is run 'short' on topic '3'" in message
    assert "leave those topics out with --missing drop" in message
    assert "missing=" not in message
    assert "2 runs, 5 topics" in printed(capsys, *options, "--mean-over", "both", "--missing", "drop")


def test_a_call_without_runs_or_metrics():
    collection = dm.datasets.sakai2010()
    assert len(dm.compare(collection, metrics="ERR-IA@10", trials=10).means) == 2
    with pytest.raises(dm.DivmetricsError, match="no metric was asked for"):
        dm.compare(collection)


def test_letters_and_shares_stand_beside_the_means(capsys, files):
    text = printed(capsys, *files, "-m", "Prec@3", "-m", "ERR-IA", "--trials", "300")
    compared = dm.compare(files[0], files[1:], ["Prec@3", "ERR-IA"], trials=300)
    assert text == f"{compared.text}\n" == f"{compared}\n"
    assert len(re.findall(r"\]  [abc]+ *  judged@3 1\.0000\n", text)) == 3
    assert len(re.findall(r"\]  [abc]+ *  judged 1\.0000\n", text)) == 3
    means = compared.means.pivot(index="run", columns="metric", values="mean")
    assert compared.table.to_dict() == means.to_dict()
    assert list(compared.table.index) == ["good", "narrow", "poor"]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "csv"])
def test_every_form_on_the_screen_and_in_a_file(capsys, files, tmp_path, form):
    options = [*files, "-m", "ERR-IA@5", "-m", "Prec@3", "--trials", "50", "--format", form]
    text = printed(capsys, *options)
    compared = dm.compare(files[0], files[1:], ["ERR-IA@5", "Prec@3"], trials=50)
    assert text.rstrip() == getattr(compared, form).rstrip()
    target = tmp_path / "report"
    assert printed(capsys, *options, "-o", str(target)) == ""
    assert target.read_text(encoding="utf-8") == text
    assert printed(capsys, *options) == text


def test_caption_describes_the_method(files):
    options = {"metrics": ["ERR-IA@5", "alpha-nDCG@3"], "trials": 40, "seed": 3, "confidence": 0.9}
    compared = dm.compare(files[0], files[1:], alpha=0.3, scale=2, mean_over="both", **options)
    assert compared.caption == (
        "Mean ERR-IA@5 and alpha-nDCG@3 over 6 topics that every run answers; convention paper, scale 2, "
        "alpha 0.3. ±: half of the 90% interval (Student's t over topics). Runs that share no letter differ "
        "significantly (p < 0.1; randomised Tukey HSD, 40 trials, seed 3, each metric on its own). Bold: the "
        "best mean, and any that tie with it. judged@3: the share of the first 3 documents that were judged. "
        "judged@5: the share of the first 5 documents that were judged. Documents never judged count as not "
        "relevant."
    )
    alone = dm.compare(files[0], files[1:3], "ERR-IA@5", trials=40, test="bootstrap").caption
    assert "over 6 topics (0 where a run does not answer); convention paper." in alone
    assert "(p < 0.05; paired bootstrap, Holm's correction for 1 pair, 40 trials, seed 0)" in alone


def test_curves_over_cutoffs(files):
    """Every mean of a metric with a cutoff, under the metric's name."""
    metrics = ["ERR-IA@10", "I-rec@2", "alpha-nDCG(alpha=0.3)@5", "ERR-IA@2", "NRBP"]
    compared = dm.compare(files[0], files[1:], metrics, trials=50)
    curves = compared.curves
    assert list(curves) == ["metric", "run", "cutoff", "mean", "low", "high", "letters"]
    assert curves["metric"].unique().tolist() == ["ERR-IA", "I-rec", "alpha-nDCG(alpha=0.3)"]
    of_err = curves[curves["metric"] == "ERR-IA"]
    assert of_err["cutoff"].tolist() == [2, 2, 2, 10, 10, 10]
    means = compared.means.set_index(["metric", "run"])["mean"]
    assert all(row.mean == means[f"{row.metric}@{row.cutoff}", row.run] for row in curves.itertuples())
    assert "good has the highest mean ERR-IA at every cutoff" in dm.charts.cutoff_curves(of_err).svg


def test_pairs_by_the_bootstrap(capsys, files):
    scores = dm.evaluate(files[0], files[1:], ["ERR-IA@5", "Prec@3"])
    compared = dm.compare(files[0], files[1:], ["ERR-IA@5", "Prec@3"], trials=200, seed=4, test="bootstrap")
    alone = meta.paired_bootstrap(scores, trials=200, seed=4)
    for metric in compared.metrics:
        by_itself = alone[alone["metric"] == metric]
        pairs = compared.pairs[compared.pairs["metric"] == metric]
        assert pairs["p"].tolist() == meta.holm(by_itself["asl"]).tolist()
        assert pairs["difference"].tolist() == by_itself["difference"].tolist()
    letters = meta.letter_display(compared.pairs, p="p")
    assert compared.means["letters"].tolist() == letters["letters"].tolist()
    text = printed(capsys, *files, "-m", "Prec@3", "--test", "bootstrap", "--trials", "200")
    assert "p-values by paired bootstrap with Holm's correction (200 trials, seed 0)" in text


def test_runs_that_tie_are_both_the_best(files):
    for name, tag in (("again.run", "again"), ("good.run", "good")):
        path = Path(files[1]).with_name(name)
        path.write_text(Path(files[1]).read_text().replace(" good\n", f" {tag}\n"))
    twin = str(Path(files[1]).with_name("again.run"))
    compared = dm.compare(files[0], [files[1], twin, files[3]], ["ERR-IA@5"], trials=40)
    assert compared.markdown.count("**") == 4
    assert compared.pairs["p"][0] == 1
    level = dm.compare(files[0], [files[1], twin], ["ERR-IA@5"], trials=40)
    assert "**" not in level.markdown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--trials", "0"], "the number of trials is 0"),
        (["--seed", "-1"], "the seed is -1"),
        (["--format", "word"], "invalid choice: 'word'"),
        (["--test", "t"], "invalid choice: 't'"),
        (["--test", "bootstrap", "--trials", "5"], "5 trials have no trial at level 0.05"),
        (["-o", "nowhere/report.tex"], "nowhere/report.tex: cannot be written (no such folder)"),
        (["--confidence", "95"], "the confidence is 95.0"),
        (["--trials", "many"], "invalid int value: 'many'"),
        (["-m", "ERR-IAA@5"], "there is no metric 'ERR-IAA'"),
    ],
)
def test_bad_options(capsys, files, options, message):
    assert message in refused(capsys, *files, "-m", "I-rec@5", *options)


def test_bad_collections(capsys, files, tmp_path):
    assert "no runs were given" in refused(capsys, files[0], "-m", "ERR-IA@5")
    assert "good.run: this run is given twice" in refused(capsys, *files, files[1], "-m", "ERR-IA@5")
    link = tmp_path / "link.run"
    link.symlink_to(files[1])
    assert "link.run: this run is given twice" in refused(capsys, *files, str(link), "-m", "ERR-IA@5")
    assert "would be overwritten" in refused(capsys, *files, "-m", "ERR-IA@5", "-o", files[1])
    assert "there is one, 'good'; give more" in refused(capsys, *files[:2], "-m", "ERR-IA@5")
    assert "all 18 scores under 'I-rec@5' are equal" in refused(capsys, *files, "-m", "I-rec@5")
    one = tmp_path / "one"
    one.write_text("1 1 a1 1\n1 2 c1 1\n")
    sentence = refused(capsys, str(one), *files[1:], "-m", "ERR-IA@5")
    assert "two or more topics" in sentence
    assert "there is one, '1'" in sentence
    assert "table" not in sentence


def test_topics_that_are_dropped_are_not_compared():
    """With no more than one topic left, the sentence counts what is left."""
    qrels = {"q": {"d1": {"a": 1}}, "r": {"d1": {"a": 1}}}
    options = {"metrics": "ERR-IA@5", "mean_over": "both", "missing": "drop"}
    for runs, left in (
        ({"A": {"q": ["d1"]}, "B": {"q": ["d2"], "r": ["d1"]}}, "there is one, 'q'"),
        ({"A": {"q": ["d1"]}, "B": {"r": ["d1"]}}, "there is none"),
    ):
        with pytest.warns(dm.DivmetricsWarning), pytest.raises(dm.DivmetricsError, match=left):
            dm.compare(qrels, runs, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "t-test"}, "test is 't-test', expected one of tukey, bootstrap"),
        ({"missing": "skip"}, "missing is 'skip', expected one of fail, drop"),
        ({"trials": 1.5}, "the number of trials is 1.5"),
        ({"runs": []}, "no runs were given"),
        ({"metrics": []}, "no metric was asked for"),
        ({"metrics": ["ERR-IA@5", "ERR-IA@5"]}, "asked for twice"),
        ({"condensed": "yes"}, "condensed is 'yes', expected True or False"),
    ],
)
def test_bad_calls(files, options, message):
    right = {"qrels": files[0], "runs": files[1:], "metrics": "ERR-IA@5", "trials": 20}
    with pytest.raises(dm.DivmetricsError, match=re.escape(message)):
        dm.compare(**{**right, **options})


def test_importing_the_library_does_not_import_pandas_or_joblib():
    code = "import sys, divmetrics.cli; print([m for m in ('pandas', 'joblib', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_docstring_names_the_fields_of_the_result(files: list[str]) -> None:
    qrels, *runs = files
    compared = dm.compare(qrels, runs, "ERR-IA@3", trials=10, headroom=True)
    docstring = dm.compare.__doc__ or ""
    for name in ("scores", "table", "means", "pairs", "judged", "allowed", "notes", "text", "latex", "csv"):
        assert f"`{name}`" in docstring
        assert getattr(compared, name) is not None
    assert "judged@3" in compared.judged
    assert list(compared.pairs) == ["metric", "run_a", "run_b", "difference", "p"]


def test_repr_of_a_collection_shows_its_top_grade(
    files: list[str],
) -> None:
    assert repr(dm.load_collection(files[0])) == "<collection: 6 topics, 0 runs, top grade Y = 1>"
    assert repr(dm.load_collection(files[0], scale=3)).endswith("top grade Y = 3>")
