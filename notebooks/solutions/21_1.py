# Solution 1
# p w(2) (2 - 1) / l = 1/2 * 1/2 * 1 / 4
1 / 2 * 1 / 2 * 1 / 4, round(by_hand, 6)
