"""Bad input to a magic: the cell fails, and what is shown is one sentence."""

from __future__ import annotations

from divmetrics.errors import DivmetricsError


class MagicError(DivmetricsError):
    """Stops the cell, as any exception does ("Run All" ends here), without a traceback."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback."""
        return [str(self)]
