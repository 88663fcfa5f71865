# Solution 1
# Exponential gains. (2^g-1)/(h+1), h = 2^top - 1, is the paper's R(g) with each intent's own top grade.
for name in ("ntcireval:ERR-IA(gain=exponential)@10", "ERR-IA(top=intent)@10"):
    print(name, round(dm.metric(name).score(L), 4))
