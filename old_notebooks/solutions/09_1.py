# Solution 1
# d14 serves the theme park and d17 the games: two intents, few readers. d1 and d2 serve the film, twice.
pair = (["d14", "d17"], ["d1", "d2"])
assert disagrees(pair)
print([pool.labels(doc) for docs in pair for doc in docs])
