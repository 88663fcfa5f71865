# Solution 1
# d1 and d2 serve the film, d9 the book: two of five intents.
dm.metric("S-recall@3").score(C)
