# Solution 1
# Two factors: what a page is worth alone, and what history leaves of it.
answer = "where(seen_before == 0, 1, 0.5) * grade / top"
assert own_metric.first_counts_most(answer) is True
print(round((write_metric("answer", answer).metric @ 5).score(good), 4))
