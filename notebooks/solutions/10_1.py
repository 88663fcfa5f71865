# Solution 1
by_hand_now = (1 + 1.5 / log2(3)) / (1.5 + 1.5 / log2(3))
assert isclose(by_hand_now, dm.metric("D-nDCG@2").score(one_ideal.IDEAL.reordered(["author", "trailer"])))
print(round(by_hand_now, 4))
