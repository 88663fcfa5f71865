# Solution 2
# Two good film pages, and then poor or middling pages for the other intents.
lists = {"yours": gamma.D.reordered(["d1", "d2", "d8", "d16", "d15"]), "D": gamma.D}
for name in ("D#-nDCG@5", "ERR-IA@5"):
    print(name, {which: round(dm.metric(name).score(ranked), 4) for which, ranked in lists.items()})
assert gamma.pleases(list(lists["yours"].docs)) is True
