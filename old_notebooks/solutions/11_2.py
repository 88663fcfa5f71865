# Solution 2
# S-recall reads the first level only.
# I-rec is another name for it.
taus.sort_values().head(4).round(3).to_frame()
