# What happens in the lab
lists = {"A": list(sorted_5.docs), "B": list(best_5.docs)}
tried = {name: (docs, {}) for name, docs in lists.items()}
tried["B, park first"] = ([lists["B"][-1], *lists["B"][:-1]], {})
tried["B, park grade 1"] = (lists["B"], {("d14", "themepark"): 1})
tried["A, games grade 1"] = (lists["A"], {(lists["A"][-1], "games"): 1})
rows = {}
for name, (docs, changed) in tried.items():
    labels = {doc: dict(pool.labels(doc)) for doc in pool.docs}
    for (doc, intent), grade in changed.items():
        labels[doc][intent] = grade
    ranked = dm.RankedList(pool.topic, docs, labels)
    metrics = map(dm.metric, ["I-rec@5", "D-nDCG@5", *gammas])
    rows[name] = {str(metric): metric.score(ranked) for metric in metrics}
rows = pd.DataFrame(rows).T
rows.loc["A, games: more"] = rows.loc["A, games grade 1"] - rows.loc["A"]
rows.columns = ["I-rec", "D", "D# 0.2", "D# 0.5", "D# 0.8"]
rows.round(4)
