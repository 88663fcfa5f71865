# Solution 2
# loss = w/ideal of ten, gain = w/ideal of three.
ten, three_pages = (sum(1 / log2(k + 1) for k in range(1, n + 1)) for n in (10, 3))
assert abs((1 / ten) / (1 / ten + 1 / three_pages) - p_star) < 1e-12
print(round(p_star, 4))
