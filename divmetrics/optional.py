"""Packages that only a part of divmetrics needs, and the error for one that is not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from divmetrics.errors import DivmetricsError

# {import name: (distribution name, extra of pyproject.toml)}
PACKAGES = {
    "altair": ("altair", "charts"),
    "vl_convert": ("vl-convert-python", "charts"),
    "anywidget": ("anywidget", "widgets"),
    "ipywidgets": ("ipywidgets", "widgets"),
    "scipy": ("scipy", "statistics"),
    "joblib": ("joblib", "statistics"),
    "pyarrow": ("pyarrow", "arrow"),
    "ir_datasets": ("ir-datasets", "ir-datasets"),
    "ir_measures": ("ir-measures", "ir-measures"),
}


class MissingPackage(DivmetricsError, ImportError):
    """The error that an optional package is not installed: a DivmetricsError and an ImportError.

    `name` is the package, as it is imported.
    """


def import_optional(module: str, what: str) -> Any:
    """Import a module of a package in `PACKAGES` and return it.

    Raises MissingPackage, with the command to install it, if the package is not installed; `what` names the
    feature that needs it. ModuleNotFoundError passes if the package lacks a package that it needs itself.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        name = module.partition(".")[0]
        if str(error.name).partition(".")[0] != name:  # a dependency of the package is missing
            raise
        package, extra = PACKAGES[name]
        problem = f"{what} needs the package {package}, which is not installed"
        missing = MissingPackage(f'{problem}; pip install "divmetrics[{extra}]" brings it')
        missing.name = name
        raise missing from None
