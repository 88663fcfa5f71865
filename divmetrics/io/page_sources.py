"""Recognise files of pages of blocks, and of answers, among the runs that are to be scored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from divmetrics.errors import DivmetricsError
from divmetrics.io.file_contents import read_head
from divmetrics.io.formats import JSON


def holds_pages(sources: Any) -> bool:
    """Return whether the runs `sources` are paths of files of pages of blocks; False for all but paths.

    Raises DivmetricsError if only some of the files are.
    """
    paths = [path for _, path in named_paths(sources)]
    pages = [path for path in paths if _is_page_file(path)]
    if pages and len(pages) < len(paths):
        other = next(path for path in paths if path not in pages)
        raise DivmetricsError(
            f"{os.fspath(pages[0])} holds pages of blocks and {os.fspath(other)} does not; score pages and "
            "ranked lists one after the other"
        )
    return bool(pages)


def with_answers(judgments: Any, runs: Any) -> tuple[Any, Any]:
    """Return (judgments, runs) as they are to be loaded.

    Files of judged answers hold their runs. If both arguments are such files, the result is the list of all
    of them as judgments, and None as runs; else the arguments themselves.
    """
    judged, listed = (
        [path for name, path in named_paths(source) if name is None] for source in (judgments, runs)
    )
    if judged and listed and all(map(_is_answer_file, [*judged, *listed])):
        return [*judged, *listed], None
    return judgments, runs


def named_paths(sources: Any) -> Iterator[tuple[str | None, str | os.PathLike[str]]]:
    """Yield (name, path) of every path in a path, a list of paths, or {name: path}; nothing for all else.

    The name is None unless it is given.
    """
    if isinstance(sources, (str, os.PathLike)):
        sources = [sources]
    if not isinstance(sources, (list, tuple, Mapping)):
        return
    pairs = list(sources.items()) if isinstance(sources, Mapping) else [(None, path) for path in sources]
    if all(isinstance(path, (str, os.PathLike)) for _, path in pairs):
        yield from pairs


def _is_answer_file(path: str | os.PathLike[str]) -> bool:
    """Return whether nuggetizer assigned nuggets to answers, not to documents, in a file."""
    head = read_head(path)
    return JSON.match(head) is not None and b'"assignment"' in head and b'"docid"' not in head


def _is_page_file(path: str | os.PathLike[str]) -> bool:
    head = read_head(path)
    return b'"blocks"' in head and JSON.match(head) is not None
