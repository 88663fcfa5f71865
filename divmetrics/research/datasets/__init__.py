"""Load printed examples of papers and scores of NTCIR-11 IMine runs, or generate synthetic collections."""

from __future__ import annotations

from divmetrics.research.datasets.aggregated import aggregated_search, simulated_pages
from divmetrics.research.datasets.harry_potter import harry_potter, harry_potter_documents
from divmetrics.research.datasets.imine import imine_lengths, imine_scores, imine_types
from divmetrics.research.datasets.imine_agreement import imine_agreement, imine_agreement_tests, imine_judges
from divmetrics.research.datasets.mercury import mercury, mercury_documents
from divmetrics.research.datasets.rag2024 import rag2024_scores
from divmetrics.research.datasets.recipe import PRESETS, Recipe, default_systems
from divmetrics.research.datasets.sakai2010 import sakai2010, sakai2010_topic21
from divmetrics.research.datasets.sakai2010_tables import (
    sakai2010_correlations,
    sakai2010_power,
    sakai2010_trec2012,
)
from divmetrics.research.datasets.sakai2012 import sakai2012, sakai2012_tables
from divmetrics.research.datasets.sakaizeng2019 import (
    sakaizeng2019_agreement,
    sakaizeng2019_alpha,
    sakaizeng2019_imine_agreement,
    sakaizeng2019_imine_scores,
    sakaizeng2019_imine_tests,
    sakaizeng2019_imine_utilities,
    sakaizeng2019_power,
    sakaizeng2019_rankings,
    sakaizeng2019_unanimity,
)
from divmetrics.research.datasets.summary import published_statistics, statistics
from divmetrics.research.datasets.synthetic import synthetic
from divmetrics.research.datasets.trec2009 import trec2009_best_lists
from divmetrics.research.datasets.trec2012 import trec2012_scores, trec2012_topics
from divmetrics.research.datasets.trec_navigational import trec_navigational
from divmetrics.research.datasets.yu2017 import yu2017, yu2017_table4
from divmetrics.research.datasets.zhou2013 import zhou2013_concordance, zhou2013_pages, zhou2013_power

__all__ = [
    "PRESETS", "Recipe", "aggregated_search", "default_systems", "harry_potter", "harry_potter_documents",
    "imine_agreement", "imine_agreement_tests", "imine_judges", "imine_lengths", "imine_scores",
    "imine_types", "mercury", "mercury_documents", "published_statistics",
    "rag2024_scores", "sakai2010",
    "sakai2010_correlations", "sakai2010_power", "sakai2010_topic21", "sakai2010_trec2012", "sakai2012",
    "sakai2012_tables", "sakaizeng2019_agreement", "sakaizeng2019_alpha", "sakaizeng2019_imine_agreement",
    "sakaizeng2019_imine_scores", "sakaizeng2019_imine_tests", "sakaizeng2019_imine_utilities",
    "sakaizeng2019_power", "sakaizeng2019_rankings", "sakaizeng2019_unanimity", "simulated_pages",
    "statistics", "synthetic", "trec2009_best_lists", "trec2012_scores", "trec2012_topics",
    "trec_navigational", "yu2017", "yu2017_table4", "zhou2013_concordance", "zhou2013_pages",
    "zhou2013_power",
]  # fmt: skip
