"""Presets of the lab, each with the question that it answers: examples of papers, and pages of our own.

tests/widgets/test_presets.py checks the facts that a question presupposes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from divmetrics import datasets
from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics.notebook.textformat.lab_text import read_page
from divmetrics.registry.parse import metric
from divmetrics_widgets import own_pages
from divmetrics_widgets.measuring import ListScorer

FIRST = "harry potter"
PAPERS, OWN = "from papers", "written for this lab"


@dataclass(frozen=True)
class Preset:
    """A page with the question that it answers.

    source: the origin of the page, with table or section, and its parts that are ours; first: the first thing
    to try.
    """

    question: str
    source: str
    first: str
    page: Callable[[], LabState] = field(repr=False)
    group: str = PAPERS


def preset(name: str) -> LabState:
    """Return the page of this name. Raises DivmetricsError, with all names, if there is none."""
    if name not in PRESETS:
        raise DivmetricsError(
            f"there is no preset {name!r}{did_you_mean(name, PRESETS)}; there are {', '.join(PRESETS)}"
        )
    return replace(PRESETS[name].page(), example=name)


def _harry_potter() -> LabState:
    collection = datasets.harry_potter()
    a, c = collection.list("A", "0083"), collection.list("C", "0083")
    names = ["S-recall@5", "ERR-IA@5", "alpha-nDCG@5", "D#-nDCG@5", "ERR-IS@5"]
    return LabState.of(a, c, names, datasets.harry_potter_documents())


def _yu2017(query: str) -> LabState:
    """Return the list of the run, and a list that is best for D-nDCG@10 on the same judgments."""
    ranked = datasets.yu2017().list("Sem13-D-E-1A", query)
    best = ListScorer(ranked.judgments).best(metric("D-nDCG@10"), 10)
    names = ["S-recall@10", "S-recall-IS@10", "ERR-IA@10", "ERR-IS@10", "nDCG-IA@10", "nDCG-IS@10"]
    return LabState.of(ranked, ranked.reordered(best), names)


def _sakai2010(topic: str) -> LabState:
    first, second = datasets.sakai2010().lists(topic)
    return LabState.of(first, second, ["I-rec@10", "alpha-nDCG@10", "nDCG-IA@10", "D-nDCG@10", "D#-nDCG@10"])


def _sakai2012() -> LabState:
    ranked = datasets.sakai2012().list("Figure 1", "figure1")
    swapped = ranked.reordered(["d1", "d4", "d3", "d2", "d5"])
    return LabState.of(ranked, swapped, ["D-nDCG@5", "DIN-nDCG@5", "Q-IA@5", "P+Q@5", "Ef-P@5"])


def _synthetic() -> LabState:
    collection: Collection = datasets.synthetic(seed=1)
    topic = collection.topics[0].id
    first, *_, last = collection.lists(topic)
    return LabState.of(first, last, ["S-recall@10", "ERR-IA@10", "alpha-nDCG@10", "D#-nDCG@10"], depth=10)


PRESETS: Mapping[str, Preset] = {
    FIRST: Preset(
        "Is it better to serve one intent from every side, or three intents?",
        "query and intents from Yu et al. (2017), Figure 1; documents and lists are ours",
        "Choose ERR-IA@5 and then ERR-IS@5, which looks inside each intent, and see which list each prefers.",
        _harry_potter,
    ),
    "Yu et al. 2017, query 0053": Preset(
        "Both lists serve the same subtopics at both levels: does their order matter?",
        "Yu et al. (2017), Tables 3 and 4 (list A); list B is best for D-nDCG@10 on the same judgments",
        "Move d15 down in list B, and compare what ERR-IA@10 and ERR-IS@10 make of it.",
        lambda: _yu2017("0053"),
    ),
    "Yu et al. 2017, query 0078": Preset(
        "Both lists serve two intents of three: is one of them more diverse?",
        "Yu et al. (2017), Tables 3 and 4 (list A); list B is best for D-nDCG@10 on the same judgments",
        "Compare S-recall@10, which counts intents, with S-recall-IS@10, which counts what is inside them.",
        lambda: _yu2017("0078"),
    ),
    "Yu et al. 2017, query 0080": Preset(
        "Documents for both intents first, though they repeat one subtopic: is that better?",
        "Yu et al. (2017), Tables 3 and 4 (list A); list B is best for D-nDCG@10 on the same judgments",
        "Turn on “two levels”, and see which subtopic of t2 the first three documents of list B share.",
        lambda: _yu2017("0080"),
    ),
    "Sakai et al. 2010, topic 21": Preset(
        "One document for 16 readers in 31, or two for one reader in 31?",
        "Sakai et al. (2010), section 4.3; the ranks of the relevant documents are ours",
        "Choose alpha-nDCG@10, which does not look at probabilities, and then D#-nDCG@10, which does.",
        lambda: _sakai2010("21"),
    ),
    "Sakai et al. 2010, topic 38": Preset(
        "Six documents for the likeliest intent, or four and a rare intent as well?",
        "Sakai et al. (2010), section 4.3; the ranks of the relevant documents are ours",
        "See which metrics pass over i3, which one reader in seven means, and choose one of them.",
        lambda: _sakai2010("38"),
    ),
    "Sakai 2012, Figure 1": Preset(
        "Is a second page worth anything to a reader who wants one?",
        "Sakai (2012), Figure 1 (list A); probabilities, the grade at rank 5 and list B are ours",
        "Choose D-nDCG@5 and then DIN-nDCG@5, and see what d4 earns for j in list A.",
        _sakai2012,
    ),
    "synthetic": Preset(
        "Do diversity metrics ever agree?",
        "a made-up collection, divmetrics.research.datasets.synthetic(seed=1): its first run and its last",
        "Add to list B a document for an intent that it lacks, and see which metric makes the most of it.",
        _synthetic,
        OWN,
    ),
    "one page for everybody": Preset(
        "Is one perfect page for everybody better than two good ones for half each?",
        "written for this lab",
        "Step the grades of cat and motor up to 3, and see whether any metric changes sides.",
        lambda: read_page(own_pages.ONE_PAGE_FOR_ALL),
        OWN,
    ),
    "java": Preset(
        "Is a page that names every meaning better than a good page for each?",
        "the case is described by Sakai et al. (2010), section 2.3; the documents are ours",
        "Step the grades of “names” up, and see when ERR-IA@3 goes over to list A.",
        lambda: read_page(own_pages.JAVA),
        OWN,
    ),
    "redundancy": Preset(
        "What is a copy of a good page worth?",
        "written for this lab; on metrics that look back and those that do not, Yu et al. (2017), 4.2",
        "Choose D-nDCG@5, which does not look back, and then ERR-IA@5, and see what the copy earns.",
        lambda: read_page(own_pages.REDUNDANCY),
        OWN,
    ),
    "who comes first": Preset(
        "Six readers in ten want the film, four the novel: who should come first?",
        "written for this lab; on what alpha-nDCG does not see, Sakai et al. (2010), section 4.3",
        "Open the intents, make the novel .6 likely, and see which metrics change sides and which take none.",
        lambda: read_page(own_pages.WHO_COMES_FIRST),
        OWN,
    ),
}


def examples() -> list[dict[str, str]]:
    """Return every preset for the menu: name, group, question, source, and the first thing to try."""
    columns = ("group", "question", "source", "first")
    return [{"name": name, **{key: getattr(of, key) for key in columns}} for name, of in PRESETS.items()]
