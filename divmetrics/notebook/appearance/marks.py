"""Define the mark of each intent (a shape and a colour), and render marks and grades as text and HTML."""

from __future__ import annotations

from divmetrics.notebook.appearance.palette import BROWN, GREY, OKABE_ITO, WHITE

_X = "M-1,-0.6L-0.6,-1L0,-0.4L0.6,-1L1,-0.6L0.4,0L1,0.6L0.6,1L0,0.4L-0.6,1L-1,0.6L-0.4,0Z"
_STAR = (
    "M0,-1.1L0.26,-0.36L1.05,-0.34L0.42,0.14L0.65,0.89L0,0.45L-0.65,0.89L-0.42,0.14L-1.05,-0.34L-0.26,-0.36Z"
)

Mark = tuple[str, str]  # colour and shape

# One mark per intent, in the order of `divmetrics.notebook.textformat.marks.SHAPES`. Shapes are unique, so
# colour is redundant; neighbours differ in lightness.
MARKS: tuple[Mark, ...] = (
    (OKABE_ITO["blue"], "circle"),
    (OKABE_ITO["orange"], "triangle-up"),
    (OKABE_ITO["green"], "square"),
    (OKABE_ITO["sky blue"], "diamond"),
    (OKABE_ITO["purple"], "cross"),
    (OKABE_ITO["vermillion"], "triangle-down"),
    (OKABE_ITO["yellow"], _STAR),
    (BROWN, _X),
    (GREY, "triangle-right"),
    (WHITE, "triangle-left"),
)
# Characters in the same order, and replacements for colours that lack contrast on a light or dark page; "" is
# the colour of the text.
SIGNS = "●▲■◆✚▼★✖▶◁"
ON_A_PAGE = {OKABE_ITO["yellow"]: "#B8A800", WHITE: ""}
MOST_REPEATED = 4
# The named shapes of Vega as paths within -1..1.
_PATHS = {
    "circle": "M0,-0.9A0.9,0.9 0 1 1 0,0.9A0.9,0.9 0 1 1 0,-0.9Z",
    "triangle-up": "M0,-0.9L1,0.8L-1,0.8Z",
    "square": "M-0.8,-0.8L0.8,-0.8L0.8,0.8L-0.8,0.8Z",
    "diamond": "M0,-1L0.8,0L0,1L-0.8,0Z",
    "cross": "M-0.3,-0.9L0.3,-0.9L0.3,-0.3L0.9,-0.3L0.9,0.3L0.3,0.3L0.3,0.9L-0.3,0.9L-0.3,0.3L-0.9,0.3L-0.9,-0.3L-0.3,-0.3Z",  # noqa: E501  one path
    "triangle-down": "M0,0.9L1,-0.8L-1,-0.8Z",
    "triangle-right": "M0.9,0L-0.8,1L-0.8,-1Z",
    "triangle-left": "M-0.9,0L0.8,1L0.8,-1Z",
}


def mark_drawings() -> list[list[str]]:
    """Return [colour, SVG path] of each mark of MARKS, in their order."""
    return [[colour, _PATHS.get(shape, shape)] for colour, shape in MARKS]


def colour_of(mark: int) -> str | None:
    """Return the colour of the mark at index `mark` in MARKS, or None if the index is too large."""
    return MARKS[mark][0] if mark < len(MARKS) else None


def mark_sign(mark: int) -> str:
    """Return the character of the mark at index `mark` in MARKS; all larger indices share one character."""
    return SIGNS[mark] if mark < len(SIGNS) else "○"


def html_marks(mark: int, times: int = 1) -> str:
    """Return the mark, `times` times, in colour as HTML, hidden from screen readers (text is beside it)."""
    colour = colour_of(mark) or ""
    colour = ON_A_PAGE.get(colour, colour)
    style = f' style="color:{colour}"' if colour else ""
    return f'<span aria-hidden="true"{style}>{mark_sign(mark) * times}</span>'


def render_grade(mark: int, grade: int) -> tuple[str, str]:
    """Return a grade as text and as HTML: as many marks as the grade, and the number, such as "●● 2".

    `mark` is an index in MARKS. A high grade has one mark.
    """
    times = grade if grade <= MOST_REPEATED else 1
    return f"{mark_sign(mark) * times} {grade}", f"{html_marks(mark, times)}&nbsp;{grade}"
