# Solution 3
# Ten topics two against one, and two with a tie between opponents; or eleven and one.
print(disagreeing.three_sorts((10, 2, 0)), disagreeing.three_sorts((11, 0, 1)))
