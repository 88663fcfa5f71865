"""The JavaScript of every widget, several files in one module, without a browser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

import divmetrics_widgets  # noqa: F401  defines the subclasses
from divmetrics_widgets.tool import Tool


def widgets(base: type[Tool] = Tool) -> Iterator[type[Tool]]:
    for widget in base.__subclasses__():
        if "_esm" in vars(widget):
            yield widget
        yield from widgets(widget)


@pytest.mark.parametrize("widget", [*widgets()])
def test_no_two_files_of_a_widget_define_the_same_name(widget: type[Tool]) -> None:
    """A module that defines a name twice does not load at all."""
    source = str(widget._esm)
    defined = Counter(re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", source, re.MULTILINE))
    assert source.count("export default ") == 1
    assert [name for name, times in defined.items() if times > 1] == []
