# Solution 2
# Four labels of grade 1 against three of grade 2.
assert grading.turned_by_gain((["d8", "d5", "d16"], ["d14", "d10", "d17"])) is True
print(grading.turned_by_gain((["d14", "d10", "d17"], ["d8", "d5", "d16"])))
