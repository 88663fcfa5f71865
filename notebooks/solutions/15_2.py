# Solution 2
# d4 serves two aspects, 0.461 of the film readers; d1 serves the 0.287 who want to watch.
for docs in (["d1", "d2", "d3"], ["d1", "d4", "d2"], ["d4", "d1", "d2"]):
    ranked = intrinsic.START.reordered(docs)
    print(docs, *(f"{m} = {m.score(ranked):.4f}" for m in (intrinsic.FLAT, intrinsic.SQUARE)))
assert bool(intrinsic.better_below(["d4", "d1", "d2"])) is True
