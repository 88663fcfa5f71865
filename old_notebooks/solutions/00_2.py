# Solution 2
# d16, the quiz: it serves two intents. d15 stands above it but serves one reader in nine.
dm.explain("ERR-IA@5", B).groupby("doc", sort=False)["contribution"].sum().round(4)
