"""Two ways to solve assignment 3: by the library, and by hand."""

from __future__ import annotations

CHOICES = """
house = {"topics": mine.intents, "scale": 3}
choices = {
    "order": [{"order": "rank"}, {"order": "file"}],
    "mean": [{"mean_over": "both"}],
    "probabilities": [{"topics": None}],
    "scale": [{"scale": None}],
    "formula": [{"whose": "ndeval:"}, {"whose": "ntcireval:"}],
    "level": [{"relevance_level": 2}],
}

def number(run, metric, whose="", **choice):
    return dm.evaluate(mine.judgments, mine.runs[run], whose + metric, **{**house, **choice})["score"].mean()

def explained(claim):
    by_the_rules = round(number(mine.reported, claim.metric), 4)
    wanted = claim.second if by_the_rules == claim.first else claim.first
    for word, ways in choices.items():
        for way in ways:
            if "D#" in claim.metric and way.get("whose") == "ndeval:":
                continue
            if round(number(mine.reported, claim.metric, **way), 4) == wanted:
                settings = [{}, way] if by_the_rules == claim.first else [way, {}]
                return word, [number(mine.other, claim.metric, **each) for each in settings]

told = [explained(claim) for claim in mine.claims]
"""
BY_LIBRARY = {
    "q1": """
mean_score = dm.evaluate(
    mine.judgments, mine.runs[mine.reported], "ERR-IA@10", topics=mine.intents, scale=3
)["score"].mean()""",
    "q2": CHOICES + "\ncause_1 = told[0][0]",
    "q3": "numbers_1 = told[0][1]",
    "q4": "cause_2 = told[1][0]",
    "q5": "numbers_2 = tuple(told[1][1])",
    "q6": "cause_3 = told[2][0].upper()",
    "q7": """
numbers_3 = dict(zip(["first", "second"], told[2][1]))""",
    "q8": """
runs = list(mine.runs.values())
compared = dm.compare(
    mine.judgments, runs, "ERR-IA@10", topics=mine.intents, scale=3, condensed=True, trials=100
)
judged = compared.judged["judged@10"]""",
    "q9": """
condensed_lead = compared.table.loc[mine.reported].item() - compared.table.loc[mine.new].item()""",
    "q10": """
from divmetrics import meta
from scipy import stats

by_topic = meta.compare_runs(mine.scores, *mine.real[:2])["difference"]
ends = stats.ttest_1samp(by_topic, 0).confidence_interval(0.95)
effect = {"difference": by_topic.mean(), "low": ends.low, "high": ends.high}""",
    "q11": """
pairs = meta.tukey_hsd(mine.scores, trials=20_000, seed=7, workers=1)
p_values = pairs["asl"]""",
    "q12": """
required = meta.discriminative_power(pairs)["required_difference"].item()""",
}
LOOPS = """
import math

def columns(name):
    with open(name) as file:
        return [line.split() for line in file]

grades, p = {}, {}
for topic, i, doc, grade in columns(mine.judgments):
    grades.setdefault(topic, {}).setdefault(doc, {})[i] = int(grade)
for topic, i, share, kind in columns(mine.intents):
    p.setdefault(topic, {})[i] = float(share)

def lists(run, order="score"):
    rows = {}
    for at, (topic, _, doc, rank, score, _) in enumerate(columns(mine.runs[run])):
        key = {"score": (float(score), doc), "rank": -int(rank), "file": -at}[order]
        rows.setdefault(topic, []).append((key, doc))
    return {topic: [doc for _, doc in sorted(own, reverse=True)] for topic, own in rows.items()}

def by_topic(run, metric="ERR-IA@10", order="score", answered=False, equal=False, top=3, whose="", least=1,
             condensed=False):
    found = {}
    ranked = lists(run, order)
    for topic in p:
        if answered and topic not in ranked:
            continue
        share = {i: 1 / len(p[topic]) if equal else p[topic][i] for i in p[topic]}
        own = {d: {i: g if g >= least else 0 for i, g in row.items()} for d, row in grades[topic].items()}
        docs = ranked.get(topic, [])
        if condensed:
            docs = [doc for doc in docs if doc in own]
        docs = docs[:10]
        best = {i: max(row[i] for row in own.values()) for i in share}
        found[topic] = (sharp if "#" in metric else err)(docs, own, share, best, top, whose)
    return found

def err(docs, own, share, best, top, whose):
    total = 0.0
    for i in share:
        left = 1.0
        for k, doc in enumerate(docs, 1):
            g = own.get(doc, {}).get(i, 0)
            if whose == "ndeval:":
                R = 0.5 if g else 0.0
            else:
                R = g / (best[i] + 1) if whose else (2**g - 1) / 2**top
            total += (2 if whose == "ndeval:" else share[i]) * left * R / k
            left *= 1 - R
    if whose == "ndeval:":
        total /= sum(map(bool, best.values())) * sum(0.5 ** (k - 1) / k for k in range(1, 11))
    return total

def sharp(docs, own, share, best, top, whose):
    gain = {doc: sum(share[i] * g for i, g in row.items()) for doc, row in own.items()}
    ideal = sorted(gain.values(), reverse=True)[:10]
    both = [gain.get(doc, 0) for doc in docs], ideal
    dcg = [sum(g / math.log2(k + 1) for k, g in enumerate(gains, 1)) for gains in both]
    served = {i for doc in docs for i, g in own.get(doc, {}).items() if g}
    counted = [i for i in share if best[i] or not whose]
    return 0.5 * len(served) / len(counted) + 0.5 * dcg[0] / dcg[1]

def average(run, **choice):
    found = by_topic(run, **choice)
    return sum(found.values()) / len(found)

tried = {"order": [{"order": "rank"}, {"order": "file"}], "mean": [{"answered": True}]}
tried |= {"probabilities": [{"equal": True}], "scale": [{"top": 2}], "level": [{"least": 2}]}
tried |= {"formula": [{"whose": "ndeval:"}, {"whose": "ntcireval:"}], "unjudged": [{"condensed": True}]}

def story(claim):
    numbers = [claim.first, claim.second]
    rules = average(mine.reported, metric=claim.metric)
    for word, ways in tried.items():
        for way in ways:
            broken = average(mine.reported, metric=claim.metric, **way)
            for pair, said in (([{}, way], (rules, broken)), ([way, {}], (broken, rules))):
                if max(abs(a - b) for a, b in zip(numbers, said)) < 1e-4:
                    return word, [average(mine.other, metric=claim.metric, **each) for each in pair]

stories = [story(claim) for claim in mine.claims]
"""
BY_HAND = {
    "q1": """
files = [mine.judgments, mine.intents, mine.runs[mine.reported]]
judged, intents, rows = (pd.read_csv(name, sep=" ", header=None, dtype=str).values.tolist() for name in files)
grade = {(topic, i, doc): int(g) for topic, i, doc, g in judged}
share = {(topic, i): float(probability) for topic, i, probability, _ in intents}
total = 0.0
for topic, i in share:
    own = sorted(((float(row[4]), row[2]) for row in rows if row[0] == topic), reverse=True)
    left = 1.0
    for k, (_, doc) in enumerate(own[:10], 1):
        R = (2 ** grade.get((topic, i, doc), 0) - 1) / 2**3
        total += share[topic, i] * left * R / k
        left *= 1 - R
mean_score = round(total / len({topic for topic, _ in share}), 6)""",
    "q2": LOOPS + "\ncause_1 = stories[0][0]",
    "q3": "numbers_1 = [round(x, 6) for x in stories[0][1]]",
    "q4": 'cause_2 = f" {stories[1][0]} "',
    "q5": """
import numpy as np
numbers_2 = np.array(stories[1][1])""",
    "q6": "cause_3 = stories[2][0].capitalize()",
    "q7": """
import pandas as pd
numbers_3 = pd.Series(stories[2][1])""",
    "q8": """
judged = {}
for run in mine.runs:
    known = [[doc in grades[topic] for doc in docs[:10]] for topic, docs in lists(run).items()]
    judged[run] = sum(sum(row) / len(row) for row in known) / len(known)""",
    "q9": """
condensed_lead = average(mine.reported, condensed=True) - average(mine.new, condensed=True)""",
    "q10": """
from statistics import mean, stdev
from scipy.stats import t
real = {run: [] for run in mine.real}
for row in mine.scores.sort_values("topic").itertuples():
    real[row.run].append(row.score)
a, b = (real[run] for run in mine.real[:2])
z = [x - y for x, y in zip(a, b)]
half = t.ppf(0.975, len(z) - 1) * stdev(z) / math.sqrt(len(z))
effect = [np.float32(x) for x in (mean(z), mean(z) - half, mean(z) + half)]""",
    "q11": """
table = np.array(list(real.values()))
chance = np.random.default_rng(12345)
ranges = np.array([np.ptp(chance.permuted(table, axis=0).mean(axis=1)) for _ in range(20_000)])
means = dict(zip(real, table.mean(axis=1)))
p_values = {(x, y): np.mean(ranges >= abs(means[x] - means[y]) - 1e-12) for x, y in mine.pairs}""",
    "q12": """
required = min(abs(means[x] - means[y]) for x, y in mine.pairs if p_values[x, y] < 0.05)""",
}
