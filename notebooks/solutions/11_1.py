# Solution 1
half = (1 + 1.5 / log2(3)) / (1.5 + 1.5 / log2(3))
assert abs(0.5 * 1 + 0.5 * half - right) < 1e-12
print(f"0.5 * 1 + 0.5 * {half:.4f} = {right:.4f}")
