# Solution 2
# After two very good film pages one film reader in sixteen is left; d5 has grade 1.
before, after = short.reordered(["d1", "d2"]), short.reordered(["d1", "d2", "d5"])
for metric in (RBU, original):
    print(metric, round(metric.score(before), 5), "->", round(metric.score(after), 5))
print("stop at d5:", round(1 / 3 * 1 / 16 * 1 / 4, 4))
