# Solution 3
# How many of all choices of ranks turn alpha-nDCG?
choices = [(i1, i5) for i1 in range(1, 11) for i5 in combinations(range(1, 11), 2)]
turning = [ranks for ranks in choices if prefers_the_first(ranks)]
print(len(turning), "of", len(choices), "choices, such as", turning[-1])
