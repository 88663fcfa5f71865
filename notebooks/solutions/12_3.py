# Solution 3
# 300 random pools of six pages: does the rule say when the best list of three reaches 1?
from itertools import permutations
from random import Random

from divmetrics.core import batch_lists

draw, reached, ruled = Random(1), [], []
for _ in range(300):
    pool = {f"d{n}": {draw.choice(["film", "park"]): draw.choice([0, 1, 2])} for n in range(6)}
    lists = [dm.RankedList(A.topic, docs, pool) for docs in permutations(pool, 3)]
    seen = batch_lists(lists)
    if dm.metric("D-nDCG@3").scores(seen).max() > 0:
        reached.append(bool(dm.metric("DIN-nDCG@3").scores(seen).max() > 1 - 1e-9))
        ideal = dm.metric("D-nDCG@3").scores(seen)[0] > 1 - 1e-9
        parks = [sum(pool[doc].get("park", 0) > 0 for doc in ranked.docs) for ranked in lists]
        ruled.append(any(n <= 1 for n, best in zip(parks, ideal, strict=True) if best))
assert reached == ruled
print(f"The rule is right on {len(ruled)} pools; 1 is within reach on {sum(ruled)} of them.")
