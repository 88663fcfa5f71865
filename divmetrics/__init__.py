"""Measure the diversity of search results.

Every metric is one row of one formula (Yu et al. 2017): a score is the sum of what each intent earns at each
rank. Start with `evaluate`, `score`, `explain`, `compare` and `metric`, or with `divmetrics --help` on the
command line.

The public names are declared in `__init__.pyi`. Each is imported when it is first used, so `import
divmetrics` loads neither numpy nor pandas.
"""

from __future__ import annotations

from importlib import import_module

import lazy_loader

from divmetrics._version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def load_ipython_extension(shell: object) -> None:
    """Load the magics for lists, metrics and scores (`%load_ext divmetrics`; `%lsmagic` lists them)."""
    import_module("divmetrics.notebook.magics").load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Remove the magics again (`%unload_ext divmetrics`)."""
    import_module("divmetrics.notebook.magics").unload(shell)
