# Solution 3
# One run in which everything is tied, in three orders.
Path("all_tied.run").write_text("0001 Q0 a 1 7 t\n0001 Q0 b 2 7 t\n0001 Q0 c 3 7 t\n")
pool = dm.load_collection("my.Dqrels", "my.DINprob").pools["0001"]
tied = {}
for order in ("score", "rank", "file"):
    listed = dm.load_runs("all_tied.run", order)[0].list("0001")
    tied[order] = round(dm.metric("ERR-IA@3").score(dm.RankedList(pool.topic, listed, pool)), 4)
tied
