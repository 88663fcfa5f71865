# Solution 1
# The book readers get their page sooner, the film readers lose little: more than before.
print(round(ERR_IA.score(small), 4), "->", round(ERR_IA.score(moved), 4))
dm.charts.contributions(ERR_IA, moved)
