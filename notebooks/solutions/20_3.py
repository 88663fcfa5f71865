# Solution 3
# Both are wrong on no pair. 213 of 376 or more, by a fair coin, in either direction.
from scipy.stats import binomtest

assert people.worst((213, 163)) is True
print(f"{binomtest(213, 213 + 163).pvalue:.3f}")
