# Solution 2
# d2 serves t1/e1 once more; unretrieved4 serves t1/e2 with the same grade.
print(only_below(["d1", "unretrieved4", "d3", "d4", "nonrelevant5"]))
