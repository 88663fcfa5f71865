# Solution 1
# loss = w/ideal of ten, gain = w/ideal of three.
from math import log2

ten, three_pages = (sum(1 / log2(k + 1) for k in range(1, n + 1)) for n in (10, 3))
assert minor_intents.cancelled((1 / ten) / (1 / ten + 1 / three_pages)) is True
print(round(break_even("nDCG-IA", 10, 3), 4))
