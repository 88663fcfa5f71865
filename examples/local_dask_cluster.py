"""Randomised Tukey HSD on a Dask cluster, here one of two processes on this machine.

    pip install divmetrics[dask]
    python examples/local_dask_cluster.py

Client("tcp://scheduler:8786") takes a cluster that is running already.
"""

# ruff: noqa: T201  (a script speaks by printing)
from __future__ import annotations

import joblib
from dask.distributed import Client

import divmetrics as dm


def main() -> None:
    """The same table from the cluster and from one core of this machine."""
    scores = dm.datasets.imine_scores("en")
    metrics = ["ERR-IA@20", "alpha-nDCG@20", "alpha-nDCG-IS@20"]
    with (
        Client(n_workers=2, threads_per_worker=1, dashboard_address=None),
        joblib.parallel_config(backend="dask"),
    ):
        pairs = dm.meta.tukey_hsd(scores, metrics, trials=20_000)
    print(dm.meta.discriminative_power(pairs).round(3).to_string(index=False))
    alone = dm.meta.tukey_hsd(scores, metrics, trials=20_000, workers=1)
    print("the same on one core:", pairs.equals(alone))


if __name__ == "__main__":
    main()
