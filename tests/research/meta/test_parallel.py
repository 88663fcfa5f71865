"""The same results on any number of workers: threads, processes, a Dask cluster; bars on terminals."""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import meta
from divmetrics.research.meta.parallel import in_parallel
from tests.support.paths import ROOT


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    values = np.random.default_rng(5).random((2, 6, 4))
    return pd.DataFrame(
        [
            (f"r{run}", f"t{topic}", f"metric{metric}", score)
            for (metric, topic, run), score in np.ndenumerate(values)
        ],
        columns=["run", "topic", "metric", "score"],
    )


def test_results_come_in_the_order_of_the_tasks():
    tasks = [(i,) for i in range(50)]
    for workers in (1, 2, 7, None):
        assert list(in_parallel(abs, tasks, workers=workers)) == list(range(50))


@pytest.mark.parametrize("workers", [0, -1, 1.5, True])
def test_bad_numbers_of_workers(workers):
    with pytest.raises(dm.DivmetricsError, match="the number of workers is"):
        list(in_parallel(abs, [(1,)], workers=workers))


def test_an_active_joblib_configuration_is_used(scores):
    alone = meta.tukey_hsd(scores, trials=1_200, workers=1)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        pd.testing.assert_frame_equal(meta.tukey_hsd(scores, trials=1_200), alone)


@pytest.mark.slow
def test_a_local_dask_cluster_gives_the_same(scores):
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("dask.distributed is not installed; `pip install divmetrics[dask]` brings it")
    from dask.distributed import Client

    alone = {
        "tukey": meta.tukey_hsd(scores, trials=1_700, seed=8, workers=1),
        "bootstrap": meta.paired_bootstrap(scores, trials=1_700, seed=8, workers=1),
        "tau": meta.rank_correlation(scores, per="topic", workers=1),
    }
    with (
        Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client,
        joblib.parallel_config(backend="dask"),
    ):
        results = {
            "tukey": meta.tukey_hsd(scores, trials=1_700, seed=8),
            "bootstrap": meta.paired_bootstrap(scores, trials=1_700, seed=8),
            "tau": meta.rank_correlation(scores, per="topic"),
        }
        ran = client.run_on_scheduler(lambda dask_scheduler: " ".join(dask_scheduler.task_prefixes))
    for name, table in alone.items():
        pd.testing.assert_frame_equal(results[name], table)
    # The cluster did it: joblib names a batch of tasks after their function.
    for function in ("_reached", "_test", "_row_by_row"):
        assert function in ran


@pytest.mark.slow
def test_the_example_of_a_local_dask_cluster_runs():
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("dask.distributed is not installed; `pip install divmetrics[dask]` brings it")
    example = ROOT / "examples" / "local_dask_cluster.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("the same on one core: True\n")


def test_a_bar_is_shown_on_terminals_only(monkeypatch, scores):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, expected in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        monkeypatch.setattr("divmetrics._progress.DELAY", 0)
        meta.tukey_hsd(scores, trials=2_000, progress=True, workers=1)
        assert ("block" in stream.getvalue()) == expected
    quiet = Terminal()
    monkeypatch.setattr("sys.stderr", quiet)
    meta.tukey_hsd(scores, trials=2_000, workers=1)
    assert quiet.getvalue() == ""
