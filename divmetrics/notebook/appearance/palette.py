"""Define colours that remain distinct for colour-blind users and in greyscale."""

from __future__ import annotations

from typing import NamedTuple

# Eight colours distinct for colour-blind people (Okabe and Ito 2008, Color Universal Design).
OKABE_ITO = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermillion": "#D55E00",
    "purple": "#CC79A7",
    "sky blue": "#56B4E9",
    "yellow": "#F0E442",
    "black": "#000000",
}

GREY, WHITE, INK = "#999999", "#FFFFFF", "#222222"
BROWN = "#96683F"  # replaces their black, which is invisible on a dark page
QUIET_INK = "#595959"  # the lightest grey with a contrast of 7:1 on white
RULE = "#D9D9D9"

# Contributions above and below 0, drawn translucent over a light or dark page.
TONES = ("#288CCD", "#E2701E")
FAINTEST, STRONGEST = 0.18, 0.7  # opacity of the smallest and the largest value; a number stays legible on it


class _Tint(NamedTuple):
    """A colour and its opacity."""

    tone: str
    opacity: float

    @property
    def css(self) -> str:
        """The tint as a CSS colour."""
        return f"rgba({','.join(map(str, _channels(self.tone)))},{self.opacity:g})"

    def on(self, ground: str) -> str:
        """Return the opaque colour of the tint over a background."""
        mixed = (
            round(below + (above - below) * self.opacity)
            for below, above in zip(_channels(ground), _channels(self.tone), strict=True)
        )
        return "#" + "".join(f"{c:02X}" for c in mixed)


def tint(value: float, top: float) -> _Tint:
    """Return (colour, opacity) for a contribution: clear at 0, blue above, orange below.

    Opacity is largest from `top` on, in both directions.
    """
    tone = TONES[value < 0]
    if value == 0 or top == 0:
        return _Tint(tone, 0.0)
    return _Tint(tone, round(FAINTEST + (STRONGEST - FAINTEST) * min(abs(value) / top, 1.0), 3))


def ink_on(background: str) -> str:
    """Return black or white as #RRGGBB, whichever contrasts more with a colour #RRGGBB: at least 4.5:1."""
    return max(("#000000", WHITE), key=lambda ink: contrast(ink, background))


def _luminance(colour: str) -> float:
    """Return the relative luminance of a #RRGGBB colour, 0 to 1 (WCAG 2)."""
    channels = (c / 255 for c in _channels(colour))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of two #RRGGBB colours, 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((_luminance(a), _luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
