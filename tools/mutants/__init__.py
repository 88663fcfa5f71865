"""Mutation testing: which small changes of the library does no test notice?"""

from __future__ import annotations
