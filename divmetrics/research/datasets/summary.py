"""Counts that describe a collection, and the counts that papers print."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.topics import IntentKind

if TYPE_CHECKING:
    import pandas as pd

SAKAI_2010 = "Sakai et al. 2010, Table 1"
SAKAI_2012 = "Sakai 2012, Table 1"
SAKAI_ZENG = "Sakai & Zeng 2019, section 4"
YU = "Yu et al. 2017, section 5.1"

# preset, statistic, printed value (or a ratio of printed ones), source
PUBLISHED: tuple[tuple[str, str, float, str], ...] = (
    ("imine", "topics", 32, YU),
    ("imine", "intents per topic", 3.97, YU),
    ("imine", "subtopics per intent", 3.17, YU),
    ("imine", "runs", 15, YU),
    ("imine-cn", "topics", 30, YU),
    ("imine-cn", "intents per topic", 3.5, YU),
    ("imine-cn", "subtopics per intent", 5.64, YU),
    ("imine-cn", "runs", 10, YU),
    ("intent-1", "topics", 100, SAKAI_ZENG),
    ("intent-1", "intents per topic", 10.91, SAKAI_ZENG),
    ("intent-1", "top grade", 4, SAKAI_ZENG),
    ("intent-1", "runs", 15, SAKAI_ZENG),
    ("trec-web-2009", "topics", 50, SAKAI_2010),
    ("trec-web-2009", "intents", 243, SAKAI_2010),
    ("trec-web-2009", "share navigational", 66 / 243, SAKAI_2010),
    ("trec-web-2009", "covered intents", 199, SAKAI_2010),
    ("trec-web-2009", "most covered intents of a topic", 6, SAKAI_2010),
    ("trec-web-2009", "relevant documents", 4942, SAKAI_2010),
    ("trec-web-2009", "relevant documents over intents", 6501, SAKAI_2010),
    ("trec-web-2009", "most intents of a document", 5, SAKAI_2010),
    ("trec-web-2009", "intents with one relevant document", 23, "Sakai et al. 2010, section 4.1"),
    ("trec-web-2009", "covered navigational intents", 31, SAKAI_2012),
    ("trec-web-2009", "top grade", 1, SAKAI_2010),
    ("trec-web-2009", "runs", 25, "Sakai et al. 2010, section 4.2"),
)


@public
def statistics(collection: Collection) -> pd.DataFrame:
    """Describe a collection by counts and means.

    An intent is covered if it has a relevant document. "relevant documents" are counted once per topic,
    "relevant documents over intents" once per intent; "relevant documents per intent" is the mean over
    covered intents, "intents per relevant document" is the ratio of the two counts. Navigational and
    informational documents are those that are relevant to an intent of that kind. "subtopics per intent" is
    the mean number of second-level subtopics of all intents, 0 with a single level.

    Parameters
    ----------
    collection : Collection
        The collection.

    Returns
    -------
    DataFrame
        The columns statistic (its name) and value (float; 0 where nothing can be counted), with 20 rows:
        topics, intents, intents per topic, most intents of a topic, share navigational, subtopics per intent,
        covered intents, covered navigational intents, most covered intents of a topic, intents with one
        relevant document, relevant documents, relevant documents over intents, relevant documents per intent,
        intents per relevant document, most intents of a document, navigational documents, navigational and
        informational documents, judged documents, top grade, runs.

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2012, statistics
    >>> statistics(sakai2012()).tail(3)
               statistic  value
    17  judged documents    5.0
    18         top grade    3.0
    19              runs    1.0
    """
    import pandas as pd

    pools = list(collection.pools.values())
    intents = [intent for topic in collection.topics for intent in topic.intents]
    navigational = np.array([intent.kind == "navigational" for intent in intents], dtype=bool)
    relevant = [pool.grades > 0 for pool in pools]
    for_kind = [
        [r[[intent.kind == kind for intent in topic.intents]].any(axis=0) for kind in get_args(IntentKind)]
        for topic, r in zip(collection.topics, relevant, strict=True)
    ]
    per_intent = np.concatenate([r.sum(axis=1) for r in relevant]) if relevant else np.zeros(0, dtype=int)
    documents = sum(len(pool.relevant) for pool in pools)
    covered = per_intent > 0
    rows = {
        "topics": len(pools),
        "intents": len(intents),
        "intents per topic": len(intents) / max(len(pools), 1),
        "most intents of a topic": max((len(topic.intents) for topic in collection.topics), default=0),
        "share navigational": navigational.mean() if intents else 0.0,
        "subtopics per intent": sum(len(intent.children) for intent in intents) / max(len(intents), 1),
        "covered intents": covered.sum(),
        "covered navigational intents": (covered & navigational).sum(),
        "most covered intents of a topic": max((int(r.any(axis=1).sum()) for r in relevant), default=0),
        "intents with one relevant document": (per_intent == 1).sum(),
        "relevant documents": documents,
        "relevant documents over intents": per_intent.sum(),
        "relevant documents per intent": per_intent.sum() / max(covered.sum(), 1),
        "intents per relevant document": per_intent.sum() / max(documents, 1),
        "most intents of a document": max((int(r.sum(axis=0).max(initial=0)) for r in relevant), default=0),
        "navigational documents": sum(nav.sum() for _, nav in for_kind),
        "navigational and informational documents": sum((inf & nav).sum() for inf, nav in for_kind),
        "judged documents": sum(len(pool.docs) for pool in pools),
        "top grade": collection.scale,
        "runs": len(collection.runs),
    }
    return pd.DataFrame({"statistic": list(rows), "value": [float(value) for value in rows.values()]})


def published_statistics() -> pd.DataFrame:
    """List the counts that papers print about the collections that the presets of `synthetic` follow.

    Returns
    -------
    DataFrame
        One row per printed count. The columns preset (its name), statistic (as in `statistics`), printed (the
        number), source (the paper and place). Means are printed, too; a share is the ratio of two printed
        counts. The other statistics of a preset are in no paper: their values are ours.

    Examples
    --------
    >>> from divmetrics.research.datasets import published_statistics
    >>> published_statistics().head(1)
      preset statistic  printed                       source
    0  imine    topics     32.0  Yu et al. 2017, section 5.1
    """
    import pandas as pd

    return pd.DataFrame(PUBLISHED, columns=["preset", "statistic", "printed", "source"])
