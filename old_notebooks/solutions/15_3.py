# Solution 3
# Always right. No wonder: half of the metric is now the gold standard itself.
with_rec_v()[["metric_a", "metric_b", "disagreements", "concordance_a", "concordance_b"]].round(3)
