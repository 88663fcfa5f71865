# Solution 1
# `a` satisfies intent 1 at rank 1; rank 3 counts a third.
pool = dm.load_collection("my.Dqrels", "my.DINprob").pools["0001"]
ranked = dm.RankedList(pool.topic, ["a", "c", "b"], pool)
print(dm.explain("ERR-IA@3", ranked).query("contribution > 0")[["intent", "rank", "contribution"]])
assert own_files.of_three(dm.metric("ERR-IA@3").score(ranked)) is True
