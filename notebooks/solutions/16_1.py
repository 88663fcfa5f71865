# Solution 1
# R(1) = 1/8 and 1/2, each times 0.25. In ndeval: 1 point, divided by the impossible list of three intents.
impossible = 3 * sum(0.5 ** (k - 1) / k for k in range(1, 11))
print([round(x, 4) for x in (0.25 / 8, 1 / impossible, 0.25 / 2)])
