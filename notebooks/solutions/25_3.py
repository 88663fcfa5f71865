# Solution 3
# Three beliefs, five metrics.
singers = {"planet": 0.1, "metal": 0.1, "god": 0.1, "singer": 0.7}
beliefs = {"as it is": p, "equal": dict.fromkeys(p, 0.25), "singers": singers}
believed = {how: A.reordered(xquad(0.8, p=belief)) for how, belief in beliefs.items()}
rows = {how: [round(dm.metric(n).score(x), 3) for n in names] for how, x in believed.items()}
assert rows["as it is"][1:3] == [0.717, 0.492]
assert rows["singers"][1:3] == [0.744, 0.254]
assert rows["equal"][1] == 0.778
pd.DataFrame.from_dict(rows, "index", columns=names)
