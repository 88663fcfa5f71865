# Solution 1
# A copy and the film page at ranks 1 and 2. D's ideal list earns at all four ranks.
w = [1 / log2(k + 1) for k in range(1, 5)]
print(round((w[0] + w[1]) / sum(w), 4))
assert navigational.best_there_is(0.64) is True
