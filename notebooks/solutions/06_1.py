# Solution 1
# 3/9 = 1/9 + phi (2/9 + 2/9 / 2 + 3/9 / 2) = 1/9 + phi / 2.
phi = (3 / 9 - 1 / 9) * 2
assert leaving.as_good(phi) is True
print(round(phi, 4))
