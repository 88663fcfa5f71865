# Solution 2
# The games and the theme park first, the film as late as the other subjects allow.
from itertools import permutations

check = own_metric.rewarded()
orders = [docs for docs in permutations(["d7", "d9", "d14", "d17", "d1"]) if check(docs) is True]
print(len(orders), "orders of these five, such as", *orders[0])
