"""The mark of each intent: a shape and a colour, as in the charts, and the shape alone as text."""

from __future__ import annotations

SHAPES = "●▲■◆✚▼★✖▶◁"
# Of Okabe and Ito (2008), in the order of the charts' marks; "" is the colour of the page's text, which is
# there in the light and in the dark.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#56B4E9", "#CC79A7", "#D55E00", "#B8A800", "", "#999999", "")
MOST_REPEATED = 4


def shape(place: int) -> str:
    """The mark of the intent at this place of its topic; those beyond the tenth have none of their own."""
    return SHAPES[place] if place < len(SHAPES) else "○"


def html_marks(place: int, times: int = 1) -> str:
    """The mark in its colour, hidden from a screen reader: a name or a number stands beside it."""
    colour = COLOURS[place] if place < len(COLOURS) else ""
    style = f' style="color:{colour}"' if colour else ""
    return f'<span aria-hidden="true"{style}>{shape(place) * times}</span>'


def graded(place: int, grade: int) -> tuple[str, str]:
    """A grade as text and as HTML: as many marks, and the number."""
    times = grade if grade <= MOST_REPEATED else 1
    return f"{shape(place) * times} {grade}", f"{html_marks(place, times)}&nbsp;{grade}"
