# Solution 2
# Rank 3 brings 0.0833 and costs 0.1; rank 4 brings 0.125. After that no rank pays.
print((stops @ 8).contributions(view_lists([D]))[0, 0].sum(axis=0).round(4))
print([round(score, 4) for score in by_cutoff])
