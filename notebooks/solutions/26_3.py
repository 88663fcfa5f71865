# Solution 3
# Always right. No wonder: half of the metric is the gold standard.
import pandas as pd

scores = aggregated.one_simulation()
by_page = scores.pivot(index=["run", "topic"], columns="metric", values="score")
mean = ((by_page["rec_v"] + by_page["D-nDCG@13"]) / 2).rename("score").reset_index()
both = pd.concat([scores, mean.assign(metric="with rec_v")])
found = dm.meta.concordance(both, "rec_v", ["with rec_v", "D#-nDCG@13", "nDCG-IA@13"])
with_nDCG_IA = found[found["metric_b"] == "nDCG-IA@13"].set_index("metric_a")
with_nDCG_IA[["disagreements", "concordance_a"]].round(3)
