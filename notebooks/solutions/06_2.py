# Solution 2
# The encyclopedia, d7, goes from rank 7 of list A to rank 4.
mine = RankedListLab(leaving.FILMS, leaving.REPEATS, goal=leaving.GOAL)
mine.a = ["d1", "d4", "d2", "d7", "d5", "d6", "d3", "d9"]
assert leaving.flipped(mine.progress) is True
print(mine.progress)
