# Solution 1
# `a` has grade 2 for intent 1, which three readers in four have.
print(0.75 * (2**2 - 1) / 2**2)
assert first_rank(0.5625) is True
