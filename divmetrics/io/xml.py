"""XML as a small tree whose elements know their line, so that errors can name it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from divmetrics.core.checks import quote
from divmetrics.io.file_contents import LINE_END, Contents, format_error

DECLARATION = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]*)[\"'][^>]*>")
# What programs write under the name of an older and smaller encoding.
LARGER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "shift_jis": "cp932", "euc_kr": "cp949"}
NOT_FOR_FILES = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")  # Python's own

BEFORE_DOCTYPE = rb"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*"
QUOTED = rb"(?:\"[^\"]*\"|'[^']*')"
IDENTIFIER = rb"\s+(?:SYSTEM|PUBLIC\s+%s)\s+%s" % (QUOTED, QUOTED)
OUTSIDE = re.compile(rb"(%s<!DOCTYPE\s+[^\s>\[]+)(%s)" % (BEFORE_DOCTYPE, IDENTIFIER), re.DOTALL)
DEEPEST = 100  # elements in one another; the deepest format here has four


@dataclass
class Element:
    """An element with its attributes, its children in order, and its own text in pieces."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    factors: list[str] = field(default_factory=list)

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
        return " ".join("".join(self.factors).split())

    def text_of(self, tag: str) -> str:
        """The text of the first child of that name, empty without one."""
        child = self.first(tag)
        return "" if child is None else child.text


class _Refused(Exception):
    """What is wrong, and what to do."""


def parse(contents: Contents, expected: str) -> Element:
    """The root element; entities are refused and nothing outside the file is ever read.

    The text is read in the encoding that the file declares, if Python has it.
    """
    # Without the part of the DOCTYPE that is outside of the file, the parser refuses a name that only that
    # part could explain; with it, such a name would be left out without a word.
    data = OUTSIDE.sub(lambda found: found[1] + _blanked(found[2]), _as_utf8(contents, expected), count=1)
    parser = expat.ParserCreate("utf-8")
    document = Element("", {}, 0)
    open_elements = [document]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > DEEPEST:
            raise _Refused(f"has over {DEEPEST} elements in one another", "check where the file came from")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(tag: str) -> None:
        open_elements.pop()

    def text(piece: str) -> None:
        open_elements[-1].factors.append(piece)

    def entity(*_declaration: object) -> None:
        raise _Refused("declares an entity, and entities are not expanded", "write the text out")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    parser.SkippedEntityHandler = entity
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        what = (
            f"is not well-formed XML ({expat.errors.messages[error.code]}, column {error.offset + 1})"
            if error.code in expat.errors.messages
            else f"is not well-formed XML ({error})"
        )
        remedy = "correct the markup there (a bare & is written &amp;)"
        raise format_error(f"{contents.source}:{error.lineno}", what, expected, remedy) from None
    except _Refused as error:
        what, remedy = error.args
        raise format_error(f"{contents.source}:{parser.CurrentLineNumber}", what, expected, remedy) from None
    return document.children[0]


def _as_utf8(contents: Contents, expected: str) -> bytes:
    """The file's bytes as UTF-8, whatever encoding it declares."""
    declared = DECLARATION.match(contents.data)
    if declared is None:
        return contents.data
    name = declared[1].decode(errors="replace")
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError: a name that is no ASCII
        codec = None
    if codec is None or not codec._is_text_encoding or codec.name in NOT_FOR_FILES:
        raise format_error(
            contents.source,
            f"declares the encoding {quote(name)}, which is unknown",
            f"{expected} in UTF-8 or another encoding that Python has",
            "save it as UTF-8 and declare that",
        )
    if codec.name == "utf-8":
        return contents.data  # the parser names the place of a byte that is wrong
    wrong_from = 0
    for encoding in (LARGER.get(codec.name, name), name):
        try:
            text = contents.data.decode(encoding)
        except UnicodeDecodeError as error:
            wrong_from = error.start
        else:
            if text.startswith(declared[0].decode(errors="replace")):
                return text.encode(errors="surrogatepass")
    raise format_error(
        f"{contents.source}:{contents.first_line + len(LINE_END.findall(contents.data, 0, wrong_from))}",
        f"is not in the encoding {quote(name)} that it declares",
        expected,
        "declare the encoding that it has, or save it as UTF-8 and declare that",
    )


def _blanked(data: bytes) -> bytes:
    """Blanks in its place, so that lines and columns stay."""
    return re.sub(rb"[^\r\n]", b" ", data)
