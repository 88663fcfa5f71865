# Solution 3
# 1/(2m) is more than half the loss as long as m < 1/lost.
lost = gamma.LOST
assert 1 / lost < 30
print(f"1 / {lost:.4f} = {1 / lost:.2f}, so m = {int(1 / lost)}")
