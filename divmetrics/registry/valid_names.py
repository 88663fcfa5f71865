"""Check the names of metrics that are registered or brought by plug-ins."""

from __future__ import annotations

import re

from divmetrics.conventions.convention import conventions
from divmetrics.errors import DivmetricsError

NAME = re.compile(r"[^\s():@,;='\"`*%!\\\ud800-\udfff]+")


def check_metric_name(name: str) -> None:
    """Raise DivmetricsError unless a metric of users or plug-ins may have the name.

    It must not be empty, begin with a hyphen, end in -IS, be a name in the table of any convention, or hold
    blanks, quotation marks or signs such as ( ) : @ , ; =.
    """
    if not name:
        raise DivmetricsError("a metric of one's own needs a name, such as my-alpha")
    if NAME.fullmatch(name) is None or name.startswith("-"):
        wrong = next((sign for sign in name if NAME.fullmatch(sign) is None), name[0])
        what = "a blank" if wrong.isspace() else repr(wrong)
        raise DivmetricsError(
            f"{name!r} cannot be a metric's name because of {what}; take letters, digits and hyphens, as in "
            "my-alpha (a cutoff and parameters follow where it is asked for: my-alpha(alpha=0.3)@10)"
        )
    for table in conventions().values():
        if name in table.every_row:
            whose = "" if table.name == "paper" else f" in convention {table.name}"
            raise DivmetricsError(f"{name!r} is a metric of divmetrics itself{whose}; take another name")
    if name.endswith("-IS"):
        raise DivmetricsError(
            f"{name!r} would be the intent-square form of {name[:-3]!r}, which every metric has by itself; "
            "take a name that does not end in -IS"
        )
