# Solution 2
# Two planet pages, the metal, m15 for the god (and the planet), and the singer last.
assert diversify.above_greedy(["m1", "m2", "m7", "m15", "m16"]) is True
print(round(dm.metric("D#-nDCG@5").score(A.reordered(["m1", "m2", "m7", "m15", "m16"])), 3))
