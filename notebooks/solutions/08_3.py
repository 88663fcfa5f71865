# Solution 3
# (1 + q + ... + q^(n-1)) / N = (1 - q^n) / (1 - q) * (1 - q), since m = 1.
def best_NRBP(n, alpha, phi):
    return 1 - ((1 - alpha) * phi) ** n


assert largest(best_NRBP) is True
print([round(best_NRBP(n, 0.5, 0.5), 4) for n in (1, 2, 4)])
