# Solution 1
by_hand_now = (1 + 1.5 / log2(3)) / (1.5 + 1.5 / log2(3))
assert abs(by_hand_now - right) < 1e-12
print(round(by_hand_now, 4))
