# Solution 1
# Judge 6: without that judge alpha is highest. (Perhaps the text counts from 0.)
people.WITHOUT.sort_values().tail(2)
