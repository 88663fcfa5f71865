"""The parts of README.md, docs/, binder/README.md and CITATION.cff that follow from other files.

    python -m tools.readme

- The public addresses of the repository and of the book are one setting each, in pyproject.toml; how to get
  the project, the badges, the links in binder/README.md (tools/launch_links.py) and the citation follow from
  them, also while they are not yet known.
- The examples' outputs in README.md and docs/ are what they print: each command of a ```console block and
  each ```python block that a ```text block follows is run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

from divmetrics.atomic_files import save
from tools.launch_links import binder_address, colab_address, links
from tools.notebook_files import FOLDER

ROOT = FOLDER.parent
GUIDES = ("docs/install.md", "docs/files.md", "docs/python.md", "docs/notebooks.md")

CONSOLE = re.compile(r"^```console\n(?P<commands>.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*\n)", re.MULTILINE)  # a backslash goes on in the next line
PYTHON = re.compile(
    r"^```python\n(?P<code>(?:(?!^```).)*?)^```\n\n```text\n.*?^```$", re.DOTALL | re.MULTILINE
)


def repository_address(pyproject: str) -> str | None:
    """Return the repository's address from the text of pyproject.toml, or None while there is none."""
    address = _setting(pyproject, "Repository")
    if address is None:
        return None
    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.netloc or not parts.path.strip("/"):
        raise SystemExit(f"pyproject.toml: Repository is {address!r}, expected https://HOST/OWNER/NAME")
    return address.rstrip("/").removesuffix(".git")


def book_address(pyproject: str) -> str | None:
    """Return the published book's address from the text of pyproject.toml, or None while there is none."""
    address = _setting(pyproject, "Documentation")
    if address is None:
        return None
    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.netloc or parts.query or parts.fragment:
        raise SystemExit(
            f"pyproject.toml: Documentation is {address!r}, expected https://HOST or https://HOST/FOLDER"
        )
    return address.rstrip("/")


def _setting(pyproject: str, name: str) -> str | None:
    address = tomllib.loads(pyproject)["project"].get("urls", {}).get(name)
    return None if address is None else str(address)


def repository() -> str | None:
    """Return the address of this project, or None while there is none."""
    return repository_address((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def book() -> str | None:
    """Return the address of the published book, or None while there is none."""
    return book_address((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def installation_section(repository: str | None, book: str | None) -> str:
    """Return how to get the project: the text between the marks `get it` of README.md."""
    read = ""
    if book:
        read = f"[Read the book]({book}): its labs answer in the browser, and nothing is installed.\n\n"
    if repository is None:
        return f"{read}{_commands('ADDRESS divmetrics   # the address of this page', 'divmetrics')}"
    badge = f"[![Open the notebooks in Binder](https://mybinder.org/badge_logo.svg)]({binder_address(repository)})"
    if colab := colab_address(repository):
        image = "![Open the first lesson in Colab](https://colab.research.google.com/assets/colab-badge.svg)"
        badge += f"\n[{image}]({colab})\n\n[Colab wants one cell first, and other ways in](binder/README.md)."
    return f"{read}{badge}\n\n{_commands(repository, repository.rsplit('/', 1)[1])}"


def _commands(cloned: str, folder: str) -> str:
    return (
        f"```sh\ngit clone {cloned}\ncd {folder}\n"
        "make lab     # opens the course in JupyterLab\n"
        "make book    # makes pages of it that need no kernel and no network: open site/index.html\n"
        "make test    # runs every check\n```"
    )


def with_block(text: str, name: str, content: str) -> str:
    """Put `content` between the marks of that name in `text`, which must occur once."""
    pattern = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise SystemExit(f"expected <!-- {name}: ... --> and <!-- end of {name} --> once")
    return pattern.sub(lambda match: f"{match[1]}{content}\n{match[2]}", text)


def with_outputs(text: str, folder: Path = ROOT) -> str:
    """Put the output of the examples, run in `folder`, into `text`."""

    def console(block: re.Match[str]) -> str:
        commands = COMMAND.findall(block["commands"])
        printed = [f"$ {command}{_run(['bash', '-c', command], folder)}" for command in commands]
        return f"```console\n{chr(10).join(printed)}```"

    def python(block: re.Match[str]) -> str:
        printed = _run([sys.executable, "-c", block["code"]], folder)
        return f"```python\n{block['code']}```\n\n```text\n{printed}```"

    return PYTHON.sub(python, CONSOLE.sub(console, text))


def _run(arguments: list[str], folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        arguments,
        cwd=folder,
        env=os.environ | {"PATH": path, "COLUMNS": "110"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode or done.stderr:
        raise SystemExit(f"an example failed: {arguments[-1].strip()}\n{done.stderr}{done.stdout}")
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n"


def with_address(readme: str, repository: str | None, book: str | None = None) -> str:
    """Update the parts of README.md that follow from the addresses of the repository and the book."""
    return with_block(readme, "get it", installation_section(repository, book))


def citation_file(citation: str, repository: str | None) -> str:
    """Return CITATION.cff with the repository's address as its last line, or without one."""
    lines = [line for line in citation.splitlines() if not line.startswith("repository-code:")]
    return "\n".join([*lines, *([f'repository-code: "{repository}"'] if repository else [])]) + "\n"


def main() -> None:
    address = repository()
    readme, citation, doors = ROOT / "README.md", ROOT / "CITATION.cff", ROOT / "binder" / "README.md"
    save(readme, with_address(readme.read_text(encoding="utf-8"), address, book()))
    for page in (readme, *(ROOT / name for name in GUIDES)):
        save(page, with_outputs(page.read_text(encoding="utf-8")))
    text = citation_file(citation.read_text(encoding="utf-8"), address)
    save(citation, text)
    save(doors, with_block(doors.read_text(encoding="utf-8"), "links", links(address)))


if __name__ == "__main__":
    main()
