# Solution 2
# A copy and the film page at ranks 1 and 2. D's ideal earns at all four ranks.
print(round((w[0] + w[1]) / sum(w), 4))
assert check_2(0.64) is True
