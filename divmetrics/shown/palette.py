"""Colours that colour-blind readers and grey printers can tell apart."""

from __future__ import annotations

# Eight colours that colour-blind people tell apart (Okabe and Ito 2008, Color Universal Design).
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
QUIET_INK = "#595959"  # the lightest grey that is read on white at 7:1
RULE = "#D9D9D9"

# From a trace of something to the largest contribution, darker all the way. Nothing at all is white.
GAINS = ("#DDEDF7", "#56A0CF", "#00436B")
COSTS = ("#FCE5D6", "#E58A4E", "#7F3800")


def shade(value: float, top: float) -> str:
    """The colour of a contribution: white at 0, blue above it, orange below, darkest at +-`top`."""
    if value == 0 or top == 0:
        return WHITE
    stops = GAINS if value > 0 else COSTS
    place = min(abs(value) / top, 1.0) * (len(stops) - 1)
    left = min(int(place), len(stops) - 2)
    return _between(stops[left], stops[left + 1], place - left)


def ink_on(background: str) -> str:
    """Black or white, whichever is read better; at least 4.5:1 on any colour."""
    return max(("#000000", WHITE), key=lambda ink: contrast(ink, background))


def luminance(colour: str) -> float:
    """Relative luminance of a #RRGGBB colour, 0 to 1 (WCAG 2): how light its grey is."""
    channels = (c / 255 for c in _channels(colour))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Contrast ratio of two #RRGGBB colours, 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((luminance(a), luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)


def _between(a: str, b: str, share: float) -> str:
    mixed = (round(x + (y - x) * share) for x, y in zip(_channels(a), _channels(b), strict=True))
    return "#" + "".join(f"{c:02X}" for c in mixed)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
