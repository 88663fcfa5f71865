"""The modules for the browser: `front/*.js`, bundled into `bundles/` by `make bundles`.

The bundles are in the repository, so that no installation needs Node.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib import resources

from divmetrics.errors import DivmetricsError

_HOME = resources.files("divmetrics_widgets")
FRONT, BUNDLES = _HOME.joinpath("front"), _HOME.joinpath("bundles")


@cache
def bundle(name: str) -> str:
    """Return the bundle of a file in `front/`.

    Raises DivmetricsError if a file in `front/` has changed since the bundles were made.
    """
    sources = {path.name: path for path in FRONT.iterdir() if path.name.endswith(".js")}  # a wheel has none
    digest = sha256()
    for source in sorted(sources):
        digest.update(f"{source}\n{sources[source].read_text(encoding='utf-8')}".encode())
    if sources and digest.hexdigest() != BUNDLES.joinpath("front.sha256").read_text(encoding="utf-8").strip():
        raise DivmetricsError(
            "the JavaScript of the widgets has changed since it was bundled; run `make bundles`"
        )
    return BUNDLES.joinpath(name).read_text(encoding="utf-8")


def styles(names: Sequence[str]) -> str:
    """Return these style sheets as one."""
    return "\n".join(FRONT.joinpath(name).read_text(encoding="utf-8") for name in names)


def packed(name: str, sheets: Sequence[str]) -> str:
    """Return a module with a bundle and style sheets, both compressed; front/unpack.js opens it."""
    script, css = (
        b64encode(gzip.compress(text.encode(), mtime=0)).decode() for text in (bundle(name), styles(sheets))
    )
    values = {"SCRIPT": script, "STYLES": css, "NAME": name}
    constants = ",".join(f"{key}={json.dumps(value)}" for key, value in values.items())
    return f"const {constants};{bundle('unpack.js')}"
