# Solution 2
# Instead of d2 a document of the same grade for t1 alone, but for another aspect.
better = lists["0078"].reordered(["d1", "unretrieved6", "d3", "d4", "nonrelevant5"])
metrics = ["ERR-IA@5", "alpha-nDCG@5", "ERR-IS@5", "alpha-nDCG-IS@5", "S-recall-IS@5"]
table = {x: [dm.metric(x).score(L) for L in (lists["0078"], better)] for x in metrics}
assert only_below(better.docs) is True
pd.DataFrame.from_dict(table, "index", columns=["0078", "better"]).round(4)
