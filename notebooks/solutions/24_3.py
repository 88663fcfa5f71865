# Solution 3
# The three nuggets about the neighbours, each twice: 14 nuggets, of which A covers 7 + 3.
for x, more in ((A, 3), (B, 0)):
    old = round(dm.metric("Coverage@4").score(x) * 11)
    print(x.run, f"{old / 11:.3f} becomes {(old + more) / 14:.3f}")
print(f"the gap: {7 / 11 - 6 / 11:.3f} becomes {10 / 14 - 6 / 14:.3f}")
