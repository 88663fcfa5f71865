# Solution 2
# (9, 0). D# is ahead almost each time, as with Sakai and Zeng, and never significantly.
sharp[["metric_a", "metric_b", "difference", "low", "high", "holm"]].round(3)
