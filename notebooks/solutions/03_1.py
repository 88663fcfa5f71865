# Solution 1
# A: 1/6 of the readers, all there. B: 1/2 of them, a quarter still there. Each times 3/4, and 1/2 for rank 2.
print(round(1 / 6 * 0.75 / 2 - 1 / 2 * 0.25 * 0.75 / 2, 4))
