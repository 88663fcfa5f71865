"""Bad input to a magic: the cell fails, and what is shown is one sentence."""

from __future__ import annotations

import textwrap

from divmetrics.errors import DivmetricsError

WIDTH = 78  # letters; a notebook breaks longer lines within words


class MagicError(DivmetricsError):
    """Stops the cell, as any exception does ("Run All" ends here), without a traceback."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback."""
        return textwrap.wrap(str(self), WIDTH, break_long_words=False, break_on_hyphens=False)
