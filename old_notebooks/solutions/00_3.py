# Solution 3
# The encyclopedia serves three intents at once. Very good pages for single intents follow.
yours = A.reordered(["d7", "d4", "d14", "d11", "d17"], run="yours")
dm.evaluate(potter, [A, B, yours], ["ERR-IA@5", "D#-nDCG@5"]).round(4)
