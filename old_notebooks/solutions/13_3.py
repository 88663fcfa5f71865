# Solution 3
# NRBP rewards novelty like alpha-nDCG;
# so does alpha-nDCG at another cutoff.
[name for name in ("NRBP@10", "alpha-nDCG@20") if winner(name) == "alpha-nDCG@10"]
