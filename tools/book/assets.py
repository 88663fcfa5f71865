"""What makes the labs of a page answer: one script and one style sheet, which every page loads."""

from __future__ import annotations

from pathlib import Path

from divmetrics.saving import save

SCRIPT, STYLES = "divmetrics-book.js", "divmetrics-book.css"


def write_assets(static_folder: Path) -> None:
    """Write the script and the style sheet into the folder of a site's static files."""
    for name in (SCRIPT, STYLES):
        save(static_folder / name, "")
