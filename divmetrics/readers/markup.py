"""XML as a small tree whose elements know their line, so that errors can name it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from divmetrics.readers.opening import Contents, refusal

# Python's own XML writer declares "utf8", which the parser under it does not know.
DECLARES_UTF8 = re.compile(rb"\s*<\?xml[^>]*encoding\s*=\s*[\"']utf8[\"']", re.IGNORECASE)


@dataclass
class Element:
    """An element with its attributes, its children in order, and its own text in pieces."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute."""
        return self.attributes.get(name, default)

    def all(self, tag: str) -> Iterator[Element]:
        """The children of that name, in order."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of that name."""
        return next(self.all(tag), None)

    @property
    def text(self) -> str:
        """The element's own text with every run of white space as one blank."""
        return " ".join("".join(self.pieces).split())

    def text_of(self, tag: str) -> str:
        """The text of the first child of that name, empty without one."""
        child = self.first(tag)
        return "" if child is None else child.text


class _DeclaresEntities(Exception):
    pass


def parse(contents: Contents, expected: str) -> Element:
    """The root element; entities are refused and nothing outside the file is ever read."""
    parser = expat.ParserCreate("utf-8" if DECLARES_UTF8.match(contents.data) else None)
    document = Element("", {}, 0)
    open_elements = [document]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(tag: str) -> None:
        open_elements.pop()

    def text(piece: str) -> None:
        open_elements[-1].pieces.append(piece)

    def entity(*_declaration: object) -> None:
        raise _DeclaresEntities

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(contents.data, True)
    except expat.ExpatError as error:
        raise refusal(
            f"{contents.source}:{error.lineno}",
            f"is not well-formed XML ({expat.errors.messages[error.code]}, column {error.offset + 1})"
            if error.code in expat.errors.messages
            else f"is not well-formed XML ({error})",
            expected,
            "correct the markup there (a bare & is written &amp;)",
        ) from None
    except _DeclaresEntities:
        raise refusal(
            f"{contents.source}:{parser.CurrentLineNumber}",
            "declares an entity, and entities are not expanded",
            expected,
            "write the text out",
        ) from None
    return document.children[0]
