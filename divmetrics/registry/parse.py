"""Names and metrics: `alpha-nDCG(alpha=0.5)@20` parses to a metric and prints back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from divmetrics.conventions.convention import Convention, convention, conventions
from divmetrics.core.calls import public
from divmetrics.core.metric import MAX_CUTOFF, BaseMetric, IntentSquare, Metric, Value
from divmetrics.errors import DivmetricsError, brief
from divmetrics.registry.aliases import hyphenate_aliases, nearest, resolve_alias
from divmetrics.registry.session import added_metrics, explain_missing, session_metrics

NO_ROWS: Mapping[str, BaseMetric] = MappingProxyType({})
NAME = re.compile(
    r"(?:(?P<convention>[a-z]+):)?(?P<name>[^():@\s]+)(?:\((?P<inside>[^()]*)\))?(?:@(?P<cutoff>.*))?"
)


@public
def metric(
    name: str | BaseMetric, convention: str | None = None, *, also: Mapping[str, BaseMetric] = NO_ROWS
) -> BaseMetric:
    """The metric of a name such as `ERR-IA@20`, `alpha-nDCG(alpha=0.3)@10`, `D#-nDCG`, `ERR-IS@5`.

    A name may carry its convention (`paper:ERR-IA@20`); otherwise `convention` says whose it is, `also` holds
    further rows, and one's own metrics (`register`) and those of plug-ins are known in every convention. So
    are other names of the field for one of its metrics (`Coverage`, `StRecall`, `alpha_nDCG`), which then
    has the name that the convention prints.
    Without `@` the whole list counts. Raises DivmetricsError, naming what was expected,
    when the name, a parameter or the cutoff is not known.
    """
    if isinstance(name, BaseMetric):
        return name
    if not isinstance(name, str):
        raise DivmetricsError(f"{name!r} is neither a metric nor the name of one, such as 'ERR-IA@20'")
    return (None if also else _of_the_tables(name, convention)) or _parsed(name, convention, also)


@lru_cache(maxsize=4096)
def _of_the_tables(name: str, convention: str | None) -> BaseMetric | None:
    """Kept, since a table never changes and a widget asks for the same few names at every edit."""
    found = NAME.fullmatch(name.strip())
    if found is None or _row(_table(found["convention"], convention).rows, found["name"]) is None:
        return None
    return _parsed(name, convention, NO_ROWS)


def _parsed(name: str, convention: str | None, also: Mapping[str, BaseMetric]) -> BaseMetric:
    found = NAME.fullmatch(hyphenate_aliases(name.strip()))
    if found is None:
        raise DivmetricsError(
            f"metric {brief(name)!r} cannot be read; expected NAME, NAME@cutoff or "
            "NAME(parameter=value)@cutoff, as in 'alpha-nDCG(alpha=0.5)@20'"
        )
    table = _table(found["convention"], convention)
    result = _known(found["name"], table, also, bool(found["convention"]))
    if found["inside"] is not None:
        result = result.with_parameters(**_parameters(name, found["inside"]))
    if found["cutoff"] is not None:
        result = result @ _cutoff(name, found["cutoff"])
    return result


def metrics(convention_name: str = "paper") -> tuple[str, ...]:
    """Every name of a convention's tables, in their order; then those of plug-ins and your own."""
    return (*convention(convention_name).rows, *added_metrics())


def names_of(row: Metric) -> tuple[str, ...]:
    """Every name that the tables have for what this row computes, whatever its own name is.

    Parameters are said where they are not those of the table's row, and names without any come first:
    `("S-recall@5", "I-rec@5")`. Empty for a row that is in no table.
    """
    found = [
        replace(same, cutoff=row.cutoff)
        for table in conventions().values()
        for known in table.rows.values()
        if isinstance(known, Metric)
        and (same := _with_parameters_of(row, known)) is not None
        and _unnamed(same) == _unnamed(row)
    ]
    return tuple(str(same) for same in sorted(found, key=lambda same: len(same.given)))


def intent_square(flat: BaseMetric) -> BaseMetric | None:
    """X-IS of X-IA or X, as a bare row; None where that is another's: ERR-IS is of ERR-IA, not of ERR."""
    try:
        square = metric(f"{flat.name.removesuffix('-IA')}-IS", flat.convention)
    except DivmetricsError:
        return None
    return square if isinstance(square, IntentSquare) and square.metric.name == flat.name else None


def _with_parameters_of(row: Metric, known: Metric) -> Metric | None:
    """A known row with the parameters of this one, if it has them all."""
    own = known.parameters()
    differing = {k: v for k, v in _unnamed(row).parameters().items() if own.get(k) != v}
    try:
        return known.with_parameters(**differing)
    except DivmetricsError:
        return None


def _unnamed(row: Metric) -> Metric:
    """What the row computes, apart from its name and its cutoff."""
    return replace(row, name="", cutoff=None)


def _table(prefix: str | None, default: str | None) -> Convention:
    if prefix is not None and prefix not in conventions() and default is None:
        default = prefix  # the error names what was written
    return convention(prefix or default or "paper")


def _known(name: str, table: Convention, also: Mapping[str, BaseMetric], prefixed: bool) -> BaseMetric:
    """The row of a name; plug-ins are looked for only where it is neither in a table nor one's own."""
    here = table.rows if prefixed else {**table.rows, **also, **session_metrics()}
    found = _row(here, name)
    if found is None and not prefixed:
        here = {**table.rows, **also, **added_metrics()}
        found = _row(here, name)
    if found is not None:
        return found
    why = "" if prefixed else explain_missing(name) or explain_missing(name.removesuffix("-IS"))
    if why:
        raise DivmetricsError(why)
    other = resolve_alias(name, here)
    if other is not None:
        return here[other]
    meant = nearest(name, here)
    hint = "" if meant is None else f" (did you mean {meant!r}?)"
    raise DivmetricsError(
        f"there is no metric {brief(name)!r} in convention {table.name!r}{hint}; "
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
    whose = f"metric {brief(name)!r}"
    for piece in filter(None, (p.strip() for p in inside.split(","))):
        key, equals, text = (p.strip() for p in piece.partition("="))
        if not equals or not key or not text:
            raise DivmetricsError(f"{whose}: {brief(piece)!r} is not of the form parameter=value")
        if key in values:
            raise DivmetricsError(f"{whose}: parameter {brief(key)!r} is given twice; give it once")
        try:
            values[key] = int(text) if re.fullmatch(r"[0-9]{1,15}", text) else float(text)
        except ValueError:
            values[key] = text
    return values


def _cutoff(name: str, text: str) -> int:
    if (
        not re.fullmatch(rf"0*[0-9]{{1,{len(str(MAX_CUTOFF))}}}", text)
        or not 1 <= int(text[-9:]) <= MAX_CUTOFF
    ):
        raise DivmetricsError(
            f"metric {brief(name)!r}: the cutoff is {brief(text)!r}, expected a whole number of at "
            f"least 1, as in '@20' (at most {MAX_CUTOFF:,}; without '@' the whole list counts)"
        )
    return int(text)


def with_defaults(chosen: BaseMetric, defaults: dict[str, Value]) -> BaseMetric:
    """The metric with these parameters, where it has them and its name did not set them itself."""
    if not defaults:
        return chosen
    has, own = chosen.parameters(), dict(chosen.given)
    new = {k: v for k, v in defaults.items() if k in has and k not in own}
    exact = {k: v for k, v in own.items() if "." in k}  # said of one place: it holds there
    return replace(chosen.with_parameters(**new, **exact), given=chosen.given) if new else chosen
