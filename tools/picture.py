"""The picture of the lab in README.md, taken from a real JupyterLab in its light theme.

    python -m tools.picture

It needs a Chromium (see tools/browser.py). Take it again when the lab looks different.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from divmetrics.atomic_files import save
from tools.browser import PATIENCE, Notebook, browser, jupyter_lab, write_notebook
from tools.notebook_files import FOLDER

PICTURE = FOLDER / "pictures" / "lab.png"
LARGEST = 150_000  # bytes
CELL = """import divmetrics as dm
from divmetrics_widgets import RankedListLab

potter = dm.datasets.harry_potter()
A, B = (ranked.reordered(ranked.docs[:5]) for ranked in list(potter.lists("0083"))[:2])
what = dm.datasets.harry_potter_documents()
RankedListLab(A, B, metrics=["ERR-IA@5", "D#-nDCG@5"], about=what)"""


def picture() -> bytes:
    """Take a picture of the lab alone, in the size that it has on a page."""
    with tempfile.TemporaryDirectory() as folder, jupyter_lab(Path(folder)) as lab, browser() as chromium:
        write_notebook(Path(folder) / "lab.ipynb", [CELL])
        notebook = Notebook.open(lab, chromium, "lab.ipynb", size=(1400, 1400))
        notebook.run_all(3 * PATIENCE)
        widget = notebook.page.locator('[data-widget="ranked-list-lab"]')
        widget.wait_for(timeout=PATIENCE)
        notebook.page.mouse.move(0, 0)
        notebook.page.wait_for_timeout(1000)  # scores that a move would give come after those of the lists
        taken = widget.screenshot()
        notebook.close()
    return taken


def main() -> None:
    taken = picture()
    if len(taken) > LARGEST:
        raise SystemExit(f"the picture has {len(taken):,} bytes, expected {LARGEST:,} at most")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    save(PICTURE, taken)


if __name__ == "__main__":
    main()
