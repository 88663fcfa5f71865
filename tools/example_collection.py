"""The simulated collection in examples/simulated/: judgments and two runs of twenty topics.

    python -m tools.example_collection

It is `dm.datasets.synthetic` with the parameters below: no document, judgment or run of it is real. The two
systems guess relevance equally well; only one of them diversifies. Documents without relevance are judged
for the first intent of their topic, with grade 0.
"""

from __future__ import annotations

import divmetrics as dm
from divmetrics.atomic_files import save
from tools.notebook_files import FOLDER

EXAMPLES = FOLDER.parent / "examples" / "simulated"
DEPTH = 20
SYSTEMS = {"plain": (0.6, 0.0), "diverse": (0.6, 1.0)}  # (quality, diversification)


def files() -> dict[str, str]:
    """Return the text of each file, by name."""
    made = dm.datasets.synthetic(topics=20, probabilities="uniform", runs=SYSTEMS, depth=DEPTH, seed=1)
    texts = {
        "judgments.qrels": [
            f"{topic} {intent.removeprefix('t')} {doc} {grade}"
            for topic, pool in made.pools.items()
            for doc in pool.docs
            for intent, grade in (pool.labels(doc) or {pool.topic.intents[0].id: 0}).items()
        ]
    }
    for run in made.runs.values():
        texts[f"{run.name}.run"] = [
            f"{topic} Q0 {doc} {rank} {DEPTH - rank + 1} {run.name}"
            for topic in made.pools
            for rank, doc in enumerate(run.list(topic), 1)
        ]
    return {name: "\n".join(lines) + "\n" for name, lines in texts.items()}


def main() -> None:
    EXAMPLES.mkdir(exist_ok=True)
    for name, text in files().items():
        save(EXAMPLES / name, text)


if __name__ == "__main__":
    main()
