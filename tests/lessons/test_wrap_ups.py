"""The wrap-ups: eight questions each, every one answered by a function that computes the answer."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from divmetrics_widgets import Predict
from tools.notebook_files import FOLDER, read, reading_order, wrap_up

PATHS = [path for path in map(wrap_up, reading_order()) if path]


def test_every_wrap_up_follows_a_lesson() -> None:
    assert sorted(FOLDER.glob("wrap_up_*.ipynb")) == PATHS
    assert [path.stem[-2:] for path in PATHS] == ["03", "07", "09", "13", "15", "21"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_eight_questions_are_answered(path: Path) -> None:
    sources = [cell.source for cell in read(path).cells if cell.cell_type == "code"]
    answers = import_module(f"divmetrics_widgets.lessons.wrap_ups.after_{path.stem[-2:]}")
    questions = [source for source in sources if "Predict(" in source and "import" not in source]
    answered = re.findall(r"^(\w+)\.found\(\*answers\.(\w+)\(\)\)$", "\n".join(sources), re.MULTILINE)
    assert len(questions) == len(answered) == 8
    for source, (name, function) in zip(questions, answered, strict=True):
        namespace: dict[str, object] = {"Predict": Predict}
        exec(source, namespace)
        prediction = namespace[name]
        assert isinstance(prediction, Predict)
        value, why = getattr(answers, function)()
        prediction.answer = value
        assert prediction.found(value, why).right
        assert why
