"""Sections 4.2 to 4.4: statements on single runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd

from divmetrics.research.meta import compare_runs
from divmetrics.research.papers.sakai2010.evidence import LEVEL, Evidence
from divmetrics.research.papers.sakai2010.printed import ALPHA, IA, IDIV_NDCG
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes

COMPARED = (IDIV_NDCG, IA, ALPHA)  # the metrics of Fig. 3
VISIBLE = 0.01  # smallest difference of two means that shows in a figure

NEEDS_RUNS = "needs the 25 submitted runs, which are not public: name the folders of judgments and runs"


def _on_runs(find: Callable[[Evidence], ClaimResult]) -> Callable[[Evidence], ClaimResult]:
    """Return a test that says which data it lacks if the evidence has not the paper's own runs."""

    def test(evidence: Evidence) -> ClaimResult:
        return find(evidence) if evidence.original else ClaimResult("cannot be computed", NEEDS_RUNS)

    return test


def agree_on_topics(evidence: Evidence) -> ClaimResult:
    """Test whether three metrics agree on most topics which of two top runs is better.

    The best run by Idiv-nDCG is compared with the best by alpha-nDCG, or the second if both are the same.
    """
    outcomes, texts = [], []
    for source, tables in evidence.scores.items():
        for table, means in zip(tables, evidence.means[source], strict=True):
            a, b = _top_runs(means)
            agree = int((_better(table, a, b).nunique(axis=1) == 1).sum())
            topics = table["topic"].nunique()
            outcomes.append(agree > topics / 2)
            texts.append(f"{source} {agree} of {topics}")
    printed = evidence.printed
    return evidence.judge(
        outcomes,
        f"topics on which they agree: printed {printed.agreements} of {printed.topics}, {', '.join(texts)}",
        printed=printed.agreements > printed.topics / 2,
    )


def best_as_printed(evidence: Evidence) -> ClaimResult:
    """Test whether the best run by each metric is the one that the paper names."""
    means = evidence.means["TREC 2009"][0]
    outcomes, texts = [], []
    for passage, best in evidence.printed.best_runs.items():
        for metric, run in best.items():
            ours = str(means[metric].idxmax())
            outcomes.append(ours == run)
            texts.append(f"{metric}: {run} by {passage}, {ours} computed")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def same_contour(evidence: Evidence) -> ClaimResult:
    """Test whether the means of MSDiv3 and MSRACS by Idiv-nDCG lie too close to tell apart in Fig. 1."""
    ranking = evidence.means["TREC 2009"][0][IDIV_NDCG].sort_values(ascending=False)
    places = [list(ranking.index).index(run) + 1 for run in ("MSDiv3", "MSRACS")]
    difference = abs(ranking["MSDiv3"] - ranking["MSRACS"])
    text = (
        f"means by Idiv-nDCG differ by {difference:.4f} (less than {VISIBLE} does not show in a figure), "
        f"places {places[0]} and {places[1]}"
    )
    return ClaimResult(combine_outcomes([difference < VISIBLE]), text)


def top_five(evidence: Evidence, *, with_msdiv1: bool) -> ClaimResult:
    """Test whether no two of the five best runs differ significantly, or some are better than MSDiv1."""
    top = list(evidence.means["TREC 2009"][0][IDIV_NDCG].nlargest(5).index)
    outcomes, counts = [], []
    for tests in evidence.tests["TREC 2009"]:
        pairs = pd.concat([tests["run_a"], tests["run_b"]], axis=1)
        of_top = pairs.isin(top)
        chosen = of_top.all(axis=1)
        if with_msdiv1:
            first, second = pairs["run_a"] == "MSDiv1", pairs["run_b"] == "MSDiv1"
            worse = first & (tests["difference"] < 0) | second & (tests["difference"] > 0)
            chosen = of_top.any(axis=1) & worse
        significant = tests[chosen & (tests["asl"] < LEVEL)]
        metrics = significant["metric"].nunique()
        outcomes.append(metrics > 1 if with_msdiv1 else metrics == 0)
        counts.append(f"{len(significant)} of {int(chosen.sum())} tests under {metrics} metrics")
    return ClaimResult(combine_outcomes(outcomes), f"{', '.join(top)}: significant {'; '.join(counts)}")


def _top_runs(means: pd.DataFrame) -> tuple[str, str]:
    """Return the best run by Idiv-nDCG, and of the other runs the best by alpha-nDCG."""
    first = str(means[IDIV_NDCG].idxmax())
    return first, str(means[ALPHA].drop(first).idxmax())


def _better(table: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """Return the better of two runs, topic x metric; "" where they tie."""
    return compare_runs(table, a, b, list(COMPARED)).pivot(index="topic", columns="metric", values="better")


def fig_3(evidence: Evidence) -> Mapping[tuple[str, ...], int]:
    """Count the topics on which all three metrics prefer the same of MSDiv2 and MSRAACSF, and disagreements.

    A tie is no disagreement with a preference.
    """
    preferred = _better(evidence.scores["TREC 2009"][0], "MSDiv2", "MSRAACSF")
    pairs: dict[tuple[str, ...], int] = {COMPARED: int((preferred.nunique(axis=1) == 1).sum())}
    for a, b in evidence.printed.disagreements:
        opposed = (preferred[a] != preferred[b]) & (preferred[[a, b]] != "").all(axis=1)
        pairs[a, b] = int(opposed.sum())
    return pairs


CLAIMS = (
    Claim("4.2, Figs. 1 and 2", "the best runs by each metric are those that the text names",
          _on_runs(best_as_printed)),
    Claim("4.2, Fig. 1", "MSDiv3 and MSRACS are almost equally good by Idiv-nDCG", _on_runs(same_contour)),
    Claim(
        "4.2, footnote 9", "the five best runs by Idiv-nDCG do not differ significantly under any metric",
        _on_runs(partial(top_five, with_msdiv1=False)),
    ),
    Claim(
        "footnote 9", "some of the five are significantly better than MSDiv1 under several metrics",
        _on_runs(partial(top_five, with_msdiv1=True)),
    ),
    Claim("4.3, Fig. 3", "on most topics three metrics agree on which of two top runs is better",
          agree_on_topics),
)  # fmt: skip
