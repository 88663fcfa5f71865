"""Independent tasks on several workers, with a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from divmetrics import _threads
from divmetrics._progress import track_progress
from divmetrics.core.checks import whole
from divmetrics.optional import import_optional


def in_parallel(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    *,
    total: int | None = None,
    workers: int | None = None,
    progress: bool = False,
    unit: str = "block",
) -> Iterator[Any]:
    """`function(*task)` for every task, in the order of the tasks; yielded as they are done.

    workers: how many to use; None for all cores of this machine, or for what an active
    `joblib.parallel_config` says. Threads by default: the arrays' work is done outside Python's lock, and no
    process need be started. progress: show a bar, on a terminal only.

    A Dask cluster takes the work where one is active, without a change of code (extra `dask`);
    `Client()` starts one on this machine, as examples/local_dask_cluster.py does:

    >>> import joblib
    >>> from dask.distributed import Client
    >>> with Client("tcp://scheduler:8786"), joblib.parallel_config(backend="dask"):
    ...     pairs = tukey_hsd(scores, trials=1_000_000)
    """
    if workers is not None:
        whole("the number of workers", workers, 1, "a whole number of at least 1, or None for all cores")
    joblib = import_optional("joblib", "work in parallel")
    # joblib by itself takes one core where nothing was configured.
    configured = joblib.effective_n_jobs(None)
    jobs = (workers or (configured if configured > 1 else -1)) if _threads.can_start() else 1
    pool = joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator")
    results = pool(joblib.delayed(function)(*task) for task in tasks)
    yield from track_progress(results, total, unit, progress)
