"""Tests in a browser: a package, so that what they share ends with the last of them (conftest.py)."""
