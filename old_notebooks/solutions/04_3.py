# Solution 3
# 1 + 0.5 * 0.5 = 1.25, divided by 4/3.
print(round(1.25 / (4 / 3), 4), round(NRBP.score(two), 4))
