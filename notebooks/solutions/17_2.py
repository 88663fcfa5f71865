# Solution 2
# The best system is first, and nearly all the others are turned round.
from itertools import permutations

print([text for text in map("".join, permutations("ABCDE")) if top_heavy(text) is True])
