# Solution 1
# The parameter in brackets, the cutoff after @.
print(dm.metric("alpha-nDCG(alpha=0.3)@10"))
