# Solution 2
# b and c serve four intents each; a serves two of either, and comes first by name.
served = {"a": "rsxy", "b": "rstu", "c": "wxyz"}
assert as_bad(served) is True
print("greedy: 4 + 2 of 8")
