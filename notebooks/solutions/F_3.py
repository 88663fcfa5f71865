# Solution 3
seen = []
watched = RankedListLab("harry potter")
watched.observe(
    lambda change: seen.append(round(dm.metric("ERR-IA@5").score(watched.a), 4)), "state"
)
for docs in edits:
    watched.a = docs
assert after_each(seen) is True
assert after_each([0, 0, 0]) is not True
seen
