"""Two ways to solve assignment 5, by people who judge differently: by the library, and by hand."""

from __future__ import annotations

# What the first of them gives each document (play, fish, cook).
FIRST = {
    "d01": (2, 0, 0), "d02": (1, 0, 0), "d03": (0, 2, 0), "d04": (0, 0, 2), "d05": (0, 2, 0),
    "d06": (1, 0, 0), "d07": (0, 1, 0), "d08": (0, 1, 0), "d09": (0, 0, 2), "d10": (0, 0, 0),
    "d11": (0, 0, 0), "d12": (0, 2, 0), "d13": (0, 1, 2), "d14": (2, 0, 0), "d15": (0, 0, 0),
    "d16": (0, 0, 0), "d17": (0, 0, 0), "d18": (1, 0, 0), "d19": (0, 0, 2), "d20": (0, 1, 1),
    "d21": (0, 2, 1), "d22": (0, 0, 0), "d23": (0, 2, 0), "d24": (2, 0, 0),
}  # fmt: skip

BY_LIBRARY = {
    "q1": "example_alpha = meta.krippendorff_alpha(mine.example)",
    "q2": f"""
readers = ["play", "fish", "cook"]
first_person = {FIRST}
judgments = {{doc: dict(zip(readers, first_person[doc])) for doc in mine.docs}}""",
    "q3": """
both = pd.DataFrame([pd.DataFrame(each).T.stack() for each in (judgments, mine.second)])
differences = (both.iloc[0] != both.iloc[1]).groupby(level=1).sum()""",
    "q4": """
alphas = {"all": meta.krippendorff_alpha(both)}
for reader in readers:
    alphas[reader] = meta.krippendorff_alpha(both.xs(reader, axis=1, level=1))""",
    "q5": """
err = dm.metric("ERR-IA@5")
def scored(grades, scale=2):
    return {ranking.run: err.score(ranking) for ranking in mine.lists(grades, scale)}
by_judge = pd.DataFrame({"yours": scored(judgments), "second": scored(mine.second)}).T
scores = by_judge""",
    "q6": """
added = {d: {i: judgments[d][i] + mine.second[d][i] for i in readers} for d in mine.docs}
by_both = scored(added, 4)
merged = by_both""",
    "q7": """
def preferred_list(two):
    return 0 if abs(two["A"] - two["B"]) < 1e-9 else 1 if two["A"] > two["B"] else -1
preferred = [preferred_list(each) for each in (by_judge.loc["yours"], by_judge.loc["second"], by_both)]""",
    "q8": """
def lead(grades):
    return scored(grades)["A"] - scored(grades)["B"]
moved = [0.0]
for doc in mine.docs:
    for reader in readers:
        other = {**judgments, doc: {**judgments[doc], reader: mine.second[doc][reader]}}
        moved.append(abs(lead(other) - lead(judgments)))
largest_change = max(moved)""",
}
ALPHA = """
def alpha(ours, theirs):
    given = list(ours) + list(theirs)
    n = len(given)
    observed = sum(a != b for a, b in zip(ours, theirs)) / len(ours)
    expected = 1 - sum(given.count(g) * (given.count(g) - 1) for g in set(given)) / (n * (n - 1))
    return round(1 - observed / expected, 6)
"""
BY_HAND = {
    "q1": f"{ALPHA}example_alpha = alpha(*mine.example)",
    "q2": """
signs = {
    "play": "pluck string hand fret strings lesson metronome song thumb neck plays clef guitar".split(),
    "fish": "rod cast lures tide reel hook knot bait anglers float shore harbour".split(),
    "cook": "fillets oven salt bake fry roasted scaled knife butter gills kitchen degrees".split(),
}
def grade(doc, reader):
    text = " ".join(ps5_data.TEXTS[doc]).lower()
    return min(2, sum(word in text for word in signs[reader]) // 2)
rows = [[grade(doc, reader) for reader in signs] for doc in mine.docs]
judgments = pd.DataFrame(rows, mine.docs, list(signs))""",
    "q3": """
ours = {i: [int(judgments.loc[doc, i]) for doc in mine.docs] for i in signs}
theirs = {i: [mine.second[doc][i] for doc in mine.docs] for i in signs}
differences = [sum(a != b for a, b in zip(ours[i], theirs[i])) for i in signs]""",
    "q4": f"""{ALPHA}
together = [[grade for i in signs for grade in of[i]] for of in (ours, theirs)]
alphas = [alpha(*together), *(alpha(ours[i], theirs[i]) for i in signs)]""",
    "q5": """
p = {intent.id: intent.probability for intent in mine.topic.intents}
def err_ia(docs, grade_of, top=2):
    total = 0.0
    for i in p:
        left = 1.0
        for k, doc in enumerate(docs, 1):
            R = (2 ** grade_of(doc, i) - 1) / 2**top
            total += p[i] * left * R / k
            left *= 1 - R
    return round(total, 6)
at = {doc: n for n, doc in enumerate(mine.docs)}
def by_me(doc, i):
    return ours[i][at[doc]]
def by_other(doc, i):
    return theirs[i][at[doc]]
scores = [[err_ia(docs, judge) for docs in (mine.a, mine.b)] for judge in (by_me, by_other)]""",
    "q6": """
merged = [err_ia(docs, lambda doc, i: by_me(doc, i) + by_other(doc, i), 4) for docs in (mine.a, mine.b)]""",
    "q7": """
import numpy as np
preferred = pd.Series([np.sign(a - b) for a, b in [*scores, merged]], ["yours", "second", "merged"])""",
    "q8": """
def swapped(cell):
    return lambda doc, i: by_other(doc, i) if (doc, i) == cell else by_me(doc, i)
def ahead(judge):
    return err_ia(mine.a, judge) - err_ia(mine.b, judge)
cells = [(doc, i) for doc in mine.docs for i in p]
largest_change = np.max([abs(ahead(swapped(cell)) - ahead(by_me)) for cell in cells])""",
}
