# Solution 3
# 213 of 376 or more, by a fair coin, in either direction.
from scipy.stats import binomtest

print(lost, f"{binomtest(213, 376).pvalue:.3f}")
