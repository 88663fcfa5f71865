# Solution 2
# Two ways to choose verticals: 9 systems against 9. The next multiple of 81 is 162, above 125.
print(9 * 9)
assert check_2(81) is True
