# Solution 1
# series, book, film; then the film again, half; then the theme park.
by_hand = 3 + 0.5 / np.log2(3) + 1 / np.log2(4)
assert abs(by_hand - dm.metric("alpha-DCG@3").score(D)) < 1e-12
print(round(by_hand, 4))
