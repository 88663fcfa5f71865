# Solution 1
# Weighted gain, divided by weighted effort.
gain, cost = (float((explained[of] * explained["examined"]).sum()) for of in ("gain", "effort"))
print(f"{gain:.4f} / {cost:.4f} = {gain / cost:.4f}")
assert aggregated.by_hand(gain / cost) is True
