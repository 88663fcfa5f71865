# Solution 2
# Above: she has her page at once, and Q misses two more. Below: she stops at rank 2, Q goes on.
pair = (["home", "cinema", "trailer", "bowls"], ["bowls", "home", "mirror", "blog"])
for docs in pair:
    P, Q = (dm.metric(name).score(L.reordered(docs)) for name in ("P+Q@4", "Q-IA@4"))
    print(docs, f"P+Q less Q-IA: {P - Q:+.4f}")
assert check_2(pair) is True
