# Solution 2
# A weak page for the theme park, one for the games, and the best page last.
chosen = ["d15", "d17", "d7"]
for_all = [docs for docs, serves in zip(orders, serve_all, strict=True) if serves]
below = [docs for docs in for_all if everybody_and_below(list(docs)) is True]
assert tuple(chosen) in below
print(len(below), "of", len(for_all), "lists do it, such as", *below[0])
