"""Generate topics and judgments from a recipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.topics import Intent, IntentKind, Topic, nonuniform_probabilities, subtopic_index
from divmetrics.research.datasets.recipe import Recipe, Spread

# Concentration of the beta-binomial distribution of counts (small is wide). With 5, intents per topic and
# relevant documents per intent are distributed like those of the collections in PRESETS.
CONCENTRATION = 5.0


@dataclass(frozen=True, eq=False)
class JudgedTopic:
    """One topic: ascending document ids, their true grades `truth`, (intent, document), and the judgments.

    The judgments may lack some documents without relevance.
    """

    docs: tuple[str, ...]
    truth: np.ndarray
    judgments: Judgments


def make_topics(recipe: Recipe, random: np.random.Generator) -> list[Topic]:
    """Generate topics 1, 2, ... (zero-padded), intents t1, t2, ... and second-level subtopics e1, e2, ..."""
    per_topic = _counts(recipe.intents, recipe.topics, random)
    total = int(per_topic.sum())
    kinds: list[IntentKind] = [
        "navigational" if n else "informational" for n in _random_mask(recipe.navigational, total, random)
    ]
    subtopics = (
        np.zeros(total, dtype=int) if recipe.subtopics is None else _counts(recipe.subtopics, total, random)
    )
    types = _types(recipe, random)
    width = len(str(recipe.topics))
    topics, first = [], 0
    for number, count in enumerate(per_topic.tolist()):
        probabilities = _probabilities(recipe, count, random)
        intents = tuple(
            Intent(
                f"t{i + 1}",
                probabilities[i],
                kinds[first + i],
                children=tuple(
                    Intent(f"e{e + 1}", p)
                    for e, p in enumerate(_probabilities(recipe, subtopics[first + i], random))
                ),
            )
            for i in range(count)
        )
        topics.append(Topic(f"{number + 1:0{width}d}", intents, type=types[number]))
        first += count
    return topics


def judge(recipe: Recipe, topics: Sequence[Topic], random: np.random.Generator) -> list[JudgedTopic]:
    """Generate documents and grades for every topic, in the order of `topics` and on one scale."""
    relevant = _relevant(recipe, topics, random)
    labels: Iterator[np.ndarray]
    target = sum(int(counts.sum()) for counts in relevant) / recipe.overlap
    if recipe.shared_navigational is None:
        sizes = _documents(relevant, [0] * len(topics), target)
        labels = (_labels(*each, random) for each in zip(relevant, sizes, strict=True))
    else:
        labels = _labels_apart(topics, relevant, recipe.shared_navigational, target, random)
    drafts = [
        _judge_topic(recipe, topic, labelled, random) for topic, labelled in zip(topics, labels, strict=True)
    ]
    scaled = Collection.on_one_scale(
        {draft.judgments.topic.id: draft.judgments for draft in drafts}, recipe.scale
    )
    return [JudgedTopic(draft.docs, draft.truth, scaled.pools[draft.judgments.topic.id]) for draft in drafts]


def _counts(spread: Spread, number: int, random: np.random.Generator) -> np.ndarray:
    """Draw `number` counts within the spread, with its mean as closely as whole numbers allow, (number,)."""
    least, mean, most = spread
    share = (mean - least) / max(most - least, 1)
    if not 0 < share < 1:
        return np.full(number, least if share <= 0 else most)
    chance = random.beta(share * CONCENTRATION, (1 - share) * CONCENTRATION, number)
    counts = least + random.binomial(most - least, chance)
    target = round(mean * number)
    while (missing := target - int(counts.sum())) != 0:
        # Large counts change most, which preserves the shape.
        movable = (counts < most) if missing > 0 else (counts > least)
        weight = np.where(movable, counts - least + 0.1, 0)
        selected = random.choice(number, size=min(abs(missing), number), p=weight / weight.sum())
        np.add.at(counts, selected, np.sign(missing))
        counts = np.clip(counts, least, most)
    return counts


def _random_mask(share: float, number: int, random: np.random.Generator) -> np.ndarray:
    """Return a random mask, (number,), of which the share `share` is true."""
    mask = np.zeros(number, dtype=bool)
    mask[random.permutation(number)[: round(share * number)]] = True
    return mask


def _types(recipe: Recipe, random: np.random.Generator) -> list[str]:
    if not recipe.types:
        return [""] * recipe.topics
    share = np.cumsum(list(recipe.types.values())) / sum(recipe.types.values())
    quantiles = (random.permutation(recipe.topics) + 0.5) / recipe.topics
    names = list(recipe.types)
    return [names[i] for i in np.searchsorted(share, quantiles)]


def _probabilities(recipe: Recipe, count: int, random: np.random.Generator) -> list[float]:
    if recipe.probabilities == "dirichlet":
        drawn = random.gamma(recipe.evenness, size=count) + 1e-6  # no intent has probability 0
        weights = -np.sort(-drawn)
    elif recipe.probabilities == "nonuniform":
        return nonuniform_probabilities(count)
    else:
        weights = np.ones(count)
    probabilities: list[float] = (weights / weights.sum()).tolist()
    return probabilities


def _relevant(recipe: Recipe, topics: Sequence[Topic], random: np.random.Generator) -> list[np.ndarray]:
    """Draw the number of relevant documents of each intent: an array (intent,) for each topic."""
    starts = np.cumsum([0, *(len(topic.intents) for topic in topics)])
    navigational = np.array([i.kind == "navigational" for topic in topics for i in topic.intents])
    # one intent of each topic always stays covered
    spared = np.array([random.integers(a, b) for a, b in pairwise(starts.tolist())])
    counts = np.zeros(len(navigational), dtype=int)
    for kind, uncovered, spread in (
        (False, recipe.uncovered, recipe.relevant),
        (True, recipe.uncovered_navigational, recipe.relevant_navigational),
    ):
        of_kind = np.flatnonzero(navigational == kind)
        share = recipe.uncovered if uncovered is None else uncovered
        candidates = random.permutation(np.setdiff1d(of_kind, spared))
        covered = np.setdiff1d(of_kind, candidates[: round(share * len(of_kind))])
        counts[covered] = _counts(spread or recipe.relevant, len(covered), random)
    return [counts[a:b] for a, b in pairwise(starts.tolist())]


def _documents(relevant: Sequence[np.ndarray], least: Sequence[int], target: float) -> list[int]:
    """Return the number of relevant documents of each topic, `least` or more, `target` in all if possible.

    `relevant` has the number of each intent: at least the largest one is needed, and their sum is the most.
    """
    labels = np.array([counts.sum() for counts in relevant])
    fewest = np.array([max(counts.max(initial=0), n) for counts, n in zip(relevant, least, strict=True)])
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        below = np.maximum(fewest, np.ceil(middle * labels)).sum() < target
        low, high = (middle, high) if below else (low, middle)
    return [int(n) for n in np.maximum(fewest, np.ceil(high * labels))]


def _labels(relevant: np.ndarray, size: int, random: np.random.Generator) -> np.ndarray:
    """Draw which of `size` documents are relevant to which intents, bool (intent, document).

    `relevant` has the number of documents of each intent; every document is relevant to one or more.
    """
    # one label per document first, so that each of the `size` documents is relevant to an intent
    first = random.permutation(np.repeat(np.arange(len(relevant)), relevant))[:size]
    labelled = np.zeros((len(relevant), size), dtype=bool)
    labelled[first, np.arange(size)] = True
    # the remaining labels go to documents without a label for the intent
    for i, count in enumerate(relevant):
        free = np.flatnonzero(~labelled[i])
        labelled[i, random.choice(free, size=count - (size - len(free)), replace=False)] = True
    return labelled


def _labels_apart(
    topics: Sequence[Topic],
    relevant: Sequence[np.ndarray],
    share: float,
    target: float,
    random: np.random.Generator,
) -> Iterator[np.ndarray]:
    """Yield the labels of each topic as `_labels`; a `share` of navigational documents is informational, too.

    The share is over all topics, and `target` the number of relevant documents of all topics.
    """
    kinds = [np.array([t.kind == "navigational" for t in topic.intents]) for topic in topics]
    of_inf = [counts[~nav] for counts, nav in zip(relevant, kinds, strict=True)]
    n_nav = np.array([counts[nav].sum() for counts, nav in zip(relevant, kinds, strict=True)])
    room = np.minimum(n_nav, [counts.sum() for counts in of_inf])
    drawn = random.permutation(np.repeat(np.arange(len(topics)), room))[: round(share * n_nav.sum())]
    shared = np.bincount(drawn, minlength=len(topics)).tolist()
    sizes = _documents(of_inf, shared, target - (n_nav.sum() - len(drawn)))
    for counts, nav, both, size in zip(relevant, kinds, shared, sizes, strict=True):
        owner = random.permutation(np.repeat(np.flatnonzero(nav), counts[nav]))
        alone = len(owner) - both
        labelled = np.zeros((len(counts), alone + size), dtype=bool)
        labelled[owner, np.arange(len(owner))] = True
        labelled[~nav, alone:] = _labels(counts[~nav], size, random)
        yield labelled


def _judge_topic(
    recipe: Recipe, topic: Topic, labelled: np.ndarray, random: np.random.Generator
) -> JudgedTopic:
    """Draw the grades of relevant documents, `labelled` (intent, document), and add documents without any."""
    size = labelled.shape[1]
    others = max(round(recipe.nonrelevant * size), recipe.depth - size)
    total = size + others
    grades = np.zeros((len(labelled), total), dtype=np.int64)
    weights = np.ones(recipe.scale) if recipe.grades is None else np.array(recipe.grades, dtype=float)
    drawn = random.choice(np.arange(1, recipe.scale + 1), size=labelled.shape, p=weights / weights.sum())
    grades[:, :size] = np.where(labelled, drawn, 0)
    judged = np.ones(total, dtype=bool)
    judged[size:] = ~_random_mask(recipe.unjudged, others, random)
    order = random.permutation(total)
    grades, judged = grades[:, order], judged[order]
    width = len(str(total))
    docs = tuple(f"d{topic.id}-{number + 1:0{width}d}" for number in range(total))
    leaf_grades = _leaf_grades(recipe, topic, grades, random)
    judgments = Judgments(
        topic,
        tuple(doc for doc, is_judged in zip(docs, judged, strict=True) if is_judged),
        grades[:, judged],
        None if leaf_grades is None else leaf_grades[:, judged],
    )
    return JudgedTopic(docs, grades, judgments)


def _leaf_grades(
    recipe: Recipe, topic: Topic, grades: np.ndarray, random: np.random.Generator
) -> np.ndarray | None:
    """Draw second-level subtopics for each relevant document; return grades (subtopic, document).

    `grades` are (intent, document). A document gets its grade for one child of the intent, drawn by p(e|t,q),
    and at random for others. Returns None if the topic has no second level.
    """
    rows = subtopic_index(topic)
    if not rows:
        return None
    leaf_grades = np.zeros((len(rows), grades.shape[1]), dtype=np.int64)
    for i, intent in enumerate(topic.intents):
        of_intent = np.array([rows[intent.id, child.id] for child in intent.children])
        docs = np.flatnonzero(grades[i])
        chance_of_more = (recipe.aspects - 1) / max(len(of_intent) - 1, 1)
        covered = random.random((len(of_intent), len(docs))) < chance_of_more
        probabilities = [child.probability for child in intent.children]
        covered[random.choice(len(of_intent), size=len(docs), p=probabilities), np.arange(len(docs))] = True
        leaf_grades[np.ix_(of_intent, docs)] = covered * grades[i, docs]
    return leaf_grades
