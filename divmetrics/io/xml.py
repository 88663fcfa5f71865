"""Parse XML to elements with line numbers for error messages."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element as PlainElement
from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from divmetrics.core.checks import quote
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.topic_hierarchy import WITHOUT_INTENTS

DECLARATION = re.compile(rb"\s*<\?xml(?:\s[^>]*?)?(?:\sencoding\s*=\s*[\"']([^\"'>]*)[\"'][^>]*)?\?>")
# Programs often declare an older, smaller encoding and write the larger one.
LARGER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "shift_jis": "cp932", "euc_kr": "cp949"}
NOT_FOR_FILES = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")  # Python's own

BEFORE_DOCTYPE = rb"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*"
QUOTED = rb"(?:\"[^\"]*\"|'[^']*')"
IDENTIFIER = rb"\s+(?:SYSTEM|PUBLIC\s+%s)\s+%s" % (QUOTED, QUOTED)
EXTERNAL_ID = re.compile(rb"\A(%s<!DOCTYPE\s+[^\s>\[]+)(%s)" % (BEFORE_DOCTYPE, IDENTIFIER), re.DOTALL)
ROOTLESS = re.compile(rb"%s<topic[\s>]" % BEFORE_DOCTYPE, re.DOTALL | re.IGNORECASE)
SGML = re.compile(rb"\s*<top>", re.IGNORECASE)
REMEDIES = {  # by reason; the last one is for any other
    "junk after document element": "give one file at a time, or put one root element around all",
    "XML or text declaration not at start of entity": "give one file at a time",
    "undefined entity": "write the character itself (XML knows amp, lt, gt, quot and apos only)",
    "": "correct the markup there (a bare & is written &amp;)",
}
MAX_DEPTH = 100  # of nested elements; the deepest format here has four


class Element(PlainElement):
    """An element of `xml.etree` with the `line` of its start tag, from 1; its names are in lower case."""

    line: int

    def all(self, path: str) -> Iterator[Any]:  # Element
        """Yield the elements at a path of `xml.etree` below this one, such as "fls" or "*", in order."""
        return self.iterfind(path)

    @property
    def content(self) -> str:
        """The text in the element and below it, every run of white space as one blank."""
        return " ".join("".join(self.itertext()).split())

    def content_of(self, tag: str) -> str:
        """Return the `content` of the first child with this tag, or ""."""
        return next((child.content for child in self.all(tag)), "")


class _RefusedXML(Exception):
    """Well-formed XML that is not accepted; the arguments are the fault and the remedy."""


def parse(contents: Contents, expected: str) -> Element:
    """Parse XML in its declared encoding, by default UTF-8, and return the root, without reading other files.

    Several elements <topic> without a root get one, <topics>. Raises DivmetricsError, with the line, if the
    XML is malformed or not in its encoding, nested too deeply (over 100), or declares or uses custom
    entities; `expected` describes the format in the message.
    """
    # The parser silently skips unknown entities if the DOCTYPE names an external file, and raises an error
    # otherwise. Blanks in place of the file name keep lines and columns.
    data = EXTERNAL_ID.sub(lambda match: match[1] + _blanks(match[2]), _as_utf8(contents, expected))
    parser, builder, depth = expat.ParserCreate("utf-8"), TreeBuilder(Element), 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise _RefusedXML(f"has over {MAX_DEPTH} nested elements", "check where the file came from")
        lower = {name.lower(): value for name, value in attributes.items()}
        if len(lower) < len(attributes):
            raise _RefusedXML(f"has two attributes of <{tag}> that differ in case only", "remove one of them")
        builder.start(tag.lower(), lower).line = parser.CurrentLineNumber  # type: ignore[attr-defined]

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag.lower())

    def entity(*_declaration: object) -> None:
        raise _RefusedXML("declares an entity, and entities are not expanded", "write the text out")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = parser.SkippedEntityHandler = entity
    root = (b"<topics>", b"</topics>") if ROOTLESS.match(data) else (b"", b"")
    try:
        parser.Parse(root[0])
        parser.Parse(data)
        parser.Parse(root[1], True)
    except expat.ExpatError as error:
        line = error.lineno
        column = error.offset + 1 - (len(root[0]) if line == 1 else 0)
        reason = expat.errors.messages.get(error.code, "")
        what = f"is not well-formed XML ({f'{reason}, column {column}' if reason else error})"
        remedy = REMEDIES.get(reason, REMEDIES[""])
        if SGML.match(data):
            what, remedy = "holds TREC's ad hoc topics (<top>), which name no intents", WITHOUT_INTENTS
    except _RefusedXML as error:
        line = parser.CurrentLineNumber
        what, remedy = error.args
    else:
        return builder.close()  # type: ignore[return-value]
    raise format_error(f"{contents.source}:{line}", what, expected, remedy)


def _blanks(data: bytes) -> bytes:
    """Return blanks of the same length, with the same line ends."""
    return re.sub(rb"[^\r\n]", b" ", data)


def _as_utf8(contents: Contents, expected: str) -> bytes:
    """Return the file in UTF-8, with blanks in place of its declaration.

    Decodes it from its declared encoding, by default UTF-8; raises DivmetricsError if that fails.
    """
    match = DECLARATION.match(contents.data)
    declaration = match[0] if match else b""
    declared = match[1] if match else None
    name = "utf-8" if declared is None else declared.decode(errors="replace")
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError: the name is not ASCII
        codec = None
    if codec is None or not codec._is_text_encoding or codec.name in NOT_FOR_FILES:
        raise format_error(
            contents.source,
            f"declares the encoding {quote(name)}, which is unknown",
            f"{expected} in UTF-8 or another encoding that Python has",
            "save it as UTF-8 and declare that",
        )
    wrong_from = 0
    for encoding in (LARGER.get(codec.name, codec.name), codec.name):
        try:
            text = contents.data.decode(encoding)
        except UnicodeDecodeError as error:
            wrong_from = error.start
        else:
            if text.startswith(declaration.decode(errors="replace")):
                data = text.encode(errors="surrogatepass")
                # White space may precede the declaration in a file, but not in XML.
                return _blanks(data[: len(declaration)]) + data[len(declaration) :]
    fault = f"is not in the encoding {quote(name)} that it declares"
    raise format_error(
        contents.at_byte(wrong_from),
        "is not UTF-8 and declares no other encoding" if declared is None else fault,
        expected,
        "declare the encoding that it has, or save it as UTF-8",
    )
