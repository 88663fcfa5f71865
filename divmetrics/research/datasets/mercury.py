"""Query mercury: an ambiguous word, with twenty short texts on which to try a diversifier."""

from __future__ import annotations

from divmetrics.core.collection import Collection
from divmetrics.core.topics import Intent, Topic
from divmetrics.research.datasets.label_text import read_labels

TOPIC = "mercury"

INTENTS: tuple[tuple[str, float, str], ...] = (
    ("planet", 0.4, "the planet"),
    ("metal", 0.3, "the metal"),
    ("god", 0.2, "the Roman god"),
    ("singer", 0.1, "Freddie Mercury"),
)

# Title, text and labels of each document.
DOCUMENTS: dict[str, tuple[str, str, str]] = {
    "m1": (
        "Mercury, the planet",
        "Mercury is the smallest planet, and the closest to the Sun. Its orbit takes 88 days.",
        "planet:2",
    ),
    "m2": (
        "Facts about the planet Mercury",
        "The planet Mercury is the closest planet to the Sun, and its orbit takes only 88 days.",
        "planet:2",
    ),
    "m3": (
        "Mercury for children",
        "Little Mercury runs around the Sun faster than any other planet.",
        "planet:1",
    ),
    "m4": (
        "A day on Mercury",
        "From one sunrise to the next Mercury needs 176 days, which is two of its years.",
        "planet:2",
    ),
    "m5": (
        "The craters of Mercury",
        "A spacecraft took pictures of craters and cliffs all over the planet Mercury.",
        "planet:1",
    ),
    "m6": (
        "Seeing Mercury",
        "Look for Mercury in the west after sunset, low in the sky. A field glass helps.",
        "planet:1",
    ),
    "m7": (
        "Mercury, the metal",
        "Mercury is a heavy metal that is liquid at room temperature. Its symbol is Hg.",
        "metal:2",
    ),
    "m8": (
        "Quicksilver",
        "Mercury, or quicksilver, is a metal that is liquid at room temperature.",
        "metal:2",
    ),
    "m9": (
        "Mercury is poisonous",
        "Breathing the vapour of liquid mercury harms the nerves. Air the room after a spill.",
        "metal:2",
    ),
    "m10": (
        "Old thermometers",
        "In a glass thermometer mercury rises with the temperature of the room.",
        "metal:1",
    ),
    "m11": (
        "Mercury in fish",
        "Tuna holds more mercury than sardines do, since large fish eat small ones.",
        "metal:1",
    ),
    "m12": (
        "Mercury, the god",
        "Mercury was the Roman god of trade and travel, and the messenger of the gods.",
        "god:2",
    ),
    "m13": (
        "Hermes and Mercury",
        "The messenger of the gods was Hermes to the Greeks, and Mercury to the Romans.",
        "god:2",
    ),
    "m14": (
        "A statue with wings",
        "The bronze shows the Roman messenger with winged sandals and a winged hat.",
        "god:1",
    ),
    "m15": (
        "Where planets have their names from",
        "The planet Mercury is named after the fast messenger, Venus after the Roman god of love.",
        "planet:1 god:1",
    ),
    "m16": (
        "Freddie Mercury",
        "The singer of Queen was born in Zanzibar and wrote Bohemian Rhapsody.",
        "singer:2",
    ),
    "m17": (
        "Queen at Live Aid",
        "The singer had the whole stadium clapping. A concert film shows Mercury and the band.",
        "singer:2",
    ),
    "m18": (
        "Songs to sing along",
        "Ten songs of the band Queen, with words and chords.",
        "singer:1",
    ),
    "m19": (
        "Mercury Motors",
        "Mercury Motors in Mercury Street: used cars at fair prices.",
        "",
    ),
    "m20": (
        "Mercury Street",
        "Two rooms to let in Mercury Street, close to the station.",
        "",
    ),
}  # fmt: skip


def mercury() -> Collection:
    """Load the query "mercury" with four intents and twenty judged short texts, without runs.

    Intents, probabilities, texts (`mercury_documents`) and grades (0-2) are ours. Some texts say the same (m1
    and m2, m7 and m8), one serves two intents (m15), and two contain the word but serve no intent (m19, m20).
    A list can be diversified by the texts and then be evaluated by the judgments.

    Returns
    -------
    Collection
        One topic, "mercury", without runs.

    Examples
    --------
    >>> from divmetrics.research.datasets import mercury
    >>> mercury()
    <collection: 1 topics, 0 runs, top grade Y = 2>
    """
    intents = tuple(Intent(id_, probability, label=label) for id_, probability, label in INTENTS)
    judgments = {doc: read_labels(labels) for doc, (_, _, labels) in DOCUMENTS.items()}
    return Collection.of([Topic(TOPIC, intents, title="mercury")], {TOPIC: judgments}, {}, scale=2)


def mercury_documents() -> dict[str, tuple[str, str]]:
    """Return the texts of `mercury`.

    Returns
    -------
    dict of str to (str, str)
        {document id: (title, text)}, m1 to m20.

    Examples
    --------
    >>> from divmetrics.research.datasets import mercury_documents
    >>> mercury_documents()["m7"][0]
    'Mercury, the metal'
    """
    return {doc: (title, text) for doc, (title, text, _) in DOCUMENTS.items()}
