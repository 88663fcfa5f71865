"""Query 0083, harry potter, the example of Yu et al. (2017), Fig. 1, with our own documents and lists."""

from __future__ import annotations

from divmetrics.core.collection import Collection
from divmetrics.core.topics import Intent, IntentKind, Topic
from divmetrics.research.datasets.label_text import read_labels

TOPIC = "0083"

# Second level: our short id, the figure's name, its printed possibility (over the whole topic).
Second = tuple[str, str, float]

# First level: our short id, the figure's name, its printed possibility, kind (ours), second level.
FIGURE_1: tuple[tuple[str, str, float, IntentKind, tuple[Second, ...]], ...] = (
    (
        "series", "harry potter series", 0.222222222222, "informational",
        (("title", "series_title", 0.0762527233115), ("information", "series_information", 0.0522875816993)),
    ),
    (
        "book", "harry potter book", 0.222222222222, "informational",
        (
            ("character", "book_character", 0.0936819172113),
            ("reading", "book_reading", 0.0806100217865),
            ("magics", "book_magics", 0.0740740740741),
            ("scene", "book_scene", 0.0566448801743),
            ("quotes", "book_quotes", 0.0305010893246),
        ),
    ),
    (
        "film", "harry potter film", 0.333333333333, "informational",
        (
            ("watch", "film_watch", 0.104575163399),
            ("cast", "film_cast", 0.0849673202614),
            ("information", "film_information", 0.082788671024),
            ("music", "film_music", 0.0457516339869),
            ("activity", "film_activity", 0.0457516339869),
        ),
    ),
    (
        "themepark", "harry potter themepark", 0.111111111111, "navigational",
        (
            ("products", "themepark_products", 0.0479302832244),
            ("information", "themepark_information", 0.0435729847495),
        ),
    ),
    (
        "games", "harry potter games", 0.111111111111, "informational",
        (
            ("others", "games_others", 0.0348583877996),
            ("quiz", "games_quiz", 0.0261437908497),
            ("wordgame", "games_word game", 0.0196078431373),
        ),
    ),
)  # fmt: skip

# A description of each document, and its labels.
DOCUMENTS: dict[str, tuple[str, str]] = {
    "d1": ("streaming service with all eight films", "film/watch:2"),
    "d2": ("second streaming service, the same films", "film/watch:2"),
    "d3": ("third streaming service, the same films", "film/watch:2"),
    "d4": ("film database: cast, plot, trivia", "film/cast:2 film/information:2"),
    "d5": ("film music, album by album", "film/music:1"),
    "d6": ("film nights and costume parties", "film/activity:1"),
    "d7": (
        "encyclopedia article on the series",
        "series/title:2 series/information:2 book/character:1 film/information:1",
    ),
    "d8": ("all titles in reading order", "series/title:1 book/reading:1"),
    "d9": ("who's who in the books", "book/character:2"),
    "d10": ("who's who, copied from d9", "book/character:2"),
    "d11": ("read the first chapter", "book/reading:2"),
    "d12": ("list of spells and potions", "book/magics:1"),
    "d13": ("best scenes and quotations", "book/scene:1 book/quotes:1"),
    "d14": ("the theme park's own site: tickets and shop", "themepark/information:2 themepark/products:2"),
    "d15": ("a day at the theme park, a travel blog", "themepark/information:1"),
    "d16": ("quiz: which house are you?", "games/quiz:1 book/character:1"),
    "d17": ("computer and word games", "games/others:2 games/wordgame:2"),
    "d18": ("a potter called Harry sells his bowls", ""),
}  # fmt: skip

LISTS: dict[str, tuple[str, ...]] = {
    "A": ("d1", "d4", "d2", "d5", "d6", "d3", "d7", "d9"),
    "B": ("d15", "d16", "d8", "d5", "d12", "d13", "d18", "d6"),
    "C": ("d1", "d2", "d9", "d14", "d15", "d10", "d3", "d7"),
    "D": ("d7", "d4", "d14", "d11", "d9", "d17", "d1", "d13"),
}


def harry_potter() -> Collection:
    """Load the query "harry potter" with two levels of subtopics, 18 documents, and the lists A, B, C, D.

    From Yu et al. (2017), Fig. 1: the subtopics at both levels (`label` is the printed name) and their
    possibilities. Those of the second level are printed as a distribution over the whole topic; here they are
    divided by their sum within the first-level subtopic, as p(e|t,q) requires.

    Ours: the short ids; `kind` (the theme park is navigational: one official site is enough); the documents
    d1-d18 (described by `harry_potter_documents`; d18 is judged and not relevant), their grades (0-2) and the
    lists, all of whose documents are judged:

    * A: film pages only, the most probable subtopic with many of its aspects
    * B: one page for each subtopic, minor ones first, all of them poor
    * C: good pages for three subtopics, with the same aspects repeated
    * D: good pages for four subtopics, the fifth just below rank 5

    At cutoff 5, S-recall ranks B, D, C, A; ERR-IA D, C, A, B; D#-nDCG D, B, C, A. ERR-IA prefers C to A;
    ERR-IS, which uses the second level, A to C. DIN-nDCG gives C less than D-nDCG does: C has the theme park
    twice. D is best on average, though for each single intent another list is better.

    Returns
    -------
    Collection
        One topic, "0083", with the runs A, B, C, D.

    References
    ----------
    yu2017, Fig. 1

    Examples
    --------
    >>> from divmetrics.research.datasets import harry_potter
    >>> harry_potter()
    <collection: 1 topics, 4 runs, top grade Y = 2>
    """
    intents = tuple(
        Intent(intent, possibility, kind, label, _second_level(second))
        for intent, label, possibility, kind, second in FIGURE_1
    )
    return Collection.of(
        [Topic(TOPIC, intents, title="harry potter")],
        {TOPIC: {doc: read_labels(labels) for doc, (_, labels) in DOCUMENTS.items()}},
        {run: {TOPIC: docs} for run, docs in LISTS.items()},
        scale=2,
    )


def harry_potter_documents() -> dict[str, str]:
    """Describe the documents of `harry_potter` in a few words each.

    Returns
    -------
    dict of str to str
        {document id: description}, d1 to d18.

    Examples
    --------
    >>> from divmetrics.research.datasets import harry_potter_documents
    >>> harry_potter_documents()["d10"]
    "who's who, copied from d9"
    """
    return {doc: description for doc, (description, _) in DOCUMENTS.items()}


def _second_level(second: tuple[Second, ...]) -> tuple[Intent, ...]:
    """Return the subtopics of one intent, with the printed possibilities divided by their sum: p(e|t,q)."""
    total = sum(possibility for _, _, possibility in second)
    return tuple(Intent(id_, possibility / total, label=label) for id_, label, possibility in second)
