# Solution 2
# How many sorted sets do it? Which has the lowest ERR-IA@5?
seen = batch_lists(sets)
scores_of = pd.DataFrame(
    {m.name: m.scores(seen)[0] for m in (sharp, ERR_IA)}, [" ".join(x.docs) for x in sets]
)
fits = scores_of[(scores_of["D#-nDCG"] > sharp.score(D)) & (scores_of["ERR-IA"] < ERR_IA.score(D))]
print(len(fits), "of", len(sets), "sets, such as", fits["ERR-IA"].idxmin())
assert pleases(fits["ERR-IA"].idxmin().split()) is True
