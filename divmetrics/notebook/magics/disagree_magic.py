"""%disagree: find two lists on which two metrics disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.core.judgments import Judgments
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.magics.arguments import Arguments, at_most, read_arguments
from divmetrics.notebook.magics.magic import CONVENTION, Magic, Option
from divmetrics.notebook.magics.resolve import one_list
from divmetrics.notebook.magics.session import Session
from divmetrics.registry.parse import metric

if TYPE_CHECKING:
    from divmetrics.research.disagreements import Agreement, Disagreement

USUAL_LENGTH = 5
DEFAULTS = {"budget": 200_000, "seed": 0}


def _find_disagreement(session: Session, line: str) -> Disagreement | Agreement:
    """%disagree METRIC METRIC [LIST] [--length NUMBER] [--edits] [--seed NUMBER] [--budget NUMBER]

    Two lists of the judged documents of a topic, one that the first metric prefers and one that the second
    prefers, and why. The documents are those of the LIST's topic; without one, of the topic you write on.

        %disagree ERR-IA@5 D#-nDCG@5
        %disagree ERR-IA@5 alpha-nDCG@5 A
        found = %disagree S-recall@3 ERR-IA@3 --length 3 --edits

    --length NUMBER      documents in each list; of the LIST, or at most five; no deeper than the metrics look
    --edits              two lists that are as near to each other as can be, not as far apart in score
    --budget NUMBER      compare at most so many lists (200000); where there are more, they are searched
    --seed NUMBER        of the search
    --convention NAME    whose formulas bare names mean: paper, ndeval or ntcireval

    Returns a Disagreement with the lists `.a` and `.b`, `.scores` and `.words`, or an Agreement.
    """
    arguments = read_arguments(MAGIC, line)
    at_most(arguments.words, 3, "two metrics and perhaps a list")
    if len(arguments.words) < 2:
        raise DivmetricsError("expected two metrics, as in %disagree ERR-IA@5 D#-nDCG@5")
    first, second = (metric(word, arguments.one("convention", "paper")) for word in arguments.words[:2])
    judgments, length = _judgments(session, arguments)
    cutoffs = [m.cutoff for m in (first, second) if m.cutoff is not None]
    if len(cutoffs) == 2:  # neither metric looks deeper
        length = min(length, max(cutoffs))
    from divmetrics.research.disagreements import disagree  # loaded by those who ask

    return disagree(
        first,
        second,
        judgments,
        arguments.number("length", length),
        find="edits" if arguments.has("edits") else "margin",
        budget=arguments.number("budget", DEFAULTS["budget"]),
        seed=arguments.number("seed", DEFAULTS["seed"]),
    )


def _judgments(session: Session, arguments: Arguments) -> tuple[Judgments, int]:
    """Return the judgments to make lists from, and the default length of the lists.

    Raises DivmetricsError if the line names no list and it is not clear which judgments are meant.
    """
    if len(arguments.words) == 3:
        ranked = one_list(session, arguments.words[2])
        return ranked.judgments, min(len(ranked), len(ranked.judgments.docs))
    judgments = session.draft.judgments
    if judgments is None:
        lists = list(session.lists().values())
        if len({id(ranked.judgments) for ranked in lists}) != 1:
            there = f"name one of {', '.join(session.lists())}" if lists else "write one with %%serp A"
            raise DivmetricsError(f"no topic has judged documents to make lists from; {there}")
        judgments = lists[0].judgments
    return judgments, min(USUAL_LENGTH, len(judgments.docs))


MAGIC = Magic(
    "disagree",
    _find_disagreement,
    options=(
        Option("--length", "number"),
        Option("--edits"),
        Option("--budget", "number"),
        Option("--seed", "number"),
        CONVENTION,
    ),
    words=("metric", "metric", "list", ""),
)
