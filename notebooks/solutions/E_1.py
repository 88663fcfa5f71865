# Solution 1
print(next(n for n in range(2, 100) if promised_less(n) is True))
