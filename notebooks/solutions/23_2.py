# Solution 2
# The games and the theme park first, the film as late as the other subjects allow.
from itertools import permutations

found = [docs for docs in permutations(["d7", "d9", "d14", "d17", "d1"]) if loved(docs) is True]
print(len(found), "orders of these five, such as", *found[0])
