# Solution 2
# After two very good film pages one film reader in sixteen is left; d5 has grade 1.
before, after = (stopping.SHORT.reordered(docs) for docs in (["d1", "d2"], ["d1", "d2", "d5"]))
for metric in (stopping.RBU, stopping.ORIGINAL):
    print(metric, round(metric.score(before), 5), "->", round(metric.score(after), 5))
print("stop at d5:", round(1 / 3 * 1 / 16 * 1 / 4, 4))
