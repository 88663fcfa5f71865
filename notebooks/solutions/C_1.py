# Solution 1
# BR is (1+1)/(2+8) = 1/5 at rank 2 and (2+8)/(4+8) = 5/6 at rank 4.
print(round((1 / 5 + 5 / 6) / 2, 4))
assert check_1(0.52) is True
