"""README.md, docs/ and CITATION.cff say what is so: the address, the examples, where links lead."""

from __future__ import annotations

import re
import shlex
import struct
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from tests.support.paths import ROOT
from tools import launch_links, readme
from tools.picture import LARGEST, PICTURE, SIZE

README = (ROOT / "README.md").read_text(encoding="utf-8")
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
REPOSITORY, BOOK = readme.repository_address(PYPROJECT), readme.book_address(PYPROJECT)
ADDRESS = "https://github.com/someone/divmetrics"


def test_the_readme_follows_the_address() -> None:
    assert readme.with_address(README, REPOSITORY, BOOK) == README, "run: make readme"


def test_the_citation_follows_the_address() -> None:
    assert readme.citation_file(CITATION, REPOSITORY) == CITATION, "run: make readme"
    assert yaml.safe_load(CITATION).get("repository-code") == REPOSITORY


def test_the_ways_in_follow_the_address() -> None:
    page = (ROOT / "binder" / "README.md").read_text(encoding="utf-8")
    assert readme.with_block(page, "links", launch_links.links(REPOSITORY)) == page, "run: make readme"


def test_no_other_address_of_the_project_is_written_anywhere() -> None:
    badges = re.findall(r"https://mybinder\.org/v2/\S+?(?=\))", README)
    assert badges == ([launch_links.binder_address(REPOSITORY)] if REPOSITORY else [])
    assert ("git clone ADDRESS" in README) == (REPOSITORY is None)


def test_what_is_not_yet_known_is_written_once() -> None:
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "binder/README.md", *readme.GUIDES)]
    unknown = [
        path.name for path in pages if re.search(r"not (yet )?known", path.read_text(encoding="utf-8"))
    ]
    assert unknown == (["CONTRIBUTING.md"] if REPOSITORY is None else [])


def test_the_readme_is_short_and_begins_with_a_picture() -> None:
    assert len(README.split()) <= 700
    (picture,) = re.findall(r"!\[([^\]]+)\]\(docs/pictures/one_move\.svg\)", README.split("\n\n")[1])
    assert len(picture.split()) > 10


def test_the_picture_of_previews_is_small_and_of_the_size_that_networks_show() -> None:
    data = PICTURE.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == SIZE
    assert len(data) <= LARGEST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "commands", "programs"),
    [("README.md", 1, 1), ("docs/install.md", 0, 0), ("docs/files.md", 8, 0), ("docs/python.md", 0, 2)],
)
def test_the_examples_print_what_they_print(name: str, commands: int, programs: int) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(readme.CONSOLE.findall(text)) == commands
    assert len(readme.PYTHON.findall(text)) == programs
    assert readme.with_outputs(text) == text, "run: make readme"


