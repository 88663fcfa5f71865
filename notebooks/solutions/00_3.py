# Solution 3
# 0.75 at rank 1; of the quarter that is left, 0.75 at rank 2, which counts one half; and so on.
print(round(sum(0.75 * 0.25 ** (k - 1) / k for k in range(1, 6)), 4))
