"""An error in XML names the line and the column at which a text editor shows the fault."""

from __future__ import annotations

import re

import pytest

from divmetrics.errors import DivmetricsError
from divmetrics.io.file_contents import Contents
from divmetrics.io.xml import MAX_DEPTH, parse

# ^ stands before the character that cannot be there, and is not part of the document.
MALFORMED = {
    "next to the beginning of a line": "<a>\n&^ b</a>",
    "after other letters": "<a>\n\u00e4\u6f22 \U0001f642&^ b</a>",
    "below a DOCTYPE of two lines": '<!DOCTYPE a\n  SYSTEM "a.dtd"><a>&^ b</a>',
    "the end of another element": "<a>\n\n  <b></^a>",
    "below carriage returns": "<a>\r\n\r\n  &^ b</a>",
}
REFUSED = {
    "too many elements": "\n" * 3
    + "<a>\n" * (MAX_DEPTH - 1)
    + "<b></b><b>\n\n^<c></c></b>"
    + "</a>" * (MAX_DEPTH - 1),
    "an entity": '<!DOCTYPE a [\n<!ELEMENT a ANY>\n^<!ENTITY b "c">]><a/>',
    "an entity from elsewhere": '<!DOCTYPE a SYSTEM "a.dtd">\n<a>\n^&b; c</a>',
}


def parse_without_mark(text: str) -> tuple[str, int, int]:
    """Return the error for the text without its mark, and the line and the column of the mark."""
    above, _ = text.split("^")
    with pytest.raises(DivmetricsError) as caught:
        parse(Contents("topics.xml", text.replace("^", "").encode()), "topics")
    lines = re.split(r"\r\n|\n", above)
    return str(caught.value), len(lines), len(lines[-1]) + 1


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_malformed_xml(text: str) -> None:
    message, line, column = parse_without_mark(text)
    assert message.startswith(f"topics.xml:{line}: ")
    assert f", column {column})" in message


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_xml_that_is_refused(text: str) -> None:
    message, line, _ = parse_without_mark(text)
    assert message.startswith(f"topics.xml:{line}: ")


def test_as_many_nested_elements_as_are_allowed() -> None:
    text = "<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH
    assert len(list(parse(Contents("topics.xml", text.encode()), "topics").iter())) == MAX_DEPTH


def test_an_element_knows_the_line_that_it_begins_in() -> None:
    root = parse(Contents("topics.xml", b"\n<a>\n<b\nc='1'>\n</b><d/></a>"), "topics")
    assert [(element.tag, element.line) for element in root.iter()] == [("a", 2), ("b", 3), ("d", 5)]  # type: ignore[attr-defined]


def test_text_that_resembles_a_doctype_is_read_as_it_is() -> None:
    """Only the document's own DOCTYPE loses the name of its file, which would not be read."""
    text = '<!DOCTYPE b SYSTEM "b.dtd">'
    for doctype in ("", text):
        root = parse(Contents("topics.xml", f"{doctype}<a><![CDATA[{text}]]></a>".encode()), "topics")
        assert root.content == text
