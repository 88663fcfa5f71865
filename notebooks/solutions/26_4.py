# Solution 4
# From 0.5 to 4, and then in steps of a tenth.
import pandas as pd

efforts = [0.5, 1, 2, 3, 4]
costs = pd.Index(efforts, name="a video costs")
table = pd.DataFrame([aggregated.at_effort(effort) for effort in efforts], costs)
tenths = {n / 10: aggregated.at_effort(n / 10) for n in range(1, 41)}
ahead = [effort for effort, scores in tenths.items() if scores["mixed"] > scores["links"]]
assert aggregated.last_ahead(max(ahead)) is True
print("mixed is ahead up to an effort of", max(ahead))
table.round(4)
