# Solution 2
# d2 serves two intents at once, each poorly. d3 and d4 serve one each, d3 very well.
first, second = A.reordered(["d2"]), A.reordered(["d3", "d4"])
table = {name: [row.score(first), row.score(second)] for name, row in rows.items()}
pd.DataFrame.from_dict(table, "index", columns=["d2", "d3 d4"]).round(4)
