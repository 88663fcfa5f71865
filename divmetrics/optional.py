"""Packages that only a part of divmetrics needs, and the sentence that asks for one that is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from divmetrics.errors import DivmetricsError

# By the name that is imported: the name that pip knows, and the extra of pyproject.toml that brings it.
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
    """A package that is needed here, and not by the rest, is not installed."""


def import_optional(module: str, what: str) -> Any:
    """A module of such a package; `what` says in a few words what needs it.

    Raises MissingPackage, one sentence with the command that installs it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        name = module.partition(".")[0]
        if str(error.name).partition(".")[0] != name:  # it is there, and lacks something itself
            raise
        package, extra = PACKAGES[name]
        said = f"{what} needs the package {package}, which is not installed; pip install "
        missing = MissingPackage(f'{said}"divmetrics[{extra}]" brings it')
        missing.name = name
        raise missing from None
