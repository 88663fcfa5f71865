# Solution 1
# The book readers get their page sooner, the film readers lose little: more than before.
row, moved = dm.metric("ERR-IA@4"), marginal_utility.MOVED
print(round(row.score(small), 4), "->", round(row.score(moved), 4))
dm.charts.contributions(row, moved)
