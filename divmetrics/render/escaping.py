"""Escape the names of documents, runs, intents and metrics for each output format.

`html.escape` does it for HTML and attributes. These functions do it for scripts, Vega expressions, LaTeX and
the MathML made from it, Markdown, and XML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from divmetrics.errors import printable

# XML cannot represent these characters, and vl-convert aborts the process on them. The separators of lines
# and paragraphs end a string in a Vega expression.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PICTURES, _UNKNOWN = 0x2400, "\ufffd"  # control pictures; replacement of all other unprintable characters
_LINE_ENDS = {"\u2028": "\u2424", "\u2029": "\u2424"}

_MATHML = "{http://www.w3.org/1998/Math/MathML}"
# The MathML that formulas need: no links, no scripts, no embedded HTML.
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
    # In math mode a hyphen is a minus, a plus has space around it, and an apostrophe is a prime.
    **{sign: rf"\text{{{sign}}}" for sign in "-+'`\"^"},
    "~": r"{\sim}",
}
_TEX_TEXT = {
    **{sign: f"\\{sign}" for sign in "{}_$&%#"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    # The OT1 fonts have other glyphs at these positions.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    # At the start of a row they would be an option of the \\ before it.
    **{sign: f"{{{sign}}}" for sign in "[]*"},
}
_LIGATURES = re.compile(r"([-',])(?=\1)")  # two of them make a dash or a quotation mark
_IN_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$]")


def escape_controls(text: str) -> str:
    """Replace each control character by its picture (\u241b) and other unprintable characters by \ufffd."""
    return _UNPRINTABLE.sub(lambda match: _picture(match[0]), text)


def _picture(sign: str) -> str:
    return chr(_PICTURES + ord(sign)) if ord(sign) < 0x20 else _LINE_ENDS.get(sign, _UNKNOWN)


def escape_controls_deep(value: Any) -> Any:
    """Return nested lists and dicts with `escape_controls` applied to every string."""
    if isinstance(value, str):
        return escape_controls(value)
    if isinstance(value, dict):
        return {escape_controls_deep(key): escape_controls_deep(inner) for key, inner in value.items()}
    return [escape_controls_deep(inner) for inner in value] if isinstance(value, list) else value


def to_script_json(value: Any) -> str:
    """Return nested lists and dicts as JSON that cannot end the surrounding <script> or begin a comment."""
    return json.dumps(value).replace("<", "\\u003c")


def with_tooltips(spec: Any, in_one: bool = False) -> Any:
    """Return a Vega-Lite specification with escaped backslashes in its tooltip titles.

    Vega-Lite copies the titles into a string of an expression without escaping them. `in_one` is true inside
    a tooltip.
    """
    if isinstance(spec, dict):
        if in_one and "title" in spec:
            return {**spec, "title": spec["title"].replace("\\", r"\\")}
        return {key: with_tooltips(inner, key == "tooltip") for key, inner in spec.items()}
    return [with_tooltips(inner, in_one) for inner in spec] if isinstance(spec, list) else spec


def vega_lookup(words: Mapping[str, Any], value: str) -> str:
    """Return a Vega expression for the value in `words` of a key; the expression `value` results in the key.

    The expression searches arrays: in an object, __proto__ would be a special key.
    """
    keys, values = (json.dumps(escape_controls_deep(list(part))) for part in (words, words.values()))
    return f"{values}[indexof({keys}, {value})]"


def escape_latex_math(name: str) -> str:
    """Escape a name for LaTeX's math mode, within braces."""
    return "".join(_TEX.get(sign, sign) for sign in escape_controls(name))


def escape_latex(name: str) -> str:
    """Escape a name for the text of a LaTeX document, such as a table cell."""
    escaped = "".join(_TEX_TEXT.get(sign, sign) for sign in _on_one_line(name))
    return _LIGATURES.sub(r"\1{}", escaped)


def escape_markdown(name: str) -> str:
    """Escape a name for a line of Markdown or a cell of a Markdown table."""
    return _IN_MARKDOWN.sub(lambda match: f"\\{match[0]}", _on_one_line(name))


def _on_one_line(name: str) -> str:
    return printable(" ".join(name.split()))


def is_formula(mathml: str) -> bool:
    """Return whether the text is one MathML element that contains only a formula.

    Comments and CDATA sections are refused, because HTML and XML disagree about where they end.
    """
    from xml.etree import ElementTree  # loaded with the first formula

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
