"""Are the scores of the research files the same to the last bit as those of another version?

    DIVMETRICS_DATA=FOLDER python benchmarks/same_scores.py before.npz   # on the one version: written
    DIVMETRICS_DATA=FOLDER python benchmarks/same_scores.py before.npz   # on the other: compared

Every metric of every convention that has no parameter missing, at three cutoffs and on whole lists, with
linear and exponential gains, where the topics allow it. The status is 1 where a single bit differs.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import divmetrics as dm
from divmetrics.conventions.convention import convention, conventions
from divmetrics.evaluation import Options, score_runs
from divmetrics.io.loading import load_for_convention
from divmetrics.registry.parse import metric

AT = ("", "@5", "@20", "@100")


def collections(data: Path) -> Iterator[tuple[str, dm.Collection]]:
    """Every set of judgments with its runs."""
    for year, topics in (("2009", None), ("2012", data / "trec-web-2012/topics.xml")):
        folder = data / f"trec-web-{year}"
        yield year, _loaded(folder / "qrels.diversity.gz", folder / "runs", topics)
    described = dm.read_topics(data / "imine/topics.json", probabilities="normalise")
    for part in ("en", "cn"):
        qrels = data / f"imine/qrels.{part}.tsv"
        yield part, _loaded(qrels, data / "imine/runs" / part, _topics_of(qrels, described))
    sample = data / "ntcireval-sample"
    yield "sample", _loaded(sample / "sample.Dqrels", sample / "TRECRUN.txt", sample / "sample.DINprob")


def _loaded(qrels: Path, runs: Path, topics: Any) -> dm.Collection:
    files = sorted(runs.iterdir()) if runs.is_dir() else runs
    return load_for_convention(convention("paper"), qrels, files, topics, order="rank")


def _topics_of(qrels: Path, described: tuple[dm.Topic, ...]) -> list[dm.Topic]:
    judged = set(dm.read_qrels(qrels)["topic"])
    return [topic for topic in described if topic.id in judged]


def all_scores(data: Path) -> dict[str, np.ndarray]:
    """Scores (run, topic) under "set convention metric gain"."""
    by_setting = {}
    for part, collection in collections(data):
        for table in conventions().values():
            for name in table.rows:
                for at in AT:
                    for gain in (None, "exponential"):
                        variant = metric(f"{name}{at}", table.name)
                        if gain and "gain" not in variant.parameters():
                            continue
                        try:
                            scores = score_runs(
                                collection, None, [variant], None, table.name, Options(gain=gain)
                            )
                        except dm.DivmetricsError:
                            continue  # it needs a cutoff, or topics of another kind
                        by_setting[f"{part} {table.name} {name}{at} {gain or 'linear'}"] = scores.values
            if part in ("en", "cn") and table.name == "paper":
                for name in ("ERR-IS@20", "D#-nDCG-IS@20", "alpha-nDCG-IS@20", "Q-IS@10", "nDCG-IS@10"):
                    scores = score_runs(collection, None, [name.replace("IS@", "IS(leaf=self)@")])
                    by_setting[f"{part} {name}"] = scores.values
    return by_setting


def main() -> int:
    """Write, or compare and tell."""
    warnings.simplefilter("ignore", dm.DivmetricsWarning)
    file = Path(sys.argv[1])
    now = all_scores(Path(os.environ["DIVMETRICS_DATA"]) / "data")
    total = sum(values.size for values in now.values())
    if not file.exists():
        np.savez_compressed(file, **now)
        print(f"{total:,} scores under {len(now):,} names written to {file}")
        return 0
    before = dict(np.load(file))
    other = [n for n in {*now, *before} if n not in now or n not in before]
    different = [n for n in now if n in before and now[n].tobytes() != before[n].tobytes()]
    print(
        f"{total:,} scores under {len(now):,} names: {len(different)} of these differ, {len(other)} are new"
    )
    print("\n".join(sorted(different + other)[:20]))
    return 1 if different or other else 0


if __name__ == "__main__":
    raise SystemExit(main())
