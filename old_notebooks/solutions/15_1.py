# Solution 1
# Gain for effort of links, times the effort of mixed without the videos; the rest is for the videos.
low, high = (explain_page("AS_DCG", page) for page in (pages[0], mixed))
rate = (low["gain"] * low["examined"]).sum() / (low["effort"] * low["examined"]).sum()
rest = high[high["vertical"] != "video"]
left = (high["gain"] * high["examined"]).sum() / rate - (rest["effort"] * rest["examined"]).sum()
effort = left / high.loc[high["vertical"] == "video", "examined"].item() / 3
assert abs(rates(effort)[2] - 1) < 1e-9
print(f"{effort:.3f}")
