# Solution 3
# Three groups: nothing is told apart within them, everything between them.
print(told_apart(silly([1] * 5 + [2] * 5 + [3] * 5)), "of", len(every_pair))
