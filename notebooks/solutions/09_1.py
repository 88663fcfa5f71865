# Solution 1
# 4 + w (1 + 2 (1 - alpha)) = 3 + 3 w, with w = 0.6309: alpha = 1 / (2 w) = log2(3) / 2.
alpha = log2(3) / 2
assert abs(best_list.difference(alpha)) < 1e-12
print(round(alpha, 4))
