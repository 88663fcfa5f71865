# Solution 1
# loss = w/ideal of ten, gain = w/ideal of three.
from math import log2

ten, three_pages = (sum(1 / log2(k + 1) for k in range(1, n + 1)) for n in (10, 3))
assert cancelled((1 / ten) / (1 / ten + 1 / three_pages)) is True
print(round(p_star, 4))
