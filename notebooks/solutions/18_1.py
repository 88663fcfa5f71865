# Solution 1
# 5,000 trials miss with probability (1 - p) ** 5_000. Where is that 0.05?
from divmetrics_widgets.lessons.telling_apart import small_enough

level = 1 - 0.05 ** (1 / 5_000)
assert small_enough(level) is True
print(f"{level:.6f}, nearly 3/5,000: three times what a single trial would give, {1 / 5_000:.4f}")
