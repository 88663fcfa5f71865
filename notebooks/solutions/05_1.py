# Solution 1
# log2(4) is 2; the ideal lists are those of the lesson.
DCG = pd.Series({"book": 1 + 2 / log2(5), "film": 1 + 2 / log2(3) + 2 / log2(4)})
scores = DCG / pd.Series(ideal)
assert by_hand(float(p @ scores)) is True
print(scores.round(4).to_dict(), "->", round(p @ scores, 4))
