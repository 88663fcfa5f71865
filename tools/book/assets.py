"""What makes the labs of a page answer: one script and one style sheet, which every page loads."""

from __future__ import annotations

from pathlib import Path

from divmetrics.saving import save
from divmetrics_widgets import in_book

SCRIPT, STYLES = "divmetrics-book.js", "divmetrics-book.css"


def write_assets(static_folder: Path) -> None:
    """Write the script and the style sheet into the folder of a site's static files."""
    save(static_folder / SCRIPT, in_book.script())
    save(static_folder / STYLES, in_book.styles())
