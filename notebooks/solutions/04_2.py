# Solution 2
# d16 serves the book and the games; d14 or d15 the theme park; the encyclopedia comes last or in the middle.
from itertools import permutations

found = [
    " ".join(docs) for docs in permutations(pool.docs, 3) if above_and_below(docs) is True
]
print(len(found), "lists do it:", "; ".join(found))
