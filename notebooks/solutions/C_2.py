# Solution 2
# Only one of the 120 orders does it.
from itertools import permutations

for docs in permutations(fig.docs):
    if check_2(list(docs)) is True:
        print(*docs, [round(metric.score(fig.reordered(docs)), 4) for metric in two])
