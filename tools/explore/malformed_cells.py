"""Malformed cells with magics, followed by right ones; the explorer `misuse` runs them.

A cell may end in a result, in one sentence of ours, or in IPython's own message on a cell without a body.
"""

from __future__ import annotations

import atexit
import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from divmetrics import DivmetricsError
from divmetrics.notebook.magics.extension import MAGICS
from divmetrics.notebook.magics.magic import Magic
from divmetrics.registry import session

INTENTS = 'harry potter\nfilm 0.5 inf "the films"\nbook 0.3\ngames 0.2 nav\n'
A = "A\nd1 film:2 book  # both\nd2 games\nd3 ?\n"
B = "B\nd3\nd1\nd5 book:2\n"
METRIC = "M = relevant * a ** seen_before\na = 0.5\n"
GOOD = (("intents", INTENTS), ("serp", A), ("serp", B), ("metric", f"mine\n{METRIC}"))
BODIES = {"intents": INTENTS, "serp": A, "metric": f"mine\n{METRIC}"}
WORDS = (
    *("A", "B", "C", "lab", "lab.a", "A.docs", "_", "1", "0", "-1", "2.5", "nan", "inf", "1e400", "9" * 30),
    *("9" * 5000, "ERR-IA@5", "ERR-IA@0", "ERR-IA@1e3", "ERR-IA@" + "9" * 400, "ERR-IS@5", "mine@3", "P-IA"),
    *("RBU(e=1e308)@5", "alpha-nDCG(alpha=)@5", "alpha-nDCG(alpha=nan)@5", "Q-IA(beta=-1)@5", "ERR-IA@5,,@"),
    *("ndeval", "ndeval:ERR-IA@5", "ndeval:@", ":@()", "@", "((", "none", "__class__", "film", "film:2"),
    *("film:99999999999999999999", "film:-1", "film/x:1", ":", "::", "=", "?", "#", ";", "/", "."),
    *(
        "/dev/zero",
        '"',
        "'",
        '"un closed',
        "'half",
        '""',
        "\\",
        "{1/0}",
        "$A",
        "{A}",
        "!ls",
        "\u00b2",
        "\x1b[2J",
    ),
    *("\u2028", "\ud800", "\0", "</script>", "x" * 500, "lambda", "M", "M=", "a**a**a", "[0]*10**9", "scale"),
)


@contextmanager
def shell() -> Iterator[InteractiveShell]:
    """Yield a shell with the magics and nothing else."""
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    try:
        made.run_line_magic("load_ext", "divmetrics")
        yield made
    finally:
        made.run_line_magic("unload_ext", "divmetrics")
        made.atexit_operations()
        atexit.unregister(made.atexit_operations)
        InteractiveShell.clear_instance()
        for name in tuple(session.session_metrics()):
            session.unregister(name)


def drawn(rng: random.Random) -> tuple[str, str]:
    """Draw a magic's name, and the rest of its line with the cell below, often close to a valid one."""
    magic = rng.choice(MAGICS)
    line = " ".join(_piece(magic, rng) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 5])))
    if magic.name not in BODIES or (magic.kind == "line_cell" and rng.random() < 0.2):
        return magic.name, line
    first, _, body = BODIES[magic.name].partition("\n")
    lines = body.splitlines()
    for _ in range(rng.choice([0, 1, 1, 2])):
        at = rng.randrange(len(lines))
        words = lines[at].split(" ")
        words[rng.randrange(len(words))] = rng.choice(WORDS)
        lines[at] = rng.choice(["", "", "  ", "\t"]) + " ".join(words)
        if rng.random() < 0.2:
            lines.insert(rng.randrange(len(lines)), lines[at])
    return magic.name, "\n".join([first if rng.random() < 0.6 else line, *lines])


def _piece(magic: Magic, rng: random.Random) -> str:
    """Draw a word, or an option of this magic with some value."""
    if not magic.options or rng.random() < 0.5:
        return rng.choice(WORDS)
    flag = rng.choice(rng.choice(magic.options).flags)
    return f"{flag}{rng.choice([' ', ' ', '=', ''])}{rng.choice([*WORDS, ''])}"


def run(in_shell: InteractiveShell, name: str, text: str) -> Any:
    """Run a magic as in a cell: a first line, and the lines below it."""
    line, below, body = text.partition("\n")
    if below:
        return in_shell.run_cell_magic(name, line, body)
    return in_shell.run_line_magic(name, line)


def ending(in_shell: InteractiveShell, name: str, text: str) -> str:
    """Return what is wrong with the way in which a cell ends; empty if it is right."""
    try:
        with warnings.catch_warnings(), capture_output() as output:
            warnings.simplefilter("error")
            run(in_shell, name, text)
    except DivmetricsError as error:
        return "" if "\n" not in str(error) and len(str(error)) < 1000 else f"a long sentence: {error!s:.300}"
    except UsageError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.300}"
    return (
        f"a traceback is shown: {output.stdout[-300:]}"
        if "Traceback" in output.stdout + output.stderr
        else ""
    )


def findings(seed: int, tries: int) -> Iterator[str]:
    """Yield a sentence for each drawn cell that ends wrongly, or after which a right one fails."""
    rng = random.Random(f"{seed} cells")
    with shell() as in_shell:
        for number in range(tries):
            name, text = drawn(rng)
            wrong = ending(in_shell, name, text)
            if not wrong and number % 20 == 0:
                wrong = "".join(ending(in_shell, *cell) for cell in (*GOOD, ("diveval", "A B -m ERR-IA@2")))
                wrong = wrong and f"right cells fail afterwards: {wrong}"
            if wrong:
                yield f"%{name} {text!a:.400}: {wrong}"
