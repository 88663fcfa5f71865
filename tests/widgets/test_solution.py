"""Solution: run with the notebook's names, shown closed, refused in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from divmetrics import DivmetricsError
from divmetrics_widgets import Solution
from tests.support.shell import one_shell

OPENING = '<details><summary data-lm-suppress-shortcuts="true">Solution 1</summary>'


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with one_shell() as made:
        yield made


@pytest.fixture
def solution(shell: InteractiveShell, tmp_path: Path) -> Path:
    shell.push({"mine": 2})
    return tmp_path / "1.py"


def test_solution_runs_closed_without_changing_names(
    solution: Path, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    solution.write_text("# Solution 1\n# Twice.\nmine = 2 * mine\nprint(mine, '<')\nmine + 1\n")
    widget = Solution(solution)
    assert widget._repr_html_() == (
        f"{OPENING}<pre><code># Twice.\nmine = 2 * mine\nprint(mine, &#x27;&lt;&#x27;)\nmine + 1</code></pre>"
        "<hr><pre>4 &lt;</pre><pre>5</pre></details>"
    )
    assert repr(widget) == f"Solution 1: closed; it is in {solution}"
    assert capsys.readouterr().out == ""
    assert shell.user_ns["mine"] == 2


def test_what_it_shows_keeps_its_form(solution: Path) -> None:
    solution.write_text(
        "# Solution 1\nimport pandas as pd\nimport divmetrics as dm\n"
        "display(pd.DataFrame({'x': [1]}))\n"
        "A = dm.datasets.harry_potter().list('A', '0083')\ndm.charts.ranked_list(A)\n"
    )
    html = Solution(solution)._repr_html_()
    assert "<td>1</td>" in html
    assert '<img src="data:image/svg+xml,' in html
    assert 'alt="' in html
    assert html.count("<details>") == 1
    assert html.endswith("</details>")


def test_it_is_found_from_the_notebook_wherever_a_cell_has_gone(
    solution: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: InteractiveShell
) -> None:
    solution.write_text("# Solution 1\nmine\n")
    shell.starting_dir = str(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert repr(Solution("1.py")) == "Solution 1: closed; it is in 1.py"


def test_without_a_result_there_is_the_code(solution: Path) -> None:
    solution.write_text("# Solution 1\nassert mine == 2\n")
    assert Solution(solution)._repr_html_() == f"{OPENING}<pre><code>assert mine == 2</code></pre></details>"


def test_what_fails_in_it_fails(solution: Path) -> None:
    solution.write_text("# Solution 1\nassert mine == 3\n")
    with pytest.raises(AssertionError):
        Solution(solution)


def test_what_cannot_be_shown_is_said_in_a_sentence(solution: Path) -> None:
    with pytest.raises(DivmetricsError, match=r"cannot be read in .*No such file.*keep them together"):
        Solution(solution)
    solution.write_text("mine\n")
    with pytest.raises(DivmetricsError, match="begins with 'mine', expected its title"):
        Solution(solution)


def test_it_needs_a_notebook(tmp_path: Path) -> None:
    with pytest.raises(DivmetricsError, match="uses the names of a notebook: run it in one"):
        Solution(tmp_path / "1.py")
