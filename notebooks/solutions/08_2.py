# Solution 2
# d7 serves three intents at rank 1, and then nothing follows; the rival serves four, one or two at a time.
lists = ["d7", "d1", "d2"], ["d14", "d17", "d8"]
assert novelty.fewer_and_more(lists) is True
for docs in lists:
    ranked = novelty.LIST_C.reordered(docs)
    scores = [dm.metric(name).score(ranked) for name in ("S-recall@3", "alpha-nDCG@3")]
    print(*docs, *(round(score, 4) for score in scores))
