"""Parse names to metrics, which print them back: `alpha-nDCG(alpha=0.5)@20`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from divmetrics.conventions.convention import Convention, conventions
from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.core.metric import MAX_CUTOFF, BaseMetric, IntentSquare, Metric, Value
from divmetrics.errors import DivmetricsError, join_words, shorten
from divmetrics.registry.aliases import GREEK, hyphenate_aliases, nearest, resolve_alias, spellings
from divmetrics.registry.session import added_metrics, explain_missing, session_metrics

NAME = re.compile(
    r"(?:(?P<convention>[a-z]+):)?(?P<name>[^():@\s]+)(?:\((?P<inside>[^()]*)\))?(?:@(?P<cutoff>.*))?"
)


@public
def metric(name: str | BaseMetric, convention: str | None = None) -> BaseMetric:
    """Parse a metric's name.

    A name is `NAME`, `NAME@cutoff` or `NAME(parameter=value)@cutoff`, such as `alpha-nDCG(alpha=0.3)@10`;
    without `@` the whole list counts. It may carry its convention, in lower case: `ndeval:ERR-IA@20`. Case,
    hyphens and underscores do not matter unless several metrics match (`err_ia`, `Dsharp-nDCG`), and other
    names of the field are accepted (`Coverage`, `strec`); `str(metric)` is the name that the convention
    prints.

    Parameters
    ----------
    name : str or BaseMetric
        The name. A metric is returned as it is, whatever the convention.
    convention : {"paper", "ndeval", "ntcireval", "nuggetizer", "freshstack", ...}, optional
        The convention of a name without prefix; by default "paper". Registered metrics and metrics of
        plug-ins have no prefix, and are in every convention.

    Returns
    -------
    BaseMetric
        The metric: a Metric, or a combination of several.

    Raises
    ------
    DivmetricsError
        If there is no such metric or convention, a parameter or the cutoff is invalid (whole numbers from 1
        to 1,000,000 are valid), or the name may be several metrics.

    Examples
    --------
    >>> import divmetrics as dm
    >>> print(dm.metric("ALPHA_nDCG(alpha=0.3)@10"))
    alpha-nDCG(alpha=0.3)@10
    >>> dm.metric("S-recall@5") == dm.metric("strec@5")
    True
    """
    if isinstance(name, BaseMetric):
        return name
    if not isinstance(name, str):
        raise DivmetricsError(f"{name!r} is neither a metric nor the name of one, such as 'ERR-IA@20'")
    return _of_the_tables(name, convention) or _parsed(name, convention)


@lru_cache(maxsize=4096)
def _of_the_tables(name: str, convention: str | None) -> BaseMetric | None:
    """Parse an exact name of a table, cached because tables never change; return None for other names."""
    match = NAME.fullmatch(name.strip())
    if match is None or _row(_table(match["convention"], convention).every_row, match["name"]) is None:
        return None
    return _parsed(name, convention)


def _parsed(name: str, convention: str | None) -> BaseMetric:
    match = NAME.fullmatch(hyphenate_aliases(name.strip()))
    if match is None:
        raise DivmetricsError(
            f"metric {shorten(name)!r} cannot be read; expected NAME, NAME@cutoff or "
            "NAME(parameter=value)@cutoff, as in 'alpha-nDCG(alpha=0.5)@20'"
        )
    table = _table(match["convention"], convention)
    details = match.string[match.end("name") :]
    result = _row_or_raise(match["name"], table, bool(match["convention"]), details)
    if match["inside"] is not None:
        result = result.with_parameters(**_parameters(name, match["inside"]))
    if match["cutoff"] is not None:
        result = result @ _cutoff(name, match["cutoff"])
    return result


@public
def metrics(convention: str = "paper", of: Literal["lists", "pages"] | None = None) -> tuple[str, ...]:
    """List the names of all metrics.

    Every metric X-IA, or X without -IA, also has an intent-square form X-IS, which is not listed.

    Parameters
    ----------
    convention : {"paper", "ndeval", "ntcireval", "nuggetizer", "freshstack", ...}
        The convention whose table is listed.
    of : {"lists", "pages"}, optional
        List only the metrics of ranked lists, or only those of pages of blocks (AS_DCG, AS_RBP, AS_ERR, in
        the convention "paper"). By default both.

    Returns
    -------
    tuple of str
        The names of the table, without prefix and cutoff, in its order, those of pages last; then those of
        plug-ins and of this session, which count as metrics of ranked lists.

    Raises
    ------
    DivmetricsError
        If there is no such convention, or `of` is something else.

    Examples
    --------
    >>> import divmetrics as dm
    >>> dm.metrics("ndeval")[:4]
    ('ERR-IA', 'nERR-IA', 'alpha-DCG', 'alpha-nDCG')
    >>> dm.metrics(of="pages")
    ('AS_DCG', 'AS_RBP', 'AS_ERR')
    """
    table = convention_named(convention)
    if of is None:
        return (*table.every_row, *added_metrics())
    check_choice("of", of, ("lists", "pages"))
    return tuple(table.page_rows) if of == "pages" else (*table.rows, *added_metrics())


@public
def names_of(name: str | BaseMetric) -> tuple[str, ...]:
    """List the names of all metrics, of any convention, that compute the same as a metric.

    Parameters
    ----------
    name : str or BaseMetric
        The metric, or its name in the convention "paper" or with a prefix. It may be a metric of your own.

    Returns
    -------
    tuple of str
        The names of metrics of ranked lists with the same parts and cutoff, with parameters if they differ
        from the convention's defaults; names without parameters come first. Empty for a metric that no
        convention has, and for each that is not one row of parts (`Metric`): those that merge intents, such
        as D-Q and ERR, sums such as D#-nDCG, P+Q, and X-IS.

    Raises
    ------
    DivmetricsError
        If there is no metric of this name.

    Examples
    --------
    >>> from divmetrics.registry import names_of
    >>> names_of("S-recall@5")[:2]
    ('S-recall@5', 'I-rec@5')
    """
    row = metric(name)
    if not isinstance(row, Metric):
        return ()
    matches = [
        replace(same, cutoff=row.cutoff)
        for table in conventions().values()
        for other in table.rows.values()
        if isinstance(other, Metric)
        and (same := _with_parameters_of(row, other)) is not None
        and _unnamed(same) == _unnamed(row)
    ]
    return tuple(str(same) for same in sorted(matches, key=lambda same: len(same.explicit_parameters)))


def intent_square(flat: BaseMetric) -> BaseMetric | None:
    """Return the intent-square form of a metric, without cutoff and with its convention's parameters.

    That is X-IS of X-IA or X. None if the convention has no such metric, or X-IS is the form of another one:
    ERR-IS is that of ERR-IA, not of ERR.
    """
    try:
        square = metric(f"{flat.name.removesuffix('-IA')}-IS", flat.convention)
    except DivmetricsError:
        return None
    return square if isinstance(square, IntentSquare) and square.metric.name == flat.name else None


def _with_parameters_of(row: Metric, other: Metric) -> Metric | None:
    """Return the row `other` with the parameters of `row`, or None if `other` lacks one."""
    own = other.parameters()
    differing = {k: v for k, v in _unnamed(row).parameters().items() if own.get(k) != v}
    try:
        return other.with_parameters(**differing)
    except DivmetricsError:
        return None


def _unnamed(row: Metric) -> Metric:
    """Return the row without name and cutoff, to compare what rows compute."""
    return replace(row, name="", cutoff=None)


def _table(prefix: str | None, default: str | None) -> Convention:
    return convention_named(prefix or default or "paper")


def _row_or_raise(name: str, table: Convention, prefixed: bool, details: str) -> BaseMetric:
    """Return the row of a name; load plug-ins only if neither the table nor the session has the name.

    details: the text after the name, for messages. Raises DivmetricsError, with the nearest names, if the
    name is unknown.
    """
    here = table.every_row if prefixed else {**table.every_row, **session_metrics()}
    row = _row(here, name)
    if row is None and not prefixed:
        here = {**table.every_row, **added_metrics()}
        row = _row(here, name)
        removed = (
            "" if row is not None else explain_missing(name) or explain_missing(name.removesuffix("-IS"))
        )
        if removed:
            raise DivmetricsError(removed)
    if row is None:
        row = _row(here, resolve_alias(name, here) or "")
    if row is None:
        raise _unknown(name, table, here, details)
    return row


def _unknown(name: str, table: Convention, here: Mapping[str, BaseMetric], details: str) -> DivmetricsError:
    several = spellings(name, here)
    if several:
        return DivmetricsError(
            f"{shorten(name)!r} may be {' or '.join(map(repr, several))}, which differ in spelling only; "
            "write the exact name of one"
        )
    elsewhere = {
        other.name: row.name
        for other in conventions().values()
        if (row := _row(rows := other.every_row, name) or _row(rows, resolve_alias(name, rows) or ""))
    }
    if elsewhere:
        qualified = " or ".join(
            repr(shorten(f"{owner}:{base}{details}")) for owner, base in elsewhere.items()
        )
        noun = "convention" if len(elsewhere) == 1 else "conventions"
        return DivmetricsError(
            f"there is no metric {shorten(name)!r} in convention {table.name!r}, only in the {noun} "
            f"{join_words([*elsewhere])}; write {qualified}"
        )
    meant = nearest(name, here)
    hint = "" if meant is None else f" (did you mean {meant!r}?)"
    return DivmetricsError(
        f"there is no metric {shorten(name)!r} in convention {table.name!r}{hint}; "
        "`divmetrics metrics` lists them"
    )


def _row(rows: Mapping[str, BaseMetric], name: str) -> BaseMetric | None:
    if name in rows:
        return rows[name]
    if name.endswith("-IS") and not name.endswith("-IA-IS"):
        for base in (f"{name[:-3]}-IA", name[:-3]):
            if base in rows:
                row = rows[base]
                return IntentSquare(name, row, source="yu2017", convention=row.convention)
    return None


def _parameters(name: str, inside: str) -> dict[str, Value]:
    values: dict[str, Value] = {}
    whose = f"metric {shorten(name)!r}"
    for piece in filter(None, (p.strip() for p in inside.split(","))):
        key, equals, text = (p.strip() for p in piece.partition("="))
        if not equals or not key or not text:
            raise DivmetricsError(f"{whose}: {shorten(piece)!r} is not of the form parameter=value")
        key = GREEK.get(key, key)
        if key in values:
            raise DivmetricsError(f"{whose}: parameter {shorten(key)!r} is given twice; give it once")
        try:
            values[key] = int(text) if re.fullmatch(r"[0-9]{1,15}", text) else float(text)
        except ValueError:
            values[key] = text
    return values


def _cutoff(name: str, text: str) -> int:
    digits = re.fullmatch(rf"0*([0-9]{{1,{len(str(MAX_CUTOFF))}}})", text)
    if digits is None or not 1 <= int(digits[1]) <= MAX_CUTOFF:
        raise DivmetricsError(
            f"metric {shorten(name)!r}: the cutoff is {shorten(text)!r}, expected a whole number of at "
            f"least 1, as in '@20' (at most {MAX_CUTOFF:,}; without '@' the whole list counts)"
        )
    return int(digits[1])


@public
def with_defaults(name: str | BaseMetric, defaults: Mapping[str, Value]) -> BaseMetric:
    """Set parameters of a metric that its name does not set.

    Parameters
    ----------
    name : str or BaseMetric
        The metric, or its name in the convention "paper" or with a prefix.
    defaults : dict
        {parameter: value}; parameters that the metric does not have, or that its name sets, are ignored.

    Returns
    -------
    BaseMetric
        The metric with these parameters. Its name does not show them, so that it equals the metric of its
        name only if they are the convention's.

    Raises
    ------
    DivmetricsError
        If there is no metric of this name, or a value is out of the range of its parameter.

    Examples
    --------
    >>> from divmetrics.registry import with_defaults
    >>> with_defaults("alpha-nDCG", {"alpha": 0.3}).parameters()["alpha"]
    0.3
    >>> with_defaults("alpha-nDCG(alpha=0.7)", {"alpha": 0.3}).parameters()["alpha"]
    0.7
    """
    row = metric(name)
    if not defaults:
        return row
    has, own = row.parameters(), dict(row.explicit_parameters)
    new = {k: v for k, v in defaults.items() if k in has and k not in own}
    exact = {k: v for k, v in own.items() if "." in k}  # a parameter of one part only
    return (
        replace(row.with_parameters(**new, **exact), explicit_parameters=row.explicit_parameters)
        if new
        else row
    )
