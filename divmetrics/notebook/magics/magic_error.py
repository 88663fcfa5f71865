"""Report bad input to a magic: the cell fails with one sentence."""

from __future__ import annotations

import textwrap

from divmetrics.errors import DivmetricsError

WIDTH = 78  # characters; a notebook breaks longer lines inside words


class MagicError(DivmetricsError):
    """Stop the cell as any exception does ("Run All" ends here), but without a traceback."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython displays instead of a traceback."""
        return textwrap.wrap(str(self), WIDTH, break_long_words=False, break_on_hyphens=False)
