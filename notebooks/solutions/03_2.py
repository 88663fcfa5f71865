# Solution 2
# Theme park, book and games, all poorly, against a very good film page and one on who's who in the books.
print(disagreeing.disagrees((["d15", "d16"], ["d1", "d9"])))
