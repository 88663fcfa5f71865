# Solution 3
# (1 + r + ... + r^(n-1)) / N = (1 - r^n) / (1 - r) * (1 - r), since m = 1.
def best_NRBP(n, alpha, phi):
    return 1 - ((1 - alpha) * phi) ** n


assert novelty.largest(best_NRBP) is True
print([round(best_NRBP(n, 0.5, 0.5), 4) for n in (1, 2, 4)])
