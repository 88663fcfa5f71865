"""Suggest the name that a misspelt metric's name stands for."""

from __future__ import annotations

import re

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.registry.aliases import nearest
from divmetrics.registry.parse import metric, metrics

# `err-ia`, `ERR IA @ 5`, `alpha_ndcg (alpha=.3)`, `ndcg 10`
TYPED = re.compile(
    r"(?:(?P<convention>[a-z]+):)?(?P<name>[^():@]*?)\s*(?P<inside>\([^()]*\))?"
    r"\s*(?:@\s*(?P<cutoff>.*)|(?<=\s)(?P<bare>[0-9]+))?"
)


@public
def suggest_name(text: str, convention: str | None = None, cutoff: int | None = None) -> str | None:
    """Return the valid name of a metric that is nearest to a text.

    Parameters
    ----------
    text : str
        What somebody typed, such as "err ia @5" or "ndcg 10". Case, blanks and hyphens do not count, and
        words of the field lead to their metric ("precision" to Prec).
    convention : str, optional
        The convention of a text without prefix; by default "paper".
    cutoff : int, optional
        The cutoff of the result if the text has no valid one; by default the result then has none.

    Returns
    -------
    str or None
        A name that `divmetrics.metric` parses, with the prefix and the cutoff of the text, and its parameters
        if they are valid. None if no name is near, or there is no such convention.

    Raises
    ------
    DivmetricsError
        If an argument has the wrong type.

    Examples
    --------
    >>> suggest_name("err ia", cutoff=5), suggest_name("xyz")
    ('ERR-IA@5', None)
    """
    match = TYPED.fullmatch(text.strip())
    if match is None or not match["name"]:
        return None
    try:
        names = metrics(match["convention"] or convention or "paper")
    except DivmetricsError:
        return None
    name = nearest(match["name"], names)
    if name is None:
        return None
    typed = match["cutoff"] or match["bare"] or ""
    at = typed if re.fullmatch("0*[1-9][0-9]*", typed) else cutoff
    prefix = f"{match['convention']}:" if match["convention"] else ""
    tried = [f"{prefix}{name}{inside}" for inside in dict.fromkeys((match["inside"] or "", ""))]
    cut = (f"{start}@{at}" if at else start for start in tried)
    return next((proposal for proposal in cut if _is_valid(proposal, convention)), None)


def _is_valid(name: str, convention: str | None) -> bool:
    try:
        metric(name, convention)
    except DivmetricsError:
        return False
    return True
