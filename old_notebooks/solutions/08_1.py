# Solution 1
# One of three aspects of t1, one of three of t2, none of t3.
round((1 / 3 + 1 / 3 + 0) / 3, 4)
