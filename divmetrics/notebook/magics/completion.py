"""Complete names inside the magics: metrics, parameters, conventions, options, lists, intents, files.

Names are looked up at every completion, so that recently added ones are included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from divmetrics.conventions.convention import conventions
from divmetrics.core.metric import Metric
from divmetrics.core.parts import PART_OPTIONS
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.expressions.vocabulary import words
from divmetrics.notebook.magics.cursor import CursorContext, place
from divmetrics.notebook.magics.magic import Magic
from divmetrics.notebook.magics.session import Session
from divmetrics.notebook.textformat.cell_parsers import KINDS, readable_labels
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import metrics
from divmetrics.registry.session import session_metrics

IDENTIFIER = "divmetrics"
FIRST = 1000  # before IPython's own matchers
LETTERS = 3  # from this length on, a fragment also matches inside a name: ndcg matches alpha-nDCG
CUTOFFS = ("5", "10", "20")
Completions = tuple[str, list[str]]  # the fragment before the cursor, and its replacements
KIND_LABELS = {"new name": "list", "": "label"}  # kind of argument -> text beside a completion


def _complete(session: Session, here: CursorContext) -> Completions:
    """Return the text to replace at the cursor, and what may replace it, the best first."""
    if here.body is not None:
        return _in_body(session, here)
    if here.takes == "metric":
        return _metrics(here.fragment, _convention(here))
    offers: dict[str, Callable[[], Iterable[str]]] = {
        "option": lambda: [flag for option in here.magic.options for flag in option.flags],
        "convention": conventions,
        "list": lambda: [name for name in session.lists() if name not in here.before],
        "new name": lambda: session.draft.lists,
        "new metric": session_metrics,
        "file": lambda: _files(here.fragment),
    }
    if here.takes not in offers:
        return here.fragment, []
    return here.fragment, _beginning(here.fragment, offers[here.takes]())


def _convention(here: CursorContext) -> str:
    words = here.line.replace("=", " ").split()
    named = [b for a, b in pairwise(words) if a == "--convention"]
    return named[0] if named and named[0] in conventions() else "paper"


def _metrics(fragment: str, convention: str) -> Completions:
    """Complete the name of a metric, its parameters or its cutoff."""
    prefix, colon, rest = fragment.partition(":")
    if colon and prefix in conventions():
        convention, name = prefix, rest
    else:
        name = fragment
    if "@" in name and ")" not in name.partition("@")[2]:
        digits = name.rpartition("@")[2]
        return digits, [cutoff for cutoff in CUTOFFS if cutoff.startswith(digits)]
    if "(" in name and ")" not in name:
        return _parameters(name, convention)
    names = _metric_names(convention)
    matches = _beginning(name, names)
    if len(name) >= LETTERS:
        matches += [n for n in names if name.casefold() in n.casefold() and n not in matches]
    if colon:
        return name, matches
    return name, [*matches, *_beginning(name, (f"{c}:" for c in conventions() if c != convention and name))]


def _parameters(name: str, convention: str) -> Completions:
    """Complete a parameter or its value: alpha-nDCG(al -> alpha=; alpha-nDCG(ideal= -> ideal=exact."""
    row, _, inside = name.partition("(")
    try:
        metric = metric_named(row, convention)
    except DivmetricsError:
        return "", []
    *earlier, piece = inside.split(",")
    key, equals, value = piece.strip().partition("=")
    if equals:
        return value, _beginning(value, PART_OPTIONS.get(key, {}))
    taken = {text.partition("=")[0].strip() for text in earlier}
    return key, _beginning(key, (f"{name}=" for name in metric.parameters() if name not in taken))


def _metric_names(convention: str) -> list[str]:
    """Return every name of a convention, then the intent-square forms."""
    names = list(metrics(convention, of="lists"))
    own = [n for n in names if n.endswith("-IA") or isinstance(metric_named(n, convention), Metric)]
    squares = [f"{n.removesuffix('-IA')}-IS" for n in own]
    return [*names, *(n for n in dict.fromkeys(squares) if n not in names)]


def _in_body(session: Session, here: CursorContext) -> Completions:
    """Complete documents and labels in %%serp, kinds in %%intents, quantities and functions in %%metric."""
    if here.magic.body == "words":
        word = re.split(r"\W", here.fragment)[-1]
        return word, _beginning(word, words()) if word else []
    if here.magic.name == "intents":
        return here.fragment, _beginning(here.fragment, KINDS) if len(here.before) > 1 else []
    if here.magic.body != "labels":
        return here.fragment, []
    draft = session.draft
    if not here.before:
        return here.fragment, _beginning(here.fragment, draft.judgments.docs if draft.judgments else ())
    key, colon, digits = here.fragment.partition(":")
    if colon:
        top = draft.scale[0] if draft.scale else draft.judgments.scale if draft.judgments else 1
        return digits, _beginning(digits, map(str, range(1, top + 1)))
    names = draft.keys
    if draft.intents is None:
        keys = dict.fromkeys([*names, *readable_labels(here.body or "")])
        names = [k for k in keys if k != key or k in names]
    taken = {word.partition(":")[0] for word in here.before[1:]}
    return key, _beginning(key, (k for k in names if k not in taken))


def _files(fragment: str) -> Iterable[str]:
    folder, slash, _ = fragment.rpartition("/")
    try:
        inside = sorted(Path(f"{folder}{slash}" or ".").expanduser().iterdir())
    except OSError:
        return
    for path in inside:
        if not path.name.startswith("."):
            yield f"{folder}{slash}{path.name}{'/' if path.is_dir() else ''}"


def _beginning(fragment: str, names: Iterable[str]) -> list[str]:
    """Return the names that begin with the fragment, ignoring case."""
    return [name for name in names if name.casefold().startswith(fragment.casefold())]


def install(shell: Any, session: Session, magics: Mapping[str, Magic]) -> Callable[[], None]:
    """Add a matcher that runs before IPython's own; return a function that removes it."""
    try:
        from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher
    except ImportError:  # IPython before 8.6, as in Colab, has no such matchers
        return lambda: None

    def offer(context: CompletionContext) -> dict[str, Any]:
        above = context.full_text.split("\n")[: context.cursor_line]
        cursor = sum(len(line) + 1 for line in above) + context.cursor_position
        here = place(context.full_text, cursor, magics)
        kind = KIND_LABELS.get(here.takes, here.takes) if here else ""
        completions = _complete(session, here) if here else None
        fragment, offered = completions or (context.token, [])
        return {
            "completions": [SimpleCompletion(text=text, type=kind) for text in offered],
            "matched_fragment": fragment,
            "suppress": bool(offered),
            "ordered": True,
        }

    matcher = context_matcher(identifier=IDENTIFIER, priority=FIRST)(offer)
    matchers: list[Any] = shell.Completer.custom_matchers
    matchers.append(matcher)
    return lambda: matchers.remove(matcher) if matcher in matchers else None
