# Solution 3
# The encyclopedia, then the theme park and the games, in either order. Everybody gets something.
even = dm.evaluate(every.uniform(), None, ["ERR-IA@3"])
even = even[even["score"] > even["score"].max() - 1e-9]
print(even[["run", "score"]].round(4).to_string(index=False))
assert dm.metric("S-recall@3").score(A.reordered(["d7", "d14", "d17"])) == 1
