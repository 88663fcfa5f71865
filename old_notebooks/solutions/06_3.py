# Solution 3
# P+ falls from 1 to 1/2 as soon as home is not on top; Q of the film loses less.
two = ("DIN-nDCG@4", "P+Q@4")
for text in ("home cinema trailer", "cinema home trailer", "cinema trailer home"):
    ranked = L.reordered([*text.split(), "junk"])
    print(text, {name: round(dm.metric(name).score(ranked), 4) for name in two})
assert best_order(["home", "cinema", "trailer", "junk"]) is True
# And the lab: list C, then with d14 and d15 swapped, and with an informational park
swapped = C.reordered(["d1", "d2", "d9", "d15", "d14"])
flip = potter.with_kinds({"0083": {"themepark": "informational"}}).list("C", "0083")
for ranked in (C, swapped, flip):
    print({name: round(dm.metric(name).score(ranked), 4) for name in metrics})
