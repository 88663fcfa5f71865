"""%%metric in a real kernel: what it gives, shows and refuses, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jupyter_client.manager import KernelManager

from tests.support.real_kernel import PATIENCE, Ran, RealKernel, connected, started

pytestmark = pytest.mark.slow

ALPHA = """%%metric my-alpha
M = relevant * (1 - alpha) ** seen_before
w = 1 / log2(rank + 1)
f = 1
N = ideal
alpha = 0.5
"""


class Kernel(RealKernel):
    def good(self, code: str) -> Ran:
        ran = self.run(code)
        assert ran.error == "", ran.error
        return ran

    def refused(self, code: str) -> str:
        """One sentence, and the names are those of before."""
        before = self.good("dict(session_metrics())").result
        message = " ".join(self.run(code).error.split())  # it is wrapped to the width of a cell
        assert message.startswith("%%metric: ")
        assert "Traceback" not in message
        assert self.good("dict(session_metrics())").result == before
        return message


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    own = tmp_path_factory.mktemp("ipython")
    with started(KernelManager(kernel_name="python3"), own) as manager, connected(manager) as client:
        yield Kernel(client)


@pytest.fixture
def kernel(running: Kernel) -> Kernel:
    running.good(
        "%reset -f\n%load_ext divmetrics\nimport divmetrics as dm\nfrom divmetrics.parts import *\n"
        "from divmetrics import Metric\nfrom divmetrics.registry.session import session_metrics\n"
        "for name in tuple(session_metrics()): dm.unregister(name)"
    )
    return running


def test_a_metric_in_a_cell(kernel: Kernel) -> None:
    ran = kernel.good(ALPHA)
    assert ran.result.startswith("Metric(name='my-alpha'")
    assert "M=WrittenUtility('relevant * (1 - alpha) ** seen_before', alpha=0.5)" in ran.result
    (output,) = ran.shown
    text, html = output["text/plain"], output["text/html"]
    for rule in ("finite number", "add up to", "does not look ahead", "at least 0", "between 0 and 1"):
        assert any(rule in line and "✓ yes" in line for line in text.splitlines()), rule
        assert rule in html
    assert "my-alpha@5, my-alpha(alpha=0.5)@10, my-alpha-IS@5" in text
    assert "<math" in html
    assert kernel.good("_ == dm.metric('my-alpha')").result == "True"
    assert kernel.good(f"eval({ran.result!r}) == dm.metric('my-alpha')").result == "True"
    same = "abs(dm.metric('my-alpha@5').score(A) - dm.metric('alpha-nDCG@5').score(A)) < 1e-12"
    assert kernel.good(f"A = dm.datasets.harry_potter().list('A', '0083')\n{same}").result == "True"


def test_the_scores_are_those_of_the_lists_at_hand(kernel: Kernel) -> None:
    (output,) = kernel.good(ALPHA).shown
    lines = {line.split()[0]: line.split()[-1] for line in output["text/plain"].splitlines()[-4:]}
    library_metric, lists = "dm.metric('alpha-nDCG@5')", "dm.datasets.harry_potter().lists('0083')"
    source = f"[f'{{{library_metric}.score(x):.4f}}' for x in {lists}]".replace("'al", '"al').replace(
        "@5'", '@5"'
    )
    assert kernel.good(source).result == repr([lines[name] for name in "ABCD"])
    kernel.good("%%serp mylist\nd1 film:2\nd2 book:1")
    (output,) = kernel.good(ALPHA).shown
    score = kernel.good("f'{dm.metric(\"alpha-nDCG@5\").score(mylist):.4f}'").result.strip("'")
    assert output["text/plain"].splitlines()[-1].split() == ["mylist", score]


def test_names_are_known_to_the_other_magics(kernel: Kernel) -> None:
    kernel.good(ALPHA)
    kernel.good("%%serp A\nd1 film:2\nd2 book:1")
    assert "my-alpha@5" in kernel.good("%diveval A -m my-alpha@5").result
    assert "my-alpha@2 of list A" in kernel.good("%explain A -m my-alpha@2").result
    assert "Written" in kernel.good("%metrics my-alpha").result
    assert offered(kernel, "%diveval A -m my-a") == ["my-alpha", "my-alpha-IS"]


def offered(kernel: Kernel, cell: str) -> list[str]:
    """What Tab offers at the end of a cell."""
    content = kernel.client.complete(cell, len(cell), reply=True, timeout=PATIENCE)["content"]
    matches: list[str] = content["matches"]
    return matches


def test_tab_in_the_cell(kernel: Kernel) -> None:
    assert offered(kernel, "%%metric x\nM = relevant * (1 - see") == ["seen_before", "seen"]
    assert offered(kernel, "%%metric x\nN = id") == ["ideal_gain", "ideal"]
    kernel.good(ALPHA)
    assert offered(kernel, "%%metric my") == ["my-alpha"]


def test_defined_again_and_removed(kernel: Kernel) -> None:
    assert "my-alpha is registered:" in kernel.good(ALPHA).shown[0]["text/plain"]
    assert "is registered as before" in kernel.good(ALPHA).shown[0]["text/plain"]
    (output,) = kernel.good(ALPHA.replace("0.5", "0.3")).shown
    assert "has been redefined" in output["text/plain"]
    assert kernel.good("dm.metric('my-alpha').parameters()['alpha']").result == "0.3"
    kernel.good("dm.unregister('my-alpha')")
    assert "was removed in this session" in kernel.run("dm.metric('my-alpha@5')").error


REFUSED = {
    "%%metric\nM = relevant": "the first line must give the metric's name (there is none)",
    "%%metric a b\nM = relevant": "the first line must give the metric's name (got 'a b')",
    "%%metric a:b\nM = relevant": "'a:b' cannot be a metric's name because of ':'",
    "%%metric a@5\nM = relevant": "'a@5' cannot be a metric's name because of '@'",
    "%%metric ERR-IA\nM = relevant": "'ERR-IA' is a metric of divmetrics itself",
    "%%metric mine --show\nM = relevant": "there is no option '--show'; it takes no options",
    "%%metric mine\n# later": "there is no M",
    "%%metric mine\nM = relevant *": "line 2 (M = relevant *): this is not valid Python",
    "%%metric mine\nM = relevnt": "there is no 'relevnt' in M (did you mean 'relevant'?)",
    "%%metric mine\n\nM = grade / (0 * grade)": "line 3 (M = grade / (0 * grade)): M is nan at rank",
    "%%metric mine\nM = relevant[..., :2]": "line 2 (M = relevant[..., :2]): M gives an array of the shape",
    "%%metric mine\nx = relevant.no\nM = x": "line 2 (x = relevant.no): M fails: AttributeError",
    "%%metric mine\nM = relevant * relevant[..., ::-1]": "M looks ahead: its value at rank 1",
    "%%metric mine\nM = relevant * relevant.sum(axis=-1, keepdims=True)": "its value at rank 1",
}  # fmt: skip


@pytest.mark.parametrize("before", [False, True], ids=["new", "known"])
@pytest.mark.parametrize("cell", REFUSED)
def test_a_refusal_is_one_sentence_and_changes_nothing(kernel: Kernel, cell: str, before: bool) -> None:
    if before:
        kernel.good("%%metric mine\nM = relevant")
    message = kernel.refused(cell)
    assert REFUSED[cell] in message
    stays = before and cell.startswith("%%metric mine\n")
    assert ("mine stays as it was" in message) == stays
    assert ("nothing is registered" in message) == (not stays and "--show" not in cell)


def test_an_open_lab_follows_in_the_kernel(kernel: Kernel) -> None:
    kernel.good("from divmetrics_widgets import RankedListLab\nlab = RankedListLab()")
    kernel.good(ALPHA)
    source = "lab.scores.query('metric == \"my-alpha@5\"').score.round(12).tolist()"
    expected = "[round(dm.metric('alpha-nDCG@5').score(x), 12) for x in (lab.a, lab.b)]"
    assert kernel.good(f"{source} == {expected}").result == "True"


def test_the_help_lists_the_words(kernel: Kernel) -> None:
    reply = kernel.client.execute("%%metric?", reply=True, timeout=PATIENCE)
    (page,) = reply["content"]["payload"]
    text = page["data"]["text/plain"]
    for word in ("seen_before", "unsatisfied_before", "own_ideal", "before_product(x)", "bounded"):
        assert word in text
