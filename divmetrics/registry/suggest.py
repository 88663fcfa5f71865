"""What somebody meant who typed a metric's name with a slip: the nearest name that can be read."""

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
    """The name nearest to what was typed that can be read, such as "ERR-IA@5" for "err ia"; None for none.

    Large and small letters, blanks and hyphens do not count, and words of the field lead to their metric
    ("precision" to Prec). cutoff: the one to propose where none was typed that can be read. What stands in
    parentheses stays if it can be read.
    """
    found = TYPED.fullmatch(text.strip())
    if found is None or not found["name"]:
        return None
    try:
        known = metrics(found["convention"] or convention or "paper")
    except DivmetricsError:
        return None
    name = nearest(found["name"], known)
    if name is None:
        return None
    typed = found["cutoff"] or found["bare"] or ""
    at = typed if re.fullmatch("0*[1-9][0-9]*", typed) else cutoff
    prefix = f"{found['convention']}:" if found["convention"] else ""
    tried = [f"{prefix}{name}{inside}" for inside in dict.fromkeys((found["inside"] or "", ""))]
    cut = (f"{start}@{at}" if at else start for start in tried)
    return next((said for said in cut if _reads(said, convention)), None)


def _reads(name: str, convention: str | None) -> bool:
    try:
        metric(name, convention)
    except DivmetricsError:
        return False
    return True
