# Solution 1
# Precisions of the book reader: 1/1 and 2/4. Of the film reader: 1/2, 2/3 and 3/4.
AP_of = pd.Series({"book": (1 + 2 / 4) / 2, "film": (1 / 2 + 2 / 3 + 3 / 4) / 3})
p = pd.Series(wants)
assert counting.by_hand(p @ AP_of) is True
print(AP_of.round(4).to_dict(), "->", round(p @ AP_of, 4))
