"""Show metrics in notebooks: charts, magics, topics as text, metrics written as expressions.

Everything here builds on the library and on `divmetrics.research`, and is imported by neither.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    ("charts", "expressions"),
    {"part_table": ["PartTable", "table_of_parts"]},
)
