# Solution 1
# Half the relevance minus half the similarity.
print(round(0.5 * relevance["m2"] - 0.5 * alike["m2", "m1"], 3))
assert diversify.second_step(0.5 * relevance["m2"] - 0.5 * alike["m2", "m1"]) is True
