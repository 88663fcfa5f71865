"""Run divmetrics from the command line.

Commands: `evaluate`, `explain`, `compare`, `which`, `reproduce`, `metrics`, `conventions`.

Exit status 0: done. 2: bad input, with one line on stderr. 130: stopped by Ctrl-C, with one line on stderr.
"""

from __future__ import annotations

from collections.abc import Sequence

from divmetrics.cli import _process


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command and its options. By default the arguments of the process; then the process is set up for
        the command, too: signals, streams and memory.

    Returns
    -------
    int
        The exit status: 0 if the command is done, 2 if its input cannot be used, with one line on stderr.

    Raises
    ------
    SystemExit
        With status 0 after --help and --version; with status 2, and one line on stderr, for a wrong option.

    Examples
    --------
    >>> from divmetrics.cli import main
    >>> main(["evaluate", "examples/harry_potter.qrels", "examples/film.run", "-m", "ERR-IA@5"])
    run,topic,metric,score
    film,potter,ERR-IA@5,0.3047960069444444
    0
    """
    if arguments is None:
        _process.prepare()
    from divmetrics.cli.commands import run  # imports numpy, so the process must be prepared before

    try:
        return run(arguments)
    finally:  # after --version and --help, too, which exit
        if arguments is None:
            _process.finish()
