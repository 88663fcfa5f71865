"""Addresses that open the notebooks with a kernel: Binder, Colab, and nbgitpuller."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

FIRST_NOTEBOOK = "notebooks/00_start_here.ipynb"
# While the address is not known, binder/README.md shows links with this one.
EXAMPLE = "https://github.com/OWNER/divmetrics"
BRANCH = "main"
ENVIRONMENT = (
    "environment"  # the branch that Binder builds from, where lessons change more often than packages
)


def binder_address(repository: str, notebook: str = FIRST_NOTEBOOK) -> str:
    """Return Binder's address of a notebook in a repository on GitHub, GitLab or anywhere else."""
    return f"{_built(repository, 'HEAD')}?urlpath=lab/tree/{notebook}"


def binder_of_environment(repository: str, notebook: str = FIRST_NOTEBOOK) -> str:
    """Return Binder's address built from the environment's branch, which fetches the newest lessons."""
    return f"{_built(repository, ENVIRONMENT)}?urlpath={quote(pulled(repository, notebook), safe='')}"


def pulled(repository: str, notebook: str = FIRST_NOTEBOOK) -> str:
    """Return the query by which nbgitpuller fetches the repository and opens a notebook."""
    folder = repository.rsplit("/", 1)[1]
    opened = quote(f"lab/tree/{folder}/{notebook}", safe="")
    return f"git-pull?repo={quote(repository, safe='')}&branch={BRANCH}&urlpath={opened}"


def colab_address(repository: str, notebook: str = FIRST_NOTEBOOK) -> str | None:
    """Return Colab's address of a notebook, or None for a repository that is not on GitHub."""
    parts = urlsplit(repository)
    if parts.netloc != "github.com":
        return None
    return f"https://colab.research.google.com/github/{parts.path.strip('/')}/blob/{BRANCH}/{notebook}"


def colab_cell(repository: str) -> str:
    """Return the code to run in Colab before a notebook; it keeps Colab's packages and adds solutions."""
    folder = repository.rsplit("/", 1)[1]
    return (
        f"!git clone --quiet --depth 1 {repository}\n"
        f'%pip install --quiet "./{folder}[all]"\n'
        f"%cd {folder}/notebooks"
    )


def links(repository: str | None) -> str:
    """Return the text between the marks `links` of binder/README.md."""
    address = repository or EXAMPLE
    owner = "" if repository else "Put the owner of your copy in place of OWNER.\n\n"
    rows = [
        ("Binder", binder_address(address)),
        ("Binder, environment branch", binder_of_environment(address)),
        ("a JupyterHub", f"https://HUB/hub/user-redirect/{pulled(address)}"),
        ("Colab", colab_address(address) or "only for a repository on GitHub"),
    ]
    table = "\n".join(f"| {door} | `{link}` |" for door, link in rows)
    return (
        f"{owner}| door | link to the first lesson |\n|:--|:--|\n{table}\n\n"
        f"The cell to run first in Colab:\n\n```text\n{colab_cell(address)}\n```"
    )


def _built(repository: str, ref: str) -> str:
    """Return the address under which Binder builds a branch."""
    parts = urlsplit(repository)
    path = parts.path.strip("/")
    if parts.netloc == "github.com":
        provider = f"gh/{path}"
    elif parts.netloc == "gitlab.com":
        provider = f"gl/{quote(path, safe='')}"
    else:
        provider = f"git/{quote(repository, safe='')}"
    return f"https://mybinder.org/v2/{provider}/{ref}"
