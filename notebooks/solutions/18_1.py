# Solution 1
# No trial of 5,000 got there: print 1/5,000. Many add 1 to both: 1/5,001.
# The true level may be up to three times that (95 %).
print(f"{1 / 5_000:.6f} {1 / 5_001:.6f}, at most {1 - 0.05 ** (1 / 5_000):.6f}")
