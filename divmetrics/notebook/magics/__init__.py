"""The IPython extension: `%load_ext divmetrics` brings magics with completion and help.

One file per magic; `extension.MAGICS` lists them. A magic is a function of the Desk (what the kernel's user
has written so far) and of the text of its line and cell; it returns something that shows itself.
"""

from __future__ import annotations

from divmetrics.notebook.magics.extension import load, unload

__all__ = ["load", "unload"]
