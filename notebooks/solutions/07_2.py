# Solution 2
# A weak page for the theme park, one for the games, and the best page last.
from itertools import permutations

below = [docs for docs in permutations(TITLES, 3) if minor_intents.everybody_and_below(docs) is True]
assert ("d15", "d17", "d7") in below
print(len(below), "lists do it, such as", *below[0])
