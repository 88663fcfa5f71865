# Solution 2
# The first list earns at rank 1 only. The second has the theme park, then the page for three intents.
print(marginal_utility.told_apart((["d1", "d18"], ["d14", "d7"])))
