"""From notebooks and docstrings to a folder of HTML."""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.cmd.build import build_main

from tools.book.execution import PROCESSES, WORK, executed
from tools.book.fonts import narrow
from tools.book.freshness import DIGESTS, current, remember
from tools.book.page_assets import deliver
from tools.book.pages import notebooks, sources, write_pages

HERE = Path(__file__).parent


def make(site: Path, work: Path = WORK) -> None:
    """Make the book in the folder `site`, in place of an older one; `work` caches intermediate files.

    Raises SystemExit if Sphinx warns, or if the folder holds anything but a book.
    """
    if site.exists() and any(site.iterdir()) and not (site / DIGESTS).exists():
        raise SystemExit(f"{site}: holds something that is no book; name a folder that is new or empty")
    record = current(sources())
    source, extra, made = work / "source", work / "extra", work / "html"
    write_pages(executed(notebooks(), work), source, extra)
    shutil.rmtree(made, ignore_errors=True)
    # Everything is read anew (-E): what a page looks like depends on more than its own text.
    options = ["-b", "html", "-W", "--keep-going", "-q", "-E", "-j", str(PROCESSES), "-c", str(HERE)]
    options += ["-d", str(work / "doctrees"), "-D", f"html_extra_path={extra}", str(source), str(made)]
    status = build_main(options)
    if status:
        raise SystemExit(status)
    deliver(made)
    narrow(made)
    remember(made, record)
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(made, site)
