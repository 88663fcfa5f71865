"""Style a figure for dark pages: the same picture with other colours for background and ink.

A page shows a figure either as an image, which the page's styles do not reach, or inline. An image follows
the colour scheme of its own element (in JupyterLab that of the theme, set by the extension in share/jupyter),
or else the user's preference; an inline figure follows a page that declares itself dark.
"""

from __future__ import annotations

from divmetrics.notebook.appearance.palette import INK, QUIET_INK, RULE

ROOT = '[data-figure="divmetrics"]'
PAGES = ('[data-jp-theme-light="false"]', ".vscode-dark", '[data-theme="dark"]')  # selectors of dark pages
# Light colour -> dark colour. Marks keep their colours, which identify intents.
LIGHT = "#F2F2F2"
FILLS = {"white": "#111111", INK: LIGHT, QUIET_INK: "#B5B5B5", "#DDDDDD": "#3A3A3A"}
FILLS |= {"black": LIGHT, "#000": LIGHT}  # Vega's defaults, in charts that users wrap in a Figure
STROKES = {**FILLS, RULE: "#444444", "#000000": LIGHT, "#ddd": "#3A3A3A"}


def dark_mode_css(root: str) -> str:
    """Return the CSS rules for a figure whose outermost element the selector `root` matches."""
    looks = {("fill", light): dark for light, dark in FILLS.items()}
    looks |= {("stroke", light): dark for light, dark in STROKES.items()}
    rules = "".join(
        f'{root} [{attribute}="{light}"]{{{attribute}:var(--{attribute}-{light.strip("#")},{light})}}'
        for attribute, light in looks
    )
    values = "".join(
        f"--{attribute}-{light.strip('#')}:{dark};" for (attribute, light), dark in looks.items()
    )
    pages = ",".join(f"{page} {root}" for page in PAGES)
    image = f"@media screen and (prefers-color-scheme:dark){{:root{root}{{{values}}}}}"
    return f"{rules}{image}{pages}{{{values}}}"
