"""Make metrics measures of ir_measures, with its spelling of names and parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import ir_measures.measures
from ir_measures import ParamInfo

from divmetrics.conventions.convention import conventions
from divmetrics.core import checks
from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.registry import metric as metric_named
from divmetrics.registry.session import added_metrics

PLAIN = "paper"  # the convention that a bare name means
CUTOFF = "cutoff"
SEPARATORS = re.compile(r"\W+")
LIST_PARAMETERS: Mapping[str, ParamInfo] = MappingProxyType(
    {
        CUTOFF: ParamInfo(dtype=int, desc="ranking cutoff threshold"),
        "rel": ParamInfo(dtype=int, default=1, desc="lower grades count as 0"),
        "judged_only": ParamInfo(dtype=bool, default=False, desc="leave out documents without a judgment"),
        "scale": ParamInfo(dtype=int, default=None, desc="the top grade; else the highest in the judgments"),
    }
)


class Measure(ir_measures.Measure):
    """A measure of ir_measures that computes a metric of divmetrics.

    Calling a measure, as in `Dsharp_nDCG(gamma=0.3)`, returns the measure with other parameters.

    Parameters
    ----------
    row : Metric
        The metric, without cutoff.
    name : str
        The name of the measure in ir_measures.
    **params : int, float, str or bool
        Parameters of the metric, and cutoff (the last rank that counts; by default the end of the list), rel
        (lower grades count as 0; 1 by default), judged_only (whether documents without a judgment are left
        out of the lists; False by default) and scale (the top grade; by default the highest in the
        judgments).

    Raises
    ------
    DivmetricsError
        If the metric has no such parameter, or a value is of the wrong type or out of range.
    """

    def __init__(self, row: BaseMetric, name: str, **params: Any) -> None:
        self.row, self.name = row, name
        self.NAME = self.__name__ = name
        supported = self.SUPPORTED_PARAMS
        unknown = next((key for key in params if key not in supported), None)
        if unknown is not None:
            hint = did_you_mean(unknown, supported)
            raise DivmetricsError(f"{name} has no parameter {unknown!r}{hint}; it has {', '.join(supported)}")
        # Always in one order, because ir_measures compares measures by their printed form.
        values = {key: _like(supported[key].default, params[key]) for key in supported if key in params}
        super().__init__(**values)
        self.rel = checks.check_whole(f"{name}: rel", self["rel"], 1)
        self.judged_only = self["judged_only"]
        if not isinstance(self.judged_only, bool):
            raise DivmetricsError(
                f"{name}: judged_only is {checks.quote(self.judged_only)}, expected True or False"
            )
        self.scale = None if self["scale"] is None else checks.check_whole(f"{name}: scale", self["scale"], 1)
        own = {_dotted(key): value for key, value in self.params.items() if key not in LIST_PARAMETERS}
        cut = row.with_parameters(**own) if own else row
        self.metric = cut @ self.params[CUTOFF] if CUTOFF in self.params else cut

    @cached_property
    def SUPPORTED_PARAMS(self) -> dict[str, ParamInfo]:  # type: ignore[override]
        """{name: ParamInfo} of cutoff, rel, judged_only and scale, then of the metric's own parameters."""
        own = {
            _undotted(place.name): ParamInfo(default=place.values[-1], desc=place.setting.says)
            for place in self.row.settings()
        }
        return {**LIST_PARAMETERS, **own}

    def __call__(self, **params: Any) -> Measure:
        return Measure(self.row, self.name, **{**self.params, **params})

    def validate_params(self) -> None:
        """Do nothing: parameters are validated when the measure is made."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and repr(self) == repr(other) and self.metric == other.metric

    __hash__ = ir_measures.Measure.__hash__


def identifier(name: str) -> str:
    """Return a metric's name as an identifier of Python: `Dsharp_nDCG`, `P_plus_Q`, `_1_call`."""
    plain = SEPARATORS.sub("_", name.replace("#", "sharp").replace("+", "_plus_")).strip("_")
    return f"_{plain}" if plain[:1].isdigit() else plain


def _with_squares(convention: str) -> dict[str, BaseMetric]:
    """Return {name: metric} of a convention's table, followed by the intent-square form of each."""
    rows = {name: metric_named(f"{convention}:{name}") for name in conventions()[convention].rows}
    squares = dict.fromkeys(f"{name.removesuffix('-IA')}-IS" for name in rows)
    return rows | {name: metric_named(f"{convention}:{name}") for name in squares}


@public
def measure(name: str | BaseMetric, convention: str = PLAIN) -> Measure:
    """Return the measure of any metric, including registered metrics and metrics of plug-ins.

    Parameters
    ----------
    name : str or Metric
        The metric, by its name in divmetrics, such as "D#-nDCG(gamma=0.3)@10".
    convention : {"paper", "ndeval", "ntcireval", "nuggetizer", "freshstack", ...}
        The convention of a name without prefix; ignored for a Metric.

    Returns
    -------
    Measure
        The measure, for `ir_measures.calc_aggregate` and the other functions of ir_measures. It has the
        cutoff and the parameters that the name sets.

    Raises
    ------
    DivmetricsError
        If there is no such metric or convention, or a Metric is passed whose name is that of another metric.

    Examples
    --------
    >>> from divmetrics.adapters.ir_measures import measure
    >>> measure("D#-nDCG(gamma=0.3)@10")
    Dsharp_nDCG(gamma=0.3)@10
    """
    chosen = metric_named(name, convention)
    called = identifier(chosen.name if chosen.convention == PLAIN else f"{chosen.convention}_{chosen.name}")
    params: dict[str, Any] = {_undotted(key): value for key, value in chosen.explicit_parameters}
    if chosen.cutoff is not None:
        params[CUTOFF] = chosen.cutoff
    if called not in MEASURES:
        registered = added_metrics().get(chosen.name, chosen)
        made = Measure(registered, called, **params)
        return made if made.metric == chosen else Measure(chosen, called, **params)
    kind = MEASURES[called]
    if not params.keys() <= kind.SUPPORTED_PARAMS.keys() or kind(**params).metric != chosen:
        raise DivmetricsError(
            f"{chosen.name!r} is another metric's name; give yours a name of its own by its method with_name"
        )
    return kind(**params)


def _registered() -> dict[str, Measure]:
    """Return {name: measure} of every metric; register the names that are free in ir_measures there."""
    measures: dict[str, Measure] = {}
    for convention in conventions():
        for name, row in _with_squares(convention).items():
            bare, whole = identifier(name), identifier(f"{convention}_{name}")
            taken = bare in ir_measures.measures.registry
            made = Measure(row, whole if taken or convention != PLAIN else bare)
            for called in [whole, *([bare] if convention == PLAIN else [])]:
                measures[called] = made
                if called not in ir_measures.measures.registry:
                    ir_measures.measures.register(made, name=called)
    return measures


def _like(default: Any, value: Any) -> Any:
    """Return the value, converted from int to float if the default is a float."""
    return float(value) if isinstance(default, float) and checks.is_whole(value) else value


def _undotted(name: str) -> str:
    return name.replace(".", "__")


def _dotted(name: str) -> str:
    return name.replace("__", ".")


MEASURES: Mapping[str, Measure] = MappingProxyType(_registered())
