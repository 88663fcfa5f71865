# Solution 2
# b and c serve two intents each; a serves one of either, and comes first by name.
served = {"a": "uw", "b": "uv", "c": "wx"}
assert best_list.as_bad(served) is True
print("greedy: 2 + 1 of 4")
