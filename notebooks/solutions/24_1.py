# Solution 1
# winter tells nuggets 8 and 9, and calendar has told both: 2 * 0.5 / log2(3).
print(round(2 * 0.5 / np.log2(3), 4))
assert second_time(0.6309) is True
