# Solution 2
# Of all sets of five that serve four intents, sorted by global gain, those that have enough.
from itertools import combinations

pool = dm.datasets.harry_potter().pools["0083"]
wants = {intent.id: intent.probability for intent in pool.topic.intents}
gain = {doc: sum(wants[i] * g for i, g in pool.labels(doc).items()) for doc in pool.docs}
in_order = sorted(pool.docs, key=gain.get, reverse=True)
fits = [docs for docs in combinations(in_order, 5) if one_ideal.nearly_ideal(docs) is True]
print(len(fits), "sets, such as", *fits[0])
