"""Assignment 4: two ways to solve it, whatever the card says; one writes parts, the other a function."""

from __future__ import annotations

BY_PARTS = {
    "q1": """
metric = dm.metric(mine.rival)
margin = max(metric.score(b) - metric.score(a) for a, b in mine.pairs)""",
    "q2": """
M = {
    "one": "first",
    "two": "relevant * (seen_before < 2) / 2",
    "half": "relevant * 0.5 ** seen_before",
    "fill": "(min(gain_before + grade, 3) - min(gain_before, 3)) / 3",
    "kinds": "where(navigational, first, relevant)",
}[mine.need.pages]
w = {"all": "1", "tired": "(2/3) ** (rank - 1)", "screen": "where(rank <= 3, 1, 0.25)"}[mine.need.ranks]
f = {"people": "probability", "subjects": "1 / intents"}.get(
    mine.need.readers, "(1 - probability) / (intents - 1)"
)
parts = f"M = {M}\\nw = {w}\\nf = {f}\\nN = ideal" """,
    "q4": """
own = dm.evaluate(mine.collection, None, [ps4_data.metric(parts)])
found = meta.discriminative_power(meta.tukey_hsd(own, trials=5_000)).iloc[0]
power = found[["significant", "required_difference"]].set_axis(["significant", "required"])""",
    "q5": """
golds = ["I-rec@5", "Ef-P@5"]
both = dm.evaluate(mine.collection, None, [ps4_data.metric(parts), mine.rival, *golds])
rows = {gold: meta.concordance(both, gold, ["mine@5", mine.rival]).iloc[0] for gold in golds}
counts = pd.DataFrame(rows).T[["disagreements", "only_a", "only_b"]]
counts.columns = ["disagreements", "mine", "rival"]""",
}
BY_HAND = {
    "q1": """
from math import inf
margin = -inf
for a, b in mine.pairs:
    table_a, table_b = (dm.explain(mine.rival, each)["contribution"].sum() for each in (a, b))
    margin = max(margin, round(table_b - table_a, 6))""",
    "q2": """
w = {"all": [1] * 5, "tired": [1, 2/3, 4/9, 8/27, 16/81], "screen": [1, 1, 1, 0.25, 0.25]}[mine.need.ranks]

def worth(intent, above, grade):
    useful = sum(g > 0 for g in above)
    if mine.need.pages == "fill":
        return (min(sum(above) + grade, 3) - min(sum(above), 3)) / 3
    if grade == 0:
        return 0
    if mine.need.pages == "one":
        return useful == 0
    if mine.need.pages == "two":
        return (useful < 2) / 2
    if mine.need.pages == "half":
        return 0.5 ** (useful + 1)
    return (intent.kind == "informational" or useful == 0) / 5

def share(intent, intents):
    if mine.need.readers == "people":
        return intent.probability
    others = len(intents) - 1
    return 1 / len(intents) if mine.need.readers == "subjects" else (1 - intent.probability) / others

def parts(ranking):
    total, judged = 0.0, ranking.judgments
    for intent in ranking.topic.intents:
        above = []
        for doc, weight in zip(ranking.docs, w):
            grade = judged.labels(doc).get(intent.id, 0)
            total += share(intent, ranking.topic.intents) * weight * worth(intent, above, grade)
            above.append(grade)
    return total""",
    "q4": """
runs, topics = list(mine.collection.runs), list(mine.collection.pools)
score = {(r, t): parts(mine.collection.list(r, t)) for r in runs for t in topics}
rows = [(r, t, "by hand", s) for (r, t), s in score.items()]
tested = meta.tukey_hsd(pd.DataFrame(rows, columns=["run", "topic", "metric", "score"]), trials=5_000, seed=1)
told_apart = tested[tested["asl"] < 0.05]
power = [len(told_apart), round(told_apart["difference"].abs().min(), 6) if len(told_apart) else 0]""",
    "q5": """
from itertools import combinations
rest = dm.evaluate(mine.collection, None, [mine.rival, "I-rec@5", "Ef-P@5"])
by_name = {name: each.set_index(["run", "topic"])["score"].to_dict() for name, each in rest.groupby("metric")}

def side(values, r, s, t):
    difference = values[r, t] - values[s, t]
    return 0 if abs(difference) < 1e-12 else 1 if difference > 0 else -1

counts = []
for gold in ("I-rec@5", "Ef-P@5"):
    row = [0, 0, 0]
    for t in topics:
        for r, s in combinations(runs, 2):
            a, b, g = (side(values, r, s, t) for values in (score, by_name[mine.rival], by_name[gold]))
            if a * b < 0:
                row[0] += 1
                row[1] += g * a > 0
                row[2] += g * b > 0
    counts.append(row)""",
}
