# Solution 3
# Three beliefs, five metrics.
beliefs = {"as it is": p, "equal": dict.fromkeys(p, 0.25)}
beliefs["singers"] = {"planet": 0.1, "metal": 0.1, "god": 0.1, "singer": 0.7}
rows = diversify.table({how: xquad(0.8, p=belief) for how, belief in beliefs.items()})
assert rows.loc["as it is", ["alpha-nDCG@5", "ERR-IA@5"]].tolist() == ["0.717", "0.492"]
assert rows.loc["singers", ["alpha-nDCG@5", "ERR-IA@5"]].tolist() == ["0.744", "0.254"]
assert rows.loc["equal", "alpha-nDCG@5"] == "0.778"
rows
