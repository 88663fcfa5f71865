# Solution 3
# The rule on all lists of five, out of the five documents and two that were missed.
from itertools import permutations

only_j = dm.Topic("j", (dm.Intent("j", 1.0, "navigational"),))
grade = {"d1": 0, "d2": 1, "d3": 0, "d4": 3, "d5": 0, "d6": 1, "d7": 3}
judged = {doc: {"j": g} for doc, g in grade.items()}
for docs in permutations(grade, 5):
    ranked = dm.RankedList(only_j, docs, judged)
    P, Q = (dm.metric(name).score(ranked) for name in ("P+@5", "Q@5"))
    if P > 0:
        relevant = [k for k, doc in enumerate(docs, 1) if grade[doc]]
        rp = next(k for k, doc in enumerate(docs, 1) if grade[doc] == max(map(grade.get, docs)))
        c, n = sum(k <= rp for k in relevant), 4
        a, b = P * c, Q * n - P * c
        assert (P > Q + 1e-9) == (a * (n - c) > b * c + 1e-9)
print("The rule is right on all of them.")
