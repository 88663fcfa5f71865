# Solution 3
# A weak page for the theme park, one for the games, and the best page last.
chosen = ["d15", "d17", "d7"]
assert everybody_and_below(chosen) is True
lists_for_all = everybody.index[everybody]
below = [docs for docs in lists_for_all if everybody_and_below(docs) is True]
print(len(below), "of", len(lists_for_all), "lists do it, such as", below[0])