SHIPPED = [
    command
    for name in ("README.md", *readme.GUIDES)
    for block in re.findall(
        r"^```sh\n(.*?)^```$", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    for command in block.replace("\\\n", "").splitlines()
]


@pytest.mark.slow
@pytest.mark.parametrize("command", [line for line in SHIPPED if "examples/" in line])
def test_a_command_on_shipped_files_runs(command: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    words = [sys.executable, "-m", *shlex.split(command, comments=True)]
    done = subprocess.run(words, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    written = "".join(path.read_text() for path in tmp_path.iterdir() if path.is_file())
    assert len((done.stdout + written).splitlines()) > 10


def test_every_other_command_is_known() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    others = [shlex.split(line, comments=True) for line in SHIPPED if "examples/" not in line]
    made = [words[1] for words in others if words[0] == "make"]
    assert {"lab", "book"} <= set(made) <= targets
    elsewhere = {words[0] for words in others if words[0] != "make"}
    assert elsewhere <= {"git", "cd", "divmetrics"}, "and those on files of the reader's own"


@pytest.mark.slow
def test_the_experiment_of_pyterrier_runs() -> None:
    """python-terrier brings too much to be installed for this; where it is, the example is run."""
    pytest.importorskip("pyterrier", reason="python-terrier is not installed")
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (code,) = [block for block in blocks if "pt.Experiment" in block]
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    # The very numbers that the command line prints above.
    head, *rows = (line.split() for line in done.stdout.splitlines())
    column = head.index("Dsharp_nDCG@5") + 1  # rows begin with their number
    assert [row[column][:6] for row in rows] == ["0.7253", "0.9343"]


@pytest.mark.slow
def test_the_example_for_contributors_runs() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    row, trial = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(row.splitlines()) == 5
    names = "from divmetrics.core.metric import Metric\nfrom divmetrics.parts import *\n"
    checks = "import divmetrics as dm\nassert dm.metric('ERR-IA').with_parameters().N == ERR_log_IA.N\n"
    for code in (names + row + checks, trial):
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize(
    "name",
    [
        *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "binder/README.md"),
        *("course/LECTURER.md", "course/OWN_QUESTION.md", *readme.GUIDES, "examples/README.md"),
    ],
)
def test_links_lead_to_files(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    local = [to for to in re.findall(r"\]\(([^)]+)\)", text) if not to.startswith(("https://", "#"))]
    assert local or name in ("CHANGELOG.md", "examples/README.md")
    files = [target.partition("#")[0] for target in local]
    assert [target for target in files if not (ROOT / name).parent.joinpath(target).exists()] == []


# From here on: the tool itself.


def with_setting(address: str) -> str:
    line = re.compile(r'^# Repository = ".*"$', re.MULTILINE)
    assert len(line.findall(PYPROJECT)) == 1 or REPOSITORY
    return re.sub(r'^(# )?Repository = ".*"$', f'Repository = "{address}"', PYPROJECT, flags=re.MULTILINE)


def test_once_the_address_is_known_everything_follows() -> None:
    repository = readme.repository_address(with_setting(ADDRESS))
    assert repository == ADDRESS
    text = readme.with_address(README, repository)
    assert (
        "https://mybinder.org/v2/gh/someone/divmetrics/HEAD?urlpath=lab/tree/notebooks/00_start_here.ipynb"
        in text
    )
    assert f"git clone {ADDRESS}\ncd divmetrics\n" in text
    assert "ADDRESS" not in text
    assert yaml.safe_load(readme.citation_file(CITATION, repository))["repository-code"] == ADDRESS
    # And back again.
    assert readme.with_address(text, REPOSITORY, BOOK) == README
    assert readme.citation_file(readme.citation_file(CITATION, repository), REPOSITORY) == CITATION


def test_the_book_is_named_once_its_address_is_known() -> None:
    line = re.compile(r'^(# )?Documentation = ".*"$', re.MULTILINE)
    assert len(line.findall(PYPROJECT)) == 1
    with_book = line.sub('Documentation = "https://someone.github.io/divmetrics/"', with_setting(ADDRESS))
    address = readme.book_address(with_book)
    assert address == "https://someone.github.io/divmetrics"
    assert f"[Read the book]({address})" in readme.with_address(README, ADDRESS, address)
    with pytest.raises(SystemExit, match="Documentation is 'someone', expected https://HOST"):
        readme.book_address(line.sub('Documentation = "someone"', with_setting(ADDRESS)))


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("https://gitlab.com/group/sub/divmetrics", "gl/group%2Fsub%2Fdivmetrics"),
        ("https://git.example.org/a/divmetrics", "git/https%3A%2F%2Fgit.example.org%2Fa%2Fdivmetrics"),
    ],
)
def test_binder_knows_other_hosts(address: str, provider: str) -> None:
    assert launch_links.binder_address(address).startswith(
        f"https://mybinder.org/v2/{provider}/HEAD?urlpath=lab/"
    )


def test_a_link_that_pulls_is_wrapped_once_for_each_server_that_reads_it() -> None:
    to = launch_links.binder_of_environment(ADDRESS, "notebooks/x.ipynb")
    built, query = to.split("?")
    assert built == "https://mybinder.org/v2/gh/someone/divmetrics/environment"
    (inner,) = parse_qs(query)["urlpath"]
    assert inner == launch_links.pulled(ADDRESS, "notebooks/x.ipynb")
    assert parse_qs(urlsplit(inner).query) == {
        "repo": [ADDRESS],
        "branch": ["main"],
        "urlpath": ["lab/tree/divmetrics/notebooks/x.ipynb"],
    }


def test_colab_opens_only_what_is_on_github() -> None:
    to = launch_links.colab_address(ADDRESS)
    assert to == (
        "https://colab.research.google.com/github/someone/divmetrics/blob/main/notebooks/00_start_here.ipynb"
    )
    assert f"]({to})" in readme.installation_section(ADDRESS, None)
    assert launch_links.colab_address("https://gitlab.com/group/divmetrics") is None
    assert "olab" not in readme.installation_section("https://gitlab.com/group/divmetrics", None)
    assert "only for a repository on GitHub" in launch_links.links("https://gitlab.com/group/divmetrics")


@pytest.mark.parametrize("address", ["http://example.org/a", "example.org/a", "https://example.org", ""])
def test_invalid_addresses_are_rejected(address: str) -> None:
    with pytest.raises(SystemExit, match="expected https://HOST/OWNER/NAME"):
        readme.repository_address(with_setting(address))


def test_trailing_slash_of_an_address_is_ignored() -> None:
    assert readme.repository_address(with_setting(f"{ADDRESS}.git")) == ADDRESS
    assert readme.repository_address(with_setting(f"{ADDRESS}/")) == ADDRESS


def test_examples_are_run_where_they_say(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("d1\nd2\n")
    text = (
        "# Title\n\n```sh\nfalse\n```\n\n```console\n$ cat list.txt\nold\n$ echo 'a  '\n```\n\n"
        "```python\nprint(6 * 7)\n```\n\n```text\nold\n```\n\n```python\nraise SystemExit(1)\n```\n"
    )
    assert readme.with_outputs(text, tmp_path) == (
        "# Title\n\n```sh\nfalse\n```\n\n```console\n$ cat list.txt\nd1\nd2\n\n$ echo 'a  '\na\n```\n\n"
        "```python\nprint(6 * 7)\n```\n\n```text\n42\n```\n\n```python\nraise SystemExit(1)\n```\n"
    )


def test_an_example_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="an example failed: cat missing"):
        readme.with_outputs("```console\n$ cat missing\n```\n", tmp_path)


def test_marks_must_be_there() -> None:
    with pytest.raises(SystemExit, match="expected <!-- get it"):
        readme.with_address("no marks", None)
