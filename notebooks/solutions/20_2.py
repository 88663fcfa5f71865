# Solution 2
# Two against one on every pair, and both sides equally often overall.
from divmetrics import meta

rows = [[1, 1, -1, -1], [1, -1, 1, -1], [-1, 1, -1, 1]]
print(round(meta.krippendorff_alpha(rows), 3), people.divided(rows))
