# Solution 2
# The encyclopedia article serves three kinds of readers; the other four pages serve few, and poorly.
print(ambiguous.three_times(("d7 d13 d12 d15 d18", "d18 d15 d13 d12 d7")))
