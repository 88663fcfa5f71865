"""Examples that come with the library: the papers' printed cases, and made-up collections from a seed."""

from __future__ import annotations

from divmetrics.datasets.harry_potter import harry_potter, harry_potter_documents
from divmetrics.datasets.recipe import PRESETS, Recipe, default_systems
from divmetrics.datasets.sakai2010 import sakai2010, sakai2010_topic21
from divmetrics.datasets.sakai2012 import sakai2012
from divmetrics.datasets.summary import published_statistics, statistics
from divmetrics.datasets.synthetic import synthetic
from divmetrics.datasets.yu2017 import yu2017, yu2017_table4

__all__ = [
    "PRESETS",
    "Recipe",
    "default_systems",
    "harry_potter",
    "harry_potter_documents",
    "published_statistics",
    "sakai2010",
    "sakai2010_topic21",
    "sakai2012",
    "statistics",
    "synthetic",
    "yu2017",
    "yu2017_table4",
]
