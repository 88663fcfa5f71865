# Solution 4
# From 0.5 to 4, and then in steps of a tenth.
efforts = [0.5, 1, 2, 3, 4]
table = pd.DataFrame([at_effort(effort) for effort in efforts], pd.Index(efforts, name="a video costs"))
tenths = [n / 10 for n in range(1, 41)]
ahead = [effort for effort in tenths if at_effort(effort)["mixed"] > at_effort(effort)["links"]]
assert last_ahead(max(ahead)) is True
print("mixed is ahead up to an effort of", max(ahead))
table.round(4)
