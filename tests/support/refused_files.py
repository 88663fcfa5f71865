"""Files that are written for readers, and the sentence with which a reader refuses one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from divmetrics.errors import DivmetricsError, printable


def written(tmp_path: Path, content: str | bytes, name: str = "file.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refused(read: Callable[..., object], path: object) -> str:
    """The sentence with which a reader refuses a file, which it starts with."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DivmetricsError) as caught:
            read(path)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert "; expected " in sentence
    assert sentence.count("; ") >= 2, "the remedy is missing"
    assert sentence.startswith(printable(str(path)))
    return sentence.removeprefix(printable(str(path)))
