"""Conventions: each a table of rows, one row per metric."""
