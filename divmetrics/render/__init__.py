"""Render tables as text and HTML, and escape names for every output format."""
