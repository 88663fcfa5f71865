"""`python -m divmetrics`: the command line."""

from __future__ import annotations

import sys

from divmetrics.cli import main

sys.exit(main())
