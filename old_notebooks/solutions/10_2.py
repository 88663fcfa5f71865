# Solution 2
# The number of intents cancels out.
constant = 2 / sum(0.5 ** (k - 1) / k for k in range(1, 11))
for docs in (L.docs, ["d3"], ["d2"], ["d5", "d4", "d1"]):
    binary = replace(paper, f=relevant).score(B.reordered(docs))
    assert abs(ndeval.score(L.reordered(docs)) - constant * binary) < 1e-12
print(round(constant, 4))
