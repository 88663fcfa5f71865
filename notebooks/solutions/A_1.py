# Solution 1
# One of three subtopics of t1, one of three of t2, none of t3: the mean of 1/3, 1/3 and 0.
print(round((1 / 3 + 1 / 3 + 0) / 3, 4), "in the library", round(as_copied, 4))
