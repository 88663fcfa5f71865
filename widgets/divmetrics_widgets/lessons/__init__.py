"""What the lessons need beside their argument: their lists, the checks of their exercises, and trials.

The modules are installed with the widgets, so a lesson finds them in a kernel on the reader's machine, on
Binder, in Colab and in the browser, also when its notebook was downloaded alone.
"""

from __future__ import annotations

from divmetrics_widgets.lessons.lists import POTTER, TITLES, every_list, potter, ranked
from divmetrics_widgets.lessons.trials import Trials, tried

__all__ = ["POTTER", "TITLES", "Trials", "every_list", "potter", "ranked", "tried"]
