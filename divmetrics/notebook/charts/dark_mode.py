"""A figure on a dark page: the same picture, with ground and inks of the dark.

A page may show a figure as an image, into which none of its styles reach, or write it out into itself. An
image follows the colour scheme of its own element (in JupyterLab, that of the theme: the extension in
share/jupyter says so), or else the reader's; a figure that is written out follows a page that says it is
dark.
"""

from __future__ import annotations

from divmetrics.notebook.appearance.palette import INK, QUIET_INK, RULE

ROOT = '[data-figure="divmetrics"]'
PAGES = ('[data-jp-theme-light="false"]', ".vscode-dark", '[data-theme="dark"]')  # of which it is known
# What a colour of the light is in the dark. Marks keep theirs: they belong to intents.
LIGHT = "#F2F2F2"
FILLS = {"white": "#111111", INK: LIGHT, QUIET_INK: "#B5B5B5", "#DDDDDD": "#3A3A3A"}
FILLS |= {"black": LIGHT, "#000": LIGHT}  # as a chart of somebody's own, put into a Figure, may have it
STROKES = {**FILLS, RULE: "#444444", "#000000": LIGHT, "#ddd": "#3A3A3A"}


def dark_mode_css(root: str) -> str:
    """The styles of a figure whose outermost element `root` selects."""
    looks = {("fill", light): dark for light, dark in FILLS.items()}
    looks |= {("stroke", light): dark for light, dark in STROKES.items()}
    rules = "".join(
        f'{root} [{what}="{light}"]{{{what}:var(--{what}-{light.strip("#")},{light})}}'
        for what, light in looks
    )
    values = "".join(f"--{what}-{light.strip('#')}:{dark};" for (what, light), dark in looks.items())
    pages = ",".join(f"{page} {root}" for page in PAGES)
    image = f"@media screen and (prefers-color-scheme:dark){{:root{root}{{{values}}}}}"
    return f"{rules}{image}{pages}{{{values}}}"
