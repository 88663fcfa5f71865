# Solution 1
# Place 2: A above C is right, 1 of 1. Place 3: A and C above D, 2 of 2.
# Place 4: of A, C and D above B only A, 1 of 3.
from divmetrics_widgets.lessons.ranking_systems import exact

print(round(2 / 3 * (1 + 1 + 1 / 3) - 1, 4), "in the library", round(exact, 4))
