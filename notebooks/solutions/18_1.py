# Solution 1
# 5,000 draws miss with probability (1 - p) ** 5_000. Where is that 0.05?
level = 1 - 0.05 ** (1 / 5_000)
assert small_enough(level) is True
print(f"{level:.6f}, nearly 3/5,000: three times what a single draw would give, {1 / 5_000:.4f}")
