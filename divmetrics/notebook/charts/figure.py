"""Render an Altair chart with its description, for Jupyter and for files."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr, unescape

import altair as alt
import pandas  # noqa: F401 - Altair uses pandas once any thread has begun to import it

from divmetrics.atomic_files import save
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.palette import INK, QUIET_INK
from divmetrics.notebook.charts.dark_mode import ROOT, dark_mode_css
from divmetrics.notebook.charts.png_palette import recompress
from divmetrics.notebook.charts.text_width import text_width, wrap
from divmetrics.optional import MissingPackage, import_optional
from divmetrics.render.escaping import escape_controls, escape_controls_deep, to_script_json, with_tooltips

WIDTH = 580  # pixels: the width of an output in JupyterLab in a window of 700
PADDING = 12
INSIDE = WIDTH - 2 * PADDING
SMALL, MEDIUM, LARGE = 11, 12, 15  # font sizes in pixels
BACKGROUND = "white"  # this spelling only: marks spell white differently and stay white on dark pages

_choosing = threading.Lock()  # Altair's theme is global to all threads
# vl-convert bundles Liberation Sans, so a picture is the same on every machine; Arial has the same widths.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

# The menu offers no source: vega-embed would write it unescaped into a new window. The tooltip has its own
# formatter, since the default one fetches the value of a field named "image".
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<title>{title}</title>
<script>{bundle}</script>
</head>
<body>
<div id="figure"></div>
<script>
const cell = (kind, text) => `<td class="${{kind}}">${{text}}</td>`;
const row = (key, value) => `<tr>${{cell("key", `${{key}}: `)}}${{cell("value", value)}}</tr>`;
const formatTooltip = (fields, escaped) =>
  `<table>${{Object.entries(fields).map((pair) => row(...pair.map(escaped))).join("")}}</table>`;
const actions = {{ export: true, source: false, compiled: false, editor: false }};
const options = {{ renderer: "svg", actions, tooltip: {{ formatTooltip }} }};
vegaEmbed("#figure", {spec}, options).catch(console.error);
</script>
</body>
</html>
"""

_TEXT = re.compile(
    r'<text (?P<attributes>[^>]*font-size="(?P<size>[\d.]+)px"[^>]*[^/>])>(?P<inside>.*?)</text>', re.DOTALL
)
# An invisible background, whose width depends on the machine's fonts.
_INVISIBLE_BACKGROUND = re.compile(r'<path class="background"(?![^>]*(?:fill|stroke)=)[^>]*/>')
_LINE = re.compile(r"<tspan([^>]*)>([^<]*)</tspan>")


def _with_text_length(match: re.Match[str]) -> str:
    """Return a text element with its width, so that a wider fallback font is squeezed instead of cut off."""
    attributes, inside = match["attributes"], match["inside"]

    def length(text: str) -> str:
        width = text_width(unescape(text), float(match["size"]), bold='font-weight="bold"' in attributes)
        return f'textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'

    if "<tspan" in inside:
        lines = _LINE.sub(lambda line: f"<tspan{line[1]} {length(line[2])}>{line[2]}</tspan>", inside)
        return f"<text {attributes}>{lines}</text>"
    return f"<text {attributes} {length(inside)}>{inside}</text>"


