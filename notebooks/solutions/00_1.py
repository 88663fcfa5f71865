# Solution 1
# 2/9 of the readers times 3/4, and 3/9 of them times 3/4, at half the worth.
print(round(2 / 9 * 0.75 + 3 / 9 * 0.75 / 2, 4))
