# Solution 1
# rp = 3. BR is (1+1)/(2+4) = 1/3 at rank 2, (2+3)/(3+5) = 5/8 at rank 3. The mean:
print(round((1 / 3 + 5 / 8) / 2, 4))
assert preferred_page.by_hand_1(0.48) is True
