# Solution 2
# d16 serves the book and the games; d14 or d15 the theme park; the encyclopedia comes last or in the middle.
# The same lists with the other divisors: fewer with min(l, R_i), and none with R_i.
from itertools import permutations

found = [" ".join(docs) for docs in permutations(TITLES, 3) if counting.above_and_below(docs) is True]
print(len(found), "lists do it:", "; ".join(found))
for name in ("AP-IA(of=min)@3", "AP-IA(of=R)@3"):
    film = dm.metric(name).score(films.reordered(["d1", "d2", "d3"]))
    below = [docs for docs in found if dm.metric(name).score(films.reordered(docs.split())) < film - 1e-9]
    print(name, "puts", len(below), "of them below the film list")
