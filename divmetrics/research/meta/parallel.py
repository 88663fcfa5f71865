"""Run independent tasks in parallel, with a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from divmetrics import _threads
from divmetrics._progress import track_progress
from divmetrics.core.checks import check_whole
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
    """Yield `function(*task)` for every task, in the order of the tasks.

    Parameters
    ----------
    function : callable
        Function to call.
    tasks : iterable of tuple
        Arguments of each call.
    total : int, optional
        Number of tasks, for the progress bar.
    workers : int, optional
        Number of workers; None for the number that an active `joblib.parallel_config` sets, else all cores.
        Workers are threads by default: numpy releases Python's lock, and no process has to start.
    progress : bool
        Whether to show a progress bar on a terminal.
    unit : str
        The noun for a task in the progress bar.

    Yields
    ------
    object
        Result of the next task.

    Raises
    ------
    DivmetricsError
        When the first result is asked for, if `workers` is below 1 or joblib is not installed.

    Notes
    -----
    An active Dask cluster takes the work without a change of code (extra `dask`); `Client()` starts one on
    this machine, as examples/local_dask_cluster.py does::

        with Client("tcp://scheduler:8786"), joblib.parallel_config(backend="dask"):
            pairs = tukey_hsd(scores, trials=1_000_000)

    Examples
    --------
    >>> list(in_parallel(pow, [(2, 3), (3, 2)]))
    [8, 9]
    """
    if workers is not None:
        check_whole(
            "the number of workers", workers, 1, "a whole number of at least 1, or None for all cores"
        )
    joblib = import_optional("joblib", "work in parallel")
    # Without a configuration, joblib would use one core.
    configured = joblib.effective_n_jobs(None)
    jobs = (workers or (configured if configured > 1 else -1)) if _threads.can_start() else 1
    pool = joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator")
    results = pool(joblib.delayed(function)(*task) for task in tasks)
    yield from track_progress(results, total, unit, progress)
