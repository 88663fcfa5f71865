# Solution 3
# Exponential gains: (2^g-1)/(h+1) with h = 2^top - 1 is the papers' R(g) with each intent's own top grade.
for name in ("ntcireval:ERR-IA(gain=exponential)@10", "ERR-IA(top=intent)@10"):
    print(name, [round(dm.metric(name).score(x), 4) for x in (A, B, A.reordered(["d3", "d4"]))])
