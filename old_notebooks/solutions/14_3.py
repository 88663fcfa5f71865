# Solution 3
# The standard error falls with the square root of the number of topics.
print(round(30 * (average.loc[10, "detectable"] / 0.02) ** 2))
