# Solution 2
# How many sorted sets do it? Which has the lowest ERR-IA@5?
ERR = pd.Series(ERR_IA.scores(seen)[0], by_set.index)
fits = ERR[(by_set["D#-nDCG@5"] > sharp.score(D)) & (ERR_IA.score(D) > ERR)]
print(len(fits), "of", len(sets), "sets, such as", fits.idxmin())
assert pleases(fits.idxmin().split()) is True
