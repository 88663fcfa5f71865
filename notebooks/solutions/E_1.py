# Solution 1
print(round(1 - (1 - 1 / 4) ** 4, 4))
