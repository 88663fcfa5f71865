# Solution 3
# One of many: the list that serves both intents sooner is better.


def sooner(lists, p):
    for ranked in lists:
        if len(ranked) == 3 and ranked[:2] == (film, film) and ranked[2] == book:
            yield [(film, book, film)], [ranked]


verdicts(sooner).to_frame()
