# Solution 3
# alpha-DCG with the f of ERR-IA; ERR-IA with another w would be another.
from dataclasses import replace

row = replace(dm.metric("alpha-DCG@10"), f=dm.metric("ERR-IA").f)
assert intrinsic.keeps_the_law(row) is True
for name in ("alpha-nDCG@10", "D-nDCG@10", "ERR-IA@10"):
    print(name, "-", intrinsic.keeps_the_law(dm.metric(name)))
