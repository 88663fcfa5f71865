"""What keeps the checkout in order: notebooks, README, the search for a Python. Not installed."""

from __future__ import annotations
