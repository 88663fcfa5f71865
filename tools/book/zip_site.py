"""The site as one file, for whoever puts it elsewhere: on a web server, a stick, the disk of a class.

    python -m tools.book.zip_site SITE FILE.zip

Links in the site are relative, so it opens from wherever it is unpacked. The same site makes the same file,
byte for byte.
"""

from __future__ import annotations

import argparse
import zipfile
from pathlib import Path

FOLDER = "divmetrics-book"  # all files are in it, so that unpacking leaves one thing
WHEN = (1980, 1, 1, 0, 0, 0)  # the first moment that the format knows
READABLE = 0o100644 << 16


def pack(site: Path, file: Path) -> None:
    """Write the files of a site into a zip file; raises SystemExit if there is no site."""
    if not (site / "index.html").is_file():
        raise SystemExit(f"{site}: holds no index.html; make the book first: make book")
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w") as packed:
        for path in sorted(path for path in site.rglob("*") if path.is_file()):
            about = zipfile.ZipInfo(f"{FOLDER}/{path.relative_to(site).as_posix()}", WHEN)
            about.external_attr, about.compress_type = READABLE, zipfile.ZIP_DEFLATED
            packed.writestr(about, path.read_bytes(), compresslevel=9)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tools.book.zip_site", description="The site as one file."
    )
    parser.add_argument("site", type=Path, metavar="SITE", help="the folder of the book")
    parser.add_argument("file", type=Path, metavar="FILE.zip", help="where to write it")
    options = parser.parse_args()
    pack(options.site, options.file)
    print(f"{options.file}: unpack it anywhere and open {FOLDER}/index.html")
