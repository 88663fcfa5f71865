"""The IPython extension: `%load_ext divmetrics` adds magics with completion and help.

One file per magic; `extension.MAGICS` lists them. A magic is a function of the Session (what the user of the
kernel has written so far) and of the text of its line and cell; its result has a display of its own.
"""

from __future__ import annotations

from divmetrics.notebook.magics.extension import load, unload

__all__ = ["load", "unload"]
