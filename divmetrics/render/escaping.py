"""Names in pages: what a document, a run, an intent or a metric is called is text, wherever it stands.

In HTML and in attributes `html.escape` says so. Here is how the same is said where that is not enough: in a
script, in an expression of Vega, in LaTeX, in the MathML that is made of it, in Markdown, and in XML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from divmetrics.errors import printable

# XML has no way to write these; vl-convert ends the whole process when it meets one. The separators of lines
# and paragraphs end a text in an expression of Vega.
_NOT_SHOWN = re.compile("[^\t\n\r\x20-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PICTURES, _UNKNOWN = 0x2400, "\ufffd"  # of control characters; of whatever else cannot be shown
_LINE_ENDS = {"\u2028": "\u2424", "\u2029": "\u2424"}

_MATHML = "{http://www.w3.org/1998/Math/MathML}"
# Of MathML what formulas need: nothing that leads elsewhere, runs or holds HTML.
_ELEMENTS, _ATTRIBUTES = (
    frozenset(names.split())
    for names in (
        """
        math menclose merror mfenced mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom
        mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder
        munderover none
        """,
        """
        accent accentunder align close columnalign columnlines columnspacing depth dir display displaystyle
        fence form height largeop length linebreak linethickness lspace mathcolor mathsize mathvariant maxsize
        minsize movablelimits notation open rowlines rowspacing rspace scriptlevel separator separators
        stretchy symmetric voffset width
        """,
    )
)

_TEX = {
    **{sign: f"\\{sign}" for sign in "{}_$&%#"},
    "\\": r"\backslash{}",
    # Outside a text a hyphen is a minus, a plus has space around it, and an apostrophe is a prime.
    **{sign: rf"\text{{{sign}}}" for sign in "-+'`\"^"},
    "~": r"{\sim}",
}
_TEX_TEXT = {
    **{sign: f"\\{sign}" for sign in "{}_$&%#"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    # Of these the old fonts show other signs.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    # After the end of a row, these would be an option of it.
    **{sign: f"{{{sign}}}" for sign in "[]*"},
}
_JOINED = re.compile(r"([-',])(?=\1)")  # a dash or a quotation mark is made of two
_IN_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$]")


def escape_controls(text: str) -> str:
    """The text with a picture (\u241b) for each control character, and a sign for what no page can hold."""
    return _NOT_SHOWN.sub(lambda found: _picture(found[0]), text)


def _picture(sign: str) -> str:
    return chr(_PICTURES + ord(sign)) if ord(sign) < 0x20 else _LINE_ENDS.get(sign, _UNKNOWN)


def escape_controls_deep(value: Any) -> Any:
    """Plain values with every text in them pictured."""
    if isinstance(value, str):
        return escape_controls(value)
    if isinstance(value, dict):
        return {escape_controls_deep(key): escape_controls_deep(inner) for key, inner in value.items()}
    return [escape_controls_deep(inner) for inner in value] if isinstance(value, list) else value


def to_script_json(value: Any) -> str:
    """Plain values as JavaScript in a <script>: no text in them can end it, or begin a comment."""
    return json.dumps(value).replace("<", "\\u003c")


def with_tooltips(spec: Any, in_one: bool = False) -> Any:
    """A specification of Vega-Lite in whose tooltips every title stands for itself.

    Vega-Lite puts the titles into an expression, as texts in which it escapes no backslash. in_one: this is a
    part of a tooltip.
    """
    if isinstance(spec, dict):
        if in_one and "title" in spec:
            return {**spec, "title": spec["title"].replace("\\", r"\\")}
        return {key: with_tooltips(inner, key == "tooltip") for key, inner in spec.items()}
    return [with_tooltips(inner, in_one) for inner in spec] if isinstance(spec, list) else spec


def vega_lookup(words: Mapping[str, Any], value: str) -> str:
    """An expression of Vega that looks up in `words` what the expression `value` gives.

    By place: of an object Vega would read the name __proto__ as something else.
    """
    keys, found = (json.dumps(escape_controls_deep(list(part))) for part in (words, words.values()))
    return f"{found}[indexof({keys}, {value})]"


def escape_latex_math(name: str) -> str:
    """A name in LaTeX's math mode, within braces: every sign stands for itself."""
    return "".join(_TEX.get(sign, sign) for sign in escape_controls(name))


def escape_latex(name: str) -> str:
    """A name in the text of a LaTeX document, such as a cell of a table: every sign stands for itself."""
    escaped = "".join(_TEX_TEXT.get(sign, sign) for sign in _on_one_line(name))
    return _JOINED.sub(r"\1{}", escaped)


def escape_markdown(name: str) -> str:
    """A name within a line of Markdown or a cell of its tables: every sign stands for itself."""
    return _IN_MARKDOWN.sub(lambda found: f"\\{found[0]}", _on_one_line(name))


def _on_one_line(name: str) -> str:
    return printable(" ".join(name.split()))


def is_formula(mathml: str) -> bool:
    """Is this one element of MathML, and all within it no more than a formula?

    Comments and sections of characters are refused: where they end, HTML and XML do not agree.
    """
    if "<!" in mathml or "<?" in mathml:
        return False
    try:
        every = list(ElementTree.fromstring(mathml).iter())
    except ElementTree.ParseError:
        return False
    return every[0].tag == f"{_MATHML}math" and all(
        element.tag.startswith(_MATHML)
        and element.tag.removeprefix(_MATHML) in _ELEMENTS
        and _ATTRIBUTES.issuperset(element.attrib)
        for element in every
    )
