# Solution 1
# A copy and the film page at ranks 1 and 2. D's ideal list earns at all four ranks.
print(round((w[0] + w[1]) / sum(w), 4))
assert check_1(0.64) is True
