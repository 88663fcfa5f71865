# Solution 3
# The rule, on every list of up to five pages in which nothing relevant but home stands last.
from itertools import permutations

P, count = dm.metric("P+@6"), 0
for n in range(1, 5):
    for docs in permutations(["blog", "other1", "other2", "other3", "other4"], n):
        s, ranked = P.score(A.reordered(docs)), A.reordered([*docs, "home"])
        if s > 0:
            new = P.score(ranked)
            c = docs.count("blog")
            ratio = new * (c + 1) - c * s  # BR at the new page
            assert (new < s - 1e-12) == (ratio < s - 1e-12)
            by_hand = (c + 1 + 3) / (n + 1 + (2, 4, 5, 5, 5)[n])
            assert abs(ratio - by_hand) < 1e-9
            count += 1
print(f"Right on {count} lists.")
