# Solution 1
from math import log2

half = (1 + 1.5 / log2(3)) / (1.5 + 1.5 / log2(3))
assert gamma.by_hand_1(D_sharp(1, half)) is True
print(f"0.5 * 1 + 0.5 * {half:.4f} = {D_sharp(1, half):.4f}")
