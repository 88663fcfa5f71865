# Solution 3
assert breaks([1, 2, 4]) is True
print("greedy: 5 + 2 + 4 = 11, the best: 1 + 2 + 20 = 23")
