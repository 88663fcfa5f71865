# Solution 2
# d2 serves two intents at once, each poorly. d3 and d4 serve one each, d3 very well.
for docs in (["d2"], ["d3", "d4"]):
    scores = {whose: dm.metric(name).score(A.reordered(docs)) for whose, name in THREE.items()}
    print(" ".join(docs), *(f"{whose} {score:.4f}" for whose, score in scores.items()), sep="  ")
assert same_name.two_winners((["d2"], ["d3", "d4"])) is True
