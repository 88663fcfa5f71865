# Solution 1
# series, book, film; then the film again, half; then the theme park.
by_hand = 3 + 0.5 / log2(3) + 1 / log2(4)
assert isclose(by_hand, dm.metric("alpha-DCG@3").score(novelty.LIST_D))
print(round(by_hand, 4))
