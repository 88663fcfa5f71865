"""Run notebooks from top to bottom, each in a fresh kernel, and save only their outputs.

    python -m tools.execute_notebooks [NOTEBOOK ...]

Without names: all of them. A notebook that fails stays as it was. What differs from one machine or run to the
next (the Python's version, times, the state of widgets) is left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from tools.notebook_files import METADATA, all_notebooks, read, write

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
CELL_METADATA = ("tags", "jupyter", "nbgrader", "divmetrics", "claim")
SECONDS_PER_CELL = 600


def execute(path: Path) -> NotebookNode:
    """Run the notebook at `path` in its folder with this Python; raises nbclient's errors."""
    notebook = read(path)
    _clean(notebook)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # it warns about its own transport each time
    )
    client.execute()
    normalise(notebook)
    return notebook


def _clean(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata = NotebookNode(
            {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
        )
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None


def normalise(notebook: NotebookNode) -> None:
    """Leave out what differs from one run to the next and what only a live kernel can show."""
    about = notebook.metadata.get("divmetrics")
    notebook.metadata = nbformat.from_dict(METADATA | ({"divmetrics": about} if about else {}))
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # The view of a widget needs the live kernel; a reader without one gets the static form beside it.
            output.get("data", {}).pop(WIDGET_VIEW, None)


def main(names: list[str]) -> int:
    failed = 0
    for path in [Path(name) for name in names] or all_notebooks():
        try:
            notebook = execute(path)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            print(f"{path}: left as it was, for a cell failed\n{error}", file=sys.stderr)
            failed += 1
        else:
            write(notebook, path)
            print(f"{path}: done")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
