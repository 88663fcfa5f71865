"""Maintenance of the checkout: notebooks, README, the search for a Python. Not installed."""

from __future__ import annotations
