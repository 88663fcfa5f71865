# Solution 1
# log2(4) is 2; the ideal lists are those of the lesson.
moved = ["author", "trailer", "cinema", "novels"]
scores = {intent: nDCG(moved, intent) for intent in wants}
mean = sum(p * scores[intent] for intent, p in wants.items())
assert grading.by_hand(mean) is True
print({intent: round(x, 4) for intent, x in scores.items()}, "->", round(mean, 4))
