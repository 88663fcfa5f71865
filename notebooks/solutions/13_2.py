# Solution 2
# Above: the park's page comes at once, and Q misses two more. Below: P+ stops at rank 2, Q goes on.
answer = (["home", "cinema", "trailer", "bowls"], ["bowls", "home", "mirror", "blog"])
for docs in answer:
    ranked = preferred_page.COPY.reordered(docs)
    difference = dm.metric("P+Q@4").score(ranked) - dm.metric("Q-IA@4").score(ranked)
    print(docs, f"P+Q less Q-IA: {difference:+.4f}")
assert preferred_page.above_and_below(answer) is True
