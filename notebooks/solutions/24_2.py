# Solution 2
# Of all choices of four, only one works.
from itertools import combinations

[docs for docs in combinations(texts, 4) if all_vital(docs) is True]
