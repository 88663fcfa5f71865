"""Two ways to solve assignment 2: by the library, and by hand."""

from __future__ import annotations

DCG = """
from math import log2
def dcg(docs):
    interest, total = dict.fromkeys([intent.id for intent in mine.topic.intents], 1.0), 0.0
    for k, doc in enumerate(docs, 1):
        for intent in mine.judged[doc]:
            total += interest[intent] / log2(k + 1)
            interest[intent] *= 1 - mine.alpha
    return total
"""
BY_LIBRARY = {
    "q1": """
import numpy as np
def M_ERR(grades, top):
    R = (2.0**grades - 1) / 2**top
    above = np.c_[np.ones(len(R)), 1 - R[:, :-1]]
    return R * np.cumprod(above, axis=1)""",
    "q2": """
def M_alpha(grades, alpha):
    relevant = (grades > 0).astype(int)
    above = np.cumsum(relevant, axis=1) - relevant
    return relevant * (1 - alpha) ** above""",
    "q3": """
metric = dm.metric(f"alpha-DCG(alpha={mine.alpha})@5")
alpha_DCG = pd.Series({"A": metric.score(mine.a), "B": metric.score(mine.b)})""",
    "q4": """
metric = dm.metric(f"alpha-DCG(alpha={mine.alpha})@5")
ideal = []
for rank in range(5):
    left = [doc for doc in mine.judged if doc not in ideal]
    ideal.append(max(left, key=lambda doc: metric.score(mine.a.reordered([*ideal, doc]))))""",
    "q5": """
metric = dm.metric(f"alpha-nDCG(alpha={mine.alpha})@5")
alpha_nDCG = {"A": metric.score(mine.a), "B": metric.score(mine.b)}""",
    "q6": """
from itertools import permutations
from divmetrics.core import batch_lists
def scores(ranked):
    orders = list(permutations(ranked.docs))
    seen = batch_lists([ranked.reordered(docs) for docs in orders])
    names = "ERR-IA@5", f"alpha-nDCG(alpha={mine.alpha})@5"
    err, novelty = (dm.metric(name).scores(seen)[0] for name in names)
    return {docs: (err[n], novelty[n]) for n, docs in enumerate(orders)}
of_a, of_b = scores(mine.a), scores(mine.b)
def parts(a, b):
    return of_a[a][0] - of_b[b][0] >= 0.01 and of_b[b][1] - of_a[a][1] >= 0.01
a, b = next((a, b) for a in of_a for b in of_b if parts(a, b))
pair = {"A": list(a), "B": list(b)}""",
    "q7": """
def after_one_move(docs):
    for start in range(5):
        left = [*docs[:start], *docs[start + 1 :]]
        for end in range(5):
            yield (*left[:end], docs[start], *left[end:])
one = [(a, mine.b.docs) for a in after_one_move(mine.a.docs)]
one += [(mine.a.docs, b) for b in after_one_move(mine.b.docs)]
two = [(x, b) for a, b in one for x in after_one_move(a)]
two += [(a, x) for a, b in one for x in after_one_move(b)]
a, b = next(pages for pages in [*one, *two] if parts(*pages))
fewest = [list(a), list(b)]""",
}
BY_HAND = {
    "q1": """
def M_ERR(grades, top):
    table = []
    for row in grades:
        reading = 1.0
        table.append([])
        for grade in row:
            R = (2 ** int(grade) - 1) / 2**top
            table[-1].append(round(reading * R, 6))
            reading *= 1 - R
    return table""",
    "q2": """
def M_alpha(grades, alpha):
    table = pd.DataFrame(grades)
    for i in table.index:
        interest = 1.0
        for k in table.columns:
            served = table.loc[i, k] > 0
            table[k] = table[k].astype(float)
            table.loc[i, k] = interest if served else 0.0
            interest *= 1 - alpha if served else 1
    return table""",
    "q3": DCG
    + """
alpha_DCG = [round(dcg(mine.a.docs), 6), round(dcg(mine.b.docs), 6)]""",
    "q4": """
import numpy as np
chosen, interest = [], {intent.id: 1.0 for intent in mine.topic.intents}
while len(chosen) < 5:
    adds = {doc: sum(interest[i] for i in served) for doc, served in mine.judged.items() if doc not in chosen}
    chosen.append(sorted(adds, key=adds.get)[-1])
    for i in mine.judged[chosen[-1]]:
        interest[i] *= 1 - mine.alpha
ideal = np.array(chosen)""",
    "q5": DCG
    + """
alpha_nDCG = np.float32([dcg(mine.a.docs), dcg(mine.b.docs)]) / np.float32(dcg(ideal))""",
    "q6": """
from itertools import permutations
from math import log2
def scores(docs):
    reading = {intent.id: intent.probability for intent in mine.topic.intents}
    interest, ERR, DCG = dict.fromkeys(reading, 1.0), 0.0, 0.0
    for k, doc in enumerate(docs, 1):
        for i, grade in mine.judged[doc].items():
            R = (2**grade - 1) / 4
            ERR, DCG = ERR + reading[i] * R / k, DCG + interest[i] / log2(k + 1)
            reading[i], interest[i] = reading[i] * (1 - R), interest[i] * (1 - mine.alpha)
    return ERR, DCG
N = scores(ideal)[1]
ways = [{docs: scores(docs) for docs in permutations(ranked.docs)} for ranked in (mine.a, mine.b)]
rooms = {
    (a, b): min(x - u, (v - y) / N) for a, (x, y) in ways[0].items() for b, (u, v) in ways[1].items()
}
pair = pd.DataFrame(max(rooms, key=rooms.get), ["A", "B"]).T""",
    "q7": """
def in_order(old, new):  # the longest part of a list that stays in its order
    longest = []
    for n, doc in enumerate(new):
        before = [longest[m] for m in range(n) if old.index(new[m]) < old.index(doc)]
        longest.append(1 + max(before, default=0))
    return max(longest)
enough = [both for both, room in rooms.items() if room >= 0.01]
fewest = max(enough, key=lambda both: in_order(mine.a.docs, both[0]) + in_order(mine.b.docs, both[1]))""",
}
