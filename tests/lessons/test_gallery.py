"""The gallery as a page without a kernel: every widget is there as plain tables."""

from __future__ import annotations

import re
from html import unescape

import nbformat
import pytest
from nbconvert import HTMLExporter

import divmetrics_widgets
from tools.notebook_files import FOLDER

GALLERY = FOLDER / "F_gallery_of_widgets.ipynb"
TOOLS = [name for name in divmetrics_widgets.__all__ if name[0].isupper()]


def test_the_gallery_starts_every_widget() -> None:
    code = "\n".join(cell.source for cell in nbformat.read(GALLERY, 4).cells if cell.cell_type == "code")
    assert [name for name in TOOLS if not re.search(rf"\b{name}[.(]", code)] == []


@pytest.mark.parametrize("name", sorted({*TOOLS} - {"Check", "Predict", "Solution"}))
def test_without_a_kernel_a_widget_is_tables(name: str) -> None:
    shown = [
        output.data["text/html"]
        for cell in nbformat.read(GALLERY, 4).cells
        if cell.cell_type == "code" and re.search(rf"\b{name}\(", cell.source)
        for output in cell.outputs
        if "<table" in output.get("data", {}).get("text/html", "")
    ]
    assert shown
    page, _ = HTMLExporter(embed_images=True).from_filename(str(GALLERY))
    for html in shown:
        cells = re.findall(r"<t[dh][^>]*>([^<]+)<", html)
        assert len(cells) > 5
        assert [cell for cell in cells if unescape(cell).strip() not in unescape(page)] == []