@cache
def _bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script; building it takes seconds."""
    return str(_drawing().javascript_bundle())


def _drawing() -> Any:
    return import_optional("vl_convert", "a drawn figure")


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart that renders itself in Jupyter as a bundle of svg, png (twice the size) and its description.

    Its title states what the numbers say; `titled` replaces it. The bundle needs no network and is the same,
    byte for byte, each time.

    Parameters
    ----------
    chart : alt.TopLevelMixin
        The live Altair chart.
    description : str
        The chart in words, for readers who do not see it (alternative text).

    Examples
    --------
    >>> import divmetrics as dm
    >>> figure = dm.charts.ranked_list(dm.datasets.harry_potter().list("A", "0083"), depth=1)
    >>> figure.titled("List A").chart.title.text
    ['List A']
    """

    chart: alt.TopLevelMixin
    description: str

    @classmethod
    def of(cls, chart: Any, title: str, subtitle: Sequence[str], description: str) -> Figure:
        """Return a figure in the common style: title, fonts, margins and background.

        Parameters
        ----------
        chart : altair chart
            The chart.
        title : str
            The title; long ones are wrapped.
        subtitle : sequence of str
            The paragraphs below the title; long ones are wrapped.
        description : str
            The chart in words, for readers who do not see it.

        Returns
        -------
        Figure
            The figure.
        """
        subtitle_lines = [line for text in subtitle for line in wrap(text, INSIDE, MEDIUM)]
        heading = alt.TitleParams(
            text=wrap(title, INSIDE, LARGE, bold=True),
            subtitle=subtitle_lines,
            anchor="start",
            frame="bounds",
            fontSize=LARGE,
            subtitleFontSize=MEDIUM,
            subtitlePadding=5,
            color=INK,
            subtitleColor=QUIET_INK,
            lineHeight=19,
            subtitleLineHeight=16,
            offset=14,
        )
        text: dict[str, Any] = {"labelFontSize": MEDIUM, "titleFontSize": MEDIUM, "titleFontWeight": "normal"}
        text |= {"labelColor": INK, "titleColor": INK, "labelLimit": WIDTH}
        axis, legend = alt.AxisConfig(**text, titleLimit=WIDTH), alt.LegendConfig(**text, symbolStrokeWidth=1)
        # Inside an element with role="img" nothing else may have a label; the description is the label.
        config = alt.Config(
            font=FONT, aria=False, axis=axis, legend=legend, view=alt.ViewConfig(stroke="transparent")
        )
        dressed = chart.properties(
            title=heading, description=description, background=BACKGROUND, padding=PADDING, config=config
        )
        return cls(dressed, description)

    def titled(self, title: str) -> Figure:
        """Return the same figure with another title.

        Parameters
        ----------
        title : str
            The title.

        Returns
        -------
        Figure
            The figure; its description does not change.

        Raises
        ------
        DivmetricsError
            If the title is not a text.
        """
        if not isinstance(title, str):
            raise DivmetricsError(f"the title is {title!r}, expected a text")
        chart: Any = self.chart
        heading = chart.title.copy()
        heading.text = wrap(title, INSIDE, LARGE, bold=True)
        return Figure(chart.properties(title=heading), self.description)

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The Vega-Lite specification, independent of the user's Altair theme."""
        with _choosing, alt.theme.enable("none"), alt.data_transformers.enable("default"):
            return dict(with_tooltips(escape_controls_deep(self.chart.to_dict())))

    @cached_property
    def svg(self) -> str:
        """The picture as svg, with role="img" and its description as aria-label.

        Raises MissingPackage, a DivmetricsError, if vl-convert is not installed; so do `png` and `size`.
        """
        label = quoteattr(escape_controls(self.description), {"\n": " "})
        sized = _TEXT.sub(_with_text_length, _INVISIBLE_BACKGROUND.sub("", self._drawn))
        dressed = sized.replace("<svg ", f'<svg role="img" aria-label={label} data-figure="divmetrics" ', 1)
        return dressed.replace(">", f"><style>{dark_mode_css(ROOT)}</style>", 1)

    @cached_property
    def _drawn(self) -> str:
        return str(_drawing().vegalite_to_svg(self.spec))

    @cached_property
    def png(self) -> bytes:
        """The picture as png, at twice the size."""
        return recompress(_drawing().svg_to_png(self._drawn, scale=2))

    @property
    def html(self) -> str:
        """A page as text with the live chart (with tooltips); it needs no network."""
        title = escape(" ".join(self.spec["title"]["text"]))
        return _PAGE.format(title=title, bundle=_bundle(), spec=to_script_json(self.spec))

    @property
    def size(self) -> tuple[int, int]:
        """The width and height of the svg in pixels."""
        match = re.search(r'<svg [^>]*?\bwidth="([\d.]+)" height="([\d.]+)"', self.svg)
        if match is None:
            raise DivmetricsError("the drawn svg has no size; expected attributes width and height")
        return round(float(match[1])), round(float(match[2]))

    def save(self, path: str | Path) -> None:
        """Write the figure to a file.

        Parameters
        ----------
        path : path
            The file; its suffix, .svg, .png or .html, chooses the format.

        Raises
        ------
        DivmetricsError
            If the suffix is another one, or the file cannot be written.
        """
        path = Path(path)
        kind = path.suffix.lower()
        if kind not in (".svg", ".png", ".html"):
            raise DivmetricsError(
                f"cannot save a figure as {path.name!r}; expected a name ending in .svg, .png or .html"
            )
        save(path, self.png if kind == ".png" else self.svg if kind == ".svg" else self.html)

    def __repr__(self) -> str:
        return f"<figure: {self.description}>"

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        try:
            width, height = self.size
        except MissingPackage as missing:  # a front end that supports Vega-Lite draws the chart itself
            kind = f"application/vnd.vegalite.{alt.SCHEMA_VERSION.partition('.')[0]}+json"
            return {kind: self.spec, "text/plain": f"{self.description}\n({missing})"}, {}
        data = {
            "image/svg+xml": self.svg,
            "image/png": base64.b64encode(self.png).decode("ascii"),
            "text/plain": self.description,
        }
        return data, {"image/png": {"width": width, "height": height, "alt": self.description}}
