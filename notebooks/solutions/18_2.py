# Solution 2
# Put what helps nobody first: everybody waits a rank longer.
print(one_move(("nonrelevant10", 1)))
