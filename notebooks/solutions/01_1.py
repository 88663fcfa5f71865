# Solution 1
# Films, films, books: two of five intents.
print(dm.metric("S-recall@3").score(ambiguous.LIST_C))
