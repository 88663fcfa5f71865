# Solution 1
# 4 x 3 choices of verticals and items; the three orders of each have the same mean-prec.
print(4 * 3 * 3)
assert check_1(36) is True
