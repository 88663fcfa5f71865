# Solution 2
# d7 serves series, book and film. Add a page for the theme park and one for the games.
full = scores[scores["S-recall@3"] == 1]
print(len(full), "lists do it. Their ERR-IA@3:")
print(full["ERR-IA@3"].agg(["min", "max"]).to_string())
